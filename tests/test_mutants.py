"""The catalogued faults have their places, and a few of them are hunted; `sched-oracle mutants` hunts all."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impl.engine import Optimized
from oracle.cli.commands import app
from oracle.fuzz.trial import try_case
from oracle.mutants import Mutant, StillbornError, mutated
from oracle.mutants.automatic import automatic, sample
from oracle.mutants.matrix import entries, is_small
from oracle.schedulers import find_engine
from tests.mutants import EXPLAINED, IMPOSSIBLE, MODULES, MUTANTS, WANTING
from tests.mutants.telling import TELLING

MADE = {mutant.place: mutant for module in MODULES for mutant in automatic(module)}

HUNTED = ("queue-order", "B04", "B07", "B29", "B50", "B56", "port-conflict", "B79", "B32-order", "B95-first")
"""One or two of each part, none that takes long."""

SECONDS = 30
"""Of one core; each needs one or two."""


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=lambda mutant: mutant.id)
def test_its_place_is_there(mutant: Mutant) -> None:
    spec = find_spec(mutant.module)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text()
    changed = mutant.applied(source)
    assert changed != source
    compile(changed, mutant.id, "exec", dont_inherit=True)


@pytest.mark.parametrize("name", HUNTED)
def test_found_and_small(name: str) -> None:
    (found,) = entries([MUTANTS[name]], "impl", SECONDS)
    assert found["killed"]
    assert is_small(found)


def test_every_fault_of_the_catalogue_is_a_mutant_or_impossible() -> None:
    """Its numbers run from 1 to 95, with gaps."""
    known = {name.partition("-")[0] for name in MUTANTS if name.startswith("B")}
    assert not known & IMPOSSIBLE.keys()
    assert len(known | IMPOSSIBLE.keys()) == 64


def test_a_mutant_leaves_the_scheduler_as_it_is() -> None:
    mutant = MUTANTS["backoff-duration"]
    assert type(mutated(mutant)) is not Optimized
    assert type(mutated(mutant)).__module__ == Optimized.__module__


def test_a_mutant_whose_place_is_gone_is_an_error() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        mutated(Mutant("stale", "", "impl.backoff", "no such text", ""))
    with pytest.raises(ValueError, match="nothing is called"):
        mutated(Mutant("stale", "", "impl.backoff:gone", "x", ""))


def test_a_mutant_that_cannot_be_imported_is_stillborn() -> None:
    with pytest.raises(StillbornError, match="NameError"):
        mutated(Mutant("broken", "", "impl.backoff", "INITIAL_MS = 1_000", "INITIAL_MS = unknown"))


def test_mutants_made_by_rule_change_one_place_each() -> None:
    made = {mutant.description: mutant for mutant in automatic("impl.backoff")}
    mutant = made["min(attempts - 1, 4) → max(attempts - 1, 4)"]
    assert mutant.where == "impl.backoff:duration"
    spec = find_spec("impl.backoff")
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text()
    assert len(made) > 10
    for one in made.values():
        compile(one.applied(source), one.id, "exec", dont_inherit=True)


def test_a_sample_has_a_share_of_each_module_and_a_larger_one_has_more() -> None:
    few, many = sample(MODULES, 100), sample(MODULES, 200)
    assert {mutant.module for mutant in few} == {module for module in MODULES if [*automatic(module)]}
    assert {mutant.place for mutant in few} < {mutant.place for mutant in many}
    assert 200 <= len(many) < 200 + len(MODULES)


def test_survivors_are_explained_where_they_are() -> None:
    assert EXPLAINED.keys() | WANTING.keys() <= MADE.keys()
    assert not EXPLAINED.keys() & WANTING.keys()


@pytest.mark.parametrize("place", TELLING)
def test_what_would_give_a_survivor_away_does(place: str) -> None:
    sound = try_case(TELLING[place], find_engine("impl"))
    assert sound is not None
    assert sound.divergence is None
    trial = try_case(TELLING[place], mutated(MADE[place]))
    assert trial is not None
    assert trial.divergence is not None


def test_the_page_tells_of_every_fault() -> None:
    told = (Path(__file__).parent / "mutants" / "KILLS.md").read_text()
    for name in (*MUTANTS, *IMPOSSIBLE):
        assert f"| {name} |" in told or f"- {name}: " in told
    assert "not known" not in told


def test_results_are_kept_and_not_hunted_again(tmp_path: Path) -> None:
    kept = tmp_path / "results.jsonl"
    (first,) = entries([MUTANTS["B29"]], "impl", 30, kept=kept)
    (again,) = entries([MUTANTS["B29"]], "no such scheduler", 30, kept=kept)
    assert again == first


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["mutants", *arguments])


def test_the_matrix_in_json() -> None:
    said = run("--only", "B29", "--json")
    assert said.exit_code == 0, said.output
    (one,) = json.loads(said.stdout)["mutants"]
    assert one["id"] == "B29"
    assert one["killed"]
    assert one["counterexample"] == {"nodes": 0, "pods": 1, "events": 1}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no file that is always full")
def test_a_full_disk_does_not_take_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = {
        "id": "B29",
        "description": "",
        "place": "a:1",
        "killed": True,
        "by": "queue",
        "examples": 1,
        "seconds": 1,
    }
    shrunk = {"counterexample": {"nodes": 0, "pods": 1, "events": 1}, "shrinkSeconds": 1, "sentence": ""}
    monkeypatch.setattr("oracle.cli.mutants.entries", lambda *_, **__: iter([killed | shrunk]))
    monkeypatch.setattr("oracle.cli.mutants.PAGE", "/dev/full")
    said = run("--write")
    assert said.exit_code == 2
    assert said.stdout.splitlines()[-1].startswith("2 of 2 killed")
    assert said.stderr.splitlines()[-1] == "error: /dev/full: No space left on device"


def test_a_survivor_is_told_with_its_reason() -> None:
    said = run("--auto", "1", "--only", "predicates.check.Static.__init__-1", "--seconds", "0.1", "--json")
    assert said.exit_code == 0, said.output
    (one,) = json.loads(said.stdout)["mutants"]
    assert one["reason"] == EXPLAINED[one["place"]]


def test_a_survivor_is_exit_code_1() -> None:
    said = run("--only", "B91", "--seconds", "0.1")
    assert said.exit_code == 1, said.output
    assert "B91 survived" in said.stdout


def test_an_unknown_mutant_is_bad_usage() -> None:
    assert run("--only", "nobody").exit_code == 2
