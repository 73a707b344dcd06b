"""The model behind the protocol: everything the protocol can say is said, one effect at a time.

Held to `exact` it has to agree with itself.  Not an example: see first_fit.py and least_loaded.js.
"""

import json
import sys
from typing import Any

from attrs import asdict

from model.api.decode import decode, decode_any, encode, json_name
from model.api.objects import KubernetesObject
from model.api.protocol import (
    PENDING,
    Added,
    ApiError,
    Bind,
    BindAnswered,
    Call,
    Deleted,
    DeletePod,
    Event,
    FinishCycle,
    GetPod,
    RecordEvent,
    StartCycle,
    Tick,
    TookPod,
    UpdateClaim,
    Updated,
    UpdatePodStatus,
    UpdateVolume,
    WakeAt,
)
from model.loop import SchedulerState, observed, step
from model.releases import v1_15_3
from model.semantics import Semantics
from oracle.trace import read_trace

CAPABILITIES = ["configuration", "observe", "phases", "reset"]


class Speaker:
    """`state` between events, `transition` within one: it stands at the call whose outcome is awaited."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.semantics: Semantics = v1_15_3(read_trace({"config": config}).configuration)
        self.state = SchedulerState()
        self.store: dict[tuple[str, str], KubernetesObject] = {}
        self.tickets: dict[int, int] = {}
        self.transition: Any = None
        self.call: Call[Any] | None = None

    def begin(self, event: Event) -> dict[str, Any]:
        self.transition = step(self.state, event, self.semantics)
        return self.go_on(None, [])

    def go_on(self, answer: Any, took: list[str]) -> dict[str, Any]:
        """Up to the next call that has to go out."""
        try:
            self.call = self.transition.send(answer)
        except StopIteration as end:
            self.state, self.call = end.value, None
            return {"took": took}
        if isinstance(self.call, TookPod):
            return self.go_on(None, [*took, self.call.pod.key])
        return {"took": took, "effects": [effect(self.call)]}

    def event(self, request: dict[str, Any]) -> Event:
        match request["op"]:
            case "tick":
                return Tick(request["ms"])
            case "startCycle":
                return StartCycle()
            case "finishCycle":
                return FinishCycle()
            case "bindAnswered":
                return BindAnswered(self.tickets.pop(request["ticket"]), error(request))
        thing = decode_any(request["object"])
        thing = decode({k: v for k, v in request["object"].items() if k not in ("apiVersion", "kind")}, type(thing))
        old = self.store.pop((thing.kind, thing.key), None)
        if request["op"] == "deleted":
            return Deleted(thing)
        self.store[thing.kind, thing.key] = thing
        return Updated(old, thing) if request["op"] == "updated" and old is not None else Added(thing)

    def answer(self, outcome: dict[str, Any]) -> Any:
        match self.call:
            case Bind(ticket=ticket) if "pending" in outcome:
                self.tickets[outcome["pending"]] = ticket
                return PENDING
            case GetPod() | UpdatePodStatus() | UpdateVolume() | UpdateClaim() if "object" in outcome:
                return bare(outcome["object"])
        return error(outcome)


def bare(document: dict[str, Any]) -> KubernetesObject:
    kind = type(decode_any(document))
    return decode({k: v for k, v in document.items() if k not in ("apiVersion", "kind")}, kind)


def error(outcome: dict[str, Any]) -> ApiError | None:
    return ApiError(**outcome["error"]) if "error" in outcome else None


def effect(call: Call[Any] | None) -> dict[str, Any]:
    match call:
        case Bind(pod, node):
            return {"bind": {"pod": pod.key, "node": node}}
        case RecordEvent(pod, sort, reason, message):
            return {"event": {"pod": pod.key, "type": sort, "reason": reason, "message": message}}
        case UpdatePodStatus(pod):
            return {"updateStatus": encode(pod)}
        case DeletePod(pod):
            return {"deleteVictim": pod.key}
        case GetPod(namespace, name):
            return {"getPod": f"{namespace}/{name}"}
        case WakeAt(ms):
            return {"wakeAt": ms}
        case UpdateVolume(volume, claim):
            return {"updateVolume": {"volume": encode(volume), "claim": encode(claim)}}
        case UpdateClaim(claim):
            return {"updateClaim": encode(claim)}
    raise TypeError(f"nothing in the protocol says {call}")


def main() -> None:
    speaker = Speaker({})
    for line in sys.stdin:
        request = json.loads(line)
        match request["op"]:
            case "hello" | "reset":
                speaker = Speaker(request["config"])
                answer: dict[str, Any] = {"protocol": 1, "name": "reference", "capabilities": CAPABILITIES}
            case "observe":
                seen = asdict(observed(speaker.state, speaker.semantics.quirks))
                answer = {"observation": {json_name(name): value for name, value in seen.items()}}
            case "outcomes":
                answer = speaker.go_on(speaker.answer(request["outcomes"][0]), [])
            case _:
                answer = speaker.begin(speaker.event(request))
        print(json.dumps({"id": request["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
