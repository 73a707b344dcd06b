"""`sched-oracle serve`: a cluster for any real scheduler, and a judge of what it does there."""

from pathlib import Path
from typing import Annotated

import typer

from model.api.manifests import read_manifests
from oracle.cli.configuration import read_configuration
from oracle.cli.exit_codes import DIVERGED
from oracle.cli.failures import level_named, refuse
from oracle.cli.options import ConfigPath, PolicyPath
from oracle.cli.streams import notice, show_now
from oracle.judgement.judged import Outcome
from oracle.levels import Level
from oracle.live.cases import live_case
from oracle.live.judging import Decision
from oracle.live.serving import LOOPBACK, is_ours, serving, write_kubeconfig
from oracle.live.visit import Visit
from oracle.printable import counted
from oracle.trace import Trace

MARKS = {Outcome.PASSED: "right", Outcome.FAILED: "WRONG", Outcome.UNCERTAIN: "unclear"}


def serve(
    cluster: Annotated[
        list[str] | None,
        typer.Argument(metavar="CLUSTER", help="Files or directories with Kubernetes objects; none: a random cluster."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, another random cluster.")] = 0,
    level: Annotated[
        str,
        typer.Option(metavar="L", help="Hold it to hard constraints (feasible), scores too (ranked), or all (exact)."),
    ] = Level.FEASIBLE.word,
    kubeconfig: Annotated[
        Path, typer.Option(metavar="FILE", dir_okay=False, help="Where to write the kubeconfig for the scheduler.")
    ] = Path("sched-oracle.kubeconfig"),
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; nobody is asked for a password.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="0 takes a free one.")] = 0,
    once: Annotated[bool, typer.Option("--once", help="End when nothing is left to do.")] = False,
    policy: PolicyPath = None,
    config: ConfigPath = None,
) -> None:
    """Be the Kubernetes API server of a cluster, and judge the scheduler that comes.

    Point any kube-scheduler at it with '--kubeconfig FILE --leader-elect=false' and JSON as content type
    ('--kube-api-content-type application/json'). Its decisions are printed as they come, each with a
    verdict. Objects may be created and changed meanwhile with kubectl.
    """
    held_to = level_named(level)
    if not is_ours(kubeconfig):
        refuse(f"{kubeconfig}: there is another kubeconfig already; name a new file with --kubeconfig")
    configuration = read_configuration(policy, config)
    trace = Trace(cluster=read_manifests(*cluster).cluster) if cluster else live_case(f"{seed}/0")
    visit = Visit(trace, configuration, held_to)
    wrong = False
    try:
        with serving(visit.world, host, port) as where:
            write_kubeconfig(kubeconfig, where.url)
            show_now(f"{_size(trace)}; listening at {where.url}, kubeconfig {kubeconfig}")
            for decision in visit.decisions(once):
                show_now(_line(decision))
                wrong = wrong or decision.outcome is Outcome.FAILED
    except KeyboardInterrupt:
        notice("interrupted")
    raise typer.Exit(DIVERGED if wrong else 0)


def _size(trace: Trace) -> str:
    pods = trace.cluster.pods
    pending = sum(not pod.spec.node_name for pod in pods)
    nodes = counted(len(trace.cluster.nodes), "node")
    size = f"{nodes} and {counted(len(pods), 'pod')}"
    return f"{size}, {pending} of them pending: they come when a scheduler has seen the rest" if pending else size


def _line(decision: Decision) -> str:
    why = f": {decision.wrong.says}" if decision.wrong else ""
    return f"{MARKS[decision.outcome]:8} {decision.said}{why}"
