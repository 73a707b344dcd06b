"""Reading clusters as people have them: files, directories or standard input, and writing them back.

    manifests = read_manifests("cluster.json", "extra.yaml")
    cluster = manifests.cluster

Takes JSON and YAML, single objects, `List`s, several documents, gzipped or not.  Defaults that an API
server would have filled in are filled in.  Kinds that scheduling does not depend on are counted.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NoReturn

from attrs import Factory, frozen

from model.api.admission import admitted
from model.api.cluster import Cluster
from model.api.decode import ManifestError, decode, encode
from model.api.defaults import defaulted
from model.api.documents import DocumentError, read_documents, read_file, write_json, write_yaml
from model.api.objects import (
    KINDS,
    Document,
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    QuantityList,
)

STANDARD_INPUT = "-"
_SUFFIXES = (".json", ".yaml", ".yml", ".json.gz", ".yaml.gz", ".yml.gz")
_FORMER_GROUPS = {"ReplicaSet": "extensions"}


@frozen
class Manifests:
    """`skipped`: how many objects of each kind that is not read."""

    objects: tuple[KubernetesObject, ...]
    skipped: Mapping[str, int] = Factory(dict)

    @property
    def cluster(self) -> Cluster:
        return Cluster.of(self.objects)

    @property
    def notice(self) -> str:
        """One line about what was skipped, or ""."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.skipped.items()))
        return f"skipped objects that scheduling does not depend on: {kinds}" if kinds else ""


def read_manifests(*sources: str | Path) -> Manifests:
    """Read files, directories (all *.json, *.yaml, *.yml and their .gz below them) and `-`, standard input.

    Raises ManifestError naming file, kind, namespace/name and field.
    """
    reading = _Reading()
    for source in sources:
        for name, documents in _sources(source):
            reading.read(name, documents)
    return Manifests(tuple(admitted(reading.objects.values(), reading.created)), dict(reading.skipped))


def write_manifests(things: Iterable[KubernetesObject], form: Literal["json", "yaml"] = "json") -> str:
    """One JSON `List`, or a stream of YAML documents; `read_manifests` gives equal objects again."""
    documents = [encode(thing) for thing in things]
    if form == "yaml":
        return write_yaml(documents)
    return write_json({"apiVersion": "v1", "kind": "List", "items": documents})


def _sources(source: str | Path) -> Iterator[tuple[str, list[Any]]]:
    """Names of files, and the documents in them."""
    if str(source) == STANDARD_INPUT:
        yield "standard input", _standard_input()
        return
    for file in _files(Path(source)):
        try:
            yield str(file), read_file(file)
        except DocumentError as error:
            raise ManifestError(str(error)) from None


def _standard_input() -> list[Any]:
    if sys.stdin is None:
        raise ManifestError("standard input: closed")
    try:
        return read_documents(sys.stdin.buffer.read())
    except DocumentError as error:
        raise ManifestError(f"standard input: {error}") from None


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a directory that are not hidden; a link that leads nowhere is among them."""
    if not os.path.isdir(path):
        return [path]
    found: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=_unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(folder, name) for name in names if name.endswith(_SUFFIXES) and not name.startswith(".")]
    files = sorted(file for file in found if file.is_file() or not file.exists())
    if not files:
        raise ManifestError(f"{path}: no {', '.join(_SUFFIXES[:3])} file in this directory")
    return files


def _unreadable(error: OSError) -> NoReturn:
    raise ManifestError(f"{error.filename}: {error.strerror or error}")


class _Reading:
    """What was read so far, to find objects that come twice."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], KubernetesObject] = {}
        self.created: list[KubernetesObject] = []
        """Those that had no uid: they never were in an API server."""
        self.skipped: Counter[str] = Counter()
        self._origin: dict[tuple[str, str], str] = {}
        self._owner_of_uid: dict[tuple[str, str], KubernetesObject] = {}

    def read(self, file: str, documents: list[Any]) -> None:
        try:
            if not documents:
                raise ManifestError("holds no object")
            many = len(documents) > 1
            for number, document in enumerate(documents, 1):
                self._read_document(document, f"document {number}" if many else "", file)
        except ManifestError as error:
            raise ManifestError(f"{file}: {error}") from None

    def _read_document(self, document: Any, place: str, file: str) -> None:
        if not isinstance(document, dict):
            raise ManifestError(_located(place, "expected a Kubernetes object"))
        kind = document.get("kind")
        if not isinstance(kind, str) or not kind:
            raise ManifestError(_located(place, f"kind: missing{_named(document)}"))
        if kind == "List" or (kind.endswith("List") and "items" in document):
            self._read_list(document, kind.removesuffix("List"), place, file)
        elif kind in KINDS and _group_fits(document, KINDS[kind]):
            self._read_object(document, KINDS[kind], place, file)
        else:
            self.skipped[kind] += 1

    def _read_list(self, document: Document, item_kind: str, place: str, file: str) -> None:
        items = document.get("items") or []
        if not isinstance(items, list):
            raise ManifestError(_located(place, "items: expected a list"))
        for index, item in enumerate(items):
            if item_kind and isinstance(item, dict) and "kind" not in item:
                item = {"kind": item_kind, **item}
            self._read_document(item, f"{place}{'.' if place else ''}items[{index}]", file)

    def _read_object(self, document: Document, kind: type[KubernetesObject], place: str, file: str) -> None:
        if not _named(document):
            raise ManifestError(_located(place, f"{kind.kind} (unnamed): metadata.name: missing"))
        thing = decode(defaulted(document, kind), kind)
        label = f"{thing.kind} {thing.key}"
        _check_identity(thing, label)
        _check_amounts(thing, label)
        first = self.objects.setdefault((thing.kind, thing.key), thing)
        if first is not thing:
            if first != thing:
                raise ManifestError(f"{label}: differs from the one in {self._origin[thing.kind, thing.key]}")
            return
        self._origin[thing.kind, thing.key] = file
        owner = self._owner_of_uid.setdefault((thing.kind, thing.uid), thing)
        if owner is not thing:
            raise ManifestError(f"{label}: metadata.uid: {owner.key} has the same")
        if not document["metadata"].get("uid"):
            self.created.append(thing)


def _located(place: str, problem: str) -> str:
    return f"{place}: {problem}" if place else problem


def _named(document: Document) -> str:
    metadata = document.get("metadata") or {}
    name = metadata.get("name") if isinstance(metadata, dict) else metadata
    return "" if name in (None, "") else f" (metadata.name is {name!r})"


def _group_fits(document: Document, kind: type[KubernetesObject]) -> bool:
    """Whether the document's API group is the kind's; a Service of another group is another thing."""
    version = document.get("apiVersion")
    if not isinstance(version, str):
        return True
    return version.rpartition("/")[0] in {kind.api_version.rpartition("/")[0], _FORMER_GROUPS.get(kind.kind)}


def _check_identity(thing: KubernetesObject, label: str) -> None:
    for field, value in (("name", thing.name), ("namespace", thing.namespace)):
        if "/" in value or not value.isprintable() or value in {".", ".."}:
            raise ManifestError(f"{label!r}: metadata.{field}: not a name")


def _check_amounts(thing: KubernetesObject, label: str) -> None:
    """Refuse negative quantities, as the API server's validation does."""
    for path, amounts in _amounts(thing):
        for name, amount in amounts.items():
            if amount.number < 0:
                raise ManifestError(f"{label}: {path}[{name}]: must not be negative, got {amount.text!r}")


def _amounts(thing: KubernetesObject) -> Iterator[tuple[str, QuantityList]]:
    match thing:
        case Pod():
            for field, containers in (
                ("initContainers", thing.spec.init_containers),
                ("containers", thing.spec.containers),
            ):
                for index, container in enumerate(containers):
                    path = f"spec.{field}[{index}].resources"
                    yield f"{path}.requests", container.resources.requests
                    yield f"{path}.limits", container.resources.limits
        case Node():
            yield "status.allocatable", thing.status.allocatable
        case PersistentVolume():
            yield "spec.capacity", thing.spec.capacity
        case PersistentVolumeClaim():
            yield "spec.resources.requests", thing.spec.resources.requests
