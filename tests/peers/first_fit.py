"""A scheduler in one page: the first node with room, by requests, node selectors and `unschedulable`."""

import json
import sys
from fractions import Fraction

UNITS = {"": 1, "n": "1e-9", "u": "1e-6", "m": "1e-3"} | {u: 1000 ** (at + 1) for at, u in enumerate("kMGTPE")}
UNITS |= {f"{prefix}i": 1024 ** (at + 1) for at, prefix in enumerate("KMGTPE")}
pods, nodes, tried, placed, tickets = {}, {}, set(), {}, {}  # placed: where pods were bound, by uid


def amount(text, resource):  # what is no whole number of units counts as the next one
    unit = text.lstrip("+-.0123456789")
    return -(-Fraction(text.removesuffix(unit)) * Fraction(UNITS[unit]) * (1000 if resource == "cpu" else 1) // 1)


def request(pod, resource):
    asked = [c.get("resources", {}).get("requests", {}).get(resource, "0") for c in pod["spec"]["containers"]]
    return 1 if resource == "pods" else sum(amount(text, resource) for text in asked)


def place(pod):  # what was bound counts at once, whatever is still told of the pod
    return pod["spec"].get("nodeName") or placed.get(pod["metadata"]["uid"])


def fits(pod, node):
    labels, there = node["metadata"].get("labels", {}), node.get("status", {}).get("allocatable", {})
    if node.get("spec", {}).get("unschedulable") or not pod["spec"].get("nodeSelector", {}).items() <= labels.items():
        return False
    mates = [mate for mate in pods.values() if place(mate) == node["metadata"]["name"]]
    asked = {resource: request(pod, resource) for resource in ("cpu", "memory", "pods")}
    matter = asked if asked["cpu"] or asked["memory"] else ["pods"]  # who asks for one of them needs room for all
    return all(asked[r] <= amount(there.get(r, "0"), r) - sum(request(m, r) for m in mates) for r in matter)


for line in sys.stdin:
    asked, answer = json.loads(line), {}
    match asked:
        case {"op": "hello"}:
            answer = {"protocol": 1, "name": "first-fit", "features": ["node-selectors", "unschedulable"]}
        case {"op": "startCycle"}:
            mine = (k for k, p in pods.items() if p["spec"]["schedulerName"] == "default-scheduler" and not place(p))
            if key := next((key for key in mine if key not in tried), None):
                tried.add(key)
                last, node = pods[key]["metadata"]["uid"], next((n for n in nodes if fits(pods[key], nodes[n])), None)
                placed[last] = node
                refusal = {"condition": {"pod": key, "status": "False", "reason": "Unschedulable"}}
                answer = {"took": [key], "effects": [{"bind": {"pod": key, "node": node}} if node else refusal]}
        case {"outcomes": [{"pending": ticket}]}:
            tickets[ticket] = last
        case {"outcomes": [{"error": _}]} | {"op": "bindAnswered", "error": _}:  # so it was not bound after all
            placed.pop(tickets.get(asked.get("ticket"), last), None)
            tried.clear()
        case {"op": op, "object": {"kind": kind, "metadata": about} as thing}:
            thing["spec"] = {"schedulerName": "", "containers": []} | thing.get("spec", {})
            store = {"Pod": pods, "Node": nodes}.get(kind, {})
            key = f"{about['namespace']}/{about['name']}" if kind == "Pod" else about["name"]
            store.pop(key, None) if op == "deleted" else store.update({key: thing})
            tried.clear()  # something changed, so everybody may be tried again
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
