"""What is looked at: the pod by itself, in the cluster as it stands, as if it were tried now."""

from collections.abc import Iterator

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.standing import unfinished


def circumstances(pod: Pod, configuration: Configuration) -> Iterator[str]:
    """Why kube-scheduler would not try the pod, or what else will have come between when it does."""
    if not list(unfinished([pod])):
        yield f"is over ({pod.status.phase}); what follows is as if it were new"
    elif pod.spec.node_name:
        yield f"runs on {pod.spec.node_name}; what follows is as if it had no node yet"
    elif pod.metadata.deletion_timestamp is not None:
        yield "is being deleted, so it is not tried; what follows is as if it were"
    if pod.spec.scheduler_name != configuration.scheduler_name:
        other = f"the scheduler {pod.spec.scheduler_name!r}" if pod.spec.scheduler_name else "no scheduler"
        yield f"is for {other}; what follows is as if it were for {configuration.scheduler_name!r}"
    if configuration.extenders:
        yield "the extenders are not asked"


def others_waiting(cluster: Cluster, pod: Pod, configuration: Configuration) -> int:
    """How many more pods the same scheduler has to place."""
    waiting = (each for each in unfinished(cluster.pods) if not each.spec.node_name and each is not pod)
    return sum(each.spec.scheduler_name == configuration.scheduler_name for each in waiting)
