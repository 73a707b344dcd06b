"""Reports: what a page says, that no name in a cluster can harm it, and that the same finding gives the same bytes."""

import re
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest
from attrs import evolve
from typer.testing import CliRunner

from model.rules import RULES
from oracle.cli.commands import app
from oracle.finding import Finding, Search
from oracle.reach import OUT_OF_REACH, why_not
from oracle.report import (
    explaining_quirk,
    github_annotations,
    read_finding,
    read_search,
    write_finding,
    write_index,
    write_junit,
)
from oracle.report.coverage import areas
from oracle.report.gallery import write_gallery
from oracle.report.measures import cut
from tests.findings import HOSTILE, big, cache, hostile, hostile_victims, preemption, queue, tainted_host

GALLERY = Path(__file__).parent.parent / "reports" / "gallery"
MAKERS = {maker.__name__: maker for maker in (tainted_host, preemption, queue, cache, hostile, hostile_victims)}


def search_of(*findings: Finding) -> Search:
    return Search("python:somewhere:Else", 7, "--examples 50", {"e2e": 40, "queue": 10}, {"P-056": 12}, findings)


@pytest.fixture(params=MAKERS)
def finding(request: pytest.FixtureRequest) -> Finding:
    return MAKERS[request.param]()


def test_a_report_is_a_folder(finding: Finding, tmp_path: Path) -> None:
    folder = write_finding(finding, tmp_path)
    assert folder == tmp_path / finding.signature
    names = {"report.html", "report.md", "trace.json", "objects.yaml", "finding.json"}
    assert {file.name for file in folder.iterdir()} == names


def test_a_finding_reads_back(finding: Finding, tmp_path: Path) -> None:
    known = evolve(finding, quirk=explaining_quirk(finding) or "")
    again = read_finding(write_finding(known, tmp_path))
    assert write_finding(again, tmp_path / "again").name == known.signature
    assert _contents(tmp_path / "again" / known.signature) == _contents(tmp_path / known.signature)


def test_pages_load_nothing(finding: Finding, tmp_path: Path) -> None:
    page = (write_finding(finding, tmp_path) / "report.html").read_text()
    assert not re.search(r"<script|<link(?! rel=\"icon\")|https?://|@import|url\((?!#)", page)


def test_the_page_says_what_differs_and_why(tmp_path: Path) -> None:
    folder = write_finding(tainted_host(), tmp_path)
    text = (folder / "report.md").read_text()
    assert text.startswith("# The scheduler under test puts default/web on n1; v1.15.3 puts it on n2\n")
    reason = "n1 is refused by PodToleratesNodeTaints: node(s) had taints that the pod didn't tolerate"
    assert f"- {reason}: dedicated:NoSchedule. \\[P-056\\]" in text
    assert f"P-056: {RULES['P-056'].statement}" in text
    assert "GeneralPredicates: Insufficient cpu: asks for 1, 200m free (800m of 1 taken)" in text
    assert f"sched-oracle replay {folder.name} --scheduler python:somewhere:Else" in text


def test_a_quirk_is_named_that_explains_the_difference() -> None:
    assert explaining_quirk(preemption()) == "E-035"
    assert explaining_quirk(queue()) == "Q-051"
    assert explaining_quirk(cache()) == "C-053"
    assert explaining_quirk(tainted_host()) is None
    assert explaining_quirk(evolve(queue(), actual=queue().expected)) is None  # what both do is no difference


def test_preemption_is_explained_by_the_criterion(tmp_path: Path) -> None:
    text = (write_finding(preemption(), tmp_path) / "report.md").read_text()
    assert "n1 is better than n2 by “lowest highest priority”: 1 against 2." in text
    assert "| n1 | default/a (1), default/b (3) | 1 |" in text


@pytest.mark.parametrize("maker", [hostile, hostile_victims])
def test_hostile_names_stay_text(maker: Callable[[], Finding], tmp_path: Path) -> None:
    folder = write_finding(maker(), tmp_path)
    page, text = (folder / "report.html").read_text(), (folder / "report.md").read_text()
    assert "&lt;script&gt;alert(1)" in page
    assert not re.search(r"<script|<img|\u202e|\x1b", page)
    assert not re.search(r"(?<!\\)<script|(?<!\\)<img|\u202e|\x1b|(?<!\\)\[x\]", text)
    bars = [line.count("|") - line.count("\\|") for line in text.splitlines()]
    assert all(before == after for before, after in pairwise(bars) if before and after)


def test_hostile_names_stay_text_in_the_index(tmp_path: Path) -> None:
    finding = evolve(hostile(), sentence=HOSTILE)
    page = write_index(search_of(finding), tmp_path).read_text()
    assert not re.search(r"<script|<img|\u202e|\x1b", page)
    annotations = list(github_annotations(search_of(evolve(finding, sentence=f"a\n::error::{HOSTILE}")), tmp_path))
    assert len(annotations) == 1
    assert "\n" not in annotations[0]


def test_a_big_case_gives_a_small_page(tmp_path: Path) -> None:
    page = write_finding(evolve(big(1523), quirk=""), tmp_path) / "report.html"
    assert page.stat().st_size < 200_000
    assert "1,511 more nodes" in page.read_text()


def test_a_signature_cannot_lead_out_of_the_directory(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no name of a folder"):
        write_finding(evolve(queue(), signature="../elsewhere"), tmp_path / "reports")


def test_the_index_is_rebuilt_from_what_lies_beside_it(tmp_path: Path) -> None:
    search = search_of(evolve(queue(), quirk=""), evolve(tainted_host(), quirk=""))
    for finding in search.findings:
        write_finding(finding, tmp_path)
    page = write_index(search, tmp_path)
    before = _contents(tmp_path)
    for file in tmp_path.rglob("*.html"):
        file.unlink()
    result = CliRunner().invoke(
        app, ["report", str(tmp_path), "--junit", str(tmp_path.parent / "junit.xml"), "--github"]
    )
    assert result.exit_code == 0, result.output
    assert str(page) in result.output
    assert "::error file=" in result.output
    assert _contents(tmp_path) == before
    by_signature = tuple(sorted(search.findings, key=lambda finding: finding.signature))
    assert read_search(tmp_path) == evolve(search, findings=by_signature)


def test_a_directory_without_reports_is_bad_input(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert result.exit_code == 2
    assert "search.json: No such file" in result.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no file that is always full")
def test_a_full_disk_is_told_with_the_file_of_junit(tmp_path: Path) -> None:
    write_index(search_of(), tmp_path)
    said = CliRunner().invoke(app, ["report", str(tmp_path), "--junit", "/dev/full"])
    assert (said.exit_code, said.stderr) == (2, "error: /dev/full: No space left on device\n")


def test_junit_has_a_failure_for_each_finding(tmp_path: Path) -> None:
    search = search_of(tainted_host())
    write_junit(search, tmp_path / "junit.xml")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    failures = [failure.get("message") for failure in suite.iter("failure")]
    assert failures == [search.findings[0].sentence]
    assert f"report: {search.findings[0].signature}/report.html" in (tmp_path / "junit.xml").read_text()
    assert [case.get("name") for case in suite.iter("testcase")] == ["queue: 10 cases", search.findings[0].signature]


def test_coverage_holds_every_rule_once() -> None:
    shown = [use.rule.id for area in areas({}) for file in area.files for use in file.uses]
    assert sorted(shown) == sorted(RULES)


def test_the_index_says_why_something_cannot_be_reached(tmp_path: Path) -> None:
    page = write_index(search_of(), tmp_path).read_text()
    for why in OUT_OF_REACH.values():
        assert f"ut of reach: {escape(why, quote=False)}" in page
    assert why_not("A-020", 1) == ""


def test_text_is_cut_to_its_width() -> None:
    assert cut("node-1", 60, 10) == "node-1"
    assert cut("node-123", 60, 10) == "node-…"
    assert cut("節点節点", 60, 10) == "節点…"


def test_the_gallery_is_up_to_date(tmp_path: Path) -> None:
    copytree(GALLERY, tmp_path / "gallery")
    assert len(list(write_gallery(tmp_path / "gallery"))) >= 12
    fresh, committed = _contents(tmp_path / "gallery"), _contents(GALLERY)
    outdated = [name for name in sorted(fresh | committed) if fresh.get(name) != committed.get(name)]
    assert outdated == [], "run: sched-oracle gallery"


def _contents(directory: Path) -> dict[str, bytes]:
    files = [file for file in sorted(directory.rglob("*")) if file.is_file()]
    return {str(file.relative_to(directory)): file.read_bytes() for file in files}
