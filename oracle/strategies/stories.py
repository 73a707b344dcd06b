"""Whole traces: a cluster, what its scheduler is configured with, and a story."""

from collections.abc import Callable
from typing import Any

from oracle.strategies import storage_turns, turns
from oracle.strategies.clusters import cluster, crowd
from oracle.strategies.configurations import configuration, settled, with_extenders, with_opinion
from oracle.strategies.contests import contest, open_node
from oracle.strategies.events import Event
from oracle.strategies.failures import api_failures
from oracle.strategies.gatherings import gathering_case
from oracle.strategies.story import Story
from oracle.strategies.swarm import Draw

WEIGHTS: dict[Callable[[Story], list[Event]], int] = {
    Story.create_pod: 16,
    Story.delete_pod: 6,
    Story.change_pod: 6,
    Story.change_node: 8,
    Story.cycle: 14,
    Story.drain: 14,
    Story.advance: 16,
    turns.try_again: 3,
    turns.keep_failing: 1,
    turns.evict: 5,
    turns.crowd: 3,
    turns.change_in_flight: 4,
    turns.vanish_meanwhile: 2,
    Story.reap: 2,
    Story.sync_kubelet: 1,
}
FEATURED: dict[str, dict[Callable[[Story], list[Event]], int]] = {
    "node-churn": {Story.create_node: 4, Story.delete_node: 3, turns.churn: 8},
    "services": {Story.change_services: 4},
    "priorities": {Story.change_priority_classes: 1},
    "budgets": {Story.change_budgets: 2},
    "claims": {
        Story.change_storage: 5,
        storage_turns.wait_for_claim: 8,
        storage_turns.lose_volume: 4,
        storage_turns.write_too_late: 4,
    },
    "foreign-binds": {Story.bind_elsewhere: 3},
    "holds": {Story.release_bind: 5},
    "api-failures": {turns.be_unreadable: 6},
    "restarts": {Story.restart: 2, turns.restart_in_flight: 3},
    "late-watches": {Story.hold_watch: 6, turns.act_before_hearing: 3},
}

GATHERING = ("affinity", "anti-affinity", "preferences", "terminating", "node-churn", "invalid")
CONTEST = ("priorities", "budgets", "terminating", "nominated", "extenders")
"""What such cases are made of, whatever features the others have."""
NEEDED: dict[Callable[[Story], list[Event]], tuple[str, ...]] = {
    turns.evict: ("priorities",),
    turns.vanish_meanwhile: ("priorities", "nominated"),
}
"""The same for turns that any other case may take."""


def trace_case(draw: Draw) -> dict[str, Any]:
    """A trace in its JSON form."""
    if draw.chance(0.2) and draw.understood(*GATHERING):
        return gathering_case(draw)
    lists = cluster(draw, running=6, pending=5)
    contested, roomy = draw.chance(0.25) and draw.understood(*CONTEST), draw.chance(0.4)
    if contested:
        contest(draw, lists)
    elif roomy:
        lists["nodes"] = [open_node(document) for document in lists.get("nodes", ())]
    elif draw.has("crowds"):
        crowd(draw, lists)
    story = Story(draw, lists, modest=0.6 if roomy else 0.0)
    weights = {turn: weight for turn, weight in WEIGHTS.items() if draw.understood(*NEEDED.get(turn, ()))}
    for feature, more in FEATURED.items():
        if draw.has(feature):
            weights |= more
    events = turns.contend(story) if contested else []
    for _ in range(draw.number(4, 8 if len(story.nodes) > 50 else 28)):
        events += draw.weighted(weights)(story)
    case: dict[str, Any] = {"kind": "e2e", "cluster": lists, "config": settings(draw, story), "events": events}
    if contested and draw.chance(0.5):
        return with_opinion(draw, case)
    return with_extenders(draw, case, lists)


def settings(draw: Draw, story: Story) -> dict[str, Any]:
    config = settled(configuration(draw))
    if story.needs_every_predicate and draw.chance(0.7):
        config.pop("predicates", None)
    if draw.chance(0.6, "bind-failures") and story.pods:
        config["bindFailures"] = [draw.pick(story.pods) for _ in range(draw.number(1, 4))]
    if draw.has("api-failures"):
        config["apiFailures"] = api_failures(story)
    if draw.has("graceful"):
        config["gracefulVictims"] = True
    if draw.chance(0.2, "policy"):
        config["provider"] = "ClusterAutoscalerProvider"
    if draw.has("kubelet"):
        config["kubelet"] = True
    if draw.chance(0.05):
        config["disablePreemption"] = True
    if draw.chance(0.3, "claims"):
        config["bindTimeoutSeconds"] = draw.pick((0, 1, 2, 10))
    return config
