"""The releases of kube-scheduler, each a function from a configuration to its semantics.

Another release is another function here, and a rule that it changed a second function beside the first.  v1.19 would be

    predicates, priorities     its filter and score plugins, from registries of their own; profiles instead of policies
    max_score, select_host     100, and any of the best nodes at random (`host_selection.best_nodes`)
    quirks                     without those it mended: P-022, P-091, P-098, O-045, S-052, C-043, E-030, V-036

and a choice between two functions, that is a new field of `Semantics`, where only one is known so far:

    cache.node_tree, feasibility       the order of nodes: a list and an index instead of cursors that never go back
    zones                              the zone's labels, also by their newer names
    api.resources, node_info           what a pod asks for and counts for: overhead, init containers everywhere
    predicates.reasons, preemption.eligibility    texts, and what makes a node no candidate
    queue.backoff                      attempts kept by the entry instead of a map by name
    cache.nodes                        a node that goes takes its pods along
    preemption.victims, .pick          nodes without victims are no candidates
    loop.cycle, .failure, .binding     preemption before the failure is recorded, one status update for both
    loop.handlers, .pods               CSI nodes, pods re-created under one name, profiles
    volumes                            decisions that live in the attempt, limits from CSI nodes
"""

from model import gates, validation
from model.api.configuration import Configuration
from model.extenders import in_order
from model.providers import registry
from model.quirks import EVERY, QUIRKS, Quirks
from model.rules import declare, rule
from model.selection import selected_predicates, selected_priorities
from model.semantics import Semantics

declare(
    "L-243",
    "What a Policy holds: predicates, priorities, extenders, hard affinity weight, check-all flag",
    "model.api.policy",
)
declare("L-260", "What the component configuration assumes for absent fields", "model.api.component_config")
declare("L-261", "A scheduler built as a library samples 50 percent and waits 100 s", "model.api.component_config")
declare("L-262", "Percentages and the hard affinity weight are within 0..100", "model.api.component_config")
declare("P-009", "Checking all predicates applies to scheduling, not to preemption", "model.semantics")


def v1_15_3(configuration: Configuration, quirks: Quirks = EVERY) -> Semantics:
    """kube-scheduler v1.15.3 as configured; `quirks` are the surprising rules in force.

    Raises ConfigurationError for a configuration it refuses, Crash for one that ends the process.
    """
    enabled = gates.effective(configuration)
    known = registry(enabled)
    validation.check_policy(configuration)
    predicates = selected_predicates(configuration, known, quirks)
    priorities = selected_priorities(configuration, known)
    validation.check_hard_pod_affinity_weight(configuration.hard_pod_affinity_weight)
    validation.check_total_weight(priorities)
    return Semantics(
        release="v1.15.3",
        quirks=quirks,
        predicates=predicates,
        priorities=priorities,
        extenders=in_order(configuration.extenders),
        ignored_extended_resources=ignored_extended_resources(configuration),
        always_check_all_predicates=configuration.always_check_all_predicates,
        hard_pod_affinity_weight=configuration.hard_pod_affinity_weight,
        percentage_of_nodes_to_score=configuration.percentage_of_nodes_to_score,
        disable_preemption=configuration.disable_preemption,
        bind_timeout_seconds=configuration.bind_timeout_seconds,
        scheduler_name=configuration.scheduler_name,
        max_pd_volumes=configuration.max_pd_volumes,
        gates=enabled,
    )


@rule("P-010", "A managed resource that the scheduler ignores is ignored for every pod, as long as there are metadata")
def ignored_extended_resources(configuration: Configuration) -> frozenset[str]:
    return frozenset(
        resource.name
        for extender in configuration.extenders
        for resource in extender.managed_resources
        if resource.ignored_by_scheduler
    )


class _Mended:
    """All quirks but those that a later 1.15 mended."""

    def __contains__(self, rule_id: object) -> bool:
        known = QUIRKS.get(str(rule_id))
        return known is None or not known.mended.startswith("1.15.")

    def __repr__(self) -> str:
        return "V1_15_FIXED"


V1_15_FIXED: Quirks = _Mended()
"""The quirks of the last patch releases of 1.15."""
