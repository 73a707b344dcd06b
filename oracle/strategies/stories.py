"""What happens around a scheduler: the events of a trace, told with a rough idea of what exists."""

from collections.abc import Callable
from typing import Any

from oracle.strategies.clusters import cluster, crowd
from oracle.strategies.configurations import configuration, settled, with_extenders, with_opinion
from oracle.strategies.contests import PRIORITY, asking_for, contender, contest, open_node
from oracle.strategies.nodes import allocatable, conditions, node, node_labels, taint
from oracle.strategies.pods import pod
from oracle.strategies.pools import POD_LABELS, PRIORITIES, labels, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.volumes import (
    CLAIM_NAMES,
    CLASSES,
    CSI,
    LOCAL,
    WAITING,
    claim_of,
    storage_class,
    volume_and_claim,
    volume_of,
)
from oracle.strategies.workloads import budget, service

Event = dict[str, Any]

INSTANTS = (
    1,
    500,
    999,
    1000,
    1000,
    1001,
    2000,
    4000,
    5000,
    9999,
    10000,
    10001,
    20000,
    29000,
    30000,
    31000,
    60000,
    61000,
    90000,
)
"""Around the constants of queue and cache, in ms."""

WATCHED = ("Pod", "Pod", "Node", "PersistentVolume", "PersistentVolumeClaim", "Service")


class Story:
    """Objects by name, as far as the events so far tell; what the scheduler did is not known.

    `modest`: how many of the new pods go anywhere.  `needs_every_predicate`: what is told is lost on a few of them.
    """

    def __init__(self, draw: Draw, lists: dict[str, list[dict[str, Any]]], modest: float = 0.0) -> None:
        self.draw = draw
        self.pods = [key_of(document) for document in lists.get("pods", ())]
        self.nodes = [document["metadata"]["name"] for document in lists.get("nodes", ())]
        self.gone: list[str] = []
        self.held: list[str] = []
        self._serial = len(self.pods) + len(self.nodes)
        self.needs_every_predicate = False
        self._modest = modest

    def next_name(self, letter: str) -> str:
        self._serial += 1
        return f"{letter}{self._serial}"

    # --- pods ---

    def new_pod(self) -> dict[str, Any]:
        """A pending pod, perhaps under the name of one that was deleted."""
        draw = self.draw
        place, name = namespace(draw), self.next_name("p")
        if self.gone and draw.chance(0.5, "reused-names"):
            place, name = draw.pick(self.gone).split("/")
        self.pods.append(f"{place}/{name}")
        document = pod(draw, name, place)
        if draw.chance(self._modest):
            document["spec"] = asking_for("100m")
        if draw.chance(0.08, "terminating"):
            document["metadata"]["deletionTimestamp"] = "2019-12-01T00:00:20Z"
        return document

    def create_pod(self) -> list[Event]:
        return [create(self.new_pod())]

    def delete_pod(self) -> list[Event]:
        key = self.some_pod()
        self.gone.append(key)
        return [
            {"op": "delete", "kind": "Pod", "key": key}
            | ({"graceful": True} if self.draw.chance(0.5, "graceful") else {})
        ]

    def some_pod(self) -> str:
        return self.draw.pick(self.pods) if self.pods else "default/nobody"

    def change_pod(self) -> list[Event]:
        return [patch("Pod", self.some_pod(), self.pod_patch())]

    def pod_patch(self) -> dict[str, Any]:
        draw = self.draw
        choices: list[dict[str, Any]] = [
            {"metadata": {"labels": {"app": draw.pick((*POD_LABELS["app"], None))}}},
            {"metadata": {"annotations": {"note": str(draw.number(1, 3))}}},
            {"metadata": {"finalizers": [f"example.com/f{draw.number(1, 2)}"]}},
            {"status": {"message": f"m{draw.number(1, 3)}"}},
            {"spec": {"priority": draw.pick(PRIORITIES)}},
            {"spec": {"tolerations": [{"operator": "Exists"}]}},
            {"spec": {"nodeSelector": None, "affinity": None}},
        ]
        if draw.has("finished"):
            choices.append({"status": {"phase": draw.pick(("Succeeded", "Failed", "Running"))}})
        if draw.has("terminating"):
            choices.append({"metadata": {"deletionTimestamp": "2019-12-01T00:00:40Z"}})
        if draw.has("nominated") and self.nodes:
            choices.append({"status": {"nominatedNodeName": draw.pick((*self.nodes, None))}})
        if draw.has("foreign-binds") and draw.chance(0.1):
            choices.append({"spec": {"schedulerName": "other"}})
        return draw.pick(choices)

    def bind_elsewhere(self) -> list[Event]:
        return [{"op": "bind", "kind": "Pod", "key": self.some_pod(), "node": self.some_node()}]

    # --- nodes ---

    def some_node(self) -> str:
        return self.draw.pick(self.nodes) if self.nodes else "n1"

    def create_node(self) -> list[Event]:
        name = f"n{self.draw.number(1, 6)}"
        if name not in self.nodes:
            self.nodes.append(name)
        return [create(node(self.draw, name))]

    def delete_node(self) -> list[Event]:
        return [{"op": "delete", "kind": "Node", "key": self.some_node()}]

    def churn(self) -> list[Event]:
        """Nodes come and go between two cycles."""
        told = [*self.create_pod(), *self.drain()]
        for _ in range(self.draw.number(1, 3)):
            told += self.draw.pick((self.create_node, self.delete_node))()
        return [*told, *self.create_pod(), *self.drain()]

    def change_node(self) -> list[Event]:
        return [patch("Node", self.some_node(), self.node_patch())]

    def node_patch(self) -> dict[str, Any]:
        draw = self.draw
        choices: list[dict[str, Any]] = [
            {"status": {"allocatable": allocatable(draw)}},
            {"status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": "20"}}},
            {"spec": {"unschedulable": draw.pick((True, None))}},
            {"metadata": {"labels": node_labels(draw, self.some_node())}},
            {"metadata": {"annotations": {"heartbeat": str(draw.number(1, 9))}}},
        ]
        if draw.has("taints"):
            choices.append({"spec": {"taints": [taint(draw)] if draw.chance(0.6) else None}})
        if draw.has("conditions"):
            choices.append({"status": {"conditions": conditions(draw)}})
        return draw.pick(choices)

    # --- everything else that is watched ---

    def change_services(self) -> list[Event]:
        name, place = f"s{self.draw.number(0, 2)}", namespace(self.draw)
        if self.draw.chance(0.5):
            return [create(service(self.draw, name, place))]
        if self.draw.chance(0.5):
            return [{"op": "delete", "kind": "Service", "key": f"{place}/{name}"}]
        return [patch("Service", f"{place}/{name}", {"spec": {"selector": labels(self.draw, POD_LABELS) or None}})]

    def change_priority_classes(self) -> list[Event]:
        """Nobody who schedules listens to these."""
        name = f"class-{self.draw.number(1, 3)}"
        meta = {"name": name, "uid": f"uid-{name}"}
        return [create({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": meta, "value": 10})]

    def change_budgets(self) -> list[Event]:
        name, place = f"b{self.draw.number(0, 3)}", namespace(self.draw)
        if self.draw.chance(0.4):
            return [create(budget(self.draw, name, place))]
        allowed = {"status": {"disruptionsAllowed": self.draw.number(0, 2)}}
        return [patch("PodDisruptionBudget", f"{place}/{name}", allowed)]

    def change_storage(self) -> list[Event]:
        draw = self.draw
        name, place = draw.pick(CLAIM_NAMES), namespace(draw)
        volumes, claims = volume_and_claim(draw, name, place)
        pv = f"pv-{name}-{place}" + draw.pick(("", "-0", "-1"))
        choices: list[list[Event]] = [
            [create(document) for document in (*volumes, *claims)],
            [{"op": "delete", "kind": "PersistentVolumeClaim", "key": f"{place}/{name}"}],
            [
                patch(
                    "PersistentVolumeClaim",
                    f"{place}/{name}",
                    {"metadata": {"labels": {"seen": str(draw.number(1, 3))}}},
                )
            ],
            [patch("PersistentVolume", pv, {"spec": {"claimRef": None}})],
            [{"op": "delete", "kind": "PersistentVolume", "key": pv}],
            [{"op": "delete", "kind": "StorageClass", "key": draw.pick(tuple(CLASSES))}],
            [create(storage_class(draw, draw.pick(tuple(CLASSES))))],
            [{"op": "pvControllerSync"}],
            [{"op": "pvControllerSync"}],
        ]
        return draw.pick(choices)

    # --- the scheduler, and time ---

    def cycle(self) -> list[Event]:
        event: Event = {"op": "scheduleOne"}
        if self.draw.chance(0.4, "holds"):
            event["holdBind"] = True
        if self.draw.chance(0.4, "during"):
            event["during"] = [inner for _ in range(self.draw.number(1, 2)) for inner in self.meanwhile()]
        return [event]

    def meanwhile(self) -> list[Event]:
        told = (
            self.delete_pod,
            self.change_pod,
            self.change_node,
            self.bind_elsewhere,
            self.delete_node,
            self.create_node,
        ) + ((self.change_storage,) * 3 if self.draw.has("claims") else ())
        return self.draw.pick(told)()

    def drain(self) -> list[Event]:
        return [
            {"op": "drain", "max": self.draw.pick((1, 2, 5, 20))}
            | ({"holdBind": True} if self.draw.chance(0.2, "holds") else {})
        ]

    def advance(self) -> list[Event]:
        return [{"op": "advance", "ms": self.draw.pick(INSTANTS)}]

    def release_bind(self) -> list[Event]:
        return [{"op": "releaseBind"} | ({"pod": self.some_pod()} if self.draw.chance(0.4) else {})]

    def hold_watch(self) -> list[Event]:
        if self.held and self.draw.chance(0.6):
            return [{"op": "releaseWatch", "kind": self.held.pop()}]
        kind = self.draw.pick(WATCHED)
        if self.draw.chance(0.25):
            return [{"op": "relist", "kind": kind}]
        self.held.append(kind)
        return [{"op": "holdWatch", "kind": kind}]

    def act_before_hearing(self) -> list[Event]:
        """Cycles while what happens to pods or nodes is kept back."""
        kind, told = self.draw.pick(("Pod", "Node")), self.create_pod()
        told += [
            {"op": "holdWatch", "kind": kind},
            *self.draw.pick((self.change_node, self.change_pod, self.delete_pod))(),
        ]
        return [*told, *self.drain(), *self.drain(), {"op": "releaseWatch", "kind": kind}]

    def reap(self) -> list[Event]:
        return [{"op": "reapTerminating"} | ({"max": 1} if self.draw.chance(0.3) else {})]

    def sync_kubelet(self) -> list[Event]:
        return [{"op": "kubeletSync"}]

    # --- turns that seldom come about by chance ---

    def change_in_flight(self) -> list[Event]:
        """A pod whose binding is under way changes, goes, or is bound by somebody else."""
        document = self.new_pod()
        key = key_of(document)
        changes: list[Event] = [
            patch("Pod", key, self.pod_patch()),
            patch("Pod", key, {"metadata": {"finalizers": ["example.com/f"]}}),
            patch("Pod", key, {"status": {"message": "m"}}),
            {"op": "delete", "kind": "Pod", "key": key},
        ]
        told = [create(document), {"op": "drain", "max": 5, "holdBind": True}]
        if self.draw.chance(0.4, "foreign-binds"):
            bind = {"op": "bind", "kind": "Pod", "key": key, "node": self.some_node()}
            return [*told, bind, {"op": "releaseBind"}]
        return [*told, self.draw.pick(changes), *self.draw.pick((self.release_bind, self.drain, self.advance))()]

    def vanish_meanwhile(self) -> list[Event]:
        """The pod that is decided about, or who has to make room for it, goes during the cycle; the pod may return."""
        document = contender(self.draw, self.new_pod())
        gone = self.draw.some([key_of(document), *self.pods], most=2, least=1)
        during: list[Event] = [{"op": "delete", "kind": "Pod", "key": key} for key in gone]
        if key_of(document) in gone and self.draw.chance(0.5):
            during.append(create(document))
        if self.draw.chance(0.3, "foreign-binds"):
            during = [{"op": "bind", "kind": "Pod", "key": key_of(document), "node": self.some_node()}]
        return [{"op": "drain", "max": 20}, create(document), {"op": "scheduleOne", "during": during}]

    def try_again(self) -> list[Event]:
        """Attempts with something in between that wakes whoever waits."""
        told: list[Event] = []
        for _ in range(self.draw.number(2, 4)):
            told += [*self.drain(), *self.draw.pick((self.change_node, self.change_services, self.change_pod))()]
            told += self.advance() if self.draw.chance(0.7) else []
        return told

    def evict(self) -> list[Event]:
        """A pod that is more important than the others, and what follows."""
        document = self.new_pod()
        document["spec"]["priority"] = self.draw.pick((100, 1000, 5000))
        told = [create(document), {"op": "drain", "max": 5}]
        told += self.reap() if self.draw.chance(0.7) else self.change_pod()
        told += self.advance() if self.draw.chance(0.7) else []
        return [*told, {"op": "drain", "max": 5}]

    def claim(self) -> list[Event]:
        """A pod whose claim is yet to be bound, and the time its binding takes."""
        draw, document = self.draw, self.new_pod()
        place, name = document["metadata"]["namespace"], self.next_name("c")
        touching = draw.chance(0.5)
        claim = claim_of(draw, name, place, LOCAL if touching else draw.pick((LOCAL, LOCAL, WAITING, CSI)))
        class_name = claim["spec"]["storageClassName"]
        volumes = [volume_of(draw, f"pv-{name}-{at}", class_name) for at in range(draw.number(1 if touching else 0, 2))]
        if touching:
            self.needs_every_predicate = True
            claim["spec"]["resources"]["requests"]["storage"] = "500Mi"
        if touching or draw.chance(0.5):
            document["spec"] = {**asking_for("100m"), "priority": PRIORITY}
        document["spec"]["volumes"] = [{"name": "v", "persistentVolumeClaim": {"claimName": name}}]
        told = [*self.drain(), create(storage_class(draw, LOCAL))] if touching else self.drain()
        told += [create(each) for each in (*volumes, claim, document)]
        touched: list[Event] = [
            patch("PersistentVolume", each["metadata"]["name"], {"metadata": {"labels": {"seen": "1"}}})
            for each in volumes
        ]
        if touching and draw.chance(0.7):
            told.append({"op": "scheduleOne", "during": touched})
        elif touching:
            watch = {"kind": "PersistentVolume"}
            told += [{"op": "holdWatch", **watch}, *touched, *self.cycle(), {"op": "releaseWatch", **watch}]
        else:
            told += self.cycle()
        told += self.change_storage() if draw.chance(0.3) else [{"op": "pvControllerSync"}]
        return [*told, *self.advance(), *self.drain()]

    def contend(self) -> list[Event]:
        """A pod that asks for one of the nodes; some of those who run there may go by themselves."""
        if self.draw.chance(0.3):
            return self.vanish_meanwhile()
        return [create(contender(self.draw, self.new_pod())), {"op": "drain", "max": 5}]

    def crowd(self) -> list[Event]:
        """More of a pod than fit."""
        document = self.new_pod()
        told = [create(document)]
        for _ in range(self.draw.number(1, 3)):
            twin = self.new_pod()
            told.append(create(twin | {"spec": document["spec"]}))
        return [*told, *self.drain()]


WEIGHTS: dict[Callable[[Story], list[Event]], int] = {
    Story.create_pod: 16,
    Story.delete_pod: 6,
    Story.change_pod: 6,
    Story.change_node: 8,
    Story.cycle: 14,
    Story.drain: 14,
    Story.advance: 16,
    Story.try_again: 3,
    Story.evict: 5,
    Story.crowd: 3,
    Story.change_in_flight: 4,
    Story.vanish_meanwhile: 2,
    Story.reap: 2,
    Story.sync_kubelet: 1,
}
FEATURED: dict[str, dict[Callable[[Story], list[Event]], int]] = {
    "node-churn": {Story.create_node: 4, Story.delete_node: 3, Story.churn: 8},
    "services": {Story.change_services: 4},
    "priorities": {Story.change_priority_classes: 1},
    "budgets": {Story.change_budgets: 2},
    "claims": {Story.change_storage: 5, Story.claim: 10},
    "foreign-binds": {Story.bind_elsewhere: 3},
    "holds": {Story.release_bind: 5},
    "late-watches": {Story.hold_watch: 6, Story.act_before_hearing: 3},
}


def trace_case(draw: Draw) -> dict[str, Any]:
    """A trace in its JSON form."""
    lists = cluster(draw, running=6, pending=5)
    contested, roomy = draw.chance(0.25), draw.chance(0.4)
    if contested:
        contest(draw, lists)
    elif roomy:
        lists["nodes"] = [open_node(document) for document in lists.get("nodes", ())]
    elif draw.has("crowds"):
        crowd(draw, lists)
    story = Story(draw, lists, modest=0.6 if roomy else 0.0)
    weights = dict(WEIGHTS)
    for feature, more in FEATURED.items():
        if draw.has(feature):
            weights |= more
    events = story.contend() if contested else []
    for _ in range(draw.number(4, 8 if len(story.nodes) > 50 else 28)):
        events += draw.weighted(weights)(story)
    case: dict[str, Any] = {"kind": "e2e", "cluster": lists, "config": settings(draw, story), "events": events}
    if contested and draw.chance(0.5):
        return with_opinion(draw, case)
    return with_extenders(draw, case, lists)


def settings(draw: Draw, story: Story) -> dict[str, Any]:
    config = settled(configuration(draw))
    if story.needs_every_predicate and draw.chance(0.7):
        config.pop("predicates", None)
    if draw.chance(0.6, "bind-failures") and story.pods:
        config["bindFailures"] = [draw.pick(story.pods) for _ in range(draw.number(1, 4))]
    if draw.has("graceful"):
        config["gracefulVictims"] = True
    if draw.chance(0.2, "policy"):
        config["provider"] = "ClusterAutoscalerProvider"
    if draw.has("kubelet"):
        config["kubelet"] = True
    if draw.chance(0.05):
        config["disablePreemption"] = True
    if draw.chance(0.3, "claims"):
        config["bindTimeoutSeconds"] = draw.pick((1, 2, 10))
    return config


def create(document: dict[str, Any]) -> Event:
    return {"op": "create", "kind": document["kind"], "object": document}


def patch(kind: str, key: str, change: dict[str, Any]) -> Event:
    return {"op": "patch", "kind": kind, "key": key, "patch": change}


def key_of(document: dict[str, Any]) -> str:
    return f"{document['metadata']['namespace']}/{document['metadata']['name']}"
