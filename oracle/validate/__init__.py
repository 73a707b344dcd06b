"""One verdict about a scheduler: many cases, each judged at a level, and the faults told apart.

account = validate(Plan("exec:./mine", Level.FEASIBLE, examples=200))

plan, suites    what is asked for, and where cases come from
search          case after case, until enough was tried or found
describe        a fault in the smallest case that shows it
known           faults that were declared beforehand
account         what it comes to
"""

from oracle.validate.account import Account, Row
from oracle.validate.known import Deviation, DeviationError, read_deviations
from oracle.validate.plan import Plan
from oracle.validate.search import validate

__all__ = ["Account", "Deviation", "DeviationError", "Plan", "Row", "read_deviations", "validate"]
