"""The states that a scheduler may have been in: one, as long as the records leave no doubt."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import evolve, frozen

from model.api.cluster import Cluster
from model.api.decode import amended, decode_any, encode
from model.api.objects import Pod
from model.api.protocol import Added, Deleted, Updated
from model.semantics import Semantics
from oracle.judgement.shadow import Shadow
from oracle.judgement.view import View

GRACE = timedelta(seconds=30)
MOST_WORLDS = 8


@frozen(eq=False)
class World:
    """`shadow` is never changed once it is in here.  `lingering`: victims that may be there, and until when."""

    shadow: Shadow
    lingering: tuple[tuple[Pod, datetime], ...] = ()

    @classmethod
    def of(cls, cluster: Cluster, semantics: Semantics) -> "World":
        shadow = Shadow(semantics)
        for thing in cluster:
            shadow.hear(Added(thing))
        return cls(shadow)

    def view(self) -> View:
        return self.shadow.view()

    def pod(self, key: str) -> Pod | None:
        return self.view().pods.get(key)

    def with_pod(self, pod: Pod) -> "World":
        shadow, old = self.shadow.copy(), self.pod(pod.key)
        shadow.hear(Added(pod) if old is None else Updated(old, pod))
        return evolve(self, shadow=shadow)

    def placed(self, key: str, node: str, at: datetime) -> "World":
        """The pod runs on the node."""
        pod = self.pod(key)
        if pod is None:
            return self
        status = {"phase": "Running", "startTime": _text(at), "nominatedNodeName": None}
        return self.with_pod(amended(pod, {"spec": {"nodeName": node}, "status": status}))

    def nominated(self, key: str, node: str) -> "World":
        pod = self.pod(key)
        if pod is None or pod.spec.node_name:
            return self
        return self.with_pod(amended(pod, {"status": {"nominatedNodeName": node}}))

    def without(self, pods: Iterable[Pod]) -> "World":
        shadow = self.shadow.copy()
        for pod in pods:
            shadow.hear(Deleted(pod))
        return evolve(self, shadow=shadow)

    def leaving(self, pods: Sequence[Pod], at: datetime) -> "World":
        """Victims that take their time to end."""
        world = self
        for pod in pods:
            world = world.with_pod(amended(pod, {"metadata": {"deletionTimestamp": _text(at + GRACE)}}))
        going = tuple((held, at + GRACE) for pod in pods if (held := world.pod(pod.key)) is not None)
        return evolve(world, lingering=(*self.lingering, *going))

    def at(self, now: datetime) -> "World":
        """Victims whose time is over have gone."""
        gone = [pod for pod, until in self.lingering if until <= now]
        if not gone:
            return self
        left = tuple(entry for entry in self.lingering if entry[1] > now)
        return evolve(self.without(gone), lingering=left)

    def same_as(self, other: "World") -> bool:
        return self.lingering == other.lingering and self.view().pods == other.view().pods


def distinct(worlds: Iterable[World]) -> tuple[World, ...]:
    """Each once: in what order victims went makes no difference when they all have gone."""
    found: list[World] = []
    for world in worlds:
        if not any(world.same_as(other) for other in found):
            found.append(world)
    return tuple(found)


def _text(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def pending(pod: Pod) -> Pod:
    """The pod as it was before anybody placed it."""
    document: dict[str, Any] = {**encode(pod), "status": {"phase": "Pending"}}
    document["spec"] = {name: value for name, value in document["spec"].items() if name != "nodeName"}
    waiting = decode_any(document)
    assert isinstance(waiting, Pod)
    return waiting
