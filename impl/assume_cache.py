"""The volume binder's view of PVs and PVCs: the informer's objects, and what is assumed of them.  [V-002..V-007]"""

from collections.abc import Iterator
from typing import Generic

from attrs import define

from model.api.integers import parse_integer
from model.api.objects import AnyObject


class VolumeError(Exception):
    """A volume operation failed; the message is kube-scheduler's."""


@define
class _Known(Generic[AnyObject]):
    api: AnyObject
    latest: AnyObject


class AssumeCache(Generic[AnyObject]):
    """Objects of one kind; `version` counts the changes."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._known: dict[str, _Known[AnyObject]] = {}
        self.version = 0

    def put(self, thing: AnyObject) -> None:
        """An object from the informer replaces what is older than it, assumptions included.  [V-003]"""
        known = self._known.get(thing.key)
        if known is not None:
            heard, held = parse_integer(_version(thing)), parse_integer(_version(known.latest))
            if heard is None or held is None or heard <= held:
                return
        self._known[thing.key] = _Known(thing, thing)
        self.version += 1

    def drop(self, thing: AnyObject) -> None:
        """[V-004]"""
        self._known.pop(thing.key, None)
        self.version += 1

    def assume(self, thing: AnyObject) -> None:
        """[V-005]"""
        known = self._find(thing.key)
        assumed, stored = self._parsed(thing), self._parsed(known.latest)
        if assumed < stored:
            raise VolumeError(f'v1.{self._kind} "{thing.key}" is out of sync (stored: {stored}, assume: {assumed})')
        known.latest = thing
        self.version += 1

    def restore(self, key: str) -> None:
        """[V-006]"""
        if known := self._known.get(key):
            known.latest = known.api
            self.version += 1

    def get(self, key: str) -> AnyObject | None:
        """The latest object, assumptions included.  [V-007]"""
        known = self._known.get(key)
        return known.latest if known else None

    def latest(self, key: str) -> AnyObject:
        """As `get`.  Raises VolumeError for an unknown key.  [V-007]"""
        return self._find(key).latest

    def api(self, key: str) -> AnyObject:
        """The object as the informer gave it.  Raises VolumeError for an unknown key.  [V-007]"""
        return self._find(key).api

    def all(self) -> Iterator[AnyObject]:
        for known in self._known.values():
            yield known.latest

    def _find(self, key: str) -> _Known[AnyObject]:
        known = self._known.get(key)
        if known is None:
            raise VolumeError(f'could not find v1.{self._kind} "{key}"')
        return known

    def _parsed(self, thing: AnyObject) -> int:
        number = parse_integer(_version(thing))
        if number is None:
            raise VolumeError(
                f'error parsing ResourceVersion "{_version(thing)}" for v1.{self._kind} "{thing.key}": '
                f'strconv.ParseInt: parsing "{_version(thing)}": invalid syntax'
            )
        return number


def _version(thing: AnyObject) -> str:
    return thing.metadata.resource_version
