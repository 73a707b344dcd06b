"""`sched-oracle explain`: why is this pod where it is, or nowhere, and what would help?"""

from typing import Annotated

import typer

from model.api.cluster import Cluster
from model.api.decode import ManifestError
from model.api.objects import Pod
from oracle.cli.configuration import read_configuration
from oracle.cli.dumps import read_dump
from oracle.cli.options import AsJson, ConfigPath, PolicyPath
from oracle.cli.streams import progress, show, show_json
from oracle.explain import document, lines
from oracle.explain import explain as explained
from oracle.explain.explanation import STAGES, Explanation


def explain(
    cluster: Annotated[
        list[str],
        typer.Argument(
            metavar="CLUSTER... NS/POD",
            help="Files or directories with Kubernetes objects, or - for standard input, as for 'run'; "
            "then the pod, as namespace/name or as its name alone if that is unique.",
        ),
    ],
    as_json: AsJson = False,
    policy: PolicyPath = None,
    config: ConfigPath = None,
) -> None:
    """Tell why a pod goes where it goes, or why it stays pending.

    Per group of equal nodes what speaks against them, the scores where it fits, who would be evicted for it and why,
    and the smallest changes that would let it run.
    """
    *paths, name = cluster
    if not paths:
        raise ManifestError(f"{name}: expected a cluster and a pod")
    configuration = read_configuration(policy, config)
    whole = read_dump(paths)
    pod = _find(whole, name)
    with progress() as bar:
        task = bar.add_task(STAGES[0], total=len(STAGES))

        def stage(name: str) -> None:
            bar.update(task, description=name, completed=STAGES.index(name))

        found = explained(whole, pod, configuration, stage)
    _show(found, as_json)


def _find(cluster: Cluster, name: str) -> Pod:
    found = [pod for pod in cluster.pods if name in (pod.key, pod.name)]
    if not found:
        raise ManifestError(f"{name}: the cluster has no such pod")
    if len(found) > 1:
        raise ManifestError(f"{name}: several pods have this name: {', '.join(pod.key for pod in found)}")
    return found[0]


def _show(found: Explanation, as_json: bool) -> None:
    if as_json:
        show_json(document(found))
        return
    for line in lines(found):
        show(line)
