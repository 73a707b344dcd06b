"""Whether a difference is one of the surprising rules of v1.15.3 not being followed."""

import json
from collections.abc import Mapping
from typing import Any

from model.api.decode import ManifestError
from model.engine import Reference
from model.quirks import QUIRKS
from model.unmodelled import load_rules
from oracle.compare import compare
from oracle.finding import Finding

LARGEST = 200_000
"""Characters of a case; a larger one is not played once for each quirk."""


def explaining_quirk(finding: Finding) -> str | None:
    """The quirk without which the reference parts in the same step and does there what the other side did.

    None where the two agree, and what both do is the finding; and for a large case, where looking would take minutes.
    """
    if finding.actual == finding.expected or len(json.dumps(finding.trace)) > LARGEST:
        return None
    load_rules()
    return next((quirk for quirk in sorted(QUIRKS) if _explains(quirk, finding)), None)


def _explains(quirk: str, finding: Finding) -> bool:
    try:
        divergence = compare(finding.trace, Reference().without(quirk))
    except ManifestError:
        return False
    if divergence is None or divergence.step != finding.step:
        return False
    return _same(finding.actual, divergence.actual)


def _same(shown: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """A scheduler need not show all that the reference shows."""
    return bool(shown) and all(record.get(name) == value for name, value in shown.items())
