"""Reading a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1alpha1).  [L-260..L-262]"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from model.api.aggregate import aggregate
from model.api.configuration import Configuration, ConfigurationError
from model.api.policy import expect_type, read_document, read_policy, typed

API_VERSION = "kubescheduler.config.k8s.io/v1alpha1"
DEFAULTS = Configuration()
"""What the binary assumes.  [L-260]"""
LIBRARY_DEFAULTS = Configuration(percentage_of_nodes_to_score=50, bind_timeout_seconds=100)
"""What a scheduler built as a library without options assumes.  [L-261]"""


@frozen
class PolicyFile:
    path: str = ""


@frozen
class PolicyConfigMap:
    namespace: str = ""
    name: str = ""


@frozen
class PolicySource:
    """Where the policy is to be had; the file goes before the ConfigMap."""

    file: PolicyFile | None = None
    config_map: PolicyConfigMap | None = None


@frozen
class AlgorithmSource:
    policy: PolicySource | None = None
    provider: str = ""


@frozen
class ComponentConfig:
    """The fields that bear on decisions.  `bind_timeout_seconds`: None = 600, 0 = no timeout.  [L-263]"""

    scheduler_name: str = ""
    algorithm_source: AlgorithmSource = AlgorithmSource()
    hard_pod_affinity_symmetric_weight: int = 0
    disable_preemption: bool = False
    percentage_of_nodes_to_score: int = 0
    bind_timeout_seconds: int | None = None


def _no_policies(_: PolicySource) -> str:
    raise ConfigurationError("component config: algorithmSource.policy: give the policy itself instead")


def read_component_config(
    source: str | Mapping[str, Any],
    fetch_policy: Callable[[PolicySource], str | Mapping[str, Any]] = _no_policies,
) -> Configuration:
    """The configuration with absent fields at their defaults; `fetch_policy` gets a policy that is referred to.

    Raises ConfigurationError naming the fields that are wrong.
    """
    document = read_document(source, "component config")
    expect_type(document, "component config", "KubeSchedulerConfiguration", (API_VERSION,))
    config = typed(document, ComponentConfig, "component config")
    configuration = Configuration(
        scheduler_name=config.scheduler_name or DEFAULTS.scheduler_name,
        provider=config.algorithm_source.provider or DEFAULTS.provider,
        hard_pod_affinity_weight=config.hard_pod_affinity_symmetric_weight or DEFAULTS.hard_pod_affinity_weight,
        percentage_of_nodes_to_score=config.percentage_of_nodes_to_score,
        disable_preemption=config.disable_preemption,
        bind_timeout_seconds=DEFAULTS.bind_timeout_seconds
        if config.bind_timeout_seconds is None
        else config.bind_timeout_seconds,
    )
    if problems := aggregate(_problems(configuration)):
        raise ConfigurationError(problems)
    policy = config.algorithm_source.policy
    if policy is None or config.algorithm_source.provider:
        return configuration
    return read_policy(fetch_policy(policy), configuration)


def _problems(configuration: Configuration) -> list[str]:
    """Fields out of their range.  [L-262]"""
    ranged = {
        "hardPodAffinitySymmetricWeight": configuration.hard_pod_affinity_weight,
        "percentageOfNodesToScore": configuration.percentage_of_nodes_to_score,
    }
    return [
        f"{name}: Invalid value: {value}: not in valid range 0-100"
        for name, value in ranged.items()
        if not 0 <= value <= 100
    ]
