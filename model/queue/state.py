"""What the scheduling queue consists of, and the two orders in it.  [Q-001..Q-005, Q-010..Q-012]"""

from collections.abc import Mapping

from attrs import Factory, frozen

from model.api.clock import Instant
from model.api.objects import Pod
from model.queue.backoff import Backoffs, backoff_time
from model.queue.heap import Heap, Less
from model.queue.nominations import Nominations
from model.quirks import EVERY, Quirks
from model.rules import declare, rule

LEFTOVER_AGE_MS = 60_000
BACKOFF_FLUSH_PERIOD_MS = 1_000
LEFTOVER_FLUSH_PERIOD_MS = 30_000

declare(
    "Q-002", "A waiting pod is in one of active, backoff and unschedulable; one being scheduled is in none", __name__
)
declare("Q-004", "There is one kind of queue, and it always goes by priority", __name__)
declare("Q-005", "Backoff 1 s to 10 s, flushed every second; leftovers of 60 s flushed every 30 s", __name__)


class QueueError(Exception):
    """An operation the queue refused; the message is kube-scheduler's.  [Q-042, Q-045]"""


declare("Q-003", "An entry keeps the time of its creation wherever it moves and whatever version it holds", __name__)


@frozen
class Entry:
    """A waiting pod; `timestamp`: when it last entered the queue from outside."""

    pod: Pod
    timestamp: Instant

    @property
    def key(self) -> str:
        """`namespace/name`, the key of both heaps.  [O-011]"""
        return self.pod.key


declare("Q-001", "Two heaps, the unschedulable pods, nominations, backoffs, and two counters of cycles", __name__)
declare("Q-037", "Nominations do not depend on where, or whether, the pod waits", __name__)


@frozen
class Queue:
    """`unschedulable` is keyed by `name_namespace`; `move_cycle` is the cycle of the last move request."""

    active: Heap[Entry] = Heap()
    backoff: Heap[Entry] = Heap()
    unschedulable: Mapping[str, Entry] = Factory(dict)
    nominations: Nominations = Nominations()
    backoffs: Backoffs = Factory(dict)
    cycle: int = 0
    move_cycle: int = -1
    closed: bool = False

    @property
    def nominated_by_node(self) -> Mapping[str, tuple[Pod, ...]]:
        """Node name -> nominated pods in list order.  [Q-034]"""
        return self.nominations.by_node


@rule("Q-010", "Higher priority first; among equals, the one that has waited longer")
def less_active(a: Entry, b: Entry) -> bool:
    if a.pod.priority != b.pod.priority:
        return a.pod.priority > b.pod.priority
    return a.timestamp < b.timestamp


@rule("Q-012", "The earlier end of backoff first, as it is now; a pod without backoff entry comes before everything")
def less_backoff(backoffs: Backoffs, quirks: Quirks = EVERY) -> Less[Entry]:
    def less(a: Entry, b: Entry) -> bool:
        first, second = (backoff_time(backoffs, entry.pod, quirks) for entry in (a, b))
        return second is not None and (first is None or first < second)

    return less
