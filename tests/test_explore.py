"""Small universes: nothing parts the optimized scheduler from the model, and faults are found the shortest way."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from impl.engine import Optimized
from model.engine import Reference
from oracle.cli.commands import app
from oracle.compare import compare
from oracle.explore import UNIVERSES, explore
from oracle.mutants import Mutant, mutated
from tests.mutants import MUTANTS


@pytest.mark.parametrize(("name", "depth"), [("queue", 3), ("cache", 3), ("loop", 2)])
def test_nothing_parts_them(name: str, depth: int) -> None:
    found = explore(UNIVERSES[name], Optimized(), Reference(), depth)
    assert found.fault is None
    assert found.depth == depth
    assert found.states == sum(found.sizes)
    assert found.steps > found.states


@pytest.mark.parametrize(
    ("universe", "mutant", "steps"), [("queue", "B02-strict", 1), ("queue", "B04", 2), ("cache", "B59-expire", 4)]
)
def test_a_fault_is_found_the_shortest_way(universe: str, mutant: str, steps: int) -> None:
    engine = mutated(MUTANTS[mutant])
    found = explore(UNIVERSES[universe], engine, Reference(), depth=5)
    assert found.fault is not None
    assert len(found.fault.path) == steps
    assert compare(UNIVERSES[universe].case(found.fault.path), engine) is not None


@pytest.mark.parametrize(
    ("universe", "fault", "sentence"),
    [
        (
            "queue",
            ("impl.queue:Queue.add", "self._leave_unschedulable(pod.full_name)", "pass"),
            "waits in two queues",
        ),
        ("queue", ("impl.queue:Queue.flush_leftover", "if old:", "if False:"), "never becomes active"),
        ("cache", ("impl.cache:Cache.forget_pod", "self.recency.count_out(pod)", "pass"), "has ['p'] on its nodes"),
        (
            "loop",
            ("impl.handlers:Handlers._assigned_deleted", "self.surroundings.cache.remove_pod(pod)", "pass"),
            "the cache has default/p on n1, where nothing runs",
        ),
    ],
)
def test_a_property_that_is_broken_on_both_sides_is_found(
    universe: str, fault: tuple[str, str, str], sentence: str
) -> None:
    """Where both sides are the same, only the properties are left to tell."""
    engine = mutated(Mutant("broken", "", *fault))
    found = explore(Twice(universe), engine, engine, depth=4, seconds=100)
    assert found.fault is not None
    assert sentence in found.fault.sentence


class Twice:
    """A universe whose states are told apart by what is recorded, whoever plays the reference."""

    def __init__(self, name: str) -> None:
        self._universe = UNIVERSES[name]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._universe, name)

    def key(self, side: Any, record: Any) -> str:
        return str({name: value for name, value in record.items() if name not in ("err", "result", "effects")})


def test_what_cannot_happen_is_left_out() -> None:
    assert not UNIVERSES["queue"].can({"op": "Pop"}, {"active": []})
    assert UNIVERSES["queue"].can({"op": "Pop"}, {"active": ["p-1"]})


def test_states_that_differ_by_the_clock_alone_are_one() -> None:
    """Nothing happens in an empty queue, however long it takes."""
    universe = UNIVERSES["queue"]
    quiet = [happening for happening in universe.happenings if happening["op"] in ("Advance", "FlushBackoffQCompleted")]
    keys = set()
    for happening in quiet:
        side = universe.side(Reference())
        record = side.record(happening)
        keys.add(universe.key(side, record))
    assert len(keys) == 1


def test_time_ends_it() -> None:
    found = explore(UNIVERSES["queue"], Optimized(), Reference(), depth=9, seconds=0.1)
    assert not found.complete
    assert found.depth < 9


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["explore", *arguments])


def test_the_command() -> None:
    said = run("queue", "--depth", "2", "--json")
    assert said.exit_code == 0, said.output
    (one,) = json.loads(said.stdout)["universes"]
    assert one["universe"] == "queue"
    assert one["states"] > 10
    assert one["fault"] is None


def test_a_fault_is_exit_code_1_with_the_way_there() -> None:
    said = run("queue", "--depth", "3", "--scheduler", "python:tests.mutants.engines:B04")
    assert said.exit_code == 1, said.output
    assert "MoveAllToActiveQueue" in said.stdout


def test_a_difference_is_told_as_a_search_tells_it() -> None:
    said = run("loop", "--depth", "2", "--scheduler", "python:tests.mutants.engines:queue_order")
    assert said.exit_code == 1, said.output
    assert (
        "After step 2 (create r), the scheduler under test has default/r, default/p in the active queue; "
        "v1.15.3 has default/p, default/r" in said.stdout
    )


def test_a_scheduler_that_shows_nothing_is_held_to_what_it_does() -> None:
    assert run("loop", "--depth", "2", "--scheduler", "python:tests.odd_schedulers:Blind").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("nowhere",), ("queue", "--scheduler", "python:tests.odd_schedulers:Blind"), ("--depth", "0")]
)
def test_bad_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
