"""Label and node selectors.  [O-060..O-076]"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from attrs import frozen

from model.api.integers import parse_integer
from model.api.names import name_problems, value_problems
from model.api.objects import (
    LabelSelector,
    NodeSelectorTerm,
    Pod,
    PodAffinityTerm,
    Requirement,
    TopologySelectorTerm,
)

Labels = Mapping[str, str]


class SelectorError(ValueError):
    """A selector that cannot be built; the message is the API's own.  [O-063, O-067]"""


@frozen
class Selector:
    """A conjunction of requirements, or the selector that matches nothing.  [O-066]"""

    requirements: tuple[Requirement, ...] = ()
    nothing: bool = False

    @property
    def is_empty(self) -> bool:
        """Matches everything; the *nothing* selector is not empty.  [O-066]"""
        return not self.requirements and not self.nothing

    def matches(self, labels: Labels) -> bool:
        return not self.nothing and all(requirement_matches(r, labels) for r in self.requirements)


def requirement_matches(requirement: Requirement, labels: Labels) -> bool:
    """[O-064]"""
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value is not None and value in requirement.values
        case "NotIn":
            return value is None or value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt":
            number = parse_integer(value) if value is not None else None
            bound = parse_integer(requirement.values[0])
            if number is None or bound is None:
                return False
            return number > bound if requirement.operator == "Gt" else number < bound
    raise SelectorError(f'"{requirement.operator}" is not a valid operator')


def checked(requirement: Requirement) -> Requirement:
    """The requirement, if it can be built.  Raises SelectorError.  [O-063]"""
    key, operator, values = requirement.key, requirement.operator, requirement.values
    if problems := name_problems(key):
        raise SelectorError(f'invalid label key "{key}": {"; ".join(problems)}')
    match operator:
        case "In" | "NotIn":
            if not values:
                raise SelectorError("for 'in', 'notin' operators, values set can't be empty")
        case "Exists" | "DoesNotExist":
            if values:
                raise SelectorError("values set must be empty for exists and does not exist")
        case "Gt" | "Lt":
            if len(values) != 1:
                raise SelectorError("for 'Gt', 'Lt' operators, exactly one value is required")
            if parse_integer(values[0]) is None:
                raise SelectorError("for 'Gt', 'Lt' operators, the value must be an integer")
        case _:
            raise SelectorError(f"operator '{operator}' is not recognized")
    for value in values:
        if problems := value_problems(value):
            raise SelectorError(f'invalid label value: "{value}": at key: "{key}": {"; ".join(problems)}')
    return requirement


def from_label_selector(selector: LabelSelector | None) -> Selector:
    """None selects nothing, an empty selector everything.  Raises SelectorError.  [O-067]"""
    if selector is None:
        return Selector(nothing=True)
    return _built(tuple(selector.match_labels.items()), selector.match_expressions)


@lru_cache(maxsize=65536)
def _built(labels: tuple[tuple[str, str], ...], expressions: tuple[Requirement, ...]) -> Selector:
    """Few selectors differ among many pods, and building one means checking every name in it."""
    equalities = [checked(Requirement(key, "In", (value,))) for key, value in sorted(labels)]
    return Selector((*equalities, *_known("pod", ("In", "NotIn", "Exists", "DoesNotExist"), expressions)))


def _known(kind: str, operators: Collection[str], expressions: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The expressions, if they can be built; the first that cannot tells why.  Raises SelectorError."""
    built = []
    for expression in expressions:
        if expression.operator not in operators:
            raise SelectorError(f'"{expression.operator}" is not a valid {kind} selector operator')
        built.append(checked(expression))
    return tuple(built)


def from_map(selector: Labels | None) -> Selector:
    """All equalities; one invalid entry makes it match everything.  [O-068]"""
    try:
        return Selector(tuple(checked(Requirement(k, "In", (v,))) for k, v in sorted((selector or {}).items())))
    except SelectorError:
        return Selector()


def node_requirements(expressions: Iterable[Requirement]) -> Selector:
    """The match expressions of a node selector term.  Raises SelectorError.  [O-070]

    No expressions at all select nothing.
    """
    return _node_selector(tuple(expressions))


@lru_cache(maxsize=65536)
def _node_selector(expressions: tuple[Requirement, ...]) -> Selector:
    operators = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
    return Selector(_known("node", operators, expressions), nothing=not expressions)


def fields_match(requirements: Iterable[Requirement], fields: Labels) -> bool:
    """Match fields: In and NotIn with exactly one value; a missing field reads as "".  [O-071]"""
    for requirement in requirements:
        if requirement.operator not in ("In", "NotIn") or len(requirement.values) != 1:
            return False
        if (fields.get(requirement.key, "") == requirement.values[0]) != (requirement.operator == "In"):
            return False
    return True


def node_term_matches(term: NodeSelectorTerm, labels: Labels, fields: Labels) -> bool:
    """A term without parts matches nothing; one that cannot be built does not match.  [O-069]"""
    if not term.match_expressions and not term.match_fields:
        return False
    try:
        expressions_match = not term.match_expressions or node_requirements(term.match_expressions).matches(labels)
    except SelectorError:
        return False
    return expressions_match and fields_match(term.match_fields, fields)


def any_node_term_matches(terms: Iterable[NodeSelectorTerm], labels: Labels, fields: Labels) -> bool:
    """A disjunction; no terms match nothing.  [O-069]"""
    return any(node_term_matches(term, labels, fields) for term in terms)


def topology_matches(terms: tuple[TopologySelectorTerm, ...], labels: Labels) -> bool:
    """Allowed topologies: no terms match everything, an empty term nothing.  [O-072]"""
    return not terms or any(_topology_term_matches(term, labels) for term in terms)


def _topology_term_matches(term: TopologySelectorTerm, labels: Labels) -> bool:
    requirements = [Requirement(e.key, "In", e.values) for e in term.match_label_expressions]
    try:
        return bool(requirements) and all(requirement_matches(checked(r), labels) for r in requirements)
    except SelectorError:
        return False


def term_namespaces(term: PodAffinityTerm, owner: Pod) -> frozenset[str]:
    """The namespaces a pod affinity term looks at; `owner` is the pod that declares it.  [O-073]"""
    return frozenset(term.namespaces) or frozenset({owner.namespace})


def term_matches(term: PodAffinityTerm, owner: Pod, candidate: Pod) -> bool:
    """Whether `candidate` is selected by the term; the selector must be buildable in any case.  [O-074]

    Raises SelectorError.
    """
    selector = from_label_selector(term.label_selector)
    return candidate.namespace in term_namespaces(term, owner) and selector.matches(candidate.labels)


def same_topology(first: Labels, second: Labels, key: str) -> bool:
    """Both nodes carry the label with one value.  [O-075]"""
    return bool(key) and key in first and key in second and first[key] == second[key]


def required_affinity_terms(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    """[O-076]"""
    affinity = pod.spec.affinity
    return affinity.pod_affinity.required if affinity and affinity.pod_affinity else ()


def required_anti_affinity_terms(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    """[O-076]"""
    affinity = pod.spec.affinity
    return affinity.pod_anti_affinity.required if affinity and affinity.pod_anti_affinity else ()


def has_affinity_constraints(pod: Pod) -> bool:
    """Pod affinity or anti-affinity is present, even when empty.  [O-057]"""
    affinity = pod.spec.affinity
    return affinity is not None and (affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None)
