"""What a scheduler remembers of nodes beyond what they are now, so that it may take a node for unfit that is not."""

from collections.abc import Iterable

from attrs import Factory, define

from model.api.cluster import Cluster
from model.api.objects import Node
from oracle.smt.settings import Settings
from oracle.smt.volume_zones import ZONE_KEYS

Zones = dict[str, tuple[str, ...]]

_PREDICATES = {f"{kind}Pressure": f"CheckNode{kind}Pressure" for kind in ("Memory", "Disk", "PID")}


@define
class Memory:
    """Of the states of one cluster, told one after the other."""

    _first: Zones
    _pressures: tuple[str, ...]
    _seen: set[tuple[str, str]] = Factory(set)
    """Pressures that a node was ever under."""

    @classmethod
    def of(cls, cluster: Cluster, settings: Settings) -> "Memory":
        asked = (name for name, predicate in _PREDICATES.items() if predicate in settings.predicates)
        return cls(_zones(cluster.nodes), tuple(asked))

    def excuse(self, cluster: Cluster) -> str:
        """The rule by which a node may be missed in this state; "" where none may.

        A pressure that a node no longer reports stays [O-094]; once nodes came, went or changed their zone, a search
        for as many as there are may pass one by [A-014].
        """
        reported = {node.name: {each.type: each.status for each in node.status.conditions} for node in cluster.nodes}
        self._seen |= {(name, type_) for name, has in reported.items() for type_ in has if has[type_] == "True"}
        if any(
            name in reported and type_ in self._pressures and type_ not in reported[name] for name, type_ in self._seen
        ):
            return "O-094"
        return "" if _zones(cluster.nodes) == self._first else "A-014"


def _zones(nodes: Iterable[Node]) -> Zones:
    return {node.name: tuple(node.labels.get(key, "") for key in ZONE_KEYS) for node in nodes}
