"""Which nodes report which image.  [C-050..C-053]"""

from attrs import define, field

from model.api.components import ImageState
from model.api.objects import Node


@define
class Image:
    """`size` in bytes, as the first node that still counts reported it."""

    size: int
    nodes: set[str] = field(factory=set)


class Images:
    """`by_name`: read only."""

    def __init__(self) -> None:
        self.by_name: dict[str, Image] = {}

    def add(self, node: Node) -> dict[str, ImageState]:
        """Count the node's images; what the node will remember of them.  [C-051, C-053]"""
        summary: dict[str, ImageState] = {}
        for reported in node.status.images:
            for name in reported.names:
                image = self.by_name.setdefault(name, Image(reported.size_bytes))
                image.nodes.add(node.name)
                if name not in summary:
                    summary[name] = ImageState(image.size, len(image.nodes))
        return summary

    def remove(self, node: Node) -> None:
        """[C-052]"""
        for reported in node.status.images:
            for name in reported.names:
                if image := self.by_name.get(name):
                    image.nodes.discard(node.name)
                    if not image.nodes:
                        del self.by_name[name]
