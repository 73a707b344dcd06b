"""From a configuration to the semantics of v1.15.3."""

from typing import Any

import pytest

from model.api.configuration import Configuration, ConfigurationError, Extender, ManagedResource, PolicyEntry
from model.api.protocol import Crash
from model.predicates.registry import PREDICATES
from model.priorities.registry import PRIORITIES
from model.quirks import EVERY, QUIRKS, Without
from model.releases import V1_15_FIXED, v1_15_3

DEFAULT_PREDICATES = [
    "CheckNodeUnschedulable",
    "GeneralPredicates",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "MatchInterPodAffinity",
]
DEFAULT_PRIORITIES = {
    "BalancedResourceAllocation": 1,
    "ImageLocalityPriority": 1,
    "InterPodAffinityPriority": 1,
    "LeastRequestedPriority": 1,
    "NodeAffinityPriority": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "SelectorSpreadPriority": 1,
    "TaintTolerationPriority": 1,
}


def predicates(**configured: Any) -> list[str]:
    return [predicate.name for predicate in v1_15_3(Configuration(**configured)).predicates]


def priorities(**configured: Any) -> dict[str, int]:
    return {priority.name: priority.weight for priority in v1_15_3(Configuration(**configured)).priorities}


def entries(*names: str) -> tuple[PolicyEntry, ...]:
    return tuple(PolicyEntry(name) for name in names)


def test_the_default_provider() -> None:
    assert predicates() == DEFAULT_PREDICATES
    assert priorities() == DEFAULT_PRIORITIES
    assert list(priorities()) == sorted(DEFAULT_PRIORITIES)


def test_the_cluster_autoscaler_provider_packs() -> None:
    packing = priorities(provider="ClusterAutoscalerProvider")
    assert packing.keys() ^ DEFAULT_PRIORITIES.keys() == {"LeastRequestedPriority", "MostRequestedPriority"}
    assert predicates(provider="ClusterAutoscalerProvider") == DEFAULT_PREDICATES


def test_an_unknown_provider() -> None:
    with pytest.raises(ConfigurationError, match=r'^plugin "None" has not been registered$'):
        predicates(provider="None")


def test_conditions_instead_of_taints() -> None:
    off = {"TaintNodesByCondition": False}
    assert predicates(feature_gates=off) == [
        "CheckNodeCondition",
        *[name for name in DEFAULT_PREDICATES if name not in ("CheckNodeUnschedulable", "MatchInterPodAffinity")],
        "CheckNodeMemoryPressure",
        "CheckNodePIDPressure",
        "CheckNodeDiskPressure",
        "MatchInterPodAffinity",
    ]
    assert predicates(predicates=(), feature_gates=off) == ["CheckNodeCondition"]


def test_resource_limits_by_gate() -> None:
    gates = {"ResourceLimitsPriorityFunction": True}
    assert priorities(feature_gates=gates) == {**DEFAULT_PRIORITIES, "ResourceLimitsPriority": 1}
    with pytest.raises(Crash, match=r"^Invalid configuration: Priority type not found for ResourceLimitsPriority$"):
        priorities(priorities=entries("ResourceLimitsPriority"))


@pytest.mark.parametrize("gate", [{"BalanceAttachedNodeVolumes": True}, {"VolumeScheduling": False}])
def test_gates_that_are_refused(gate: dict[str, bool]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(gate))):
        v1_15_3(Configuration(feature_gates=gate))


def test_mandatory_predicates_run_in_every_configuration() -> None:
    assert predicates(predicates=()) == ["CheckNodeUnschedulable", "PodToleratesNodeTaints"]
    assert predicates(predicates=entries("MatchInterPodAffinity", "HostName")) == [
        "CheckNodeUnschedulable",
        "HostName",
        "PodToleratesNodeTaints",
        "MatchInterPodAffinity",
    ]


def test_a_predicate_outside_the_evaluation_order_is_never_evaluated() -> None:
    listed = (*entries("PodFitsPorts"), PolicyEntry("Mine", argument={"labelsPresence": {"labels": ["rack"]}}))
    assert predicates(predicates=listed) == ["CheckNodeUnschedulable", "PodToleratesNodeTaints"]
    as_meant = v1_15_3(Configuration(predicates=listed), Without(frozenset({"P-006"})))
    assert [predicate.name for predicate in as_meant.predicates][2:] == ["Mine", "PodFitsPorts"]


def test_an_argument_replaces_the_registered_predicate_also_for_a_later_entry() -> None:
    presence = {"labelsPresence": {"labels": ["rack"], "presence": True}}
    listed = (PolicyEntry("HostName", argument=presence), PolicyEntry("HostName"))
    by_name = {predicate.name: predicate for predicate in v1_15_3(Configuration(predicates=listed)).predicates}
    assert by_name["HostName"].evaluate is not PREDICATES["HostName"]


def test_the_last_entry_of_a_name_decides_weight_and_function() -> None:
    shape = {"requestedToCapacityRatioArguments": {"shape": [{"utilization": 0, "score": 1}]}}
    listed = (PolicyEntry("EqualPriority", 3, shape), PolicyEntry("EqualPriority", 5))
    (priority,) = v1_15_3(Configuration(priorities=listed)).priorities
    assert priority.weight == 5
    assert priority.score is not PRIORITIES["EqualPriority"].score


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (PolicyEntry("CheckNodeCondition"), "Invalid configuration: Predicate type not found for CheckNodeCondition"),
        (
            PolicyEntry("PodToleratesNodeNoExecuteTaints"),
            "Invalid configuration: Predicate type not found for PodToleratesNodeNoExecuteTaints",
        ),
        (PolicyEntry("Mine", argument={}), "Exactly 1 predicate argument is required, numArgs: 0, Predicate: Mine"),
        (
            PolicyEntry("Mine", argument={"serviceAffinity": {}, "labelsPresence": {}}),
            "Exactly 1 predicate argument is required, numArgs: 2, Predicate: Mine",
        ),
        (
            PolicyEntry("M", argument={"labelsPresence": {}}),
            'Algorithm name M does not match the name validation regexp "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$".',
        ),
    ],
)
def test_predicates_that_end_the_scheduler(entry: PolicyEntry, message: str) -> None:
    with pytest.raises(Crash) as caught:
        v1_15_3(Configuration(predicates=(entry,)))
    assert str(caught.value) == message


RATIO = "invalid RequestedToCapacityRatioPriority arguments: "


def shaped(*points: tuple[int, int]) -> PolicyEntry:
    shape = [{"utilization": utilization, "score": score} for utilization, score in points]
    return PolicyEntry("Shape", 1, {"requestedToCapacityRatioArguments": {"shape": shape}})


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (PolicyEntry("Unknown", 1), "Invalid configuration: Priority type not found for Unknown"),
        (PolicyEntry("Mine", 1, {}), "Exactly 1 priority argument is required, numArgs: 0, Priority: Mine"),
        (
            PolicyEntry("a-", 1, {"labelPreference": {"label": "rack"}}),
            'Algorithm name a- does not match the name validation regexp "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$".',
        ),
        (shaped(), RATIO + "at least one point must be specified"),
        (
            shaped((1, 0), (5, 0), (5, 0)),
            RATIO + "utilization values must be sorted. Utilization[1]==5 >= Utilization[2]==5",
        ),
        (shaped((-1, 0)), RATIO + "utilization values must not be less than 0. Utilization[0]==-1"),
        (shaped((0, 0), (101, 0)), RATIO + "utilization values must not be greater than 100. Utilization[1]==101"),
        (shaped((0, -1)), RATIO + "score values must not be less than 0. Score[0]==-1"),
        (shaped((0, 11)), RATIO + "score valuses not be greater than 10. Score[0]==11"),
    ],
)
def test_priorities_that_end_the_scheduler(entry: PolicyEntry, message: str) -> None:
    with pytest.raises(Crash) as caught:
        v1_15_3(Configuration(priorities=(entry,)))
    assert str(caught.value) == message


def test_an_argument_of_the_wrong_shape_names_entry_and_field() -> None:
    entry = PolicyEntry("Mine", 1, {"labelPreference": {"label": 3}})
    with pytest.raises(
        ConfigurationError, match=r"^priority Mine: argument\.labelPreference\.label: expected a string"
    ):
        v1_15_3(Configuration(priorities=(entry,)))


MANAGED = (ManagedResource("example.com/a"), ManagedResource("cpu"), ManagedResource("example.com/a"))


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (
            Configuration(priorities=(PolicyEntry("EqualPriority", 0),)),
            "Priority EqualPriority should have a positive weight applied to it or it has overflown",
        ),
        (
            Configuration(priorities=(PolicyEntry("EqualPriority", (2**63 - 1) // 10),)),
            "Priority EqualPriority should have a positive weight applied to it or it has overflown",
        ),
        (
            Configuration(
                priorities=(
                    PolicyEntry("EqualPriority", (2**63 - 1) // 10 - 1),
                    PolicyEntry("ImageLocalityPriority", 2),
                )
            ),
            "total priority of priority functions has overflown",
        ),
        (
            Configuration(extenders=(Extender(url_prefix="u", prioritize_verb="p"),)),
            "Priority for extender u should have a positive weight applied to it",
        ),
        (
            Configuration(extenders=(Extender(bind_verb="b"), Extender(bind_verb="b"))),
            "Only one extender can implement bind, found 2",
        ),
        (
            Configuration(extenders=(Extender(managed_resources=MANAGED),)),
            "[cpu is an invalid extended resource name, Duplicate extender managed resource name example.com/a]",
        ),
        (
            Configuration(hard_pod_affinity_weight=0),
            "invalid hardPodAffinitySymmetricWeight: 0, must be in the range 1-100",
        ),
    ],
)
def test_configurations_that_are_refused(configuration: Configuration, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        v1_15_3(configuration)
    assert str(caught.value) == message


def test_extenders_and_what_they_take_off_the_scheduler() -> None:
    first = Extender(url_prefix="a", ignorable=True)
    second = Extender(
        url_prefix="b", managed_resources=(ManagedResource("example.com/a", True), ManagedResource("example.com/b"))
    )
    semantics = v1_15_3(Configuration(extenders=(first, second)))
    assert semantics.extenders == (second, first)
    assert semantics.ignored_extended_resources == {"example.com/a"}


def test_the_last_patch_releases_lack_only_the_mended_quirks() -> None:
    mended = [quirk for quirk in QUIRKS if quirk not in V1_15_FIXED]
    assert mended == ["S-052"]
    assert all(quirk in EVERY for quirk in QUIRKS)
