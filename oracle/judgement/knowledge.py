"""What a scheduler can have known of a pod when it decided about it."""

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from model.api.objects import Pod
from oracle.judgement.shadow import Shadow
from oracle.judgement.view import Sight, View


@frozen
class Taken:
    """A pod under decision: as it was taken, what was known then, and whether that was all."""

    pod: Pod
    view: View
    is_all: bool


class Knowledge:
    """`read` and `unreadable`: pods as the API server answered in this event, and keys of those it refused."""

    def __init__(self, shadow: Shadow) -> None:
        self.shadow = shadow
        self.undecided: Counter[str] = Counter()
        """How often taken without having been bound or refused: only the scheduler knows where it counts them."""
        self._was_unsure = False
        self._taken: dict[str, Taken] = {}
        self._open: set[str] = set()
        """Taken in this cycle, and not decided yet."""
        self.begin()

    def begin(self) -> None:
        """What belongs to one event."""
        self.unreadable: set[str] = set()
        self.read: dict[str, Pod] = {}
        self._concluded: set[str] = set()

    def begin_cycle(self) -> None:
        self._open.clear()

    def took(self, pod: Pod) -> None:
        is_all = self.undecided.total() == len(self._open)
        self._was_unsure = self._was_unsure or not is_all
        self._taken[pod.uid or pod.key] = Taken(pod, self.shadow.snapshotted(), is_all)
        self.undecided[pod.key] += 1
        self._open.add(pod.key)

    def conclude(self, pod: Pod) -> None:
        """One of the attempts about the pod has ended; event and condition tell it twice."""
        if pod.key not in self._concluded and self.undecided[pod.key]:
            self._concluded.add(pod.key)
            self._open.discard(pod.key)
            self.undecided[pod.key] -= 1

    def is_sure(self, pod: Pod) -> bool:
        """Whether we know where the scheduler counts all pods but this one, about which it decides.

        What a snapshot once held of a node that went stays in it; so an undecided pod there is never forgotten.
        """
        taken = self.taken_as(pod)
        if taken and not taken.is_all:
            return False
        others = self.undecided.total() - (pod.key in self._open)
        return others == 0 and not (self._was_unsure and self.shadow.remembers_gone_nodes)

    def known(self, pod: Pod) -> Sequence[Pod]:
        """What the scheduler knew of the pod before it changed its status: as it was just read, else as it was told."""
        if pod.key in self.unreadable:
            return ()
        if pod.key in self.read:
            return (self.read[pod.key],)
        told, taken = self.told_of(pod), self.taken_as(pod)
        return [*([told] if told else []), *([taken.pod] if taken else [])]

    def taken_as(self, pod: Pod) -> Taken | None:
        return self._taken.get(pod.uid or pod.key)

    def told_of(self, pod: Pod) -> Pod | None:
        """As informers showed it last, and not another one of its name."""
        told = self.shadow.view().pods.get(pod.key)
        return told if told is not None and told.uid == pod.uid else None

    def view(self, pod: Pod) -> View:
        """That in which the decision was made, most likely."""
        taken = self.taken_as(pod)
        return taken.view if taken else self.shadow.view()

    def sights(self, pod: Pod) -> Sequence[Sight]:
        """When the pod was taken, and now; none of a pod that is known to be gone."""
        now, taken = self.shadow.view(), self.taken_as(pod)
        known = self.told_of(pod)
        seen = [*([(taken.view, taken.pod)] if taken else []), *([(now, known)] if known is not None else [])]
        forgotten = [(view.without_the_gone, pod) for view, pod in seen if view.without_the_gone is not view]
        return [view.sight(pod) for view, pod in (*seen, *forgotten)]

    def room_sights(self, pod: Pod) -> Sequence[Sight]:
        """Preemption reads the pod again, and looks at the nodes as they were and at the stores as they are now."""
        now, taken = self.shadow.view(), self.taken_as(pod)
        then = [taken.view.sight(pod), taken.view.sight(pod, now)] if taken else []
        return [*then, now.sight(pod)]
