"""From a recorded case to a situation: the cluster, the pod, and what the scheduler is configured with."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from model.api.cluster import read_cluster
from model.api.components import Situation
from model.api.configuration import Configuration, Extender, ManagedResource, PolicyEntry
from model.api.decode import decode, structure
from model.api.objects import Pod
from oracle.environment.extenders import read_answers

Document = Mapping[str, Any]

ATTACHED_VOLUMES = "BalanceAttachedNodeVolumes"
"""A gate that shows only in the argument `transientVolumes` of one priority."""


def read_situation(case: Document) -> Situation:
    """Of a case of kind schedule or preempt; `extenders`: what they answer.  Raises ManifestError."""
    config = case["config"]
    return Situation(
        cluster=read_cluster(case["cluster"]),
        pod=decode(case["pod"], Pod),
        configuration=read_configuration(config),
        last_node_index=config.get("lastNodeIndex", 0),
        node_tree_skip=config.get("nodeTreeSkip", 0),
        resync_nodes=config.get("resyncNodes", False),
        extenders=read_answers(case.get("extenders", {})),
    )


def read_configuration(config: Document) -> Configuration:
    """Predicates are names or `{name, argument}`; an absent list means the provider's."""
    return Configuration(
        predicates=_entries(config.get("predicates")),
        priorities=_entries(config.get("priorities")),
        always_check_all_predicates=config["alwaysCheckAllPredicates"],
        hard_pod_affinity_weight=config["hardPodAffinitySymmetricWeight"],
        percentage_of_nodes_to_score=config["percentageOfNodesToScore"],
        feature_gates=config.get("featureGates", {}),
        extenders=tuple(structure(extender, Extender) for extender in config.get("extenders", ())),
    )


def _entries(listed: list[Any] | None) -> tuple[PolicyEntry, ...] | None:
    if listed is None:
        return None
    return tuple(PolicyEntry(entry) if isinstance(entry, str) else PolicyEntry(**entry) for entry in listed)


def read_single_situation(case: Document) -> Situation:
    """Of a case about one predicate or priority: its `args` configure the scheduler.  Raises ManifestError."""
    gates = {name: on for name, on in case.get("featureGates", {}).items() if name != ATTACHED_VOLUMES}
    configuration = Configuration(feature_gates=gates)
    for name, value in case.get("args", {}).items():
        configuration = _configured(configuration, name, value)
    return Situation(read_cluster(case["cluster"]), decode(case["pod"], Pod), configuration)


def _configured(configuration: Configuration, name: str, value: Any) -> Configuration:
    match name:
        case "KUBE_MAX_PD_VOLS":
            return evolve(configuration, max_pd_volumes=str(value))
        case "hardPodAffinityWeight":
            return evolve(configuration, hard_pod_affinity_weight=value)
        case "ignoredExtendedResources":
            ignored = tuple(ManagedResource(resource, ignored_by_scheduler=True) for resource in value)
            return evolve(configuration, extenders=(Extender(managed_resources=ignored),))
    return configuration
