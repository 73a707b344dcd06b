"""What a scheduler is configured with, in the form of a trace's `config`."""

from typing import Any

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


def configuration(draw: Draw) -> dict[str, Any]:
    """Mostly the provider's predicates and priorities."""
    config: dict[str, Any] = {
        "percentageOfNodesToScore": draw.pick((0, 0, 1, 30, 100)) if draw.has("big") else 100,
        "hardPodAffinitySymmetricWeight": draw.pick((1, 1, 1, 10, 100)),
        "alwaysCheckAllPredicates": draw.chance(0.3, "policy"),
    }
    if draw.chance(0.4, "policy"):
        config["predicates"] = predicates(draw)
    if draw.chance(0.6, "policy"):
        config["priorities"] = priorities(draw)
    if draw.chance(0.3, "conditions"):
        config["featureGates"] = {"TaintNodesByCondition": False}
    return config


def predicates(draw: Draw) -> list[Any]:
    listed: list[Any] = list(draw.some(PREDICATES, most=6))
    if draw.chance(0.3):
        argument = {"labels": draw.some(LABELS, most=2, least=1), "presence": draw.chance(0.5)}
        listed.append({"name": "CheckNodeLabelPresence", "argument": {"labelsPresence": argument}})
    if draw.chance(0.3, "services"):
        affinity = {"labels": draw.some(LABELS, most=2, least=1)}
        listed.append({"name": "CheckServiceAffinity", "argument": {"serviceAffinity": affinity}})
    return listed


def priorities(draw: Draw) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [
        {"name": name, "weight": draw.pick((1, 1, 2, 10, 1000))} for name in draw.some(PRIORITIES, most=5)
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
    utilizations = sorted(draw.some((0, 10, 33, 50, 70, 100), most=4, least=1))
    return [{"utilization": utilization, "score": draw.number(0, 10)} for utilization in utilizations]
