"""Amounts of resources as people write them."""

UNITS = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))
_BYTES = ("memory", "ephemeral-storage")


def is_bytes(resource: str) -> bool:
    return resource in _BYTES or resource.startswith("hugepages-")


def amount(resource: str, value: int) -> str:
    """`1500m` of CPU, `4Gi` of memory; `value` in milli-CPU, bytes or units.  Never rounded."""
    if resource == "cpu":
        return f"{value // 1000}" if value % 1000 == 0 else f"{value}m"
    if is_bytes(resource):
        for unit, size in UNITS:
            if value and value % size == 0:
                return f"{value // size}{unit}"
    return str(value)
