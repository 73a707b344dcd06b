"""Whether a decision is right in a given situation: what is wrong with it, in words, or None."""

from collections.abc import Callable, Sequence
from functools import partial

from attrs import frozen

from model.algorithm import basic_checks
from model.api.components import PreemptionDecision, Situation
from model.api.protocol import Crash
from model.decision import Run, decide_preemption, searched, taken_in, tried_together
from model.fit import PriorityError
from model.permitted import permits_host
from model.quirks import EVERY, Quirks
from model.releases import V1_15_FIXED, v1_15_3
from oracle.levels import Level
from oracle.live.views import without, without_nominations

Question = Callable[[Situation], str | None]


@frozen
class Rightness:
    """By the rules of v1.15.  Where v1.15.3 would die, its later patch releases are asked."""

    level: Level

    def of_host(self, node: str) -> Question:
        return partial(self._mended, partial(self._host, node))

    def of_refusal(self, message: str, preempts: bool) -> Question:
        """`preempts`: whether the scheduler went on to make room for the pod."""
        return partial(self._mended, partial(self._refusal, message, preempts))

    def of_preemption(self, node: str, victims: Sequence[str]) -> Question:
        """`victims`: keys, in the order of their deletion."""
        return partial(self._mended, partial(self._preemption, node, victims))

    def _mended(self, question: Callable[[Situation, Quirks], str | None], situation: Situation) -> str | None:
        try:
            return question(situation, EVERY)
        except Crash:
            return question(situation, V1_15_FIXED)

    # --- the three questions ---

    def _host(self, node: str, situation: Situation, quirks: Quirks) -> str | None:
        """Who only keeps to hard constraints need not make room for nominated pods."""
        seen = situation if self.level > Level.FEASIBLE else without_nominations(situation)
        run = _run(seen, quirks)
        if error := basic_checks(seen.pod, run.standing.world):
            return f"the pod cannot be placed at all: {error.text}"
        info = run.standing.snapshot.get(node)
        if info is None or info.node is None:
            return f"there is no node {node}"
        verdict = tried_together(run.attempt, info)
        if not verdict.fits:
            return f"it does not fit on {node}: {verdict.error or ', '.join(verdict.reasons)}"
        if self.level < Level.RANKED:
            return None
        try:
            best = permits_host(run.attempt, run.standing.tree, node)
        except PriorityError as error:
            return f"the scores cannot be had: {error}"
        return None if best else f"{node} is not among the best nodes by their scores"

    def _refusal(self, message: str, preempts: bool, situation: Situation, quirks: Quirks) -> str | None:
        found = searched(_run(situation, quirks))
        if found.error is None:
            return f"it fits on {', '.join(found.feasible or ())}"
        if self.level >= Level.EXACT and found.error.text != message:
            return f"the message should be: {found.error.text}"
        if self.level >= Level.RANKED and not preempts:
            wanted = decide_preemption(situation, v1_15_3(situation.configuration, quirks))
            if wanted.node is not None and wanted.node != situation.pod.status.nominated_node_name:
                return f"room could be made for it on {' or '.join(wanted.node_ties)}, and was not"
        return None

    def _preemption(self, node: str, victims: Sequence[str], situation: Situation, quirks: Quirks) -> str | None:
        if self.level < Level.RANKED:
            return _room_made(node, victims, situation, quirks)
        wanted = decide_preemption(situation, v1_15_3(situation.configuration, quirks))
        if node not in wanted.node_ties:
            return _elsewhere(wanted, node)
        names, expected = [key.rpartition("/")[2] for key in victims], list(wanted.per_node[node].pods)
        if (names if self.level >= Level.EXACT else sorted(names)) == (
            expected if self.level >= Level.EXACT else sorted(expected)
        ):
            return None
        return f"on {node} the victims should be {', '.join(expected) or 'nobody'}"


def _run(situation: Situation, quirks: Quirks) -> Run:
    return taken_in(situation, v1_15_3(situation.configuration, quirks))


def _elsewhere(wanted: PreemptionDecision, node: str) -> str:
    if wanted.scheduled:
        return "nobody has to make room for it: it fits as it is"
    if wanted.eligible is False:
        return "it has to wait for victims that are still going"
    if not wanted.node_ties:
        return "no node can be freed for it"
    return f"room should be made on {' or '.join(wanted.node_ties)}, not on {node}"


def _room_made(node: str, victims: Sequence[str], situation: Situation, quirks: Quirks) -> str | None:
    """Whether the victims are less important, sit there, and leave enough room."""
    pods = {pod.key: pod for pod in situation.cluster.pods}
    for key in victims:
        victim = pods.get(key)
        if victim is None or victim.spec.node_name != node:
            return f"the victim {key} is not on {node}"
        if victim.priority >= situation.pod.priority:
            return f"the victim {key} is not less important"
    later = without_nominations(without(situation, set(victims)))
    run = _run(later, quirks)
    info = run.standing.snapshot.get(node)
    if info is None or info.node is None:
        return f"there is no node {node}"
    verdict = tried_together(run.attempt, info)
    return None if verdict.fits else f"it still does not fit on {node}: {verdict.error or ', '.join(verdict.reasons)}"
