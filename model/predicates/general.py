"""GeneralPredicates: four predicates under one name."""

from model.attempt import Attempt
from model.fit import Fit
from model.node_info import NodeInfo
from model.predicates.node_selection import pod_fits_host, pod_match_node_selector
from model.predicates.ports import pod_fits_host_ports
from model.predicates.resources import pod_fits_resources
from model.rules import rule


@rule("P-043", "Resources, host name, host ports and node selector, all of them, with all their reasons")
def general_predicates(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError."""
    return (
        pod_fits_resources(attempt, info)
        + pod_fits_host(attempt, info)
        + pod_fits_host_ports(attempt, info)
        + pod_match_node_selector(attempt, info)
    )
