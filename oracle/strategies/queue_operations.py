"""Operations on a queue by itself, in the form of recorded cases of this kind."""

from oracle.strategies.pods import pod
from oracle.strategies.pools import BACKOFFS, INSTANTS, Document, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import flawed, pod_affinity_term
from oracle.strategies.versions import Versions, changed_pod

QUEUE_WEIGHTS = {
    "Add": 8,
    "AddIfNotPresent": 3,
    "AddUnschedulableIfNotPresent": 14,
    "Pop": 12,
    "Update": 8,
    "Delete": 5,
    "AssignedPodAdded": 4,
    "AssignedPodUpdated": 2,
    "UpdateNominatedPodForNode": 4,
    "DeleteNominatedPodIfExists": 2,
    "NominatedPodsForNode": 1,
    "PendingPods": 1,
    "MoveAllToActiveQueue": 5,
    "FlushBackoffQCompleted": 6,
    "FlushUnschedulableQLeftover": 4,
    "Advance": 14,
}


def queue_case(draw: Draw) -> Document:
    """Of the kind `queue`."""
    pods = Versions(draw, "p", lambda name: queued_pod(draw, name), lambda document: changed_pod(draw, document))
    operations: list[Document] = []
    for _ in range(draw.number(5, 60)):
        if draw.chance(0.05):
            operations += draw.pick((attracted_pod, failing_pod))(draw, pods)
        else:
            operations.append(queue_operation(draw, draw.weighted(QUEUE_WEIGHTS), pods))
    if draw.chance(0.05):
        operations.insert(draw.number(0, len(operations)), {"op": "Close"})
    return {"kind": "queue", "pods": pods.table, "ops": operations}


def failing_pod(draw: Draw, pods: Versions) -> list[Document]:
    """A pod that is woken and fails as soon as each backoff is over."""
    told: list[Document] = []
    pod = pods.any()
    for ms in BACKOFFS[: draw.number(2, len(BACKOFFS))]:
        told += [
            {"op": "AddUnschedulableIfNotPresent", "pod": pod, "cycle": "current"},
            {"op": "MoveAllToActiveQueue"},
            {"op": "Advance", "ms": ms},
            {"op": "FlushBackoffQCompleted"},
            *[{"op": "Pop"}] * draw.number(1, 2),
        ]
    return told


def attracted_pod(draw: Draw, pods: Versions) -> list[Document]:
    """A pod that wants to be near others, perhaps by a term that cannot be read, waits when one comes or changes."""
    waiting = pods.after(pods.any(), lambda document: with_affinity(draw, document))
    told = [{"op": "AddUnschedulableIfNotPresent", "pod": waiting, "cycle": draw.pick(("current", 0))}]
    return [*told, {"op": draw.pick(("AssignedPodAdded", "AssignedPodUpdated")), "pod": pods.any()}]


def with_affinity(draw: Draw, document: Document) -> Document:
    term = pod_affinity_term(draw)
    if draw.chance(0.5, "invalid"):
        term["labelSelector"] = {"matchExpressions": [flawed(draw, {"key": "app", "operator": "In", "values": ["a"]})]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return document | {"spec": document["spec"] | {"affinity": {"podAffinity": required}}}


def queued_pod(draw: Draw, name: str) -> Document:
    document = pod(draw, name, namespace(draw))
    if draw.chance(0.2, "nominated"):
        document["status"]["nominatedNodeName"] = f"n{draw.number(1, 3)}"
    return document


def queue_operation(draw: Draw, name: str, pods: Versions) -> Document:
    match name:
        case "Pop" | "PendingPods" | "MoveAllToActiveQueue" | "FlushBackoffQCompleted" | "FlushUnschedulableQLeftover":
            return {"op": name}
        case "Advance":
            return {"op": name, "ms": draw.pick(INSTANTS)}
        case "Update":
            old, new = pods.pair()
            return {"op": name, "old": None if draw.chance(0.1) else old, "new": new}
        case "NominatedPodsForNode":
            return {"op": name, "node": f"n{draw.number(1, 3)}"}
        case "UpdateNominatedPodForNode":
            return {"op": name, "pod": pods.any(), "node": draw.pick(("", "n1", "n2", "n3"))}
        case "AddUnschedulableIfNotPresent":
            return {"op": name, "pod": pods.any(), "cycle": draw.pick(("current", "current", 0, -1, -2, 1))}
        case _:
            return {"op": name, "pod": pods.any()}
