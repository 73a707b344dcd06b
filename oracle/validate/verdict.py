"""The verdict about one case, whichever way it was judged."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from oracle.compare import Divergence
from oracle.compare.signature import signature
from oracle.judgement import Judged, Outcome
from oracle.levels import Level
from oracle.verify import Opinion


@frozen
class Problem:
    """`signature`: its sort, fit for a folder name; `found`: what it was."""

    signature: str
    found: Judged | Divergence


@frozen
class Verdict:
    """`decisions`: how many things were judged."""

    outcome: Outcome
    decisions: int
    problems: tuple[Problem, ...] = ()
    doubts: tuple[str, ...] = ()


def of_judged(judged: Sequence[Judged], level: Level) -> Verdict:
    failed = {each.sort: each for each in reversed(judged) if each.outcome is Outcome.FAILED}
    doubts = tuple(sort_of(each, level) for each in judged if each.outcome is Outcome.UNCERTAIN)
    outcome = Outcome.FAILED if failed else Outcome.UNCERTAIN if doubts else Outcome.PASSED
    problems = tuple(Problem(sort_of(each, level), each) for each in failed.values())
    return Verdict(outcome, len(judged), problems, doubts)


def sort_of(judged: Judged, level: Level) -> str:
    return fit_for_a_folder(f"{level.word}-{judged.sort}")


def fit_for_a_folder(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", words).lower()).strip("-")


def doubted(verdict: Verdict, opinion: Opinion, level: Level) -> Verdict:
    """What passed, but for Z3's opinion."""
    doubt = f"{level.word}-{opinion.refutation_tag}"
    return evolve(verdict, outcome=Outcome.UNCERTAIN, doubts=(*verdict.doubts, doubt))


def of_divergence(case: Mapping[str, Any], divergence: Divergence | None) -> Verdict:
    if divergence is None:
        return Verdict(Outcome.PASSED, 1)
    return Verdict(Outcome.FAILED, 1, (Problem(signature(case, divergence), divergence),))
