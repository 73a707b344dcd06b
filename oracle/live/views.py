"""The states in which a decision may have been made.

A scheduler sees the past, a little late, and knows its own decisions a little early: a pod that it has placed
counts for it from that moment on, although the binding reaches the server later.  The order of arrival is the
only order there is, so a decision is right if it is right for some state since the scheduler last stood still.
"""

from collections.abc import Iterator, Sequence
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
MOST_EARLY = 16
"""Own bindings under way at a time that are considered."""


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


def glimpses(record: Record, deed: Deed) -> Iterator[Glimpse]:
    """The likeliest first: what the server held when the request arrived."""
    return islice(_glimpses(record, deed), MOST_VIEWS)


def _glimpses(record: Record, deed: Deed) -> Iterator[Glimpse]:
    since, until = record.span(deed)
    bindings = [other for other in record.deeds if isinstance(other, Bound) and other is not deed and not other.error]
    earlier = [other for other in bindings if since <= other.at < deed.at]
    later = [other for other in bindings if deed.at <= other.at < until][:MOST_EARLY]
    now = [_situation(record, deed, deed.at, later[:count]) for count in range(len(later) + 1)]
    yield from map(Glimpse, filter(None, now))
    for revision in range(deed.at - 1, since - 1, -1):
        past = _situation(record, deed, revision, [b for b in earlier if b.at >= revision])
        if past is not None:
            yield Glimpse(past)
            if now[0] is not None and past.cluster.nodes != now[0].cluster.nodes:
                yield Glimpse(past, now[0])
    for revision in range(deed.at - 1, since - 1, -1):
        for late in range(1, min(len(earlier), MOST_EARLY) + 1):
            known = [b for b in earlier[:-late] if b.at >= revision]
            past = _situation(record, deed, revision, known, earlier[-late:])
            if past is not None:
                yield Glimpse(past)


def pending_situation(history: History, revision: int, key: str, configuration: Configuration) -> Situation | None:
    """A pod and the rest of the cluster at that revision; None where the pod is not there, or has its place."""
    objects = dict(history.at(revision))
    pod = objects.pop(("Pod", key), None)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    return Situation(Cluster.of(objects.values()), pod, configuration)


def _situation(
    record: Record, deed: Deed, revision: int, assumed: Sequence[Bound], unknown: Sequence[Bound] = ()
) -> Situation | None:
    """The pod may be younger than the rest: news of each kind travel by themselves."""
    objects = dict(record.history.at(revision))
    youngest = record.history.at(deed.at).get(("Pod", deed.pod))
    pod = objects.pop(("Pod", deed.pod), youngest)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return None
    places = {binding.pod: binding.node for binding in assumed} | {binding.pod: "" for binding in unknown}
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
