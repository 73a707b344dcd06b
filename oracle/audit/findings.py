"""From a wrong decision of the past to a finding."""

from typing import Any

from oracle.audit.decisions import Audited
from oracle.finding import RECORDED, Finding
from oracle.judgement.finding import finding_of_decision
from oracle.validate.verdict import fit_for_a_folder


def finding_of(verdict: Audited) -> Finding:
    """Of one that is wrong, and was made in a situation that is known."""
    wrong = verdict.wrong
    assert verdict.situation is not None
    assert wrong is not None
    return finding_of_decision(
        verdict.situation,
        verdict.kind == "Preempted",
        _decided(verdict),
        wrong.says,
        signature=fit_for_a_folder(f"audit-{verdict.pod}-{verdict.kind}-{wrong.tag}"),
        sentence=f"{verdict.said}: {wrong.says.rstrip('.')}.",
        scheduler=RECORDED,
        seed="",
    )


def _decided(verdict: Audited) -> dict[str, Any]:
    record = verdict.records[0]
    match record.kind:
        case "Scheduled":
            return {"host": record.node}
        case "Preempted":
            return {"node": record.node, "victims": [each.pod for each in verdict.records]}
    return {"error": record.message}
