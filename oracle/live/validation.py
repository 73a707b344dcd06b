"""Many small clusters, one after another, played to a real scheduler; what it did to each is judged.

for played in validate_live(command, cases, level): ...
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from attrs import frozen

from model.api.configuration import Configuration
from oracle.judgement.judged import Outcome, Wrong
from oracle.levels import Level
from oracle.live.deadly import is_deadly
from oracle.live.judging import Decision, judged
from oracle.live.playing import PATIENCE, Gone, Play
from oracle.live.process import SchedulerProcess
from oracle.live.serving import LOOPBACK, Serving, serving, write_kubeconfig
from oracle.live.world import World
from oracle.schedulers import SchedulerError
from oracle.trace import Trace

STARTING = 60.0
"""Seconds that a scheduler may take until it watches."""

LAST_LINES = 12
"""Of the output of a scheduler that died."""

DEATHS = ("panic:", "fatal error:")


@frozen
class Played:
    """One cluster: its trace, all decisions in the order of arrival, and how long it took, in seconds."""

    trace: Trace
    decisions: tuple[Decision, ...]
    seconds: float

    def of(self, outcome: Outcome) -> tuple[Decision, ...]:
        """The decisions that ended so."""
        return tuple(decision for decision in self.decisions if decision.outcome is outcome)


@frozen
class LiveValidation:
    """How to judge, and what the scheduler is configured with.  `patience` in seconds, see `oracle.live.playing`."""

    level: Level = Level.FEASIBLE
    configuration: Configuration = Configuration()
    patience: float = PATIENCE

    def of_command(self, command: str, cases: Iterable[Trace]) -> Generator[Played]:
        """A scheduler that is started anew for each case.

        `{kubeconfig}` and `{server}` in the command stand for what it has to connect to.
        Raises SchedulerError for a scheduler that cannot be started or does not connect, and ServingError.
        """
        with TemporaryDirectory(prefix="sched-oracle-") as directory:
            kubeconfig = Path(directory) / "kubeconfig"
            for case in cases:
                world = World()
                with serving(world) as where:
                    write_kubeconfig(kubeconfig, where.url)
                    values = {"kubeconfig": str(kubeconfig), "server": where.url}
                    yield self._played(world, case, SchedulerProcess(command, values))

    def of_visitor(
        self,
        cases: Iterable[Trace],
        kubeconfig: Path,
        announce: Callable[[Serving], None],
        host: str = LOOPBACK,
        port: int = 0,
    ) -> Generator[Played]:
        """Somebody else's scheduler, which connects once and keeps its memories; `announce` tells it where.

        Writes the kubeconfig.  Raises SchedulerError if none comes, and ServingError.
        """
        world = World()
        with serving(world, host, port) as where:
            write_kubeconfig(kubeconfig, where.url)
            announce(where)
            for case in cases:
                yield self._played(world, case, None)
                world.clear()
                sleep(1)

    def _played(self, world: World, case: Trace, process: SchedulerProcess | None) -> Played:
        start = monotonic()
        play = Play(
            world, case, self.configuration, lambda: process is None or process.exit_code is None, self.patience
        )
        play.begin()
        last: list[Decision] = []
        if process is None:
            last = _run(play, None)
        else:
            with process:
                last = _run(play, process)
        return Played(case, (*judged(play.record(), self.level), *last), monotonic() - start)


def _run(play: Play, process: SchedulerProcess | None) -> list[Decision]:
    """Play to the end; answers what is wrong besides single decisions."""
    try:
        _await_connection(play)
        for _ in play.steps():
            pass
    except Gone:
        assert process is not None
        return [_death(play, process)]
    if play.world.flooded:
        wrong = Wrong("flood", f"the server got {len(play.world.deeds):,} requests about pods")
        return [_whole("flood", wrong, "makes requests without end")]
    return [_silence(play, key) for key in sorted(play.undecided)] + [_delay(play, key) for key in sorted(play.left)]


def _await_connection(play: Play) -> None:
    """Raises SchedulerError and Gone."""
    end = monotonic() + STARTING
    while not play.is_watched:
        if not play.alive():
            raise Gone
        if monotonic() > end:
            raise SchedulerError(f"no scheduler has watched pods and nodes within {STARTING:g} s")
        sleep(0.02)


def _death(play: Play, process: SchedulerProcess) -> Decision:
    """A process that ends is at fault, unless v1.15.3 would have died of one of the pods too."""
    code = process.exit_code
    words = _last_words(process.last_words.strip().splitlines())
    said = f"ended with exit code {code}" if code is None or code >= 0 else f"was ended by signal {-code}"
    actual = {"exitCode": code, "output": words}
    if is_deadly(play):
        return Decision("fault", "", Outcome.PASSED, play.world.revision, said=said, actual=actual)
    return _whole("fault", Wrong("end", words), said, actual)


def _whole(claim: str, wrong: Wrong, said: str, actual: Mapping[str, Any] | None = None) -> Decision:
    return Decision(claim, "", Outcome.FAILED, -1, wrong, said=said, actual=actual or {})


def _last_words(lines: list[str]) -> str:
    """What a Go program died of comes before the stacks of all that it was doing."""
    start = next((at for at, line in enumerate(lines) if line.startswith(DEATHS)), len(lines) - LAST_LINES)
    return "\n".join(lines[max(start, 0) :][:LAST_LINES])


def _silence(play: Play, key: str) -> Decision:
    wrong = Wrong("silence", f"nothing was decided about it within {play.patience:g} s")
    return Decision("silence", key, Outcome.FAILED, play.world.revision, wrong, said=f"left {key} alone")


def _delay(play: Play, key: str) -> Decision:
    """Schedulers may forget a pod for a minute or more; nobody waits that long."""
    wrong = Wrong("left", f"it fits by now, and was not tried again within {play.patience:g} s")
    situation, at = play.pending(key), play.world.revision
    return Decision("pending", key, Outcome.UNCERTAIN, at, wrong, said=f"left {key} waiting", situation=situation)
