"""Extenders that always give the same answers, as a case lists them: by URL prefix and verb.

An answer is the JSON the extender sends, `{"refusal": [reason, message]}`, or `{"consent": true}`: all candidates
for preemption as they were sent.  A verb without one is a 404.
Of the nodes an answer keeps it names those it was asked about, and NOWHERE.
"""

from collections.abc import Mapping
from typing import Any

from model.api.protocol import ApiError, AskExtender

REFUSAL = "refusal"
CONSENT = "consent"

NOWHERE = "nowhere"
"""A node that no cluster has: some extenders answer from an outdated cache."""

Answers = Mapping[str, Mapping[str, Any]]


def read_answers(listed: Mapping[str, Any]) -> Answers:
    """With refusals as `ApiError`."""
    return {prefix: {verb: _answer(said) for verb, said in verbs.items()} for prefix, verbs in listed.items()}


def _answer(said: Any) -> Any:
    if isinstance(said, Mapping) and REFUSAL in said:
        reason, message = said[REFUSAL]
        return ApiError(reason, message)
    return said


def answer(answers: Answers, request: AskExtender) -> Any:
    said = answers.get(request.url_prefix, {}).get(request.verb, ApiError("404", ""))
    if not isinstance(said, Mapping):
        return said
    if CONSENT in said:
        return {"NodeNameToMetaVictims": _sent(request.body)}
    if "NodeNames" in said:
        asked = {*(request.body.get("NodeNames") or ()), NOWHERE}
        return {**said, "NodeNames": [name for name in said["NodeNames"] if name in asked]}
    if "Nodes" in said:
        asked = {_name(node) for node in (request.body.get("Nodes") or {}).get("items", ())} | {NOWHERE}
        return {**said, "Nodes": {"items": [node for node in said["Nodes"]["items"] if _name(node) in asked]}}
    return said


def _sent(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The candidates of a request, with the UIDs of the victims only."""
    if (named := body.get("NodeNameToMetaVictims")) is not None:
        return dict(named)
    return {
        node: {
            "Pods": [{"UID": pod["metadata"]["uid"]} for pod in victims["Pods"]],
            "NumPDBViolations": victims["NumPDBViolations"],
        }
        for node, victims in (body.get("NodeNameToVictims") or {}).items()
    }


def _name(node: Mapping[str, Any]) -> Any:
    return node["metadata"]["name"]
