"""Z3 is asked before a decision is called wrong, and about some that seem right: a difference is an uncertainty."""

from collections.abc import Sequence

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Pod
from oracle.smt.facts import Facts
from oracle.smt.settings import Settings
from oracle.verify.claims import Claims
from oracle.verify.opinion import Standing


def allows_host(cluster: Cluster, pod: Pod, node: str, configuration: Configuration) -> bool:
    return _claims(cluster, pod, configuration, {}).host(node).standing is not Standing.DISAGREES


def allows_refusal(cluster: Cluster, pod: Pod, configuration: Configuration) -> bool:
    return _claims(cluster, pod, configuration).unschedulable().standing is not Standing.DISAGREES


def allows_victims(cluster: Cluster, pod: Pod, node: str, victims: Sequence[str], configuration: Configuration) -> bool:
    return _claims(cluster, pod, configuration).victims(node, victims).standing is not Standing.DISAGREES


def _claims(
    cluster: Cluster, pod: Pod, configuration: Configuration, nominated: dict[str, tuple[Pod, ...]] | None = None
) -> Claims:
    return Claims(Facts.of(cluster, nominated), pod, Settings.of(configuration))
