"""Why the reference asks the API server for what it asks, where the decision behind it is the same on both sides."""

from collections.abc import Collection, Iterator
from itertools import zip_longest

from oracle.compare.divergence import Record
from oracle.report.because import Because

PREEMPTING = {"nominate", "deleteVictim", "deleteVictimError", "clearNomination", "statusError"}
VOLUMES = {"pvUpdate", "pvcUpdate", "pvUpdateError", "pvcUpdateError"}
FAILURE = {"event", "condition", "statusError"}


def because_of_effects(expected: Record, actual: Record, rules: Collection[str]) -> Iterator[Because]:
    """About the first effect that differs.  `rules`: those used in the step."""
    pairs = zip_longest(expected.get("effects", ()), actual.get("effects", ()))
    wanted, found = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
    names = {next(iter(effect)) for effect in (wanted, found) if effect}
    if not names:
        return
    gone = any(effect.get("statusError", {}).get("reason") == "NotFound" for effect in expected.get("effects", ()))
    if names <= PREEMPTING and wanted is None and gone and "L-110" in rules:
        text = "Before it preempts, v1.15.3 reads the pod again; for one that is gone it does nothing more."
        yield Because(text, ("L-110",))
    elif names <= VOLUMES:
        yield Because("Volumes are bound before the pod is; a failure ends the attempt.", ("L-095", "L-096"))
    elif names <= FAILURE and any("bindError" in effect for effect in expected.get("effects", ())):
        text = "A refused binding is a failure like any other, even of a pod that is gone: an event, then a condition."
        yield Because(text, ("L-097", "L-051", "L-133"))
    elif names <= FAILURE:
        text = "After a failure come an event, and a condition if it says something new."
        yield Because(text, ("L-051", "L-133", "L-055"))
