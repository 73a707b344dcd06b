"""Amounts for reports: short ones for pictures, and those of a whole vector."""

from collections.abc import Iterator

from attrs import frozen

from model.api.amounts import UNITS, amount, is_bytes
from model.api.resources import Resources


def short_amount(resource: str, value: int) -> str:
    """For labels in a picture: at most six characters or so, rounded."""
    exact = amount(resource, value)
    if len(exact) <= 6:
        return exact
    if resource == "cpu":
        return f"{value / 1000:.3g}"
    for unit, size in UNITS if is_bytes(resource) else ():
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


@frozen
class Amount:
    resource: str
    value: int

    def __str__(self) -> str:
        return amount(self.resource, self.value)


def requests(resources: Resources) -> str:
    """What is asked for, as in `cpu 500m, memory 1Gi`."""
    return ", ".join(f"{asked.resource} {asked}" for asked in listed(resources) if asked.value)


def listed(resources: Resources) -> Iterator[Amount]:
    """The named amounts of a vector, the number of pods left out."""
    yield Amount("cpu", resources.milli_cpu)
    yield Amount("memory", resources.memory)
    yield Amount("ephemeral-storage", resources.ephemeral_storage)
    for name in sorted(resources.scalars):
        yield Amount(name, resources.scalars[name])
