"""Requests that the API server was made to fail, as the configuration of a trace has them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oracle.printable import counted

_API_REQUESTS: Mapping[str, tuple[str, str]] = {
    "getPod": ("read", "pod"),
    "updateStatus": ("status update", "pod"),
    "deleteVictim": ("deletion", "pod"),
    "updateVolume": ("update", "volume"),
    "updateClaim": ("update", "claim"),
}
"""What is asked for, and of what."""


def failing(case: Mapping[str, Any]) -> tuple[str, ...]:
    """As `2 status updates of pod default/p`; it is the first ones that fail."""
    return tuple(_failing(case.get("config") or {}))


def _failing(config: Mapping[str, Any]) -> Iterator[str]:
    yield from _listed("bind request", "pod", config.get("bindFailures"))
    failures = config.get("apiFailures") or {}
    for request, (asked, kind) in _API_REQUESTS.items():
        yield from _listed(asked, kind, failures.get(request))


def _listed(asked: str, kind: str, keys: Sequence[str] | None) -> Iterator[str]:
    for key, times in Counter(keys or ()).items():
        yield f"{counted(times, asked)} of {kind} {key}"
