"""The states in which a decision may have been made.

A scheduler sees the past, a little late, and knows its own decisions a little early: a pod that it has placed
counts for it from that moment on, although the binding reaches the server later.  So a decision is right if it is
right for some state since the scheduler last stood still.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from attrs import Factory, evolve, field, frozen

from model.algorithm import with_metadata
from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import KubernetesObject, Pod
from model.api.protocol import Added, Deleted
from model.attempt import Attempt
from model.decision import taken_in
from model.releases import v1_15_3
from model.world import World
from oracle.judgement.view import Sight, View
from oracle.live.deeds import Bound, Deed
from oracle.live.history import History
from oracle.live.memory import Memory

MOST_VIEWS = 80

_LATE = (
    ("nodes",),
    ("volumes", "binder_volumes"),
    ("claims", "binder_claims"),
    ("binder_volumes", "binder_claims"),
    ("binder_claims",),
    ("classes",),
    ("services",),
)
"""Of a World, what may be older than the rest."""


@frozen
class Record:
    """What happened, and between which revisions the scheduler stood still: `rests` ascends.

    `judged`: so many of the deeds were judged before.
    """

    history: History
    deeds: Sequence[Deed]
    rests: Sequence[int]
    configuration: Configuration
    judged: int = 0
    memory: Memory = field(
        eq=False, default=Factory(lambda self: Memory(self.history, self.configuration), takes_self=True)
    )

    @property
    def new_deeds(self) -> Sequence[Deed]:
        return self.deeds[self.judged :]

    def span(self, deed: Deed) -> tuple[int, int]:
        """The rest before a deed and the one after it."""
        at = bisect_right(self.rests, deed.at)
        before, after = self.rests[:at][-1:], self.rests[at : at + 1]
        return (before[0] if before else 0), (after[0] if after else self.history.revision)

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
    """A state: as objects, and as an attempt at the pod sees it."""

    situation: Situation
    sight: Sight


def glimpses(record: Record, deed: Deed, known: Collection[Bound]) -> Iterator[Glimpse]:
    """The likeliest first: what the server held when the request arrived.

    `known`: the scheduler's own bindings that it had decided before, whenever they arrived.
    """
    return islice(_glimpses(record, deed, known), MOST_VIEWS)


def _glimpses(record: Record, deed: Deed, known: Collection[Bound]) -> Iterator[Glimpse]:
    since, _ = record.span(deed)
    youngest, beside = record.history.at(deed.at).get(("Pod", deed.pod)), record.bindings_beside(deed)
    latest: View | None = None
    for revision in range(deed.at, since - 1, -1):
        past = _situation(record, deed, revision, known, youngest, beside)
        if past is None:
            continue
        view = _view(record, revision, known, beside)
        if revision == deed.at:
            latest = view
        if view is None:
            yield Glimpse(past, fresh_sight(past))
            continue
        yield Glimpse(past, view.sight(past.pod))
        if view.snapshot.keys() - view.world.nodes.keys():
            yield Glimpse(past, view.without_gone_nodes.sight(past.pod))
        if latest is not None:
            yield from (Glimpse(past, sight) for sight in _mixed(view, latest, past.pod))


def _view(record: Record, revision: int, known: Collection[Bound], beside: Sequence[Bound]) -> View | None:
    """None where v1.15.3 would not have lived so long."""
    shadow, objects = record.memory.at(revision), record.history.at(revision)
    for binding in beside:
        pod = objects.get(("Pod", binding.pod))
        if not isinstance(pod, Pod):
            continue
        if binding in known and not pod.spec.node_name:
            shadow.binding(pod, binding.node)
        elif binding not in known and binding.at < revision and pod.spec.node_name:
            shadow.hear(Deleted(pod))
            shadow.hear(Added(_moved(pod, "")))
    return None if shadow.lost else shadow.view()


def _mixed(view: View, latest: View, pod: Pod) -> Iterator[Sight]:
    """While news is under way: those of each kind travel by themselves, and the cache and the binder hear last.

    And the nodes are listed, and counted, before the cache is looked at.  [A-002, V-051]
    """
    old, new = view.world, latest.world
    if old.nodes != new.nodes:
        yield _sight(view, evolve(new, cached=old.cached, nominated=old.nominated), pod)
    for late in _LATE:
        past = {store: getattr(old, store) for store in late}
        if any(past[store] != getattr(new, store) for store in late):
            yield _sight(latest, evolve(new, **past), pod)


def _sight(view: View, world: World, pod: Pod) -> Sight:
    return Sight(with_metadata(Attempt(pod, view.snapshot, world, view.semantics)), view.state.cache.tree)


def fresh_sight(situation: Situation) -> Sight:
    """As a scheduler sees it that has just come."""
    run = taken_in(situation, v1_15_3(situation.configuration))
    return Sight(run.attempt, run.standing.tree)


def pending_situation(history: History, revision: int, key: str, configuration: Configuration) -> Situation | None:
    """A pod and the rest of the cluster at that revision; None where the pod is not there, or has its place."""
    objects = dict(history.at(revision))
    pod = objects.pop(("Pod", key), None)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    return Situation(Cluster.of(objects.values()), pod, configuration)


def _situation(
    record: Record,
    deed: Deed,
    revision: int,
    known: Collection[Bound],
    youngest: KubernetesObject | None,
    beside: Sequence[Bound],
) -> Situation | None:
    """The pod may be younger than the rest: news of each kind travel by themselves."""
    objects = dict(record.history.at(revision))
    pod = objects.pop(("Pod", deed.pod), youngest)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    places = {b.pod: "" for b in beside if b.at < revision} | {b.pod: b.node for b in beside if b in known}
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
