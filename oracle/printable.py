"""Text from a cluster made fit to be shown: names in a dump can be anything."""


def printable(text: str) -> str:
    """The text without what could steer a terminal or turn the direction of writing; newlines and tabs stay."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
