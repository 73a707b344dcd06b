"""A pod put on a node: the copy that is assumed, built without decoding it again."""

from model.api.objects import Pod, PodSpec


def placed(pod: Pod, node_name: str) -> Pod:
    """The pod with `spec.nodeName` set, in its document and in its typed view."""
    spec = pod.spec
    return Pod(
        document={**pod.document, "spec": {**(pod.document.get("spec") or {}), "nodeName": node_name}},
        metadata=pod.metadata,
        spec=PodSpec(
            node_name,
            spec.scheduler_name,
            spec.priority,
            spec.priority_class_name,
            spec.preemption_policy,
            spec.node_selector,
            spec.affinity,
            spec.tolerations,
            spec.containers,
            spec.init_containers,
            spec.volumes,
        ),
        status=pod.status,
    )
