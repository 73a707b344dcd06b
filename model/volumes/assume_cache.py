"""The volume binder's view of volumes or claims: what the API server says, and what was assumed since.

Fed by its own informer handlers, independent of the scheduler's other ones.
"""

from collections.abc import Mapping
from typing import Generic, TypeVar

from attrs import evolve, frozen

from model.api.integers import is_integer, parse_integer
from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.rules import declare, rule

Stored = TypeVar("Stored", PersistentVolume, PersistentVolumeClaim)


class AssumeError(Exception):
    """The message is kube-scheduler's.  [V-005, V-007]"""


@frozen
class Entry(Generic[Stored]):
    api: Stored
    latest: Stored


AssumeCache = Mapping[str, Entry[Stored]]
"""By key: a volume's name, a claim's `namespace/name`.  [V-002]"""

declare("V-002", "Of each object the one from the API server and the one last assumed are kept", __name__)


@rule("V-003", "An object is taken over if it is newer than what is held, assumed or not")
def put(cache: AssumeCache[Stored], thing: Stored) -> AssumeCache[Stored]:
    held = cache.get(thing.key)
    if held:
        try:
            if _version(thing) <= _version(held.latest):
                return cache
        except AssumeError:
            return cache
    return {**cache, thing.key: Entry(thing, thing)}


@rule("V-004", "A deleted object is forgotten with what was assumed about it")
def drop(cache: AssumeCache[Stored], key: str) -> AssumeCache[Stored]:
    return {k: entry for k, entry in cache.items() if k != key}


@rule("V-005", "An object may be assumed unless it is older than what is held")
def assume(cache: AssumeCache[Stored], thing: Stored) -> AssumeCache[Stored]:
    """Raises AssumeError."""
    held = entry(cache, thing.key, type(thing))
    assumed, stored = _version(thing), _version(held.latest)
    if assumed < stored:
        raise AssumeError(f'v1.{thing.kind} "{thing.key}" is out of sync (stored: {stored}, assume: {assumed})')
    return {**cache, thing.key: evolve(held, latest=thing)}


@rule("V-006", "Restoring goes back to what the API server says")
def restore(cache: AssumeCache[Stored], key: str) -> AssumeCache[Stored]:
    held = cache.get(key)
    return {**cache, key: Entry(held.api, held.api)} if held else cache


def entry(cache: AssumeCache[Stored], key: str, kind: type[Stored]) -> Entry[Stored]:
    """Raises AssumeError for a key that is not known.  [V-007]"""
    if key not in cache:
        raise AssumeError(f'could not find v1.{kind.kind} "{key}"')
    return cache[key]


def latest(cache: AssumeCache[Stored]) -> Mapping[str, Stored]:
    """What predicates see: assumptions included."""
    return {key: held.latest for key, held in cache.items()}


def _version(thing: PersistentVolume | PersistentVolumeClaim) -> int:
    text = thing.metadata.resource_version
    number = parse_integer(text)
    if number is None:
        problem = "value out of range" if is_integer(text) else "invalid syntax"
        raise AssumeError(
            f'error parsing ResourceVersion "{text}" for v1.{thing.kind} "{thing.key}": '
            f'strconv.ParseInt: parsing "{text}": {problem}'
        )
    return number
