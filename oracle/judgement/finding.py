"""From one wrong decision to a finding: the cluster it was made in, the pod, and both answers."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from model.api.cluster import write_cluster
from model.api.components import Situation
from model.api.decode import encode
from model.engine import Reference
from model.rules import RULES, counting
from oracle.compare.decisions import preempt_members, schedule_members
from oracle.conform.verdict import Difference, first_difference
from oracle.finding import Finding


def finding_of_decision(
    situation: Situation,
    makes_room: bool,
    actual: Mapping[str, Any],
    says: str,
    *,
    signature: str,
    sentence: str,
    scheduler: str,
    seed: str,
) -> Finding:
    """`makes_room`: whether it is about victims; `actual`: what was decided, `says`: what is wrong with it."""
    kind = "preempt" if makes_room else "schedule"
    used: Counter[str] = Counter()
    with counting(used):
        reference = Reference()
        members = (
            preempt_members(reference.preempt(situation))
            if makes_room
            else schedule_members(reference.decide(situation))
        )
        expected = dict(members)
    answered = {**expected, **_NOT_ANSWERED[kind], **actual}
    if makes_room:
        answered["victims"] = [key.rpartition("/")[2] for key in answered["victims"]]
    return Finding(
        signature=signature,
        sentence=sentence,
        kind=kind,
        scheduler=scheduler,
        seed=seed,
        trace={"kind": kind, **_case(situation)},
        step=None,
        expected=expected,
        actual=answered,
        differences=(first_difference(kind, expected, answered) or Difference(kind, None, says),),
        rules=tuple(sorted(rule for rule in used if rule in RULES)),
    )


_NOT_ANSWERED: Mapping[str, Mapping[str, Any]] = {
    "schedule": {"host": None, "error": None, "errorType": None},
    "preempt": {"node": None, "victims": []},
}
"""What a scheduler has not answered that answered something else."""


def _case(situation: Situation) -> dict[str, Any]:
    """In the form of recorded cases."""
    config = situation.configuration
    document: dict[str, Any] = {
        "alwaysCheckAllPredicates": config.always_check_all_predicates,
        "hardPodAffinitySymmetricWeight": config.hard_pod_affinity_weight,
        "percentageOfNodesToScore": config.percentage_of_nodes_to_score,
    }
    if config.feature_gates:
        document["featureGates"] = dict(config.feature_gates)
    for name in ("predicates", "priorities"):
        if (entries := getattr(config, name)) is not None:
            document[name] = [
                {"name": entry.name} | ({"argument": dict(entry.argument)} if entry.argument else {})
                for entry in entries
            ]
    return {"cluster": write_cluster(situation.cluster), "config": document, "pod": encode(situation.pod)}
