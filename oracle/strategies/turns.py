"""Turns of a story that seldom come about by chance: several events that belong together."""

from typing import Any

from oracle.strategies.contests import asking_for, contender
from oracle.strategies.events import Event, create, key_of, patch, stripped
from oracle.strategies.pools import BACKOFFS, POD_LABELS, labels
from oracle.strategies.story import Story


def change_in_flight(story: Story) -> list[Event]:
    """A pod whose binding is under way changes, goes, or is bound by somebody else."""
    document = story.new_pod()
    key = key_of(document)
    changes: list[Event] = [
        patch("Pod", key, story.pod_patch()),
        patch("Pod", key, {"metadata": {"finalizers": ["example.com/f"]}}),
        patch("Pod", key, {"status": {"message": "m"}}),
        {"op": "delete", "kind": "Pod", "key": key},
    ]
    told = [create(document), {"op": "drain", "max": 5, "holdBind": True}]
    if story.draw.chance(0.4, "foreign-binds"):
        bind = {"op": "bind", "kind": "Pod", "key": key, "node": story.some_node()}
        return [*told, bind, {"op": "releaseBind"}]
    return [*told, story.draw.pick(changes), *story.draw.pick((story.release_bind, story.drain, story.advance))()]


def vanish_meanwhile(story: Story) -> list[Event]:
    """The pod that is decided about, or who has to make room for it, goes during the cycle; the pod may return."""
    document = contender(story.draw, story.new_pod())
    gone = [key for key in dict.fromkeys((*story.pods, key_of(document))) if story.draw.chance(0.35)]
    during: list[Event] = [{"op": "delete", "kind": "Pod", "key": key} for key in gone]
    if key_of(document) in gone and story.draw.chance(0.5):
        during.append(create(document))
    if story.draw.chance(0.3, "foreign-binds"):
        during = [{"op": "bind", "kind": "Pod", "key": key_of(document), "node": story.some_node()}]
    return [{"op": "drain", "max": 20}, create(document), {"op": "scheduleOne", "during": during}]


def try_again(story: Story) -> list[Event]:
    """Attempts with something in between that wakes whoever waits."""
    told: list[Event] = []
    services = (story.change_services,) if story.draw.understood("services") else ()
    for _ in range(story.draw.number(2, 4)):
        told += [*story.drain(), *story.draw.pick((story.change_node, *services, story.change_pod))()]
        told += story.advance() if story.draw.chance(0.7) else []
    return told


def keep_failing(story: Story) -> list[Event]:
    """A pod that no node takes, woken and tried again as soon as each backoff is over; it may change meanwhile."""
    document = story.new_pod()
    document["spec"] |= asking_for("1000")
    told: list[Event] = [create(document), {"op": "drain", "max": 5}]
    for at, ms in enumerate(BACKOFFS[: story.draw.number(2, len(BACKOFFS))]):
        wake = {"status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": f"{20 + at % 2}"}}}
        told += [patch("Node", story.some_node(), wake), {"op": "advance", "ms": ms}]
        told += become_another(story, document) if story.draw.chance(0.15) else []
        told.append({"op": "drain", "max": 5})
    return told


def be_unreadable(story: Story) -> list[Event]:
    """A pod that no node takes and that cannot be read afterwards; little by little time passes until it can."""
    document, draw = story.new_pod(), story.draw
    document["spec"] |= asking_for("1000")
    story.unreadable.append(key_of(document))
    told: list[Event] = [create(document), {"op": "drain", "max": 5}]
    for _ in range(draw.number(1, 4)):
        told.append({"op": "advance", "ms": draw.pick((100, 200, 400, 500, 1000))})
        told += story.drain() if draw.chance(0.3) else []
    return told


def become_another(story: Story, document: dict[str, Any]) -> list[Event]:
    """A pod that waits changes a little, wholly, or goes and returns."""
    draw, key = story.draw, key_of(document)
    other = {"metadata": {"labels": labels(draw, POD_LABELS)}, "spec": asking_for(draw.pick(("100m", "1000")))}
    returned = document | {"metadata": document["metadata"] | {"uid": f"uid-{key}-again"}}
    return draw.pick(
        (
            [patch("Pod", key, story.pod_patch())],
            [stripped(key)] if draw.has("invalid") else [patch("Pod", key, other)],
            [{"op": "delete", "kind": "Pod", "key": key}, create(returned)],
        )
    )


def restart_in_flight(story: Story) -> list[Event]:
    """The scheduler is restarted while a binding is under way, and may bind the same pod again before that arrives."""
    told = [*story.create_pod(), {"op": "drain", "max": 5, "holdBind": True}, *story.restart()]
    told += story.draw.pick((story.drain, story.change_node, story.delete_pod, story.create_pod))()
    return [*told, {"op": "releaseBind"}, *story.drain()]


def evict(story: Story) -> list[Event]:
    """A pod that is more important than the others, and what follows."""
    document = story.new_pod()
    document["spec"]["priority"] = story.draw.pick((100, 1000, 5000))
    told = [create(document), {"op": "drain", "max": 5}]
    told += story.reap() if story.draw.chance(0.7) else story.change_pod()
    told += story.advance() if story.draw.chance(0.7) else []
    return [*told, {"op": "drain", "max": 5}]


def contend(story: Story) -> list[Event]:
    """A pod that asks for one of the nodes; some of those who run there may go by themselves."""
    if story.draw.chance(0.3):
        return vanish_meanwhile(story)
    return [create(contender(story.draw, story.new_pod())), {"op": "drain", "max": 5}]


def crowd(story: Story) -> list[Event]:
    """More of a pod than fit."""
    document = story.new_pod()
    told = [create(document)]
    for _ in range(story.draw.number(1, 3)):
        twin = story.new_pod()
        told.append(create(twin | {"spec": document["spec"]}))
    return [*told, *story.drain()]


def churn(story: Story) -> list[Event]:
    """Nodes come and go between two cycles."""
    told = [*story.create_pod(), *story.drain()]
    for _ in range(story.draw.number(1, 3)):
        told += story.draw.pick((story.create_node, story.delete_node))()
    return [*told, *story.create_pod(), *story.drain()]


def act_before_hearing(story: Story) -> list[Event]:
    """Cycles while what happens to pods or nodes is kept back."""
    kind, told = story.draw.pick(("Pod", "Node")), story.create_pod()
    told += [
        {"op": "holdWatch", "kind": kind},
        *story.draw.pick((story.change_node, story.change_pod, story.delete_pod))(),
    ]
    return [*told, *story.drain(), *story.drain(), {"op": "releaseWatch", "kind": kind}]
