"""What a node demands or offers by itself: cordon, taints, conditions, name, labels.  [P-041..P-043, P-050..P-059]"""

from collections.abc import Iterator

from model.api.objects import Taint
from model.api.resources import is_best_effort
from model.api.selectors import any_node_term_matches, from_map
from model.api.tolerations import any_tolerates
from oracle.smt.changes import (
    Change,
    DropNodeAffinity,
    DropNodeSelector,
    LabelNode,
    RemoveTaint,
    Tolerate,
    Uncordon,
    taint_text,
)
from oracle.smt.constraint import Constraint
from oracle.smt.question import Question

UNSCHEDULABLE = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")


def check_node_unschedulable(question: Question) -> Iterator[Constraint]:
    """[P-042]"""
    cordoned = question.node.node.spec.unschedulable
    yield Constraint(
        "P-042",
        "the node is cordoned",
        not cordoned or any_tolerates(question.pod.spec.tolerations, UNSCHEDULABLE),
        resolvable=False,
        changes=(Uncordon(question.node.name), Tolerate(UNSCHEDULABLE)),
    )


def check_node_condition(question: Question) -> Iterator[Constraint]:
    """[P-041]"""
    wanted = {"Ready": ("True", "not ready"), "NetworkUnavailable": ("False", "without network")}
    for condition in question.node.node.status.conditions:
        if condition.type in wanted:
            status, otherwise = wanted[condition.type]
            yield Constraint("P-041", f"the node is {otherwise}", condition.status == status, resolvable=False)
    cordoned = question.node.node.spec.unschedulable
    change = Uncordon(question.node.name)
    yield Constraint("P-041", "the node is cordoned", not cordoned, resolvable=False, changes=(change,))


def check_node_memory_pressure(question: Question) -> Iterator[Constraint]:
    """[P-084]"""
    if is_best_effort(question.pod):
        yield from _pressure(question, "MemoryPressure", "P-084")


def check_node_disk_pressure(question: Question) -> Iterator[Constraint]:
    """[P-085]"""
    yield from _pressure(question, "DiskPressure", "P-085")


def check_node_pid_pressure(question: Question) -> Iterator[Constraint]:
    """[P-086]"""
    yield from _pressure(question, "PIDPressure", "P-086")


def _pressure(question: Question, condition: str, rule: str) -> Iterator[Constraint]:
    """The last status of a type counts.  [O-094]"""
    found = [each.status for each in question.node.node.status.conditions if each.type == condition]
    yield Constraint(rule, f"the node has {condition}", found[-1:] != ["True"], resolvable=False)


def pod_tolerates_node_taints(question: Question) -> Iterator[Constraint]:
    """[P-056]"""
    yield from _taints(question, "P-056", ("NoSchedule", "NoExecute"))


def pod_tolerates_no_execute_taints(question: Question) -> Iterator[Constraint]:
    """[P-058]"""
    yield from _taints(question, "P-058", ("NoExecute",))


def _taints(question: Question, rule: str, effects: tuple[str, ...]) -> Iterator[Constraint]:
    for taint in question.node.node.spec.taints:
        if taint.effect in effects:
            yield Constraint(
                rule,
                f"taint {taint_text(taint)} is not tolerated",
                any_tolerates(question.pod.spec.tolerations, taint),
                resolvable=False,
                changes=(_untaint(question.node.name, taint), Tolerate(taint)),
            )


def _untaint(node: str, taint: Taint) -> Change:
    """The taint of a cordon goes with it."""
    return Uncordon(node) if taint == UNSCHEDULABLE else RemoveTaint(node, taint)


def host_name(question: Question) -> Iterator[Constraint]:
    """[P-050]"""
    wanted = question.pod.spec.node_name
    holds = not wanted or wanted == question.node.name
    yield Constraint("P-050", f"the pod is bound to node {wanted}", holds, resolvable=False)


def match_node_selector(question: Question) -> Iterator[Constraint]:
    """[P-052..P-054]"""
    labels, name = question.node.labels, question.node.name
    wanted = question.pod.spec.node_selector
    if not from_map(wanted).is_empty:
        for key, value in sorted(wanted.items()):
            yield Constraint(
                "P-052",
                f"nodeSelector wants {key}={value}, the node has {labels.get(key, 'no such label')}",
                labels.get(key) == value,
                resolvable=False,
                changes=(LabelNode(name, key, value), DropNodeSelector(key)),
            )
    affinity = question.pod.spec.affinity
    required = affinity.node_affinity.required if affinity and affinity.node_affinity else None
    if required is not None:
        yield Constraint(
            "P-053",
            "no term of the required node affinity matches",
            any_node_term_matches(required.node_selector_terms, labels, {"metadata.name": name}),
            resolvable=False,
            changes=(DropNodeAffinity(),),
        )


def check_node_label_presence(question: Question, labels: tuple[str, ...], presence: bool) -> Iterator[Constraint]:
    """[P-059]"""
    for key in labels:
        says = f"label {key} must {'' if presence else 'not '}be on the node"
        yield Constraint("P-059", says, (key in question.node.labels) == presence, resolvable=False)
