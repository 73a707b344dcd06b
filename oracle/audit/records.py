"""What is known to have been decided: from events of the API, or from what two dumps have different."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from model.api.bad_input import BadInput
from model.api.cluster import Cluster
from model.api.objects import Pod
from oracle.environment.effects import scheduled_condition
from oracle.environment.watches import FINISHED

ASSIGNED = re.compile(r"Successfully assigned (?:(?P<namespace>[^ /]+)/)?(?P<name>[^ /]+) to (?P<node>\S+)")
PREEMPTED = re.compile(r"by (?P<by>\S+/\S+) on node (?P<node>\S+)")
REFUSED = re.compile(r"0/\d+ nodes are available|no nodes available")


class RecordError(BadInput):
    """Events that cannot be understood; the message names the event and the field."""


@frozen
class Record:
    """`kind`: Scheduled, FailedScheduling or Preempted; `pod`: key, of the victim for the last, which makes room `by`.

    `at` is cut to seconds, as events are; `order`: place in the list they came in.
    """

    kind: str
    pod: str
    at: datetime
    order: int
    node: str = ""
    message: str = ""
    by: str = ""


def records_of_events(documents: Iterable[Any]) -> list[Record]:
    """Of `v1` and `events.k8s.io` Events and lists of them, the scheduler's, in order.  Raises RecordError."""
    found: list[Record] = []
    for document in _events(documents):
        found += _of_event(document, len(found))
    return sorted(found, key=lambda record: (record.at, record.order))


def _events(documents: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for document in documents:
        if not isinstance(document, dict):
            raise RecordError("events: expected an object")
        if "items" in document:
            yield from _events(document["items"] or [])
        else:
            yield document


def _of_event(event: Mapping[str, Any], order: int) -> Iterator[Record]:
    """One that counts several times is told at the first and at the last."""
    reason, message = event.get("reason"), str(event.get("message") or event.get("note") or "")
    subject = event.get("involvedObject") or event.get("regarding") or {}
    if reason not in ("Scheduled", "FailedScheduling", "Preempted") or subject.get("kind", "Pod") != "Pod":
        return
    pod = f"{subject.get('namespace') or 'default'}/{subject.get('name')}"
    for at in dict.fromkeys(_times(event, f"event {reason} of {pod}")):
        record = Record(reason, pod, at, order, message=message)
        if reason == "Scheduled" and (match := ASSIGNED.match(message)):
            yield Record(reason, pod, at, order, node=match["node"].removesuffix("."))
        elif reason == "Preempted" and (match := PREEMPTED.match(message)):
            yield Record(reason, pod, at, order, node=match["node"], by=match["by"])
        elif reason == "FailedScheduling" and REFUSED.match(message):
            yield record


def _times(event: Mapping[str, Any], where: str) -> Iterator[datetime]:
    series = event.get("series") or {}
    named = {
        "firstTimestamp": event.get("firstTimestamp") or event.get("deprecatedFirstTimestamp"),
        "eventTime": event.get("eventTime"),
        "lastTimestamp": event.get("lastTimestamp") or event.get("deprecatedLastTimestamp"),
        "series.lastObservedTime": series.get("lastObservedTime"),
    }
    given = {name: text for name, text in named.items() if text}
    if not given:
        given = {"metadata.creationTimestamp": (event.get("metadata") or {}).get("creationTimestamp")}
    for name, text in given.items():
        try:
            moment = datetime.fromisoformat(text)
        except (TypeError, ValueError):
            raise RecordError(f"{where}: {name}: expected an RFC 3339 time, got {text!r:.40}") from None
        yield (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).replace(microsecond=0)


def records_of_dumps(before: Cluster, after: Cluster) -> list[Record]:
    """Placements that are new, and what is said of the pods that still wait, by the times of their conditions."""
    placed = {pod.key: pod.spec.node_name for pod in before.pods}
    found: list[Record] = []
    for pod in after.pods:
        if pod.status.phase in FINISHED:
            continue
        if pod.spec.node_name and not placed.get(pod.key):
            found.append(Record("Scheduled", pod.key, _since(pod), len(found), node=pod.spec.node_name))
        condition = scheduled_condition(pod)
        if not pod.spec.node_name and condition and REFUSED.match(condition.message):
            found.append(Record("FailedScheduling", pod.key, LAST, len(found), message=condition.message))
    return sorted(found, key=lambda record: (record.at, record.order))


LAST = datetime.max.replace(tzinfo=UTC)
"""When pods that still wait were tried last: nobody knows."""


def _since(pod: Pod) -> datetime:
    """The time of placement, as far as the pod tells."""
    conditions = pod.document.get("status", {}).get("conditions") or []
    bound = next((c.get("lastTransitionTime") for c in conditions if c.get("type") == "PodScheduled"), None)
    if bound:
        return datetime.fromisoformat(bound).astimezone(UTC).replace(microsecond=0)
    return (pod.status.start_time or datetime.min.replace(tzinfo=UTC)).replace(microsecond=0)
