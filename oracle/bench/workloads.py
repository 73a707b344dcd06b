"""The nine workloads, as Kubernetes objects.  Every number is fixed, so every run has the same input."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import Factory, frozen

Document = dict[str, Any]
"""One object in Kubernetes' JSON form."""

HOSTNAME = "kubernetes.io/hostname"
ZONE = "failure-domain.beta.kubernetes.io/zone"
REGION = "failure-domain.beta.kubernetes.io/region"
GROUPS = 10


@frozen
class Workload:
    """`existing` and `measured` tell how many pods there are for so many nodes.

    `pod(prefix, i)` makes one; `places(nodes)` gives the nodes of the existing ones, in turn.
    """

    pod: Callable[[str, int], Document]
    existing: Callable[[int], int] = lambda nodes: 0
    measured: Callable[[int], int] = lambda nodes: 1000
    places: Callable[[int], Iterator[int]] = lambda nodes: scattered(nodes)
    services: list[Document] = Factory(list)
    refine: Callable[[Document, int, int], None] = lambda pod, i, nodes: None
    """Last touches to existing pod i."""
    preempt: bool = False


@frozen
class Input:
    """What a scheduler is fed before the measured pods, in order; made while it is read, as it may be large.

    `preempt`: pods that fail evict others.
    """

    workload: Workload
    node_count: int
    existing_count: int
    measured_count: int

    @property
    def preempt(self) -> bool:
        return self.workload.preempt

    @property
    def services(self) -> Iterable[Document]:
        return self.workload.services

    @property
    def nodes(self) -> Iterator[Document]:
        return map(node, range(self.node_count))

    @property
    def existing(self) -> Iterator[Document]:
        places = self.workload.places(self.node_count)
        for i in range(self.existing_count):
            pod = self.workload.pod("existing", i)
            pod["spec"]["nodeName"] = node_name(next(places))
            pod["status"] = {"phase": "Running"}
            self.workload.refine(pod, i, self.node_count)
            yield pod

    @property
    def measured(self) -> Iterator[Document]:
        return (self.workload.pod("pod", i) for i in range(self.measured_count))


def build(name: str, nodes: int, pods: int | None = None, existing: int | None = None) -> Input:
    """`pods` are measured, and `existing` ones are placed before, if not as many as the workload says."""
    workload = WORKLOADS[name]
    return Input(
        workload,
        nodes,
        workload.existing(nodes) if existing is None else existing,
        workload.measured(nodes) if pods is None else pods,
    )


def node_name(i: int) -> str:
    return f"node-{i:05d}"


def node(i: int) -> Document:
    """4 cpu, 32 GiB, 110 pods; three zones in turn."""
    amounts = {"cpu": "4", "memory": "32Gi", "pods": "110"}
    labels = {HOSTNAME: node_name(i), ZONE: f"zone-{i % 3}", REGION: "r1"}
    return {
        "metadata": {"name": node_name(i), "labels": labels},
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def pod(prefix: str, i: int, app: str, cpu: str = "100m", **spec: Any) -> Document:
    container = {
        "name": "pause",
        "image": "k8s.gcr.io/pause:3.1",
        "ports": [{"containerPort": 80}],
        "resources": {"requests": {"cpu": cpu, "memory": "500Mi"}},
    }
    name = f"{prefix}-{i:05d}"
    return {
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}", "labels": {"app": app}},
        "spec": {"schedulerName": "default-scheduler", "containers": [container], **spec},
    }


# --- placement of existing pods -------------------------------------------------------------------


def scattered(nodes: int) -> Iterator[int]:
    """A fixed pseudo-random sequence."""
    x = 12345
    while True:
        x = (x * 1103515245 + 12345) % 2**31
        yield x // 256 % nodes


def apart(nodes: int) -> Iterator[int]:
    """No two pods of a group on one node."""
    stride = max(1, nodes // 1000)
    i = 0
    while True:
        yield (i * stride + i // nodes) % nodes
        i += 1


def four_each(nodes: int) -> Iterator[int]:
    i = 0
    while True:
        yield i // 4 % nodes
        i += 1


# --- kinds of pods --------------------------------------------------------------------------------


def _required(app: str, key: str) -> list[Document]:
    return [{"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}]


def _plain(prefix: str, i: int) -> Document:
    return pod(prefix, i, "bench")


def _anti_affinity(prefix: str, i: int) -> Document:
    app = f"g{i % GROUPS}"
    required = {"requiredDuringSchedulingIgnoredDuringExecution": _required(app, HOSTNAME)}
    return pod(prefix, i, app, affinity={"podAntiAffinity": required})


def _preferred_affinity(prefix: str, i: int) -> Document:
    weighted = [{"weight": 1, "podAffinityTerm": _required("aff", ZONE)[0]}]
    return pod(
        prefix, i, "aff", affinity={"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": weighted}}
    )


def _required_affinity(prefix: str, i: int) -> Document:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": _required("aff", ZONE)}
    return pod(prefix, i, "aff", affinity={"podAffinity": required})


def _spread(prefix: str, i: int) -> Document:
    return pod(prefix, i, f"g{i % GROUPS}")


def _node_affinity(prefix: str, i: int) -> Document:
    zones = {"key": ZONE, "operator": "In", "values": ["zone-0", "zone-1"]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [zones]}]}
    return pod(
        prefix,
        i,
        "bench",
        affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}},
    )


def _too_large(prefix: str, i: int) -> Document:
    return pod(prefix, i, "bench", cpu="5")


def _too_picky(prefix: str, i: int) -> Document:
    return pod(prefix, i, "bench", nodeSelector={"disk": "ssd"})


def _one_in_five_fails(prefix: str, i: int) -> Document:
    return {4: _too_large, 9: _too_picky}.get(i % 10, _plain)(prefix, i)


def _all_fail(prefix: str, i: int) -> Document:
    return (_too_picky if i % 2 else _too_large)(prefix, i)


def _preemption(prefix: str, i: int) -> Document:
    if prefix == "existing":
        return pod(prefix, i, "low", cpu="900m", priority=0)
    return pod(prefix, i, "high", cpu="3", priority=10)


def _staggered(pod: Document, i: int, nodes: int) -> None:
    """No two start at once, so the choice of victims is unique."""
    seconds = 10 * ((i // 4 * 7919) % nodes) + i % 4
    started = datetime(2019, 12, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    pod["status"]["startTime"] = started.strftime("%Y-%m-%dT%H:%M:%SZ")


def _services() -> list[Document]:
    return [
        {
            "metadata": {"name": f"svc-{group}", "namespace": "default"},
            "spec": {"selector": {"app": f"g{group}"}, "ports": [{"port": 80}]},
        }
        for group in range(GROUPS)
    ]


WORKLOADS: Mapping[str, Workload] = {
    "plain": Workload(_plain),
    "anti-affinity": Workload(
        _anti_affinity,
        existing=lambda nodes: 500 if nodes <= 100 else 1000,
        measured=lambda nodes: 400 if nodes <= 100 else 1000,
        places=apart,
    ),
    "preferred-affinity": Workload(
        _preferred_affinity,
        existing=lambda nodes: 1000,
        measured=lambda nodes: 200 if nodes >= 5000 else 1000,
    ),
    "required-affinity": Workload(
        _required_affinity,
        existing=lambda nodes: 1000,
        measured=lambda nodes: 300 if nodes >= 5000 else 1000,
    ),
    "spread": Workload(_spread, existing=lambda nodes: 1000, services=_services()),
    "node-affinity": Workload(_node_affinity),
    "unschedulable": Workload(_one_in_five_fails),
    "unschedulable-all": Workload(_all_fail),
    "preemption": Workload(
        _preemption,
        existing=lambda nodes: 4 * nodes,
        measured=lambda nodes: max(1, min(nodes // 2, 500)),
        places=four_each,
        refine=_staggered,
        preempt=True,
    ),
}
