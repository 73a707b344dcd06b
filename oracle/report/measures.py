"""The measures of a node's box in units of the picture, its pixels at natural size; text that is cut to fit into it."""

from unicodedata import combining, east_asian_width

WIDTH = 264
PADDING = 14
INNER = WIDTH - 2 * PADDING
BAR_WIDTH = 104
LINE = 20
CHARACTER = 6.7
"""Width of a character in the pods' font."""


def cut(text: str, width: float = INNER - 12, character: float = CHARACTER) -> str:
    """The text, or its beginning with an ellipsis, so that it stays within the width."""
    room = int(width / character)
    if sum(map(_columns, text)) <= room:
        return text
    kept = ""
    for letter in text:
        room -= _columns(letter)
        if room < 1:
            break
        kept += letter
    return kept + "…"


def _columns(letter: str) -> int:
    return 0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1
