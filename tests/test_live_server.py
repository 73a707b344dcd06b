"""The served API, over HTTP: what schedulers ask for, and what nobody should send."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from oracle.live.application import LARGEST_BODY
from oracle.live.serving import ServingError, is_ours, serving, write_kubeconfig
from oracle.live.world import World
from tests.building import node
from tests.served import PODS, waiting

WATCHED = "/api/v1/pods?fieldSelector=status.phase%21%3DFailed%2Cstatus.phase%21%3DSucceeded"


@define
class Client:
    """Plain HTTP, a connection for each request."""

    world: World
    port: int

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, content, {name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        response = self.open(method, path, body, **headers)
        content = response.read()
        response.close()
        return response.status, json.loads(content) if content.startswith((b"{", b"[")) else content

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@pytest.fixture
def client() -> Iterator[Client]:
    world = World()
    world.create(node("n1"))
    world.create(waiting("p"))
    with serving(world) as where:
        yield Client(world, where.port)
    assert not [thread for thread in threading.enumerate() if thread.name == "api-server"]
    assert world.history.listeners == 0
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", where.port), timeout=1)


def events(response: HTTPResponse, count: int) -> list[tuple[str, str]]:
    """Type and name of the next events of a watch."""
    found = [json.loads(response.readline()) for _ in range(count)]
    return [(event["type"], event["object"]["metadata"].get("name", "")) for event in found]


# --- lists and watches ----------------------------------------------------------------------------


def test_lists_tell_where_to_watch_from(client: Client) -> None:
    code, listed = client.ask("GET", "/api/v1/pods?limit=500&resourceVersion=0")
    assert (code, listed["kind"], [item["metadata"]["name"] for item in listed["items"]]) == (200, "PodList", ["p"])
    assert listed["metadata"]["resourceVersion"] == "2"
    watch = client.open("GET", f"{WATCHED}&watch=true&resourceVersion=2&timeoutSeconds=30")
    client.world.create(waiting("q"))
    client.world.delete_pod("default/p", graceful=False)
    assert events(watch, 2) == [("ADDED", "q"), ("DELETED", "p")]


def test_a_pod_that_ends_leaves_the_selection_and_comes_back(client: Client) -> None:
    watch = client.open("GET", f"{WATCHED}&watch=true&resourceVersion=2")
    for phase in ("Succeeded", "Failed", "Running"):
        with client.world.writing() as server:
            server.patch("Pod", "default/p", {"status": {"phase": phase}})
    assert events(watch, 2) == [("DELETED", "p"), ("ADDED", "p")]


def test_a_watch_ends_when_its_time_is_over_and_bookmarks_tell_how_far_it_came(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle.live.watching.BOOKMARK_EVERY", 0.2)
    path = "/api/v1/nodes?watch=1&resourceVersion=2&timeoutSeconds=1&allowWatchBookmarks=true"
    lines = client.open("GET", path).read().splitlines()
    assert 2 <= len(lines) <= 6
    last = json.loads(lines[-1])
    assert (last["type"], last["object"]["kind"], last["object"]["metadata"]["resourceVersion"]) == (
        "BOOKMARK",
        "Node",
        "2",
    )


def test_a_watch_without_a_version_begins_with_all_there_is(client: Client) -> None:
    assert events(client.open("GET", "/api/v1/nodes?watch=true"), 1) == [("ADDED", "n1")]


def test_a_watch_from_a_version_that_never_was_is_told_to_list_again(client: Client) -> None:
    line = json.loads(client.open("GET", "/api/v1/nodes?watch=true&resourceVersion=99").readline())
    assert (line["type"], line["object"]["code"], line["object"]["reason"]) == ("ERROR", 410, "Expired")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("fieldSelector=metadata.name%3Dn1", ["n1"]),
        ("fieldSelector=metadata.name!=n1", ["n2", "n3"]),
        ("fieldSelector=spec.unschedulable%3Dtrue", []),
        ("labelSelector=disk%3Dssd", ["n2"]),
        ("labelSelector=disk%20in%20(ssd,hdd)", ["n2", "n3"]),
        ("labelSelector=disk%20notin%20(ssd),disk", ["n3"]),
        ("labelSelector=!disk", ["n1"]),
        ("labelSelector=disk!=hdd", ["n1", "n2"]),
    ],
)
def test_selectors(client: Client, query: str, names: list[str]) -> None:
    client.world.create(node("n2", labels={"disk": "ssd"}))
    client.world.create(node("n3", labels={"disk": "hdd"}))
    _, listed = client.ask("GET", f"/api/v1/nodes?{query}")
    assert [item["metadata"]["name"] for item in listed["items"]] == names


def test_what_nobody_serves_is_empty(client: Client) -> None:
    for path in ("/apis/resource.k8s.io/v1/resourceclaims", "/apis/storage.k8s.io/v1/volumeattachments"):
        code, listed = client.ask("GET", path)
        assert (code, listed["items"]) == (200, [])
    assert client.open("GET", "/apis/example.com/v1/things?watch=true&timeoutSeconds=0").read() == b""


def test_discovery(client: Client) -> None:
    assert client.ask("GET", "/version")[1]["gitVersion"] == "v1.15.3"
    assert client.ask("GET", "/api")[1]["versions"] == ["v1"]
    groups = {group["name"] for group in client.ask("GET", "/apis")[1]["groups"]}
    assert {"apps", "policy", "storage.k8s.io", "coordination.k8s.io", "events.k8s.io"} <= groups
    names = {resource["name"] for resource in client.ask("GET", "/api/v1")[1]["resources"]}
    assert {"pods", "pods/binding", "pods/status", "nodes", "events"} <= names
    assert client.ask("GET", "/apis/policy/v1")[1]["resources"][0]["kind"] == "PodDisruptionBudget"
    assert client.ask("GET", "/healthz") == (200, b"ok")
    assert client.ask("GET", "/openapi/v2")[0] == 200


# --- single objects -------------------------------------------------------------------------------


def test_objects_are_created_read_replaced_and_deleted(client: Client) -> None:
    path = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets"
    code, made = client.ask("POST", path, {"metadata": {"name": "b"}, "spec": {"maxUnavailable": 1}})
    assert (code, made["kind"], made["apiVersion"], bool(made["metadata"]["uid"])) == (
        201,
        "PodDisruptionBudget",
        "policy/v1beta1",
        True,
    )
    assert client.ask("POST", path, {"metadata": {"name": "b"}})[1]["reason"] == "AlreadyExists"
    newer = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b"
    assert client.ask("GET", newer)[1]["apiVersion"] == "policy/v1"
    code, changed = client.ask("PUT", newer, made | {"spec": {"maxUnavailable": 2}})
    assert (code, changed["spec"], changed["metadata"]["uid"]) == (200, {"maxUnavailable": 2}, made["metadata"]["uid"])
    code, conflict = client.ask("PUT", newer, made)
    assert (code, conflict["reason"]) == (409, "Conflict")
    assert client.ask("DELETE", newer)[0] == 200
    gone = client.ask("GET", newer)[1]
    assert gone["reason"] == "NotFound"
    assert gone["details"] == {"group": "policy", "kind": "poddisruptionbudgets", "name": "b"}


def test_what_the_pod_of_a_binding_is_called_that_went(client: Client) -> None:
    """Without that, kube-scheduler v1.15 ends."""
    code, refusal = client.ask("POST", f"{PODS}/nobody/binding", {"target": {"kind": "Node", "name": "n1"}})
    assert (code, refusal["reason"], refusal["details"]) == (404, "NotFound", {"kind": "pods", "name": "nobody"})


@pytest.mark.parametrize(
    ("media", "patch", "expected"),
    [
        ("merge-patch", {"metadata": {"labels": {"a": "2", "b": None}}}, {"a": "2"}),
        ("strategic-merge-patch", {"metadata": {"labels": {"b": None, "c": "3"}}}, {"a": "1", "c": "3"}),
        ("json-patch", [{"op": "replace", "path": "/metadata/labels/a", "value": "4"}], {"a": "4", "b": "1"}),
    ],
)
def test_patches(client: Client, media: str, patch: Any, expected: dict[str, str]) -> None:
    client.world.create(node("n2", labels={"a": "1", "b": "1"}))
    code, changed = client.ask("PATCH", "/api/v1/nodes/n2", patch, content_type=f"application/{media}+json")
    assert (code, changed["metadata"]["labels"]) == (200, expected)


def test_a_strategic_merge_of_conditions_keeps_the_others(client: Client) -> None:
    media = {"content_type": "application/strategic-merge-patch+json"}
    patch: dict[str, Any]
    for kind, status in (("PodScheduled", "False"), ("Ready", "False"), ("PodScheduled", "True")):
        order = [{"type": kind}]
        condition = {"type": kind, "status": status}
        patch = {"status": {"$setElementOrder/conditions": order, "conditions": [condition]}}
        code, pod = client.ask("PATCH", f"{PODS}/p/status", patch, **media)
        assert code == 200
    held = {condition["type"]: condition["status"] for condition in pod["status"]["conditions"]}
    assert held == {"PodScheduled": "True", "Ready": "False"}
    patch = {"status": {"conditions": [{"type": "Ready", "$patch": "delete"}], "nominatedNodeName": "n1"}}
    _, pod = client.ask("PATCH", f"{PODS}/p/status", patch, **media)
    assert [condition["type"] for condition in pod["status"]["conditions"]] == ["PodScheduled"]
    assert pod["status"]["nominatedNodeName"] == "n1"


def test_a_status_leaves_the_rest_and_an_update_leaves_the_status(client: Client) -> None:
    _, pod = client.ask("GET", f"{PODS}/p")
    changed = {**pod, "spec": {"nodeName": "elsewhere"}, "status": {"phase": "Pending", "message": "m"}}
    _, stored = client.ask("PUT", f"{PODS}/p/status", changed)
    assert ("nodeName" in stored["spec"], stored["status"]["message"]) == (False, "m")
    _, stored = client.ask("PUT", f"{PODS}/p", {**stored, "status": {}})
    assert stored["status"]["message"] == "m"


def test_a_binding_sets_the_node_and_the_condition_and_the_kubelet_starts_the_pod(client: Client) -> None:
    binding = {"metadata": {"name": "p", "namespace": "default"}, "target": {"kind": "Node", "name": "n1"}}
    assert client.ask("POST", f"{PODS}/p/binding", binding)[0] == 201
    _, pod = client.ask("GET", f"{PODS}/p")
    assert (pod["spec"]["nodeName"], pod["status"]["phase"]) == ("n1", "Running")
    assert [c["status"] for c in pod["status"]["conditions"] if c["type"] == "PodScheduled"] == ["True"]
    assert client.ask("POST", "/api/v1/namespaces/default/bindings", binding)[0] == 409
    code, error = client.ask("POST", f"{PODS}/q/binding", {"metadata": {}, "target": {}})
    assert (code, error["reason"]) == (422, "Invalid")


def test_events_and_leases_are_kept_though_nothing_depends_on_them(client: Client) -> None:
    path = "/api/v1/namespaces/default/events"
    assert client.ask("POST", path, {"metadata": {"name": "e"}, "reason": "Scheduled"})[0] == 201
    merge = {"content_type": "application/strategic-merge-patch+json"}
    assert client.ask("PATCH", f"{path}/e", {"count": 2}, **merge)[1]["count"] == 2
    path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"
    _, lease = client.ask("POST", path, {"metadata": {"name": "kube-scheduler"}, "spec": {"holderIdentity": "a"}})
    assert client.ask("PUT", f"{path}/kube-scheduler", lease | {"spec": {"holderIdentity": "b"}})[0] == 200
    assert client.ask("PUT", f"{path}/kube-scheduler", lease)[0] == 409
    assert client.ask("DELETE", f"{path}/kube-scheduler")[0] == 200
    assert client.ask("DELETE", f"{path}/kube-scheduler")[0] == 404


# --- bad company ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "code"),
    [
        ("GET", "/api/v1/pods?watch=true&sendInitialEvents=true", None, {}, 400),
        ("GET", "/api/v1/pods?watch=true&resourceVersion=x", None, {}, 400),
        ("GET", "/api/v1/nodes/n1?watch=true", None, {}, 400),
        ("GET", "/api/v1/pods?labelSelector=((", None, {}, 400),
        ("GET", "/api/v1/pods?fieldSelector=x", None, {}, 400),
        ("GET", "/nowhere", None, {}, 404),
        ("GET", "/api/v1/namespaces/default/pods/p/x/y", None, {}, 404),
        ("GET", "/api/v1//pods", None, {}, 404),
        ("GET", "/apis/policy", None, {"accept": "application/vnd.kubernetes.protobuf"}, 406),
        ("PUT", "/api/v1/pods", {}, {}, 405),
        ("POST", f"{PODS}/p/exec", {}, {}, 405),
        ("POST", PODS, b"\x6b\x38\x73\x00", {"content-type": "application/vnd.kubernetes.protobuf"}, 415),
        ("PATCH", f"{PODS}/p", {}, {"content-type": "application/apply-patch+yaml"}, 415),
        ("PATCH", f"{PODS}/p", {}, {"content-type": "application/json"}, 415),
        ("PATCH", f"{PODS}/p", [{"op": "test"}], {"content-type": "application/json-patch+json"}, 422),
        ("PATCH", f"{PODS}/p", [], {"content-type": "application/strategic-merge-patch+json"}, 400),
        ("PATCH", f"{PODS}/p", {"metadata": {"name": "q"}}, {"content-type": "application/merge-patch+json"}, 422),
        ("PATCH", f"{PODS}/p", {"spec": {"priority": "x"}}, {"content-type": "application/merge-patch+json"}, 422),
        ("POST", PODS, b"{", {}, 400),
        ("POST", PODS, b"[1, 2] {}", {}, 400),
        ("POST", PODS, b"\xff\xfe", {}, 400),
        ("POST", PODS, b"[" * 100_000, {}, 400),
        ("POST", PODS, b'{"metadata": {"name": NaN}}', {}, 400),
        ("POST", PODS, b'{"metadata": {"name": "x"}, "spec": {"x": 1e999}}', {}, 400),
        ("POST", PODS, b'{"metadata": {"name": "x", "name": "y"}}', {}, 400),
        ("POST", PODS, b'{"metadata": 7}', {}, 400),
        ("POST", PODS, b'"text"', {}, 400),
        ("POST", PODS, {"metadata": {"name": "../x"}}, {}, 422),
        ("POST", PODS, {"metadata": {"name": "x"}, "spec": {"containers": 5}}, {}, 422),
        ("POST", PODS, {"metadata": {"name": {"x": 1}}}, {}, 422),
        ("POST", PODS, {"metadata": {"name": "n", "uid": 7, "labels": "x"}}, {}, 422),
        ("POST", f"{PODS}/p/binding", {"target": []}, {}, 422),
        ("POST", f"{PODS}/p/binding", None, {}, 400),
        ("PUT", f"{PODS}/p/status", {"metadata": {"name": "p"}, "status": 3}, {}, 422),
        ("PUT", f"{PODS}/p", {"metadata": {"name": "other"}}, {}, 400),
    ],
)
def test_what_cannot_be_answered_is_refused_in_the_form_of_the_api(
    client: Client, method: str, path: str, body: Any, headers: dict[str, str], code: int
) -> None:
    connection = HTTPConnection("127.0.0.1", client.port, timeout=20)
    connection.request(method, path, body if isinstance(body, bytes) else body and json.dumps(body), headers)
    response = connection.getresponse()
    status = json.loads(response.read())
    assert (response.status, status["kind"], status["code"], bool(status["message"])) == (code, "Status", code, True)
    assert client.ask("GET", "/api/v1/nodes")[0] == 200


def test_names_that_utf8_cannot_say_are_answered_in_ascii(client: Client) -> None:
    code, made = client.ask("POST", PODS, b'{"metadata": {"name": "x", "labels": {"a": "\\ud800"}}}')
    assert (code, made["metadata"]["labels"]["a"]) == (201, "\ud800")
    assert client.ask("GET", "/api/v1/pods")[0] == 200


def test_bodies_that_are_too_large_announced_or_not(client: Client) -> None:
    with client.connect() as connection:
        connection.sendall(f"POST {PODS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n".encode())
        assert connection.recv(100).split()[1] == b"413"
    with client.connect() as connection:
        connection.sendall(f"POST {PODS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(LARGEST_BODY // 0x10000):
            connection.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        connection.sendall(b"1\r\nx\r\n")
        assert connection.recv(100).split()[1] == b"413"


def test_a_body_that_never_comes(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle.live.application.SLOWEST_BODY", 0.3)
    with client.connect() as connection:
        connection.sendall(f"POST {PODS} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n".encode())
        assert connection.recv(100).split()[1] == b"408"


def test_half_open_connections_are_in_nobodys_way(client: Client) -> None:
    silent = [client.connect() for _ in range(50)]
    for connection in silent[::2]:
        connection.sendall(b"GET /api/v1/po")
    assert client.ask("GET", "/api/v1/nodes")[0] == 200
    for connection in silent[::3]:
        connection.close()
    assert client.ask("GET", "/api/v1/nodes")[0] == 200


def test_what_is_no_http_at_all(client: Client) -> None:
    with client.connect() as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200) + b"\r\n\r\n")
        assert connection.recv(100).split()[1] == b"400"
    assert client.ask("GET", "/api/v1/nodes")[0] == 200


def test_a_watch_that_is_never_read_holds_up_nobody(client: Client) -> None:
    with client.connect() as lazy:
        lazy.sendall(b"GET /api/v1/pods?watch=true HTTP/1.1\r\nHost: x\r\n\r\n")
        reading = client.open("GET", "/api/v1/pods?watch=true&resourceVersion=2")
        for number in range(400):
            with client.world.writing() as server:
                server.patch("Pod", "default/p", {"metadata": {"annotations": {"note": f"{number}" * 20_000}}})
            assert json.loads(reading.readline())["type"] == "MODIFIED"
        assert client.ask("GET", "/api/v1/nodes")[0] == 200
        assert client.world.history.listeners == 2


def test_watches_whose_clients_are_gone_end(client: Client) -> None:
    watches = [client.open("GET", "/apis/example.com/v1/things?watch=true") for _ in range(20)]
    deadline = time.monotonic() + 60
    while client.world.history.listeners < 20 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert client.world.history.listeners == 20
    for watch in watches:
        watch.close()
    client.world.create(node("n9"))
    while client.world.history.listeners and time.monotonic() < deadline:
        time.sleep(0.01)
    assert client.world.history.listeners == 0


def test_a_flood_of_requests_is_stopped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle.live.world.MOST_DEEDS", 5)
    codes = [client.ask("GET", f"{PODS}/p")[0] for _ in range(8)]
    assert codes == [200] * 6 + [429] * 2
    assert len(client.world.deeds) == 5


# --- where it listens -----------------------------------------------------------------------------


def test_only_this_machine_is_listened_to(client: Client) -> None:
    with client.connect() as connection:
        assert connection.getpeername()[0] == "127.0.0.1"
    with pytest.raises(ServingError, match="cannot listen"), serving(World(), port=client.port):
        raise AssertionError
    with pytest.raises(ServingError, match="cannot listen"), serving(World(), host="192.0.2.1"):
        raise AssertionError


def test_a_kubeconfig_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    assert is_ours(path)
    write_kubeconfig(path, "http://127.0.0.1:1")
    assert is_ours(path)
    assert json.loads(path.read_text())["clusters"][0]["cluster"]["server"] == "http://127.0.0.1:1"
    path.write_text("apiVersion: v1\ncurrent-context: prod\n")
    assert not is_ours(path)
