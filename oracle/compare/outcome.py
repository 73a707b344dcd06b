"""What each side decided about the pod that a divergence is about, read off its record of the step."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from attrs import frozen

from model.api.objects import Pod
from oracle.compare.divergence import FAULT, Record


@frozen
class Outcome:
    """`taken`: pods popped in the step; `refusal`: the failure message; `victims` in order of deletion.

    `ended`: the last words of a side that failed or crashed.
    """

    host: str | None = None
    refusal: str | None = None
    nominated: str | None = None
    victims: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    ended: str | None = None

    def evicts(self, pod: Pod) -> bool:
        """Victims are told by key or by name alone."""
        return pod.key in self.victims or pod.name in self.victims


def subject(case: Mapping[str, Any], expected: Record, actual: Record) -> str | None:
    """The key of the pod of the first effect that differs, or that is assumed elsewhere, or that is decided about."""
    if "pod" in case:
        metadata = case["pod"]["metadata"]
        return f"{metadata.get('namespace', 'default')}/{metadata['name']}"
    for pair in zip_longest(expected.get("effects", ()), actual.get("effects", ())):
        if pair[0] != pair[1]:
            return next((pod for effect in pair if effect is not None and (pod := _pod_of(effect))), None)
    taken = [str(pod) for record in (expected, actual) for pod in record.get("popped", ())]
    moved = (pod for pod in taken if _assumed_on(expected, pod) != _assumed_on(actual, pod))
    return next(moved, taken[0] if taken else None)


def outcome(record: Record, pod: str | None) -> Outcome:
    if "effects" not in record:
        return Outcome(
            host=record.get("host") or None,
            refusal=record.get("error") or record.get("scheduleError") or None,
            nominated=record.get("node") or None,
            victims=tuple(record.get("victims") or ()),
            ended=next((record[end] for end in (FAULT, "crash", "refused") if end in record), None),
        )
    bound = [said["node"] for said in _said(record, "bind", "bindError") if said["pod"] == pod]
    refused = [said["message"] for said in _said(record, "event") if _is_refusal(said, pod)]
    nominated = [said["node"] for said in _said(record, "nominate") if said["pod"] == pod]
    return Outcome(
        host=bound[0] if bound else _assumed_on(record, pod),
        refusal=refused[0] if refused else None,
        nominated=nominated[0] if nominated else None,
        victims=tuple(_said(record, "deleteVictim")),
        taken=tuple(record.get("popped", ())),
        ended=next((record[end] for end in (FAULT, "crash", "refused") if end in record), None),
    )


def _is_refusal(said: Mapping[str, Any], pod: str | None) -> bool:
    return bool(said["pod"] == pod and said["reason"] == "FailedScheduling")


def _assumed_on(record: Record, pod: str | None) -> str | None:
    """Of a pod whose bind request is held back."""
    if pod not in record.get("assumed", ()) or pod not in record.get("popped", ()):
        return None
    return next((node for node, pods in record.get("cacheNodes", {}).items() if pod in pods), None)


def _said(record: Record, *names: str) -> Iterator[Any]:
    return (said for effect in record.get("effects", ()) for name, said in effect.items() if name in names)


def _pod_of(effect: Mapping[str, Any]) -> str:
    said = next(iter(effect.values()))
    return str(said.get("pod", "")) if isinstance(said, Mapping) else ""
