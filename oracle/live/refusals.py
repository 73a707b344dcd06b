"""Errors in the form of the Kubernetes API."""

from collections.abc import Mapping
from typing import Any

from attrs import Factory, evolve, frozen

from model.api.protocol import ApiError
from oracle.live.addresses import Address

_CODES = {
    "NotFound": (404, "NotFound"),
    "AlreadyExists": (409, "AlreadyExists"),
    "Conflict": (409, "Conflict"),
    "Terminating": (409, "Conflict"),
    "AlreadyAssigned": (409, "Conflict"),
}


@frozen
class Refused(Exception):
    """`reason`: the API's word for this sort of error; `details`: what it is about, if it is about something."""

    code: int
    reason: str
    message: str
    details: Mapping[str, str] = Factory(dict)

    def about(self, address: Address) -> "Refused":
        """kube-scheduler v1.15 looks into the details of whatever is not found, and ends where there are none."""
        group, _, _ = address.group_version.rpartition("/")
        details = {"group": group, "kind": address.plural, "name": address.name}
        return evolve(self, details={member: said for member, said in details.items() if said})

    @property
    def status(self) -> dict[str, Any]:
        return {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "details": dict(self.details),
            "code": self.code,
        }


def refused(error: ApiError) -> Refused:
    code, reason = _CODES.get(error.reason, (500, "InternalError"))
    return Refused(code, reason, error.message)


def bad_request(message: str) -> Refused:
    return Refused(400, "BadRequest", message)


SUCCESS = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
