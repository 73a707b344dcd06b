"""Why the reference counts pods on nodes as it does."""

from collections import Counter
from collections.abc import Iterator, Mapping

from oracle.compare.divergence import Record
from oracle.report.because import Because


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
        for pod in (pod for pod, count in Counter(pods).items() if count > max(1, other.count(pod))):
            text = f"Two pods of the name {pod} are counted on {node}: pods are told apart by their UIDs."
            yield Because(text, ("C-003", "O-013"))
        if pods != other and sorted(pods) == sorted(other) and len(counted.get(node, ())) > len(pods):
            gone = ", ".join(pod for pod in counted[node] if pod not in pods)
            yield Because(f"{gone} has left {node}: the last of the pods counted there takes its place.", ("O-093",))


def _pods(record: Record) -> Mapping[str, list[str]]:
    """Counted on each node."""
    entries = record.get("nodes", {})
    return record.get("cacheNodes") or {name: entry["pods"] for name, entry in entries.items()}
