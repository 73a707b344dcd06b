"""Exhaustive exploration of small universes: all that can happen up to a depth, on both sides.

exploration = explore(QUEUE, engine, Reference(), depth=5)
"""

from oracle.explore.cache import CacheUniverse
from oracle.explore.loop import LoopUniverse
from oracle.explore.queue import QueueUniverse
from oracle.explore.universe import Universe
from oracle.explore.walk import Exploration, explore

UNIVERSES: dict[str, Universe] = {
    universe.name: universe for universe in (QueueUniverse(), CacheUniverse(), LoopUniverse())
}

__all__ = ["UNIVERSES", "Exploration", "Universe", "explore"]
