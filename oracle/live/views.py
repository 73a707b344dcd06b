"""The states in which a decision may have been made.

A scheduler sees the past, a little late, and knows its own decisions a little early: a pod that it has placed
counts for it from that moment on, although the binding reaches the server later.  The order of arrival is the
only order there is, so a decision is right if it is right for some state since the scheduler last stood still.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from attrs import frozen

from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import KubernetesObject, Pod
from oracle.live.deeds import Bound, Deed
from oracle.live.history import History

MOST_VIEWS = 80
MOST_EARLY = 16
"""Own bindings under way at a time that are considered."""

Objects = dict[tuple[str, str], KubernetesObject]


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


def views(record: Record, deed: Deed) -> Iterator[Situation]:
    """The likeliest first: what the server held when the request arrived."""
    return islice(_views(record, deed), MOST_VIEWS)


def _views(record: Record, deed: Deed) -> Iterator[Situation]:
    since, until = record.span(deed)
    bindings = [other for other in record.deeds if isinstance(other, Bound) and other is not deed and not other.error]
    earlier = [other for other in bindings if since <= other.at < deed.at]
    later = [other for other in bindings if deed.at <= other.at < until][:MOST_EARLY]
    for assumed in (later[:count] for count in range(len(later) + 1)):
        yield from _situation(record, deed, deed.at, assumed)
    for revision in range(deed.at - 1, since - 1, -1):
        yield from _situation(record, deed, revision, [b for b in earlier if b.at >= revision])
    for revision in range(deed.at - 1, since - 1, -1):
        for late in range(1, min(len(earlier), MOST_EARLY) + 1):
            known = earlier[:-late]
            yield from _situation(record, deed, revision, [b for b in known if b.at >= revision], set(earlier[-late:]))


def _situation(
    record: Record, deed: Deed, revision: int, assumed: Sequence[Bound], unknown: set[Bound] = frozenset()
) -> Iterator[Situation]:
    """Nothing where the pod was not there, or had its place."""
    objects = dict(record.history.at(revision))
    pod = objects.pop(("Pod", deed.pod), None)
    if not isinstance(pod, Pod) or pod.spec.node_name:
        return
    for binding in assumed:
        _move(objects, binding.pod, binding.node)
    for binding in unknown:
        _move(objects, binding.pod, "")
    yield Situation(Cluster.of(objects.values()), pod, record.configuration)


def _move(objects: Objects, key: str, node: str) -> None:
    """The scheduler counts the pod as on that node, or does not count it yet."""
    pod = objects.get(("Pod", key))
    if isinstance(pod, Pod) and bool(pod.spec.node_name) != bool(node):
        objects["Pod", key] = amended(pod, {"spec": {"nodeName": node or None}})


def without(situation: Situation, victims: Mapping[str, object] | set[str]) -> Situation:
    """The situation once these pods, by key, are gone."""
    cluster = situation.cluster
    left = tuple(pod for pod in cluster.pods if pod.key not in victims)
    return Situation(cluster.having(pods=left), situation.pod, situation.configuration)


def without_nominations(situation: Situation) -> Situation:
    """The situation as one sees it who makes no room for nominated pods."""
    cluster = situation.cluster
    pods = tuple(
        amended(pod, {"status": {"nominatedNodeName": None}}) if pod.status.nominated_node_name else pod
        for pod in cluster.pods
    )
    return Situation(cluster.having(pods=pods), situation.pod, situation.configuration)
