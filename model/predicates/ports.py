"""PodFitsHostPorts: the host ports the pod wants are free."""

from model.api.ports import conflicts
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.metadata import facts
from model.rules import rule


@rule("P-051", "No wanted host port is in use under a meeting address; the pod's own ports are not compared")
def pod_fits_host_ports(attempt: Attempt, info: NodeInfo) -> Fit:
    for wanted in facts(attempt).ports:
        if conflicts(wanted, info.used_ports):
            return (reasons.POD_NOT_FITS_HOST_PORTS,)
    return FITS
