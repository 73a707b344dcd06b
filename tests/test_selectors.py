"""Selectors, node terms, affinity terms and tolerations, each by its definition.  [O-057..O-081]"""

from typing import Any

import pytest

from model.api.decode import decode, structure
from model.api.integers import parse_integer
from model.api.names import name_problems, value_problems
from model.api.objects import (
    LabelSelector,
    NodeSelectorTerm,
    Pod,
    PodAffinityTerm,
    Requirement,
    Taint,
    Toleration,
    TopologySelectorTerm,
)
from model.api.selectors import (
    Selector,
    SelectorError,
    any_node_term_matches,
    checked,
    from_label_selector,
    from_map,
    has_affinity_constraints,
    node_requirements,
    node_term_matches,
    required_affinity_terms,
    required_anti_affinity_terms,
    requirement_matches,
    same_topology,
    term_matches,
    topology_matches,
)
from model.api.tolerations import any_tolerates, tolerates, tolerates_all
from tests.building import apart, near, pod

LABELS = {"app": "web", "size": "10"}


def test_qualified_names() -> None:
    """O-061"""
    for good in ("a", "A-b_c.d", "x" * 63, "example.com/a", f"{'a' * 253}/b"):
        assert not name_problems(good), good
    for bad in ("", "-a", "a-", "a/b/c", "/a", "a/", "Example.com/a", "x" * 64, f"{'a' * 254}/b", "a b"):
        assert name_problems(bad), bad


def test_label_values() -> None:
    """O-062"""
    assert [bool(value_problems(value)) for value in ("", "a.b", "x" * 63, "x" * 64, "-5", "+5")] == [
        *(False, False, False),
        *(True, True, True),
    ]


@pytest.mark.parametrize(
    ("requirement", "message"),
    [
        (Requirement("a b", "Exists"), 'invalid label key "a b": name part must consist'),
        (Requirement("a", "In"), "for 'in', 'notin' operators, values set can't be empty"),
        (Requirement("a", "NotIn"), "for 'in', 'notin' operators, values set can't be empty"),
        (Requirement("a", "Exists", ("x",)), "values set must be empty for exists and does not exist"),
        (Requirement("a", "Gt", ("1", "2")), "for 'Gt', 'Lt' operators, exactly one value is required"),
        (Requirement("a", "Lt", ("x",)), "for 'Gt', 'Lt' operators, the value must be an integer"),
        (Requirement("a", "Gt", ("-5",)), 'invalid label value: "-5": at key: "a": a valid label must be'),
        (Requirement("a", "In", ("ok", "-")), 'invalid label value: "-": at key: "a": a valid label must be'),
    ],
)
def test_a_requirement_that_cannot_be_built_says_why(requirement: Requirement, message: str) -> None:
    """O-063"""
    with pytest.raises(SelectorError) as refused:
        checked(requirement)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("operator", "key", "values", "matches"),
    [
        ("In", "app", ("db", "web"), True),
        ("In", "app", ("db",), False),
        ("In", "none", ("",), False),
        ("NotIn", "app", ("web",), False),
        ("NotIn", "none", ("web",), True),
        ("Exists", "app", (), True),
        ("DoesNotExist", "app", (), False),
        ("DoesNotExist", "none", (), True),
        ("Gt", "size", ("9",), True),
        ("Gt", "size", ("10",), False),
        ("Lt", "size", ("11",), True),
        ("Lt", "app", ("11",), False),
        ("Gt", "none", ("0",), False),
    ],
)
def test_when_a_requirement_matches(operator: str, key: str, values: tuple[str, ...], matches: bool) -> None:
    """O-060, O-064"""
    assert requirement_matches(Requirement(key, operator, values), LABELS) == matches


def test_integers_in_labels_are_plain_int64() -> None:
    """O-065"""
    assert [parse_integer(text) for text in ("+5", "-5", "007", "9223372036854775807")] == [5, -5, 7, 2**63 - 1]
    assert all(parse_integer(text) is None for text in ("", " 1", "0x1", "1_0", "1.0", "9223372036854775808", "+-1"))
    assert [parse_integer(text) for text in ("0" * 5000 + "7", "-0", "9" * 5000, "-9223372036854775808")] == [
        *(7, 0, None, -(2**63)),
    ]


def test_selecting_nothing_is_not_selecting_everything() -> None:
    """O-066, O-067"""
    nothing, everything = from_label_selector(None), from_label_selector(LabelSelector())
    assert (nothing.matches(LABELS), nothing.is_empty) == (False, False)
    assert (everything.matches({}), everything.is_empty) == (True, True)


def test_a_label_selector_is_the_conjunction_of_its_parts() -> None:
    """O-066, O-067"""
    selector = from_label_selector(LabelSelector({"app": "web"}, (Requirement("size", "Exists"),)))
    assert selector.matches(LABELS)
    assert not selector.matches({"app": "web"})
    with pytest.raises(SelectorError, match='"Gt" is not a valid pod selector operator'):
        from_label_selector(LabelSelector({}, (Requirement("size", "Gt", ("1",)),)))


@pytest.mark.parametrize(
    ("labels", "expressions", "told"),
    [
        ({"a": "-"}, [Requirement("b", "Near")], "invalid label value"),
        ({}, [Requirement("b", "In"), Requirement("c", "Near")], "values set can't be empty"),
        ({}, [Requirement("c", "Near"), Requirement("b", "In")], '"Near" is not a valid pod selector operator'),
    ],
)
def test_the_first_part_that_cannot_be_built_is_told(
    labels: dict[str, str], expressions: list[Requirement], told: str
) -> None:
    """[O-067]"""
    with pytest.raises(SelectorError, match=told):
        from_label_selector(LabelSelector(labels, tuple(expressions)))


def test_lengths_are_counted_in_bytes() -> None:
    """[O-061, O-062]"""
    assert value_problems("ä" * 32)[0] == "must be no more than 63 characters"
    assert len(value_problems("ä" * 31)) == 1
    assert name_problems("ä" * 32)[0] == "name part must be no more than 63 characters"


def test_one_invalid_entry_makes_a_map_match_everything() -> None:
    """O-068"""
    assert not from_map({"app": "db"}).matches(LABELS)
    assert from_map({"app": "db", "bad key": "x"}).is_empty
    assert from_map(None).is_empty


def node_term(expressions: tuple[Requirement, ...] = (), fields: tuple[Requirement, ...] = ()) -> NodeSelectorTerm:
    return NodeSelectorTerm(expressions, fields)


def test_node_terms_are_alternatives_and_an_empty_one_matches_nothing() -> None:
    """O-069, O-070"""
    web, large = node_term((Requirement("app", "In", ("web",)),)), node_term((Requirement("size", "Gt", ("99",)),))
    assert any_node_term_matches((large, web), LABELS, {})
    assert not any_node_term_matches((large,), LABELS, {})
    assert not any_node_term_matches((), LABELS, {})
    assert not any_node_term_matches((node_term(),), LABELS, {})
    assert node_requirements(()) == Selector(nothing=True)


def test_a_node_term_that_cannot_be_built_does_not_match() -> None:
    """O-069"""
    for broken in (Requirement("app", "Equals", ("web",)), Requirement("app", "In")):
        assert not node_term_matches(node_term((broken,)), LABELS, {})
        with pytest.raises(SelectorError):
            node_requirements((broken,))


@pytest.mark.parametrize(
    ("requirement", "matches"),
    [
        (Requirement("metadata.name", "In", ("n1",)), True),
        (Requirement("metadata.name", "NotIn", ("n1",)), False),
        (Requirement("metadata.name", "In", ("n1", "n2")), False),
        (Requirement("metadata.name", "Exists"), False),
        (Requirement("spec.x", "NotIn", ("n1",)), True),
        (Requirement("spec.x", "In", ("",)), True),
    ],
)
def test_match_fields(requirement: Requirement, matches: bool) -> None:
    """O-071"""
    assert node_term_matches(node_term(fields=(requirement,)), {}, {"metadata.name": "n1"}) == matches


def test_allowed_topologies() -> None:
    """O-072"""

    def allowing(*expressions: dict[str, Any]) -> TopologySelectorTerm:
        return structure({"matchLabelExpressions": list(expressions)}, TopologySelectorTerm)

    web = {"key": "app", "values": ["db", "web"]}
    assert topology_matches((), {})
    assert not topology_matches((allowing(),), LABELS)
    assert topology_matches((allowing(), allowing(web)), LABELS)
    assert not topology_matches((allowing(web, {"key": "size", "values": ["1"]}),), LABELS)
    assert not topology_matches((allowing({"key": "app", "values": []}),), LABELS)


def test_a_pod_affinity_term_looks_into_its_namespaces_or_that_of_its_owner() -> None:
    """O-073, O-074"""
    owner, other = pod("owner"), decode({"metadata": {"name": "q", "namespace": "other"}}, Pod)
    own = PodAffinityTerm(LabelSelector(), (), "zone")
    there = PodAffinityTerm(LabelSelector(), ("other",), "zone")
    assert [term_matches(term, owner, p) for term in (own, there) for p in (owner, other)] == [True, False, False, True]
    broken = PodAffinityTerm(LabelSelector({}, (Requirement("a", "In"),)), ("nowhere",), "zone")
    with pytest.raises(SelectorError):
        term_matches(broken, owner, other)


def test_nodes_share_a_topology_by_an_equal_label() -> None:
    """O-075"""
    assert same_topology(LABELS, {"app": "web"}, "app")
    assert not same_topology(LABELS, {"app": "db"}, "app")
    assert not same_topology(LABELS, {}, "app")
    assert not same_topology({"": "x"}, {"": "x"}, "")


def test_affinity_that_is_there_counts_even_when_empty() -> None:
    """O-057, O-076"""
    assert not has_affinity_constraints(pod("p", affinity={"nodeAffinity": {}}))
    assert has_affinity_constraints(pod("p", affinity={"podAffinity": {}}))
    assert has_affinity_constraints(pod("p", affinity={"podAntiAffinity": {}}))
    both = pod("p", affinity={**near(("zone", "a")), **apart(("host", "b"))})
    assert [term.topology_key for term in required_affinity_terms(both)] == ["zone"]
    assert [term.topology_key for term in required_anti_affinity_terms(both)] == ["host"]


TAINT = Taint("key", "value", "NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "does"),
    [
        (Toleration("key", "", "value", "NoSchedule"), True),
        (Toleration("key", "Equal", "value"), True),
        (Toleration("key", "Equal", "other"), False),
        (Toleration("key", "Exists", "other"), True),
        (Toleration("", "Exists"), True),
        (Toleration("", "Equal", "value"), True),
        (Toleration("other", "Exists"), False),
        (Toleration("key", "Exists", "", "NoExecute"), False),
        (Toleration("key", "exists"), False),
    ],
)
def test_what_a_toleration_tolerates(toleration: Toleration, does: bool) -> None:
    """O-080"""
    assert tolerates(toleration, TAINT) == does


def test_every_relevant_taint_must_be_tolerated_by_some_toleration() -> None:
    """O-081"""
    other = Taint("other", "", "PreferNoSchedule")
    known = (Toleration("x", "Exists"), Toleration("key", "Exists"))
    assert any_tolerates(known, TAINT)
    assert not any_tolerates(known, other)
    assert tolerates_all(known, (TAINT, other), lambda taint: taint.effect == "NoSchedule")
    assert not tolerates_all(known, (TAINT, other), lambda taint: True)
    assert tolerates_all((), (), lambda taint: True)
