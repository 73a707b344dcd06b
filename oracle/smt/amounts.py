"""Amounts as people write them."""

_BYTES = ("memory", "ephemeral-storage")
_UNITS = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def amount(resource: str, number: int) -> str:
    """`300m` of cpu, `1.2Gi` of memory, a plain number of anything else; an amount to free is rounded up, exactly."""
    if resource == "cpu":
        return f"{number // 1000}" if number % 1000 == 0 else f"{number}m"
    if resource not in _BYTES and not resource.startswith("hugepages-"):
        return str(number)
    size, suffix = float(abs(number)), ""
    for unit in _UNITS:
        if size < 1024 or (size % 1024 and size < 10 * 1024):
            break
        size, suffix = size / 1024, unit
    return f"{'-' if number < 0 else ''}{size:.4g}{suffix}"
