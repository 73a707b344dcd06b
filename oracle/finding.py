"""A finding: one difference between a scheduler and the reference, in the smallest case that shows it."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from oracle.conform.verdict import Difference


@frozen
class Finding:
    """All that a report needs.

    `signature`: names the difference by its sort, fit for a folder name; two findings of one signature are the same fault.
    `sentence`: what differs, for a person.  `kind`: which part was judged, a key of `oracle.fuzz.targets.TARGETS`
    (`trace`, `schedule`, `preempt`, `queue`, `cache`).  `scheduler`: as given to `find_engine`.
    `seed`: what generated the case before it was shrunk, for instance `7/123` (campaign and example).
    `trace`: the minimal case, JSON (kind e2e for a trace, else the case form of that kind).
    `step`: index of the event or operation where the two part; -1 the start, None for a single decision.
    `expected` and `actual`: the JSON record of that step, of the reference and of the scheduler; an actual `{"fault": text}` is
    a scheduler that broke the protocol or died.  `differences`: the innermost places that differ, the telling ones first.
    `rules`: IDs the reference used in that step.  `quirk`: the switch that explains the difference, if one does.
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
