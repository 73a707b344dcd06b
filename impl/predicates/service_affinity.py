"""CheckServiceAffinity: the pods of a service stay where its first pod is.  [P-060..P-065]"""

from collections.abc import Iterable

from impl.outcomes import FITS, SERVICE_AFFINITY_VIOLATED
from impl.pod_kind import PodKind
from impl.predicates.check import Check, Factory, Question
from impl.predicates.pod_affinity_slow import cannot_precompute
from impl.stores import Stores
from impl.trial import Trial
from model.api.objects import Pod, Service
from model.api.selectors import from_map


def services_of(kind: PodKind, stores: Stores) -> list[Service]:
    """The services that select the pod, by plain equality; an empty selector selects every pod.  [S-022.1]"""
    return [
        service
        for service in stores.services.values()
        if service.namespace == kind.namespace
        and service.spec.selector is not None
        and all(kind.labels.get(key) == value for key, value in service.spec.selector.items())
    ]


class CheckServiceAffinity(Check):
    columnar = local = False
    watching = True

    def __init__(self, question: Question, labels: tuple[str, ...]) -> None:
        super().__init__(question)
        self._labels = labels
        self._alike = from_map(question.kind.labels)
        self._with_services: list[Pod] = []
        self._has_service = False

    def prepare(self) -> None:
        """Look at services and pods as they are now.  [P-060]"""
        surroundings = self.question.surroundings
        self._has_service = bool(services_of(self.question.kind, surroundings.stores))
        self._with_services = [pod for pod in surroundings.cache.all_pods() if self._is_alike(pod)]

    def _is_alike(self, pod: Pod) -> bool:
        return pod.namespace == self.question.kind.namespace and self._alike.matches(pod.labels)

    def at(self, trial: Trial) -> int:
        node_selector = self.question.pod.spec.node_selector
        wanted = {label: node_selector[label] for label in self._labels if label in node_selector}
        alike: list[Pod] = trial.notes.get(self, self._with_services)
        if len(self._labels) > len(wanted) and self._has_service:
            held = {pod.uid for pod in trial.pods}
            first = next((p for p in alike if p.spec.node_name != trial.node.name or p.uid in held), None)
            if first is not None:
                node = self.question.surroundings.stores.nodes.get(first.spec.node_name)
                if node is None:
                    return self.outcomes.error(f'node "{first.spec.node_name}" not found')
                for label in self._labels:
                    if label not in wanted and label in node.labels:
                        wanted[label] = node.labels[label]
        if from_map(wanted).matches(trial.node.labels):
            return FITS
        return self.outcomes.code(SERVICE_AFFINITY_VIOLATED)

    def start(self, trial: Trial) -> None:
        if not cannot_precompute(self.question):
            trial.notes[self] = list(self._with_services)

    def removed(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """[P-036]"""
        alike: list[Pod] = trial.notes.get(self, [])
        if pod.full_name != self.question.pod.full_name and alike and pod.namespace == alike[0].namespace:
            at = next((at for at, held in enumerate(alike) if held.full_name == pod.full_name), None)
            if at is not None:
                del alike[at]

    def added(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """[P-037.4]"""
        if kind.broken_anti_affinity:  # Before it comes to services, its terms are an error.
            return
        if self in trial.notes and pod.full_name != self.question.pod.full_name and self._is_alike(pod):
            trial.notes[self].append(pod)


def check_service_affinity(labels: Iterable[str]) -> Factory:
    def factory(question: Question) -> Check:
        return CheckServiceAffinity(question, tuple(labels))

    return factory
