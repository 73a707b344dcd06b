"""What happens to the order of nodes when nodes come and go."""

from collections.abc import Iterator, Mapping
from typing import Any

from oracle.compare.divergence import Record
from oracle.report.because import Because
from oracle.report.words import some, tree_zone


def because_of_tree(before: Record, expected: Record) -> Iterator[Because]:
    """Of nodes that left it while a pass was under way.  [C-063, C-069]"""
    old, new = before.get("nodeTree"), expected.get("nodeTree")
    if not old or not new:
        return
    left = {zone["zone"]: zone for zone in new["zones"]}
    for zone in old["zones"]:
        gone = [node for node in zone["nodes"] if node not in left.get(zone["zone"], {"nodes": ()})["nodes"]]
        if gone and zone["zone"] not in left:
            yield _emptied(tree_zone(zone["zone"]), gone, new["zoneIndex"], len(left))
        elif gone:
            yield _smaller(tree_zone(zone["zone"]), gone, left[zone["zone"]])


def _emptied(zone: str, gone: list[str], index: int, left: int) -> Because:
    text = f"Without {some(gone)}, {zone} is empty and leaves the node tree; the index of the next zone stays {index}"
    if index < left:
        return Because(f"{text}.", ("C-063",))
    there = "no zone is left" if not left else "only 1 zone is left" if left == 1 else f"only {left} zones are left"
    past = f"{text} although {there}: it points past the end. What comes next, v1.15.3 takes from the first zone."
    return Because(past, ("C-063", "C-066"))


def _smaller(zone: str, gone: list[str], left: Mapping[str, Any]) -> Because:
    given, count = left["lastIndex"], len(left["nodes"])
    text = f"{some(gone)} leaves {zone} of the node tree. The zone's position stays {given}"
    if given > count:
        text += f" although only {count} {'node is' if count == 1 else 'nodes are'} left: it points past the end"
    return Because(f"{text}; nodes behind the one that went move up under it.", ("C-063", "C-069"))
