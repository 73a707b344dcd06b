"""What the workloads cost kube-scheduler v1.15.3: CPU ms per pod on two cores, Go 1.19, with 16 workers."""

from collections.abc import Mapping

_ADAPTIVE, _ALL = 0, 100
_COLUMNS = ((100, _ADAPTIVE), (100, _ALL), (1000, _ADAPTIVE), (1000, _ALL), (5000, _ADAPTIVE), (5000, _ALL))
_CPU_MS: Mapping[str, tuple[float, ...]] = {
    "plain": (0.163, 0.162, 0.712, 1.41, 1.76, 8.13),
    "anti-affinity": (1.54, 1.54, 4.63, 5.29, 9.03, 17.0),
    "preferred-affinity": (8.18, 8.81, 34.5, 68.6, 29.8, 294),
    "required-affinity": (5.47, 5.64, 17.1, 34.6, 20.6, 152),
    "spread": (0.227, 0.237, 0.786, 1.45, 2.23, 7.96),
    "node-affinity": (0.310, 0.302, 1.89, 2.96, 3.50, 15.6),
    "unschedulable": (0.148, 0.152, 0.813, 1.28, 2.76, 7.15),
    "unschedulable-all": (0.124, 0.112, 1.04, 1.04, 5.93, 5.60),
    "preemption": (0.631, 0.608, 6.55, 7.04, 60.0, 59.8),
}


def original_cpu_ms(workload: str, nodes: int, percentage: int) -> float | None:
    """None for a size that was not measured."""
    if workload in _CPU_MS and (nodes, percentage) in _COLUMNS:
        return _CPU_MS[workload][_COLUMNS.index((nodes, percentage))]
    return None
