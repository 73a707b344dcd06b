"""A scheduler in a process of its own, in any language: JSON lines on standard input and output.

The protocol is described in oracle/PROTOCOL.md.

engine = ChildEngine("./mine --quiet")
"""

from oracle.child.engine import ChildEngine, CommandError
from oracle.child.limits import Limits
from oracle.child.process import ChildFailure

__all__ = ["ChildEngine", "ChildFailure", "CommandError", "Limits"]
