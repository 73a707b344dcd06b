"""Which nodes hold which image, and what each node was told about it.  [C-050..C-053]"""

from collections.abc import Iterator, Mapping

from attrs import frozen

from model.api.components import ImageState
from model.api.objects import Node
from model.rules import declare, reached, rule

declare("C-050", "What a node knows about its images is computed when its own object comes or changes", __name__)


@frozen
class Image:
    """`size` in bytes, as the first node to report it said."""

    size: int
    nodes: frozenset[str] = frozenset()


Images = Mapping[str, Image]
"""Image name -> the image; one image may have several names."""


@rule("C-051", "The node's images are entered, and the node learns each one's size and number of nodes at this moment")
def add_node_images(images: Images, node: Node) -> tuple[Images, Mapping[str, ImageState]]:
    entered, summary = dict(images), dict[str, ImageState]()
    for name, size in _named(node):
        known = entered.get(name, Image(size))
        if known.size != size:
            reached("images: size of the first reporter")
        image = entered[name] = Image(known.size, known.nodes | {node.name})
        summary.setdefault(name, ImageState(image.size, len(image.nodes)))
    return entered, summary


@rule("C-052", "The node is taken off its images; one that no node holds is forgotten")
def remove_node_images(images: Images, node: Node) -> Images:
    remaining = dict(images)
    for name, _ in _named(node):
        if name not in remaining:
            continue
        image = Image(remaining[name].size, remaining[name].nodes - {node.name})
        if image.nodes:
            remaining[name] = image
        else:
            del remaining[name]
    return remaining


def recounted(images: Images, states: Mapping[str, ImageState]) -> Mapping[str, ImageState]:
    """What a node knows about its images, brought up to date.  [C-053]"""
    return {name: ImageState(images[name].size, len(images[name].nodes)) for name in states}


def _named(node: Node) -> Iterator[tuple[str, int]]:
    return ((name, image.size_bytes) for image in node.status.images for name in image.names)
