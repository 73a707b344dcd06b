"""What one event of a trace led to, and its form in a recording."""

from typing import Any

from attrs import frozen

from model.api.protocol import Observation
from oracle.environment.effects import Effect


@frozen
class Step:
    """`observation` is None for a scheduler that shows nothing, and where nobody asked.

    `popped`: pods taken, in order; None where no cycle ran.  `released`: how many held bind requests
    went on.  `error`: the API server's refusal of the event itself; `during_errors`: of each of the
    operations during a cycle, "" = fine.  After a step with a `crash` the scheduler is dead;
    `refused`: it never was, for it refused its configuration.
    """

    clock: int
    effects: tuple[Effect, ...] = ()
    popped: tuple[str, ...] | None = None
    error: str | None = None
    during_errors: tuple[str, ...] | None = None
    released: int | None = None
    undelivered: int = 0
    crash: str | None = None
    refused: str | None = None
    observation: Observation | None = None

    def document(self) -> dict[str, Any]:
        """STEP of a recording; members that do not apply are left out."""
        if self.refused is not None:
            return {"refused": self.refused}
        if self.crash is not None:
            return {"crash": self.crash, "effects": list(self.effects), **self._cycle()}
        state = {"clock": self.clock, "effects": list(self.effects), **self._cycle(), **_state(self.observation)}
        if self.error is not None:
            state["error"] = self.error
        if self.during_errors is not None:
            state["duringErrors"] = list(self.during_errors)
        if self.released is not None:
            state["released"] = self.released
        if self.undelivered:
            state["undelivered"] = self.undelivered
        return state

    def _cycle(self) -> dict[str, Any]:
        if self.popped is None:
            return {}
        return {"popped": list(self.popped)} if self.popped else {"empty": True}


def _state(seen: Observation | None) -> dict[str, Any]:
    if seen is None:
        return {}
    state: dict[str, Any] = {
        "active": list(seen.active),
        "backoff": list(seen.backoff),
        "unschedulable": list(seen.unschedulable),
        "nominated": {node: list(pods) for node, pods in seen.nominated.items()},
        "schedulingCycle": seen.scheduling_cycle,
        "moveRequestCycle": seen.move_request_cycle,
        "assumed": list(seen.assumed),
        "cacheNodes": {node: list(pods) for node, pods in {**seen.cache_nodes, **seen.ghost_nodes}.items()},
        "lastNodeIndex": seen.last_node_index,
    }
    if seen.ghost_nodes:
        state["ghostNodes"] = sorted(seen.ghost_nodes)
    if seen.pending_binds:
        state["pendingBinds"] = list(seen.pending_binds)
    if seen.notes:
        state["notes"] = list(seen.notes)
    return state
