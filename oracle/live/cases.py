"""Small clusters and what happens to them, for real time: nothing that needs a clock or a hand inside the scheduler."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from oracle.strategies import turns
from oracle.strategies.clusters import Lists, cluster, crowd
from oracle.strategies.contests import contender, contest
from oracle.strategies.decisions import preempt_case, schedule_case
from oracle.strategies.events import Event, create
from oracle.strategies.stories import trace_case
from oracle.strategies.story import Story
from oracle.strategies.swarm import Draw
from oracle.trace import Trace, read_trace

MOST_TURNS = 4
MOST_EVENTS = 24
"""Of a story that was made for simulated time."""

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

_SIMULATED = {
    "apiFailures",
    "bindFailures",
    "bindTimeoutSeconds",
    "extenders",
    "lastNodeIndex",
    "nodeTreeSkip",
    "resyncNodes",
}
"""What a generated case may be configured with, and a scheduler in real time cannot."""

WAIT: Event = {"op": "drain", "max": 100}
"""The scheduler does what there is to do."""


def live_case(seed: str) -> Trace:
    """The same case for the same seed: a cluster with pending pods, and a few turns; no configuration."""
    draw = Draw(Random(f"live/{seed}"))
    make = draw.weighted({_rivals: 3, _crowded: 2, _anything: 3, _decision: 6, trace_case: 4})
    case = in_real_time(make(draw))
    return read_trace(case | {"config": {"kubelet": True, "gracefulVictims": draw.has("graceful")}})


def in_real_time(case: Mapping[str, Any]) -> dict[str, Any]:
    """What of a generated decision or story a real scheduler can be told, as a trace; its configuration is kept."""
    told = case["events"] if "events" in case else [create(case["pod"]), WAIT]
    config = {name: value for name, value in case["config"].items() if name not in _SIMULATED}
    if config.get("alwaysCheckAllPredicates") or {"predicates", "priorities"} & config.keys():
        config.pop("provider", None)  # a policy takes its place
    return {
        "kind": "e2e",
        "cluster": case["cluster"],
        "config": config | {"kubelet": True},
        "events": _outside(told)[:MOST_EVENTS],
    }


def _outside(events: list[Event]) -> list[Event]:
    """A scheduler at work is waited for, and once is enough."""
    found: list[Event] = []
    for event in events:
        if event["op"] in _OUTSIDE:
            found.append(event)
        elif event["op"] in ("scheduleOne", "drain", "advance") and found[-1:] != [WAIT]:
            found.append(WAIT)
    return found


# --- clusters and a few turns, where pods often have to be evicted --------------------------------


def _decision(draw: Draw) -> dict[str, Any]:
    case = draw.weighted({schedule_case: 2, preempt_case: 1})(draw)
    return _turned(draw, case["cluster"], lambda story: [create(case["pod"])])


def _anything(draw: Draw) -> dict[str, Any]:
    return _turned(draw, cluster(draw, running=8, pending=5), lambda story: [])


def _crowded(draw: Draw) -> dict[str, Any]:
    lists = cluster(draw, running=8, pending=5)
    crowd(draw, lists)
    return _turned(draw, lists, turns.evict)


def _rivals(draw: Draw) -> dict[str, Any]:
    lists = cluster(draw, running=8, pending=5)
    contest(draw, lists)
    return _turned(draw, lists, lambda story: [create(contender(draw, story.new_pod()))])


def _turned(draw: Draw, lists: Lists, first: Callable[[Story], list[Event]]) -> dict[str, Any]:
    story = Story(draw, lists)
    events = [*first(story), WAIT]
    for _ in range(draw.number(2, MOST_TURNS)):
        events += [*draw.weighted(_TURNS)(story), WAIT]
    return {"cluster": lists, "config": {}, "events": events}
