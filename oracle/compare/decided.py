"""Two different decisions about a pod, in one sentence."""

from collections.abc import Mapping
from typing import Any

from oracle.compare.divergence import Record
from oracle.compare.outcome import Outcome, outcome, subject


def decided(case: Mapping[str, Any], expected: Record, actual: Record, who: str) -> str | None:
    """What `who` decides and what v1.15.3 decides; None where the difference is not one of decisions."""
    pod = subject(case, expected, actual)
    wanted, found = outcome(expected, pod), outcome(actual, pod)
    if pod is None or wanted.ended or found.ended:
        return None
    if wanted.taken != found.taken and not _both_took(pod, wanted, found):
        return f"{who} takes {_list(found.taken)} from the active queue; v1.15.3 takes {_list(wanted.taken)}"
    if wanted.host != found.host:
        return f"{who} {_placed(found, pod)}; v1.15.3 {_placed(wanted, 'it')}"
    if _victims(wanted) != _victims(found):
        return f"To make room for {pod}, {who} {_evicted(found)}; v1.15.3 {_evicted(wanted)}"
    if wanted.nominated != found.nominated:
        return f"{who} {_nominated(found, pod)}; v1.15.3 {_nominated(wanted, 'it')}"
    if wanted.refusal and found.refusal and wanted.refusal != found.refusal:
        return f"No node for {pod}: {_refusals(who, found.refusal, wanted.refusal)}"
    return None


def _both_took(pod: str, wanted: Outcome, found: Outcome) -> bool:
    """In the same turn, so that they part over what becomes of it, and not over whom they take."""
    return any(one == pod == other for one, other in zip(wanted.taken, found.taken, strict=False))


def _placed(side: Outcome, pod: str) -> str:
    if side.host:
        return f"puts {pod} on {side.host}"
    if side.refusal is None:
        return f"does nothing about {pod}"
    return f"finds no node for {pod}" if side.refusal.startswith("0/") else f"fails to place {pod}: “{side.refusal}”"


def _victims(side: Outcome) -> tuple[str | None, tuple[str, ...]]:
    """Without victims no node is freed."""
    return (side.nominated if side.victims else None), side.victims


def _evicted(side: Outcome) -> str:
    where = f" from {side.nominated}" if side.nominated else ""
    return f"evicts {_list(side.victims)}{where}" if side.victims else "evicts nobody"


def _nominated(side: Outcome, pod: str) -> str:
    return f"nominates {pod} to {side.nominated}" if side.nominated else f"does not nominate {pod}"


def _refusals(who: str, found: str, wanted: str) -> str:
    """Of two messages about the same number of nodes only the reasons that differ."""
    count, separator, _ = wanted.partition(" nodes are available: ")
    if not separator or not found.startswith(count + separator):
        return f"{who} says “{found}”; v1.15.3 says “{wanted}”"
    here, there = (text.removeprefix(count + separator).removesuffix(".").split(", ") for text in (found, wanted))
    more = ", ".join(reason for reason in here if reason not in there)
    lacking = ", ".join(reason for reason in there if reason not in here)
    if more and lacking:
        return f"{who} says “{more}” where v1.15.3 says “{lacking}”"
    if not more and not lacking:
        return f"{who} says “{found}”; v1.15.3 says “{wanted}”"
    return f"{who} says “{more}” besides" if more else f"{who} does not say “{lacking}”, as v1.15.3 does"


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "nothing"
