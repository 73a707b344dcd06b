"""How fast the search tries cases, and what takes its time: `python -m pytest tests/bench_fuzz.py`.

Not part of a plain test run.  Times are the processor's, on one core; the table is printed in Markdown.
"""

import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest

from impl.engine import Optimized
from model.api.protocol import StartCycle
from model.engine import Reference
from oracle.compare import components, decisions, traces
from oracle.conform import single
from oracle.environment import Environment
from oracle.fuzz import Plan, search
from oracle.fuzz.trial import try_case
from oracle.properties import Watch
from oracle.strategies import GENERATORS, case_from_seed

CASES = {kind: 50 if kind == "e2e" else 200 for kind in GENERATORS}
EXAMPLES = 220
PARTS = ("generation", "reading", "model", "impl", "observation", "environment", "properties", "comparison")

pytestmark = pytest.mark.benchmark(timer=time.process_time)


class Shares:
    """Of the time, by what was done in it; what happens inside something else counts for itself only."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.decisions = 0
        self._doing = ["comparison"]
        self._since = time.process_time()

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            self._charge()
            self._doing.append(part)
            try:
                return function(*arguments, **options)
            finally:
                self._charge()
                self._doing.pop()

        return wrapped

    def _charge(self) -> None:
        now = time.process_time()
        self.seconds[self._doing[-1]] += now - self._since
        self._since = now


class Timed:
    """An engine, or what it gives, whose answers are charged to `part`, and what it shows of itself to observation."""

    def __init__(self, inner: Any, part: str, shares: Shares) -> None:
        self._inner, self._part, self._shares = inner, part, shares

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if name in ("queue", "cache", "scheduler"):
            return lambda *arguments: Timed(self._shares.timed(self._part, value)(*arguments), self._part, self._shares)
        if name in ("state", "observe"):
            return self._shares.timed("observation", value)
        if name in ("apply", "decide", "preempt"):
            self._shares.decisions += self._part == "impl"
            return self._shares.timed(self._part, value)
        return value

    def handle(self, event: Any, api: Any) -> None:
        self._shares.decisions += self._part == "impl" and isinstance(event, StartCycle)
        self._shares.timed(self._part, self._inner.handle)(event, Asked(api, self._shares))


class Asked:
    """The API server as a scheduler calls it."""

    def __init__(self, api: Any, shares: Shares) -> None:
        self.call = shares.timed("environment", api.call)


@pytest.fixture(scope="module")
def lines() -> Iterator[list[str]]:
    found: list[str] = []
    yield found
    print("\n\n| kind | cases/s | decisions/s |", " | ".join(PARTS), "|")
    print("|---|" + "---|" * (2 + len(PARTS)))
    print("\n".join(found))


@pytest.fixture(autouse=True)
def printed(capfd: Any, lines: list[str]) -> Iterator[None]:
    with capfd.disabled():
        yield


def try_all(kind: str) -> None:
    for number in range(CASES[kind]):
        try_case(case_from_seed(kind, f"bench/{number}"), Optimized())


@pytest.mark.parametrize("kind", GENERATORS)
def test_cases(benchmark: Any, kind: str, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated, played through model and implementation, and compared; decisions are operations of components."""
    benchmark.pedantic(try_all, (kind,), rounds=3, warmup_rounds=1)
    rate = CASES[kind] / benchmark.stats["min"]
    shares = measured(kind, monkeypatch)
    total = sum(shares.seconds.values())
    benchmark.extra_info["cases_per_s"] = round(rate, 1)
    benchmark.extra_info["shares"] = {part: round(shares.seconds[part] / total, 3) for part in PARTS}
    per_case = shares.decisions / CASES[kind]
    percents = " | ".join(f"{100 * shares.seconds[part] / total:.0f} %" for part in PARTS)
    lines.append(f"| {kind} | {rate:.0f} | {rate * per_case:,.0f} | {percents} |")


def test_search(benchmark: Any, lines: list[str]) -> None:
    """The mixture that `sched-oracle fuzz` tries; Z3 is asked about one case of ten."""
    benchmark.pedantic(search, (Plan("impl", examples=EXAMPLES),), rounds=1, warmup_rounds=1)
    rate = EXAMPLES / benchmark.stats["min"]
    benchmark.extra_info["cases_per_s"] = round(rate, 1)
    lines.append(f"| all, as `fuzz` mixes them | {rate:.0f} | " + "| " * len(PARTS) + "|")


def measured(kind: str, monkeypatch: pytest.MonkeyPatch) -> Shares:
    shares = Shares()
    for owner, name, part in (
        (Environment, "_step", "environment"),
        (Watch, "look", "properties"),
        (traces, "read_trace", "reading"),
        (decisions, "read_situation", "reading"),
        (single, "read_single_situation", "reading"),
        (components, "Objects", "reading"),
    ):
        monkeypatch.setattr(owner, name, shares.timed(part, getattr(owner, name)))
    impl, model = Timed(Optimized(), "impl", shares), Timed(Reference(), "model", shares)
    for number in range(CASES[kind]):
        case = shares.timed("generation", case_from_seed)(kind, f"bench/{number}")
        try_case(case, impl, model)
    return shares
