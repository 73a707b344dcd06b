#!/usr/bin/env python3
"""A scheduler in one page: the first node with room, in the order in which nodes came.

It knows requests, node selectors and `unschedulable`, and says so.  Try it:

    sched-oracle validate --scheduler "exec:python3 tests/peers/first_fit.py"
"""

import json
import sys

UNITS = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
UNITS |= {f"{prefix}i": 1024 ** (at + 1) for at, prefix in enumerate("KMGTPE")}
pods, nodes, waiting = {}, {}, []


def amount(text):
    number = text.rstrip("".join(UNITS))
    return float(number) * UNITS[text[len(number) :]]


def requests(pod, resource):
    asked = [c.get("resources", {}).get("requests", {}).get(resource, "0") for c in pod["spec"]["containers"]]
    return 1 if resource == "pods" else sum(map(amount, asked))


def fits(pod, node):
    labels, there = node["metadata"].get("labels", {}), node["status"].get("allocatable", {})
    mates = [p for p in pods.values() if p["spec"].get("nodeName") == node["metadata"]["name"]]
    wanted = pod["spec"].get("nodeSelector", {}).items()
    if node.get("spec", {}).get("unschedulable") or any(labels.get(key) != value for key, value in wanted):
        return False
    taken = {r: sum(requests(p, r) for p in [*mates, pod]) for r in ("cpu", "memory", "pods")}
    return all(taken[r] <= amount(there.get(r, "0")) for r in taken if requests(pod, r))


def learn(op, thing):
    key = (
        f"{thing['metadata']['namespace']}/{thing['metadata']['name']}"
        if thing["kind"] == "Pod"
        else thing["metadata"]["name"]
    )
    store = {"Pod": pods, "Node": nodes}.get(thing["kind"], {})
    store.pop(key, None) if op == "deleted" else store.update({key: thing})
    waiting[:] = [key for key, pod in pods.items() if not pod["spec"].get("nodeName")]


def cycle():
    key = next((k for k in waiting if pods[k]["spec"].get("schedulerName") == "default-scheduler"), None)
    if key is None:
        return {}
    waiting.remove(key)
    node = next((name for name, node in nodes.items() if fits(pods[key], node)), None)
    if node is None:
        return {"took": [key], "effects": [{"condition": {"pod": key, "status": "False", "reason": "Unschedulable"}}]}
    pods[key]["spec"]["nodeName"] = node
    return {"took": [key], "effects": [{"bind": {"pod": key, "node": node}}]}


for line in sys.stdin:
    request, answer = json.loads(line), {}
    if request["op"] == "hello":
        answer = {"protocol": 1, "name": "first-fit", "features": ["node-selectors", "unschedulable"]}
    elif request["op"] in ("added", "updated", "deleted"):
        learn(request["op"], request["object"])
    elif request["op"] == "startCycle":
        answer = cycle()
    print(json.dumps({"id": request["id"], **answer}), flush=True)
