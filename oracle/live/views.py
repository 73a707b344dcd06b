"""The states in which a decision may have been made.

A scheduler sees the past, a little late, and knows its own decisions a little early: a pod that it has placed
counts for it from that moment on, although the binding reaches the server later.  So a decision is right if it is
right for some state since the scheduler last stood still.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from attrs import evolve, frozen

from model.algorithm import with_metadata
from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import Pod
from model.decision import Run, taken_in
from model.releases import v1_15_3
from oracle.judgement.view import Sight
from oracle.live.deeds import Bound, Deed
from oracle.live.history import History

MOST_VIEWS = 80


@frozen
class Record:
    """What happened, and between which revisions the scheduler stood still: `rests` ascends."""

    history: History
    deeds: Sequence[Deed]
    rests: Sequence[int]
    configuration: Configuration

    def span(self, deed: Deed) -> tuple[int, int]:
        """The rest before a deed and the one after it."""
        before = max((rest for rest in self.rests if rest <= deed.at), default=0)
        after = min((rest for rest in self.rests if rest > deed.at), default=self.history.revision)
        return before, after

    def bindings_beside(self, deed: Deed) -> tuple[Bound, ...]:
        """The scheduler's other bindings that were under way while it moved."""
        span = self.span(deed)
        return tuple(
            other
            for other in self.deeds
            if isinstance(other, Bound) and other is not deed and other.error is None and self.span(other) == span
        )


@frozen
class Glimpse:
    """A state; `stores`: what the informers' stores held, where they were ahead of the scheduler's cache."""

    situation: Situation
    stores: Situation | None = None

    @property
    def sight(self) -> Sight:
        """What an attempt at the pod sees."""
        seen = _taken_in(self.situation)
        if self.stores is None:
            return Sight(seen.attempt, seen.standing.tree)
        world = seen.attempt.world
        ahead = evolve(_taken_in(self.stores).attempt.world, cached=world.cached, nominated=world.nominated)
        return Sight(with_metadata(evolve(seen.attempt, world=ahead)), seen.standing.tree)


def glimpses(record: Record, deed: Deed, known: Collection[Bound]) -> Iterator[Glimpse]:
    """The likeliest first: what the server held when the request arrived.

    `known`: the scheduler's own bindings that it had decided before, whenever they arrived.
    """
    return islice(_glimpses(record, deed, known), MOST_VIEWS)


def _glimpses(record: Record, deed: Deed, known: Collection[Bound]) -> Iterator[Glimpse]:
    now = _situation(record, deed, deed.at, known)
    if now is not None:
        yield Glimpse(now)
    since, _ = record.span(deed)
    for revision in range(deed.at - 1, since - 1, -1):
        past = _situation(record, deed, revision, known)
        if past is not None:
            yield Glimpse(past)
            if now is not None and past.cluster.nodes != now.cluster.nodes:
                yield Glimpse(past, now)


def pending_situation(history: History, revision: int, key: str, configuration: Configuration) -> Situation | None:
    """A pod and the rest of the cluster at that revision; None where the pod is not there, or has its place."""
    objects = dict(history.at(revision))
    pod = objects.pop(("Pod", key), None)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    return Situation(Cluster.of(objects.values()), pod, configuration)


def _situation(record: Record, deed: Deed, revision: int, known: Collection[Bound]) -> Situation | None:
    """The pod may be younger than the rest: news of each kind travel by themselves."""
    objects = dict(record.history.at(revision))
    youngest = record.history.at(deed.at).get(("Pod", deed.pod))
    pod = objects.pop(("Pod", deed.pod), youngest)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    bindings = record.bindings_beside(deed)
    places = {b.pod: "" for b in bindings if b.at < revision} | {b.pod: b.node for b in bindings if b in known}
    things = (
        _moved(thing, places[thing.key]) if isinstance(thing, Pod) and thing.key in places else thing
        for thing in objects.values()
    )
    return Situation(Cluster.of(things), pod, record.configuration)


def _moved(pod: Pod, node: str) -> Pod:
    """As the scheduler counts it that has placed it already, or not yet."""
    if bool(pod.spec.node_name) == bool(node):
        return pod
    return amended(pod, {"spec": {"nodeName": node or None}})


def _taken_in(situation: Situation) -> Run:
    return taken_in(situation, v1_15_3(situation.configuration))
