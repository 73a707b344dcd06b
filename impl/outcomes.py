"""What a predicate says of a node, as a small number; 0 = it fits.  [P-001, P-099]"""

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from impl.lanes import Codes, Flags, Lane

FITS = 0

DISK_CONFLICT = "node(s) had no available disk"
VOLUME_ZONE_CONFLICT = "node(s) had no available volume zone"
NODE_SELECTOR_NOT_MATCH = "node(s) didn't match node selector"
POD_AFFINITY_NOT_MATCH = "node(s) didn't match pod affinity/anti-affinity"
POD_AFFINITY_RULES_NOT_MATCH = "node(s) didn't match pod affinity rules"
POD_ANTI_AFFINITY_RULES_NOT_MATCH = "node(s) didn't match pod anti-affinity rules"
EXISTING_ANTI_AFFINITY_NOT_MATCH = "node(s) didn't satisfy existing pods anti-affinity rules"
TAINTS_NOT_TOLERATED = "node(s) had taints that the pod didn't tolerate"
HOST_NAME_NOT_MATCH = "node(s) didn't match the requested hostname"
HOST_PORTS_TAKEN = "node(s) didn't have free ports for the requested pod ports"
LABELS_NOT_PRESENT = "node(s) didn't have the requested labels"
SERVICE_AFFINITY_VIOLATED = "node(s) didn't match service affinity"
TOO_MANY_VOLUMES = "node(s) exceed max volume count"
MEMORY_PRESSURE = "node(s) had memory pressure"
DISK_PRESSURE = "node(s) had disk pressure"
PID_PRESSURE = "node(s) had pid pressure"
NOT_READY = "node(s) were not ready"
NETWORK_UNAVAILABLE = "node(s) had unavailable network"
UNSCHEDULABLE = "node(s) were unschedulable"
UNKNOWN_CONDITION = "node(s) had unknown conditions"
VOLUME_NODE_CONFLICT = "node(s) had volume node affinity conflict"
VOLUME_BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind"
INSUFFICIENT = "Insufficient "

UNRESOLVABLE = frozenset(
    {
        NODE_SELECTOR_NOT_MATCH,
        POD_AFFINITY_RULES_NOT_MATCH,
        HOST_NAME_NOT_MATCH,
        TAINTS_NOT_TOLERATED,
        LABELS_NOT_PRESENT,
        NOT_READY,
        NETWORK_UNAVAILABLE,
        DISK_PRESSURE,
        PID_PRESSURE,
        MEMORY_PRESSURE,
        UNSCHEDULABLE,
        UNKNOWN_CONDITION,
        VOLUME_ZONE_CONFLICT,
        VOLUME_NODE_CONFLICT,
        VOLUME_BIND_CONFLICT,
    }
)
"""No eviction cures these.  [E-005]"""

ERROR_NAMES: Mapping[str, str] = {
    DISK_CONFLICT: "NoDiskConflict",
    VOLUME_ZONE_CONFLICT: "NoVolumeZoneConflict",
    NODE_SELECTOR_NOT_MATCH: "MatchNodeSelector",
    POD_AFFINITY_NOT_MATCH: "MatchInterPodAffinity",
    POD_AFFINITY_RULES_NOT_MATCH: "PodAffinityRulesNotMatch",
    POD_ANTI_AFFINITY_RULES_NOT_MATCH: "PodAntiAffinityRulesNotMatch",
    EXISTING_ANTI_AFFINITY_NOT_MATCH: "ExistingPodsAntiAffinityRulesNotMatch",
    TAINTS_NOT_TOLERATED: "PodToleratesNodeTaints",
    HOST_NAME_NOT_MATCH: "HostName",
    HOST_PORTS_TAKEN: "PodFitsHostPorts",
    LABELS_NOT_PRESENT: "CheckNodeLabelPresence",
    SERVICE_AFFINITY_VIOLATED: "CheckServiceAffinity",
    TOO_MANY_VOLUMES: "MaxVolumeCount",
    MEMORY_PRESSURE: "NodeUnderMemoryPressure",
    DISK_PRESSURE: "NodeUnderDiskPressure",
    PID_PRESSURE: "NodeUnderPIDPressure",
    NOT_READY: "NodeNotReady",
    NETWORK_UNAVAILABLE: "NodeNetworkUnavailable",
    UNSCHEDULABLE: "NodeUnschedulable",
    UNKNOWN_CONDITION: "NodeUnknownCondition",
    VOLUME_NODE_CONFLICT: "VolumeNodeAffinityConflict",
    VOLUME_BIND_CONFLICT: "VolumeBindingNoMatch",
}
"""[P-100]"""


@frozen
class Outcome:
    """Reasons in order; or the text of an error."""

    reasons: tuple[str, ...] = ()
    error: str | None = None

    @property
    def unresolvable(self) -> bool:
        return not UNRESOLVABLE.isdisjoint(self.reasons)


class Outcomes:
    """The outcomes met so far; an outcome's code is its index."""

    def __init__(self) -> None:
        self.met: list[Outcome] = [Outcome()]
        self._code_of: dict[Outcome, int] = {Outcome(): FITS}
        self._code_of_reasons: dict[tuple[str, ...], int] = {(): FITS}
        self._joined: dict[tuple[int, int], int] = {}
        self._patterns: dict[tuple[tuple[str, ...], bytes], int] = {}
        self.any_error = False

    def __getitem__(self, code: int) -> Outcome:
        return self.met[code]

    def code(self, *reasons: str) -> int:
        code = self._code_of_reasons.get(reasons)
        if code is None:
            code = self._code_of_reasons[reasons] = self._code(Outcome(reasons))
        return code

    def error(self, text: str) -> int:
        self.any_error = True
        return self._code(Outcome(error=text))

    def _code(self, outcome: Outcome) -> int:
        code = self._code_of.get(outcome)
        if code is None:
            code = self._code_of[outcome] = len(self.met)
            self.met.append(outcome)
        return code

    def table(self, attribute: str) -> Flags:
        """A property of every outcome, by code."""
        return np.array([getattr(outcome, attribute) for outcome in self.met])

    def first(self, earlier: Lane, later: Lane) -> Lane:
        """The earlier predicate's verdict where it fails, else the later one's."""
        return np.where(earlier != FITS, earlier, later) if isinstance(earlier, np.ndarray) else earlier or later

    def joined(self, earlier: Lane, later: Lane) -> Lane:
        """Both verdicts: the reasons of the one followed by those of the other."""
        if not isinstance(earlier, np.ndarray):
            return self._join(int(earlier), int(later))
        both = (earlier != FITS) & (later != FITS)
        codes = np.where(earlier != FITS, earlier, later)
        if both.any():
            pairs, which = np.unique(earlier[both].astype(np.int64) << 32 | later[both], return_inverse=True)
            codes[both] = np.array([self._join(pair >> 32, pair & 0xFFFFFFFF) for pair in pairs.tolist()])[which]
        return codes

    def _join(self, earlier: int, later: int) -> int:
        if not earlier or not later:
            return earlier or later
        code = self._joined.get((earlier, later))
        if code is None:
            first, second = self.met[earlier], self.met[later]
            if first.error is not None or second.error is not None:
                code = earlier if first.error is not None else later
            else:
                code = self._code(Outcome(first.reasons + second.reasons))
            self._joined[earlier, later] = code
        return code

    def of_flags(self, flags: Flags, reasons: tuple[str, ...]) -> Lane:
        """The codes for one line of flags per reason: which of the reasons hold."""
        if flags.ndim == 1:
            if not np.count_nonzero(flags):
                return FITS
            return self._pattern(flags, reasons)
        codes = np.zeros(flags.shape[1], np.int32)
        if np.count_nonzero(flags):
            failing = np.flatnonzero(flags.any(axis=0))
            patterns, which = np.unique(np.packbits(flags[:, failing], axis=0), axis=1, return_inverse=True)
            unpacked = np.unpackbits(patterns, axis=0, count=len(flags)).astype(np.bool_)
            found = [self._pattern(pattern, reasons) for pattern in np.ascontiguousarray(unpacked.T)]
            codes[failing] = np.array(found, np.int32)[which.ravel()]
        return codes

    def _pattern(self, flags: Flags, reasons: tuple[str, ...]) -> int:
        key = reasons, flags.tobytes()
        code = self._patterns.get(key)
        if code is None:
            code = self.code(*(reason for reason, holds in zip(reasons, flags, strict=True) if holds))
            self._patterns[key] = code
        return code


def histogram(codes: Codes, outcomes: Outcomes) -> dict[str, int]:
    """How often each reason occurs."""
    counts: dict[str, int] = {}
    for code, times in enumerate(np.bincount(codes).tolist()):
        if times:
            for reason in outcomes[code].reasons:
                counts[reason] = counts.get(reason, 0) + times
    return counts
