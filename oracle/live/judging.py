"""Judges what a scheduler did to a served cluster: every binding, refusal, nomination and deletion."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, frozen

from model.api.components import Situation
from model.api.objects import Pod
from oracle.judgement.host import judge_host
from oracle.judgement.judged import Judged, Outcome, Wrong
from oracle.judgement.refusal import judge_refusal
from oracle.judgement.room import Room, judge_omission, judge_room
from oracle.judgement.view import Sight
from oracle.levels import Level
from oracle.live.deeds import Bound, Deed, Evicted, StatusSet
from oracle.live.exactness import judge_message, judge_order
from oracle.live.ordering import in_order
from oracle.live.stale_nominations import may_be_stale, with_stale
from oracle.live.stumbling import stumbles
from oracle.live.views import Record, glimpses

Verdict = tuple[Outcome, Wrong | None]
Question = Callable[[Sequence[Sight], Situation], Verdict]
FINE: Verdict = (Outcome.PASSED, None)
EXCUSED = {"message", "overlooked", "score", "not-made", "not-best"}
"""What may come of not having looked at every node."""


@frozen
class Decision(Judged):
    """Besides what a verdict needs: `said`, as a sentence goes on that begins with the scheduler; `actual` in JSON;
    `situation`: what the server held when it came, if the pod was there and waiting.

    `step`: the revision that the request met.  Claims that are no single decision: pending, silence, fault, flood.
    """

    said: str = ""
    actual: Mapping[str, Any] = Factory(dict)
    situation: Situation | None = None


def judged(record: Record, level: Level) -> Iterator[Decision]:
    """In the order of arrival; what was judged before is left out."""
    rooms = _rooms(record)
    victims = {id(evicted) for found in rooms.values() for evicted in found}
    decided = in_order(record, lambda deed, known: _decided(record, deed, known, rooms, level))
    for deed in record.new_deeds:
        if id(deed) in decided:
            yield from decided[id(deed)]
        elif isinstance(deed, Bound):
            yield _failed_binding(record, deed)
        elif isinstance(deed, Evicted) and id(deed) not in victims:
            yield _deletion(record, deed)


def _decided(
    record: Record, deed: Deed, known: Collection[Bound], rooms: Mapping[int, Sequence[Evicted]], level: Level
) -> tuple[Decision, ...]:
    """What a deed says about where its pod can be: nothing, one thing, or two."""
    found = []
    if isinstance(deed, Bound):
        found.append(_host(record, deed, known, level))
    if isinstance(deed, StatusSet) and deed.refusal is not None:
        found.append(_refusal(record, deed, known, level, deed.refusal.message))
    if isinstance(deed, StatusSet) and (deed.nomination or rooms.get(id(deed))):
        found.append(_room(record, deed, known, level, rooms[id(deed)]))
    return tuple(found)


def _asked(record: Record, deed: Deed, known: Collection[Bound], ask: Question) -> tuple[Verdict, Situation | None]:
    """Right if it is right in one of the states it may have been made in; else what is wrong in the likeliest."""
    glimpsed = glimpses(record, deed, known)
    first = next(glimpsed, None)
    if first is None:
        again = any(pod.key == deed.pod for pod in may_be_stale(record, deed))
        wrong = Wrong("not-waiting", f"{deed.pod} was not waiting for a place")
        return (Outcome.UNCERTAIN if again else Outcome.FAILED, wrong), None
    sights = [first.sight]
    verdict = ask(sights, first.situation)
    if verdict[0] is not Outcome.PASSED:
        sights += (other.sight for other in glimpsed)
        verdict = ask(sights, first.situation)
    if verdict[0] is Outcome.FAILED and _is_excused(record, deed, verdict[1], sights, first.situation, ask):
        verdict = Outcome.UNCERTAIN, verdict[1]
    return verdict, first.situation


def _is_excused(
    record: Record, deed: Deed, wrong: Wrong | None, sights: Sequence[Sight], situation: Situation, ask: Question
) -> bool:
    """Whether it may come of what nobody can see from outside."""
    if wrong is not None and wrong.tag in EXCUSED and stumbles(record, deed):
        return True
    stale = may_be_stale(record, deed)
    haunted = [other for sight in sights for other in with_stale(sight, stale)] if stale else []
    return bool(haunted) and ask(haunted, situation)[0] is Outcome.PASSED


# --- the decisions --------------------------------------------------------------------------------


def _host(record: Record, deed: Bound, known: Collection[Bound], level: Level) -> Decision:
    def ask(sights: Sequence[Sight], first: Situation) -> Verdict:
        return judge_host(sights, first, deed.node, level, True, record.configuration)

    verdict, situation = _asked(record, deed, known, ask)
    return _decision("host", deed, verdict, f"bound {deed.pod} to {deed.node}", {"host": deed.node}, situation)


def _refusal(record: Record, deed: StatusSet, known: Collection[Bound], level: Level, message: str) -> Decision:
    makes_room = level < Level.RANKED or record.configuration.disable_preemption or _goes_on(record, deed)

    def ask(sights: Sequence[Sight], first: Situation) -> Verdict:
        verdict = judge_refusal(sights, first, True, record.configuration)
        if verdict == FINE and level >= Level.EXACT:
            verdict = judge_message(sights, message)
        if verdict == FINE and not makes_room:
            verdict = judge_omission(first.pod, sights, True)
        return verdict

    verdict, situation = _asked(record, deed, known, ask)
    return _decision("refusal", deed, verdict, f"found no node for {deed.pod}", {"error": message}, situation)


def _room(
    record: Record, deed: StatusSet, known: Collection[Bound], level: Level, evicted: Sequence[Evicted]
) -> Decision:
    """kube-scheduler reads the pod again before it makes room: of one that changed, two versions play a part."""
    node, victims = deed.nominated, [each.pod for each in evicted]
    complete = all(each.error is None for each in evicted)

    def ask(sights: Sequence[Sight], first: Situation) -> Verdict:
        room = Room(first.pod, node, tuple(victims), complete)
        verdict = judge_room(room, sights, first, level, True, record.configuration)
        if verdict == FINE and level >= Level.EXACT and complete:
            verdict = judge_order(room, sights)
        return (Outcome.UNCERTAIN, verdict[1]) if verdict[1] and _has_changed(record, deed) else verdict

    verdict, situation = _asked(record, deed, known, ask)
    said = f"made room for {deed.pod} on {node}, evicting {', '.join(victims) or 'nobody'}"
    return _decision("room", deed, verdict, said, {"node": node, "victims": victims}, situation)


def _failed_binding(record: Record, deed: Bound) -> Decision:
    """Others may have been faster; the scheduler itself may not come twice, nor with a pod that never was."""
    verdict: Verdict = FINE
    if deed.bound_to and _is_own(record, deed):
        verdict = Outcome.FAILED, Wrong("again", f"{deed.pod} was bound to {deed.bound_to} already")
    elif not _was_there(record, deed):
        verdict = Outcome.FAILED, Wrong("unknown-pod", f"there is no pod {deed.pod}")
    return _decision("host", deed, verdict, f"bound {deed.pod} to {deed.node}", {"host": deed.node})


def _deletion(record: Record, deed: Evicted) -> Decision:
    """A deletion that belongs to no nomination."""
    verdict: Verdict = FINE
    if not _was_there(record, deed):
        verdict = Outcome.FAILED, Wrong("unknown-pod", f"there is no pod {deed.pod}")
    elif deed.victim is not None and not deed.victim.is_terminating:
        verdict = Outcome.FAILED, Wrong("no-victim", f"{deed.pod} is nobody's victim")
    return _decision("deletion", deed, verdict, f"deleted {deed.pod}", {"deleted": deed.pod})


def _decision(
    claim: str,
    deed: Deed,
    verdict: Verdict,
    said: str,
    actual: Mapping[str, Any],
    situation: Situation | None = None,
) -> Decision:
    cluster = None if situation is None else situation.cluster
    return Decision(claim, deed.pod, verdict[0], deed.at, verdict[1], cluster, said, actual, situation)


# --- what belongs together ------------------------------------------------------------------------


def _was_there(record: Record, deed: Deed) -> bool:
    return _last_seen(record, deed) is not None


def _last_seen(record: Record, deed: Deed) -> Pod | None:
    """The pod as it was when it was still there, since the scheduler last stood still."""
    since, _ = record.span(deed)
    seen = (record.history.at(revision).get(("Pod", deed.pod)) for revision in range(deed.at, since - 1, -1))
    return next((pod for pod in seen if isinstance(pod, Pod)), None)


def _has_changed(record: Record, deed: Deed) -> bool:
    """Whether what the pod asks for has changed since the scheduler last stood still."""
    since, _ = record.span(deed)
    seen = [record.history.at(revision).get(("Pod", deed.pod)) for revision in range(since, deed.at + 1)]
    return len({repr(pod.document.get("spec")) for pod in seen if isinstance(pod, Pod)}) > 1


def _is_own(record: Record, deed: Bound) -> bool:
    """Whether it was this scheduler that bound the pod, or the scheduler had time to see that somebody did."""
    since, _ = record.span(deed)
    pod = record.history.at(since).get(("Pod", deed.pod))
    seen = isinstance(pod, Pod) and bool(pod.spec.node_name)
    return seen or any(
        isinstance(other, Bound) and other.pod == deed.pod and other.error is None and other.at < deed.at
        for other in record.deeds
    )


def _rooms(record: Record) -> dict[int, list[Evicted]]:
    """The deletions that belong to each nomination, by its identity.

    The pod must be more important, and its node that of the victim.  Some schedulers nominate first and then
    delete, some the other way round.
    """
    deeds = list(enumerate(record.deeds))
    nominations = [(at, n, record.span(n)) for at, n in deeds if isinstance(n, StatusSet) and n.nominated]
    found: dict[int, list[Evicted]] = {id(nomination): [] for _, nomination, _ in nominations}
    for at, deed in deeds:
        if not isinstance(deed, Evicted) or (victim := deed.victim or _last_seen(record, deed)) is None:
            continue
        span = record.span(deed)
        fitting = [(place, n) for place, n, beside in nominations if beside == span and _is_for(n, victim)]
        before = [(place, n) for place, n in fitting if place < at]
        if fitting:
            _, nomination = before[-1] if before else fitting[0]
            found[id(nomination)].append(deed)
    return found


def _is_for(nomination: StatusSet, victim: Pod) -> bool:
    pod = nomination.after
    return pod is not None and victim.spec.node_name == nomination.nominated and victim.priority < pod.priority


def _goes_on(record: Record, deed: StatusSet) -> bool:
    """Whether this refusal, or the next word about the pod, nominates it; a slow scheduler may rest in between.

    A status that was refused may have been the nomination.
    """
    words = [other for other in record.deeds if isinstance(other, StatusSet) and other.pod == deed.pod]
    at = next(at for at, other in enumerate(words) if other is deed)
    return any(bool(word.nomination) or word.error is not None for word in words[at : at + 2])
