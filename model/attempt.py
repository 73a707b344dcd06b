"""One scheduling attempt: the pod and everything that is looked at for it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import frozen

from model.api.objects import Pod
from model.node_info import NodeInfo
from model.semantics import Semantics
from model.world import Snapshot, World

if TYPE_CHECKING:
    from model.predicates.metadata import Metadata


@frozen
class Attempt:
    """`metadata` is None where it could not be computed: predicates then look for themselves.  [P-030, P-038]"""

    pod: Pod
    snapshot: Snapshot
    world: World
    semantics: Semantics
    metadata: "Metadata | None" = None


NOT_IN_SNAPSHOT = NodeInfo()


def known(attempt: Attempt, names: Iterable[str]) -> list[NodeInfo]:
    """What the snapshot holds of these nodes; nothing at all of one that is not in it.  [P-023, S-016]"""
    return [attempt.snapshot.get(name, NOT_IN_SNAPSHOT) for name in names]
