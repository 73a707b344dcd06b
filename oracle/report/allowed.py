"""What v1.15.3 does although there is better, as a rule allows, and what the other side does instead, with proof."""

from collections.abc import Iterator, Sequence
from functools import reduce
from string import ascii_lowercase

from model.api.amounts import amount
from model.api.objects import Pod
from model.api.resources import pod_request
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.preemption.simulation import Simulation, without
from model.preemption.victims import potential_victims
from oracle.compare.outcome import Outcome
from oracle.printable import counted
from oracle.report.amounts import listed
from oracle.report.attached import attached
from oracle.report.because import Because
from oracle.report.opinions import PROVED, Asked
from oracle.report.reprieve import exhausted
from oracle.report.witness import Cycle
from oracle.report.words import some
from oracle.verify.opinion import Opinion, Standing


def excused(asked: Sequence[Asked]) -> Opinion | None:
    """What Z3 finds better than the reference, as far as a rule allows that."""
    return next((a.opinion for a in asked if a.side == "v1.15.3" and a.opinion.standing is Standing.ALLOWED), None)


def because_allowed(asked: Sequence[Asked], cycle: Cycle | None, sides: tuple[Outcome, Outcome]) -> Iterator[Because]:
    """Parts of rules have letters."""
    opinion = excused(asked)
    if opinion is None or cycle is None:
        return
    short_of = "minimal" if opinion.sort in ("victims", "least") else "the best"
    text = f"The answer of v1.15.3 is allowed by v1.15, though not {short_of}: {opinion.says}."
    yield Because(text, (opinion.rule.rstrip(ascii_lowercase),))
    if any(
        a.side == "under test" and a.opinion.standing is Standing.AGREES and a.opinion.sort in PROVED for a in asked
    ):
        yield from _instead(cycle.attempt, *sides)


def _instead(attempt: Attempt, expected: Outcome, actual: Outcome) -> Iterator[Because]:
    """What the other side does is proved to be right."""
    key = attempt.pod.key
    if actual.host:
        yield Because(
            f"The scheduler under test puts {key} on {actual.host}: every hard constraint holds there (proved)."
        )
    if (info := attempt.snapshot.get(actual.nominated or "")) and (gone := _victims(attempt, actual)):
        kept = [pod.key for pod in potential_victims(attempt, info) if pod not in gone]
        stay = f" and lets {some(kept)} stay" if kept else ""
        text = f"The scheduler under test evicts {some([pod.key for pod in gone])} from {info.name}{stay}"
        yield Because(f"{text}: {key} fits then ({_room(attempt, info, gone)}), and each victim is needed (proved).")
        yield Because(f"It {_paid(attempt, gone)}; v1.15.3 {_paid(attempt, _victims(attempt, expected))}.")


def _victims(attempt: Attempt, side: Outcome) -> list[Pod]:
    info = attempt.snapshot.get(side.nominated or "")
    return [pod for pod in info.pods if side.evicts(pod)] if info else []


def _room(attempt: Attempt, info: NodeInfo, gone: Sequence[Pod]) -> str:
    """Of what the pod asks for, what is there without these."""
    left = reduce(without, gone, Simulation(attempt, info)).info
    there, used = ({a.resource: a.value for a in listed(of)} for of in (left.allocatable, left.requested))
    free = {name: amount(name, there.get(name, 0) - used.get(name, 0)) for name in {**there, **used}}
    told = [
        f"{a.resource} {a} asked, {free.get(a.resource, '0')} free" for a in listed(pod_request(attempt.pod)) if a.value
    ]
    told += [f"volumes of {each.kind}: {each.state}" for each in attached(attempt, left) if attempt.pod.spec.volumes]
    return "; ".join(told) or "it asks for nothing that is short"


def _paid(attempt: Attempt, victims: Sequence[Pod]) -> str:
    if not victims:
        return "evicts nobody"
    priorities = list(dict.fromkeys(str(pod.priority) for pod in victims))
    protected = sum(1 for pod in victims if any(exhausted(attempt, pod)))
    against = f", {protected} against a budget" if protected else ""
    of = "priorities" if priorities[1:] else "priority"
    return f"pays {counted(len(victims), 'victim')} of {of} {some(priorities)}{against}"
