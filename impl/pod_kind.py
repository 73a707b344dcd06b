"""Pods alike: what the algorithm reads of a pod, found once for all pods with the same content.

Replicas differ in name, UID and node only.  A `PodKind` stands for all of them, so everything derived
from the content - requests, built selectors, feasibility, scores - is kept per kind.
"""

import json
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from weakref import WeakValueDictionary

import orjson
from attrs import fields

from impl.terms import Term, preferred_terms, required_terms
from model.api.objects import Pod, PodAffinity, PodSpec, Volume
from model.api.ports import HostPort, host_ports
from model.api.resources import NonZeroRequest, Resources, container_sum, nonzero_request, pod_request


class PodKind:
    """The content of `sample`, except name, UID, node, status and deletion."""

    def __init__(self, sample: Pod) -> None:
        self.sample = sample
        self.namespace = sample.namespace
        self.labels: Mapping[str, str] = sample.labels

    @cached_property
    def local_content(self) -> bytes:
        """What matters of the pod where only the node and its pods' resources do; many kinds may share it."""
        document = self.sample.document
        spec = document.get("spec") or {}
        affinity = (spec.get("affinity") or {}).get("nodeAffinity")
        parts = {name: value for name, value in spec.items() if name not in _NOT_LOCAL}
        return _dumped((parts, affinity, (document.get("metadata") or {}).get("ownerReferences")))

    @cached_property
    def request(self) -> Resources:
        """As an incoming pod.  [P-044]"""
        return pod_request(self.sample) if self.sample.spec.init_containers else self.footprint

    @cached_property
    def footprint(self) -> Resources:
        """As a pod on a node.  [O-045]"""
        return container_sum(self.sample)

    @cached_property
    def nonzero(self) -> NonZeroRequest:
        return nonzero_request(self.sample)

    @cached_property
    def ports(self) -> tuple[HostPort, ...]:
        return tuple(host_ports(self.sample))

    @cached_property
    def claims(self) -> tuple[str, ...]:
        """Claim names, in order of the volumes."""
        return tuple(
            volume.persistent_volume_claim.claim_name
            for volume in self.sample.spec.volumes
            if volume.persistent_volume_claim is not None
        )

    @cached_property
    def disks(self) -> tuple[Volume, ...]:
        """Inline volumes that may clash.  [P-055]"""
        return tuple(
            volume
            for volume in self.sample.spec.volumes
            if volume.gce_persistent_disk or volume.aws_elastic_block_store or volume.iscsi or volume.rbd
        )

    @property
    def _affinity(self) -> PodAffinity | None:
        return self.sample.spec.affinity.pod_affinity if self.sample.spec.affinity else None

    @property
    def _anti_affinity(self) -> PodAffinity | None:
        return self.sample.spec.affinity.pod_anti_affinity if self.sample.spec.affinity else None

    @cached_property
    def has_affinity(self) -> bool:
        """Pod affinity or anti-affinity is there, even when empty.  [O-057]"""
        return self._affinity is not None or self._anti_affinity is not None

    @cached_property
    def affinity_terms(self) -> tuple[Term, ...]:
        """Required ones."""
        return required_terms(self._affinity.required if self._affinity else (), self.namespace)

    @cached_property
    def anti_affinity_terms(self) -> tuple[Term, ...]:
        """Required ones."""
        return required_terms(self._anti_affinity.required if self._anti_affinity else (), self.namespace)

    @cached_property
    def preferred_terms(self) -> tuple[Term, ...]:
        """Of affinity, then of anti-affinity with negative weights."""
        affinity, anti = self._affinity, self._anti_affinity
        return preferred_terms(affinity.preferred if affinity else (), self.namespace) + preferred_terms(
            anti.preferred if anti else (), self.namespace, -1
        )

    @cached_property
    def broken_affinity(self) -> bool:
        """Some required affinity term has a selector that cannot be built."""
        return any(term.matcher.error for term in self.affinity_terms)

    @cached_property
    def broken_anti_affinity(self) -> bool:
        """Some required anti-affinity term has."""
        return any(term.matcher.error for term in self.anti_affinity_terms)

    @cached_property
    def broken_preferences(self) -> bool:
        """Some preferred term has."""
        return any(term.matcher.error for term in self.preferred_terms)


class PodKinds:
    """The kinds of one scheduler; a kind lives as long as somebody holds it."""

    def __init__(self) -> None:
        self._kinds: WeakValueDictionary[bytes, PodKind] = WeakValueDictionary()
        self._last: tuple[Pod, PodKind] | None = None

    def of(self, pod: Pod) -> PodKind:
        """A pod that was just decided about comes again with its node."""
        last = self._last
        if last is not None and last[0].metadata is pod.metadata and _same_but_node(last[0].spec, pod.spec):
            return last[1]
        key = content(pod)
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = PodKind(pod)
        self._last = pod, kind
        return kind


_fields_but_node = attrgetter(*(field.name for field in fields(PodSpec) if field.name != "node_name"))


def _same_but_node(spec: PodSpec, other: PodSpec) -> bool:
    return bool(_fields_but_node(spec) == _fields_but_node(other))


def content(pod: Pod) -> bytes:
    """What makes pods alike, as bytes."""
    document = pod.document
    metadata = document.get("metadata") or {}
    spec = document.get("spec") or {}
    if "nodeName" in spec:
        spec = {name: value for name, value in spec.items() if name != "nodeName"}
    return _dumped((metadata.get("namespace"), metadata.get("labels"), metadata.get("ownerReferences"), spec))


_NOT_LOCAL = {"affinity", "nodeName", "priority", "priorityClassName", "schedulerName"}


def _dumped(parts: object) -> bytes:
    try:
        return orjson.dumps(parts)
    except TypeError:  # an integer beyond 64 bits
        return json.dumps(parts).encode()
