"""oracle/TRACES.md says what can stand in a trace."""

import json
import re
from pathlib import Path

import pytest
from attrs import fields

from model.api.configuration import Configuration
from model.api.decode import json_name
from model.engine import Reference
from oracle.environment.operations import OPERATIONS
from oracle.environment.settings import ApiFailures, Settings
from oracle.replay import replay
from oracle.strategies import GENERATORS, case_from_seed
from oracle.trace import read_trace, write_configuration

TEXT = (Path(__file__).parents[1] / "oracle" / "TRACES.md").read_text()
GENERATED = range(40)


def row(name: str) -> str:
    [found] = [line for line in TEXT.splitlines() if re.match(rf"\| [^|]*`{name}`", line)]
    return found


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_told_with_its_members(name: str) -> None:
    members = {json_name(field.name) for field in fields(OPERATIONS[name])} - {"kind"}
    assert {member for member in members if f"`{member}`" not in row(name)} == set()


def test_every_member_of_the_configuration_is_told() -> None:
    written = write_configuration(Configuration(hard_pod_affinity_weight=7))
    assert [name for name in written if "Weight" in name] == ["hardPodAffinitySymmetricWeight"]
    names = {json_name(field.name) for kind in (Configuration, Settings) for field in fields(kind)}
    for name in names - {"hardPodAffinityWeight"} | {"hardPodAffinitySymmetricWeight"}:
        assert row(name)
    assert {f.name for f in fields(ApiFailures) if f"`{json_name(f.name)}`" not in row("apiFailures")} == set()


@pytest.mark.parametrize("kind", GENERATORS)
def test_every_member_of_a_generated_case_is_told(kind: str) -> None:
    members = {member for seed in GENERATED for member in case_from_seed(kind, str(seed))}
    assert {member for member in members if f"`{member}`" not in TEXT and f"`{member}." not in TEXT} == set()


def test_the_example_does_what_it_is_there_for() -> None:
    """The first bind fails, and the new process binds the pod."""
    example = json.loads(TEXT.partition("by hand:\n\n")[2].partition("\n\nA field")[0])
    *_, cycle, restart, drain = (each.step for each in replay(read_trace(example), Reference()))
    assert "FailedScheduling" in json.dumps(cycle.document())
    assert "FailedScheduling" not in json.dumps(restart.document())
    assert {"bind": {"node": "n1", "pod": "default/web"}} in drain.document()["effects"]
