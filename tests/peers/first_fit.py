"""A scheduler in one page: the first node with room, by requests, node selectors and `unschedulable`."""

import json
import sys

UNITS = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
UNITS |= {f"{prefix}i": 1024 ** (at + 1) for at, prefix in enumerate("KMGTPE")}
pods, nodes, tried = {}, {}, set()


def amount(text):
    return float(text.rstrip("".join(UNITS))) * UNITS[text.lstrip("+-.0123456789")]


def request(pod, resource):
    asked = [c.get("resources", {}).get("requests", {}).get(resource, "0") for c in pod["spec"]["containers"]]
    return 1 if resource == "pods" else sum(map(amount, asked))


def fits(pod, node):
    labels, there = node["metadata"].get("labels", {}), node["status"].get("allocatable", {})
    if node.get("spec", {}).get("unschedulable") or not pod["spec"].get("nodeSelector", {}).items() <= labels.items():
        return False
    mates = [mate for mate in pods.values() if mate["spec"].get("nodeName") == node["metadata"]["name"]]
    asked = {resource: request(pod, resource) for resource in ("cpu", "memory", "pods")}
    free = {r: amount(there.get(r, "0")) - sum(request(mate, r) for mate in mates) for r in asked}
    return all(asked[r] <= free[r] for r in asked if asked[r])


def learn(op, thing):
    store = {"Pod": pods, "Node": nodes}.get(thing["kind"], {})
    key = "/".join(filter(None, (thing["metadata"].get("namespace"), thing["metadata"]["name"])))
    store.pop(key, None) if op == "deleted" else store.update({key: thing})
    tried.clear()  # something changed, so everybody may be tried again


def decide():
    mine = (k for k, p in pods.items() if p["spec"]["schedulerName"] == "default-scheduler" and k not in tried)
    key = next((k for k in mine if not pods[k]["spec"].get("nodeName")), None)
    if key is None:
        return {}
    tried.add(key)
    node = next((name for name in nodes if fits(pods[key], nodes[name])), None)
    if node is None:
        return {"took": [key], "effects": [{"condition": {"pod": key, "status": "False", "reason": "Unschedulable"}}]}
    pods[key]["spec"]["nodeName"] = node  # it counts there from now on
    return {"took": [key], "effects": [{"bind": {"pod": key, "node": node}}]}


for line in sys.stdin:
    asked, answer = json.loads(line), {}
    if asked["op"] == "hello":
        answer = {"protocol": 1, "name": "first-fit", "features": ["node-selectors", "unschedulable"]}
    elif asked["op"] in ("added", "updated", "deleted"):
        learn(asked["op"], asked["object"])
    elif asked["op"] == "startCycle":
        answer = decide()
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
