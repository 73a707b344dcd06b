"""Documents and files as nobody would write them, made from good ones: for tests that reading them fails well."""

from copy import deepcopy
from random import Random
from typing import Any

ODD: list[Any] = [None, True, 0, -1, 2**31, 2**63, 10**400, 1.5, -0.0, 1e308, "", "x", "-1", "1e999", "9" * 5000]
ODD += ["1Ei", "\x00", "\u202e", "\ud83d", "a/b", "..", "1970-01-01T00:00:00Z", "NaN", "150%", [], {}, [None], [[]]]
ODD += [{"": None}, {"a": {}}, [{}], ["a"], {"matchLabels": None}, {"key": "a", "operator": "In", "values": []}]
PIECES = [b"NaN", b"1e999", b'"a":1,"a":2,', b"[" * 10_000, b"\t", b"\xef\xbb\xbf", b"\\ud83d", b"9" * 5000, b"\xff"]
PIECES += [b"---\n", b"&a ", b"*a", b"!!python/none ", b"<<: ", b"\x00", b"{", b"}", b'"', b":", b",", b"\n"]

Path = tuple[Any, ...]


def damaged(document: Any, random: Random) -> Any:
    """The document with a few values of the wrong type, absent, in the wrong place, or twice."""
    document = deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 3))):
        if not (places := _places(document)):
            break
        *way, last = random.choice(places)
        holder = _at(document, way)
        match random.randrange(4):
            case 0 | 1:
                holder[last] = deepcopy(random.choice(ODD))
            case 2:
                holder[last] = deepcopy(_at(document, random.choice(places)))
            case _:
                del holder[last]
    return document


def garbled(data: bytes, random: Random) -> bytes:
    """The bytes with some lost, doubled or put in."""
    for _ in range(random.choice((1, 1, 3))):
        at, length = random.randrange(len(data) + 1), random.randrange(1, 60)
        middle = random.choice((b"", b"", data[at - length : at], random.choice(PIECES), random.choice(PIECES)))
        data = data[:at] + middle + data[at + random.choice((0, 1, length)) :]
    return data if random.random() < 0.8 else data[: random.randrange(len(data) + 1)]


def _places(value: Any, way: Path = ()) -> list[Path]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for step, inner in members for place in ((*way, step), *_places(inner, (*way, step)))]


def _at(document: Any, way: Any) -> Any:
    for step in way:
        document = document[step]
    return document
