"""No node fits: which were tried, and what each of them lacks.  [A-036..A-038]"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from impl.lanes import Codes, Flags, Ints
from impl.outcomes import Outcomes, histogram


class FitError:
    """`rows` and `codes`: the nodes that failed; `messages`: what extenders said, by node name.

    `num_all_nodes` counts the nodes listed, tried or not.
    """

    def __init__(
        self,
        num_all_nodes: int,
        rows: Ints,
        codes: Codes,
        outcomes: Outcomes,
        messages: Mapping[str, list[str]],
    ) -> None:
        self.num_all_nodes = num_all_nodes
        self.rows = rows
        self.codes = codes
        self.messages = messages
        self._outcomes = outcomes

    @cached_property
    def text(self) -> str:
        """[A-036]"""
        counts = histogram(self.codes, self._outcomes)
        for texts in self.messages.values():
            for text in texts:
                counts[text] = counts.get(text, 0) + 1
        parts = sorted((f"{count} {reason}" for reason, count in counts.items()), key=str.encode)
        return f"0/{self.num_all_nodes} nodes are available: {', '.join(parts)}."

    def unresolvable_rows(self, capacity: int) -> Flags:
        """The rows where no eviction helps.  [E-004]"""
        flags = np.zeros(capacity, np.bool_)
        flags[self.rows] = self._outcomes.table("unresolvable")[self.codes]
        return flags
