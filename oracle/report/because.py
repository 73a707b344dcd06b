"""One reason for what the reference does, with the rules it rests on."""

from attrs import frozen


@frozen
class Because:
    text: str
    rules: tuple[str, ...] = ()
