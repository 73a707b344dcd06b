"""What happened to the cluster and no record tells of: where it may matter, nothing is called wrong."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from model.api.cluster import Cluster
from oracle.audit.records import Record
from oracle.audit.worlds import GRACE


def changes_without_record(before: Cluster, after: Cluster, records: Sequence[Record]) -> str:
    """The first of the differences between two dumps that no record explains, in words; "" if there is none."""
    later = {pod.key: pod for pod in after.pods}
    had_place = {pod.key for pod in before.pods if pod.spec.node_name}
    placed = {record.pod for record in records if record.kind == "Scheduled"}
    evicted = {record.pod for record in records if record.kind == "Preempted"}
    known = had_place | placed
    for pod in before.pods:
        if pod.key not in later and pod.key not in evicted and pod.key in known:
            return f"{pod.key} went, and no record tells when"
    for key, pod in later.items():
        if pod.spec.node_name and key not in known:
            return f"{key} came to {pod.spec.node_name}, and no record tells when"
    nodes = {node.name: _matters(node.document) for node in before.nodes}
    now = {node.name: _matters(node.document) for node in after.nodes}
    changed = (name for name in {**nodes, **now} if nodes.get(name) != now.get(name))
    return next((f"node {name} changed, and no record tells when" for name in changed), "")


def _matters(document: Mapping[str, Any]) -> object:
    """What a scheduler looks at."""
    metadata, status = document.get("metadata") or {}, document.get("status") or {}
    return metadata.get("labels"), document.get("spec"), status.get("allocatable")


class Strangers:
    """Pods of no dump that take up room: nobody knows how much."""

    def __init__(self) -> None:
        self._until: dict[str, datetime | None] = {}
        """When they are gone for sure; None while nothing ends them."""

    def come(self, pod: str) -> None:
        self._until[pod] = None

    def leave(self, pods: Sequence[str], at: datetime) -> None:
        self._until |= {pod: at + GRACE for pod in pods if pod in self._until}

    def doubt(self, at: datetime) -> str:
        """Why nothing is sure at that time, "" if they are all gone."""
        here = (pod for pod, until in self._until.items() if until is None or at <= until)
        return next((f"{pod} takes up room, and is in no dump" for pod in here), "")
