"""What a cluster of today says that v1.15 does not heed is told, each thing once, and nothing else is."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from model.api.manifests import read_manifests
from oracle.cli.commands import app
from oracle.unheeded import LATER, unheeded

NODE = "{kind: Node, metadata: {name: n}, status: {capacity: {cpu: '2', pods: '9'}}}"
TERM = "{topologyKey: zone, labelSelector: {matchLabels: {a: b}}, %s}"
USES = {
    "schedulingGates": "schedulingGates: [{name: g}]",
    "topologySpreadConstraints": "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone}]",
    "overhead": "overhead: {cpu: 100m}",
    "resources of the pod as a whole": "resources: {requests: {cpu: '1'}}",
    "restartPolicy of an init container": "initContainers: [{name: i}, {name: sidecar, restartPolicy: Always}]",
    "resourceClaims": "resourceClaims: [{name: gpu}]",
    "ephemeral volumes": "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {}}}]",
    "namespaceSelector of a pod affinity": "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
    f"[{TERM % 'namespaceSelector: {}'}]}}}}",
    "matchLabelKeys of a pod affinity": "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
    f"[{{weight: 1, podAffinityTerm: {TERM % 'matchLabelKeys: [rev]'}}}]}}}}",
    "preemptionPolicy Never": "preemptionPolicy: Never",
}
"""What a pod's spec says."""
OTHERS = {
    "labels topology.kubernetes.io/zone and region": "{kind: Node, metadata: {name: n, labels: "
    "{topology.kubernetes.io/zone: a}}}",
    "volume limits of a CSINode": "{kind: CSINode, apiVersion: storage.k8s.io/v1, metadata: {name: n}, "
    "spec: {drivers: [{name: d, nodeID: n, allocatable: {count: 5}}]}}",
    "accessMode ReadWriteOncePod": "{kind: PersistentVolumeClaim, metadata: {name: c}, "
    "spec: {accessModes: [ReadWriteOncePod]}}",
    "an empty selector of a policy/v1 budget": "{kind: PodDisruptionBudget, apiVersion: policy/v1, "
    "metadata: {name: b}, spec: {selector: {}}}",
}
PLAIN = """
{kind: Node, metadata: {name: n, labels: {topology.kubernetes.io/zone: a, failure-domain.beta.kubernetes.io/zone: a}}}
---
{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}], preemptionPolicy: PreemptLowerPriority,
  priorityClassName: system-node-critical, initContainers: [{name: i}], volumes: [{name: v, emptyDir: {}}]}}
---
{kind: PodDisruptionBudget, apiVersion: policy/v1beta1, metadata: {name: b}, spec: {selector: {}}}
"""


def said(folder: Path, manifests: str) -> list[str]:
    path = folder / "cluster.yaml"
    path.write_text(manifests)
    return unheeded(read_manifests(path).cluster)


def pod(spec: str) -> str:
    return f"{{kind: Pod, metadata: {{name: p}}, spec: {{containers: [{{name: c}}], {spec}}}}}"


def test_everything_in_the_table_is_tried_here() -> None:
    assert {later.name for later in LATER} == USES.keys() | OTHERS.keys()


@pytest.mark.parametrize("name", [*USES, *OTHERS])
def test_each_is_told(name: str, tmp_path: Path) -> None:
    [line] = said(tmp_path, pod(USES[name]) if name in USES else OTHERS[name])
    assert line.startswith(f"{name} (since 1.")


def test_nothing_is_told_of_what_v1_15_knows(tmp_path: Path) -> None:
    assert said(tmp_path, PLAIN) == []


def test_users_are_counted_and_one_is_named(tmp_path: Path) -> None:
    pods = "\n---\n".join(pod("priorityClassName: high").replace("name: p}", f"name: p{at}}}") for at in range(3))
    told = "priorityClassName without that class (3 Pods, the first is default/p0): the pod has priority 0 [O-050]"
    assert said(tmp_path, pods) == [told]


@pytest.mark.parametrize("arguments", [["run", "C"], ["explain", "C", "p"], ["audit", "C", "--after", "C"]])
def test_commands_give_notice(arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(f"{NODE}\n---\n{pod(USES['schedulingGates'])}")
    result = CliRunner().invoke(app, [str(path) if each == "C" else each for each in arguments])
    assert result.exit_code == 0
    told = "  schedulingGates (since 1.26; 1 Pod default/p): a gated pod is tried like any other [L-021]"
    assert told in result.stderr.splitlines()
    assert "schedulingGates" not in result.stdout
