"""What a search knows so far, and how that outlives the process that found it out."""

import json
import os
from collections import Counter
from itertools import zip_longest
from pathlib import Path

from attrs import Factory, asdict, define, frozen
from cattrs import BaseValidationError, Converter

from model.api.bad_input import MISREAD
from model.api.documents import json_document
from oracle.finding import Finding
from oracle.fuzz.plan import PlanError
from oracle.fuzz.portions import Kept, Tried
from oracle.fuzz.trial import Trial
from oracle.written_file import write_file

MOST_SLICES = 40
"""Of the time, in which cases are counted; then two and two become one."""


@define
class Pace:
    """How many cases were done in equal slices of the time, each `slice` seconds long."""

    slice: float = 0.05
    done: list[int] = Factory(list)

    def note(self, elapsed: float) -> None:
        while elapsed >= self.slice * MOST_SLICES:
            self.slice *= 2
            self.done = [a + b for a, b in zip_longest(self.done[::2], self.done[1::2], fillvalue=0)]
        at = int(elapsed / self.slice)
        self.done += [0] * (at + 1 - len(self.done))
        self.done[at] += 1

    @property
    def rates(self) -> tuple[float, ...]:
        """Cases per second; the last slice, which is not over, is left out if there are others."""
        return tuple(round(done / self.slice, 1) for done in self.done[:-1] or self.done)


@define
class Progress:
    """`corpus`: names of the cases tried first; `kept`: how many of them were; `done`: how many examples, which are
    numbered from 0; `elapsed`: seconds."""

    corpus: list[str] = Factory(list)
    kept: int = 0
    done: int = 0
    elapsed: float = 0.0
    examples: Counter[str] = Factory(Counter)
    """Cases by kind."""
    coverage: Counter[str] = Factory(Counter)
    reaching: Counter[str] = Factory(Counter)
    """How many cases reached each rule and outcome."""
    findings: dict[str, Finding] = Factory(dict)
    """By their signatures, in order."""
    seen: set[str] = Factory(set)
    """Signatures of what was found, before it was made small."""
    pace: Pace = Factory(Pace)

    def count(self, tried: Tried, trial: Trial) -> None:
        self.examples[str(tried.case["kind"])] += 1
        self.coverage.update(trial.used)
        self.reaching.update(trial.used.keys())

    def end_case(self, tried: Tried, elapsed: float) -> None:
        if isinstance(tried.item, Kept):
            self.kept += 1
        else:
            self.done += 1
        self.elapsed = elapsed
        self.pace.note(elapsed)


@frozen
class Saved:
    scheduler: str
    seed: int
    progress: Progress


_CONVERTER = Converter(forbid_extra_keys=True)


class Unfinished:
    """The file of a search that is not over yet: what it knew a few seconds ago."""

    NAME = "unfinished.json"
    EVERY = 0.5
    """Seconds."""

    def __init__(self, directory: Path, scheduler: str, seed: int) -> None:
        self._path = directory / self.NAME
        self._scheduler, self._seed = scheduler, seed
        self._saved = -self.EVERY

    def save(self, progress: Progress) -> None:
        """Now and then.  Whoever is killed meanwhile leaves the file as it was."""
        if progress.elapsed - self._saved < self.EVERY:
            return
        self._saved = progress.elapsed
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".draft")
        document = asdict(Saved(self._scheduler, self._seed, progress))
        document["progress"]["seen"] = sorted(progress.seen)
        write_file(draft, json.dumps(document).encode())
        os.replace(draft, self._path)

    def load(self) -> Progress:
        """Raises PlanError."""
        try:
            saved = _CONVERTER.structure(json_document(self._path.read_text()), Saved)
        except FileNotFoundError:
            raise PlanError(f"{self._path.parent}: no search was cut short there") from None
        except (BaseValidationError, *MISREAD):
            raise PlanError(f"{self._path}: not what this version writes") from None
        if (saved.scheduler, saved.seed) != (self._scheduler, self._seed):
            raise PlanError(f"{self._path}: that search is of --scheduler {saved.scheduler} with --seed {saved.seed}")
        return saved.progress

    def end(self) -> None:
        """The search is over."""
        self._path.unlink(missing_ok=True)
