"""What Z3 makes of the two answers, from the specification alone."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from model.api.objects import Pod
from oracle.compare.outcome import Outcome
from oracle.report.moment import Moment
from oracle.report.witness import Cycle
from oracle.smt.facts import Facts
from oracle.smt.settings import Settings
from oracle.verify.claims import Claims
from oracle.verify.opinion import Opinion, Standing

JUDGES = (
    "Hard constraints only: whether a node can take the pod, whether none can, whether the victims make room and each "
    "of them is needed. Not scores, turns, queues, or who of several possible victims goes."
)
"""What Z3 is asked, and what a proof therefore does not say."""
PROVED = {
    "host": "every hard constraint holds there (proved)",
    "unschedulable": "some hard constraint fails on every node (proved)",
    "victims": "they make room, and each of them is needed (proved)",
}
"""By the sort of the claim."""
LARGEST = 100
"""Nodes of a cluster about which Z3 is asked."""
LIMIT_MS = 20_000
"""For each question: far more than one about a small case takes, so that the answer does not depend on the machine."""


@frozen
class Asked:
    """`side`: `v1.15.3`, `under test`, or `both`."""

    side: str
    opinion: Opinion

    @property
    def verdict(self) -> str:
        if self.opinion.standing is Standing.AGREES and self.opinion.sort in PROVED:
            return PROVED[self.opinion.sort]
        rule = f" by rule {self.opinion.rule}" if self.opinion.rule else ""
        return f"{self.opinion.standing.value}{rule}{': ' if self.opinion.says else ''}{self.opinion.says}"


def opinions(
    moment: Moment, cycle: Cycle | None, sides: tuple[Outcome, Outcome], of_both: bool = False
) -> Iterator[Asked]:
    """About what they do not agree on, or, `of_both`, about the answer that they share.

    What would cost less is told of the reference alone: the rules that allow it are about the reference.

    None where the cluster is not what the scheduler knows of it, as after an earlier cycle of the same step.
    """
    if cycle is None or cycle.attempt.semantics.extenders or len(moment.nodes) > LARGEST or not _knows_all(moment):
        return
    if moment.earlier(cycle):
        return
    pods = {pod.key: pod for pod in moment.objects.pods}
    nominated = {node: tuple(pods[key] for key in keys if key in pods) for node, keys in moment.nominated.items()}
    settings = Settings.of(moment.configuration)
    claims = Claims(Facts.of(moment.objects, nominated), cycle.attempt.pod, settings, LIMIT_MS)
    expected, actual = sides
    apart = (("v1.15.3", expected, actual), ("under test", actual, expected))
    for side, answer, other in (("both", expected, Outcome()),) if of_both else apart:
        told = (Asked(side, opinion) for opinion in _opinions(claims, answer, other, pods))
        yield from (each for each in told if side != "under test" or each.opinion.sort != "least")


def _opinions(claims: Claims, answer: Outcome, other: Outcome, pods: Mapping[str, Pod]) -> Iterator[Opinion]:
    if answer.host and answer.host != other.host:
        yield claims.host(answer.host)
    if answer.refusal and answer.refusal.startswith("0/") and not other.refusal:
        yield claims.unschedulable()
    if answer.victims and answer.victims != other.victims:
        victims = [_key(name, answer.nominated, pods) for name in answer.victims]
        node = answer.nominated or (pods[victims[0]].spec.node_name if victims[0] in pods else "")
        yield (verdict := claims.victims(node, victims))
        if verdict.standing is Standing.AGREES:
            yield from claims.least(node, victims)
    elif answer.refusal and other.victims:
        yield claims.hopeless(claims.facts.nodes)


def _key(name: str, node: str | None, pods: Mapping[str, Pod]) -> str:
    """Of a victim that may be told by its name alone."""
    found = (key for key, pod in pods.items() if pod.name == name and node in (None, pod.spec.node_name))
    return name if name in pods else next(found, name)


def _knows_all(moment: Moment) -> bool:
    """Whether the cache holds what the API server holds."""
    finished = ("Succeeded", "Failed")
    placed = {(pod.spec.node_name, pod.key) for pod in moment.objects.pods if pod.status.phase not in finished}
    known = {(node, pod.key) for node, info in moment.nodes.items() for pod in info.pods}
    return known == {(node, key) for node, key in placed if node}
