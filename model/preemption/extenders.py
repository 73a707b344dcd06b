"""What extenders leave of the candidates.  [E-050..E-052, L-205]"""

from collections.abc import Generator, Mapping
from typing import Any

from model.api.configuration import Extender
from model.api.decode import encode
from model.api.objects import Pod
from model.api.protocol import NIL_DEREFERENCE, Call, Crash
from model.attempt import Attempt
from model.extenders import ExtenderError, ask, is_interested, member
from model.preemption.victims import Victims
from model.quirks import Quirks, quirk
from model.rules import reached, rule
from model.world import Snapshot

Candidates = Mapping[str, Victims]

quirk("E-051", "An extender that caches nodes is told of no budget violation")
quirk("E-052", "The numbers of budget violations in an extender's answer are dropped")


@rule("E-050", "Interested extenders with a preempt verb replace the candidates in turn, while there are any")
@rule("L-205", "An ignorable extender that fails is passed over; another fails the preemption")
def candidates_left_by_extenders(attempt: Attempt, candidates: Candidates) -> Generator[Call[Any], Any, Candidates]:
    """Raises ExtenderError and Crash."""
    for extender in attempt.semantics.extenders:
        if not candidates:
            break
        if not extender.preempt_verb or not is_interested(extender, attempt.pod):
            continue
        try:
            body = preemption_body(extender, attempt.pod, candidates, attempt.semantics.quirks)
            answer = yield from ask(extender, extender.preempt_verb, body)
            candidates = converted(extender, answer, attempt.snapshot, attempt.semantics.quirks)
        except ExtenderError:
            if not extender.ignorable:
                raise
            reached("extender: preempt failed")
    return candidates


@rule("E-051", "Victims are sent as UIDs to an extender that caches nodes, else whole")
def preemption_body(extender: Extender, pod: Pod, candidates: Candidates, quirks: Quirks) -> Mapping[str, Any]:
    body: dict[str, Any] = {"Pod": encode(pod), "NodeNameToVictims": None, "NodeNameToMetaVictims": None}
    if not extender.node_cache_capable:
        whole = {
            name: {"Pods": [encode(victim) for victim in victims.pods], "NumPDBViolations": victims.pdb_violations}
            for name, victims in candidates.items()
        }
        return {**body, "NodeNameToVictims": whole}
    named = {
        name: {
            "Pods": [{"UID": victim.uid} for victim in victims.pods],
            "NumPDBViolations": 0 if "E-051" in quirks else victims.pdb_violations,
        }
        for name, victims in candidates.items()
    }
    return {**body, "NodeNameToMetaVictims": named}


@rule("E-052", "The answer's UIDs are looked up among the snapshot's pods of each node")
def converted(extender: Extender, answer: Any, snapshot: Snapshot, quirks: Quirks) -> Candidates:
    """Raises ExtenderError for a pod that is not on its node, and Crash for a pod on an unknown node."""
    return {
        name: Victims(
            tuple(pod_with_uid(extender, name, member(pod, "uid"), snapshot) for pod in member(victims, "pods") or ()),
            0 if "E-052" in quirks else member(victims, "numPDBViolations") or 0,
        )
        for name, victims in (member(answer, "nodeNameToMetaVictims") or {}).items()
    }


def pod_with_uid(extender: Extender, node: str, uid: str, snapshot: Snapshot) -> Pod:
    if node not in snapshot:
        raise Crash(NIL_DEREFERENCE)
    found = next((pod for pod in snapshot[node].pods if pod.uid == uid), None)
    if found is None:
        raise ExtenderError(
            f"extender: {extender.url_prefix} claims to preempt pod (UID: &{{{uid}}}) on node: {node}, "
            "but the pod is not found on that node"
        )
    return found
