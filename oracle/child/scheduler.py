"""A child process behind the scheduler protocol."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, define, frozen

from model.api.configuration import Configuration
from model.api.decode import ManifestError
from model.api.documents import json_document
from model.api.objects import Pod
from model.api.protocol import (
    Added,
    Api,
    ApiError,
    Call,
    Deleted,
    Event,
    FinishCycle,
    GetPod,
    Observation,
    StartCycle,
    Tick,
    TookPod,
    Updated,
    UpdatePodStatus,
)
from oracle.child.messages import Amendment, Wish, read_effect, read_observation, write_event, write_outcome
from oracle.child.process import Child, ChildFailure, Flooded, Garbled, OutOfTurn
from oracle.strategies.swarm import FEATURES
from oracle.trace import write_configuration

PROTOCOL = 1
CAPABILITIES = ("configuration", "observe", "phases", "reset")
MOST_ROUNDS = 1000
"""Answers with effects to one event; more is a scheduler that never stops."""


class WrongVersion(ChildFailure):
    """It speaks another version of the protocol."""


@frozen
class Handshake:
    """What a scheduler says of itself.  `features`: what of a case it understands, None for everything."""

    name: str
    capabilities: frozenset[str]
    features: frozenset[str] | None


def greet(child: Child, configuration: Configuration) -> Handshake:
    """The first request of a process.  Raises ChildFailure."""
    answer = ask(child, 0, {"op": "hello", "protocol": PROTOCOL, "config": write_configuration(configuration)})
    if answer.get("protocol") != PROTOCOL:
        child.close()
        raise WrongVersion(f"it speaks protocol {answer.get('protocol')!r:.40}, not {PROTOCOL}")
    capabilities = _names(child, answer, "capabilities", CAPABILITIES)
    features = _names(child, answer, "features", FEATURES) if "features" in answer else None
    return Handshake(str(answer.get("name", "")), capabilities, features)


def _names(child: Child, answer: Mapping[str, Any], member: str, known: Sequence[str]) -> frozenset[str]:
    names = answer.get(member, [])
    unknown = names if not isinstance(names, list) else [name for name in names if name not in known]
    if unknown:
        child.close()
        raise Garbled(f"{member}: {unknown!r:.80} is not known; known are {', '.join(known)}")
    return frozenset(names)


def reset(child: Child, configuration: Configuration) -> None:
    """The first request of another case in the same process.  Raises ChildFailure."""
    ask(child, 0, {"op": "reset", "config": write_configuration(configuration)})


def ask(child: Child, number: int, request: Mapping[str, Any]) -> dict[str, Any]:
    """One request, one answer.  Raises ChildFailure."""
    line = child.ask(json.dumps({"id": number, **request}, ensure_ascii=False).encode(errors="surrogatepass"))
    try:
        answer = json_document(line.decode())
    except (ValueError, RecursionError) as error:
        child.close()
        raise Garbled(f"an answer that is not JSON: {error}: {line[:120]!r}") from None
    if not isinstance(answer, dict):
        child.close()
        raise Garbled(f"an answer that is no object: {line[:120]!r}")
    if answer.get("id") != number:
        child.close()
        raise OutOfTurn(f"request {number} was answered with id {answer.get('id')!r:.40}")
    return answer


@define
class ChildScheduler:
    """Implements `protocol.Scheduler`.  Effects go to the API in order, and their outcomes back in one request.

    Without the capability `phases` the effects of a StartCycle that took pods wait for the FinishCycle.
    """

    _child: Child
    _capabilities: frozenset[str]
    _pods: dict[str, Pod] = Factory(dict)
    """Every pod that was told of, as it was last."""
    _kept: list[Any] = Factory(list)
    _now: int = 0
    _number: int = 0
    _ticket: int = 0

    def handle(self, event: Event, api: Api) -> None:
        """Raises ChildFailure."""
        self._note(event)
        if isinstance(event, FinishCycle) and "phases" not in self._capabilities:
            kept, self._kept = self._kept, []
            self._perform(kept, api)
            return
        answer = self._ask(write_event(event))
        took, effects = self._listed(answer, "took"), self._listed(answer, "effects")
        for key in took:
            api.call(TookPod(self._find(key, "took")))
        if isinstance(event, StartCycle) and took and "phases" not in self._capabilities:
            self._kept = effects
        else:
            self._perform(effects, api)

    def observe(self) -> Observation | None:
        """Raises ChildFailure."""
        if "observe" not in self._capabilities:
            return None
        try:
            return read_observation(self._ask({"op": "observe"}).get("observation"))
        except ManifestError as error:
            raise self._garbled(str(error)) from None

    def _note(self, event: Event) -> None:
        match event:
            case Added(Pod() as pod) | Updated(_, Pod() as pod) | Deleted(Pod() as pod):
                self._pods[pod.key] = pod
            case Tick(ms):
                self._now = ms

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        return ask(self._child, self._number, request)

    def _listed(self, answer: Mapping[str, Any], member: str) -> list[Any]:
        listed = answer.get(member, [])
        if not isinstance(listed, list):
            raise self._garbled(f"{member}: expected a list")
        return listed

    def _garbled(self, text: str) -> Garbled:
        self._child.close()
        return Garbled(text)

    def _find(self, key: Any, where: str) -> Pod:
        if not isinstance(key, str) or key not in self._pods:
            raise self._garbled(f"{where}: the scheduler was never told of a pod {key!r:.80}")
        return self._pods[key]

    def _perform(self, effects: list[Any], api: Api) -> None:
        """Round after round, until the outcomes lead to no more effects."""
        for _ in range(MOST_ROUNDS):
            if not effects:
                return
            outcomes = [self._outcome(effect, f"effects[{at}]", api) for at, effect in enumerate(effects)]
            effects = self._listed(self._ask({"op": "outcomes", "outcomes": outcomes}), "effects")
        self._child.close()
        raise Flooded(f"more than {MOST_ROUNDS} answers with effects to one event")

    def _outcome(self, effect: Any, where: str, api: Api) -> dict[str, Any]:
        self._ticket += 1

        def find(key: str) -> Pod:
            return self._find(key, f"{where}: pod")

        try:
            wish = read_effect(effect, find, self._now, self._ticket)
        except ManifestError as error:
            raise self._garbled(f"{where}: {error}") from None
        return write_outcome(*_done(wish, api))


def _done(wish: Wish, api: Api) -> tuple[Call[Any] | None, Any]:
    if not isinstance(wish, Amendment):
        return wish, api.call(wish)
    current = api.call(GetPod(wish.pod.namespace, wish.pod.name))
    changed = current if isinstance(current, ApiError) else wish.change(current)
    if changed is None or isinstance(changed, ApiError):
        return None, changed
    return None, api.call(UpdatePodStatus(changed))
