"""Recorded runs of the scheduler cache.

Assumed pods expire in an order that the real cache leaves to chance.  From the step on where that order shows, the
order of nodes and pods is not compared, except with an engine that declares itself `canonical`: it expires them in
ascending order of UIDs, as the record does.
"""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from model.api.clock import Instant
from model.api.components import CacheComponent, CacheState, Engine, NodeAggregate, Operation, Outcome, SnapshotState
from model.api.objects import Node, Pod
from model.api.protocol import Crash
from model.api.resources import Resources
from oracle.conform.recorded import Objects, expanded
from oracle.conform.verdict import Difference, first_difference


@frozen
class Tables:
    pods: Objects
    nodes: Objects


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference; None where all agree, as far as the record binds."""
    cache, tables = engine.cache(case["ttlMs"]), Tables(Objects(case["pods"], Pod), Objects(case["nodes"], Node))
    canonical = getattr(engine, "canonical", False)
    loose_from = None if canonical else case["expect"]["orderSensitiveFrom"]
    for at, (recorded, (step, state)) in enumerate(zip(case["ops"], expanded(case["expect"]["steps"]), strict=True)):
        where = f"steps[{at}] {recorded['op']}"
        try:
            outcome = perform(cache, recorded, tables)
        except Crash as crash:
            return None if "fatal" in step else Difference(f"{where}.crash", None, str(crash))
        if "fatal" in step:
            return Difference(f"{where}.crash", step["fatal"], None)
        expected: Mapping[str, Any] = {**state, **_expected_answer(step, state)}
        actual: Mapping[str, Any] = {**recorded_state(cache.state(), tables), **recorded_answer(outcome, tables)}
        if loose_from is not None and at >= loose_from:
            expected, actual = without_order(expected), without_order(actual)
        if (difference := first_difference(where, expected, actual)) is not None:
            return difference
    return None


def perform(cache: CacheComponent, recorded: Mapping[str, Any], tables: Tables) -> Outcome:
    """The walk of a whole scheduling cycle is as many steps in the node tree as it counts nodes."""
    name = recorded["op"]
    if name in ("NodeTreeNext", "ListNodes"):
        steps = recorded["count"] if name == "NodeTreeNext" else cache.state().num_nodes
        return Outcome(result=[cache.apply(Operation("NodeTreeNext", Instant(0))).result for _ in range(steps)])
    of_nodes = name in ("AddNode", "UpdateNode", "RemoveNode")
    table = tables.nodes if of_nodes else tables.pods
    old, new = table.get(recorded.get("old")), table.get(recorded.get("new"))
    return cache.apply(
        Operation(
            name,
            Instant(recorded.get("ms", 0)),
            pod=tables.pods.get(recorded.get("pod")),
            old=None if of_nodes else old,
            new=None if of_nodes else new,
            node=tables.nodes.get(recorded["node"]) if of_nodes and "node" in recorded else None,
            old_node=old if of_nodes else None,
            new_node=new if of_nodes else None,
            node_name=recorded["node"] if name == "FilteredList" else "",
            snapshot=recorded.get("snapshot", ""),
            selector=recorded.get("selector"),
        )
    )


def _expected_answer(step: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any]:
    answer: dict[str, Any] = {"err": step["err"], "result": step.get("result"), "snapshot": None}
    if step["err"] is not None:
        answer["result"] = None
    if "snapshot" in step:
        entries = step["snapshot"]["nodes"].items()
        nodes = {name: state["nodes"][name] if entry == "=" else entry for name, entry in entries}
        answer["snapshot"] = {"recloned": sorted(step["snapshot"]["recloned"]), "nodes": nodes}
    return answer


def recorded_answer(outcome: Outcome, tables: Tables) -> Mapping[str, Any]:
    """What comes along with an error is no answer."""
    if outcome.error is not None:
        return {"err": outcome.error, "result": None, "snapshot": None}
    match outcome.result:
        case SnapshotState(recloned=recloned, nodes=nodes):
            entries = {name: _recorded_node(info, tables) for name, info in nodes.items()}
            return {"err": None, "result": None, "snapshot": {"recloned": sorted(recloned), "nodes": entries}}
        case Pod() as pod:
            result: Any = tables.pods.reference(pod)
        case tuple() as pods:
            result = sorted(tables.pods.references(pods))
        case other:
            result = other
    return {"err": None, "result": result, "snapshot": None}


def recorded_state(state: CacheState, tables: Tables) -> Mapping[str, Any]:
    return {
        "nodes": {name: _recorded_node(info, tables) for name, info in state.nodes.items()},
        "list": list(state.recent),
        "generationDescending": True,
        "assumed": sorted(state.assumed),
        "podStates": {
            uid: {
                "pod": tables.pods.reference(cached.pod),
                "bindingFinished": cached.binding_finished,
                "deadlineMs": cached.deadline.ms if cached.deadline else None,
            }
            for uid, cached in state.pods.items()
        },
        "imageStates": {name: {"size": size, "nodes": sorted(nodes)} for name, (size, nodes) in state.images.items()},
        "nodeTree": {
            "zones": [
                {"zone": zone.zone, "nodes": list(zone.nodes), "lastIndex": zone.last_index} for zone in state.zones
            ],
            "zoneIndex": state.zone_index,
            "numNodes": state.num_nodes,
            "order": list(state.tree_order),
        },
    }


def _recorded_node(info: NodeAggregate, tables: Tables) -> Mapping[str, Any]:
    return {
        "hasNode": info.node is not None,
        "node": tables.nodes.reference(info.node),
        "pods": tables.pods.references(info.pods),
        "podsWithAffinity": tables.pods.references(info.pods_with_affinity),
        "requested": _recorded_resources(info.requested),
        "allocatable": _recorded_resources(info.allocatable),
        "nonzero": {"milliCPU": info.nonzero.milli_cpu, "memory": info.nonzero.memory},
        "usedPorts": sorted(info.used_ports),
        "taints": [dict(taint) for taint in info.taints],
        "imageStates": {
            name: {"size": image.size, "numNodes": image.num_nodes} for name, image in info.image_states.items()
        },
        "conditions": dict(info.conditions),
    }


def _recorded_resources(amounts: Resources) -> Mapping[str, Any]:
    return {
        "milliCPU": amounts.milli_cpu,
        "memory": amounts.memory,
        "ephemeralStorage": amounts.ephemeral_storage,
        "allowedPodNumber": amounts.allowed_pods,
        "scalar": dict(amounts.scalars),
    }


def without_order(recorded: Mapping[str, Any]) -> Mapping[str, Any]:
    """Sorted, wherever the order in which assumed pods expired may show."""
    loose = {**recorded, "list": sorted(recorded["list"]), "nodes": _without_pod_order(recorded["nodes"])}
    if recorded["snapshot"]:
        nodes = _without_pod_order(recorded["snapshot"]["nodes"])
        loose["snapshot"] = {**recorded["snapshot"], "nodes": nodes}
    return loose


def _without_pod_order(nodes: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        name: {**node, "pods": sorted(node["pods"]), "podsWithAffinity": sorted(node["podsWithAffinity"])}
        for name, node in nodes.items()
    }
