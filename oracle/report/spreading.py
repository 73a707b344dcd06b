"""What spreading goes by: how many pods on a node the selectors of this pod match."""

from collections.abc import Iterable

from model.priorities.inputs import matching_pods, pod_selectors
from oracle.report.witness import Cycle

SPREADING = "SelectorSpreadPriority"


def spread_over(cycle: Cycle, nodes: Iterable[str]) -> str:
    """A sentence that goes on after another.  [S-022, S-055]"""
    selectors = pod_selectors(cycle.attempt)
    if not selectors:
        return ". No service or controller selects the pod"
    infos = [info for node in nodes if (info := cycle.attempt.snapshot.get(node))]
    wholly = matching_pods(cycle.attempt, infos, selectors)
    each_alone = [list(matching_pods(cycle.attempt, infos, [selector])) for selector in selectors]
    if len(selectors) == 1:
        said = [
            f"{count} of the {len(info.pods)} pods on {info.name}" for info, count in zip(infos, wholly, strict=True)
        ]
        return f". One selector of a service or controller selects the pod; it matches {', '.join(said)}"
    said = [
        f"on {info.name} {' and '.join(map(str, alone))} of {len(info.pods)} pods, all of them together {count}"
        for info, count, *alone in zip(infos, wholly, *each_alone, strict=True)
    ]
    return f". {len(selectors)} selectors of services and controllers select the pod; they match {'; '.join(said)}"
