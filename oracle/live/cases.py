"""Small clusters and what happens to them, for real time: nothing that needs a clock or a hand inside the scheduler."""

from collections.abc import Callable
from random import Random

from oracle.strategies.clusters import cluster
from oracle.strategies.stories import Event, Story
from oracle.strategies.swarm import Draw
from oracle.trace import Trace, read_trace

MOST_TURNS = 4

_TURNS: dict[Callable[[Story], list[Event]], int] = {
    Story.evict: 6,
    Story.create_pod: 5,
    Story.crowd: 4,
    Story.change_node: 3,
    Story.delete_pod: 2,
    Story.create_node: 1,
}
_OUTSIDE = {"create", "update", "patch", "delete"}
"""What happens to a cluster from outside; all else in a story is the simulation's."""


def live_case(seed: str) -> Trace:
    """The same case for the same seed: a cluster with pending pods, and a few turns."""
    draw = Draw(Random(f"live/{seed}"))
    lists = cluster(draw, running=8, pending=5)
    story = Story(draw, lists)
    events: list[Event] = []
    for _ in range(draw.number(2, MOST_TURNS)):
        events += [event for event in draw.weighted(_TURNS)(story) if event["op"] in _OUTSIDE]
        events.append({"op": "drain", "max": 100})
    config = {"kubelet": True, "gracefulVictims": draw.has("graceful")}
    return read_trace({"kind": "e2e", "cluster": lists, "config": config, "events": events})
