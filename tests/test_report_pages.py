"""The pages in a real browser, where Chromium and its driver are installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from oracle.finding import Finding, Search
from oracle.report import write_finding, write_index
from tests.browser import CHROMIUM, DRIVER, opened, started
from tests.findings import HOSTILE, big, cache, hostile, hostile_victims, preemption, queue, tainted_host

PHONE, DESK = 390, 1440
MAKERS = {maker.__name__: maker for maker in (tainted_host, preemption, queue, cache, hostile, hostile_victims)}

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver")

BEYOND_THE_EDGE = """
const page = document.documentElement;
if (page.scrollWidth > innerWidth) return ['the page is ' + page.scrollWidth + ' wide'];
const scrolls = element => element.closest('.scroll, pre, details:not([open])');
return [...document.querySelectorAll('main *, header *')]
  .filter(element => !scrolls(element) && element.getBoundingClientRect().right > innerWidth + 1)
  .map(element => element.outerHTML.slice(0, 200));
"""
TEXT_OUT_OF_ITS_BOX = """
return [...document.querySelectorAll('svg.node')].flatMap(svg => {
  const frame = svg.querySelector('.frame').getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom || box.top < frame.top;
  }).map(text => text.textContent);
});
"""
OVERLAPPING = """
return [...document.querySelectorAll('svg.node')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
    .map(([other]) => one + ' / ' + other));
});
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    driver = started(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


def unfold(browser: Chrome) -> None:
    ask(browser, "document.querySelectorAll('details').forEach(fold => fold.open = true)")


def ask(browser: Chrome, script: str) -> Any:
    return browser.execute_script(script)


@pytest.fixture(params=MAKERS)
def finding(request: pytest.FixtureRequest) -> Finding:
    return evolve(MAKERS[request.param](), quirk="")


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_report_is_whole_at_any_width(browser: Chrome, finding: Finding, width: int, tmp_path: Path) -> None:
    opened(browser, write_finding(finding, tmp_path) / "report.html", width)
    for _ in ("folded", "unfolded"):
        assert ask(browser, BEYOND_THE_EDGE) == []
        assert ask(browser, TEXT_OUT_OF_ITS_BOX) == []
        assert ask(browser, OVERLAPPING) == []
        unfold(browser)
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_index_is_whole_at_any_width(browser: Chrome, width: int, tmp_path: Path) -> None:
    findings = (queue(), evolve(tainted_host(), sentence=f"{HOSTILE} {'x' * 300}"))
    search = Search("python:somewhere:Else", 7, "--seconds 20", {"e2e": 40}, {"P-056": 12}, findings, (1.5, 2.0, 0.5))
    opened(browser, write_index(search, tmp_path), width)
    unfold(browser)
    assert ask(browser, BEYOND_THE_EDGE) == []
    assert browser.get_log("browser") == []


def test_a_big_report_is_whole(browser: Chrome, tmp_path: Path) -> None:
    opened(browser, write_finding(evolve(big(200), quirk=""), tmp_path) / "report.html", PHONE)
    assert ask(browser, BEYOND_THE_EDGE) == []
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.node")) == 12


def test_the_picture_shows_what_the_data_say(browser: Chrome, tmp_path: Path) -> None:
    opened(browser, write_finding(evolve(tainted_host(), quirk=""), tmp_path) / "report.html", DESK)
    zones = {
        zone.find_element(By.TAG_NAME, "h3").text: [
            str(svg.get_attribute("data-node")) for svg in zone.find_elements(By.CSS_SELECTOR, "svg.node")
        ]
        for zone in browser.find_elements(By.CSS_SELECTOR, ".zone")
    }
    assert zones == {"Zone east": ["n1", "n2"], "Zone west": ["n3"]}
    bars = ["cpu", "0/4", "memory", "0/8Gi", "pods", "0/10"]
    assert _shown(browser, "n1") == ["n1", *bars, "taint dedicated:NoSchedule", "5", "default/web"]
    assert _shown(browser, "n2")[-4:] == ["0", "default/running", "5", "default/web"]
    assert "3/4" in _shown(browser, "n2")
    assert _frame(browser, "n1") == "actual"
    assert _frame(browser, "n2") == "expected"
    assert _frame(browser, "n3") == ""
    used, asked = _bar(browser, "n2", "used"), _bar(browser, "n2", "asked")
    assert used == pytest.approx(104 * 3 / 4, abs=0.1)
    assert asked == pytest.approx(104 * 1 / 4, abs=0.1)


def test_dark_and_light_differ(browser: Chrome, tmp_path: Path) -> None:
    page = write_finding(evolve(queue(), quirk=""), tmp_path) / "report.html"
    paper = "return getComputedStyle(document.body).backgroundColor"
    assert ask(opened(browser, page, DESK), paper) != ask(opened(browser, page, DESK, dark=True), paper)


def test_hostile_names_run_nothing(browser: Chrome, tmp_path: Path) -> None:
    opened(browser, write_finding(evolve(hostile(), quirk=""), tmp_path) / "report.html", DESK)
    assert ask(browser, "return document.querySelectorAll('script, img, iframe, [onerror]').length") == 0
    assert "<script>alert(1)</script>" in browser.find_element(By.TAG_NAME, "h1").text


def _svg(node: str) -> str:
    return f"document.querySelector('svg.node[data-node=\"{node}\"]')"


def _shown(browser: Chrome, node: str) -> list[str]:
    script = f"return [...{_svg(node)}.querySelectorAll('text')].map(text => text.textContent)"
    shown: list[str] = ask(browser, script)
    return shown


def _frame(browser: Chrome, node: str) -> str:
    script = f"return {_svg(node)}.querySelector('.frame').getAttribute('class')"
    return str(ask(browser, script)).removeprefix("frame").strip()


def _bar(browser: Chrome, node: str, part: str) -> float:
    return float(ask(browser, f"return {_svg(node)}.querySelector('rect.{part}').getAttribute('width')"))
