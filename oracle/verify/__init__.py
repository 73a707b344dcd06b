"""What Z3 thinks of decisions: of one decision, of a cycle of a running scheduler, of a whole case.

It looks at the decision alone and at the cluster, never at what the model would have decided.
"""

from oracle.verify.cases import verify_case
from oracle.verify.decisions import verify_decision, verify_preemption
from oracle.verify.opinion import Opinion, Standing
from oracle.verify.steps import Before, verify_step
from oracle.verify.tally import Tally
from oracle.verify.verifier import Verifier

__all__ = [
    "Before",
    "Opinion",
    "Standing",
    "Tally",
    "Verifier",
    "verify_case",
    "verify_decision",
    "verify_preemption",
    "verify_step",
]
