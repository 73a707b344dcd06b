"""Turns of a story about storage: what volumes and claims become is not always what the scheduler has heard."""

from typing import Any

from attrs import frozen

from oracle.strategies.contests import PRIORITY, asking_for
from oracle.strategies.events import Event, create, patch
from oracle.strategies.story import Story
from oracle.strategies.volumes import CSI, LOCAL, WAITING, claim_of, storage_class, volume_of

Document = dict[str, Any]


@frozen
class Wanted:
    """A pod that can go anywhere but for its claim, and the volumes that the claim may get."""

    pod: Document
    claim: Document
    volumes: list[Document]

    @property
    def claim_key(self) -> str:
        return f"{self.claim['metadata']['namespace']}/{self.claim['metadata']['name']}"

    @property
    def volume_names(self) -> list[str]:
        return [volume["metadata"]["name"] for volume in self.volumes]


def lose_volume(story: Story) -> list[Event]:
    """A volume goes before the pod comes that would have had it, or while its cycle runs."""
    draw, (told, wanted) = story.draw, storage(story)
    losses: list[Event] = [
        {"op": "delete", "kind": "PersistentVolume", "key": name} for name in wanted.volume_names if draw.chance(0.6)
    ]
    if draw.chance(0.6):
        told += [*losses, create(wanted.pod), *story.cycle()]
    else:
        told += [create(wanted.pod), {"op": "scheduleOne", "during": losses}]
    return [*told, {"op": "pvControllerSync"}, *story.advance(), *story.drain()]


def write_too_late(story: Story) -> list[Event]:
    """What the scheduler writes is refused, since it has not heard of a change; then other nodes may take the pod."""
    draw, (told, wanted) = story.draw, storage(story)
    kind = draw.pick(("PersistentVolumeClaim", "PersistentVolumeClaim", "PersistentVolume"))
    keys = [wanted.claim_key] if kind == "PersistentVolumeClaim" else wanted.volume_names
    told += [{"op": "holdWatch", "kind": kind}]
    told += [patch(kind, key, {"metadata": {"labels": {"seen": "1"}}}) for key in keys]
    told += [create(wanted.pod), *story.drain()]
    told += [patch("Node", name, {"spec": {"unschedulable": True}}) for name in story.nodes if draw.chance(0.5)]
    if draw.chance(0.5):
        told += [{"op": "releaseWatch", "kind": kind}]
    else:
        story.held.append(kind)
    return [*told, {"op": "advance", "ms": draw.pick((1000, 5000, 10000))}, *story.drain()]


def storage(story: Story) -> tuple[list[Event], Wanted]:
    """A claim of a class that waits for its consumer is made, with its volumes; the nodes are opened."""
    draw, pod = story.draw, story.new_pod()
    place, name = pod["metadata"]["namespace"], story.next_name("c")
    class_name = draw.pick((LOCAL, WAITING, CSI))
    claim = claim_of(draw, name, place, class_name)
    volumes = [volume_of(draw, f"pv-{name}-{at}", class_name) for at in range(draw.number(0, 2))]
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": name}}
    pod["spec"] = {**asking_for("100m"), "priority": PRIORITY, "volumes": [volume]}
    story.needs_every_predicate = True
    told = [patch("Node", node, {"spec": {"unschedulable": None, "taints": None}}) for node in story.nodes]
    told += [*story.drain(), create(storage_class(draw, class_name)), *(create(each) for each in (*volumes, claim))]
    return told, Wanted(pod, claim, volumes)
