"""The optimized volume binder: what it chooses, assumes, asks the API for and waits for."""

import pytest

from impl.assume_cache import VolumeError
from impl.surroundings import Surroundings
from model.api.decode import amended, decode
from model.api.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from model.api.protocol import ApiError, UpdateClaim, UpdateVolume
from tests.building import node, pod

N1 = node("n1", labels={"rack": "a"})


def storage_class(provisioner="kubernetes.io/no-provisioner"):
    document = {"metadata": {"name": "wait"}, "provisioner": provisioner}
    return decode({**document, "volumeBindingMode": "WaitForFirstConsumer"}, StorageClass)


def claim(name, size="1Gi", version="1", **metadata):
    return decode(
        {
            "metadata": {
                "name": name,
                "namespace": "default",
                "uid": f"uid-{name}",
                "resourceVersion": version,
                **metadata,
            },
            "spec": {
                "storageClassName": "wait",
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": size}},
            },
        },
        PersistentVolumeClaim,
    )


def volume(name, size, version="1", **spec):
    return decode(
        {
            "metadata": {"name": name, "resourceVersion": version},
            "spec": {
                "capacity": {"storage": size},
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "wait",
                **spec,
            },
            "status": {"phase": "Available"},
        },
        PersistentVolume,
    )


class Answers:
    """An API server that stores every update with the next version, or refuses the kinds given."""

    def __init__(self, *refused):
        self.refused = refused
        self.sent = []

    def call(self, request):
        if isinstance(request, self.refused):
            return ApiError("Conflict", "changed meanwhile")
        thing = request.volume if isinstance(request, UpdateVolume) else request.claim
        self.sent.append(thing.name)
        return amended(thing, {"metadata": {"resourceVersion": "9"}})


def binder(*things, provisioner="kubernetes.io/no-provisioner"):
    surroundings = Surroundings()
    for thing in (N1, storage_class(provisioner), *things):
        surroundings.put(thing)
    return surroundings.binder


def test_the_smallest_sufficient_volume_is_taken_and_is_no_longer_free():
    volumes = binder(claim("c1"), claim("c2"), volume("big", "3Gi"), volume("small", "2Gi"), volume("tiny", "1Mi"))
    first, second = pod("p1", claims=["c1"]), pod("p2", claims=["c2"])
    assert volumes.find(first, N1) == (True, True)
    assert volumes.assume(first, "n1") is False
    assert volumes.volumes.latest("small").spec.claim_ref.name == "c1"
    assert volumes.find(second, N1) == (True, True)
    volumes.assume(second, "n1")
    assert volumes.volumes.latest("big").spec.claim_ref.name == "c2"
    assert volumes.find(pod("p3", claims=["c1"]), N1) == (True, True)  # c1's own volume
    volumes.claims.put(claim("c3"))
    assert volumes.find(pod("p4", claims=["c3"]), N1) == (False, True)


def test_a_volume_that_does_not_reach_the_node_is_not_taken():
    elsewhere = {
        "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["b"]}]}]}
    }
    volumes = binder(claim("c1"), volume("far", "2Gi", nodeAffinity=elsewhere))
    assert volumes.find(pod("p", claims=["c1"]), N1) == (False, True)


def test_claims_that_cannot_be_judged_are_errors():
    immediate = amended(claim("now"), {"spec": {"storageClassName": "other"}})
    volumes = binder(immediate)
    with pytest.raises(VolumeError, match="pod has unbound immediate PersistentVolumeClaims"):
        volumes.find(pod("p", claims=["now"]), N1)
    with pytest.raises(VolumeError, match='error getting PVC "default/gone": could not find'):
        volumes.find(pod("p", claims=["gone"]), N1)


def test_a_newer_volume_of_the_informer_undoes_the_decision_and_nothing_stays_assumed():
    volumes = binder(claim("c1", size="1Gi"), claim("c2", size="2Gi"), volume("v1", "1Gi"), volume("v2", "2Gi"))
    both = pod("p", claims=["c1", "c2"])
    volumes.find(both, N1)
    volumes.volumes.put(volume("v2", "2Gi", version="5"))
    with pytest.raises(VolumeError, match=r'"v2" is out of sync \(stored: 5, assume: 1\)'):
        volumes.assume(both, "n1")
    assert volumes.volumes.latest("v1").spec.claim_ref is None


def test_what_the_api_refuses_is_no_longer_assumed():
    volumes = binder(claim("c1"), volume("v1", "1Gi"), claim("c2", size="5Gi"), provisioner="example.com/disks")
    both = pod("p", claims=["c1", "c2"], on="n1")
    volumes.find(both, N1)
    volumes.assume(both, "n1")
    assert "volume.kubernetes.io/selected-node" in volumes.claims.latest("default/c2").annotations
    api = Answers(UpdateClaim)
    with pytest.raises(VolumeError, match="changed meanwhile"):
        volumes.request(both, api)
    assert api.sent == ["v1"]
    assert volumes.volumes.latest("v1").spec.claim_ref.name == "c1"
    assert volumes.claims.latest("default/c2").annotations == {}


def test_binding_is_done_when_the_informer_shows_it():
    volumes = binder(claim("c1"), volume("v1", "1Gi"))
    waiting = pod("p", claims=["c1"], on="n1")
    volumes.find(waiting, N1)
    volumes.assume(waiting, "n1")
    sent = volumes.request(waiting, Answers())
    assert not volumes.is_done(waiting, sent)
    reference = {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "c1", "uid": "uid-c1"}
    volumes.volumes.put(volume("v1", "1Gi", version="10", claimRef=reference))
    assert not volumes.is_done(waiting, sent)
    complete = claim("c1", version="11", annotations={"pv.kubernetes.io/bind-completed": "yes"})
    volumes.claims.put(amended(complete, {"spec": {"volumeName": "v1"}}))
    assert volumes.is_done(waiting, sent)
    volumes.volumes.put(volume("v1", "1Gi", version="12"))
    with pytest.raises(VolumeError, match='ClaimRef got reset for pv "v1"'):
        volumes.is_done(waiting, sent)
    volumes.delete_decisions(waiting)
    with pytest.raises(VolumeError, match='pod "default/p" does not exist any more'):
        volumes.is_done(waiting, sent)
