"""What Z3 thinks of a scheduler's answers to a whole case: a single decision, or a trace cycle by cycle."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from model.api.cluster import Cluster
from model.api.components import Engine
from model.api.configuration import ConfigurationError
from model.api.objects import KINDS
from model.api.protocol import Crash
from oracle.conform.situation import read_situation
from oracle.environment import Environment
from oracle.environment.operations import Drain, Operation, ScheduleOne
from oracle.environment.requests import no_extender
from oracle.guard import guarded_scheduler
from oracle.smt.facts import Facts, NodeFacts
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS
from oracle.trace import Trace, read_trace
from oracle.verify.decisions import verify_decision, verify_preemption
from oracle.verify.memory import Memory
from oracle.verify.opinion import Opinion
from oracle.verify.steps import Before, verify_step


def verify_case(case: Mapping[str, Any], engine: Engine, limit_ms: int = LIMIT_MS) -> Iterator[Opinion]:
    """Of a case of kind schedule, preempt or e2e; there is nothing to say of others, nor where the scheduler
    refuses its configuration.  Raises ManifestError and SchedulerFault.
    """
    try:
        yield from _opinions(case, engine, limit_ms)
    except (ConfigurationError, Crash):
        return


def _opinions(case: Mapping[str, Any], engine: Engine, limit_ms: int) -> Iterator[Opinion]:
    if case["kind"] == "e2e":
        yield from verify_trace(read_trace(case), engine, limit_ms)
    elif case["kind"] in ("schedule", "preempt"):
        situation = read_situation(case)
        if not situation.configuration.extenders and case["kind"] == "schedule":
            yield from verify_decision(situation, engine.decide(situation), limit_ms)
        elif not situation.configuration.extenders:
            yield from verify_preemption(situation, engine.preempt(situation), limit_ms)


def verify_trace(trace: Trace, engine: Engine, limit_ms: int = LIMIT_MS) -> Iterator[Opinion]:
    """Every cycle that can be judged, up to a crash.  Raises SchedulerFault and ConfigurationError.

    Not from where two pods of a node hold one host port: what is free then depends on who left first.  [O-096]
    """
    if trace.extenders or trace.configuration.extenders:
        return
    environment = Environment(guarded_scheduler(engine, trace.configuration), trace.settings, no_extender)
    step = environment.start(trace.cluster)
    memory = Memory.of(trace.cluster, Settings.of(trace.configuration))
    for at, operation in _one_by_one(trace.events):
        if step.crash is not None:
            return
        cluster = standing(environment)
        if any(_holds_a_port_twice(node) for node in Facts.of(cluster).nodes.values()):
            return
        before = Before(cluster, step.observation, memory.excuse(cluster))
        told_all = not step.undelivered
        step = environment.step(operation)
        if told_all:
            yield from (
                evolve(opinion, step=at) for opinion in verify_step(before, step, trace.configuration, limit_ms)
            )


def standing(environment: Environment) -> Cluster:
    """What the API server holds now."""
    return Cluster.of(thing for kind in KINDS for thing in environment.store.all(kind))


def _holds_a_port_twice(node: NodeFacts) -> bool:
    held = [port for port, _ in node.ports]
    return len(held) > len(set(held))


def _one_by_one(events: tuple[Operation, ...]) -> Iterator[tuple[int, Operation]]:
    """With their indices; several cycles in one step cannot be told apart."""
    for at, event in enumerate(events):
        if isinstance(event, Drain):
            yield from ((at, ScheduleOne(event.hold_bind)) for _ in range(event.max))
        else:
            yield at, event
