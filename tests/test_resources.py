"""Resource vectors, what pods ask for, host ports, and Go's integers.  [O-001, O-040..O-054, O-097]"""

from typing import Any

import pytest

from model.api.decode import decode
from model.api.integers import int32, int64, quotient
from model.api.objects import Pod
from model.api.ports import HostPort, conflicts, host_ports
from model.api.quantity import parse_quantity
from model.api.resources import (
    NonZeroRequest,
    Resources,
    add,
    at_least,
    container_sum,
    is_best_effort,
    is_scalar,
    nonzero_request,
    pod_limits,
    pod_request,
)


def amounts(**given: str) -> Any:
    return {name.replace("_", "-").replace("--", "/"): parse_quantity(text) for name, text in given.items()}


def asking(*containers: dict[str, str], init: tuple[dict[str, str], ...] = (), **spec: Any) -> Pod:
    def listed(requests: dict[str, str]) -> dict[str, Any]:
        return {"resources": {"requests": requests}}

    spec = {"containers": [listed(c) for c in containers], "initContainers": [listed(c) for c in init], **spec}
    return decode({"metadata": {"name": "p", "namespace": "default"}, "spec": spec}, Pod)


def test_integers_wrap_and_division_truncates() -> None:
    """O-001"""
    assert (int64(2**63), int64(-(2**63) - 1), int64(5), int32(2**31)) == (-(2**63), 2**63 - 1, 5, -(2**31))
    assert [quotient(a, b) for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (0, -3))] == [3, -3, -3, 3, 0]


def test_adding_a_list_gives_even_an_amount_of_0_its_scalar_key() -> None:
    """O-040, O-041"""
    one = add(Resources(), amounts(cpu="1", memory="2", pods="3", ephemeral_storage="4", a__gpu="0", storage="9"))
    assert one == Resources(1000, 2, 4, 3, {"a/gpu": 0})
    assert add(one, amounts(cpu="500m", a__gpu="2")) == Resources(1500, 2, 4, 3, {"a/gpu": 2})


def test_raising_to_a_list_ignores_pods_and_scalars_of_0() -> None:
    """O-042"""
    raised = at_least(Resources(1000, 5), amounts(cpu="2", memory="4", pods="7", a__gpu="0", b__gpu="1"))
    assert raised == Resources(2000, 5, 0, 0, {"b/gpu": 1})


@pytest.mark.parametrize(
    ("name", "scalar"),
    [
        ("nvidia.com/gpu", True),
        ("alpha.kubernetes.io/nvidia-gpu", True),
        ("example.com/kubernetes.io/x", True),
        ("hugepages-2Mi", True),
        ("hugepages-", True),
        ("attachable-volumes-aws-ebs", True),
        ("storage", False),
        ("foo", False),
        ("requests.example.com/foo", False),
        ("Foo.com/x", False),
        ("a/b/c", False),
        ("ex_ample.com/foo", False),
    ],
)
def test_which_resources_are_scalars(name: str, scalar: bool) -> None:
    """O-043"""
    assert is_scalar(name) == scalar


def test_init_containers_count_for_the_incoming_pod_only() -> None:
    """O-044, O-045"""
    pod = asking({"cpu": "1"}, {"cpu": "1", "memory": "5"}, init=({"cpu": "3"}, {"memory": "4"}))
    assert container_sum(pod) == Resources(2000, 5)
    assert pod_request(pod) == Resources(3000, 5)
    assert pod_limits(pod) == Resources()


def test_scoring_assumes_something_where_a_container_says_nothing_but_keeps_an_explicit_0() -> None:
    """O-046, O-047"""
    assert nonzero_request(asking({}, {"cpu": "0", "memory": "0"}, {"cpu": "1"}, init=({"cpu": "9"},))) == (
        NonZeroRequest(100 + 0 + 1000, 2 * 200 * 2**20)
    )
    assert nonzero_request(asking()) == NonZeroRequest(0, 0)


def test_a_pod_without_priority_has_0() -> None:
    """O-050"""
    assert [asking(priority=p).priority for p in (None, -5, 7)] == [0, -5, 7]


def test_best_effort_is_who_asks_for_no_cpu_and_no_memory() -> None:
    """O-053"""
    assert is_best_effort(asking({}, {"cpu": "0", "ephemeral-storage": "1"}, init=({"cpu": "1"},)))
    assert not is_best_effort(asking({}, {"memory": "1n"}))
    assert not is_best_effort(asking(containers=[{"resources": {"limits": {"cpu": "1"}}}]))


def test_wanted_ports_are_the_host_ports_of_regular_containers() -> None:
    """O-054"""
    ports = [{"hostPort": 80}, {"containerPort": 81}, {"hostPort": 53, "protocol": "UDP", "hostIP": "10.0.0.1"}]
    pod = asking(containers=[{"ports": ports}], initContainers=[{"ports": [{"hostPort": 1}]}])
    assert list(host_ports(pod)) == [HostPort("0.0.0.0", "TCP", 80), HostPort("10.0.0.1", "UDP", 53)]


@pytest.mark.parametrize(
    ("wanted", "used", "meet"),
    [
        (("0.0.0.0", "TCP", 80), ("10.0.0.1", "TCP", 80), True),
        (("10.0.0.1", "TCP", 80), ("0.0.0.0", "TCP", 80), True),
        (("10.0.0.1", "TCP", 80), ("10.0.0.1", "TCP", 80), True),
        (("10.0.0.1", "TCP", 80), ("10.0.0.2", "TCP", 80), False),
        (("10.0.0.1", "TCP", 80), ("10.0.0.01", "TCP", 80), False),
        (("0.0.0.0", "TCP", 80), ("0.0.0.0", "UDP", 80), False),
        (("0.0.0.0", "TCP", 80), ("0.0.0.0", "TCP", 81), False),
    ],
)
def test_ports_meet_under_one_address_or_the_wildcard(wanted: Any, used: Any, meet: bool) -> None:
    """O-097"""
    assert conflicts(HostPort(*wanted), [HostPort(*used)]) == meet
