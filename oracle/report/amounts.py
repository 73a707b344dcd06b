"""Amounts as people read them: `1500m` of CPU, `4Gi` of memory."""

from collections.abc import Iterator

from attrs import frozen

from model.api.resources import Resources

_UNITS = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))
_BYTES = ("memory", "ephemeral-storage")


def amount(resource: str, value: int) -> str:
    """`value` in milli-CPU, bytes or units.  Never rounded unless it is huge: a byte too much is a finding."""
    if resource == "cpu":
        return f"{value // 1000}" if value % 1000 == 0 else f"{value}m"
    if resource in _BYTES or resource.startswith("hugepages-"):
        for unit, size in _UNITS:
            if value and value % size == 0:
                return f"{value // size}{unit}"
    return str(value)


def short_amount(resource: str, value: int) -> str:
    """For labels in a picture: at most six characters or so, rounded."""
    exact = amount(resource, value)
    if len(exact) <= 6:
        return exact
    if resource == "cpu":
        return f"{value / 1000:.3g}"
    for unit, size in _UNITS if resource in _BYTES else ():
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


@frozen
class Amount:
    resource: str
    value: int

    def __str__(self) -> str:
        return amount(self.resource, self.value)


def listed(resources: Resources) -> Iterator[Amount]:
    """The named amounts of a vector, the number of pods left out."""
    yield Amount("cpu", resources.milli_cpu)
    yield Amount("memory", resources.memory)
    yield Amount("ephemeral-storage", resources.ephemeral_storage)
    for name in sorted(resources.scalars):
        yield Amount(name, resources.scalars[name])
