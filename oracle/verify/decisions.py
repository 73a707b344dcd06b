"""Single decisions of an engine, as Z3 sees them."""

from collections.abc import Iterator

from model.api.components import Decision, PreemptionDecision, Situation
from oracle.smt.facts import Facts
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS
from oracle.verify.claims import Claims
from oracle.verify.opinion import Opinion


def verify_decision(situation: Situation, decision: Decision, limit_ms: int = LIMIT_MS) -> Iterator[Opinion]:
    """The host is feasible; where there is none, no node is.

    Says nothing of errors and crashes, nor where extenders have a say.
    """
    if situation.configuration.extenders:
        return
    claims = _claims(situation, limit_ms)
    if decision.host is not None:
        yield claims.host(decision.host)
    elif decision.error_type == "FitError":
        yield claims.unschedulable()


def verify_preemption(
    situation: Situation, decision: PreemptionDecision, limit_ms: int = LIMIT_MS
) -> Iterator[Opinion]:
    """The victims of every candidate suffice and are needed; where there is no candidate nothing would help."""
    if decision.error_type != "FitError" or situation.configuration.extenders:
        return
    claims = _claims(situation, limit_ms)
    yield claims.unschedulable()
    if not decision.eligible or decision.crash is not None:
        return
    keys = {pod.name: pod.key for pod in situation.cluster.pods}
    for node, victims in decision.per_node.items():
        yield claims.victims(node, [keys[name] for name in victims.pods])
    yield claims.hopeless(name for name in claims.facts.nodes if name not in decision.per_node)


def _claims(situation: Situation, limit_ms: int) -> Claims:
    settings = Settings.of(situation.configuration)
    return Claims(Facts.of(situation.cluster), situation.pod, settings, limit_ms)
