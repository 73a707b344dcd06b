"""Priorities: scores that rank the nodes a pod fits on.  [S-001..S-070]

Every priority is a function `(attempt, feasible) -> scores`, in the order of `feasible`: what
kube-scheduler splits into a map step per node and a reduce step over the list is one function here.
"""

MAX_PRIORITY = 10
"""The score of a perfect node in v1.15; normalised priorities give 0 to this.  In use is `Semantics.max_score`."""
