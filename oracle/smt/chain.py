"""All hard constraints on one pod on one node: the configured predicates, with and without nominated pods."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from attrs import evolve

from model.api.objects import Pod
from oracle.smt import node_constraints
from oracle.smt.attach_limits import KINDS, max_volume_count
from oracle.smt.changes import CreateClaim
from oracle.smt.constraint import Constraint
from oracle.smt.csi_limits import max_csi_volume_count
from oracle.smt.disks import no_disk_conflict
from oracle.smt.facts import Facts
from oracle.smt.pod_affinity import match_inter_pod_affinity
from oracle.smt.ports import pod_fits_host_ports
from oracle.smt.question import Question
from oracle.smt.resources import pod_fits_resources
from oracle.smt.service_affinity import check_service_affinity
from oracle.smt.settings import Argued
from oracle.smt.volume_binding import check_volume_binding
from oracle.smt.volume_zones import no_volume_zone_conflict

COUNTING_NOMINATED = ", counting nominated pods"
"""Said of what is broken only, or also, with them."""

Encoder = Callable[[Question], Iterator[Constraint]]


def _general(question: Question) -> Iterator[Constraint]:
    """[P-043]"""
    yield from pod_fits_resources(question)
    yield from node_constraints.host_name(question)
    yield from pod_fits_host_ports(question)
    yield from node_constraints.match_node_selector(question)


ENCODERS: Mapping[str, Encoder] = {
    "CheckNodeCondition": node_constraints.check_node_condition,
    "CheckNodeUnschedulable": node_constraints.check_node_unschedulable,
    "GeneralPredicates": _general,
    "HostName": node_constraints.host_name,
    "PodFitsHostPorts": pod_fits_host_ports,
    "MatchNodeSelector": node_constraints.match_node_selector,
    "PodFitsResources": pod_fits_resources,
    "NoDiskConflict": no_disk_conflict,
    "PodToleratesNodeTaints": node_constraints.pod_tolerates_node_taints,
    "PodToleratesNodeNoExecuteTaints": node_constraints.pod_tolerates_no_execute_taints,
    **{name: partial(max_volume_count, predicate=name) for name in KINDS},
    "MaxCSIVolumeCountPred": max_csi_volume_count,
    "CheckVolumeBinding": check_volume_binding,
    "NoVolumeZoneConflict": no_volume_zone_conflict,
    "CheckNodeMemoryPressure": node_constraints.check_node_memory_pressure,
    "CheckNodePIDPressure": node_constraints.check_node_pid_pressure,
    "CheckNodeDiskPressure": node_constraints.check_node_disk_pressure,
    "MatchInterPodAffinity": match_inter_pod_affinity,
}


def constraints(question: Question) -> list[Constraint]:
    """Of the configured predicates, with the nominated pods that count and without them.  [P-020, P-021]"""
    alone = list(_pass(question))
    joined = joining(question)
    if not joined:
        return alone
    together = (
        evolve(each, says=f"{each.says}{COUNTING_NOMINATED}")
        for each in _pass(evolve(question, joined=joined))
        if each.holds is not True
    )
    return [*together, *alone]


def joining(question: Question) -> tuple[Pod, ...]:
    """The nominated pods that go before the pod.  [P-021]"""
    nominated = question.facts.nominated.get(question.node.name, ())
    pod = question.pod
    return tuple(other for other in nominated if other.priority >= pod.priority and other.uid != pod.uid)


def _pass(question: Question) -> Iterator[Constraint]:
    for name in question.settings.predicates:
        yield from of_predicate(question, name)


def of_predicate(question: Question, name: str) -> Iterable[Constraint]:
    """Raises KeyError for a name of no predicate."""
    argued = question.settings.argued.get(name)
    found = ENCODERS[name](question) if argued is None else _argued(question, argued)
    return (evolve(each, predicate=name) for each in found)


def _argued(question: Question, argued: Argued) -> Iterator[Constraint]:
    if argued.service_labels is not None:
        return check_service_affinity(question, argued.service_labels)
    return node_constraints.check_node_label_presence(question, argued.present_labels or (), argued.presence)


def basic_checks(facts: Facts, pod: Pod) -> Iterator[Constraint]:
    """What is checked before any node is looked at.  [A-003]"""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim is not None:
            key = f"{pod.namespace}/{volume.persistent_volume_claim.claim_name}"
            claim = facts.claims.get(key)
            if claim is None:
                yield Constraint("A-003", f"claim {key} does not exist", False, error=True, changes=(CreateClaim(key),))
            elif claim.metadata.deletion_timestamp is not None:
                says = f"claim {key} is being deleted"
                yield Constraint("A-003", says, False, error=True, changes=(CreateClaim(key),))
