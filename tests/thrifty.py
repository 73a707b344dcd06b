"""A scheduler that evicts as few as it can, by Z3's advice: `python:tests.thrifty:Thrifty`.

Beside it stands out what v1.15 evicts although it need not.
"""

from attrs import evolve

from model.api.components import PreemptionDecision, Situation, Victims
from model.engine import Reference
from oracle.smt.facts import Facts
from oracle.smt.optimum import cheapest, cost
from oracle.smt.settings import Settings

AMPLE_MS = 20_000


class Thrifty(Reference):
    """As the model, but for the victims."""

    def preempt(self, situation: Situation) -> PreemptionDecision:
        usual, facts = super().preempt(situation), Facts.of(situation.cluster)
        settings = Settings.of(situation.configuration)
        best = cheapest(facts, situation.pod, facts.nodes, settings, AMPLE_MS) if usual.eligible else None
        if best is None:
            return usual
        gone = [pod for pod in facts.nodes[best.node].pods if pod.key in best.victims]
        victims = Victims(tuple(pod.name for pod in gone), cost(facts, gone).violations)
        return evolve(
            usual,
            per_node={best.node: victims},
            node_ties=(best.node,),
            node=best.node,
            victims=victims.pods,
        )
