"""Where kube-scheduler may choose, another choice is no difference; where it may not, it is one."""

from typing import Any

from attrs import evolve

from model.api.configuration import Configuration
from model.api.protocol import Api, Event, Scheduler, StartCycle
from model.engine import Reference
from model.scheduler import ModelScheduler
from model.semantics import Semantics
from oracle.compare import compare
from oracle.compare.decisions import allowed
from oracle.strategies import case_from_seed
from tests.building import node, pod

CASES = [case_from_seed("e2e", f"judge/{number}") for number in range(60)]


class OtherTies(Reference):
    """As the reference, with other choices among equals."""

    canonical = False

    def scheduler(self, configuration: Configuration) -> Scheduler:
        return _OtherTies(evolve(self.semantics(configuration), tie_breaker=max))


class _OtherTies(ModelScheduler):
    def handle(self, event: Event, api: Api) -> None:
        if isinstance(event, StartCycle):
            self._state = evolve(self._state, last_node_index=self._state.last_node_index + 1)
        super().handle(event, api)


class SecondBest(Reference):
    """Takes any feasible node."""

    canonical = False

    def semantics(self, configuration: Configuration) -> Semantics:
        return evolve(super().semantics(configuration), priorities=())


def test_other_choices_are_followed_to_the_end() -> None:
    assert [compare(case, OtherTies()) for case in CASES] == [None] * len(CASES)


def test_they_do_differ_from_the_choices_of_the_reference() -> None:
    class Strict(OtherTies):
        canonical = True

    assert any(compare(case, Strict()) for case in CASES)


def test_a_host_that_is_not_among_the_best_is_a_difference() -> None:
    case: dict[str, Any] = {
        "kind": "e2e",
        "cluster": {
            "nodes": [node("n1", cpu="2").document, node("n2", cpu="4").document],
            "pods": [pod("p1", cpu="1", schedulerName="default-scheduler").document],
        },
        "events": [{"op": "scheduleOne"}],
    }
    divergence = compare(case, SecondBest())
    assert divergence is not None
    assert divergence.difference.expected == {"bind": {"pod": "default/p1", "node": "n2"}}
    assert divergence.difference.actual == {"bind": {"pod": "default/p1", "node": "n1"}}


def test_a_tied_node_to_preempt_on_comes_with_its_own_victims() -> None:
    expected = {
        "nodeTies": ["n1", "n2"],
        "node": "n1",
        "victims": ["a"],
        "perNode": {"n1": {"victims": ["a"]}, "n2": {"victims": ["b"]}},
        "nominatedPodsToClear": [],
        "nominatedPodsToClearByTie": {"n1": [], "n2": ["c"]},
    }
    assert allowed(expected, {"node": "n2"}) == {"node": "n2", "victims": ["b"], "nominatedPodsToClear": ["c"]}
    assert allowed(expected, {"node": "n3"}) == {}
