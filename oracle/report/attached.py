"""The volumes that are too many for a node."""

from collections.abc import Collection, Iterator

from model.attempt import Attempt
from model.fit import PredicateError
from model.node_info import NodeInfo, volume_limits
from model.predicates.csi_volumes import handles, limit_key
from model.predicates.volume_counts import MAX_AZURE_DISK, MAX_CINDER, MAX_EBS, MAX_GCE_PD
from oracle.printable import counted
from oracle.report.words import some


def too_many(attempt: Attempt, info: NodeInfo) -> Iterator[str]:
    """By type or driver: the limit, what is attached, and what the pod would add."""
    try:
        yield from _of_types(attempt, info)
        yield from _of_drivers(attempt, info)
    except PredicateError:
        return


def _of_types(attempt: Attempt, info: NodeInfo) -> Iterator[str]:
    for predicate in (MAX_EBS, MAX_GCE_PD, MAX_AZURE_DISK, MAX_CINDER):
        wanted = {name for _, name in predicate.ids(attempt, attempt.pod)}
        attached = {name for _, name in predicate.attached(attempt, info)}
        if wanted and len(attached | wanted) > predicate.limit(attempt, info):
            yield _said(f"type {predicate.limit_name}", predicate.limit(attempt, info), attached, wanted - attached)


def _of_drivers(attempt: Attempt, info: NodeInfo) -> Iterator[str]:
    attached = {handle: key for pod in info.pods for handle, key in handles(attempt, pod)}
    new = {handle: key for handle, key in handles(attempt, attempt.pod) if handle not in attached}
    for key, limit in volume_limits(info).items():
        there, added = ([handle[-2] for handle, k in found.items() if k == key] for found in (attached, new))
        if added and len(there) + len(added) > limit:
            yield _said(f"driver {key.removeprefix(limit_key(''))}", limit, there, added)


def _said(what: str, limit: int, attached: Collection[str], new: Collection[str]) -> str:
    there = (
        f"{some(sorted(attached))} {'are' if len(attached) > 1 else 'is'} attached" if attached else "none is attached"
    )
    more = f", {some(sorted(new))} would be added" if new else ""
    return f"at most {counted(limit, 'volume')} of {what}: {there}{more}"
