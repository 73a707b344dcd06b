"""What happens around a scheduler, one thing at a time, told with a rough idea of what exists."""

from typing import Any

from oracle.strategies.contests import asking_for
from oracle.strategies.events import Event, create, key_of, patch, stripped
from oracle.strategies.nodes import allocatable, conditions, node, node_labels, taint
from oracle.strategies.pods import pod
from oracle.strategies.pools import INSTANTS, POD_LABELS, PRIORITIES, labels, names_of, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.volumes import CLAIM_NAMES, CLASSES, storage_class, volume_and_claim
from oracle.strategies.workloads import budget, service

WATCHED = ("Pod", "Pod", "Node", "PersistentVolume", "PersistentVolumeClaim", "Service")


class Story:
    """Objects by name, as far as the events so far tell; what the scheduler did is not known.

    `modest`: how many of the new pods go anywhere.  `unreadable`: pods about which requests shall fail.
    `needs_every_predicate`: what is told is lost on a few of them.
    """

    def __init__(self, draw: Draw, lists: dict[str, list[dict[str, Any]]], modest: float = 0.0) -> None:
        self.draw = draw
        self.pods = [key_of(document) for document in lists.get("pods", ())]
        self.nodes = names_of(lists.get("nodes", ()))
        self.claims = [key_of(document) for document in lists.get("persistentVolumeClaims", ())]
        self.volumes = names_of(lists.get("persistentVolumes", ()))
        self.unreadable: list[str] = []
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
        key = self.some_pod()
        return [stripped(key) if self.draw.chance(0.1, "invalid") else patch("Pod", key, self.pod_patch())]

    def pod_patch(self) -> dict[str, Any]:
        draw = self.draw
        choices: list[dict[str, Any]] = [
            {"metadata": {"labels": {"app": draw.pick((*POD_LABELS["app"], None))}}},
            {"metadata": {"annotations": {"note": str(draw.number(1, 3))}}},
            {"metadata": {"finalizers": [f"example.com/f{draw.number(1, 2)}"]}},
            {"status": {"message": f"m{draw.number(1, 3)}"}},
        ]
        if draw.understood("priorities"):
            choices.append({"spec": {"priority": draw.pick(PRIORITIES)}})
        if draw.understood("taints"):
            choices.append({"spec": {"tolerations": [{"operator": "Exists"}]}})
        choices.append({"spec": {"nodeSelector": None, "affinity": None}})
        if draw.has("finished"):
            choices.append({"status": {"phase": draw.pick(("Succeeded", "Failed", "Running"))}})
        if draw.has("terminating"):
            choices.append({"metadata": {"deletionTimestamp": "2019-12-01T00:00:40Z"}})
        if draw.has("nominated") and self.nodes:
            choices.append({"status": {"nominatedNodeName": draw.pick((*self.nodes, None))}})
        if draw.has("foreign-binds") and draw.chance(0.3):
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
        if self.draw.chance(0.25):
            key = {"Pod": self.some_pod, "Node": self.some_node}.get(kind)
            return [{"op": "redeliver", "kind": kind} | ({"key": key()} if key else {})]
        self.held.append(kind)
        return [{"op": "holdWatch", "kind": kind}]

    def restart(self) -> list[Event]:
        return [{"op": "restartScheduler"} | ({"loseBinds": True} if self.draw.chance(0.3) else {})]

    def reap(self) -> list[Event]:
        return [{"op": "reapTerminating"} | ({"max": 1} if self.draw.chance(0.3) else {})]

    def sync_kubelet(self) -> list[Event]:
        return [{"op": "kubeletSync"}]
