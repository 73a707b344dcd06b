"""Extenders that always give the same answers, as a case lists them: by URL prefix and verb.

An answer is the JSON the extender sends, `{"refusal": [reason, message]}`, or `{"consent": true}`: all candidates
for preemption as they were sent.  A verb without one is a 404.
Of the nodes an answer keeps it names those it was asked about, and NOWHERE.
"""

from collections.abc import Mapping
from typing import Any

from model.api.decode import ManifestError
from model.api.protocol import ApiError, AskExtender

REFUSAL = "refusal"
CONSENT = "consent"

NOWHERE = "nowhere"
"""A node that no cluster has: some extenders answer from an outdated cache."""

Answers = Mapping[str, Mapping[str, Any]]


def read_answers(listed: Any) -> Answers:
    """With refusals as `ApiError`.  Raises ManifestError naming the place: `extenders.http://x.filter: ...`."""
    return {
        prefix: {
            verb: _answer(said, f"extenders.{prefix}.{verb}")
            for verb, said in _object(verbs, f"extenders.{prefix}").items()
        }
        for prefix, verbs in _object(listed, "extenders").items()
    }


def _answer(said: Any, where: str) -> Any:
    if not isinstance(said, Mapping):
        return said
    if REFUSAL in said:
        match said[REFUSAL]:
            case [str(reason), str(message)]:
                return ApiError(reason, message)
        raise ManifestError(f"{where}.{REFUSAL}: expected [REASON, MESSAGE], two strings")
    if "NodeNames" in said:
        names = _list(said["NodeNames"], f"{where}.NodeNames")
        if not all(isinstance(name, str) for name in names):
            raise ManifestError(f"{where}.NodeNames: expected a list of strings")
    elif "Nodes" in said:
        items = _object(said["Nodes"], f"{where}.Nodes").get("items")
        for at, node in enumerate(_list(items, f"{where}.Nodes.items")):
            metadata = _object(node, f"{where}.Nodes.items[{at}]").get("metadata")
            name = _object(metadata, f"{where}.Nodes.items[{at}].metadata").get("name")
            if not isinstance(name, str):
                raise ManifestError(f"{where}.Nodes.items[{at}].metadata.name: expected a string")
    return said


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ManifestError(f"{where}: expected an object")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise ManifestError(f"{where}: expected a list")
    return value


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
