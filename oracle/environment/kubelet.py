"""The kubelet: pods that are bound start running."""

from model.api.clock import timestamp
from model.api.decode import merge_patch
from model.api.objects import Pod
from oracle.environment.server import Server
from oracle.environment.watches import FINISHED


def start_bound_pods(server: Server) -> None:
    """Every bound pod that has not started runs from now on, unless it is on its way out."""
    running = {"status": {"phase": "Running", "startTime": timestamp(server.now)}}
    for pod in server.store.take_news("Pod"):
        if isinstance(pod, Pod) and _is_to_start(pod):
            server.store.write("Pod", merge_patch(pod.document, running))


def _is_to_start(pod: Pod) -> bool:
    return (
        pod.spec.node_name != ""
        and pod.status.start_time is None
        and not pod.is_terminating
        and pod.status.phase not in FINISHED
    )
