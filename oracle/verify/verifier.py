"""An onlooker at a run that has Z3 judge every scheduling cycle."""

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from oracle.environment import Environment, Step
from oracle.verify.cases import standing
from oracle.verify.steps import Before, verify_step
from oracle.verify.tally import Tally


class Verifier:
    """`tally` counts the opinions."""

    def __init__(self, configuration: Configuration) -> None:
        self.tally = Tally()
        self._configuration = configuration
        self._before = Before(Cluster())

    def before(self, environment: Environment) -> None:
        self._before = Before(standing(environment))

    def after(self, step: Step) -> None:
        self.tally.add(verify_step(self._before, step, self._configuration))
