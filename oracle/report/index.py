"""The index of a search: what was found, what was covered, how fast, with what."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from attrs import asdict, evolve, frozen

from model.api.bad_input import MISREAD
from model.api.documents import write_json
from oracle.conform import CaseError
from oracle.finding import Finding, Search
from oracle.report.coverage import Area, Outcome, areas, outcomes
from oracle.report.folder import FINDING, PAGE, read_finding, read_json, structured, write_finding
from oracle.report.rendering import index_html
from oracle.written_file import write_file

INDEX = "index.html"
SEARCH = "search.json"
"""All of the search but its findings, which have folders of their own."""

KINDS: Mapping[str, str] = {
    "e2e": "Whole runs",
    "trace": "Whole runs",
    "schedule": "Single decisions",
    "preempt": "Preemption",
    "predicate": "Single predicates",
    "priority": "Single priorities",
    "prioritize": "Weighted priorities",
    "queue": "Scheduling queue",
    "cache": "Scheduler cache",
}

CHART_WIDTH, CHART_HEIGHT = 640, 90


@frozen
class Group:
    """Findings about one part."""

    name: str
    findings: tuple[Finding, ...]


@frozen
class Bar:
    """A slice of time in the chart of cases per second."""

    x: float
    y: float
    width: float
    height: float
    rate: float


@frozen
class Index:
    search: Search
    groups: tuple[Group, ...]
    areas: tuple[Area, ...]
    outcomes: tuple[Outcome, ...]
    bars: tuple[Bar, ...]
    page_name: str = PAGE

    @property
    def cases(self) -> int:
        return sum(self.search.examples.values())

    @property
    def rules_used(self) -> int:
        return sum(area.used for area in self.areas)

    @property
    def rules_countable(self) -> int:
        return sum(len(area.countable) for area in self.areas)

    @property
    def command(self) -> str:
        search = self.search
        return f"sched-oracle fuzz --scheduler {quote(search.scheduler)} {search.effort} --seed {search.seed}"

    def kind_name(self, kind: str) -> str:
        return KINDS.get(kind, kind)


def write_index(search: Search, directory: Path) -> Path:
    """Write index.html and search.json; the findings' folders are there already.  Gives the path of the page."""
    directory.mkdir(parents=True, exist_ok=True)
    document = asdict(search)
    del document["findings"]
    write_file(directory / SEARCH, write_json(document).encode())
    path = directory / INDEX
    write_file(path, index_html(index_of(search)).encode(errors="backslashreplace"))
    return path


def rebuild(directory: Path) -> Search:
    """Write all pages of a directory again from the data beside them.  Raises CaseError naming the file."""
    search = read_search(directory)
    for finding in search.findings:
        try:
            write_finding(finding, directory)
        except MISREAD as error:
            what = f"{type(error).__name__}: {error}"
            raise CaseError(f"{directory / finding.signature}: not what this version writes: {what}") from None
    write_index(search, directory)
    return search


def read_search(directory: Path) -> Search:
    """Raises CaseError naming the file."""
    path = directory / SEARCH
    search = structured(path, {**read_json(path), "findings": []}, Search)
    return evolve(
        search, findings=tuple(read_finding(folder.parent) for folder in sorted(directory.glob(f"*/{FINDING}")))
    )


def index_of(search: Search) -> Index:
    return Index(
        search=search,
        groups=tuple(_groups(search.findings)),
        areas=tuple(areas(search.coverage)),
        outcomes=tuple(outcomes(search.coverage)),
        bars=tuple(_bars(search.throughput)),
    )


def _groups(findings: Sequence[Finding]) -> Iterator[Group]:
    by_name: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: finding.signature):
        by_name.setdefault(KINDS.get(finding.kind, finding.kind), []).append(finding)
    for name in dict.fromkeys([*KINDS.values(), *by_name]):
        if name in by_name:
            yield Group(name, tuple(by_name[name]))


def _bars(rates: Sequence[float]) -> Iterator[Bar]:
    highest, step = max(rates, default=0) or 1, CHART_WIDTH / max(len(rates), 1)
    for at, rate in enumerate(rates):
        height = round(CHART_HEIGHT * rate / highest, 1)
        yield Bar(round(at * step, 1), round(CHART_HEIGHT - height, 1), round(step * 0.84, 1), height, rate)
