"""What the exit code of the command says."""

FINE = 0
DIVERGED = 1
"""A divergence or a disagreement was found."""
BAD_INPUT = 2
"""Bad usage or input, or results that cannot be written."""
SCHEDULER_FAILED = 3
"""The scheduler under test broke the protocol or died."""
INTERRUPTED = 130
"""By Ctrl-C or SIGTERM; what was done until then is shown."""
BROKEN_PIPE = 141
"""Nobody reads the output any more."""

EXPLAINED = (
    f"Exit codes: {FINE} fine, {DIVERGED} a divergence or disagreement was found, {BAD_INPUT} bad usage or input, "
    f"{SCHEDULER_FAILED} the scheduler under test broke the protocol or died, {INTERRUPTED} interrupted (Ctrl-C or "
    f"SIGTERM; what was done until then is shown), {BROKEN_PIPE} nobody reads the output."
)
