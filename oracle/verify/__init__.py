"""What Z3 thinks of decisions: of one decision, of a step of a running scheduler, of recorded ones.

It looks at the decision alone and at the cluster, never at what the model would have decided.
"""

from oracle.verify.decisions import verify_decision, verify_preemption
from oracle.verify.opinion import Opinion, Standing
from oracle.verify.steps import verify_step

__all__ = ["Opinion", "Standing", "verify_decision", "verify_preemption", "verify_step"]
