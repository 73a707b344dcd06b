"""What a pod asks of its node, in a few words each."""

from collections.abc import Iterable, Iterator

from model.api.objects import Affinity, LabelSelector, NodeSelectorTerm, Pod, PodAffinityTerm, Requirement, Toleration
from model.api.ports import HostPort, host_ports, normalized
from model.api.resources import pod_request
from oracle.report.amounts import requests

Fact = tuple[str, str]


def facts(pod: Pod) -> Iterator[Fact]:
    """Beside its priority."""
    yield "asks for", requests(pod_request(pod)) or "nothing"
    if pod.labels:
        yield "labels", _pairs(pod.labels.items())
    if pod.spec.node_selector:
        yield "node selector", _pairs(pod.spec.node_selector.items())
    if pod.spec.node_name:
        yield "node", pod.spec.node_name
    if pod.spec.affinity:
        yield from _affinity(pod.spec.affinity)
    if pod.spec.tolerations:
        yield "tolerates", ", ".join(map(_toleration, pod.spec.tolerations))
    if ports := list(host_ports(pod)):
        yield "host ports", ", ".join(map(_port, ports))
    of_init = [port for container in pod.spec.init_containers for port in container.ports if port.host_port > 0]
    if of_init:
        yield "host ports of init containers", f"{', '.join(map(_port, map(normalized, of_init)))} (not counted)"
    if claims := [v.persistent_volume_claim.claim_name for v in pod.spec.volumes if v.persistent_volume_claim]:
        yield "claims", ", ".join(claims)
    if other := [volume.name for volume in pod.spec.volumes if not volume.persistent_volume_claim]:
        yield "other volumes", ", ".join(other)
    if pod.status.nominated_node_name:
        yield "nominated to", pod.status.nominated_node_name
    if pod.is_terminating:
        yield "terminating", "yes"


def _port(port: HostPort) -> str:
    return f"{port.protocol} {port.ip}:{port.port}"


def _affinity(affinity: Affinity) -> Iterator[Fact]:
    if affinity.node_affinity and affinity.node_affinity.required:
        terms = affinity.node_affinity.required.node_selector_terms
        yield "requires nodes", " or ".join(map(_node_term, terms)) or "of no term at all"
    if affinity.node_affinity and affinity.node_affinity.preferred:
        preferred = affinity.node_affinity.preferred
        yield "prefers nodes", "; ".join(f"{_node_term(p.preference)} (weight {p.weight})" for p in preferred)
    for side, name in ((affinity.pod_affinity, "near"), (affinity.pod_anti_affinity, "away from")):
        if side and side.required:
            yield f"must be {name}", "; ".join(map(_pod_term, side.required))
        if side and side.preferred:
            weighted = (f"{_pod_term(p.pod_affinity_term)} (weight {p.weight})" for p in side.preferred)
            yield f"would rather be {name}", "; ".join(weighted)


def _node_term(term: NodeSelectorTerm) -> str:
    said = [*map(_requirement, term.match_expressions), *(f"field {_requirement(r)}" for r in term.match_fields)]
    return " and ".join(said) or "an empty term"


def _pod_term(term: PodAffinityTerm) -> str:
    where = f" in {', '.join(term.namespaces)}" if term.namespaces else ""
    return f"pods with {_selector(term.label_selector)}{where}, by {term.topology_key or 'no topology key'}"


def _selector(selector: LabelSelector | None) -> str:
    if selector is None:
        return "no selector"
    labels = [f"{key}={value}" for key, value in selector.match_labels.items()]
    return " and ".join([*labels, *map(_requirement, selector.match_expressions)]) or "any labels"


def _requirement(requirement: Requirement) -> str:
    values = f" ({', '.join(requirement.values)})" if requirement.values else ""
    return f"{requirement.key} {requirement.operator}{values}"


def _toleration(toleration: Toleration) -> str:
    value = f"={toleration.value}" if toleration.operator != "Exists" else ""
    return f"{toleration.key or 'any key'}{value}:{toleration.effect or 'any effect'}"


def _pairs(items: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{key}={value}" for key, value in items)
