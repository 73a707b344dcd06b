"""The commands that show a finding again."""

import re
from shlex import quote

from oracle.finding import RECORDED, Finding
from oracle.live import PREFIX as REAL

_EXAMPLE = re.compile(r"(\d+)/(\d+)")
"""The seed of a case that a search made: that of the search, and the number of the case."""


def replay(folder: str, finding: Finding) -> str:
    """A real scheduler lives in real time: it can only be given the same cluster once more.  The past is past."""
    if finding.scheduler == RECORDED:
        metadata = finding.trace["pod"]["metadata"]
        key = f"{metadata.get('namespace') or 'default'}/{metadata['name']}"
        return f"sched-oracle explain {quote(f'{folder}/objects.yaml')} {quote(key)}"
    if finding.scheduler.startswith(REAL):
        return f"sched-oracle serve {quote(f'{folder}/objects.yaml')}"
    return f"sched-oracle replay {quote(folder)} --scheduler {quote(finding.scheduler)}"


def search(finding: Finding) -> str | None:
    """As far as the case, where a search has made it."""
    made = _EXAMPLE.fullmatch(finding.seed)
    if made is None:
        return None
    command = "validate" if finding.scheduler.startswith(REAL) else "fuzz"
    effort = f"--seed {made[1]} --examples {int(made[2]) + 1}"
    return f"sched-oracle {command} --scheduler {quote(finding.scheduler)} {effort}"
