"""Nodes that have about as many volumes of a type as they can attach, and a pod that brings more."""

from typing import Any

from oracle.strategies.nodes import LONG_DRIVER, LONG_LIMIT
from oracle.strategies.pods import placed
from oracle.strategies.pools import NAMESPACES, Document, metadata, names_of
from oracle.strategies.scenes import few_nodes, labelled
from oracle.strategies.swarm import Draw
from oracle.strategies.twist import Twist
from oracle.strategies.volumes import BIND_COMPLETED, CSI, storage_class

DISKS = ("d1", "d2", "d3", "d4")
LIMITS: dict[str, tuple[str, str]] = {
    "csi": ("attachable-volumes-csi-csi.example.com", "MaxCSIVolumeCountPred"),
    "awsElasticBlockStore": ("attachable-volumes-aws-ebs", "MaxEBSVolumeCount"),
    "gcePersistentDisk": ("attachable-volumes-gce-pd", "MaxGCEPDVolumeCount"),
    "azureDisk": ("attachable-volumes-azure-disk", "MaxAzureDiskVolumeCount"),
    "cinder": ("attachable-volumes-cinder", "MaxCinderVolumeCount"),
}
"""By the type of volume: what limits it on a node, and the predicate that counts."""
DEFAULT_LIMITS = {"awsElasticBlockStore": (25, 39), "gcePersistentDisk": (16,), "azureDisk": (16,)}
"""How many volumes a node takes that says nothing about it: of EBS fewer on some types of instances.  [P-071]"""
INSTANCE_TYPES = ("m5.large", "t3.small", "c5d", "m4.large", "my-z1d", "xr5")
UNKNOWN_CLASS = "unknown"


def attachments(draw: Draw) -> Twist:
    """Of one type mostly: a few disks and claims, some of which several pods share, and some that nobody knows."""
    main = draw.pick(("csi", *LIMITS))
    kinds = (main,) * 4 + tuple(LIMITS)
    lists, wanted = few_nodes(draw), with_volumes(draw, labelled(draw, "p"), kinds)
    names = names_of(lists["nodes"])
    for document in lists["nodes"]:
        limited(draw, document, main)
    lists["pods"] = [
        placed(draw, with_volumes(draw, labelled(draw, f"p{at}"), kinds), draw.pick(names[:2]))
        for at in range(1, draw.number(2, 4))
    ]
    if main in DEFAULT_LIMITS and draw.chance(0.2):
        lists["pods"][0]["spec"]["volumes"] += many(draw, main)
    lists["storageClasses"] = [storage_class(draw, CSI)]
    lists["persistentVolumes"], lists["persistentVolumeClaims"] = claimed(draw, kinds)
    alone = main == "cinder" or draw.chance(0.2)  # no provider counts volumes of Cinder
    return Twist(lists, wanted, {"predicates": [LIMITS[main][1]]} if alone else {})


def limited(draw: Draw, node: Document, kind: str) -> None:
    """Mostly with a limit for this type, about as high as what there is to attach, and with no other."""
    limit, _ = LIMITS[kind]
    found = {name: amount for name, amount in node["status"]["allocatable"].items() if "attachable" not in name}
    if draw.chance(0.85):
        found[limit] = str(draw.number(0, 4))
    if kind == "csi" and draw.chance(0.3):
        found[LONG_LIMIT] = str(draw.number(0, 2))
    node["status"]["allocatable"] = found
    if draw.chance(0.3):
        labels = node["metadata"].setdefault("labels", {})
        labels["beta.kubernetes.io/instance-type"] = draw.pick(INSTANCE_TYPES)


def with_volumes(draw: Draw, pod: Document, kinds: tuple[str, ...]) -> Document:
    volumes = [
        source(draw, draw.pick(kinds), draw.pick(DISKS), inline=True)
        if draw.chance(0.3)
        else {"persistentVolumeClaim": {"claimName": draw.pick(DISKS)}}
        for _ in range(draw.number(1, 2))
    ]
    if draw.chance(0.05, "invalid"):
        volumes.append({"persistentVolumeClaim": {"claimName": ""}})
    return pod | {"spec": pod["spec"] | {"volumes": [{"name": f"v{at}", **one} for at, one in enumerate(volumes)]}}


def many(draw: Draw, kind: str) -> list[Document]:
    """About as many as a node takes that says nothing about it."""
    count = draw.pick(DEFAULT_LIMITS[kind]) - draw.number(0, 2)
    return [{"name": f"m{at}", **source(draw, kind, f"m{at}", inline=True)} for at in range(count)]


def source(draw: Draw, kind: str, disk: str, inline: bool) -> Document:
    match kind:
        case "gcePersistentDisk":
            return {kind: {"pdName": disk, "readOnly": True}}
        case "azureDisk":
            return {kind: {"diskName": disk, "diskURI": "u"}}
        case "csi" if not inline:
            driver = draw.pick(("csi.example.com", "csi.example.com", LONG_DRIVER))
            return {kind: {"driver": driver, "volumeHandle": disk}}
        case "csi":
            return {"emptyDir": {}}
    return {kind: {"volumeID": disk}}


def claimed(draw: Draw, kinds: tuple[str, ...]) -> tuple[list[Document], list[Document]]:
    """Volumes, and claims of every namespace: bound to one of them, waiting for one, or to one that is gone."""
    volumes = [
        volume(draw, f"pv-{disk}", source(draw, draw.pick(kinds), draw.pick(DISKS), inline=False)) for disk in DISKS
    ]
    claims = []
    for namespace in NAMESPACES if draw.has("namespaces") else NAMESPACES[:1]:
        for disk in DISKS:
            if not draw.chance(0.1):
                claims.append(claim(draw, disk, namespace))
    return volumes[: draw.number(2, 4)], claims


def volume(draw: Draw, name: str, source: Document) -> Document:
    spec: dict[str, Any] = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], **source}
    meta = metadata(draw, name)
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": meta,
        "spec": spec,
        "status": {"phase": "Bound"},
    }


def claim(draw: Draw, name: str, namespace: str) -> Document:
    spec: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    spec["storageClassName"] = draw.pick((CSI, CSI, CSI, UNKNOWN_CLASS))
    meta = metadata(draw, name, namespace)
    if draw.chance(0.75):
        meta["annotations"] = dict(BIND_COMPLETED)
        spec["volumeName"] = f"pv-{draw.pick(DISKS)}"
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": meta, "spec": spec}
