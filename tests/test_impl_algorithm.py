"""The optimized algorithm: recorded attempts, and that what it keeps between attempts never goes stale."""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest

from impl.algorithm import Algorithm
from impl.engine import Optimized
from impl.placement import placed
from impl.priorities.scorer import PriorityError
from impl.surroundings import Surroundings
from model.api.clock import Instant
from model.api.cluster import Cluster
from model.api.decode import amended, decode
from model.api.objects import Node, Pod
from model.api.protocol import Crash
from oracle.conform import preempt, schedule, single
from oracle.conform.situation import read_situation
from tests.samples import recorded, recorded_lines

JUDGES = {"schedule": schedule.judge, "preempt": preempt.judge}
ZONE = "failure-domain.beta.kubernetes.io/zone"


@pytest.mark.parametrize("case", recorded("schedule") + recorded("preempt") + recorded("single"))
def test_recorded_attempts(case: Mapping[str, Any]) -> None:
    assert JUDGES.get(case["kind"], single.judge)(case, Optimized()) is None


# --- kept and fresh -------------------------------------------------------------------------------


class History:
    """A cluster that changes step by step, under the eyes of one long-lived algorithm."""

    def __init__(self, case: Mapping[str, Any], seed: int) -> None:
        situation = read_situation(case)
        self.random = Random(seed)
        self.cluster: Cluster = situation.cluster
        self.configuration = situation.configuration
        self.known = Surroundings()
        for thing in self.cluster.having(nodes=(), pods=(), services=()):
            self.known.put(thing)
        self.kept = Algorithm(self.known, self.configuration)
        self.askers = [situation.pod, *(_unplaced(pod) for pod in self.cluster.pods[:3])]
        self.to_come = [*self.cluster.nodes, *self.cluster.services, *self.cluster.pods]
        self.there: list[Pod] = []
        self.rivals = [
            amended(asker, {"metadata": {"name": f"rival-{i}", "uid": f"rival-{i}"}, "spec": {"priority": 10 * i}})
            for i, asker in enumerate(self.askers)
        ]

    def step(self) -> None:
        changes = [self.shrink, self.relabel, self.taint, self.terminate, self.assume, self.nominate, self.nominate]
        self.random.choice([*[self.grow] * 3, *changes])()

    def grow(self) -> None:
        if not self.to_come:
            return
        thing = self.to_come.pop(self.random.randrange(len(self.to_come)))
        if not isinstance(thing, Pod):
            self.known.put(thing)
            if isinstance(thing, Node):
                self.known.cache.add_node(thing)
        elif thing.spec.node_name:
            self.known.cache.add_pod(thing)
            self.there.append(thing)
        else:
            self.known.queue.add(thing, Instant(0))

    def shrink(self) -> None:
        if self.there:
            self.known.cache.remove_pod(self.there.pop(self.random.randrange(len(self.there))))

    def relabel(self) -> None:
        self._update_node({"metadata": {"labels": {ZONE: self.random.choice(["z1", "z9", None]), "disk": "hdd"}}})

    def taint(self) -> None:
        effect = self.random.choice(["NoSchedule", "PreferNoSchedule"])
        self._update_node({"spec": {"taints": [{"key": "k", "effect": effect}], "unschedulable": effect == "x"}})

    def _update_node(self, patch: Mapping[str, Any]) -> None:
        if self.known.stores.nodes:
            old = self.random.choice(list(self.known.stores.nodes.values()))
            new = amended(old, patch)
            self.known.put(new)
            self.known.cache.update_node(old, new)

    def terminate(self) -> None:
        if self.there:
            at = self.random.randrange(len(self.there))
            new = amended(self.there[at], {"metadata": {"deletionTimestamp": "2020-01-01T00:00:00Z"}})
            self.known.cache.update_pod(self.there[at], new)
            self.there[at] = new

    def nominate(self) -> None:
        """Or withdraw a nomination, or move it."""
        if self.known.stores.nodes:
            node = self.random.choice(["", *self.known.stores.nodes])
            pod = self.random.choice(self.rivals)
            self.known.queue.nominations.delete(pod)
            if node:
                self.known.queue.nominations.add(pod, node)

    def assume(self) -> None:
        if self.known.stores.nodes:
            node = self.random.choice(list(self.known.stores.nodes))
            uid = f"assumed-{self.random.random()}"
            pod = amended(self.askers[0], {"metadata": {"uid": uid, "name": uid}})
            self.known.cache.assume_pod(placed(pod, node))


def _unplaced(pod: Pod) -> Pod:
    return amended(pod, {"spec": {"nodeName": None}, "metadata": {"name": pod.name + "-again", "uid": "again"}})


def view(algorithm: Algorithm, pod: Pod) -> Mapping[str, Any]:
    """All that the algorithm thinks of the nodes for one pod, by node name."""
    algorithm.surroundings.cache.recency.refresh(algorithm.table)
    prepared = algorithm.preparations.of(pod)
    table, nominated = algorithm.table, algorithm.surroundings.queue.nominated
    rows = np.array([row for _, row in sorted(table.row_of.items())], np.int64)
    names = sorted(table.row_of)
    codes = [prepared.feasibility.code(table.row_of[name], nominated.get(name, ())) for name in names]
    verdicts = [algorithm.outcomes[code] for code in codes]
    column = prepared.feasibility.codes()
    if column is not None:
        alone = [prepared.feasibility.code(table.row_of[name], ()) for name in names]
        assert [algorithm.outcomes[code] for code in column[rows].tolist()] == [algorithm.outcomes[c] for c in alone]
    try:
        scores: Any = prepared.scoring.totals(rows).tolist() if names else []
    except (Crash, PriorityError) as error:
        scores = str(error)
    candidates = prepared.preemption.candidates(pod, rows)
    victims = {prepared.preemption.name(row): prepared.preemption.victims(row) for row in candidates.tolist()}
    return {"verdicts": dict(zip(names, verdicts, strict=True)), "scores": scores, "victims": victims}


@pytest.mark.parametrize("kind", ["schedule", "preempt"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_equals_what_is_found_anew(kind: str, seed: int) -> None:
    for number, case in enumerate(recorded_lines(kind)[seed::12]):
        if len(case["cluster"].get("nodes", ())) > 12:
            continue
        history = History(case, 100 * seed + number)
        with np.errstate(all="ignore"):
            for _ in range(25):
                history.step()
                pod = history.random.choice(history.askers)
                fresh = Algorithm(history.known, history.configuration)
                assert view(history.kept, pod) == view(fresh, pod), case["id"]


# --- details --------------------------------------------------------------------------------------


def test_a_placed_pod_is_what_decoding_would_give() -> None:
    case = recorded_lines("schedule")[0]
    pod = decode(case["pod"], Pod)
    copy = placed(pod, "n1")
    assert copy == amended(pod, {"spec": {"nodeName": "n1"}})
    assert copy.spec == amended(pod, {"spec": {"nodeName": "n1"}}).spec
    assert not pod.spec.node_name
