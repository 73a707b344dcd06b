"""Judges what a scheduler did to a served cluster: every binding, refusal, nomination and deletion."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from model.api.components import Situation
from model.api.objects import Pod
from oracle.levels import Level
from oracle.live.deeds import Bound, Deed, Evicted, StatusSet
from oracle.live.rightness import Question, Rightness
from oracle.live.views import Record, views


@frozen
class Judged:
    """One decision.  `fault`: what is wrong with it, None if it is right.

    `sort`: placement, refusal, preemption, victim or binding.  `situation`: what the server held when it came, if
    the pod was there and pending.  `actual`: the decision in JSON.  `certain` is False where nobody can tell.
    """

    sort: str
    said: str
    pod: str
    fault: str | None
    actual: Mapping[str, Any]
    situation: Situation | None = None
    certain: bool = True


def judged(record: Record, level: Level) -> Iterator[Judged]:
    """In the order of arrival."""
    rightness = Rightness(level)
    preemptions = _preemptions(record)
    for at, deed in enumerate(record.deeds):
        match deed:
            case Bound():
                yield _placement(record, deed, rightness)
            case StatusSet():
                if deed.refusal is not None:
                    question = rightness.of_refusal(deed.refusal.message, _goes_on(record, at))
                    said, message = f"found no node for {deed.pod}", {"error": deed.refusal.message}
                    yield _asked(record, deed, "refusal", said, message, question)
                if deed.nomination:
                    victims = [evicted.pod for evicted in preemptions.get(id(deed), [])]
                    said = f"made room for {deed.pod} on {deed.nomination}, evicting {', '.join(victims) or 'nobody'}"
                    actual = {"node": deed.nomination, "victims": victims}
                    question = rightness.of_preemption(deed.nomination, victims)
                    yield _asked(record, deed, "preemption", said, actual, question)
            case Evicted():
                if not any(deed is evicted for found in preemptions.values() for evicted in found):
                    yield _deletion(record, deed)


def _asked(record: Record, deed: Deed, sort: str, said: str, actual: Mapping[str, Any], question: Question) -> Judged:
    """Right if it is right in one of the states it may have been made in; else what is wrong in the likeliest."""
    first: Situation | None = None
    fault: str | None = f"{deed.pod} was not waiting for a place"
    for situation in views(record, deed):
        found = question(situation)
        if found is None:
            return Judged(sort, said, deed.pod, None, actual, situation)
        if first is None:
            first, fault = situation, found
    return Judged(sort, said, deed.pod, fault, actual, first)


# --- bindings -------------------------------------------------------------------------------------


def _placement(record: Record, deed: Bound, rightness: Rightness) -> Judged:
    said, actual = f"bound {deed.pod} to {deed.node}", {"host": deed.node}
    if deed.error is None:
        return _asked(record, deed, "placement", said, actual, rightness.of_host(deed.node))
    fault: str | None = deed.error
    if _was_there(record, deed) and not deed.bound_to:
        fault = None  # the pod left, or was replaced, while the binding was under way
    elif deed.bound_to:
        fault = f"{deed.pod} was bound to {deed.bound_to} already"
        if _bound_by_others(record, deed):
            fault = None
    elif not deed.known:
        fault = f"there is no pod {deed.pod}"
    return Judged("binding", said, deed.pod, fault, actual)


def _was_there(record: Record, deed: Deed) -> bool:
    """Whether the pod existed at some moment since the scheduler last stood still."""
    since, _ = record.span(deed)
    return any(("Pod", deed.pod) in record.history.at(revision) for revision in range(since, deed.at + 1))


def _bound_by_others(record: Record, deed: Deed) -> bool:
    """Whether somebody else bound the pod while this binding was under way."""
    own = any(isinstance(d, Bound) and d.pod == deed.pod and d.error is None and d.at < deed.at for d in record.deeds)
    since, _ = record.span(deed)
    pod = record.history.at(since).get(("Pod", deed.pod))
    return not own and isinstance(pod, Pod) and not pod.spec.node_name


# --- preemption -----------------------------------------------------------------------------------


def _preemptions(record: Record) -> dict[int, list[Evicted]]:
    """The deletions that belong to each nomination (by its identity): the pod must be more important, the node
    the victim's.

    Some schedulers nominate first and then delete, some the other way round.
    """
    nominations = [deed for deed in record.deeds if isinstance(deed, StatusSet) and deed.nomination]
    places = {id(deed): at for at, deed in enumerate(record.deeds)}
    found: dict[int, list[Evicted]] = {id(nomination): [] for nomination in nominations}
    for at, deed in enumerate(record.deeds):
        if not isinstance(deed, Evicted) or deed.victim is None or deed.error is not None:
            continue
        span = record.span(deed)
        fitting = [n for n in nominations if record.span(n) == span and _is_for(n, deed.victim)]
        before = [n for n in fitting if places[id(n)] < at]
        if fitting:
            found[id(before[-1] if before else fitting[0])].append(deed)
    return found


def _is_for(nomination: StatusSet, victim: Pod) -> bool:
    pod = nomination.after
    return pod is not None and victim.spec.node_name == nomination.nomination and victim.priority < pod.priority


def _goes_on(record: Record, at: int) -> bool:
    """Whether this refusal, or what follows before the next attempt at the pod, nominates the pod."""
    deed = record.deeds[at]
    _, until = record.span(deed)
    for later in record.deeds[at:]:
        if later.at > until:
            return False
        if later.pod == deed.pod and isinstance(later, StatusSet):
            if later.nomination or later.error is not None:
                return True
            if later is not deed and later.refusal is not None:
                return False
    return False


def _deletion(record: Record, deed: Evicted) -> Judged:
    said = f"deleted {deed.pod}"
    fault: str | None = f"{deed.pod} is nobody's victim"
    if deed.victim is None and _was_there(record, deed):
        fault = None  # it went by itself meanwhile
    elif deed.victim is None:
        fault = f"there is no pod {deed.pod}"
    elif deed.victim.is_terminating:
        fault = None
    return Judged("victim", said, deed.pod, fault, {"deleted": deed.pod})
