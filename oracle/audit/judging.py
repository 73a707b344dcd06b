"""Every recorded decision, in all the states it may have been taken in.

A decision is right if it is right in one of them, and the others were none.  Where it is right only in another
order of the records of the same second, or where something happened of which no record tells, it is uncertain.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, groupby

from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import Crash
from model.fit import PriorityError
from model.host_selection import best_nodes
from model.priorities.prioritize import prioritize
from model.releases import v1_15_3
from oracle.audit.decisions import Audited, Decision, decisions_of, orders_of
from oracle.audit.gaps import Strangers, changes_without_record
from oracle.audit.messages import judge_message
from oracle.audit.records import Record
from oracle.audit.worlds import MOST_WORLDS, World, distinct, pending
from oracle.fuzz.refutation import is_asked
from oracle.judgement.host import judge_host
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.room import Room, best_room, judge_room
from oracle.judgement.second_opinion import allows_host, allows_refusal, allows_victims
from oracle.judgement.view import Sight
from oracle.levels import Level

Worlds = tuple[World, ...]


def audit(
    before: Cluster, records: Sequence[Record], after: Cluster | None, configuration: Configuration, level: Level
) -> Iterator[Audited]:
    """In the order of the records, one by one.  `after` tells of pods that came meanwhile, and where they end up."""
    return _Auditor(before, after, configuration, level).run(records)


class _Auditor:
    def __init__(self, before: Cluster, after: Cluster | None, configuration: Configuration, level: Level) -> None:
        self._configuration = configuration
        self._level = level
        self._later = {pod.key: pod for pod in after.pods} if after is not None else {}
        self._worlds: Worlds = (World.of(before, v1_15_3(configuration)),)
        self._before = before
        self._after = after
        self._right = 0
        """Decisions that were right."""
        self._unexplained = ""
        self._strangers = Strangers()

    def run(self, records: Sequence[Record]) -> Iterator[Audited]:
        if self._after is not None:
            self._unexplained = changes_without_record(self._before, self._after, records)
        for at, same_time in groupby(records, key=lambda record: record.at):
            decisions = decisions_of(same_time)
            self._worlds = distinct(world.at(at) for world in self._worlds)
            started = self._worlds
            for decision in decisions:
                yield self._audited(decision, started, decisions)

    # --- one decision ---

    def _audited(self, decision: Decision, started: Worlds, same_time: Sequence[Decision]) -> Audited:
        record = decision[0]
        key = record.about
        self._worlds = tuple(self._acquainted(world, key) for world in self._worlds)
        self._strangers.leave([each.pod for each in decision if record.kind == "Preempted"], record.at)
        if self._worlds[0].pod(key) is None:
            if record.kind != "FailedScheduling":
                self._strangers.come(key)
                self._go_on(decision, self._worlds)
            return Audited(decision, Outcome.UNCERTAIN, doubt="the pod is in no dump")
        if contradiction := next(filter(None, map(self._contradicted, decision)), ""):
            if record.kind == "Scheduled":
                self._go_on(decision, self._worlds)
            return Audited(decision, Outcome.FAILED, Wrong("contradicted", contradiction))
        judged = [(world, *self._judge(decision, world)) for world in self._worlds]
        if right := tuple(world for world, outcome, _ in judged if outcome is Outcome.PASSED):
            self._go_on(decision, right)
            return self._passed(decision, right)
        world, outcome, wrong = judged[0]
        doubt, situation = "", None
        if outcome is Outcome.FAILED:
            if doubt := self._doubt(decision, started, same_time):
                outcome = Outcome.UNCERTAIN
            else:
                situation = self._situation(world, key)
        self._go_on(decision, self._worlds, self._as_it_should_be(decision) if situation else ())
        return Audited(decision, outcome, wrong, doubt, situation)

    def _situation(self, world: World, key: str) -> Situation | None:
        """None of a pod that had its place already."""
        cluster, pod = world.view().cluster, world.pod(key)
        if pod is None or pod.spec.node_name:
            return None
        others = tuple(other for other in cluster.pods if other.key != key)
        return Situation(cluster.having(pods=others), pod, self._configuration)

    def _passed(self, decision: Decision, right: Worlds) -> Audited:
        """Z3 is asked about one of so many: what it refutes in all these worlds is uncertain."""
        self._right += 1
        if is_asked(self._right) and not any(self._allows(decision, world) for world in right):
            return Audited(decision, Outcome.UNCERTAIN, doubt="the model lets it pass, and Z3 refutes it")
        return Audited(decision, Outcome.PASSED)

    def _allows(self, decision: Decision, world: World) -> bool:
        record, cluster, configuration = decision[0], world.view().cluster, self._configuration
        pod = world.pod(record.about)
        if pod is None:
            return True
        match record.kind:
            case "Scheduled":
                return allows_host(cluster, pod, record.node, configuration)
            case "Preempted":
                return allows_victims(cluster, pod, record.node, [each.pod for each in decision], configuration)
            case _:
                return allows_refusal(cluster, pod, configuration)

    def _acquainted(self, world: World, key: str) -> World:
        """A pod that came after the first dump is known from the second."""
        later = self._later.get(key)
        return world if world.pod(key) is not None or later is None else world.with_pod(pending(later))

    def _contradicted(self, record: Record) -> str:
        later = self._later.get(record.pod)
        if later is None:
            return ""
        if record.kind == "Preempted" and later.spec.node_name and not later.is_terminating and self._is_same(later):
            return f"the record says that {record.pod} was preempted, and it runs in the dump after it"
        if record.kind == "Scheduled" and later.spec.node_name not in ("", record.node):
            return f"the record says {record.node}, the dump after it {later.spec.node_name}"
        return ""

    def _is_same(self, later: Pod) -> bool:
        """Whether it is the pod of the first dump, rather than another of its name."""
        return any(pod.key == later.key and pod.uid == later.uid for pod in self._before.pods)

    def _judge(self, decision: Decision, world: World) -> tuple[Outcome, Wrong | None]:
        record, view = decision[0], world.view()
        pod = world.pod(record.about)
        if pod is None:
            return Outcome.UNCERTAIN, None
        if pod.spec.node_name:
            return Outcome.FAILED, Wrong("again", f"{pod.key} had its place on {pod.spec.node_name} already")
        sight = view.sight(pod)
        match record.kind:
            case "Scheduled":
                return judge_host([sight], view, record.node, self._level, True, self._configuration)
            case "Preempted":
                room = Room(pod, record.node, tuple(each.pod for each in decision))
                return judge_room(room, [sight], view, self._level, True, self._configuration)
        return judge_message(sight, record.message)

    def _doubt(self, decision: Decision, started: Worlds, same_time: Sequence[Decision]) -> str:
        """Why a decision that looks wrong may be right after all, "" if nothing speaks for it."""
        if unexplained := self._unexplained or self._strangers.doubt(decision[0].at):
            return unexplained
        key = decision[0].about
        for order in orders_of(decision, same_time):
            for world in (self._acquainted(world, key) for world in started):
                moved = world
                for other in order:
                    moved = next(iter(self._applied(other, (moved,))))
                if self._judge(decision, moved)[0] is Outcome.PASSED:
                    return "it would be right in another order of what is recorded for the same second"
        return ""

    # --- what follows ---

    def _go_on(self, decision: Decision, worlds: Worlds, more: Worlds = ()) -> None:
        self._worlds = (*self._applied(decision, worlds), *more)[:MOST_WORLDS]

    def _applied(self, decision: Decision, worlds: Worlds) -> Worlds:
        record = decision[0]
        match record.kind:
            case "Scheduled":
                later = self._later.get(record.pod)
                node = later.spec.node_name if later is not None and later.spec.node_name else record.node
                return tuple(world.placed(record.pod, node, record.at) for world in worlds)
            case "Preempted":
                keys = [each.pod for each in decision]
                after = (self._after_eviction(record.by, record.node, keys, world, record.at) for world in worlds)
                return tuple(chain.from_iterable(after))
        return worlds

    def _after_eviction(self, pod: str, node: str, keys: Sequence[str], world: World, at: datetime) -> Worlds:
        """Victims go at once or take their time."""
        victims = [victim for key in keys if (victim := world.pod(key)) is not None]
        nominated = world.nominated(pod, node)
        return nominated.without(victims), nominated.leaving(victims, at)

    def _as_it_should_be(self, decision: Decision) -> Worlds:
        """What kube-scheduler would have done instead: if the record is false, what follows may be right there."""
        record, world = decision[0], self._worlds[0]
        pod = world.pod(record.about)
        if pod is None or pod.spec.node_name:
            return ()
        sight = world.view().sight(pod)
        if record.kind == "Preempted":
            return self._with_room(pod, sight, world, record.at)
        return tuple(world.placed(pod.key, node, record.at) for node in _best(sight) if node != record.node)

    def _with_room(self, pod: Pod, sight: Sight, world: World, at: datetime) -> Worlds:
        try:
            allowed = best_room(sight).allowed
        except Crash:
            return ()
        after: list[World] = []
        for node, victims in allowed.items():
            after += self._after_eviction(pod.key, node, [victim.key for victim in victims.pods], world, at)
        return tuple(after)


def _best(sight: Sight) -> Sequence[str]:
    names = sight.feasible
    if len(names) < 2:
        return names
    try:
        return best_nodes(names, prioritize(sight.attempt, [sight.attempt.snapshot[name] for name in names]))
    except (PriorityError, Crash):
        return names
