"""The moment at which the two part, as the reference saw it: objects, caches, queues, and the attempt under way."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any

from attrs import evolve, field, frozen

from model.algorithm import chosen
from model.api.cluster import Cluster
from model.api.components import QueueState
from model.api.configuration import Configuration, ConfigurationError
from model.api.decode import decode
from model.api.objects import KINDS, Node, Pod
from model.api.protocol import Crash
from model.cache.component import ModelCache
from model.decision import Run, answered, searched, taken_in
from model.engine import Reference
from model.node_info import NodeInfo
from model.queue.component import ModelQueue, observed
from model.releases import v1_15_3
from oracle.conform import cache as caches
from oracle.conform import queue as queues
from oracle.conform.recorded import Objects
from oracle.conform.single import asked
from oracle.conform.situation import read_situation
from oracle.environment import Environment
from oracle.finding import Finding
from oracle.report.ending import ending_rules
from oracle.report.witness import Cycle, Witness, assumed_in, preempted
from oracle.report.words import event_words, operation_words
from oracle.trace import Trace, environment_of, read_trace

AT_FIRST = "the scheduler sees the cluster for the first time"


@frozen
class Past:
    """An earlier step, where both agreed; `number`: 0 the start, 1 the first event or operation, and so on.

    `clock` in ms, None where no clock runs.
    """

    number: int
    event: str
    effects: tuple[Mapping[str, Any], ...] = ()
    clock: int | None = None


@frozen
class Moment:
    """What was there right before the step in which the two part.

    `nodes`: the cache; `assumed`: keys of pods; `nominated`: pod keys by node; `cycles`: those of the step;
    `event`: that of the step, in words; `before`: the record of the step before it, {} where there is none;
    `queue`: the reference's queue after the step; `ending`: the rules by which it ends in the step.
    """

    objects: Cluster = Cluster()
    nodes: Mapping[str, NodeInfo] = field(factory=dict)
    assumed: frozenset[str] = frozenset()
    nominated: Mapping[str, tuple[str, ...]] = field(factory=dict)
    cycles: tuple[Cycle, ...] = ()
    past: tuple[Past, ...] = ()
    event: str = ""
    before: Mapping[str, Any] = field(factory=dict)
    queue: QueueState | None = None
    configuration: Configuration = Configuration()
    ending: tuple[str, ...] = ()

    def earlier(self, cycle: Cycle | None) -> tuple[Cycle, ...]:
        """The cycles of the step that came before it."""
        return tuple(takewhile(lambda other: other is not cycle, self.cycles)) if cycle else ()

    def right_before(self, cycle: Cycle | None) -> "Moment":
        """As it was when the cycle began, as far as cache and nominations go."""
        if cycle is None or not self.earlier(cycle):
            return self
        world = cycle.attempt.world
        return evolve(self, nodes=world.cached, assumed=cycle.assumed, nominated=_nominated(world.nominated))


def moment_of(finding: Finding) -> Moment:
    """Empty where v1.15.3 refuses the configuration or ends over it.  Raises ManifestError where the trace is none."""
    try:
        return _moment(finding)
    except (ConfigurationError, Crash) as error:
        ending = ending_rules(error) if isinstance(error, Crash) else ()
        return Moment(event=f"the configuration is read: {error}", ending=ending)


def _moment(finding: Finding) -> Moment:
    step = finding.step if finding.step is not None else -1
    match finding.trace["kind"]:
        case "e2e":
            return _in_trace(read_trace(finding.trace), step, finding.followed)
        case "queue":
            return _of_queue(finding.trace, step)
        case "cache":
            return _of_cache(finding.trace, step)
        case "predicate" | "priority" | "prioritize":
            return _of_single(finding.trace)
        case _:
            return _in_situation(finding.trace)


# --- whole runs -----------------------------------------------------------------------------------


def _in_trace(trace: Trace, step: int, followed: Sequence[Mapping[str, Any]]) -> Moment:
    """Plays the trace up to the step, and the step itself only for its cycles."""
    witness = Witness(trace.configuration, followed)
    environment = environment_of(trace, witness)
    if step < 0:
        with suppress(Crash):
            environment.start(trace.cluster, observe=False)
        queue, ending = observed(witness.state.queue), witness.ending
        return Moment(objects=trace.cluster, event=AT_FIRST, queue=queue, ending=ending)
    witness.follow_next()
    before = environment.start(trace.cluster, observe=step == 0)
    past = [Past(0, AT_FIRST, before.effects, before.clock)]
    for at, operation in enumerate(trace.events[:step], 1):
        witness.follow_next()
        before = environment.step(operation, observe=at == step)
        past.append(Past(at, event_words(operation), before.effects, before.clock))
    state, objects = witness.state, Cluster.of(_everything(environment))
    witness.cycles.clear()
    witness.follow_next()
    with suppress(Crash):
        environment.step(trace.events[step], observe=False)
    return Moment(
        objects=objects,
        nodes=state.cache.nodes,
        assumed=assumed_in(state),
        nominated=_nominated(state.queue.nominated_by_node),
        cycles=tuple(witness.cycles),
        past=tuple(past),
        event=event_words(trace.events[step]),
        before=before.document(),
        queue=observed(witness.state.queue),
        configuration=trace.configuration,
        ending=witness.ending,
    )


def _nominated(by_node: Mapping[str, Iterable[Pod]]) -> Mapping[str, tuple[str, ...]]:
    return {node: tuple(pod.key for pod in pods) for node, pods in by_node.items()}


def _everything(environment: Environment) -> Iterator[Any]:
    for kind in KINDS:
        yield from environment.store.all(kind)


# --- single decisions -----------------------------------------------------------------------------


def _in_situation(case: Mapping[str, Any]) -> Moment:
    situation = read_situation(case)
    run = taken_in(situation, v1_15_3(situation.configuration))
    return _of_run(run, f"deciding about {situation.pod.key}", with_preemption=case["kind"] == "preempt")


def _of_single(case: Mapping[str, Any]) -> Moment:
    name, situation, arguments = asked(case)
    run_of = Reference().run_of_predicate if case["kind"] == "predicate" else Reference().run_of_priority
    return _of_run(run_of(name, situation, arguments), f"asking {name} about {situation.pod.key}")


def _of_run(run: Run, event: str, with_preemption: bool = False) -> Moment:
    situation = run.situation
    return Moment(
        objects=situation.cluster.having(pods=(*situation.cluster.pods, situation.pod)),
        nodes=run.standing.snapshot,
        nominated=_nominated(run.standing.world.nominated),
        cycles=(_attempted(run, with_preemption),),
        event=event,
        configuration=situation.configuration,
    )


def _attempted(run: Run, with_preemption: bool) -> Cycle:
    found, extenders = searched(run), run.situation.extenders
    if found.error is None:
        try:
            found = answered(chosen(run.attempt, found), extenders)
        except Crash:
            return Cycle(run.attempt, found)
    return Cycle(run.attempt, found, preempted(run.attempt, found, extenders) if with_preemption else None)


# --- queue and cache ------------------------------------------------------------------------------


def _of_queue(case: Mapping[str, Any], step: int) -> Moment:
    pods, queue, now = Objects(case["pods"], Pod), ModelQueue(), 0
    before: Mapping[str, Any] = {}
    for operation in case["ops"][:step]:
        now += operation.get("ms", 0)
        if operation["op"] == "Pop" and not queue.state().active:
            continue  # would block
        queues.perform(queue, operation, pods, now)
        before = queues.recorded_state(queue.state(), pods, now)
    now += case["ops"][step].get("ms", 0)
    ending = _ending(lambda: queues.perform(queue, case["ops"][step], pods, now))
    return evolve(_of_component(case, step, before), queue=queue.state(), ending=ending)


def _of_cache(case: Mapping[str, Any], step: int) -> Moment:
    tables = caches.Tables(Objects(case["pods"], Pod), Objects(case["nodes"], Node))
    cache = ModelCache(case["ttlMs"])
    for operation in case["ops"][:step]:
        caches.perform(cache, operation, tables)
    before = caches.recorded_state(cache.state(), tables)
    nodes = cache.nodes
    ending = _ending(lambda: caches.perform(cache, case["ops"][step], tables))
    return evolve(_of_component(case, step, before), nodes=nodes, ending=ending)


def _ending(act: Callable[[], object]) -> tuple[str, ...]:
    try:
        act()
    except Crash as crash:
        return ending_rules(crash)
    return ()


def _of_component(case: Mapping[str, Any], step: int, before: Mapping[str, Any]) -> Moment:
    """The objects are all versions that the operations name."""
    pods = [decode(document, Pod) for document in case["pods"].values()]
    nodes = [decode(document, Node) for document in case.get("nodes", {}).values()]
    return Moment(
        objects=Cluster.of([*nodes, *pods]),
        past=tuple(Past(at, operation_words(done)) for at, done in enumerate(case["ops"][:step], 1)),
        event=operation_words(case["ops"][step]),
        before=before,
    )
