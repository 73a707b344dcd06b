"""The faults, by what they are in."""

from tests.mutants.mutation import Mutant

QUEUE = (
    Mutant(
        "queue-order",
        "Of pods with equal priority the newest is taken first",
        "impl.queue",
        "self.rank = (-pod.priority, timestamp)",
        "self.rank = (-pod.priority, Instant(-timestamp.ms, -timestamp.reading))",
        ("Q-010",),
    ),
    Mutant(
        "backoff-duration",
        "Every backoff is one step longer than it should be",
        "impl.backoff",
        "min(attempts - 1, 4)",
        "min(attempts, 4)",
        ("Q-020",),
    ),
)
PREDICATES = (
    Mutant(
        "port-conflict",
        "Only the first host port of a pod is compared with those in use",
        "impl.predicates.general",
        "for wanted in self.question.kind.ports)",
        "for wanted in tuple(self.question.kind.ports)[:1])",
        ("P-051",),
    ),
    Mutant(
        "taint-effect",
        "A taint with the effect NoExecute keeps no pod out",
        "impl.predicates.node_state",
        'pod_tolerates_node_taints = _tolerates("NoSchedule", "NoExecute")',
        'pod_tolerates_node_taints = _tolerates("NoSchedule")',
        ("P-056",),
    ),
)
PRIORITIES = (
    Mutant(
        "score-rounding",
        "Least requested: the mean of two scores is rounded up",
        "impl.priorities.resources",
        "return quotient(self.one(cpu, cpu_capacity) + self.one(memory, memory_capacity), 2)",
        "return quotient(self.one(cpu, cpu_capacity) + self.one(memory, memory_capacity) + 1, 2)",
        ("S-030",),
    ),
)

MUTANTS = {mutant.id: mutant for mutant in (*QUEUE, *PREDICATES, *PRIORITIES)}
