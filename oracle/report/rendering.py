"""Writing pages: templates, and how values of a cluster get into them without being able to do harm.

Every value is made printable; HTML escapes it by autoescaping, Markdown by backslashes.
"""

import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from model.quirks import QUIRKS
from model.rules import RULES
from oracle.compare.wording import seconds
from oracle.printable import counted, printable
from oracle.report.lines import Line
from oracle.report.measures import cut
from oracle.report.opinions import JUDGES
from oracle.report.page import MOST_DIFFERENCES, Page
from oracle.report.words import effect_words, plain

if TYPE_CHECKING:
    from oracle.report.index import Index

MOST_ITEMS = 12
"""Members of one list of a state that are shown."""
_RULE = re.compile(r"\b([A-Z]-\d{3}[a-z]?)\b")
_STEP = re.compile(r"^steps\[(\d+)\][. ]")
_MARKDOWN = re.compile(r"([\\`*\[\]<>|&])")


def html(page: Page) -> str:
    return _render(_HTML, "report.html.j2", page)


def markdown(page: Page) -> str:
    return re.sub(r"\n{3,}", "\n\n", _render(_MARKDOWN_PAGES, "report.md.j2", page))


def index_html(index: "Index") -> str:
    return _HTML.get_template("index.html.j2").render(index=index)


def _render(pages: Environment, template: str, page: Page) -> str:
    listed = frozenset(rule.id for rule in (*page.rules, *page.more_rules))
    return pages.get_template(template).render(
        page=page, listed=listed, most_differences=MOST_DIFFERENCES, most_items=MOST_ITEMS, z3_judges=JUDGES
    )


def rule_links(text: str, listed: Container[str]) -> Markup:
    """Rule IDs as links to where the page explains them."""

    def link(found: re.Match[str]) -> str:
        rule = found[1]
        if rule in listed:
            return f'<a class="rule" href="#{rule}">{rule}</a>'
        return f'<span class="rule">{rule}</span>' if rule in RULES else rule

    return Markup(_RULE.sub(link, str(escape(printable(text)))))


def step_words(where: str) -> str:
    """A place in the records, its step numbered as everywhere on the page."""
    return _STEP.sub(lambda found: f"step {int(found[1]) + 1}: ", where)


def humps(name: str) -> Markup:
    """The name, with leave to break it before each of its words."""
    return Markup("<wbr>").join(re.split(r"(?<=[a-z])(?=[A-Z])", printable(name)))


def telling(lines: Sequence[Line], most: int) -> Sequence[Line]:
    """All lines, or of many the ones that differ, as far as there is room, and how many are left out."""
    if len(lines) <= most:
        return lines
    kept = ([line for line in lines if line.differs] or list(lines))[:most]
    return [*kept, Line(f"… {len(lines) - len(kept)} more")]


def _for_html(value: Any) -> Any:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _for_markdown(value: Any) -> Any:
    """On one line, so that no value can begin a heading or a list."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _MARKDOWN.sub(r"\\\1", " ".join(printable(value).split("\n")))


def _code(text: str) -> Markup:
    """For an indented block, where Markdown escapes nothing."""
    return Markup(" ".join(printable(text).split("\n")))


def _environment(**options: Any) -> Environment:
    made = Environment(
        loader=PackageLoader("oracle.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
    made.filters |= {
        "code": _code,
        "counted": counted,
        "cut_name": lambda name: cut(name, 110),
        "effect_words": effect_words,
        "humps": humps,
        "plain": plain,
        "quirk": lambda rule: QUIRKS[rule].statement if rule in QUIRKS else "",
        "rule_links": rule_links,
        "seconds": seconds,
        "step_words": step_words,
        "telling": telling,
    }
    return made


_HTML = _environment(autoescape=True, finalize=_for_html)
_MARKDOWN_PAGES = _environment(autoescape=False, finalize=_for_markdown)
