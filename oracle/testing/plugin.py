"""The pytest plugin: `pytest --scheduler exec:./mine` runs the fuzzing as a test suite, besides the tests there are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

SUITE = Path(__file__).parent / "suite.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sched-oracle")
    group.addoption("--scheduler", metavar="S", help="the scheduler to judge, as for `sched-oracle validate`")
    group.addoption(
        "--scheduler-level", metavar="L", default="feasible", help="feasible (the default), ranked or exact"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--scheduler"):
        config.args.append(str(SUITE))


class _Suite(pytest.Module):
    """Its tests are made when it is known which scheduler is meant."""

    def collect(self) -> Iterator[pytest.Item]:
        from oracle.testing.tests import scheduler_test

        scheduler, level = self.config.getoption("--scheduler"), self.config.getoption("--scheduler-level")
        for suite in ("standing", "events"):
            test = scheduler_test(scheduler, level, suite)
            yield pytest.Function.from_parent(self, name=test.__name__, callobj=test)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return _Suite.from_parent(parent, path=module_path) if module_path == SUITE else None
