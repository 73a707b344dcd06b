"""Proofs about the scores, over the model's own functions and every input in the range that is named.

The range is exact: just outside there is a witness, which the same function confirms.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
import z3

from model.api import integers
from model.api.arguments import UtilizationShapePoint as Point
from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.integers import INT64_MAX, INT64_MIN
from model.engine import Reference
from model.priorities import resource_allocation
from model.priorities.normalized import normalized
from model.priorities.requested_to_capacity_ratio import DEFAULT_SHAPE, requested_to_capacity_ratio, score_at
from model.priorities.resource_allocation import balanced_resource_allocation, least_requested, most_requested
from model.releases import v1_15_3
from model.sampling import num_feasible_nodes_to_find
from oracle.smt.paths import explored
from oracle.smt.proofs import Proved, Refuted, proof
from oracle.smt.symbolic import Double, Integer, Word, symbolic_float, symbolic_int
from tests.attempts import node, pod
from tests.proving import always, both, term, within

TENTH = INT64_MAX // 10
"""The largest amount of which ten times still fits 64 bits: 922,337,203,685,477,580."""
HUNDREDTH = INT64_MAX // 100

Load = tuple[Any, Any, Any, Any]
Score = Callable[[Any, Any], Sequence[Any]]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[Score, Load], Any]:
    """Run a priority on one node with a given load: cpu wanted and there, memory wanted and there."""

    def score(priority: Score, amounts: Load) -> Any:
        monkeypatch.setattr(resource_allocation, "loads", lambda *_: [amounts])
        return priority(SimpleNamespace(semantics=v1_15_3(Configuration())), [None])[0]

    return score


def amounts(prefix: str = "") -> tuple[Integer, Integer, Integer, Integer]:
    cpu, cpus, memory, memories = (Integer.unknown(prefix + name) for name in ("cpu", "cpus", "memory", "memories"))
    return cpu, cpus, memory, memories


def from_0_to_10(score: Any) -> z3.BoolRef:
    return z3.And(term(score) >= 0, term(score) <= 10)


RATIO = requested_to_capacity_ratio(DEFAULT_SHAPE)
BY_AMOUNT = [
    pytest.param(least_requested, TENTH, -1, id="LeastRequested"),
    pytest.param(most_requested, TENTH, 1, id="MostRequested"),
    pytest.param(RATIO, HUNDREDTH, -1, id="RequestedToCapacityRatio"),
]
"""The priority, the largest capacity for which it is well behaved, and which way it goes as more is requested."""


@pytest.mark.parametrize(("priority", "largest", "_direction"), BY_AMOUNT)
def test_scores_are_from_0_to_10(priority: Score, largest: int, _direction: int, load: Any) -> None:
    unknown = cpu, cpus, memory, memories = amounts()
    given = [
        *(within(cpu, 0, INT64_MAX), within(memory, 0, INT64_MAX)),
        *(within(cpus, 0, largest), within(memories, 0, largest)),
    ]
    assert always(lambda: load(priority, unknown), given, from_0_to_10) == Proved()


@pytest.mark.parametrize(("priority", "largest", "_direction"), BY_AMOUNT[:2])
def test_one_byte_more_and_the_score_can_leave_its_range(
    priority: Score, largest: int, _direction: int, load: Any
) -> None:
    """Ten times the amount wraps around: a score below 0."""
    unknown = cpu, cpus, memory, memories = amounts()
    given = [cpu.term == 0, cpus.term == 0, within(memory, 0, INT64_MAX), memories.term == largest + 1]
    refuted = always(lambda: load(priority, unknown), given, from_0_to_10)
    assert isinstance(refuted, Refuted)
    witness = tuple(refuted[each] for each in unknown)
    assert load(priority, witness) < 0


def test_beyond_a_hundredth_the_ratio_can_go_the_wrong_way(load: Any) -> None:
    """A hundred times the free amount wraps around: the node counts as overfull, and as empty again when half full."""
    unknown = cpu, cpus, memory, memories = amounts()
    more = Integer.unknown("more memory")
    given = [
        *(cpu.term == 0, cpus.term == 0, memories.term == HUNDREDTH + 1),
        *(within(memory, 0, HUNDREDTH), more.term >= memory.term, more.term <= memories.term),
    ]
    refuted = both(
        lambda: load(RATIO, unknown),
        lambda: load(RATIO, (cpu, cpus, more, memories)),
        given,
        lambda less, fuller: term(fuller) <= term(less),
    )
    assert isinstance(refuted, Refuted)
    before, after = (tuple(refuted[each] for each in (cpu, cpus, held, memories)) for held in (memory, more))
    assert load(RATIO, after) > load(RATIO, before)


@pytest.mark.parametrize(("priority", "largest", "direction"), BY_AMOUNT)
def test_more_requested_never_moves_the_score_the_wrong_way(
    priority: Score, largest: int, direction: int, load: Any
) -> None:
    """As long as the amounts still fit the node: beyond that LeastRequested stays 0, and MostRequested falls to it."""
    before = cpu, cpus, memory, memories = amounts()
    more = Integer.unknown("more cpu")
    given = [
        *(within(cpu, 0, INT64_MAX), within(memory, 0, INT64_MAX)),
        *(within(cpus, 0, largest), within(memories, 0, largest)),
        *(more.term >= cpu.term, more.term <= cpus.term),
    ]
    claim = both(
        lambda: load(priority, before),
        lambda: load(priority, (more, cpus, memory, memories)),
        given,
        lambda old, new: (term(new) - term(old)) * direction >= 0,
    )
    assert claim == Proved()


def test_an_empty_node_that_overflows_scores_like_a_full_one() -> None:
    """The witness as a cluster: a node with just too much memory, and an empty one beside it."""
    huge = node("huge", allocatable={"memory": str(TENTH + 1)})
    situation = Situation(Cluster(nodes=(huge, node("usual"))), pod(requests={"cpu": "0", "memory": "0"}))
    scores = Reference().priority("LeastRequestedPriority", situation, {})
    assert scores == {"huge": 0, "usual": 10}


# --- a shape of one's own -------------------------------------------------------------------------


def shape(size: int) -> tuple[tuple[Point, ...], list[z3.BoolRef]]:
    """Any valid shape of so many points."""
    points = [(Integer.unknown(f"u{i}"), Integer.unknown(f"s{i}")) for i in range(size)]
    given = [z3.And(within(utilization, 0, 100), within(score, 0, 10)) for utilization, score in points]
    given += [one[0].term < other[0].term for one, other in pairwise(points)]
    return tuple(Point(u, s) for u, s in points), given  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_any_shape_stays_from_0_to_10(size: int) -> None:
    points, given = shape(size)
    percent = Integer.unknown("percent")
    assert always(lambda: score_at(points, percent), given, from_0_to_10) == Proved()  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_falling_shape_never_rises(size: int) -> None:
    points, given = shape(size)
    percent, more = Integer.unknown("percent"), Integer.unknown("more")
    given += [one.score.term >= other.score.term for one, other in pairwise(points)]  # type: ignore[attr-defined]
    claim = both(
        lambda: score_at(points, percent),  # type: ignore[arg-type]
        lambda: score_at(points, more),  # type: ignore[arg-type]
        [*given, percent.term <= more.term],
        lambda lower, higher: term(lower) >= term(higher),
    )
    assert claim == Proved()


# --- floating point -------------------------------------------------------------------------------


@pytest.fixture
def _floating(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_allocation, "float", symbolic_float, raising=False)
    monkeypatch.setattr(integers, "int", symbolic_int, raising=False)


def double(value: Any) -> z3.FPRef:
    return value.term if isinstance(value, Double) else z3.FPVal(value, z3.Float64())


def at_least_0(share: Any) -> z3.BoolRef:
    """A number, and not negative."""
    return z3.fpGEQ(double(share), double(0.0))


def an_amount(value: Double) -> z3.BoolRef:
    """Of one unit or more, as a double."""
    return z3.And(z3.fpGEQ(value.term, double(1.0)), z3.fpLEQ(value.term, double(2.0**63)))


def test_an_amount_as_a_double_is_0_or_from_1_to_2_to_the_63() -> None:
    """What comes between: 2^63 - 1 is rounded up."""
    amount = Word.unknown("amount")
    value = amount.as_double()
    is_0 = z3.And((value == 0.0).term, amount.term == 0)
    assert proof(z3.Or(is_0, z3.And(an_amount(value), amount.term != 0)), [amount.term >= 0]) == Proved()


@pytest.mark.usefixtures("_floating")
@pytest.mark.parametrize("wanted", [0.0, Double.unknown("wanted")], ids=["nothing wanted", "some wanted"])
@pytest.mark.parametrize("there", [0.0, Double.unknown("there")], ids=["nothing there", "some there"])
def test_a_share_is_never_negative(wanted: Any, there: Any) -> None:
    """Of any two amounts as they are proved to be above: the balance may be sure of it."""
    given = [an_amount(value) for value in (wanted, there) if isinstance(value, Double)]
    assert always(lambda: resource_allocation._fraction(wanted, there), given, at_least_0) == Proved()


@pytest.mark.usefixtures("_floating")
def test_the_balance_is_from_0_to_10() -> None:
    cpu, memory = Double.unknown("cpu"), Double.unknown("memory")
    given = [at_least_0(cpu), at_least_0(memory)]
    assert always(lambda: resource_allocation._balance(cpu, memory, 10), given, from_0_to_10) == Proved()  # type: ignore[arg-type]


def below_1(share: Double) -> z3.BoolRef:
    """And not negative."""
    return z3.And(at_least_0(share), (share < 1.0).term)


@pytest.mark.usefixtures("_floating")
def test_the_more_even_the_better() -> None:
    """The distance of two shares is below 1; and of any two such distances the smaller one scores no less."""
    cpu, memory, near, far = (Double.unknown(name) for name in ("cpu", "memory", "near", "far"))
    shares = [below_1(cpu), below_1(memory)]
    distance = abs(cpu - memory)
    assert proof(below_1(distance), shares) == Proved()
    paths = explored(lambda: resource_allocation._balance(cpu, memory, 10), shares)  # type: ignore[arg-type]
    [path] = (each for each in paths if each.result is not INT64_MIN)  # which is not from 0 to 10
    even, uneven = (z3.substitute(term(path.result), (distance.term, each.term)) for each in (near, far))
    assert proof(even >= uneven, [below_1(near), below_1(far), (near <= far).term]) == Proved()


def test_an_amount_below_0_unbalances_without_end() -> None:
    """Why amounts must not be negative: requests that add up to more than 64 bits are."""
    assert balanced_score(cpu=-5, memory=0) < 0


def balanced_score(cpu: int, memory: int) -> int:
    fraction = resource_allocation._fraction
    return resource_allocation._balance(fraction(cpu, 1), fraction(memory, 1), 10)


# --- normalization and sampling -------------------------------------------------------------------


@pytest.mark.parametrize("reverse", [False, True])
def test_normalizing_keeps_or_reverses_the_order_and_stays_from_0_to_10(reverse: bool) -> None:
    counts = [Integer.unknown(f"count {i}") for i in range(3)]
    given = [within(count, 0, TENTH) for count in counts]

    def ordered(scores: list[Any]) -> z3.BoolRef:
        low, high = (1, 0) if reverse else (0, 1)
        rising = z3.Implies(counts[0].term <= counts[1].term, term(scores[low]) <= term(scores[high]))
        return z3.And(rising, *map(from_0_to_10, scores))

    assert always(lambda: normalized(counts, 10, reverse=reverse), given, ordered) == Proved()  # type: ignore[arg-type]


@pytest.mark.parametrize(("counts", "reverse", "scores"), [([-5, 3], True, [26, 0]), ([TENTH + 1], False, [-9])])
def test_negative_and_huge_counts_are_normalized_out_of_range(
    counts: list[int], reverse: bool, scores: list[int]
) -> None:
    """S-017 truncates toward zero and wraps; no priority of v1.15 counts below 0."""
    assert normalized(counts, 10, reverse=reverse) == scores


def test_no_sample_is_smaller_than_100_or_larger_than_the_cluster() -> None:
    """For every number of nodes and percentage that 32 bits hold, even where their product wraps."""
    nodes, percentage = Integer.unknown("nodes"), Integer.unknown("percentage")
    given = [within(nodes, 0, 2**31 - 1), within(percentage, -(2**31), 2**31 - 1)]

    def bounded(wanted: Any) -> z3.BoolRef:
        return z3.And(term(wanted) <= nodes.term, term(wanted) >= z3.If(nodes.term < 100, nodes.term, 100))

    assert always(lambda: num_feasible_nodes_to_find(nodes, percentage), given, bounded) == Proved()  # type: ignore[arg-type]


def test_a_larger_percentage_finds_no_fewer_nodes_up_to_21_million() -> None:
    nodes, percentage, more = (Integer.unknown(name) for name in ("nodes", "percentage", "more"))
    limit = (2**31 - 1) // 99
    given = [within(nodes, 0, limit), within(percentage, 1, 99), within(more, 1, 99), percentage.term <= more.term]
    claim = both(
        lambda: num_feasible_nodes_to_find(nodes, percentage),  # type: ignore[arg-type]
        lambda: num_feasible_nodes_to_find(nodes, more),  # type: ignore[arg-type]
        given,
        lambda fewer, wanted: term(fewer) <= term(wanted),
    )
    assert claim == Proved()
    assert num_feasible_nodes_to_find(limit + 1, 98) > num_feasible_nodes_to_find(limit + 1, 99) == 100


def test_balanced_runs_as_a_whole(load: Any) -> None:
    """The parts proved above are what the priority is made of."""
    assert load(balanced_resource_allocation, (5, 10, 5, 10)) == 10
    assert load(balanced_resource_allocation, (9, 10, 1, 10)) == 1
