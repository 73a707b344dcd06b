"""What a scheduler is configured with.  [L-230, L-260]"""

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen

from model.api.bad_input import BadInput


@frozen
class PolicyEntry:
    """A predicate or priority named by a policy; `argument` is its JSON, None without one.  [L-243]

    `weight` matters for priorities only.
    """

    name: str
    weight: int = 1
    argument: Mapping[str, Any] | None = None


@frozen
class ManagedResource:
    name: str
    ignored_by_scheduler: bool = False


@frozen
class Extender:
    """One extender of a policy.  [L-243, L-208]  `http_timeout` in nanoseconds, 0 = 5 s."""

    url_prefix: str = ""
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    bind_verb: str = ""
    weight: int = 0
    http_timeout: int = 0
    node_cache_capable: bool = False
    managed_resources: tuple[ManagedResource, ...] = ()
    ignorable: bool = False


@frozen
class Configuration:
    """Component configuration and policy, read but not interpreted.

    `predicates` and `priorities`: None = those of the provider; a tuple, even an empty one, = exactly
    these (and the mandatory ones).  `percentage_of_nodes_to_score` 0 = adaptive.
    """

    scheduler_name: str = "default-scheduler"
    provider: str = "DefaultProvider"
    predicates: tuple[PolicyEntry, ...] | None = None
    priorities: tuple[PolicyEntry, ...] | None = None
    extenders: tuple[Extender, ...] = ()
    always_check_all_predicates: bool = False
    hard_pod_affinity_weight: int = 1
    percentage_of_nodes_to_score: int = 0
    disable_preemption: bool = False
    bind_timeout_seconds: int = 600
    feature_gates: Mapping[str, bool] = Factory(dict)
    max_pd_volumes: str = ""
    """The scheduler's environment variable KUBE_MAX_PD_VOLS.  [P-071]"""


class ConfigurationError(BadInput):
    """A configuration that cannot be used; the message is kube-scheduler's own where it has one."""
