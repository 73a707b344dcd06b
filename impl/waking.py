"""What makes a pod that waits worth another try: its own change, or a pod that it looks for.  [Q-050, Q-062, Q-063]"""

from impl.pod_kind import PodKind
from model.api.objects import Document, Pod
from model.api.protocol import NIL_DEREFERENCE, Crash


def is_pod_updated(old: Pod, new: Pod) -> bool:
    """Anything but status, generation and resourceVersion differs.  [Q-050]"""
    return _substance(old) != _substance(new)


def _substance(pod: Pod) -> Document:
    metadata = dict(pod.document.get("metadata") or {})
    metadata.pop("resourceVersion", None)
    metadata.pop("generation", None)
    return {**pod.document, "metadata": metadata, "status": None}


def is_attracted(waiting: PodKind, assigned: Pod) -> bool:
    """A required affinity term of such pods selects `assigned`, wherever it runs.  Raises Crash.  [Q-062, Q-063]"""
    for term in waiting.affinity_terms:
        if assigned.namespace not in term.matcher.namespaces:
            continue
        if term.matcher.error:
            raise Crash(NIL_DEREFERENCE)
        if term.matcher.selector.matches(assigned.labels):
            return True
    return False
