"""`pytest --every-rule` fails unless the tests, taken together, used every rule that the model counts.

The worker processes of pytest-xdist send what they counted to the one that started them.
"""

from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

from model.rules import RULES, counting
from model.unmodelled import load_rules

OPTION = "--every-rule"
USES: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="fail if a rule of the model is used by no test")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, Any, Any]:
    with counting(USES):
        return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    USES.update(getattr(node, "workeroutput", {}).get("rules", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    worker = getattr(session.config, "workeroutput", None)
    if worker is not None:
        worker["rules"] = dict(USES)
    elif session.config.getoption(OPTION) and unused():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.getoption(OPTION) and unused():
        terminalreporter.section("rules that no test uses", red=True)
        terminalreporter.line(" ".join(unused()))


def unused() -> list[str]:
    load_rules()
    return [rule_id for rule_id, rule in sorted(RULES.items()) if rule.counted and not USES[rule_id]]
