"""What v1.15.3 does in an operation on its queue or its cache, where nothing more special can be said."""

from collections.abc import Iterator, Mapping
from typing import Any

from oracle.report.because import Because

OPERATIONS: Mapping[str, Because] = {
    "Add": Because("A pod that is added is active from now on, wherever it was before.", ("Q-040", "Q-038")),
    "AddIfNotPresent": Because("A pod that waits already is left as it is; another is active.", ("Q-041",)),
    "AddUnschedulableIfNotPresent": Because(
        "A pod that was refused waits, with a backoff: among the unschedulable ones, or in the backoff queue if a move "
        "request came since its cycle began.",
        ("Q-042", "Q-043", "Q-020"),
    ),
    "Pop": Because("The first of the active pods is taken, and a new cycle begins.", ("Q-045", "Q-010", "Q-015")),
    "Update": Because(
        "A waiting pod takes its new version: one that backs off becomes active, an unschedulable one if more than its "
        "status changed; an unknown one enters the queue.",
        ("Q-051", "Q-050", "Q-053"),
    ),
    "Delete": Because("A deleted pod leaves the queue, and its nomination and its backoff go.", ("Q-055", "Q-056")),
    "MoveAllToActiveQueue": Because(
        "Every unschedulable pod moves: to the backoff queue while it backs off, else to the active one.", ("Q-060",)
    ),
    "AssignedPodAdded": Because("Pods whose required affinity selects the assigned pod move.", ("Q-062", "Q-061")),
    "AssignedPodUpdated": Because("Pods whose required affinity selects the assigned pod move.", ("Q-062", "Q-061")),
    "UpdateNominatedPodForNode": Because(
        "A pod is nominated to the node given, else to the one in its status, and to no other.", ("Q-031", "Q-035")
    ),
    "DeleteNominatedPodIfExists": Because("The nomination of the pod is taken back.", ("Q-036", "Q-030")),
    "AssumePod": Because(
        "A pod nobody knows is counted on its node at once, and known by its UID.", ("C-012", "C-003")
    ),
    "FinishBinding": Because("An assumption begins to run out when its binding has finished.", ("C-013",)),
    "ForgetPod": Because("An assumed pod is taken off the node that it was assumed on.", ("C-014", "C-017")),
    "AddPod": Because(
        "An assumed pod is confirmed in the version given, on the node it came to; an unknown one is counted.",
        ("C-018",),
    ),
    "UpdatePod": Because(
        "An added pod is taken off as its old version says, and counted as the new one does.", ("C-019",)
    ),
    "RemovePod": Because("An added pod is taken off its node.", ("C-021", "O-093")),
    "CleanupExpired": Because(
        "Assumptions whose time is over end, and their pods leave the nodes; without a finished binding they stay.",
        ("C-023", "C-002"),
    ),
    "AddNode": Because(
        "A node that came is last in its zone, and takes over the pods counted before.", ("C-030", "C-062")
    ),
    "UpdateNode": Because(
        "A node that changed is treated as one that came, but stays in its zone's order.", ("C-031",)
    ),
    "RemoveNode": Because(
        "A node that went leaves the node tree and its images; while pods are counted on it, its entry stays.",
        ("C-032",),
    ),
    "UpdateNodeInfoSnapshot": Because(
        "The snapshot takes over what changed and has a node object; what is gone leaves it where the sizes differ.",
        ("C-042", "C-043"),
    ),
    "NodeTreeNext": Because("The next zone that has nodes left in this pass gives its next one.", ("C-066", "C-067")),
}


def because_of_operation(recorded: Mapping[str, Any], error: str | None) -> Iterator[Because]:
    """`error`: with which v1.15.3 answers."""
    if found := OPERATIONS.get(recorded["op"]):
        yield Because(f"v1.15.3 refuses it: {error}.", found.rules) if error else found
