"""The command `sched-oracle`: one module for each of its commands, listed in `commands`.

Nothing is imported here that takes time, for a signal may come at once.
"""

from oracle.cli.output import attached
from oracle.cli.signals import leave_at_once


def main() -> None:
    """The whole command; ends in its exit code."""
    leave_at_once()
    with attached():
        from oracle.cli.commands import app

        app()
