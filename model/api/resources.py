"""Resource vectors and what pods ask for.  [O-040..O-047]"""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from attrs import Factory, evolve, frozen

from model.api.integers import int64
from model.api.names import is_qualified_name
from model.api.objects import Pod, QuantityList

DEFAULT_MILLI_CPU = 100
DEFAULT_MEMORY = 200 * 1024 * 1024


@frozen
class Resources:
    """milli-CPU, bytes of memory, bytes of ephemeral storage, number of pods, and scalars by name.  [O-040]"""

    milli_cpu: int = 0
    memory: int = 0
    ephemeral_storage: int = 0
    allowed_pods: int = 0
    scalars: Mapping[str, int] = Factory(dict)


@frozen
class NonZeroRequest:
    """What scoring assumes a pod uses: milli-CPU and bytes.  [O-046]"""

    milli_cpu: int = 0
    memory: int = 0


@cache
def is_extended(name: str) -> bool:
    """An extended resource such as `nvidia.com/gpu`.  [O-043a]"""
    return (
        "/" in name
        and "kubernetes.io/" not in name
        and not name.startswith("requests.")
        and is_qualified_name("requests." + name)
    )


@cache
def is_scalar(name: str) -> bool:
    """Whether the scheduler counts the resource in `scalars`.  [O-043]"""
    return is_extended(name) or bool(re.match("hugepages-|attachable-volumes-", name)) or "kubernetes.io/" in name


def add(total: Resources, amounts: QuantityList) -> Resources:
    """The sum; an amount of 0 still creates its scalar key.  [O-041]"""
    scalars = dict(total.scalars)
    for name, quantity in amounts.items():
        if is_scalar(name):
            scalars[name] = int64(scalars.get(name, 0) + quantity.value)
    return Resources(
        milli_cpu=int64(total.milli_cpu + _milli(amounts, "cpu")),
        memory=int64(total.memory + _units(amounts, "memory")),
        ephemeral_storage=int64(total.ephemeral_storage + _units(amounts, "ephemeral-storage")),
        allowed_pods=int64(total.allowed_pods + _units(amounts, "pods")),
        scalars=scalars,
    )


def at_least(total: Resources, amounts: QuantityList) -> Resources:
    """The component-wise maximum; a scalar key appears only for an amount above 0, `pods` is ignored.  [O-042]"""
    scalars = dict(total.scalars)
    for name, quantity in amounts.items():
        if is_scalar(name) and quantity.value > scalars.get(name, 0):
            scalars[name] = quantity.value
    return evolve(
        total,
        milli_cpu=max(total.milli_cpu, _milli(amounts, "cpu")) if "cpu" in amounts else total.milli_cpu,
        memory=max(total.memory, _units(amounts, "memory")) if "memory" in amounts else total.memory,
        ephemeral_storage=max(total.ephemeral_storage, _units(amounts, "ephemeral-storage"))
        if "ephemeral-storage" in amounts
        else total.ephemeral_storage,
        scalars=scalars,
    )


def _milli(amounts: QuantityList, name: str) -> int:
    return amounts[name].milli_value if name in amounts else 0


def _units(amounts: QuantityList, name: str) -> int:
    return amounts[name].value if name in amounts else 0


def container_sum(pod: Pod) -> Resources:
    """What a pod already on a node counts for: regular containers only.  [O-045]"""
    return _sum(container.resources.requests for container in pod.spec.containers)


def pod_request(pod: Pod) -> Resources:
    """What an incoming pod asks for: the containers' sum, but at least each init container.  [O-044, P-044]"""
    return _at_least_each(container_sum(pod), (c.resources.requests for c in pod.spec.init_containers))


def pod_limits(pod: Pod) -> Resources:
    """As `pod_request`, over limits.  [S-064]"""
    return _at_least_each(
        _sum(c.resources.limits for c in pod.spec.containers), (c.resources.limits for c in pod.spec.init_containers)
    )


def _sum(lists: Iterable[QuantityList]) -> Resources:
    total = Resources()
    for amounts in lists:
        total = add(total, amounts)
    return total


def _at_least_each(total: Resources, lists: Iterable[QuantityList]) -> Resources:
    for amounts in lists:
        total = at_least(total, amounts)
    return total


def nonzero_request(pod: Pod) -> NonZeroRequest:
    """Per regular container, 100 milli-CPU and 200 MiB where nothing is said; an explicit 0 stays 0.  [O-046, O-047]"""
    milli_cpu = memory = 0
    for container in pod.spec.containers:
        requests = container.resources.requests
        milli_cpu += requests["cpu"].milli_value if "cpu" in requests else DEFAULT_MILLI_CPU
        memory += requests["memory"].value if "memory" in requests else DEFAULT_MEMORY
    return NonZeroRequest(int64(milli_cpu), int64(memory))


def is_best_effort(pod: Pod) -> bool:
    """No regular container requests or limits cpu or memory above 0.  [O-053, P-089]"""
    return not any(
        amounts[name].number > 0
        for container in pod.spec.containers
        for amounts in (container.resources.requests, container.resources.limits)
        for name in ("cpu", "memory")
        if name in amounts
    )
