"""Small decisions in which what extenders say counts, as every node would take the pod."""

from typing import Any

from oracle.strategies.configurations import configuration
from oracle.strategies.extenders import extenders
from oracle.strategies.pools import names_of
from oracle.strategies.scenes import few_nodes, labelled
from oracle.strategies.swarm import Draw


def extended_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `schedule`."""
    lists, config = few_nodes(draw, most=4), configuration(draw)
    listed, answers = extenders(draw, names_of(lists["nodes"]), [])
    case = {"kind": "schedule", "cluster": lists, "config": config | {"extenders": listed}, "pod": labelled(draw, "p")}
    return case | {"extenders": answers}
