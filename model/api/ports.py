"""Host ports.  [O-054, O-096, O-097]"""

from collections.abc import Iterable, Iterator

from attrs import frozen

from model.api.objects import ContainerPort, Pod

ANY_ADDRESS = "0.0.0.0"


@frozen
class HostPort:
    """A claimed port of a node, with the defaults filled in.  [O-096]"""

    ip: str
    protocol: str
    port: int


def host_ports(pod: Pod) -> Iterator[HostPort]:
    """The host ports a pod wants, in order; ports <= 0 are none.  [O-054, O-096]"""
    for container in pod.spec.containers:
        for port in container.ports:
            if port.host_port > 0:
                yield normalized(port)


def normalized(port: ContainerPort) -> HostPort:
    """[O-096]"""
    return HostPort(port.host_ip or ANY_ADDRESS, port.protocol or "TCP", port.host_port)


def conflicts(wanted: HostPort, used: Iterable[HostPort]) -> bool:
    """The wildcard address meets every address; addresses are compared as text.  [O-097]"""
    return any(
        (wanted.protocol, wanted.port) == (other.protocol, other.port)
        and (ANY_ADDRESS in (wanted.ip, other.ip) or wanted.ip == other.ip)
        for other in used
    )
