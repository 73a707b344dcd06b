"""All that a scheduler remembers between two events.  [L-004]"""

from collections.abc import Generator
from typing import Any

from attrs import evolve, frozen

from model.algorithm import Attempted
from model.api.clock import Instant
from model.api.objects import Pod
from model.api.protocol import Call
from model.cache.snapshot import Snapshot
from model.cache.state import Cache
from model.queue import Queue
from model.rules import declare
from model.volumes.assume_cache import latest
from model.volumes.binder import Binder, Decision
from model.world import World

declare("L-004", "One cycle at a time; between its events run any number of binding phases and requeues", __name__)


@frozen
class Decided:
    """A scheduling cycle between decision and deed."""

    pod: Pod
    attempted: Attempted


@frozen
class VolumeBinding:
    """A binding phase that waits until the pod's volumes are bound; `started` and `next_poll` in ms.  [V-041]"""

    pod: Pod
    decision: Decision
    started: int
    next_poll: int


@frozen
class NodeBinding:
    """A binding phase that waits for the answer to its bind request.  [L-097]"""

    pod: Pod
    ticket: int


@frozen
class Requeue:
    """A failed pod that could not be read from the API; `delay` and `due` in ms.  [L-052]"""

    pod: Pod
    pod_cycle: int
    delay: int
    due: int


@frozen
class SchedulerState:
    """`stores`: the informers' stores, all else of a World left empty; `now`: the last reading of the clock.

    `bindings` are the binding phases that wait, in order of their start; `notes` the marks of the last cycle.
    """

    queue: Queue = Queue()
    cache: Cache = Cache()
    snapshot: Snapshot = Snapshot()
    binder: Binder = Binder()
    stores: World = World()
    last_node_index: int = 0
    now: Instant = Instant(0)
    decided: Decided | None = None
    bindings: tuple[VolumeBinding | NodeBinding, ...] = ()
    requeues: tuple[Requeue, ...] = ()
    next_ticket: int = 1
    notes: tuple[str, ...] = ()


Transition = Generator[Call[Any], Any, SchedulerState]
"""A change of state that asks the outside world on its way."""


def at_next_reading(state: SchedulerState) -> SchedulerState:
    """The clock read once more: later than ever before, in the same millisecond.  [O-004]"""
    return evolve(state, now=Instant(state.now.ms, state.now.reading + 1))


def world(state: SchedulerState) -> World:
    """What a scheduling attempt can look at, as of now."""
    return evolve(
        state.stores,
        binder_volumes=latest(state.binder.volumes),
        binder_claims=latest(state.binder.claims),
        cached=state.cache.nodes,
        nominated=state.queue.nominated_by_node,
    )
