"""Priorities on what node objects say: affinity, taints, labels, images, pods to avoid."""

import numpy as np

from impl.lanes import Ints, Lane, Rows
from impl.priorities.scorer import MAX, Constant, Factory, Kept, PriorityError, Scorer, Subject, stretched
from model.api.avoided_pods import avoided_controllers
from model.api.integers import int32, quotient
from model.api.objects import OwnerReference, Taint
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.api.selectors import SelectorError, node_requirements
from model.api.tolerations import any_tolerates

SMALLEST_IMAGES, LARGEST_IMAGES = 23 * 2**20, 1000 * 2**20
"""Bytes between which the images of a pod make a difference."""


class _Failing(Scorer):
    """A priority that cannot be computed anywhere."""

    local = False

    def __init__(self, subject: Subject, text: str) -> None:
        super().__init__(subject)
        self._text = text

    def scores(self, rows: Rows) -> Lane:
        raise PriorityError(self._text)


def node_affinity(subject: Subject) -> Scorer:
    """Weights of the preferred terms that match; no expressions match nothing.  [S-040]"""
    table, spec = subject.table, subject.pod.spec
    preferred = spec.affinity.node_affinity.preferred if spec.affinity and spec.affinity.node_affinity else ()
    if not preferred:
        return Constant(subject, 0)
    raw = np.zeros(len(table.with_affinity), np.int64)
    for term in preferred:
        if term.weight:
            try:
                raw += term.weight * table.labels.selected(node_requirements(term.preference.match_expressions))
            except SelectorError as error:
                return _Failing(subject, str(error))
    if abs(raw).max(initial=0) >= 2**31:
        raw = np.array([int32(weight) for weight in raw.tolist()], np.int64)
    return stretched(subject, raw, reverse=False)


def taint_toleration(subject: Subject) -> Scorer:
    """Counts taints that should rather be avoided and are not tolerated.  [S-042]"""
    column = subject.table.column("taints")
    tolerations = [t for t in subject.pod.spec.tolerations if t.effect in ("", "PreferNoSchedule")]

    def intolerable(taints: tuple[Taint, ...] | None) -> int:
        return sum(t.effect == "PreferNoSchedule" and not any_tolerates(tolerations, t) for t in taints or ())

    counts = np.array([intolerable(taints) for taints in column.values], np.int64)
    return stretched(subject, counts[column.codes], reverse=True)


def node_label(label: str, presence: bool) -> Factory:
    """[S-066]"""

    def factory(subject: Subject) -> Scorer:
        present = subject.table.labels.column(label).codes > 0
        return Kept(subject, np.where(present == presence, MAX, 0))

    return factory


# --- pods to avoid --------------------------------------------------------------------------------


def node_prefer_avoid_pods(subject: Subject) -> Scorer:
    """[S-060]"""
    controller = next((owner for owner in subject.pod.metadata.owner_references if owner.controller), None)
    if controller is None or controller.kind not in ("ReplicationController", "ReplicaSet"):
        return Constant(subject, MAX)
    column = subject.table.column("avoided pods")
    scores = np.array([_avoidance(text, controller) for text in column.values], np.int64)
    return _Avoiding(subject, scores[column.codes]) if (scores < 0).any() else Kept(subject, scores[column.codes])


class _Avoiding(Kept):
    """A negative score stands for an entry without controller, on which kube-scheduler ends."""

    local = False

    def scores(self, rows: Rows) -> Lane:
        scores = super().scores(rows)
        if (scores < 0).any():
            raise Crash(NIL_DEREFERENCE)
        return scores


def _avoidance(annotation: str | None, controller: OwnerReference) -> int:
    """0 if the annotation names the controller; -1 for the crash."""
    for avoided in avoided_controllers(annotation):
        if avoided is None:
            return -1
        if (avoided.kind, avoided.uid) == (controller.kind, controller.uid):
            return 0
    return MAX


# --- images ---------------------------------------------------------------------------------------


def image_locality(subject: Subject) -> Scorer:
    """Nodes that have large images of the pod already.  [S-062]"""
    names = [_normalized(container.image) for container in subject.pod.spec.containers]
    if not subject.table.with_images:
        return Constant(subject, 0)
    return ImageLocality(subject, names)


class ImageLocality(Scorer):
    def __init__(self, subject: Subject, names: list[str]) -> None:
        super().__init__(subject)
        self._names = names

    def scores(self, rows: Rows) -> Lane:
        if isinstance(rows, int):
            return np.int64(self._score(rows))
        chosen = range(*rows.indices(len(self.table.images))) if isinstance(rows, slice) else rows
        scores: Ints = np.array([self._score(row) for row in chosen], np.int64)
        return scores

    def _score(self, row: int) -> int:
        images, nodes = self.table.images[row], len(self.table.row_of)
        total = 0
        for name in self._names:
            state = images.get(name)
            if state is not None:
                total += int(float(state.size) * (float(state.num_nodes) / float(nodes)))
        total = min(max(total, SMALLEST_IMAGES), LARGEST_IMAGES)
        return quotient(MAX * (total - SMALLEST_IMAGES), LARGEST_IMAGES - SMALLEST_IMAGES)


def _normalized(image: str) -> str:
    return image if image.rfind(":") > image.rfind("/") else image + ":latest"
