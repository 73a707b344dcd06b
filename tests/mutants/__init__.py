"""Faults that real schedulers had, put into `impl` one at a time; and what is not among them, with the reason.

The IDs are those of a collection of public reports (B01 to B95, with gaps); where a fault has several forms, each
has a suffix.  A fault that v1.15.3 itself has is turned round: there the mended code is the mutant.
"""

from collections.abc import Mapping

from oracle.mutants import Mutant
from tests.mutants.cache import CACHE
from tests.mutants.loop import LOOP
from tests.mutants.predicates import PREDICATES
from tests.mutants.preemption import PREEMPTION
from tests.mutants.priorities import PRIORITIES
from tests.mutants.queue import QUEUE
from tests.mutants.survivors import EXPLAINED, WANTING

MUTANTS: Mapping[str, Mutant] = {
    mutant.id: mutant for mutant in (*QUEUE, *CACHE, *LOOP, *PREDICATES, *PRIORITIES, *PREEMPTION)
}
IMPOSSIBLE: Mapping[str, str] = {
    "B13": "v1.15.3 does not remember which plugin rejected a pod: every failure is requeued in the same way.",
    "B14": "v1.15.3 keeps no list of events in flight; its move cycle serves that purpose, and B02-reset breaks it.",
    "B46": "v1.15.3 deletes a victim without patching its status first.",
    "B61": "v1.15.3 drops a node when binding says that it does not exist; the API server does not look for it then.",
    "B94": "v1.15.3 has no topology spread constraints.",
}
"""Faults that cannot exist in this release."""

MODULES = (
    "impl.aggregate",
    "impl.algorithm",
    "impl.amounts",
    "impl.assume_cache",
    "impl.backoff",
    "impl.binding",
    "impl.cache",
    "impl.chosen_predicates",
    "impl.chosen_priorities",
    "impl.claims",
    "impl.clock",
    "impl.configured",
    "impl.cycle",
    "impl.extenders",
    "impl.failure",
    "impl.feasibility",
    "impl.filtering",
    "impl.fit_error",
    "impl.handlers",
    "impl.heap",
    "impl.images",
    "impl.labels",
    "impl.load",
    "impl.node_order",
    "impl.node_tree",
    "impl.nominations",
    "impl.outcomes",
    "impl.pair_index",
    "impl.placement",
    "impl.pod_kind",
    "impl.pod_status",
    "impl.policy_argument",
    "impl.predicates.check",
    "impl.predicates.disks",
    "impl.predicates.general",
    "impl.predicates.node_state",
    "impl.predicates.pod_affinity",
    "impl.predicates.pod_affinity_slow",
    "impl.predicates.service_affinity",
    "impl.predicates.volume_binding",
    "impl.predicates.volume_counts",
    "impl.preempting",
    "impl.preemption",
    "impl.prepared",
    "impl.priorities.node_properties",
    "impl.priorities.pod_affinity",
    "impl.priorities.resources",
    "impl.priorities.scorer",
    "impl.priorities.spreading",
    "impl.queue",
    "impl.recency",
    "impl.requeue",
    "impl.row_column",
    "impl.scheduler",
    "impl.scoring",
    "impl.stores",
    "impl.surroundings",
    "impl.table",
    "impl.tally",
    "impl.terms",
    "impl.trial",
    "impl.validation",
    "impl.victim_columns",
    "impl.victims",
    "impl.volume_search",
    "impl.volumes",
    "impl.volumes_bound",
    "impl.waking",
)
"""The code that decides; mutants are made by rule of it."""

__all__ = ["EXPLAINED", "IMPOSSIBLE", "MODULES", "MUTANTS", "WANTING"]
