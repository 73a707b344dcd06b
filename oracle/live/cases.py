"""Small clusters and what happens to them, for real time: nothing that needs a clock or a hand inside the scheduler."""

from collections.abc import Callable
from random import Random

from oracle.strategies import turns
from oracle.strategies.clusters import cluster, crowd
from oracle.strategies.contests import contender, contest
from oracle.strategies.events import Event, create
from oracle.strategies.story import Story
from oracle.strategies.swarm import Draw
from oracle.trace import Trace, read_trace

MOST_TURNS = 4

_TURNS: dict[Callable[[Story], list[Event]], int] = {
    turns.evict: 6,
    Story.create_pod: 5,
    turns.crowd: 4,
    Story.change_node: 3,
    Story.delete_pod: 2,
    Story.create_node: 1,
}
_OUTSIDE = {"create", "update", "patch", "delete"}
"""What happens to a cluster from outside; all else in a story is the simulation's."""

WAIT: Event = {"op": "drain", "max": 100}
"""The scheduler does what there is to do."""


def live_case(seed: str) -> Trace:
    """The same case for the same seed: a cluster with pending pods, and a few turns.

    Many have no place left, so that pods have to be evicted.
    """
    draw = Draw(Random(f"live/{seed}"))
    lists = cluster(draw, running=8, pending=5)
    kind = draw.weighted({"any": 3, "full": 2, "contest": 2})
    if kind == "contest":
        contest(draw, lists)
    elif kind == "full":
        crowd(draw, lists)
    story = Story(draw, lists)
    events: list[Event] = []
    if kind == "contest":
        events += [create(contender(draw, story.new_pod())), WAIT]
    elif kind == "full":
        events += [*_outside(turns.evict(story)), WAIT]
    for _ in range(draw.number(2, MOST_TURNS)):
        events += [*_outside(draw.weighted(_TURNS)(story)), WAIT]
    config = {"kubelet": True, "gracefulVictims": draw.has("graceful")}
    return read_trace({"kind": "e2e", "cluster": lists, "config": config, "events": events})


def _outside(events: list[Event]) -> list[Event]:
    return [event for event in events if event["op"] in _OUTSIDE]
