"""Extenders that always give the same answers, as a case lists them: by URL prefix and verb.

An answer is the JSON the extender sends, or `{"refusal": [reason, message]}`; a verb without one is a 404.
"""

from collections.abc import Mapping
from typing import Any

from model.api.protocol import ApiError, AskExtender

REFUSAL = "refusal"

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
    return answers.get(request.url_prefix, {}).get(request.verb, ApiError("404", ""))
