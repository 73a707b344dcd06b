"""How closely a scheduler is held to kube-scheduler."""

from enum import IntEnum


class Level(IntEnum):
    """Each asks for all that the one before asks for.

    FEASIBLE: hard constraints only; for schedulers with a taste of their own.
    RANKED: the host is one of the best by the scores, and preemption takes one of the best nodes.
    EXACT: messages, and victims in their order, too.
    """

    FEASIBLE = 1
    RANKED = 2
    EXACT = 3

    @property
    def word(self) -> str:
        """As on the command line."""
        return self.name.lower()


LEVELS = {level.word: level for level in Level}
