"""The command `sched-oracle`: one module for each of its commands, listed in `commands`.

Next to nothing is imported here, for a signal may come at once.
"""

import os
import signal

from oracle.cli.exit_codes import INTERRUPTED


def main() -> None:
    """The whole command; ends in its exit code.

    Ctrl-C and SIGTERM end it at once; while a command runs they are exceptions (`signals.interruptible`).
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    from oracle.cli.output import attached

    with attached():
        from oracle.cli.commands import app

        app()


def _leave(*_: object) -> None:
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(INTERRUPTED)
