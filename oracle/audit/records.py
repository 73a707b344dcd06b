"""What is known to have been decided: from events of the API, or from what two dumps have different."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from model.api.bad_input import BadInput
from model.api.cluster import Cluster
from model.api.decode import ManifestError, structure
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

    @property
    def about(self) -> str:
        """The pod that was decided about."""
        return self.by or self.pod


def records_of_events(documents: Iterable[Any]) -> list[Record]:
    """Of `v1` and `events.k8s.io` Events and lists of them, the scheduler's, in order.  Raises RecordError."""
    found: list[Record] = []
    for document in _events(documents):
        found += _of_event(document, len(found))
    return sorted(found, key=lambda record: (record.at, record.order))


@frozen
class _Subject:
    kind: str = "Pod"
    namespace: str = ""
    name: str = ""


@frozen
class _Metadata:
    creation_timestamp: datetime | None = None


@frozen
class _Series:
    last_observed_time: datetime | None = None


@frozen
class _Event:
    """Both APIs' spellings: `message` or `note`, `involvedObject` or `regarding`."""

    reason: str = ""
    message: str = ""
    note: str = ""
    involved_object: _Subject | None = None
    regarding: _Subject = _Subject()
    first_timestamp: datetime | None = None
    deprecated_first_timestamp: datetime | None = None
    event_time: datetime | None = None
    last_timestamp: datetime | None = None
    deprecated_last_timestamp: datetime | None = None
    series: _Series = _Series()
    metadata: _Metadata = _Metadata()

    @property
    def pod(self) -> str:
        subject = self.involved_object or self.regarding
        return f"{subject.namespace or 'default'}/{subject.name}"

    @property
    def times(self) -> tuple[datetime, ...]:
        """In whole seconds; one that counts several times is told at the first and at the last."""
        told = (
            self.first_timestamp or self.deprecated_first_timestamp,
            self.event_time,
            self.last_timestamp or self.deprecated_last_timestamp,
            self.series.last_observed_time,
        )
        times = [time for time in told if time] or [time for time in (self.metadata.creation_timestamp,) if time]
        return tuple(dict.fromkeys(time.replace(microsecond=0) for time in times))


def _events(documents: Iterable[Any]) -> Iterator[_Event]:
    for document in documents:
        if not isinstance(document, dict):
            raise RecordError("events: expected an object")
        if "items" in document:
            if not isinstance(items := document["items"] or [], list):
                raise RecordError("items: expected a list")
            yield from _events(items)
        elif document.get("reason") in ("Scheduled", "FailedScheduling", "Preempted"):
            yield _event(document)


def _event(document: Mapping[str, Any]) -> _Event:
    try:
        event = structure(document, _Event)
        if not event.times:
            raise RecordError("lastTimestamp: required, but missing")
    except (ManifestError, RecordError) as error:
        metadata = document.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        raise RecordError(f"event {name or document['reason']}: {error}") from None
    return event


def _of_event(event: _Event, order: int) -> Iterator[Record]:
    message = event.message or event.note
    if (event.involved_object or event.regarding).kind != "Pod":
        return
    for at in event.times:
        if event.reason == "Scheduled" and (match := ASSIGNED.match(message)):
            yield Record(event.reason, event.pod, at, order, node=match["node"].removesuffix("."))
        elif event.reason == "Preempted" and (match := PREEMPTED.match(message)):
            yield Record(event.reason, event.pod, at, order, node=match["node"], by=match["by"])
        elif event.reason == "FailedScheduling" and REFUSED.match(message):
            yield Record(event.reason, event.pod, at, order, message=message)


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
