"""What a scheduler writes into volumes and claims is compared whole, by the search and when a trace is replayed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from model.api.configuration import Configuration
from model.api.decode import decode, merge_patch
from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.api.protocol import Api, Call, Event, Observation, Scheduler, UpdateClaim, UpdateVolume
from model.engine import Reference
from oracle.compare import compare
from oracle.fuzz.describe import describe
from oracle.replay import replay
from oracle.report import write_finding
from oracle.trace import read_trace

META = {"uid": "u", "resourceVersion": "1"}
MODES = {"storageClassName": "slow", "accessModes": ["ReadWriteOnce"]}


def case(provisioner: str = "kubernetes.io/no-provisioner", volumes: int = 1) -> dict[str, Any]:
    volume = {"spec": {**MODES, "capacity": {"storage": "1Gi"}}, "status": {"phase": "Available"}}
    claim = {"spec": {**MODES, "resources": {"requests": {"storage": "1Gi"}}}}
    mounted = {"name": "v", "persistentVolumeClaim": {"claimName": "c"}}
    pod = {"schedulerName": "default-scheduler", "containers": [], "volumes": [mounted]}
    waiting = {"provisioner": provisioner, "volumeBindingMode": "WaitForFirstConsumer"}
    cluster = {
        "storageClasses": [{"kind": "StorageClass", "metadata": {"name": "slow"}, **waiting}],
        "persistentVolumes": [{"kind": "PersistentVolume", "metadata": META | {"name": "v"}, **volume}][:volumes],
        "persistentVolumeClaims": [{"kind": "PersistentVolumeClaim", "metadata": _placed("c"), **claim}],
        "nodes": [{"kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "1"}}}],
        "pods": [{"kind": "Pod", "metadata": _placed("p"), "spec": pod}],
    }
    config = {"alwaysCheckAllPredicates": False, "hardPodAffinitySymmetricWeight": 1, "percentageOfNodesToScore": 100}
    return {"kind": "e2e", "cluster": cluster, "config": config, "events": [{"op": "scheduleOne"}]}


def _placed(name: str) -> dict[str, Any]:
    return {**META, "name": name, "namespace": "default"}


class Careless(Reference):
    """What its scheduler writes goes through other hands."""

    def __init__(self, change: Callable[[Call[Any]], Call[Any]]) -> None:
        super().__init__()
        self._change = change

    def scheduler(self, configuration: Configuration) -> Scheduler:
        return CarelessScheduler(super().scheduler(configuration), self._change)


class CarelessScheduler:
    def __init__(self, inner: Scheduler, change: Callable[[Call[Any]], Call[Any]]) -> None:
        self._inner, self._change = inner, change

    def handle(self, event: Event, api: Api) -> None:
        self._inner.handle(event, ChangingApi(api, self._change))

    def observe(self) -> Observation | None:
        return self._inner.observe()


class ChangingApi:
    def __init__(self, inner: Api, change: Callable[[Call[Any]], Call[Any]]) -> None:
        self._inner, self._change = inner, change

    def call(self, request: Call[Any]) -> Any:
        return self._inner.call(self._change(request))


def unmarked(request: Call[Any]) -> Call[Any]:
    """A volume without the mark of who bound it."""
    if not isinstance(request, UpdateVolume):
        return request
    document = merge_patch(request.volume.document, {"metadata": {"annotations": None}})
    return evolve(request, volume=decode(document, PersistentVolume))


def noted(request: Call[Any]) -> Call[Any]:
    """A claim with a label that nobody asked for."""
    if not isinstance(request, UpdateClaim):
        return request
    document = merge_patch(request.claim.document, {"metadata": {"labels": {"by": "me"}}})
    return evolve(request, claim=decode(document, PersistentVolumeClaim))


FAULTS = {
    "volume": (case(), unmarked, "steps[0].written.PersistentVolume.metadata.annotations"),
    "claim": (case("a.example", 0), noted, "steps[0].written.PersistentVolumeClaim.metadata.labels"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_written_is_compared(what: str, tmp_path: Path) -> None:
    trace, change, where = FAULTS[what]
    assert compare(trace, Reference()) is None
    engine = Careless(change)
    divergence = compare(trace, engine)
    assert divergence is not None
    assert divergence.difference.where == where
    (*_, last) = replay(read_trace(trace), engine)
    assert last.difference == divergence.difference
    finding = describe(trace, divergence, engine, "python:somewhere:Else", "0/0")
    assert finding.signature.startswith("trace-scheduling-written-persistent-volume")
    assert "metadata" in finding.sentence
    assert "persistentVolumeClaims" in finding.trace["cluster"]
    assert (write_finding(finding, tmp_path) / "report.html").exists()
