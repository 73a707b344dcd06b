"""Where the cases of a validation come from, and how each is judged."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import fields, frozen

from model.api.components import Engine
from model.api.decode import ManifestError, json_name
from oracle.compare import COMPARISONS
from oracle.environment import Settings
from oracle.fuzz.trial import try_case
from oracle.judgement import judge_trace
from oracle.judgement.gang import judge_gangs
from oracle.judgement.settling import settled
from oracle.levels import Level
from oracle.only_scheduler import OnlyScheduler
from oracle.strategies import case_from_seed
from oracle.strategies.gangs import gang_case
from oracle.validate.verdict import Verdict, of_divergence, of_judged

Case = Mapping[str, Any]

_SETTINGS = {json_name(field.name) for field in fields(Settings)}


@frozen
class Suite:
    """`make`: the case of a seed, for schedulers that understand some features or, with None, all."""

    name: str
    make: Callable[[str, Engine], Case]
    judge: Callable[[Case, Engine, Level], Verdict]


def suites_for(engine: Engine, level: Level, gang: bool) -> Sequence[Suite]:
    """Exactness can be asked of every part that an engine offers, everything else of whole runs."""
    found = [STANDING, EVENTS]
    if level >= Level.EXACT:
        found = [Suite(suite.name, suite.make, _compare) for suite in found]
        if not isinstance(engine, OnlyScheduler):
            found += [_part(kind) for kind in COMPARISONS if kind != "e2e"]
    return [*found, *([GANGS] if gang else [])]


def _part(kind: str) -> Suite:
    return Suite(kind, lambda seed, _: case_from_seed(kind, seed), _compare)


def _standing(seed: str, engine: Engine) -> Case:
    """A cluster whose pending pods are to be placed, and nothing else happens."""
    return settled({**_trace(seed, engine), "events": []})


def _trace(seed: str, engine: Engine) -> dict[str, Any]:
    """Nobody plays extenders here; a scheduler that brings its own configuration is taken to have the usual one."""
    features, configurable = getattr(engine, "features", None), getattr(engine, "configurable", True)
    case = case_from_seed("e2e", seed, features)
    kept = case["config"].keys() - {"extenders"} if configurable else _SETTINGS
    return case | {"config": {name: value for name, value in case["config"].items() if name in kept}}


def _events(seed: str, engine: Engine) -> Case:
    return settled(_trace(seed, engine))


def _gangs(seed: str, engine: Engine) -> Case:
    return settled(gang_case(seed))


def _judge(case: Case, engine: Engine, level: Level) -> Verdict:
    return of_judged(judge_trace(case, engine, level).judged, level)


def _judge_gangs(case: Case, engine: Engine, level: Level) -> Verdict:
    return of_judged(judge_gangs(case, engine), level)


def _compare(case: Case, engine: Engine, level: Level) -> Verdict:
    trial = try_case(case, engine)
    if trial is None:
        raise ManifestError("the case cannot be understood")
    return of_divergence(case, trial.divergence)


STANDING = Suite("standing", _standing, _judge)
EVENTS = Suite("events", _events, _judge)
GANGS = Suite("gangs", _gangs, _judge_gangs)
