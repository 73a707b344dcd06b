"""Pods that are bound, and for which v1.15 may keep room a second time.

After a failed attempt it reads the pod again and puts what it read into its queue.  A pod that was bound by another
attempt in the meantime is then in the queue for good, with its nomination; nothing takes that out again, not even
the end of the pod.  [L-057, Q-037, Q-038]
"""

from collections.abc import Iterator
from itertools import takewhile

from attrs import evolve

from model.api.objects import Pod
from oracle.judgement.view import Sight
from oracle.live.deeds import Bound, Deed, LookedAt
from oracle.live.views import Record

MOST_BETWEEN_MS = 1000
"""Between the reading and the binding: after longer, back-off has let the queue see to the pod in order."""


def may_be_stale(record: Record, deed: Deed) -> tuple[Pod, ...]:
    """Nominated pods that were bound before that deed, and read by the scheduler a moment before they were."""
    found: list[Pod] = []
    read: dict[str, int] = {}
    for other in takewhile(lambda other: other is not deed, record.deeds):
        if isinstance(other, LookedAt):
            read[other.pod] = other.when
        elif isinstance(other, Bound) and other.error is None and other.pod in read:
            pod = record.history.at(other.at).get(("Pod", other.pod))
            is_recent = other.when - read.pop(other.pod) < MOST_BETWEEN_MS
            if is_recent and isinstance(pod, Pod) and pod.status.nominated_node_name:
                found.append(pod)
    return tuple(found)


def with_stale(sight: Sight, pods: tuple[Pod, ...]) -> Iterator[Sight]:
    """As it looks if all of these nominations are still there, and if only one of them is."""
    for some in (pods, *((pod,) for pod in pods if len(pods) > 1)):
        nominated = dict(sight.attempt.world.nominated)
        for pod in some:
            node = pod.status.nominated_node_name
            nominated[node] = (*nominated.get(node, ()), pod)
        world = evolve(sight.attempt.world, nominated=nominated)
        yield evolve(sight, attempt=evolve(sight.attempt, world=world))
