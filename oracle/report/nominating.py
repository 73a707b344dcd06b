"""Why the reference has pods nominated as it has."""

from collections.abc import Iterator, Mapping

from model.api.objects import Pod
from oracle.compare.divergence import Record
from oracle.report.because import Because


def because_of_nominations(
    operation: Record, expected: Record, actual: Record, pods: Mapping[str, Pod]
) -> Iterator[Because]:
    """`operation`: on a queue; `pods`: by the names that it uses."""
    wanted, found = (record.get("nominated", {}) for record in (expected, actual))
    for node in dict.fromkeys([*wanted, *found]):
        here, there = wanted.get(node, ()), found.get(node, ())
        for name in (name for name in here if name not in there):
            yield from _kept(operation, name, node, pods)
        for name in (name for name in there if name not in here):
            yield from _gone(operation, name, node)


def _kept(operation: Record, name: str, node: str, pods: Mapping[str, Pod]) -> Iterator[Because]:
    old, new = pods.get(str(operation.get("old"))), pods.get(str(operation.get("new")))
    if name not in pods:
        return
    if operation["op"] == "Update" and old and new and not _named(old) and not _named(new):
        why = f"Neither version that Update is given names a node, but {new.key} is nominated to {node} in memory"
        yield Because(f"{why}: such a nomination stays.", ("Q-032",))
    elif _named(pods[name]) == node:
        yield Because(f"{name} is nominated to {node}: its status names that node.", ("Q-031", "Q-038"))


def _gone(operation: Record, name: str, node: str) -> Iterator[Because]:
    if not node:
        yield Because(f"{name} is nominated nowhere: neither the caller nor its status names a node.", ("Q-031",))
    elif operation["op"] == "Delete":
        yield Because(f"{name} is deleted, and its nomination to {node} goes with it.", ("Q-055", "Q-030"))


def _named(pod: Pod) -> str:
    return pod.status.nominated_node_name
