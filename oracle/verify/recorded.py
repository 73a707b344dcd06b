"""Recorded attempts of kube-scheduler v1.15.3, judged by Z3 alone.

    python -m oracle.verify.recorded public-schedule.jsonl.gz public-preempt.jsonl.gz

counts how often Z3 agrees with what was recorded, by kind of claim and by class of exception; the exit code is
1 if it ever disagrees or does not know.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from model.api.components import Decision, PreemptionDecision, Situation, Victims
from model.api.documents import read_documents
from oracle.conform.situation import read_situation
from oracle.smt.chain import ENCODERS, constraints, of_predicate
from oracle.smt.constraint import Constraint
from oracle.smt.facts import Facts
from oracle.smt.preemption import might_help
from oracle.smt.question import Incoming, Question
from oracle.smt.settings import Settings
from oracle.smt.solving import Broken, Holds, OutOfTime, Solving, Undecided
from oracle.smt.volume_binding import dealt_greedily
from oracle.verify.decisions import verify_decision, verify_preemption
from oracle.verify.opinion import Opinion, Standing

Judged = Iterator[tuple[str, Opinion]]
"""The kind of claim, and what Z3 makes of it."""


def judge(case: Mapping[str, Any]) -> Judged:
    """Everything a case of kind schedule or preempt claims."""
    situation, expect = read_situation(case), case["expect"]
    incoming = Incoming(Facts.of(situation.cluster), situation.pod, Settings.of(situation.configuration))
    if case["kind"] == "schedule":
        yield from _schedule(situation, incoming, expect)
    else:
        yield from _preempt(situation, incoming, expect)


def _schedule(situation: Situation, incoming: Incoming, expect: Mapping[str, Any]) -> Judged:
    decision = Decision(host=expect["host"], error_type=expect.get("errorType"))
    for opinion in verify_decision(situation, decision):
        yield opinion.sort, opinion
    for name, recorded in expect["podFitsOnNode"].items():
        question = Question(incoming, incoming.facts.nodes[name])
        yield "node", _compared(question, recorded.get("fit", False), constraints(question))
        for predicate in ENCODERS:
            passed = predicate not in expect["predicates"][name]
            yield predicate, _compared(question, passed, list(of_predicate(question, predicate)))


def _compared(question: Question, recorded: bool, wanted: list[Constraint]) -> Opinion:
    """A node or a predicate that passes, or does not."""
    claim = f"{question.pod.key} {'fits' if recorded else 'does not fit'} {question.node.name}"
    match Solving(wanted).ask():
        case Undecided(why):
            return Opinion(claim, Standing.UNKNOWN, says=why)
        case Holds() if not recorded and not dealt_greedily(question):
            return Opinion(claim, Standing.ALLOWED, "V-022")
        case Holds():
            return Opinion(claim, Standing.AGREES if recorded else Standing.DISAGREES)
        case Broken(core):
            says = "; ".join(map(str, core))
            return Opinion(claim, Standing.DISAGREES if recorded else Standing.AGREES, says=says)


def _preempt(situation: Situation, incoming: Incoming, expect: Mapping[str, Any]) -> Judged:
    decision = PreemptionDecision(
        error_type=expect["errorType"],
        eligible=expect["eligible"],
        per_node={n: Victims(tuple(v["victims"]), v["numPDBViolations"]) for n, v in expect["perNode"].items()},
    )
    for opinion in verify_preemption(situation, decision):
        yield opinion.sort, opinion
    if expect["eligible"]:
        yield "candidates", _candidates(incoming, expect["candidates"])


def _candidates(incoming: Incoming, recorded: list[str]) -> Opinion:
    """The nodes where preemption might help."""
    try:
        found = sorted(name for name, node in incoming.facts.nodes.items() if might_help(incoming, node))
    except OutOfTime as unknown:
        return Opinion("candidates", Standing.UNKNOWN, says=str(unknown))
    return Opinion("candidates", Standing.AGREES if found == recorded else Standing.DISAGREES, says=str(found))


def main(paths: list[str]) -> int:
    counts: Counter[tuple[str, str, str]] = Counter()
    for path in paths:
        for case in read_documents(Path(path).read_bytes()):
            for kind, opinion in judge(case):
                counts[kind, opinion.standing.value, opinion.rule] += 1
                if opinion.standing in (Standing.DISAGREES, Standing.UNKNOWN):
                    print(f"{case['id']}: {kind}: {opinion}")
    for (kind, standing, rule), count in sorted(counts.items()):
        print(f"{count:8} {kind:32} {standing} {rule}")
    wrong = {Standing.DISAGREES.value, Standing.UNKNOWN.value}
    return int(any(standing in wrong for _, standing, _ in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
