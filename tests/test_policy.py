"""Reading policies and component configurations."""

import json
from typing import Any

import pytest

from model.api.component_config import LIBRARY_DEFAULTS, PolicySource, read_component_config
from model.api.configuration import Configuration, ConfigurationError, Extender, ManagedResource, PolicyEntry
from model.api.policy import read_policy

POLICY = """
kind: Policy
apiVersion: v1
predicates:
- name: HostName
- name: CheckServiceAffinity
  argument: {serviceAffinity: {labels: [rack]}}
priorities:
- {name: LeastRequestedPriority, weight: 3}
- name: Shape
  weight: 2
  argument: {requestedToCapacityRatioArguments: {shape: [{utilization: 0, score: 10}]}}
extenders:
- urlPrefix: http://127.0.0.1:8080/
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: 4
  httpTimeout: 5000000000
  nodeCacheCapable: true
  ignorable: true
  enableHttps: true
  managedResources: [{name: example.com/fpga, ignoredByScheduler: true}]
hardPodAffinitySymmetricWeight: 7
alwaysCheckAllPredicates: true
someLaterField: 1
"""

CONFIGURATION = Configuration(
    predicates=(
        PolicyEntry("HostName"),
        PolicyEntry("CheckServiceAffinity", argument={"serviceAffinity": {"labels": ["rack"]}}),
    ),
    priorities=(
        PolicyEntry("LeastRequestedPriority", 3),
        PolicyEntry("Shape", 2, {"requestedToCapacityRatioArguments": {"shape": [{"utilization": 0, "score": 10}]}}),
    ),
    extenders=(
        Extender(
            url_prefix="http://127.0.0.1:8080/",
            filter_verb="filter",
            prioritize_verb="prioritize",
            weight=4,
            http_timeout=5_000_000_000,
            node_cache_capable=True,
            ignorable=True,
            managed_resources=(ManagedResource("example.com/fpga", ignored_by_scheduler=True),),
        ),
    ),
    always_check_all_predicates=True,
    hard_pod_affinity_weight=7,
)


def test_a_policy_in_yaml() -> None:
    assert read_policy(POLICY) == CONFIGURATION


def test_a_policy_in_json_and_in_a_config_map() -> None:
    policy = json.dumps({"priorities": [{"name": "EqualPriority", "weight": 1}]})
    expected = Configuration(priorities=(PolicyEntry("EqualPriority", 1),))
    assert read_policy(policy) == expected
    assert read_policy({"kind": "ConfigMap", "apiVersion": "v1", "data": {"policy.cfg": policy}}) == expected


def test_absent_and_null_lists_leave_the_defaults_and_empty_ones_do_not() -> None:
    assert read_policy("{}") == Configuration()
    assert read_policy('{"predicates": null, "priorities": null}') == Configuration()
    assert read_policy('{"predicates": [], "priorities": []}') == Configuration(predicates=(), priorities=())


def test_a_policy_lies_over_the_component_configuration() -> None:
    base = Configuration(hard_pod_affinity_weight=5, percentage_of_nodes_to_score=30)
    assert read_policy("{}", base) == base
    assert read_policy('{"hardPodAffinitySymmetricWeight": 9}', base).hard_pod_affinity_weight == 9


def test_a_priority_without_weight_has_none() -> None:
    assert read_policy('{"priorities": [{"name": "EqualPriority"}]}').priorities == (PolicyEntry("EqualPriority", 0),)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("[1]", "policy: expected one object"),
        ("a: b: c", r"policy: .*mapping values"),
        ('{"kind": "Pod"}', "policy: kind: expected Policy, got 'Pod'"),
        ('{"apiVersion": "v2"}', "policy: apiVersion: expected v1, got 'v2'"),
        ('{"predicates": {}}', r"policy: predicates: expected a list"),
        ('{"priorities": [{"name": "X", "weight": "heavy"}]}', r"policy: priorities\[0\].weight: expected an integer"),
        (
            '{"predicates": [{"name": "X", "argument": {"labelsPresence": {"labels": "rack"}}}]}',
            r"policy: predicates\[0\].argument.labelsPresence.labels: expected a list",
        ),
        ('{"extenders": [{"ignorable": 1}]}', r"policy: extenders\[0\].ignorable: expected a boolean"),
        ('{"kind": "ConfigMap", "data": {}}', 'missing policy config map value at key "policy.cfg"'),
    ],
)
def test_what_cannot_be_read_is_named(policy: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_policy(policy)


# --- component configuration ----------------------------------------------------------------------

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1alpha1", "kind": "KubeSchedulerConfiguration"}


def test_component_defaults() -> None:
    assert read_component_config(HEAD) == Configuration()
    assert read_component_config({**HEAD, "hardPodAffinitySymmetricWeight": 0, "schedulerName": ""}) == Configuration()
    assert (LIBRARY_DEFAULTS.percentage_of_nodes_to_score, LIBRARY_DEFAULTS.bind_timeout_seconds) == (50, 100)


def test_component_fields() -> None:
    document = {
        "schedulerName": "mine",
        "algorithmSource": {"provider": "ClusterAutoscalerProvider"},
        "hardPodAffinitySymmetricWeight": 4,
        "disablePreemption": True,
        "percentageOfNodesToScore": 30,
        "bindTimeoutSeconds": 0,
        "leaderElection": {"leaderElect": False},
    }
    assert read_component_config(document) == Configuration(
        scheduler_name="mine",
        provider="ClusterAutoscalerProvider",
        hard_pod_affinity_weight=4,
        disable_preemption=True,
        percentage_of_nodes_to_score=30,
        bind_timeout_seconds=0,
    )


def test_a_policy_that_is_referred_to_is_fetched() -> None:
    document: dict[str, Any] = {**HEAD, "algorithmSource": {"policy": {"file": {"path": "/policy.yaml"}}}}
    asked: list[PolicySource] = []

    def fetch(source: PolicySource) -> str:
        asked.append(source)
        return POLICY

    assert read_component_config(document, fetch) == CONFIGURATION
    assert [source.file.path for source in asked if source.file] == ["/policy.yaml"]
    with pytest.raises(ConfigurationError, match=r"algorithmSource\.policy"):
        read_component_config(document)


def test_all_fields_out_of_range_are_told() -> None:
    document = {**HEAD, "hardPodAffinitySymmetricWeight": 101, "percentageOfNodesToScore": -1}
    with pytest.raises(ConfigurationError) as caught:
        read_component_config(document)
    assert str(caught.value) == (
        "[hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range 0-100, "
        "percentageOfNodesToScore: Invalid value: -1: not in valid range 0-100]"
    )
