"""The nodes on which preemption has a solution.  [E-010]"""

from collections.abc import Iterable, Mapping

from model.attempt import Attempt
from model.preemption.victims import Victims, select_victims_on_node
from model.rules import declare, rule

declare(
    "E-065",
    "A solution may be missed: only lower pods of one node go, all of them at once, and some reasons count as final",
    __name__,
)
declare("E-069", "Nominated pods can make every node fail the simulation", __name__)


@rule("E-010", "Every potential node of the snapshot is simulated by itself; those with a solution are candidates")
def select_nodes_for_preemption(attempt: Attempt, potential: Iterable[str]) -> Mapping[str, Victims]:
    budgets = tuple(attempt.world.budgets.values())
    solutions = {
        name: select_victims_on_node(attempt, info, budgets)
        for name in potential
        if (info := attempt.snapshot.get(name)) is not None
    }
    return {name: victims for name, victims in solutions.items() if victims is not None}
