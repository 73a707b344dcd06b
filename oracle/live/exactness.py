"""What only those are asked for who want to do exactly as kube-scheduler: its messages, and the order of victims."""

from collections.abc import Sequence
from contextlib import suppress

from model.algorithm import Attempted, basic_checks, chosen, filtered
from model.api.protocol import Crash
from model.decision import answered
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.room import Room, is_permitted
from oracle.judgement.view import Sight


def judge_message(sights: Sequence[Sight], message: str) -> tuple[Outcome, Wrong | None]:
    """Right if it is what one of the attempts says.  An attempt that finds nodes says nothing."""
    texts = [_message(sight) for sight in sights]
    if _in_order(message) in map(_in_order, texts):
        return Outcome.PASSED, None
    return Outcome.FAILED, Wrong("message", f"{sights[0].pod.key} should be refused with: {texts[0]}")


def _message(sight: Sight) -> str:
    attempt = sight.attempt
    if refusal := basic_checks(attempt.pod, attempt.world):
        return refusal.text
    found = answered(filtered(attempt, Attempted(sight.tree, 0)), {})
    if found.error is None:
        with suppress(Crash):
            found = answered(chosen(attempt, found), {})
    return found.error.text if found.error else ""


def _in_order(message: str) -> list[str]:
    """Of several errors any may be told first.  [A-026, S-015]"""
    return sorted(message[1:-1].split(", ")) if message.startswith("[") else [message]


def judge_order(room: Room, sights: Sequence[Sight]) -> tuple[Outcome, Wrong | None]:
    """The victims go in the order of their importance; equally important ones in any."""
    for sight in sights:
        info = sight.attempt.snapshot.get(room.node)
        if info is not None and is_permitted(room, sight.attempt, info):
            return Outcome.PASSED, None
    listed = ", ".join(room.victims)
    return Outcome.FAILED, Wrong("order", f"the victims for {room.pod.key} were deleted in the order {listed}")
