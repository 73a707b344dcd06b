"""What a search brings home: findings, each one difference in the smallest case that shows it, and an account."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from oracle.conform.verdict import Difference

RECORDED = "records of a cluster"
"""The scheduler of a decision of the past."""

JUDGED = "judged"
"""The member of a finding's trace that says how it was judged, where it was not compared with the model."""
REFUTED = "refuted"
"""So, by Z3."""


@frozen
class Finding:
    """All that a report needs.

    `signature`: names the difference by its sort, fit for a folder name; findings of one signature are one fault.
    `sentence`: what differs, for a person.  `kind`: of the case, a key of `oracle.compare.COMPARISONS`.
    `scheduler`: as given to `find_engine`, or RECORDED.  `seed`: what the case was generated from before it was shrunk,
    for instance `7/123`, or `corpus/<name>`.  `trace`: the minimal case, in the JSON form of its kind.
    `step`: index of the event or operation where the two part; -1 the start, None for a single decision.
    `expected` and `actual`: the records of that step, of the reference and of the scheduler; an actual
    `{"fault": text}` is a scheduler that broke the protocol or died.  `differences`: the innermost places that
    differ, the telling ones first.  `rules`: IDs the reference used in that step.  `quirk`: the switch that
    explains the difference, if one does.  `followed`: as of a Divergence.
    """

    signature: str
    sentence: str
    kind: str
    scheduler: str
    seed: str
    trace: Mapping[str, Any]
    step: int | None
    expected: Mapping[str, Any]
    actual: Mapping[str, Any]
    differences: tuple[Difference, ...]
    rules: tuple[str, ...] = ()
    quirk: str | None = None
    followed: tuple[Mapping[str, Any], ...] = ()


@frozen
class Search:
    """The account of one search.

    `effort`: what was asked for, as the command line says it (`--examples 1000`).  `examples`: cases judged, by kind;
    `kept`: how many of them were kept from earlier searches.
    `coverage`: how often the reference used each rule and reached each outcome.  `throughput`: cases per second in
    equal slices of the time, empty where the number of examples was given, so that the account can be repeated.
    `stopped`: why it ended before its time, "" if it did not.
    """

    scheduler: str
    seed: int
    effort: str
    examples: Mapping[str, int]
    coverage: Mapping[str, int]
    findings: tuple[Finding, ...]
    throughput: tuple[float, ...] = ()
    interrupted: bool = False
    kept: int = 0
    stopped: str = ""
