"""What holds whatever a scheduler decides: checked after every step of a trace, beside the comparison.

watch = Watch(trace)
violation = watch.look(environment.store, step)
"""

from oracle.properties.always import ALWAYS
from oracle.properties.moment import Moment
from oracle.properties.sometimes import SOMETIMES
from oracle.properties.watch import Violation, Watch

__all__ = ["ALWAYS", "SOMETIMES", "Moment", "Violation", "Watch"]
