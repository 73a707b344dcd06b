"""The claims a scheduler can make, each put to Z3."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

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
from oracle.smt.optimum import GAPS, cheapest, cost, gaps
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
        claim = partial(Opinion, f"{self.pod.key} runs on {node}", sort="host")
        match check_host(self.facts, self.pod, node, self.settings, self.limit_ms):
            case Feasible():
                return claim(Standing.AGREES)
            case Infeasible() as broken:
                return claim(Standing.DISAGREES, says=str(broken))
            case Unknown(why):
                return claim(Standing.UNKNOWN, says=why)

    def unschedulable(self) -> Opinion:
        """No node can take the pod as things are."""
        claim = partial(Opinion, f"{self.pod.key} fits nowhere", sort="unschedulable")
        match check_unschedulable(self.facts, self.pod, self.settings, self.limit_ms):
            case Unschedulable():
                return claim(Standing.AGREES)
            case Overlooked(nodes, by_volumes):
                standing = Standing.ALLOWED if by_volumes else Standing.DISAGREES
                return claim(standing, "V-022" if by_volumes else "", f"it fits {', '.join(nodes)}")
            case Unknown(why):
                return claim(Standing.UNKNOWN, says=why)

    def victims(self, node: str, victims: Collection[str]) -> Opinion:
        """These make room on the node, and each of them is needed.  `victims`: namespace/name."""
        claim = partial(
            Opinion, f"evicting {', '.join(victims)} from {node} makes room for {self.pod.key}", sort="victims"
        )
        if node not in self.facts.nodes:
            return claim(Standing.DISAGREES, says="there is no such node")
        match check_victims(self.facts, self.pod, node, victims, self.settings, self.limit_ms):
            case Minimal():
                return claim(Standing.AGREES)
            case Insufficient(core):
                return claim(Standing.DISAGREES, says="; ".join(map(str, core)))
            case NotEvictable(pods):
                return claim(Standing.DISAGREES, says=f"not to be evicted: {', '.join(pods)}")
            case Excessive(enough, ""):
                return claim(Standing.DISAGREES, says=_enough(enough))
            case Excessive(enough, rule):
                return claim(Standing.ALLOWED, rule, f"{_enough(enough)}; {CLASSES[rule]}")
            case Tolerated(rule):
                return claim(Standing.ALLOWED, rule, CLASSES[rule])
            case Unknown(why):
                return claim(Standing.UNKNOWN, says=why)

    def least(self, node: str, victims: Collection[str]) -> Iterator[Opinion]:
        """Where room could be had for less on that node: one opinion for each way of it, advice all.  [E-062..E-064]"""
        if node not in self.facts.nodes:
            return
        best = cheapest(self.facts, self.pod, [node], self.settings, self.limit_ms)
        if best is None:
            return
        claim = f"nothing less than evicting {', '.join(victims)} from {node} makes room for {self.pod.key}"
        paid = cost(self.facts, (pod for pod in self.facts.nodes[node].pods if pod.key in victims))
        for rule in gaps(paid, best.cost, best.cost):
            yield Opinion(claim, Standing.ALLOWED, rule, f"{_enough(best.victims)}; {GAPS[rule]}", "least")

    def hopeless(self, nodes: Iterable[str]) -> Opinion:
        """On none of these nodes evictions would make room."""
        claim = partial(Opinion, f"no eviction makes room for {self.pod.key}", sort="no victims")
        found: Opinion | None = None
        for each in missed(self.facts, self.pod, nodes, self.settings, self.limit_ms):
            match each:
                case Unknown(why):
                    found = claim(Standing.UNKNOWN, says=why)
                case Missed(node, victims, ""):
                    return claim(Standing.DISAGREES, says=f"evicting {', '.join(victims)} from {node} would make room")
                case Missed(node, victims, rule):
                    says = f"evicting {', '.join(victims)} from {node} would make room; {CLASSES[rule]}"
                    found = found or claim(Standing.ALLOWED, rule, says)
        return found or claim(Standing.AGREES)


def _enough(subset: tuple[str, ...]) -> str:
    return f"evicting {', '.join(subset)} would be enough" if subset else "nobody needs to go"
