"""What a pod takes away from a node, computed once per kind of pod.  [O-045, O-047, O-057, O-096]"""

import orjson
from attrs import frozen

from model.api.objects import Pod
from model.api.ports import HostPort, host_ports
from model.api.resources import container_sum, nonzero_request
from model.api.selectors import has_affinity_constraints


@frozen
class Footprint:
    """milli-CPU, bytes, bytes, units by resource name; what scoring assumes; claimed host ports."""

    milli_cpu: int
    memory: int
    ephemeral_storage: int
    scalars: tuple[tuple[str, int], ...]
    nonzero_milli_cpu: int
    nonzero_memory: int
    ports: tuple[HostPort, ...]
    has_affinity: bool


_LIMIT = 10_000
_known: dict[bytes, Footprint] = {}


def footprint(pod: Pod) -> Footprint:
    """Computed once for all pods with the same containers: most pods are copies of a template."""
    spec = pod.document.get("spec") or {}
    content = orjson.dumps((spec.get("containers"), has_affinity_constraints(pod)))
    found = _known.get(content)
    if found is None:
        if len(_known) >= _LIMIT:
            _known.clear()
        found = _known[content] = _compute(pod)
    return found


def _compute(pod: Pod) -> Footprint:
    requested, nonzero = container_sum(pod), nonzero_request(pod)
    return Footprint(
        milli_cpu=requested.milli_cpu,
        memory=requested.memory,
        ephemeral_storage=requested.ephemeral_storage,
        scalars=tuple(requested.scalars.items()),
        nonzero_milli_cpu=nonzero.milli_cpu,
        nonzero_memory=nonzero.memory,
        ports=tuple(host_ports(pod)),
        has_affinity=has_affinity_constraints(pod),
    )
