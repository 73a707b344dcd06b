"""The feature gates that bear on decisions."""

from collections.abc import Mapping

from model.api.configuration import Configuration, ConfigurationError
from model.rules import declare

declare("L-265", "The gates that matter, with their defaults in 1.15", __name__)
declare("P-011", "Of all gates, predicates depend on TaintNodesByCondition and AttachVolumeLimit only", __name__)
DEFAULTS: Mapping[str, bool] = {
    "PodPriority": True,
    "TaintNodesByCondition": True,
    "VolumeScheduling": True,
    "AttachVolumeLimit": True,
    "BlockVolume": True,
    "StorageObjectInUseProtection": True,
    "CSINodeInfo": True,
    "LocalStorageCapacityIsolation": True,
    "BalanceAttachedNodeVolumes": False,
    "ResourceLimitsPriorityFunction": False,
    "NonPreemptingPriority": False,
}


def effective(configuration: Configuration) -> Mapping[str, bool]:
    """The defaults under the configured gates; gates not listed here change nothing.

    Raises ConfigurationError for a gate that is locked, or whose effect is not modelled.
    """
    gates = {**DEFAULTS, **configuration.feature_gates}
    if not gates["VolumeScheduling"]:
        raise ConfigurationError("cannot set feature gate VolumeScheduling to false, feature is locked to true")
    if gates["BalanceAttachedNodeVolumes"]:
        raise ConfigurationError("feature gate BalanceAttachedNodeVolumes: its effect is not modelled, leave it off")
    return gates
