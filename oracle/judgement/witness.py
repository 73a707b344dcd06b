"""A scheduler with somebody watching: every claim it makes is judged in the state it could know."""

import re
from typing import Any, TypeVar

from attrs import evolve

from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import (
    PENDING,
    Added,
    Api,
    ApiError,
    Bind,
    BindAnswered,
    Call,
    DeletePod,
    Event,
    FinishCycle,
    GetPod,
    Observation,
    RecordEvent,
    StartCycle,
    TookPod,
    Updated,
    UpdatePodStatus,
)
from model.releases import v1_15_3
from oracle.environment.effects import scheduled_condition
from oracle.guard import Guarded
from oracle.judgement.host import judge_host
from oracle.judgement.judged import Judged, Outcome, Wrong
from oracle.judgement.knowledge import Knowledge
from oracle.judgement.refusal import judge_refusal
from oracle.judgement.room import Room, judge_omission, judge_room
from oracle.judgement.shadow import Shadow
from oracle.levels import Level

Answer = TypeVar("Answer")

FITS_NOWHERE = re.compile(r"0/\d+ nodes are available|no nodes available")


class Witness:
    """Implements `protocol.Scheduler` around another one.  `step`: index of the event that is being played."""

    def __init__(self, scheduler: Guarded, configuration: Configuration, level: Level) -> None:
        """Raises ConfigurationError and Crash."""
        self.judged: list[Judged] = []
        self.step = -1
        self._scheduler = scheduler
        self._configuration = configuration
        self._level = level
        self._begin_anew()

    def _begin_anew(self) -> None:
        """What one process of the scheduler can know: nothing at first."""
        self.shadow = Shadow(v1_15_3(self._configuration))
        self.knowledge = Knowledge(self.shadow)
        self._ours: set[str] = set()
        self._under_way: dict[int, Bind] = {}
        self._in_cycle: Pod | None = None
        self._begin()

    def _begin(self) -> None:
        """What belongs to one event."""
        self.knowledge.begin()
        self._refused: dict[str, Pod] = {}
        self._room: Room | None = None
        self._is_new = False

    # --- protocol.Scheduler ---

    def handle(self, event: Event, api: Api) -> None:
        self._begin()
        match event:
            case Added(Pod() as pod) | Updated(_, Pod() as pod):
                if pod.spec.scheduler_name == self._configuration.scheduler_name:
                    self._ours.add(pod.key)
            case StartCycle():
                self._in_cycle = None
                self.knowledge.begin_cycle()
            case BindAnswered(ticket, error):
                if request := self._under_way.pop(ticket, None):
                    self.shadow.bound(request.pod, request.node, error is None)
        self.shadow.hear(event)
        self._scheduler.handle(event, _Listening(api, self))
        if not self.shadow.lost:
            self._judge_room()
            if isinstance(event, FinishCycle):
                self._judge_omissions()

    def observe(self) -> Observation | None:
        return self._scheduler.observe()

    def restart(self) -> None:
        """Raises what the start of the scheduler raises."""
        self._begin_anew()
        self._scheduler.restart()

    # --- what it hears ---

    def before(self, request: Call[Any]) -> None:
        match request:
            case TookPod(pod):
                self._in_cycle = pod
                self.knowledge.took(pod)
            case Bind():
                self._hear_binding(request)
            case RecordEvent(pod, "Warning", "FailedScheduling", message):
                self.knowledge.conclude(pod)
                if FITS_NOWHERE.match(message):
                    self._hear_refusal(pod)
            case UpdatePodStatus(pod):
                self._hear_status(pod)
            case DeletePod(victim):
                self._hear_deletion(victim)

    def after(self, request: Call[Any], answer: Any) -> None:
        match request:
            case Bind() if answer is PENDING:
                self._under_way[request.ticket] = request
            case Bind(pod, node):
                self.shadow.bound(pod, node, not isinstance(answer, ApiError))
            case UpdatePodStatus(pod) if isinstance(answer, ApiError):
                if self._is_new:  # who cannot nominate evicts nobody
                    self._refused.pop(pod.key, None)
                self._is_new = False
            case UpdatePodStatus(pod) if pod.status.nominated_node_name:
                self.shadow.nominated(pod, pod.status.nominated_node_name)
            case DeletePod() if isinstance(answer, ApiError) and self._room:
                self._room = evolve(self._room, complete=False)
            case GetPod(namespace, name) if isinstance(answer, ApiError):
                self.knowledge.unreadable.add(f"{namespace}/{name}")
            case GetPod():
                self.knowledge.read[answer.key] = answer

    def _hear_binding(self, request: Bind) -> None:
        pod = request.pod
        self.knowledge.conclude(pod)
        if not self.shadow.lost:
            self._judge("host", pod, *self._host(request))
        self.shadow.binding(pod, request.node)

    def _host(self, request: Bind) -> tuple[Outcome, Wrong | None]:
        pod, sights = request.pod, self.knowledge.sights(request.pod)
        if self.shadow.knows_place_of(pod):
            return Outcome.FAILED, Wrong("again", f"{pod.key} was bound to {request.node}, and has a node already")
        if pod.key not in self._ours:
            return Outcome.FAILED, Wrong("not-ours", f"{pod.key} was bound, and is another scheduler's to place")
        if not sights:
            return Outcome.FAILED, Wrong("gone", f"{pod.key} was bound, and was known to be gone")
        view = self.knowledge.view(pod)
        return judge_host(sights, view, request.node, self._level, self.knowledge.is_sure(pod), self._configuration)

    def _hear_status(self, pod: Pod) -> None:
        known = self.knowledge.known(pod)
        condition = scheduled_condition(pod)
        if condition is not None and condition.status == "False":
            self.knowledge.conclude(pod)
            if condition.reason == "Unschedulable" and condition not in map(scheduled_condition, known):
                self._hear_refusal(pod)
        if (node := pod.status.nominated_node_name) and known:
            self._hear_nomination(known[0], node, all(held.status.nominated_node_name != node for held in known))

    def _hear_refusal(self, pod: Pod) -> None:
        if pod.key in self._refused or self.shadow.lost:
            return
        self._refused[pod.key] = pod
        if sights := self.knowledge.sights(pod):
            self._judge(
                "refusal",
                pod,
                *judge_refusal(sights, self.knowledge.view(pod), self.knowledge.is_sure(pod), self._configuration),
            )

    def _hear_nomination(self, pod: Pod, node: str, is_new: bool) -> None:
        if self._room is not None and self._room.pod.key == pod.key:
            self._room = evolve(self._room, node=node)
        else:
            self._judge_room()
            self._room = Room(pod, node)
        self._is_new = self._is_new or is_new

    def _hear_deletion(self, victim: Pod) -> None:
        if self._room is None and self._in_cycle is not None:
            self._room = Room(self._in_cycle, victim.spec.node_name)
        if self._room is None:
            wrong = Wrong("no-preemptor", f"{victim.key} was deleted, and for nobody")
            self._judge("room", victim, Outcome.FAILED, wrong)
            return
        self._room = evolve(self._room, victims=(*self._room.victims, victim.key))

    # --- what it makes of it ---

    def _judge(self, claim: str, pod: Pod, outcome: Outcome, wrong: Wrong | None) -> None:
        cluster = None if outcome is Outcome.PASSED else self.knowledge.view(pod).cluster
        self.judged.append(Judged(claim, pod.key, outcome, self.step, wrong, cluster))

    def _judge_room(self) -> None:
        room, self._room = self._room, None
        if room is not None and (room.victims or self._is_new):
            self._refused.pop(room.pod.key, None)
            sights, view = self.knowledge.room_sights(room.pod), self.knowledge.view(room.pod)
            verdict = judge_room(room, sights, view, self._level, self.knowledge.is_sure(room.pod), self._configuration)
            self._judge("room", room.pod, *verdict)
        self._is_new = False

    def _judge_omissions(self) -> None:
        """Pods that were refused, and nobody made room for them.  `judge_room` has taken out the others."""
        if self._level < Level.RANKED or self._configuration.disable_preemption:
            return
        for pod in self._refused.values():
            for known in self.knowledge.known(pod)[:1]:
                self._judge(
                    "room", pod, *judge_omission(known, self.knowledge.room_sights(known), self.knowledge.is_sure(pod))
                )


class _Listening:
    """The API, with the witness in between."""

    def __init__(self, api: Api, witness: Witness) -> None:
        self._api = api
        self._witness = witness

    def call(self, request: Call[Answer]) -> Answer:
        self._witness.before(request)
        answer = self._api.call(request)
        self._witness.after(request, answer)
        return answer
