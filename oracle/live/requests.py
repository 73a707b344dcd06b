"""A request to the API server, and its answer, without HTTP."""

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen

from oracle.live.addresses import Address
from oracle.live.refusals import bad_request

OPERATORS = ("kubectl",)
"""How the user agents of clients begin that are not the scheduler."""


@frozen
class Request:
    """`body`: decoded JSON, None without one; `media`: its type."""

    method: str
    address: Address
    query: Mapping[str, str] = Factory(dict)
    body: Any = None
    media: str = "application/json"
    agent: str = ""

    @property
    def by_scheduler(self) -> bool:
        return not self.agent.startswith(OPERATORS)


@frozen
class Answer:
    code: int
    document: Mapping[str, Any]


def sent(request: Request) -> dict[str, Any]:
    """The body as an object with metadata.  Raises Refused."""
    body = request.body
    if not isinstance(body, dict) or not isinstance(body.get("metadata", {}), dict):
        raise bad_request("the body of the request is no object with metadata")
    return {**body, "metadata": body.get("metadata", {})}
