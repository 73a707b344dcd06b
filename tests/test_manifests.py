"""Reading clusters from files: every form a person has them in, what is filled in, and what is refused."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from model.api.decode import ManifestError
from model.api.documents import read_documents, write_yaml
from model.api.manifests import read_manifests, write_manifests
from model.api.objects import Node, PersistentVolumeClaim, Pod
from oracle.strategies import clusters

POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "a"},
    "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}}}]},
}
NODE: dict[str, Any] = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}


def changed(document: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {**document, **members}


def written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def names(path: Path | str) -> list[str]:
    return [f"{thing.kind} {thing.key}" for thing in read_manifests(path).objects]


BOTH = ["Pod default/a", "Node n"]
AS_LIST = {"apiVersion": "v1", "kind": "List", "items": [POD, NODE]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.json", json.dumps(AS_LIST)),
        ("list.yaml", yaml.safe_dump(AS_LIST)),
        ("stream.yaml", "# two objects\n---\n" + yaml.safe_dump_all([POD, NODE]) + "---\n"),
        ("flow.yaml", f"{{kind: List, items: [{json.dumps(POD)}, {json.dumps(NODE)}]}}"),
        ("braces.yaml", json.dumps(POD) + "\n---\n" + json.dumps(NODE)),
        ("lines.json", json.dumps(POD) + "\n" + json.dumps(NODE) + "\n"),
        ("list.json.gz", gzip.compress(json.dumps(AS_LIST).encode())),
        ("bom.json", b"\xef\xbb\xbf" + json.dumps(AS_LIST).encode()),
        ("windows.json", json.dumps(AS_LIST).encode("utf-16")),
        ("nested.json", json.dumps({"kind": "List", "items": [AS_LIST]})),
        ("typed.json", json.dumps({"kind": "PodList", "items": [{"metadata": {"name": "a"}}]}) + json.dumps(NODE)),
    ],
)
def test_every_form_of_a_file(tmp_path: Path, name: str, content: Any) -> None:
    assert names(written(tmp_path, name, content)) == BOTH


def test_a_directory_is_read_whole_and_in_order(tmp_path: Path) -> None:
    written(tmp_path, "1/pod.yaml", yaml.safe_dump(POD))
    written(tmp_path, "2/node.json.gz", gzip.compress(json.dumps(NODE).encode()))
    written(tmp_path, "README.md", "no manifest")
    written(tmp_path, ".git/x.json", "no manifest either")
    assert names(tmp_path) == BOTH


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(AS_LIST).encode())))
    assert names("-") == BOTH


def test_kinds_that_do_not_matter_are_counted(tmp_path: Path) -> None:
    deployments = [{"kind": "Deployment", "metadata": {"name": str(i)}} for i in range(2)]
    foreign = {"kind": "Service", "apiVersion": "serving.knative.dev/v1", "metadata": {"name": "s"}}
    manifests = read_manifests(written(tmp_path, "x.json", {"kind": "List", "items": [*deployments, foreign, NODE]}))
    assert [thing.kind for thing in manifests.objects] == ["Node"]
    assert manifests.skipped == {"Deployment": 2, "Service": 1}
    assert manifests.notice == "skipped objects that scheduling does not depend on: 2 Deployment, 1 Service"


def test_an_object_listed_twice_is_one(tmp_path: Path) -> None:
    assert names(written(tmp_path, "x.json", {"kind": "List", "items": [POD, NODE, POD]})) == BOTH


# --- what an API server would have filled in ---


def only(folder: Path, *documents: dict[str, Any]) -> Any:
    """The first object read from these."""
    return read_manifests(written(folder, "x.json", {"kind": "List", "items": list(documents)})).objects[0]


def test_a_pod_gets_its_defaults(tmp_path: Path) -> None:
    ports = [{"containerPort": 80}, {"containerPort": 53, "protocol": "UDP"}]
    containers = [{"name": "c", "ports": ports, "resources": {"limits": {"cpu": "2", "memory": "1Gi"}}}]
    pod = only(tmp_path, changed(POD, spec={"hostNetwork": True, "containers": containers}))
    assert (pod.namespace, pod.spec.scheduler_name, pod.status.phase) == ("default", "default-scheduler", "Pending")
    assert [(port.host_port, port.protocol) for port in pod.spec.containers[0].ports] == [(80, "TCP"), (53, "UDP")]
    assert pod.spec.containers[0].resources.requests == pod.spec.containers[0].resources.limits


def test_a_request_beside_a_limit_stays(tmp_path: Path) -> None:
    resources = {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}
    pod = only(tmp_path, changed(POD, spec={"containers": [{"name": "c", "resources": resources}]}))
    assert {name: q.text for name, q in pod.spec.containers[0].resources.requests.items()} == {
        "cpu": "1",
        "memory": "1Gi",
    }


def test_made_up_uids_are_stable_and_distinct(tmp_path: Path) -> None:
    first, again, other = (only(tmp_path, changed(POD, metadata={"name": name})).uid for name in ("a", "a", "b"))
    assert first == again != other


def test_a_node_can_allocate_its_capacity(tmp_path: Path) -> None:
    node = only(tmp_path, changed(NODE, status={"capacity": {"cpu": "4"}}))
    assert isinstance(node, Node)
    assert node.status.allocatable["cpu"].value == 4


def test_what_is_there_is_not_touched(tmp_path: Path) -> None:
    resources = {"requests": {"cpu": "0"}, "limits": {"cpu": "1"}}
    ports = [{"containerPort": 80, "hostPort": 8080, "protocol": "SCTP"}]
    document = {
        "kind": "Pod",
        "metadata": {"name": "a", "namespace": "x", "uid": "u"},
        "spec": {"schedulerName": "mine", "containers": [{"name": "c", "ports": ports, "resources": resources}]},
        "status": {"phase": "Running"},
    }
    assert only(tmp_path, document).document == document


@pytest.mark.parametrize(
    ("class_name", "priority"), [("high", 7), ("", 3), ("system-node-critical", 2000001000), ("unknown", None)]
)
def test_priority_classes_are_resolved(tmp_path: Path, class_name: str, priority: int | None) -> None:
    classes = [
        {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 7},
        {"kind": "PriorityClass", "metadata": {"name": "usual"}, "value": 3, "globalDefault": True},
    ]
    pod = only(tmp_path, changed(POD, spec={"priorityClassName": class_name}), *classes)
    assert isinstance(pod, Pod)
    assert pod.spec.priority == priority


def test_a_claim_gets_the_default_class_only_when_it_is_new(tmp_path: Path) -> None:
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    classes = {"kind": "StorageClass", "metadata": {"name": "fast", "annotations": annotations}}
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "a"}}
    new = only(tmp_path, claim, classes)
    old = only(tmp_path, changed(claim, metadata={"name": "a", "uid": "u"}), classes)
    assert isinstance(new, PersistentVolumeClaim)
    assert (new.spec.storage_class_name, old.spec.storage_class_name) == ("fast", None)


# --- what is refused: one line that says where ---

CONTAINER = "spec.containers[0].resources.requests"


def requesting(amounts: Any) -> dict[str, Any]:
    return changed(POD, spec={"containers": [{"resources": {"requests": amounts}}]})


REFUSED: dict[str, tuple[Any, str]] = {
    "empty": ("", "x: holds no object"),
    "only a comment": ("# nothing\n", "x: holds no object"),
    "a bare word": ("hello", "x: expected a Kubernetes object"),
    "a list without kind": ("[1]", "x: expected a Kubernetes object"),
    "truncated JSON": (json.dumps(AS_LIST)[:-9], "x: line 1, column "),
    "truncated gzip": (gzip.compress(json.dumps(AS_LIST).encode())[:-12], "x: the gzip data end too early"),
    "damaged gzip": (gzip.compress(b"{}")[:-8] + b"\0" * 8, "x: broken gzip data: CRC check failed"),
    "not UTF-8": (b"\xff\xfa{}", "x: not UTF-8 text"),
    "NUL in YAML": ("kind: Pod\nmetadata: {name: \0}", "x: character 28: control characters are not allowed"),
    "NUL in JSON": ('{"kind": "\0"}', "x: line 1, column 11: Invalid control character"),
    "a lone surrogate": (
        '{"kind": "Pod", "metadata": {"name": "\\ud800"}}',
        r"x: metadata.name: '\ud800' is not valid",
    ),
    "broken flow style": ("{kind: Pod, metadata: {name: a}", "x: line 2, column 1: did not find expected ',' or '}'"),
    "NaN": ('{"kind": "Pod", "x": NaN}', "x: x: a number is infinite or not a number"),
    "infinity": ('{"kind": "Pod", "x": [1e999]}', "x: x[0]: a number is infinite"),
    "a number of 5,000 digits": ('{"x": ' + "9" * 5000 + "}", "x: a number has too many digits"),
    "a YAML number of 5,000 digits": ("x: " + "9" * 5000, "x: line 1, column 4: not an integer, or one of too many"),
    "a key twice in JSON": ('{"kind": "Pod", "kind": "Node"}', "x: key 'kind' occurs twice"),
    "a key twice in YAML": ("kind: Pod\nkind: Node", "x: line 2, column 1: key 'kind' occurs twice"),
    "a key that is a number": ("kind: Pod\nmetadata: {labels: {1: x}}", "x: line 2, column 21: a key is not a string"),
    "a tag": ("kind: !!python/object/apply:os.system [id]", "x: line 1, column 7: tag "),
    "an unknown alias": ("a: *b", "x: line 1, column 4: found undefined alias"),
    "an alias to its holder": ("a: &a [*a]", "x: line 1, column 4: an alias refers to what it is part of"),
    "a billion laughs": (
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "x: aliases expand this to more than 1,000,000",
    ),
    "deep JSON": ("[" * 100_000, "x: nested too deeply"),
    "deeper than any object": ('{"a":' * 300 + "1" + "}" * 300, "x: nested more than 200 levels deep"),
    "deep YAML": ("- " * 100_000, "x: line 1, column "),
    "no kind": (changed(POD, kind=None), "x: kind: missing (metadata.name is 'a')"),
    "no kind in a list": ({"kind": "List", "items": [NODE, {}]}, "x: items[1]: kind: missing"),
    "no name": (changed(POD, metadata={"generateName": "a-"}), "x: Pod (unnamed): metadata.name: missing"),
    "no metadata": ({"kind": "Node"}, "x: Node (unnamed): metadata.name: missing"),
    "a name with a slash": (changed(POD, metadata={"name": "a/b"}), "metadata.name: not a name"),
    "a name that steers a terminal": (changed(POD, metadata={"name": "\x1b[2J"}), "metadata.name: not a name"),
    "metadata of the wrong type": (changed(POD, metadata=["a"]), "x: Pod (unnamed): metadata: expected an object"),
    "items of the wrong type": ({"kind": "List", "items": {"a": 1}}, "x: items: expected a list"),
    "spec of the wrong type": (changed(POD, spec=[]), "x: Pod default/a: spec: expected an object, got a list"),
    "a start time of the wrong type": (
        changed(POD, status={"startTime": 5}),
        "x: Pod default/a: status.startTime: expected an RFC 3339 time, got 5",
    ),
    "a label of the wrong type": (
        changed(POD, metadata={"name": "a", "labels": {"x.y/z": 1}}),
        "x: Pod default/a: metadata.labels[x.y/z]: expected a string, got 1",
    ),
    "a field with a long name": (
        changed(
            POD,
            spec={"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": "1"}]}}},
        ),
        "x: Pod default/a: spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
        "expected an integer, got '1'",
    ),
    "a port beyond 32 bits": (
        changed(POD, spec={"containers": [{"ports": [{"hostPort": 2**31}]}]}),
        "x: Pod default/a: spec.containers[0].ports[0].hostPort: expected an integer from -2147483648 to 2147483647",
    ),
    "no quantity": (requesting({"cpu": "much"}), f"x: Pod default/a: {CONTAINER}[cpu]: quantities must match"),
    "a boolean quantity": (
        requesting({"cpu": True}),
        f"x: Pod default/a: {CONTAINER}[cpu]: expected a quantity, got True",
    ),
    "a negative quantity": (
        requesting({"cpu": "-1"}),
        f"x: Pod default/a: {CONTAINER}[cpu]: must not be negative, got '-1'",
    ),
    "a negative capacity": (
        changed(NODE, status={"capacity": {"memory": "-1Gi"}}),
        "x: Node n: status.allocatable[memory]: must not be negative, got '-1Gi'",
    ),
    "two different objects of one name": (
        {"kind": "List", "items": [POD, changed(POD, spec={})]},
        "x: Pod default/a: differs from the one in ",
    ),
    "two objects of one uid": (
        {"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": name, "uid": "u"}} for name in "ab"]},
        "x: Pod default/b: metadata.uid: default/a has the same",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_one_clear_error(tmp_path: Path, case: str) -> None:
    content, expected = REFUSED[case]
    path = written(tmp_path, "x", content)
    with pytest.raises(ManifestError) as refusal:
        read_manifests(path)
    message = str(refusal.value).replace(str(path), "x")
    assert expected in message
    assert "\n" not in message
    assert len(message) < 400


def test_what_is_no_file(tmp_path: Path) -> None:
    for path, problem in (
        (tmp_path / "nothing.json", "No such file or directory"),
        (tmp_path, "no .json, .yaml, .yml file in this directory"),
        (Path("a\0b"), "null byte"),
    ):
        with pytest.raises(ManifestError, match=problem):
            read_manifests(path)


# --- writing ---


@given(clusters(), st.sampled_from(["json", "yaml"]))
def test_what_is_written_reads_back_equal(tmp_path_factory: pytest.TempPathFactory, cluster: Any, form: Any) -> None:
    folder = tmp_path_factory.mktemp("written")
    first = read_manifests(written(folder, "1", write_manifests(cluster, form)))
    again = read_manifests(written(folder, "2", write_manifests(first.objects, form)))
    assert again == first
    assert [thing.key for thing in first.objects] == [thing.key for thing in cluster]


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), plain))
def test_any_document_survives_yaml(document: dict[str, Any]) -> None:
    assert read_documents(write_yaml([document]).encode()) == [document]


@pytest.mark.parametrize("text", ["yes", "n", "1e3", "0o17", "1:30", "2019-12-01T00:00:00Z", "~", "0x1F", "<<", "1_0"])
def test_words_that_yaml_readers_disagree_about_are_quoted(text: str) -> None:
    assert f"'{text}'" in write_yaml([{"value": text}])
