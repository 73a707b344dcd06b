"""Nodes that already hold the pod's images."""

from collections.abc import Sequence

from model.api.integers import quotient
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.rules import rule

MIB = 2**20
LEAST, MOST = 23 * MIB, 1000 * MIB
"""Bytes of images below which a node scores 0, and from which it scores 10."""


@rule(
    "S-062",
    "Sizes of the pod's images on the node, each times the share of nodes that hold it; from 23 to 1000 MiB, in tenths",
)
def image_locality(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    images = [normalized_name(container.image) for container in attempt.pod.spec.containers]
    total_nodes = len(attempt.snapshot)
    sizes = (sum(_scaled_size(info, image, total_nodes) for image in images) for info in feasible)
    return [_score(size, attempt.semantics.max_score) for size in sizes]


def normalized_name(image: str) -> str:
    """A name without tag means `:latest`; one with a digest stays."""
    return f"{image}:latest" if image.rfind(":") <= image.rfind("/") else image


def _scaled_size(info: NodeInfo, image: str, total_nodes: int) -> int:
    state = info.image_states.get(image)
    if state is None:
        return 0
    return int(float(state.size) * (float(state.num_nodes) / float(total_nodes)))


def _score(size: int, best: int) -> int:
    return quotient(best * (min(max(size, LEAST), MOST) - LEAST), MOST - LEAST)
