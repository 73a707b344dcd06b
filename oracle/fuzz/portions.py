"""What a search tries, in portions: the same comes of each wherever it is tried, and all are taken in in order."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Protocol

from attrs import evolve, frozen

from model.api.bad_input import MISREAD
from model.api.components import Engine
from oracle.fuzz.examples import example
from oracle.fuzz.refutation import is_asked, refuted
from oracle.fuzz.trial import Trial, try_case
from oracle.schedulers import find_engine

SIZE = 8
"""Items in a portion."""
AHEAD = 2
"""Portions given out for each that is being tried, so that nobody waits for the next."""


@frozen
class Kept:
    """A case of the corpus."""

    name: str
    case: Mapping[str, Any]


Item = int | Kept
"""What to try: the example of this number, or a case that was kept."""


@frozen
class Portion:
    """`scheduler` and `seed`: as of a plan."""

    scheduler: str
    seed: int
    items: tuple[Item, ...]

    def __str__(self) -> str:
        first, last = (_origin(self.seed, item) for item in (self.items[0], self.items[-1]))
        return f"cases {first} to {last}"


@frozen
class Tried:
    """A case, where it came from, and what came of it; None for one that cannot be understood."""

    item: Item
    origin: str
    case: Mapping[str, Any]
    trial: Trial | None


class Awaited(Protocol):
    """What comes of a portion, some time."""

    def result(self) -> list[Tried]: ...


def portions(scheduler: str, seed: int, items: Iterable[Item]) -> Iterator[Portion]:
    left = iter(items)
    while chunk := tuple(islice(left, SIZE)):
        yield Portion(scheduler, seed, chunk)


def try_item(seed: int, item: Item, engine: Engine) -> Tried:
    if isinstance(item, Kept):
        return Tried(item, _origin(seed, item), item.case, _try_kept(item.case, engine))
    case = example(seed, item, engine)
    trial = try_case(case, engine)
    return Tried(item, _origin(seed, item), case, _with_opinion(case, trial, engine) if is_asked(item) else trial)


def _with_opinion(case: Mapping[str, Any], trial: Trial | None, engine: Engine) -> Trial | None:
    """Z3's, where the two agree."""
    if trial is None or trial.divergence is not None:
        return trial
    return evolve(trial, refuted=refuted(case, engine))


def _try_kept(case: Mapping[str, Any], engine: Engine) -> Trial | None:
    """Z3 is asked of each: it may be what the case was kept for.

    None also where somebody has made something else of the case meanwhile.
    """
    try:
        return _with_opinion(case, try_case(case, engine), engine)
    except MISREAD:
        return None


def _origin(seed: int, item: Item) -> str:
    return f"corpus/{item.name}" if isinstance(item, Kept) else f"{seed}/{item}"


def try_portion(portion: Portion) -> list[Tried]:
    """In a process that keeps the scheduler for the next one.  Raises SchedulerError."""
    engine = _engine(portion.scheduler)
    return [try_item(portion.seed, item, engine) for item in portion.items]


_engine = cache(find_engine)


def in_order(
    todo: Iterator[Portion], submit: Callable[[Portion], Awaited], width: Callable[[], int]
) -> Generator[Tried]:
    """`width`: how many are tried at once.  Raises what the trying raises."""
    waiting: deque[Awaited] = deque()
    while True:
        waiting.extend(submit(portion) for portion in islice(todo, max(AHEAD * width() - len(waiting), 0)))
        if not waiting:
            return
        yield from waiting.popleft().result()
