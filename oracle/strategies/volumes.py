"""Storage classes, volumes, claims, and disks that pods mount directly."""

from typing import Any

from oracle.strategies.pools import HOSTNAME, REGION, ZONE, ZONES, metadata
from oracle.strategies.swarm import Draw

CLAIM_NAMES = ("c1", "c2", "c3", "c4")
LOCAL, WAITING, IMMEDIATE, CSI = "local", "waiting", "now", "csi"
CLASSES = {
    LOCAL: ("kubernetes.io/no-provisioner", "WaitForFirstConsumer"),
    WAITING: ("example.com/provisioner", "WaitForFirstConsumer"),
    IMMEDIATE: ("example.com/provisioner", "Immediate"),
    CSI: ("csi.example.com", "WaitForFirstConsumer"),
}
BIND_COMPLETED = {"pv.kubernetes.io/bind-completed": "yes"}


def storage_class(draw: Draw, name: str) -> dict[str, Any]:
    provisioner, mode = CLASSES[name]
    found: dict[str, Any] = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": metadata(draw, name),
        "provisioner": provisioner,
        "volumeBindingMode": mode,
    }
    if name == WAITING and draw.chance(0.4):
        expression = {"key": draw.pick((ZONE, HOSTNAME)), "values": draw.some((*ZONES, "n1", "n2"), most=3, least=1)}
        found["allowedTopologies"] = [{"matchLabelExpressions": [expression]}]
    return found


def volume_and_claim(draw: Draw, name: str, namespace: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A claim, and mostly volumes it could be or is bound to; each may be missing."""
    claim = claim_of(draw, name, namespace, draw.pick((LOCAL, LOCAL, *CLASSES)))
    if draw.chance(0.4):
        volume = volume_of(draw, f"pv-{name}-{namespace}", claim["spec"]["storageClassName"])
        if draw.chance(0.7):
            bound(claim, volume)
        elif draw.chance(0.3):
            volume["spec"]["claimRef"] = reference(claim, uid=draw.chance(0.5))
        volumes = [volume]
    else:
        candidates = [f"pv-{name}-{namespace}-{at}" for at in range(draw.number(0, 2))]
        volumes = [volume_of(draw, candidate, claim["spec"]["storageClassName"]) for candidate in candidates]
    return ([] if draw.chance(0.05) else volumes), ([] if draw.chance(0.05) else [claim])


def claim_of(draw: Draw, name: str, namespace: str, class_name: str) -> dict[str, Any]:
    claim: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": metadata(draw, name, namespace),
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": draw.pick(("500Mi", "900Mi", "1Gi", "2Gi"))}},
            "storageClassName": class_name,
            "volumeMode": "Filesystem",
        },
        "status": {"phase": "Pending"},
    }
    if draw.chance(0.05):
        del claim["spec"]["storageClassName" if draw.chance(0.3, "invalid") else "volumeMode"]
        claim["spec"].setdefault("storageClassName", "")
    if draw.chance(0.05, "terminating"):
        claim["metadata"] |= {"deletionTimestamp": "2019-12-01T00:00:20Z"}
    return claim


def volume_of(draw: Draw, name: str, class_name: str) -> dict[str, Any]:
    """Of a size no other has: among equals the choice is free."""
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": f"{draw.pick((600, 1000, 1100, 3000)) + draw.serial()}Mi"},
        "storageClassName": class_name,
        "volumeMode": "Filesystem",
        **source(draw, name, class_name),
    }
    if draw.chance(0.6 if class_name == LOCAL else 0.2):
        key, values = draw.pick(((HOSTNAME, ("n1", "n2", "n3")), (ZONE, ZONES)))
        expression = {"key": key, "operator": "In", "values": draw.some(values, most=2, least=1)}
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    zone = {ZONE: draw.pick((*ZONES, "a__b"))} if draw.chance(0.5, "zones") else {}
    region = {REGION: draw.pick(("r1", "r2"))} if draw.chance(0.1, "zones") else {}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": metadata(draw, name, labels=zone | region),
        "spec": spec,
        "status": {"phase": draw.pick(("Pending", "Released", "Failed")) if draw.chance(0.1) else "Available"},
    }


def source(draw: Draw, name: str, class_name: str) -> dict[str, Any]:
    if class_name == CSI:
        return {"csi": {"driver": "csi.example.com", "volumeHandle": draw.pick((name, "shared"))}}
    if class_name == LOCAL:
        return {"local": {"path": f"/mnt/{name}"}}
    return draw.pick(
        (
            {"awsElasticBlockStore": {"volumeID": f"vol-{name}"}},
            {"gcePersistentDisk": {"pdName": name}},
            {"azureDisk": {"diskName": name, "diskURI": f"uri-{name}"}},
            {"cinder": {"volumeID": name}},
        )
    )


def bound(claim: dict[str, Any], volume: dict[str, Any]) -> None:
    """Both as the PV controller leaves them."""
    claim["metadata"]["annotations"] = dict(BIND_COMPLETED)
    claim["spec"]["volumeName"] = volume["metadata"]["name"]
    claim["status"] = {"phase": "Bound"}
    volume["spec"]["claimRef"] = reference(claim, uid=True)
    volume["status"] = {"phase": "Bound"}


def reference(claim: dict[str, Any], uid: bool) -> dict[str, Any]:
    meta = claim["metadata"]
    found = {"kind": "PersistentVolumeClaim", "namespace": meta["namespace"], "name": meta["name"]}
    return found | ({"uid": meta["uid"]} if uid else {})


SHARED = ("gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd")
"""Types of disks that pods of one node cannot always share."""


def inline_volume(draw: Draw, kind: str | None = None) -> dict[str, Any]:
    """Of this kind, or of any."""
    read_only = {"readOnly": True} if draw.chance(0.4) else {}
    volumes: tuple[dict[str, Any], ...] = (
        {"gcePersistentDisk": {"pdName": draw.pick(("d1", "d2")), **read_only}},
        {"awsElasticBlockStore": {"volumeID": draw.pick(("d1", "d2")), **read_only}},
        {"iscsi": {"targetPortal": "10.0.0.1", "iqn": draw.pick(("q1", "q2")), "lun": 1, **read_only}},
        {
            "rbd": {
                "monitors": draw.some(("m1", "m2"), 2, 1),
                "image": "i1",
                "pool": draw.pick(("", "p1")),
                **read_only,
            }
        },
        {"azureDisk": {"diskName": draw.pick(("d1", "d2")), "diskURI": "u"}},
        {"emptyDir": {}},
    )
    return draw.pick(volumes) if kind is None else next(volume for volume in volumes if kind in volume)
