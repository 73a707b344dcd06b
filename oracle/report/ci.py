"""Findings for machines that run tests: JUnit XML, and annotations as GitHub Actions reads them."""

from collections.abc import Iterator
from pathlib import Path

from junitparser import Failure, JUnitXml, TestCase, TestSuite

from oracle.finding import Finding, Search
from oracle.printable import counted, printable
from oracle.report.folder import PAGE, TRACE
from oracle.written_file import writing


def write_junit(search: Search, path: Path) -> None:
    """One test case for each kind of case that was judged, and a failed one for each finding."""
    suite = TestSuite("sched-oracle fuzz")
    suite.add_property("scheduler", search.scheduler)
    suite.add_property("seed", str(search.seed))
    broken = {finding.kind for finding in search.findings}
    for kind, count in search.examples.items():
        if kind not in broken:
            suite.add_testcase(TestCase(f"{kind}: {counted(count, 'case')}", classname=f"sched-oracle.{kind}"))
    for finding in search.findings:
        suite.add_testcase(_failed(finding))
    report = JUnitXml("sched-oracle")
    report.add_testsuite(suite)
    with writing(path):
        report.write(str(path), pretty=True)


def _failed(finding: Finding) -> TestCase:
    case = TestCase(finding.signature, classname=f"sched-oracle.{finding.kind}")
    failure = Failure(printable(finding.sentence), type_="Divergence")
    where = (f"at {place.where}" for place in finding.differences)
    failure.text = "\n".join([printable(finding.sentence), *where, f"report: {finding.signature}/{PAGE}"])
    case.result = [failure]
    return case


def github_annotations(search: Search, directory: Path) -> Iterator[str]:
    """Workflow commands, one a line, each at the trace of its finding and with the page that explains it."""
    for finding in search.findings:
        folder = directory / finding.signature
        said = _message(f"{finding.sentence}\nreport: {folder / PAGE}")
        yield f"::error file={_property(str(folder / TRACE))},title={_property(finding.signature)}::{said}"


def _message(text: str) -> str:
    """As GitHub's own toolkit escapes the data of a command."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
