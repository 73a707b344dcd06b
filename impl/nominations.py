"""Which pods are nominated to run on which node.  [Q-030..Q-038]"""

from collections.abc import Sequence

from model.api.objects import Pod
from model.api.protocol import NIL_DEREFERENCE, Crash


class Nominations:
    """`by_node`: the nominated pods of each node, in the order in which they were nominated; read only."""

    __slots__ = ("_node_of", "by_node")

    def __init__(self) -> None:
        self.by_node: dict[str, list[Pod]] = {}
        self._node_of: dict[str, str] = {}

    def of(self, node: str) -> Sequence[Pod]:
        """[Q-034]"""
        return tuple(self.by_node.get(node, ()))

    def add(self, pod: Pod, node: str = "") -> None:
        """Nominate to `node`, or without one to the node of the pod's status.  [Q-031, Q-038]"""
        self.delete(pod)
        target = node or pod.status.nominated_node_name
        if not target:
            return
        self._node_of[pod.uid] = target
        self.by_node.setdefault(target, []).append(pod)

    def delete(self, pod: Pod) -> None:
        """[Q-030]"""
        node = self._node_of.pop(pod.uid, None)
        if node is None:
            return
        pods = self.by_node[node]
        del pods[next(at for at, held in enumerate(pods) if held.uid == pod.uid)]
        if not pods:
            del self.by_node[node]

    def update(self, old: Pod | None, new: Pod) -> None:
        """Follow the status; a nomination known only here survives.  Raises Crash without `old`.  [Q-032, Q-033]"""
        if old is None:
            raise Crash(NIL_DEREFERENCE)
        only_here = not old.status.nominated_node_name and not new.status.nominated_node_name
        kept = self._node_of.get(old.uid, "") if only_here else ""
        self.delete(old)
        self.add(new, kept)
