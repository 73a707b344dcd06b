"""The preemption flow: nominate, evict, and clear the nominations that are overtaken.  [L-110]"""

from impl.algorithm import Algorithm
from impl.fit_error import FitError
from impl.nominations import Nominations
from impl.pod_status import nominated
from model.api.objects import Pod
from model.api.protocol import Api, ApiError, DeletePod, GetPod, RecordEvent, UpdatePodStatus


def preempt(pod: Pod, failure: FitError, algorithm: Algorithm, nominations: Nominations, api: Api) -> None:
    """Make room for a pod that fits nowhere, if that is possible; a refusal by the API ends it where it is."""
    preemptor = api.call(GetPod(pod.namespace, pod.name))
    if isinstance(preemptor, ApiError):
        return
    found = algorithm.preempt(preemptor, failure, api)
    if found.error is not None:
        return
    if found.node is not None and not _evict(preemptor, found.node, found.victims, nominations, api):
        return
    for other in found.to_clear:
        if other.status.nominated_node_name:
            api.call(UpdatePodStatus(nominated(other, "")))


def _evict(preemptor: Pod, node: str, victims: tuple[Pod, ...], nominations: Nominations, api: Api) -> bool:
    """Whether all went well; a failed deletion leaves the nomination and the earlier deletions.  [L-110.3]"""
    nominations.add(preemptor, node)
    if isinstance(api.call(UpdatePodStatus(nominated(preemptor, node))), ApiError):
        nominations.delete(preemptor)
        return False
    for victim in victims:
        if api.call(DeletePod(victim)) is not None:
            return False
        message = f"by {preemptor.namespace}/{preemptor.name} on node {node}"
        api.call(RecordEvent(victim, "Normal", "Preempted", message))
    return True
