"""`sched-oracle run`: where would the pending pods of this cluster go?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from model.api.cluster import Cluster
from model.api.components import Engine
from model.api.configuration import Configuration, ConfigurationError
from model.api.protocol import Crash, Scheduler
from oracle.cli.configuration import read_configuration
from oracle.cli.dumps import read_dump
from oracle.cli.exit_codes import DIVERGED, SCHEDULER_FAILED
from oracle.cli.failures import UntilInterrupted, interrupted
from oracle.cli.options import AsJson, ConfigPath, PolicyPath, SchedulerName
from oracle.cli.streams import complain, progress, show, show_json
from oracle.guard import SchedulerFault, guarded_scheduler
from oracle.run import Outcome, Run
from oracle.schedulers import find_engine
from oracle.utilisation import Usage

if TYPE_CHECKING:
    from oracle.verify import Tally, Verifier

MOST_EXCUSED = 10


def run(
    cluster: Annotated[
        list[str],
        typer.Argument(
            metavar="CLUSTER",
            help="Files or directories with Kubernetes objects, JSON or YAML, plain or .gz, or - for standard input; "
            "what 'kubectl get all,nodes -o json' prints is fine.",
        ),
    ],
    scheduler: SchedulerName = "model",
    as_json: AsJson = False,
    policy: PolicyPath = None,
    config: ConfigPath = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Have Z3 judge every decision, or one in so many where the cluster is large: hosts, pods that fit "
            "nowhere, victims.  Exit code 1 if it refutes one, or cannot tell.",
        ),
    ] = False,
) -> None:
    """Schedule all pending pods of a cluster, in simulated time, until nothing moves.

    Prints each placement in the order of binding, each preemption, the scheduler's exact message for each pod
    that stays pending, and how full the cluster is before and after.  Without --config all nodes are scored.
    """
    configuration = read_configuration(policy, config)
    engine = find_engine(scheduler)
    dump = read_dump(cluster)
    verifier = _verifier(dump, configuration) if verify else None
    playing = Run(dump, _started(engine, configuration), configuration, verifier)
    tally = verifier.tally if verifier else None
    with UntilInterrupted() as work:
        try:
            _watch(playing)
        except SchedulerFault:
            _show(playing.outcome(), tally, as_json)
            raise
    outcome = playing.outcome()
    _show(outcome, tally, as_json)
    if work.came:
        interrupted()
    if outcome.crash is not None:
        complain(f"the scheduler crashed: {outcome.crash}")
        raise typer.Exit(SCHEDULER_FAILED)
    if outcome.impossible or (tally and tally.disputed):
        raise typer.Exit(DIVERGED)


def _verifier(cluster: Cluster, configuration: Configuration) -> "Verifier":
    from oracle.verify import Verifier  # Z3 takes long to load

    return Verifier(cluster, configuration)


def _started(engine: Engine, configuration: Configuration) -> Scheduler:
    try:
        return guarded_scheduler(engine, configuration)
    except Crash as crash:
        raise ConfigurationError(f"with this configuration the scheduler does not start: {crash}") from None


def _watch(playing: Run) -> None:
    with progress() as bar:
        task = bar.add_task("pods tried", total=playing.to_do)
        for _ in playing.cycles():
            bar.advance(task)


def _show(outcome: Outcome, tally: "Tally | None", as_json: bool) -> None:
    if as_json:
        show_json(_document(outcome) | ({} if tally is None else {"verified": _verified(tally)}))
        return
    for line in _lines(outcome, tally):
        show(line)


def _document(outcome: Outcome) -> dict[str, Any]:
    return {
        "placements": [{"pod": p.pod, "node": p.node} for p in outcome.placements],
        "preempted": [{"pod": p.pod, "node": p.node, "by": p.by} for p in outcome.preempted],
        "pending": [
            {"pod": p.pod, "message": p.message} | ({"nominatedNode": p.nominated_node} if p.nominated_node else {})
            for p in outcome.pending
        ],
        "utilisation": {
            after.resource: {
                "allocatable": after.allocatable,
                "requestedBefore": before.requested,
                "requestedAfter": after.requested,
            }
            for before, after in zip(outcome.before, outcome.after, strict=True)
        },
        "nodes": outcome.nodes,
        "nodesInUse": outcome.nodes_in_use,
        "simulatedSeconds": outcome.seconds,
        "impossible": [{"pod": i.pod, "node": i.node, "why": i.why} for i in outcome.impossible],
        "crash": outcome.crash,
    }


def _verified(tally: "Tally") -> dict[str, Any]:
    counts = [
        {"standing": standing.value, "rule": rule or None, "count": count}
        for (standing, rule), count in tally.counts.items()
    ]
    return {
        "every": tally.every,
        "counts": counts,
        "disputed": [str(opinion) for opinion in tally.disputed],
        "allowed": [str(opinion) for opinion in tally.excused],
    }


def _lines(outcome: Outcome, tally: "Tally | None") -> Iterator[str]:
    if outcome.placements:
        yield "Bound, in this order:"
        yield from (f"  {placement.pod} -> {placement.node}" for placement in outcome.placements)
    if outcome.preempted:
        yield "Preempted:"
        yield from (f"  {victim.pod} on {victim.node}, for {victim.by}" for victim in outcome.preempted)
    if outcome.pending:
        yield "Still pending:"
        for pending in outcome.pending:
            nominated = f" (nominated to {pending.nominated_node})" if pending.nominated_node else ""
            yield f"  {pending.pod}{nominated}: {pending.message}"
    if outcome.impossible:
        yield "Bound where it cannot run:"
        yield from (f"  {each.pod} -> {each.node}: {each.why}" for each in outcome.impossible)
    yield from _utilisation(outcome)
    if tally is not None:
        yield f"Z3 on {'these decisions' if tally.every == 1 else f'one decision in {tally.every}'}: {tally}"
        yield from (f"  {opinion}" for opinion in (*tally.disputed, *tally.excused[:MOST_EXCUSED]))
        if len(tally.excused) > MOST_EXCUSED:
            yield f"  and {len(tally.excused) - MOST_EXCUSED} more that v1.15 allows"
    yield (
        f"{len(outcome.placements)} bound, {len(outcome.preempted)} preempted, {len(outcome.pending)} still pending, "
        f"{outcome.nodes_in_use} of {outcome.nodes} nodes in use, the last change after {outcome.seconds} s"
    )


def _utilisation(outcome: Outcome) -> Iterator[str]:
    rows = [
        (
            after.resource,
            _amount(after, before.requested),
            _amount(after, after.requested),
            _amount(after),
            before,
            after,
        )
        for before, after in zip(outcome.before, outcome.after, strict=True)
    ]
    if not rows:
        return
    name, was, now, of = (max(len(str(row[column])) for row in rows) for column in range(4))
    yield "Requested, before and after, of what the nodes offer:"
    for row in rows:
        shares = f"{row[4].share:7.1%} -> {row[5].share:6.1%}"
        yield f"  {row[0]:{name}}  {row[1]:>{was}} -> {row[2]:>{now}} of {row[3]:>{of}}  {shares}"


def _amount(usage: Usage, amount: int | None = None) -> str:
    """An amount of the resource in units a person reads; without one, what there is."""
    amount = usage.allocatable if amount is None else amount
    match usage.resource:
        case "cpu":
            return f"{amount / 1000:,.3f}".rstrip("0").rstrip(".")
        case "memory" | "ephemeral-storage":
            return f"{amount / 2**30:,.1f} GiB"
        case _:
            return f"{amount:,}"
