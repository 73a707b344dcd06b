"""The pods nominated to run on a node once preemption has made room for them.  [Q-030..Q-038]"""

from collections.abc import Mapping

from attrs import Factory, frozen

from model.api.objects import Pod
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.quirks import EVERY, Quirks, quirk
from model.rules import declare, rule

quirk("Q-033", "Updating the nomination of a pod whose old version is not given ends the process")
quirk("Q-038", "A nomination kept in memory is lost when the pod is put into the queue without it in its status")

declare("O-014", "A nomination is found by UID, which pods without one share", __name__)


@frozen
class Nominations:
    """`by_node`: node name -> pods in order of nomination; `node_of`: pod UID -> node name."""

    by_node: Mapping[str, tuple[Pod, ...]] = Factory(dict)
    node_of: Mapping[str, str] = Factory(dict)


@rule("Q-030", "A nomination is taken back by UID; the others on the node keep their order")
def delete_nomination(nominations: Nominations, pod: Pod) -> Nominations:
    node = nominations.node_of.get(pod.uid)
    if node is None:
        return nominations
    by_node, node_of = dict(nominations.by_node), dict(nominations.node_of)
    del node_of[pod.uid]
    others = _without_first(by_node.pop(node), pod.uid)
    return Nominations({**by_node, node: others} if others else by_node, node_of)


def _without_first(pods: tuple[Pod, ...], uid: str) -> tuple[Pod, ...]:
    at = next(i for i, pod in enumerate(pods) if pod.uid == uid)
    return pods[:at] + pods[at + 1 :]


@rule("Q-031", "A pod is nominated to the node given, else to the one in its status, and to no other")
def add_nomination(nominations: Nominations, pod: Pod, node: str) -> Nominations:
    others = delete_nomination(nominations, pod)
    target = node or pod.status.nominated_node_name
    if not target:
        return others
    return Nominations(
        {**others.by_node, target: (*others.by_node.get(target, ()), pod)}, {**others.node_of, pod.uid: target}
    )


@rule("Q-032", "An update keeps a nomination made in memory while neither version carries one in its status")
def update_nomination(nominations: Nominations, old: Pod | None, new: Pod, quirks: Quirks = EVERY) -> Nominations:
    """Raises Crash."""
    if old is None:
        return _update_from_nothing(nominations, new, quirks)
    told = old.status.nominated_node_name or new.status.nominated_node_name
    kept = "" if told else nominations.node_of.get(old.uid, "")
    return add_nomination(delete_nomination(nominations, old), new, kept)


@rule("Q-033", "There is no update without an old version: the process ends")
def _update_from_nothing(nominations: Nominations, new: Pod, quirks: Quirks) -> Nominations:
    if "Q-033" in quirks:
        raise Crash(NIL_DEREFERENCE)
    return add_nomination(nominations, new, "")


@rule("Q-038", "A pod that enters the queue is nominated anew from its status: what only memory knew is lost")
def renominate(nominations: Nominations, pod: Pod, quirks: Quirks = EVERY) -> Nominations:
    return add_nomination(nominations, pod, "" if "Q-038" in quirks else _remembered(nominations, pod))


def _remembered(nominations: Nominations, pod: Pod) -> str:
    return "" if pod.status.nominated_node_name else nominations.node_of.get(pod.uid, "")


@rule("Q-034", "The nominated pods of a node, in list order")
def nominated_pods(nominations: Nominations, node: str) -> tuple[Pod, ...]:
    return nominations.by_node.get(node, ())
