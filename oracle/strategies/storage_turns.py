"""Turns of a story about storage: what volumes and claims become is not always what the scheduler has heard."""

from attrs import frozen

from oracle.strategies.contests import PRIORITY, asking_for
from oracle.strategies.events import Event, create, key_of, patch
from oracle.strategies.pools import Document, names_of
from oracle.strategies.story import Story
from oracle.strategies.volumes import CSI, LOCAL, WAITING, claim_of, storage_class, volume_of

SEEN = {"metadata": {"labels": {"seen": "1"}}}
"""A change after which an update by one who has not heard of it is refused."""


@frozen
class Wanted:
    """A pod that can go anywhere but for its claim, and the volumes that the claim may get."""

    pod: Document
    claim: Document
    volumes: list[Document]


def lose_volume(story: Story) -> list[Event]:
    """A volume goes before the pod comes that would have had it, or while its cycle runs."""
    draw, (told, wanted) = story.draw, storage(story)
    losses: list[Event] = [
        {"op": "delete", "kind": "PersistentVolume", "key": name}
        for name in names_of(wanted.volumes)
        if draw.chance(0.6)
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
    keys = [key_of(wanted.claim)] if kind == "PersistentVolumeClaim" else names_of(wanted.volumes)
    told += [{"op": "holdWatch", "kind": kind}]
    told += [patch(kind, key, SEEN) for key in keys]
    told += [create(wanted.pod), *story.drain()]
    told += [patch("Node", name, {"spec": {"unschedulable": True}}) for name in story.nodes if draw.chance(0.5)]
    if draw.chance(0.5):
        told += [{"op": "releaseWatch", "kind": kind}]
    else:
        story.held.append(kind)
    return [*told, {"op": "advance", "ms": draw.pick((1000, 5000, 10000))}, *story.drain()]


def wait_for_claim(story: Story) -> list[Event]:
    """A pod whose claim is yet to be bound, and the time its binding takes."""
    draw, document = story.draw, story.new_pod()
    place, name = document["metadata"]["namespace"], story.next_name("c")
    touching = draw.chance(0.5)
    claim = claim_of(draw, name, place, LOCAL if touching else draw.pick((LOCAL, LOCAL, WAITING, CSI)))
    class_name = claim["spec"]["storageClassName"]
    volumes = [volume_of(draw, f"pv-{name}-{at}", class_name) for at in range(draw.number(1 if touching else 0, 2))]
    story.claims.append(key_of(claim))
    story.volumes += names_of(volumes)
    if touching:
        story.needs_every_predicate = True
        claim["spec"]["resources"]["requests"]["storage"] = "500Mi"
    if touching or draw.chance(0.5):
        document["spec"] = {**asking_for("100m"), "priority": PRIORITY}
    document["spec"]["volumes"] = [{"name": "v", "persistentVolumeClaim": {"claimName": name}}]
    told = [*story.drain(), create(storage_class(draw, LOCAL))] if touching else story.drain()
    told += [create(each) for each in (*volumes, claim, document)]
    touched: list[Event] = [patch("PersistentVolume", name, SEEN) for name in names_of(volumes)]
    if touching and draw.chance(0.7):
        told.append({"op": "scheduleOne", "during": touched})
    elif touching:
        watch = {"kind": "PersistentVolume"}
        told += [{"op": "holdWatch", **watch}, *touched, *story.cycle(), {"op": "releaseWatch", **watch}]
    else:
        told += story.cycle()
    told += story.change_storage() if draw.chance(0.3) else [{"op": "pvControllerSync"}]
    return [*told, *story.advance(), *story.drain()]


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
