"""A scheduler for a real API server in a page, and some that behave badly.

python kube_odd.py KUBECONFIG first-fit|silent|dies|twice|ghost|nowhere|deletes|floods|hangs
"""

import json
import signal
import sys
import time
import urllib.error
import urllib.request
from threading import Thread
from typing import Any


def server_of(kubeconfig: str) -> str:
    with open(kubeconfig) as file:
        return str(json.load(file)["clusters"][0]["cluster"]["server"])


SERVER, MODE = server_of(sys.argv[1]), sys.argv[2]


def ask(method: str, path: str, body: Any = None) -> Any:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, content, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return json.load(error)


def watch(path: str) -> None:
    """A good scheduler would listen to what it hears."""
    with urllib.request.urlopen(f"{SERVER}{path}?watch=true") as stream:
        for _ in stream:
            pass


def bind(name: str, node: str) -> None:
    binding = {"metadata": {"name": name}, "target": {"kind": "Node", "name": node}}
    ask("POST", f"/api/v1/namespaces/default/pods/{name}/binding", binding)


def decide(pod: dict[str, Any], nodes: list[str]) -> None:
    name = pod["metadata"]["name"]
    path = f"/api/v1/namespaces/default/pods/{name}"
    match MODE:
        case "first-fit":
            bind(name, nodes[0])
        case "dies":
            sys.exit("no idea what to do with " + name)
        case "twice":
            bind(name, nodes[0])
            bind(name, nodes[-1])
        case "ghost":
            bind("ghost", nodes[0])
            bind(name, nodes[0])
        case "nowhere":
            bind(name, "nowhere")
        case "deletes":
            ask("DELETE", "/api/v1/namespaces/default/pods/old")
            bind(name, nodes[0])
        case "floods":
            while True:
                ask("GET", path)


for watched in ("/api/v1/pods", "/api/v1/nodes"):
    Thread(target=watch, args=(watched,), daemon=True).start()
if MODE == "hangs":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    listed = ask("GET", "/api/v1/pods")["items"]
    names = [node["metadata"]["name"] for node in ask("GET", "/api/v1/nodes")["items"]]
    for waiting in listed:
        if not waiting["spec"].get("nodeName") and MODE not in ("silent", "hangs"):
            decide(waiting, names)
    time.sleep(0.05)
