"""Extenders of a policy, with the answers they always give."""

from typing import Any

from oracle.environment.extenders import CONSENT, NOWHERE
from oracle.strategies.pools import EXTENDED
from oracle.strategies.swarm import Draw

PREFIXES = ("http://first.example", "http://second.example/")

VERBS = ("filterVerb", "prioritizeVerb", "preemptVerb")

AGREEING = {"urlPrefix": PREFIXES[0], "preemptVerb": "preemptverb", "nodeCacheCapable": False}
"""An extender that is asked about candidates for preemption only."""


def opinion(draw: Draw) -> dict[str, Any]:
    """Its answers: mostly it has nothing against any candidate."""
    elsewhere = {"NodeNameToMetaVictims": {NOWHERE: {"Pods": [{"UID": "uid"}]}}}
    refusing = {"refusal": ["500", ""]}
    answers = ({CONSENT: True}, {CONSENT: True}, {CONSENT: True}, elsewhere, refusing, refusing)
    return {PREFIXES[0]: {"preemptverb": draw.pick(answers)}}


def extenders(draw: Draw, node_names: list[str], uids: list[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """As a policy lists them, and their answers by URL prefix and verb."""
    listed, answers = [], {}
    for at, prefix in enumerate(draw.some(PREFIXES, most=2, least=1)):
        verbs = {verb: verb.lower() for verb in draw.some(VERBS, most=draw.pick((1, 1, 3)), least=1)}
        if at == 0 and draw.chance(0.35):
            verbs["bindVerb"] = "bindverb"  # a policy in which two bind is refused
        caches = draw.chance(0.5)
        listed.append(
            {
                "urlPrefix": prefix,
                "weight": draw.number(1, 3),
                "nodeCacheCapable": caches,
                "ignorable": draw.chance(0.4),
                "managedResources": managed(draw, at),
                **verbs,
            }
        )
        answers[prefix.rstrip("/")] = {
            "filterverb": filtered(draw, node_names, caches),
            "prioritizeverb": prioritized(draw, node_names),
            "preemptverb": preempted(draw, node_names, uids),
            "bindverb": {"Error": "no"} if draw.chance(0.4) else {},
        }
        for verb in list(answers[prefix.rstrip("/")]):
            if draw.chance(0.3):
                refusal = draw.pick((["500", ""], ["Internal", "connection refused"]))
                answers[prefix.rstrip("/")][verb] = {"refusal": refusal}
    return listed, answers


def managed(draw: Draw, at: int) -> list[dict[str, Any]]:
    """Each resource by one extender: a policy in which two manage the same is refused."""
    if not draw.chance(0.25, "extended-resources"):
        return []
    return [{"name": EXTENDED[at], "ignoredByScheduler": draw.chance(0.5)}]


def filtered(draw: Draw, node_names: list[str], caches: bool) -> dict[str, Any]:
    if draw.chance(0.1):
        return {"Error": draw.pick(("no", "100% full"))}
    kept = draw.pick((0.0, 0.7, 0.8, 1.0))
    left = [name for name in node_names if draw.chance(kept)]
    if draw.chance(0.2):
        left.append(NOWHERE)
    refused = {name: draw.pick(("too hot", "too cold")) for name in node_names if draw.chance(0.2)}
    answer = {"NodeNames": left} if caches else {"Nodes": {"items": [{"metadata": {"name": name}} for name in left]}}
    return answer | {"FailedNodes": refused}


def prioritized(draw: Draw, node_names: list[str]) -> list[dict[str, Any]]:
    return [{"Host": name, "Score": draw.number(0, 10)} for name in (*node_names, NOWHERE) if draw.chance(0.8)]


def preempted(draw: Draw, node_names: list[str], uids: list[str]) -> dict[str, Any]:
    if draw.chance(0.5):
        return {CONSENT: True}
    victims = {
        name: {"Pods": [{"UID": uid} for uid in draw.some(uids, most=2)], "NumPDBViolations": draw.number(0, 2)}
        for name in (*node_names, NOWHERE)
        if draw.chance(0.5)
    }
    return {"NodeNameToMetaVictims": victims}
