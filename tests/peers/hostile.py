"""Schedulers as nobody should write them: `hostile.py HOW`, on top of first_fit.py's manners otherwise.

Most behave until their third cycle, so that there is something to lose.
"""

import json
import os
import subprocess
import sys
import time

HOW = sys.argv[1]
pods, nodes, cycles = {}, {}, 0


def mine():
    return [key for key, pod in pods.items() if not pod["spec"].get("nodeName")]


def misbehave(asked):
    """Whatever is done here is done instead of an answer, unless one is returned."""
    match HOW:
        case "hang":
            time.sleep(3600)
        case "hang-with-children":
            subprocess.Popen(["sleep", "3600"])
            time.sleep(3600)
        case "deaf":
            sys.stdin.close()
            time.sleep(3600)
        case "flood":
            while True:
                print(json.dumps({"id": asked["id"]}))
        case "flood-stderr":
            for _ in range(20_000):
                print("x" * 1000, file=sys.stderr)
            raise SystemExit(4)
        case "gigabyte":
            for _ in range(1024):
                sys.stdout.write("x" * 2**20)
        case "garbage":
            print("segmentation violation (core not dumped)")
        case "invalid-utf8":
            sys.stdout.buffer.write(b'{"id": %d, "took": ["\xff\xfe"]}\n' % asked["id"])
        case "not-an-object":
            print("[1, 2, 3]")
        case "member-twice":
            print(json.dumps({"id": asked["id"], "took": []})[:-1] + ', "took": ["default/p1"]}')
        case "deep":
            print("[" * 200_000)
        case "out-of-order":
            print(json.dumps({"id": asked["id"] - 1}))
        case "chatty":
            print(json.dumps({"id": asked["id"]}) + "\n" + json.dumps({"id": asked["id"] + 1}))
        case "die":
            print("Traceback: out of luck", file=sys.stderr)
            raise SystemExit(7)
        case "killed":
            os.abort()
        case "eat-memory":
            eaten = []
            while True:
                eaten.append(bytearray(2**28))
        case "close":
            os.close(1)
            time.sleep(3600)
        case "unknown-pod":
            return {"effects": [{"bind": {"pod": "default/nobody", "node": "n1"}}]}
        case "unknown-effect":
            return {"effects": [{"teleport": {"pod": "default/p1"}}]}
        case "unknown-node" if mine():
            return {"took": mine()[:1], "effects": [{"bind": {"pod": mine()[0], "node": "nowhere"}}]}
        case "bind-twice" if mine() and nodes:
            bind = {"bind": {"pod": mine()[0], "node": next(iter(nodes))}}
            return {"took": mine()[:1], "effects": [bind, bind]}
        case "delete-anybody" if pods:
            return {"took": mine()[:1], "effects": [{"deleteVictim": next(iter(pods))}]}
        case "refuse-all" if mine():
            refusals = [{"condition": {"pod": key, "status": "False", "reason": "Unschedulable"}} for key in mine()]
            return {"took": mine(), "effects": refusals}
        case "endless":
            return {"effects": [{"wakeAt": 10**9}]}
        case _:
            return {}
    return None


if HOW == "mute":
    time.sleep(3600)
for line in sys.stdin:
    asked, answer = json.loads(line), {}
    if asked["op"] == "hello":
        answer = {"protocol": 2 if HOW == "wrong-version" else 1, "name": HOW, "features": []}
        if HOW == "wrong-capability":
            answer["capabilities"] = ["fly"]
    elif asked["op"] in ("added", "updated", "deleted"):
        thing = asked["object"]
        key = "/".join(filter(None, (thing["metadata"].get("namespace"), thing["metadata"]["name"])))
        store = {"Pod": pods, "Node": nodes}.get(thing["kind"], {})
        store.pop(key, None) if asked["op"] == "deleted" else store.update({key: thing})
    elif asked["op"] == "startCycle" or (asked["op"] == "outcomes" and HOW == "endless"):
        cycles += 1
        if cycles > 2 or HOW in ("bind-twice", "delete-anybody", "unknown-node", "refuse-all"):
            answer = misbehave(asked)
    if answer is not None:
        print(json.dumps({"id": asked["id"], **answer}))
    sys.stdout.flush()
