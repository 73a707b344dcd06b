"""Failure zones: which nodes stand and fall together."""

from collections.abc import Mapping

from model.rules import clause, reached

REGION_LABEL = "failure-domain.beta.kubernetes.io/region"
ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone"


@clause("S-056", "A node's zone is its region and zone label joined by `:\\0:`; without both it has none")
def zone_key(labels: Mapping[str, str]) -> str:
    """ "" for a node without zone; used for spreading and for the order of nodes.  [A-010]"""
    reached("S-056")
    region, zone = labels.get(REGION_LABEL, ""), labels.get(ZONE_LABEL, "")
    return f"{region}:\x00:{zone}" if region or zone else ""
