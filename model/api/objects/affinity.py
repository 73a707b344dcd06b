"""Selectors, and where pods want to be."""

from collections.abc import Mapping

from attrs import Factory, frozen

from model.api.objects.meta import Int32


@frozen(cache_hash=True)
class Requirement:
    """One expression of a label or node selector."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()


@frozen
class LabelSelector:
    match_labels: Mapping[str, str] = Factory(dict)
    match_expressions: tuple[Requirement, ...] = ()


@frozen
class NodeSelectorTerm:
    match_expressions: tuple[Requirement, ...] = ()
    match_fields: tuple[Requirement, ...] = ()


@frozen
class NodeSelector:
    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()


@frozen
class PreferredSchedulingTerm:
    weight: Int32 = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


@frozen
class NodeAffinity:
    required: NodeSelector | None = None
    preferred: tuple[PreferredSchedulingTerm, ...] = ()


@frozen
class PodAffinityTerm:
    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    topology_key: str = ""


@frozen
class WeightedPodAffinityTerm:
    weight: Int32 = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


@frozen
class PodAffinity:
    """Affinity or anti-affinity to other pods; which of the two, the owner's field says."""

    required: tuple[PodAffinityTerm, ...] = ()
    preferred: tuple[WeightedPodAffinityTerm, ...] = ()


@frozen
class Affinity:
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


@frozen
class TopologyExpression:
    key: str = ""
    values: tuple[str, ...] = ()


@frozen
class TopologySelectorTerm:
    match_label_expressions: tuple[TopologyExpression, ...] = ()
