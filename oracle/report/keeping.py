"""Why the reference counts pods on nodes, or keeps nominations, as it does."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.objects import Pod
from oracle.report.because import Because

Record = Mapping[str, Any]


def because_of_counts(before: Record, expected: Record, actual: Record) -> Iterator[Because]:
    refused = [effect["bindError"] for effect in expected.get("effects", ()) if "bindError" in effect]
    for said in refused:
        if said["pod"] in actual.get("assumed", ()) and said["pod"] not in expected.get("assumed", ()):
            why = f"The API server refused to bind {said['pod']} to {said['node']}"
            yield Because(
                f"{why}: the pod is forgotten, neither assumed nor counted there any more.", ("L-097", "C-014", "C-017")
            )
    counted, wanted, found = _pods(before), _pods(expected), _pods(actual)
    for node, pods in wanted.items():
        other = found.get(node, [])
        if pods != other and sorted(pods) == sorted(other) and len(counted.get(node, ())) > len(pods):
            gone = ", ".join(pod for pod in counted[node] if pod not in pods)
            yield Because(f"{gone} has left {node}: the last of the pods counted there takes its place.", ("O-093",))


def because_of_nominations(
    operation: Record, expected: Record, actual: Record, pods: Mapping[str, Pod]
) -> Iterator[Because]:
    """Of an update, the only one that keeps what no object says."""
    old, new = pods.get(str(operation.get("old"))), pods.get(str(operation.get("new")))
    if operation.get("op") != "Update" or old is None or new is None:
        return
    if old.status.nominated_node_name or new.status.nominated_node_name:
        return
    for node, nominated in expected.get("nominated", {}).items():
        if operation["new"] in nominated and operation["new"] not in actual.get("nominated", {}).get(node, ()):
            why = f"Neither version that Update is given names a node, but {new.key} is nominated to {node} in memory"
            yield Because(f"{why}: such a nomination stays.", ("Q-032",))


def _pods(record: Record) -> Mapping[str, list[str]]:
    """Counted on each node."""
    entries = record.get("nodes", {})
    return record.get("cacheNodes") or {name: entry["pods"] for name, entry in entries.items()}
