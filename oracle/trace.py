"""A trace: a cluster, a configuration, what happens, and, in a recording, what came of it.

Its JSON form is the interchange format of this project: recorded truth, counterexamples and `replay` use it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from attrs import Factory, fields, frozen, has

from model.api.cluster import Cluster, read_cluster, write_cluster
from model.api.configuration import Configuration
from model.api.decode import ManifestError, json_name, structure
from model.api.protocol import Scheduler
from oracle.environment import (
    Environment,
    ExtenderAnswers,
    Operation,
    Settings,
    Step,
    no_extender,
    read_operations,
    write_operation,
)
from oracle.environment.extenders import answer, read_answers
from oracle.environment.operations import check_names
from oracle.environment.settings import ApiFailures
from oracle.environment.store import Store

T = TypeVar("T")

DEFAULTS = Configuration(percentage_of_nodes_to_score=100, bind_timeout_seconds=100)
"""What a trace means by a configuration that says nothing."""

_SPELLED = {"hard_pod_affinity_weight": "hardPodAffinitySymmetricWeight"}


@frozen
class Trace:
    """`expect` is the recorded outcome as it stands in the file, None where there is none.

    `extenders`: what each answers, as in the file.
    """

    cluster: Cluster = Cluster()
    configuration: Configuration = DEFAULTS
    settings: Settings = Settings()
    events: tuple[Operation, ...] = ()
    expect: Mapping[str, Any] | None = None
    extenders: Mapping[str, Any] = Factory(dict)
    id: str = ""


Onlooker = Callable[[Store, Step], None]
"""Sees every step, and what the API server holds after it."""


def play(
    trace: Trace,
    scheduler: Scheduler,
    observe: bool = True,
    extender: ExtenderAnswers = no_extender,
    onlooker: Onlooker = lambda store, step: None,
) -> Iterator[Step]:
    """The steps of a run: first the start, then one for each event; a step with a crash is the last."""
    environment = environment_of(trace, scheduler, extender)
    step = environment.start(trace.cluster, observe)
    onlooker(environment.store, step)
    yield step
    for operation in trace.events:
        if step.crash is not None:
            return
        step = environment.step(operation, observe)
        onlooker(environment.store, step)
        yield step


def environment_of(trace: Trace, scheduler: Scheduler, extender: ExtenderAnswers = no_extender) -> Environment:
    """Where the trace happens; `extender` plays the extenders whose answers it does not tell."""
    if trace.extenders:
        extender = partial(answer, read_answers(trace.extenders))
    return Environment(scheduler, trace.settings, extender)


def read_trace(document: Any) -> Trace:
    """Raises ManifestError, which names the object and the field."""
    if not isinstance(document, dict):
        raise ManifestError("trace: expected an object")
    config = _member(document, "config")
    return Trace(
        cluster=read_cluster(_member(document, "cluster")),
        configuration=_configuration(config),
        settings=_structured(config, Settings),
        events=read_operations(_or(document.get("events"), [])),
        expect=_expected(_member(document, "expect")) or None,
        extenders=_answers(_member(document, "extenders")),
        id=_text(document, "id"),
    )


def write_trace(trace: Trace) -> dict[str, Any]:
    """The reverse of `read_trace`; what has its default value is left out."""
    config = write_configuration(trace.configuration) | _differences(trace.settings, Settings())
    document: dict[str, Any] = {
        "kind": "e2e",
        "cluster": write_cluster(trace.cluster),
        "config": config,
        "events": [write_operation(operation) for operation in trace.events],
    }
    if trace.id:
        document["id"] = trace.id
    if trace.extenders:
        document["extenders"] = dict(trace.extenders)
    if trace.expect is not None:
        document["expect"] = dict(trace.expect)
    return document


def write_configuration(configuration: Configuration) -> dict[str, Any]:
    """The `config` of a trace, without what belongs to the world around the scheduler."""
    return _differences(configuration, DEFAULTS)


def _member(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = _or(document.get(name), {})
    if not isinstance(value, dict):
        raise ManifestError(f"{name}: expected an object")
    return value


def _text(document: Mapping[str, Any], name: str) -> str:
    value = _or(document.get(name), "")
    if not isinstance(value, str):
        raise ManifestError(f"{name}: expected a string")
    return value


def _or(value: Any, absent: Any) -> Any:
    """`null` is absence."""
    return absent if value is None else value


def _answers(listed: dict[str, Any]) -> dict[str, Any]:
    read_answers(listed)
    return listed


@frozen
class _ExpectedStep:
    notes: tuple[str, ...] = ()


@frozen
class _Expected:
    """What is read of a record before it is compared."""

    initial: _ExpectedStep = _ExpectedStep()
    steps: tuple[_ExpectedStep, ...] = ()
    ambiguous_at: int | None = None
    crash_at: int | None = None


def _expected(record: dict[str, Any]) -> dict[str, Any]:
    try:
        structure(record, _Expected)
    except ManifestError as error:
        raise ManifestError(f"expect.{error}") from None
    return record


def _spelling(attribute: str) -> str:
    return _SPELLED.get(attribute, json_name(attribute))


def _configuration(config: Mapping[str, Any]) -> Configuration:
    members = (_spelling(a.name) for kind in (Configuration, Settings) for a in fields(kind))
    check_names(config, sorted(members), "config.")
    if isinstance(failures := config.get("apiFailures"), dict):
        check_names(failures, [json_name(a.name) for a in fields(ApiFailures)], "config.apiFailures.")
    given: dict[str, Any] = {
        json_name(a.name): config[_spelling(a.name)] for a in fields(Configuration) if _spelling(a.name) in config
    }
    for entries in ("predicates", "priorities"):
        if isinstance(given.get(entries), list):
            given[entries] = [{"name": e} if isinstance(e, str) else e for e in given[entries]]
    return _structured(_differences(DEFAULTS, Configuration()) | given, Configuration)


def _structured(config: Mapping[str, Any], kind: type[T]) -> T:
    try:
        return structure(config, kind)
    except ManifestError as error:
        raise ManifestError(f"config.{error}") from None


def _differences(value: Any, usual: Any) -> dict[str, Any]:
    """The fields of a configuration that are not as usual, in JSON."""
    return {
        _spelling(a.name): _plain(getattr(value, a.name))
        for a in fields(type(value))
        if getattr(value, a.name) != getattr(usual, a.name)
    }


def _plain(value: Any) -> Any:
    if has(type(value)):
        return {json_name(a.name): _plain(getattr(value, a.name)) for a in fields(type(value))}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value
