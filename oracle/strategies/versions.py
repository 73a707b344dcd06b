"""Versions of objects, as queue and cache hear of them one after the other."""

from collections.abc import Callable

from oracle.strategies.pods import pod
from oracle.strategies.pools import PRIORITIES, Document
from oracle.strategies.swarm import Draw


class Versions:
    """Versions of a few objects, each under a reference of its own."""

    def __init__(
        self, draw: Draw, letter: str, make: Callable[[str], Document], changed: Callable[[Document], Document]
    ):
        self._draw, self._letter, self._make, self._changed = draw, letter, make, changed
        self.table: dict[str, Document] = {}
        self._of: dict[str, list[str]] = {}

    def any(self, names: int = 4) -> str:
        """Some version of one of so many objects: mostly the latest."""
        draw = self._draw
        name = f"{self._letter}{draw.number(1, names)}"
        versions = self._of.setdefault(name, [])
        if not versions or draw.chance(0.08):
            return self._new(versions, self._make(name))
        if draw.chance(0.25):
            return self._new(versions, self._changed(self.table[versions[-1]]))
        return versions[-1] if draw.chance(0.8) else draw.pick(versions)

    def pair(self) -> tuple[str, str]:
        """Two versions of one object, the latest last."""
        old = self.any()
        versions = self._of[self.table[old]["metadata"]["name"]]
        return old, self._new(versions, self._changed(self.table[old]))

    def after(self, reference: str, change: Callable[[Document], Document]) -> str:
        """A new version of what some version is of."""
        document = self.table[reference]
        return self._new(self._of[document["metadata"]["name"]], change(document))

    def _new(self, versions: list[str], document: Document) -> str:
        reference = f"{self._letter}-{len(self.table) + 1}"
        version = {"resourceVersion": str(len(self.table) + 1)}
        self.table[reference] = document | {"metadata": document["metadata"] | version}
        versions.append(reference)
        return reference


def changed_pod(draw: Draw, document: Document) -> Document:
    meta, spec, status = document["metadata"], document["spec"], document["status"]
    match draw.number(0, 6):
        case 0:
            meta = meta | {"labels": {"app": draw.pick(("a", "b", "c"))}}
        case 1:
            spec = spec | {"priority": draw.pick(PRIORITIES)}
        case 2:
            status = status | {"message": f"m{draw.number(1, 3)}"}
        case 3:
            meta = meta | {"uid": f"{meta['uid']}+"}
        case 4:
            status = {member: value for member, value in status.items() if member != "nominatedNodeName"}
            status |= draw.pick(({"nominatedNodeName": f"n{draw.number(1, 3)}"}, {}))
        case 5:
            spec = spec | {"containers": pod(draw, "other", "default")["spec"]["containers"]}
        case _:
            pass
    return document | {"metadata": meta, "spec": spec, "status": status}
