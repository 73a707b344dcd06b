"""Two schedulers side by side through one trace, each in a world of its own, up to the first step where they part.

A scheduler that is not canonical goes first, and the reference follows it where kube-scheduler may choose.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from model.api.components import Engine
from model.api.protocol import Scheduler
from model.engine import Reference
from oracle.compare.divergence import Divergence, Record, different_ends, ended, on_record
from oracle.compare.written import Written, compare_written, written
from oracle.conform.e2e import compare_step
from oracle.conform.verdict import Difference
from oracle.environment import Step, write_operation
from oracle.environment.store import Store
from oracle.guard import Guarded, guarded_scheduler
from oracle.judge import Follower, chosen_hosts, chosen_nominations
from oracle.properties import Violation, Watch
from oracle.trace import Trace, play, read_trace

OF_THE_CANONICAL = ("lastNodeIndex",)
"""Members of a state that only tell how choices come about."""


def compare(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Effects first, then what both show of themselves; where they agree, what must hold of any scheduler.

    Raises ManifestError for a case that cannot be played."""
    trace = read_trace(case)
    run = Run(trace, engine)
    if isinstance(reference, Reference) and not getattr(engine, "canonical", False):
        reference_run: Run = FollowingRun(trace, reference, run)
    else:
        reference_run = Run(trace, reference)
    for at, event in enumerate((None, *trace.events), start=-1):
        actual, expected = run.next_record(), reference_run.next_record()
        where = f"steps[{at}]" if event else "initial"
        if ended(expected) or ended(actual):
            difference = different_ends(where, expected, actual)
        else:
            assert run.step is not None
            wanted = _comparable(expected, actual) if isinstance(reference_run, FollowingRun) else expected
            difference = compare_step(where, wanted, run.step) or compare_written(
                where, reference_run.written, run.written
            )
        if difference is not None:
            followed = reference_run.followed[:-1] if isinstance(reference_run, FollowingRun) else ()
            said = write_operation(event) if event else None
            return Divergence(at, said, expected, actual, difference, tuple(followed))
        if run.violation is not None:
            broken = Difference(f"property.{run.violation.property}", None, run.violation.sentence)
            return Divergence(at, write_operation(event) if event else None, expected, actual, broken)
        if ended(expected):
            return None
    return None


def _comparable(expected: Record, actual: Record) -> Record:
    """The expected record without what is free: counters, and the order of pods on a node after some expired."""
    wanted: dict[str, Any] = {
        name: actual.get(name) if name in OF_THE_CANONICAL else value for name, value in expected.items()
    }
    if "cacheNodes" in wanted and "cacheNodes" in actual:
        shown = actual["cacheNodes"]
        wanted["cacheNodes"] = {
            node: shown[node] if sorted(shown.get(node, ())) == sorted(pods) and pods else pods
            for node, pods in wanted["cacheNodes"].items()
        }
    return wanted


class Run:
    """One scheduler's run through a trace; `step`: the last one; `violation`: of a property, the first.

    `written`: the volumes and claims that it changed in the last step.
    """

    def __init__(self, trace: Trace, engine: Engine) -> None:
        self._trace, self._engine = trace, engine
        self._steps: Iterator[Step] | None = None
        self._watch = Watch(trace)
        self.step: Step | None = None
        self.written: Written = ()
        self.violation: Violation | None = None

    def next_record(self) -> Record:
        """Of the next step: a STEP, or what ended the run."""
        return on_record(self._next)

    def _next(self) -> Record:
        if self._steps is None:
            self._steps = play(self._trace, self._scheduler(), onlooker=self._look)
        self._before_step()
        self.step = next(self._steps)
        return self.step.document()

    def _before_step(self) -> None:
        """Of each step, the first one too: the scheduler is there, and has not been told of it."""

    def _look(self, store: Store, step: Step) -> None:
        self.violation = self.violation or self._watch.look(store, step)
        self.written = written(store, step)

    def _scheduler(self) -> Scheduler:
        return guarded_scheduler(self._engine, self._trace.configuration)


class FollowingRun(Run):
    """The reference's run behind another, whose last step it knows."""

    def __init__(self, trace: Trace, reference: Reference, leader: Run) -> None:
        super().__init__(trace, reference)
        self._reference, self._leader = reference, leader
        self._follower: Follower | None = None
        self.followed: list[Record] = []

    def _before_step(self) -> None:
        if self._follower is not None and self._leader.step is not None:
            seen = self._leader.step
            hosts, nominations = chosen_hosts(seen.effects, seen.observation), chosen_nominations(seen.effects)
            self.followed.append(deepcopy({"hosts": dict(hosts), "nominations": dict(nominations)}))
            self._follower.follow(hosts, nominations)

    def _look(self, store: Store, step: Step) -> None:
        self.written = written(store, step)

    def _scheduler(self) -> Scheduler:
        return Guarded(self._new_follower)

    def _new_follower(self) -> Follower:
        self._follower = Follower(self._reference.semantics(self._trace.configuration))
        return self._follower
