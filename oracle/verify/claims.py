"""The claims a scheduler can make, each put to Z3."""

from collections.abc import Collection, Iterable

from attrs import frozen

from model.api.objects import Pod
from oracle.smt.facts import Facts
from oracle.smt.hopeless import Missed, missed
from oracle.smt.host import (
    Feasible,
    Infeasible,
    Overlooked,
    Unknown,
    Unschedulable,
    check_host,
    check_unschedulable,
)
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS
from oracle.smt.victims import (
    CLASSES,
    Excessive,
    Insufficient,
    Minimal,
    NotEvictable,
    Tolerated,
    check_victims,
)
from oracle.verify.opinion import Opinion, Standing


@frozen(eq=False)
class Claims:
    """About one pod in one cluster.  `limit_ms` for each question put to Z3."""

    facts: Facts
    pod: Pod
    settings: Settings
    limit_ms: int = LIMIT_MS

    def host(self, node: str) -> Opinion:
        """The pod may run there."""
        claim = f"{self.pod.key} runs on {node}"
        match check_host(self.facts, self.pod, node, self.settings, self.limit_ms):
            case Feasible():
                return Opinion(claim, Standing.AGREES)
            case Infeasible() as broken:
                return Opinion(claim, Standing.DISAGREES, says=str(broken))
            case Unknown(why):
                return Opinion(claim, Standing.UNKNOWN, says=why)

    def unschedulable(self) -> Opinion:
        """No node can take the pod as things are."""
        claim = f"{self.pod.key} fits nowhere"
        match check_unschedulable(self.facts, self.pod, self.settings, self.limit_ms):
            case Unschedulable():
                return Opinion(claim, Standing.AGREES)
            case Overlooked(nodes, by_volumes):
                standing = Standing.ALLOWED if by_volumes else Standing.DISAGREES
                return Opinion(claim, standing, "V-022" if by_volumes else "", f"it fits {', '.join(nodes)}")
            case Unknown(why):
                return Opinion(claim, Standing.UNKNOWN, says=why)

    def victims(self, node: str, victims: Collection[str]) -> Opinion:
        """These make room on the node, and each of them is needed.  `victims`: namespace/name."""
        claim = f"{', '.join(victims)} on {node} make room for {self.pod.key}"
        if node not in self.facts.nodes:
            return Opinion(claim, Standing.DISAGREES, says="there is no such node")
        match check_victims(self.facts, self.pod, node, victims, self.settings, self.limit_ms):
            case Minimal():
                return Opinion(claim, Standing.AGREES)
            case Insufficient(core):
                return Opinion(claim, Standing.DISAGREES, says="; ".join(map(str, core)))
            case NotEvictable(pods):
                return Opinion(claim, Standing.DISAGREES, says=f"not to be evicted: {', '.join(pods)}")
            case Excessive(enough, ""):
                return Opinion(claim, Standing.DISAGREES, says=_enough(enough))
            case Excessive(enough, rule):
                return Opinion(claim, Standing.ALLOWED, rule, f"{_enough(enough)}; {CLASSES[rule]}")
            case Tolerated(rule):
                return Opinion(claim, Standing.ALLOWED, rule, CLASSES[rule])
            case Unknown(why):
                return Opinion(claim, Standing.UNKNOWN, says=why)

    def hopeless(self, nodes: Iterable[str]) -> Opinion:
        """On none of these nodes evictions would make room."""
        claim = f"no evictions make room for {self.pod.key}"
        found: Opinion | None = None
        for each in missed(self.facts, self.pod, nodes, self.settings, self.limit_ms):
            match each:
                case Unknown(why):
                    found = Opinion(claim, Standing.UNKNOWN, says=why)
                case Missed(node, victims, ""):
                    return Opinion(claim, Standing.DISAGREES, says=f"{', '.join(victims)} on {node} would")
                case Missed(node, victims, rule):
                    says = f"{', '.join(victims)} on {node} would; {CLASSES[rule]}"
                    found = found or Opinion(claim, Standing.ALLOWED, rule, says)
        return found or Opinion(claim, Standing.AGREES)


def _enough(subset: tuple[str, ...]) -> str:
    return f"{', '.join(subset)} would be enough" if subset else "nobody needs to go"
