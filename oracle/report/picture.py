"""The cluster as a picture: what is drawn for each node, laid out; the drawing itself is a template."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from model.api.objects import Pod
from model.api.resources import container_sum
from model.attempt import Attempt
from model.node_info import NodeInfo, volume_limits
from oracle.compare.outcome import Outcome
from oracle.compare.places import NAMELESS
from oracle.printable import counted
from oracle.report.amounts import requests
from oracle.report.attached import attached
from oracle.report.capacity import Bar, bars
from oracle.report.measures import INNER, LINE, cut
from oracle.smt.changes import taint_text

MOST_PODS = 8
MOST_LABELS = 4
MOST_TAINTS = 4


@frozen
class Row:
    """One line in a node's box; `style`: what it is, in words of the style sheet; `badge`: a pod's priority."""

    text: str
    title: str
    style: str
    badge: str = ""


@frozen
class NodePicture:
    name: str
    shown_name: str
    state: str
    bars: tuple[Bar, ...]
    rows: tuple[Row, ...]

    @property
    def height(self) -> int:
        return 46 + LINE * (len(self.bars) + len(self.rows)) + 10

    @property
    def description(self) -> str:
        said = [f"node {self.name}{', ' + self.state if self.state else ''}"]
        return "; ".join(said + [bar.title for bar in self.bars] + [row.title for row in self.rows])


@frozen
class Zone:
    name: str
    nodes: tuple[NodePicture, ...]


@frozen
class Marks:
    """What this step is about: the pod and the attempt at it, where each side puts it, whom each evicts."""

    pod: Pod | None = None
    attempt: Attempt | None = None
    expected: Outcome = Outcome()
    actual: Outcome = Outcome()

    def evicts(self, pod: Pod) -> bool:
        return self.expected.evicts(pod) or self.actual.evicts(pod)


def draw(
    names: Sequence[str],
    nodes: Mapping[str, NodeInfo],
    marks: Marks,
    assumed: Iterable[str] = (),
    nominated: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Zone, ...]:
    """The named nodes in their zones, both in the order of the names."""
    zones: dict[str, list[NodePicture]] = {}
    for name in names:
        info = nodes[name]
        picture = _node(name, info, marks, frozenset(assumed), (nominated or {}).get(name, ()))
        zones.setdefault(zone_name(info.labels), []).append(picture)
    return tuple(Zone(zone, tuple(pictures)) for zone, pictures in zones.items())


def zone_name(labels: Mapping[str, str]) -> str:
    region, zone = (labels.get(f"failure-domain.beta.kubernetes.io/{part}", "") for part in ("region", "zone"))
    return " / ".join(part for part in (region, zone) if part)


def _node(name: str, info: NodeInfo, marks: Marks, assumed: frozenset[str], nominated: Sequence[str]) -> NodePicture:
    state = "no node object" if info.node is None else "unschedulable" if info.node.spec.unschedulable else ""
    rows = (
        *_taints(info),
        *_labels(name, info.labels),
        *_limits(info, marks.attempt),
        *_pods(info, marks, assumed),
        *(Row(cut(f"nominated: {key}"), f"{key} is nominated to {name}", "nominated") for key in nominated),
        *_placements(name, marks),
    )
    return NodePicture(
        name, cut(name or NAMELESS, INNER - (90 if state else 0), 7.6), state, tuple(bars(info, marks.pod)), rows
    )


# --- what is on the node --------------------------------------------------------------------------


def _taints(info: NodeInfo) -> Iterator[Row]:
    for taint in info.taints[:MOST_TAINTS]:
        text = taint_text(taint)
        yield Row(cut(f"taint {text}"), f"taint {text}", "taint")
    if len(info.taints) > MOST_TAINTS:
        yield _more(len(info.taints) - MOST_TAINTS, "taints")


def _labels(name: str, labels: Mapping[str, str]) -> Iterator[Row]:
    told = {"kubernetes.io/hostname": name}
    shown = [f"{k}={v}" for k, v in labels.items() if told.get(k) != v and not k.startswith("failure-domain.")]
    for text in shown[:MOST_LABELS]:
        yield Row(cut(text), f"label {text}", "label")
    if len(shown) > MOST_LABELS:
        yield _more(len(shown) - MOST_LABELS, "labels")


def _limits(info: NodeInfo, attempt: Attempt | None) -> Iterator[Row]:
    """Volumes that the node can attach, by type or driver; they are no resource of which pods take a share."""
    if attempt is not None:
        for each in attached(attempt, info):
            yield Row(cut(f"{each.kind}: {each.brief}"), f"volumes of {each.kind}: {each.state}", "label")
        return
    for name, limit in volume_limits(info).items():
        kind = name.removeprefix("attachable-volumes-").removeprefix("csi-")
        text = f"at most {counted(limit, 'volume')} of {kind}"
        yield Row(cut(text), text, "label")


def _pods(info: NodeInfo, marks: Marks, assumed: frozenset[str]) -> Iterator[Row]:
    """Victims first, then by priority."""
    listed_pods = sorted(info.pods, key=lambda pod: (not marks.evicts(pod), -pod.priority))
    for pod in listed_pods[:MOST_PODS]:
        style, said = _standing(pod, marks, assumed)
        asks = requests(container_sum(pod))
        title = f"pod {pod.key}, priority {pod.priority}{', ' + asks if asks else ''}{', ' + said if said else ''}"
        yield Row(cut(pod.key, INNER - 46), title, style, _badge(pod.priority))
    if len(listed_pods) > MOST_PODS:
        yield _more(len(listed_pods) - MOST_PODS, "pods")


def _standing(pod: Pod, marks: Marks, assumed: frozenset[str]) -> tuple[str, str]:
    expected, actual = marks.expected.evicts(pod), marks.actual.evicts(pod)
    if expected and actual:
        return "victim both", "evicted by both"
    if expected:
        return "victim expected", "evicted by v1.15.3 only"
    if actual:
        return "victim actual", "evicted by the scheduler under test only"
    if pod.is_terminating:
        return "terminating", "terminating"
    return ("assumed", "assumed") if pod.key in assumed else ("pod", "")


def _placements(name: str, marks: Marks) -> Iterator[Row]:
    """Where the two put the pod."""
    if marks.pod is None:
        return
    pod, badge = marks.pod.key, _badge(marks.pod.priority)
    sides = [side for side, host in (("expected", marks.expected.host), ("actual", marks.actual.host)) if host == name]
    if len(sides) == 2:
        yield Row(cut(pod, INNER - 46), f"both put {pod} here", "place both", badge)
    elif sides:
        who = "v1.15.3" if sides == ["expected"] else "the scheduler under test"
        yield Row(cut(pod, INNER - 46), f"{who} puts {pod} here", f"place {sides[0]}", badge)


def _badge(priority: int) -> str:
    return str(priority) if len(str(priority)) <= 5 else f"{priority:.0e}".replace("e+0", "e").replace("e+", "e")


def _more(count: int, what: str) -> Row:
    return Row(f"… {count} more {what}", f"{count} more {what}", "more")
