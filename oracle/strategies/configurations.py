"""What a scheduler is configured with, in the form of a trace's `config`."""

from typing import Any

from oracle.strategies.clusters import Lists
from oracle.strategies.extenders import AGREEING, extenders, opinion
from oracle.strategies.pools import names_of
from oracle.strategies.swarm import Draw

PREDICATES = (
    "GeneralPredicates",
    "PodFitsResources",
    "PodFitsHostPorts",
    "HostName",
    "MatchNodeSelector",
    "NoDiskConflict",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxAzureDiskVolumeCount",
    "MaxCinderVolumeCount",
    "MaxCSIVolumeCountPred",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "MatchInterPodAffinity",
)
PRIORITIES = (
    "SelectorSpreadPriority",
    "ServiceSpreadingPriority",
    "InterPodAffinityPriority",
    "LeastRequestedPriority",
    "MostRequestedPriority",
    "RequestedToCapacityRatioPriority",
    "BalancedResourceAllocation",
    "NodePreferAvoidPodsPriority",
    "NodeAffinityPriority",
    "TaintTolerationPriority",
    "ImageLocalityPriority",
    "EqualPriority",
)
LABELS = ("disk", "rack")
WEIGHTS = (2147483647, 2**40, 2**58, 2**60, 0)
"""Too large for 32 bits, for a sum of several, and for any configuration."""
COUNTERS = (2**63 - 1, 2**63, 2**64 - 1)
"""Where a round-robin counter of 64 bits may go wrong."""
UTILIZATIONS = (0, 10, 33, 50, 70, 100)


def configuration(draw: Draw) -> dict[str, Any]:
    """Mostly the provider's predicates and priorities."""
    config: dict[str, Any] = {
        "percentageOfNodesToScore": draw.pick((0, 0, 1, 30, 100)) if draw.has("big") else 100,
        "hardPodAffinitySymmetricWeight": draw.pick((1, 1, 1, 10, 100)),
        "alwaysCheckAllPredicates": draw.chance(0.3, "policy"),
    }
    if draw.chance(0.5, "policy"):
        config["predicates"] = predicates(draw)
    if draw.chance(0.6, "policy"):
        config["priorities"] = priorities(draw)
    if gates := feature_gates(draw):
        config["featureGates"] = gates
    return config


def with_extenders(draw: Draw, case: dict[str, Any], lists: Lists) -> dict[str, Any]:
    """Sometimes: the case with extenders, which know its nodes and pods."""
    if not draw.chance(0.9, "extenders"):
        return case
    names = names_of(lists.get("nodes", ()))
    uids = [document["metadata"]["uid"] for document in lists.get("pods", ())]
    listed, answers = extenders(draw, names, uids)
    return case | {"config": case["config"] | {"extenders": listed}, "extenders": answers}


def with_opinion(draw: Draw, case: dict[str, Any]) -> dict[str, Any]:
    """The case with an extender that is asked about candidates for preemption only."""
    agreeing = AGREEING | {"ignorable": draw.chance(0.5)}
    return case | {"config": case["config"] | {"extenders": [agreeing]}, "extenders": opinion(draw)}


def feature_gates(draw: Draw) -> dict[str, bool]:
    gates = {}
    if draw.chance(0.3, "conditions"):
        gates["TaintNodesByCondition"] = False
    if draw.chance(0.2, "policy"):
        gates[draw.pick(("ResourceLimitsPriorityFunction", "NonPreemptingPriority"))] = True
    if draw.chance(0.1, "volume-limits"):
        gates["AttachVolumeLimit"] = False
    return gates


def settled(config: dict[str, Any]) -> dict[str, Any]:
    """Without the predicate that goes by any one of several pods, which change as a trace goes on.  [P-064]"""
    if "predicates" not in config:
        return config
    listed = [entry for entry in config["predicates"] if "serviceAffinity" not in str(entry)]
    return config | {"predicates": listed}


def predicates(draw: Draw) -> list[Any]:
    listed: list[Any] = list(draw.some(PREDICATES, most=6))
    if draw.chance(0.2):
        listed = []
    if draw.chance(0.3):
        argument = {"labels": draw.some(LABELS, most=2, least=1), "presence": draw.chance(0.5)}
        name = draw.pick(("CheckNodeLabelPresence", "CheckNodeLabelPresence", "OwnName"))
        listed.append({"name": name, "argument": {"labelsPresence": argument}})
    if draw.chance(0.8, "services"):
        listed.append(service_affinity(draw))
    return listed


def service_affinity(draw: Draw) -> dict[str, Any]:
    affinity = {"labels": draw.some(LABELS, most=2, least=1)}
    return {"name": "CheckServiceAffinity", "argument": {"serviceAffinity": affinity}}


def priorities(draw: Draw) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [
        {"name": name, "weight": draw.pick(WEIGHTS if draw.chance(0.3, "huge") else (1, 1, 2, 10, 1000))}
        for name in draw.some(PRIORITIES, most=5)
    ]
    if draw.chance(0.3):
        preference = {"label": draw.pick(LABELS), "presence": draw.chance(0.6)}
        listed.append({"name": "Labelled", "weight": 2, "argument": {"labelPreference": preference}})
    if draw.chance(0.3, "services"):
        argument = {"serviceAntiAffinity": {"label": draw.pick(LABELS)}}
        listed.append({"name": "Apart", "weight": 2, "argument": argument})
    if draw.chance(0.3):
        ratio = {"requestedToCapacityRatioArguments": {"shape": shape(draw)}}
        listed.append({"name": "Shaped", "weight": 2, "argument": ratio})
    return listed


def shape(draw: Draw) -> list[dict[str, int]]:
    """Mostly one that is accepted, for which utilizations must rise."""
    utilizations = sorted(draw.some(UTILIZATIONS, most=4, least=1))
    points = [{"utilization": utilization, "score": draw.number(0, 10)} for utilization in utilizations]
    return spoilt(draw, points) if draw.chance(0.5, "invalid") else points


def spoilt(draw: Draw, points: list[dict[str, int]]) -> list[dict[str, int]]:
    """Empty, or with one thing in it that is just not allowed.  [S-034]"""
    first, last = points[0], points[-1]
    return draw.pick(
        (
            [],
            [*points, {"utilization": 101, "score": 5}],
            [{"utilization": -1, "score": 5}, *points],
            [*points, dict(last)],
            [*points, dict(first)],
            [*points[:-1], last | {"score": draw.pick((-1, 11))}],
        )
    )
