"""What a validation comes to."""

from collections import Counter
from typing import Any

from attrs import Factory, asdict, define

from oracle.compare import failed
from oracle.finding import Finding, Search
from oracle.judgement.judged import Outcome
from oracle.validate.known import Deviation
from oracle.validate.plan import Plan
from oracle.validate.verdict import Problem, Verdict

ENOUGH = 20
"""Different findings after which a validation ends."""


@define
class Row:
    """The cases of one suite.  `known`: failed, only in ways that were declared; `decisions`: what was judged."""

    passed: int = 0
    failed: int = 0
    known: int = 0
    uncertain: int = 0
    decisions: int = 0

    @property
    def cases(self) -> int:
        return self.passed + self.failed + self.known + self.uncertain

    def count(self, outcome: Outcome, decisions: int, is_known: bool) -> None:
        self.decisions += decisions
        match outcome:
            case Outcome.PASSED:
                self.passed += 1
            case Outcome.UNCERTAIN:
                self.uncertain += 1
            case Outcome.FAILED:
                self.known += is_known
                self.failed += not is_known


@define
class Account:
    """Grows while the validation runs.  `declared`: how often each known deviation was met.

    `stopped`: why it ended before its time, "" if it did not.
    """

    plan: Plan
    rows: dict[str, Row] = Factory(dict)
    findings: dict[str, Finding] = Factory(dict)
    declared: Counter[Deviation] = Factory(Counter)
    doubts: Counter[str] = Factory(Counter)
    """What stayed uncertain, by its sort."""
    stopped: str = ""
    interrupted: bool = False

    def take_in(self, suite: str, verdict: Verdict) -> list[Problem]:
        """Count the verdict about a case, and give the problems that were neither declared nor met before."""
        undeclared = []
        for problem in verdict.problems:
            if deviation := next((each for each in self.plan.known if each.explains(problem.signature)), None):
                self.declared[deviation] += 1
            else:
                undeclared.append(problem)
        self.rows.setdefault(suite, Row()).count(verdict.outcome, verdict.decisions, is_known=not undeclared)
        self.doubts.update(verdict.doubts)
        return [problem for problem in undeclared if problem.signature not in self.findings]

    @property
    def full(self) -> str:
        """Why to stop, "" while there is no reason."""
        return f"{ENOUGH} different findings" if len(self.findings) >= ENOUGH else ""

    @property
    def cases(self) -> int:
        return sum(row.cases for row in self.rows.values())

    @property
    def unused(self) -> tuple[Deviation, ...]:
        return tuple(deviation for deviation in self.plan.known if not self.declared[deviation])

    @property
    def has_faults(self) -> bool:
        """Whether the scheduler failed as a program."""
        return any(failed(finding.actual) for finding in self.findings.values())

    @property
    def search(self) -> Search:
        """As the pages of a report want it."""
        return Search(
            scheduler=self.plan.scheduler,
            seed=self.plan.seed,
            effort=self.plan.effort,
            examples={suite: row.cases for suite, row in self.rows.items()},
            coverage={},
            findings=tuple(self.findings.values()),
            interrupted=self.interrupted,
            stopped=self.stopped,
        )

    def document(self) -> dict[str, Any]:
        return {
            "scheduler": self.plan.scheduler,
            "level": self.plan.level.word,
            "seed": self.plan.seed,
            "suites": {suite: asdict(row) for suite, row in self.rows.items()},
            "findings": [
                {"signature": found.signature, "sentence": found.sentence, "seed": found.seed}
                for found in self.findings.values()
            ],
            "known": [{**asdict(deviation), "cases": self.declared[deviation]} for deviation in self.plan.known],
            "uncertain": dict(self.doubts),
            "stopped": self.stopped,
            "interrupted": self.interrupted,
        }
