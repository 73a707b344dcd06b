"""Small pools of names, labels and sizes, so that what is drawn meets and collides."""

from collections.abc import Iterable
from typing import Any

from oracle.strategies.swarm import Draw

Document = dict[str, Any]
"""An object in its JSON form."""

HOSTNAME = "kubernetes.io/hostname"
ZONE = "failure-domain.beta.kubernetes.io/zone"
REGION = "failure-domain.beta.kubernetes.io/region"

NAMESPACES = ("default", "ns2")
ZONES = ("a", "b", "c")
POD_LABELS = {"app": ("a", "b", "c"), "tier": ("web", "db")}
NODE_LABELS = {"disk": ("ssd", "hdd"), "rack": ("k1", "k2"), "rank": ("1", "2", "3", "x")}
TOPOLOGY_KEYS = (HOSTNAME, HOSTNAME, ZONE, ZONE, REGION, "rack", "nowhere")
TAINT_KEYS = ("dedicated", "flaky", "node.kubernetes.io/unschedulable", "node.kubernetes.io/not-ready")
TAINT_EFFECTS = ("NoSchedule", "NoSchedule", "PreferNoSchedule", "NoExecute")
PRIORITIES = (0, 0, 0, 5, 10, 10, 100, -10, 1000)
LIMITING_PRIORITIES = (2147483647, -2147483648, 2000000000)
PORTS = (80, 80, 8080, 443)
ADDRESSES = ("", "", "0.0.0.0", "10.0.0.1", "10.0.0.2")
IMAGES = ("app:1", "app:2", "big", "registry.example/app:1")
EXTENDED = ("example.com/foo", "nvidia.com/gpu", "hugepages-2Mi")
TIMES = tuple(f"2019-11-30T2{hour}:0{minute}:00Z" for hour in (2, 3) for minute in range(5))
"""Before the start of the clock."""

NODE_CPU = ("1", "1", "2", "2", "4", "500m", "1500m", "0")
ROOMY_CPU = ("4", "8", "2", "2500m", "16")
NODE_MEMORY = ("1Gi", "2Gi", "2Gi", "4Gi", "1073741825", "3000M")
ROOMY_MEMORY = ("8Gi", "16Gi", "4Gi", "8000M")
POD_CPU = ("100m", "250m", "500m", "500m", "1", "1", "2", "501m", "1001m", "999m", "0", "1m", "0.1m")
POD_MEMORY = ("64Mi", "256Mi", "512Mi", "1Gi", "2Gi", "1073741825", "1073741823", "0", "1500M")
HUGE = ("9223372036854775807", "9223372036854775807m", "8Ei", "4611686018427387904", "9223372036854775", "100E")

INSTANTS = (
    1,
    500,
    999,
    1000,
    1000,
    1001,
    2000,
    4000,
    5000,
    9999,
    10000,
    10001,
    20000,
    29000,
    30000,
    31000,
    60000,
    61000,
    90000,
)
"""Around the constants of queue and cache, in ms."""
BACKOFFS = (1000, 2000, 4000, 8000, 10000, 1000)
"""In ms, of a pod that fails each time it is tried again: the last one is as short as the first.  [Q-020, Q-025]"""


def labels(draw: Draw, pool: dict[str, tuple[str, ...]], most: int = 2) -> dict[str, str]:
    return {key: draw.pick(pool[key]) for key in draw.some(tuple(pool), most)}


def amount(draw: Draw, usual: tuple[str, ...]) -> str:
    return draw.pick(HUGE if draw.chance(0.05, "huge") else usual)


def namespace(draw: Draw) -> str:
    return draw.pick(NAMESPACES) if draw.chance(0.4, "namespaces") else NAMESPACES[0]


def metadata(draw: Draw, name: str, namespace: str | None = None, **more: Any) -> dict[str, Any]:
    """`more`: members that are left out where they are empty."""
    whole: dict[str, Any] = {"name": name, "uid": f"uid-{name}-{draw.serial()}"}
    if namespace is not None:
        whole["namespace"] = namespace
    return whole | {member: value for member, value in more.items() if value}


def names_of(documents: Iterable[Document]) -> list[str]:
    return [document["metadata"]["name"] for document in documents]
