"""Pods of one service share the values of some node labels.  [P-060..P-065]

Which pod sets the values is left open where v1.15 leaves it to the order of a map.  [P-064]  A nominated pod that
would be the only one to set them is an error, for it is on no node.  [P-065]
"""

from collections.abc import Iterator

from model.api.objects import Pod
from model.api.selectors import from_map
from oracle.smt.constraint import Constraint
from oracle.smt.formula import Term, every, no, some
from oracle.smt.question import Question


def check_service_affinity(question: Question, labels: tuple[str, ...]) -> Iterator[Constraint]:
    pod, selector = question.pod, from_map(question.pod.labels)
    wanted = {key: pod.spec.node_selector[key] for key in labels if key in pod.spec.node_selector}
    served = any(
        service.namespace == pod.namespace
        and service.spec.selector is not None
        and from_map(service.spec.selector).matches(pod.labels)
        for service in question.facts.services
    )
    alone = from_map(wanted).matches(question.node.labels)
    if len(labels) <= len(wanted) or not served:
        yield Constraint("P-063", "labels of the service's pods differ", alone)
        return
    others = [(other, question.present(other)) for pods in question.facts.pods_on.values() for other in pods]
    alike = [(o, p) for o, p in others if o.namespace == pod.namespace and selector.matches(o.labels)]
    if any(o.namespace == pod.namespace and selector.matches(o.labels) for o in question.joined):
        alone = False
    leads = some(every((present, _follows(question, other, labels, wanted))) for other, present in alike)
    nobody = every((alone, *(no(present) for _, present in alike)))
    yield Constraint("P-063", "labels of the service's pods differ", some((leads, nobody)))


def _follows(question: Question, leader: Pod, labels: tuple[str, ...], wanted: dict[str, str]) -> Term:
    """A leader on a node that does not exist is an error.  [P-062]"""
    node = question.facts.nodes.get(leader.spec.node_name)
    if node is None:
        return False
    own = {key: node.labels[key] for key in labels if key not in wanted and key in node.labels}
    return from_map({**wanted, **own}).matches(question.node.labels)
