"""Greedy search for a smaller case that is still interesting, within a number of tries."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from oracle.shrink.edits import Path, put, value_at

Case = dict[str, Any]


class Shrinker:
    """`case` is the smallest so far."""

    def __init__(self, case: Case, interesting: Callable[[Case], bool], tries: int) -> None:
        self.case = case
        self._interesting = interesting
        self._tries = tries
        self._seen = {_bytes(case)}

    @property
    def exhausted(self) -> bool:
        return self._tries <= 0

    def attempt(self, candidate: Case) -> bool:
        """Take it if it is interesting and new."""
        packed = _bytes(candidate)
        if self.exhausted or packed in self._seen:
            return False
        self._seen.add(packed)
        self._tries -= 1
        if self._interesting(candidate):
            self.case = candidate
            return True
        return False

    def first_of(self, candidates: Iterable[Case]) -> bool:
        """Take the first that is interesting."""
        return any(self.attempt(candidate) for candidate in candidates)

    def thin_out(self, path: Path) -> None:
        """Drop what can be dropped from a list: long runs first, the end first."""
        size = len(value_at(self.case, path))
        while size >= 1:
            end = len(value_at(self.case, path))
            while end > 0:
                items = value_at(self.case, path)
                start = max(0, end - size)
                self.attempt(put(self.case, path, items[:start] + items[end:]))
                end = start
            size //= 2


def _bytes(case: Case) -> str:
    return json.dumps(case, sort_keys=False)
