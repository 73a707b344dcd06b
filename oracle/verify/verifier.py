"""An onlooker at a run that has Z3 judge every scheduling cycle, or one in so many of a large cluster."""

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from oracle.environment import Environment, Step
from oracle.verify.cases import standing
from oracle.verify.steps import Before, verify_step
from oracle.verify.tally import Tally

WORTH_JUDGING = 5_000_000
"""Objects to look at in all: about a minute, as one takes 4 µs, and ten times that where a pod fits nowhere."""


class Verifier:
    """`tally` counts the opinions."""

    def __init__(self, cluster: Cluster, configuration: Configuration) -> None:
        """Every judged cycle looks at the whole cluster, and each pod that waits takes a cycle at least."""
        waiting = sum(not pod.spec.node_name for pod in cluster.pods)
        objects = len(cluster.nodes) + len(cluster.pods)
        self.tally = Tally(every=1 + waiting * objects // WORTH_JUDGING)
        self._configuration = configuration
        self._before: Before | None = None
        self._cycles = 0

    def before(self, environment: Environment) -> None:
        judged = self._cycles % self.tally.every == 0
        self._before = Before(standing(environment)) if judged else None

    def after(self, step: Step) -> None:
        self._cycles += 1
        if self._before is not None:
            self.tally.add(verify_step(self._before, step, self._configuration, advice=True))
