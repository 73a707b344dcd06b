"""How full a node is, as bars of a picture."""

from collections.abc import Iterator

from attrs import frozen

from model.api.objects import Pod
from model.api.resources import Resources, pod_request
from model.node_info import NodeInfo, volume_limits
from oracle.report.amounts import listed, short_amount
from oracle.report.measures import BAR_WIDTH, cut

MOST_SCALARS = 3
_ALWAYS = ("cpu", "memory", "pods")


@frozen
class Bar:
    """`used` and `asked`: widths; `asked` begins where `used` ends and is cut at the bar's end where it `overflows`."""

    name: str
    text: str
    title: str
    used: float
    asked: float
    overflows: bool


def bars(info: NodeInfo, pod: Pod | None) -> Iterator[Bar]:
    asked = dict(_amounts(pod_request(pod))) if pod else {}
    limits = volume_limits(info)
    used, there = dict(_amounts(info.requested)), dict(_amounts(info.allocatable))
    used["pods"], there["pods"], asked["pods"] = len(info.pods), info.allocatable.allowed_pods, 1 if pod else 0
    scalars = [name for name in sorted(there.keys() | used.keys()) if name not in _ALWAYS and name not in limits]
    wanted = sorted(scalars, key=lambda name: (not asked.get(name), not used.get(name), name))[:MOST_SCALARS]
    for name in (*_ALWAYS, *(n for n in wanted if there.get(n) or used.get(n) or asked.get(n))):
        yield _bar(name, used.get(name, 0), there.get(name, 0), asked.get(name, 0))


def _amounts(resources: Resources) -> Iterator[tuple[str, int]]:
    return ((a.resource, a.value) for a in listed(resources))


def _bar(name: str, used: int, there: int, asked: int) -> Bar:
    def width(value: int) -> float:
        return round(BAR_WIDTH * min(max(value / there, 0), 1), 1) if there > 0 else BAR_WIDTH if value > 0 else 0

    filled = width(used)
    title = f"{name}: {short_amount(name, used)} of {short_amount(name, there)} taken"
    if asked:
        title += f", the pod asks for {short_amount(name, asked)}"
    return Bar(
        name=cut(name.rpartition("/")[2], 60, 6.2),
        text=f"{short_amount(name, used)}/{short_amount(name, there)}",
        title=title,
        used=filled,
        asked=round(min(width(asked), BAR_WIDTH - filled), 1),
        overflows=bool(asked) and used + asked > there,
    )
