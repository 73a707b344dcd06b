"""The API server: what it answers to the scheduler and to everybody else.

Refusals are answers (`ApiError`), not exceptions; a refused request changes nothing.
"""

from typing import Any

from attrs import define

from model.api.clock import timestamp
from model.api.decode import ManifestError, encode, merge_patch
from model.api.objects import AnyObject, Document, KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import ApiError
from oracle.environment.store import Store, key_of
from oracle.environment.watches import FINISHED
from oracle.environment.wire import COMPUTED, canonical

GRACE_SECONDS = 30
HAVING_STATUS = {"Pod", "Node", "PersistentVolume", "PersistentVolumeClaim", "PodDisruptionBudget"}
"""Kinds whose status an update without one leaves as it was."""


@define
class Server:
    """`now` in ms; conditions and deletions are stamped with it."""

    store: Store
    now: int = 0

    # --- any client ---

    def create(self, thing: KubernetesObject) -> KubernetesObject | ApiError:
        if self.store.get(thing.kind, thing.key) is not None:
            return ApiError("AlreadyExists", f'{_resource(thing.kind)} "{thing.name}" already exists')
        return self.store.write(thing.kind, canonical(encode(thing)))

    def replace(self, thing: KubernetesObject) -> KubernetesObject | ApiError:
        """An update: what it leaves out of status, node name and deletion stays as stored."""
        stored = self.store.get(thing.kind, thing.key)
        if stored is None:
            return _not_found(thing.kind, thing.key)
        return self.store.write(thing.kind, _completed(thing, stored))

    def patch(self, kind: str, key: str, patch: Document) -> KubernetesObject | ApiError:
        """RFC 7386 on any part.  Raises ManifestError where the result is no object of that name."""
        stored = self.store.get(kind, key)
        if stored is None:
            return _not_found(kind, key)
        patched = canonical(merge_patch(stored.document, patch))
        if key_of(patched) != key:
            raise ManifestError(f"{kind} {key}: metadata.name: a patch cannot rename an object")
        return self.store.write(kind, patched)

    def delete(self, kind: str, key: str, graceful: bool = False) -> ApiError | None:
        """Graceful: a running pod only gets its deletion time, once; everything else is removed."""
        stored = self.store.get(kind, key)
        if stored is None:
            return _not_found(kind, key)
        if not (graceful and isinstance(stored, Pod) and _lingers(stored)):
            self.store.remove(stored)
        elif not stored.is_terminating:
            deletion = {
                "deletionTimestamp": timestamp(self.now + GRACE_SECONDS * 1000),
                "deletionGracePeriodSeconds": GRACE_SECONDS,
            }
            self.store.write(kind, merge_patch(stored.document, {"metadata": deletion}))
        return None

    def bind(self, key: str, node: str) -> ApiError | None:
        """Neither the UID is compared nor is the node looked for."""
        pod = self.pod(key)
        if isinstance(pod, ApiError):
            return pod
        conflict = f'Operation cannot be fulfilled on pods/binding "{pod.name}": pod {pod.name} is '
        if pod.is_terminating:
            return ApiError("Terminating", conflict + "being deleted, cannot be assigned to a host")
        if pod.spec.node_name:
            return ApiError("AlreadyAssigned", conflict + f'already assigned to node "{pod.spec.node_name}"')
        bound = {"spec": {"nodeName": node}, "status": {"conditions": self._scheduled(pod)}}
        self.store.write("Pod", merge_patch(pod.document, bound))
        return None

    def _scheduled(self, pod: Pod) -> list[Any]:
        condition = {"type": "PodScheduled", "status": "True", "lastTransitionTime": timestamp(self.now)}
        held = list(pod.document.get("status", {}).get("conditions", []))
        at = next((i for i, other in enumerate(held) if other.get("type") == "PodScheduled"), len(held))
        return [*held[:at], condition, *held[at + 1 :]]

    # --- the scheduler ---

    def pod(self, key: str) -> Pod | ApiError:
        stored = self.store.get("Pod", key)
        return stored if isinstance(stored, Pod) else _not_found("Pod", key)

    def update_pod_status(self, sent: Pod) -> tuple[Pod, Pod] | ApiError:
        """Only the status is stored.  Answers the pod before and after."""
        stored = self.pod(sent.key)
        if isinstance(stored, ApiError):
            return stored
        if _outdated(sent, stored):
            return _conflict(sent)
        written = self.store.write("Pod", {**stored.document, "status": _computed_status(sent, stored)})
        assert isinstance(written, Pod)
        return stored, written

    def update_volume(self, sent: PersistentVolume) -> PersistentVolume | ApiError:
        return self._update(sent)

    def update_claim(self, sent: PersistentVolumeClaim) -> PersistentVolumeClaim | ApiError:
        return self._update(sent)

    def _update(self, sent: AnyObject) -> AnyObject | ApiError:
        """Everything but the status is stored."""
        stored = self.store.get(sent.kind, sent.key)
        if stored is None:
            return _not_found(sent.kind, sent.key)
        if _outdated(sent, stored):
            return _conflict(sent)
        written = self.store.write(sent.kind, {**sent.document, "status": stored.document.get("status", {})})
        assert isinstance(written, type(sent))
        return written


def _completed(thing: KubernetesObject, stored: KubernetesObject) -> dict[str, Any]:
    document = canonical(encode(thing))
    if thing.kind in HAVING_STATUS and "status" not in document and "status" in stored.document:
        document["status"] = stored.document["status"]
    if isinstance(stored, Pod):
        _keep(document["metadata"], stored.document["metadata"], ("deletionTimestamp", "deletionGracePeriodSeconds"))
        _keep(document.setdefault("spec", {}), stored.document.get("spec") or {}, ("nodeName",))
    return document


def _keep(fields: dict[str, Any], stored: Document, names: tuple[str, ...]) -> None:
    fields |= {name: stored[name] for name in names if name in stored and name not in fields}


def _computed_status(sent: Pod, stored: Pod) -> dict[str, Any]:
    """The status sent, with its new times marked as computed."""
    status = dict(sent.document.get("status") or {})
    known = {held.get("lastTransitionTime") for held in (stored.document.get("status") or {}).get("conditions") or []}
    if conditions := status.get("conditions"):
        status["conditions"] = [
            held if held.get("lastTransitionTime") in known else _computed(held) for held in conditions
        ]
    return status


def _computed(condition: Document) -> dict[str, Any]:
    since = str(condition.get("lastTransitionTime") or "")
    return {**condition, "lastTransitionTime": since.removesuffix("Z") + COMPUTED} if since else dict(condition)


def _lingers(pod: Pod) -> bool:
    return bool(pod.spec.node_name) and pod.status.phase not in FINISHED


def _outdated(sent: KubernetesObject, stored: KubernetesObject) -> bool:
    return sent.metadata.resource_version not in ("", stored.metadata.resource_version)


def _resource(kind: str) -> str:
    return kind.lower() + ("es" if kind.endswith("s") else "s")


def _not_found(kind: str, key: str) -> ApiError:
    return ApiError("NotFound", f'{_resource(kind)} "{key.rpartition("/")[2]}" not found')


def _conflict(sent: KubernetesObject) -> ApiError:
    return ApiError(
        "Conflict",
        f'Operation cannot be fulfilled on {_resource(sent.kind)} "{sent.name}": '
        "the object has been modified; please apply your changes to the latest version and try again",
    )
