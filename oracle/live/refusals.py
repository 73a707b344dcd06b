"""Errors in the form of the Kubernetes API."""

from typing import Any

from attrs import frozen

from model.api.protocol import ApiError

_CODES = {
    "NotFound": (404, "NotFound"),
    "AlreadyExists": (409, "AlreadyExists"),
    "Conflict": (409, "Conflict"),
    "Terminating": (409, "Conflict"),
    "AlreadyAssigned": (409, "Conflict"),
}


@frozen
class Refused(Exception):
    """`reason`: the API's word for this sort of error."""

    code: int
    reason: str
    message: str

    @property
    def status(self) -> dict[str, Any]:
        return {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "code": self.code,
        }


def refused(error: ApiError) -> Refused:
    code, reason = _CODES.get(error.reason, (500, "InternalError"))
    return Refused(code, reason, error.message)


def bad_request(message: str) -> Refused:
    return Refused(400, "BadRequest", message)


SUCCESS = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
