"""What kube-scheduler v1.15.3 ends at: a scheduler that does so too is not at fault."""

from collections.abc import Iterable, Iterator

from attrs import evolve

from model.api.clock import Instant
from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.decode import amended
from model.api.objects import Pod
from model.api.protocol import Crash
from model.engine import Reference
from model.queue import Queue, add_unschedulable_if_not_present, assigned_pod_added
from oracle.environment.watches import awaits
from oracle.live.deeds import Bound
from oracle.live.playing import Play
from oracle.live.views import fresh_sight


def is_deadly(play: Play) -> bool:
    """Whether v1.15.3 may end at what has happened, at one of the pods, or at that after it has placed another."""
    if play.has_been_deadly or _is_deadly_to_queues(play.world.pods()):
        return True
    situations = [situation for pod in play.world.pods() if (situation := play.pending(pod.key)) is not None]
    situations += _last_bound(play)
    return any(map(_ends, situations)) or any(_ends(after) for each in situations for after in _after_another(each))


def _last_bound(play: Play) -> list[Situation]:
    """Before it was: a process that ends may still have the time to bind what it ends at."""
    bound = [deed for deed in play.world.deeds if isinstance(deed, Bound) and deed.error is None][-1:]
    objects = play.world.history.at(play.world.revision)
    return [
        Situation(
            Cluster.of(thing for key, thing in objects.items() if key != ("Pod", deed.pod)),
            deed.before,
            play.configuration,
        )
        for deed in bound
        if deed.before is not None
    ]


def _ends(situation: Situation) -> bool:
    return Reference().decide(situation).crash is not None


def _after_another(situation: Situation) -> Iterator[Situation]:
    """With another of the waiting pods placed, of which the server need not have heard before the end."""
    things = tuple(situation.cluster)
    for other in situation.cluster.pods:
        if awaits(other, situation.configuration.scheduler_name):
            rest = [thing for thing in things if thing is not other]
            for node in fresh_sight(Situation(Cluster.of(rest), other, situation.configuration)).feasible:
                placed = amended(other, {"spec": {"nodeName": node}})
                yield evolve(situation, cluster=Cluster.of([*rest, placed]))


def _is_deadly_to_queues(pods: Iterable[Pod]) -> bool:
    """Whether a queue that holds the waiting pods would end the process when it hears of the others.  [Q-063]"""
    now, queue = Instant(0), Queue()
    for pod in pods:
        if not pod.spec.node_name:
            queue = add_unschedulable_if_not_present(queue, pod, queue.cycle, now)
    try:
        for pod in pods:
            if pod.spec.node_name:
                assigned_pod_added(queue, pod, now)
    except Crash:
        return True
    return False
