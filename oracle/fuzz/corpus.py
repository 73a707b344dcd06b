"""Cases kept between searches: those that showed a fault, and those that reached what others do not."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from model.api.documents import read_file
from oracle.written_file import write_file

CORPUS = "corpus"
"""Its directory, among the reports."""
RARE = 3
"""A rule or outcome reached by fewer cases than this makes a case worth keeping."""


class Corpus:
    """A directory of cases, one JSON file each."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Names and cases, in order of names; what is no case is passed over."""
        for path in sorted(self._directory.glob("*.json")):
            try:
                [case] = read_file(path)
            except ValueError:
                continue
            if isinstance(case, dict) and isinstance(case.get("kind"), str):
                yield path.stem, case

    def keep(self, case: Mapping[str, Any]) -> None:
        text = json.dumps(case, indent=1, sort_keys=True)
        self._directory.mkdir(parents=True, exist_ok=True)
        name = f"{case['kind']}-{hashlib.sha1(text.encode()).hexdigest()[:12]}"
        write_file(self._directory / f"{name}.json", f"{text}\n".encode())
