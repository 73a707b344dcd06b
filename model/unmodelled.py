"""The rules of the specification that are deliberately not part of the model, and why."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import walk_packages

import model
from model.rules import RULES

_METRICS = "metrics: what a scheduler counts and times is not a decision"
_PLUGINS = "framework plugins: the stock registry is empty, so none can be configured and none ever runs"
_EVIDENCE = "about the specification: how its text was verified"
_CRITERION = "about the model: what it must agree on, which the replays of recorded cases check"
_VOLUME_COUNTERS = "only with BalanceAttachedNodeVolumes, an alpha gate that is refused"

UNMODELLED: Mapping[str, str] = {
    "C-054": "how a test may build aggregates in one go: the scheduler never does",
    "C-080": _CRITERION,
    "C-081": _EVIDENCE,
    "L-001": "start-up of the process: a scheduler of the model is simply there",
    "L-002": "start-up of the process: what is delivered before the first cycle is for the event sequence to say",
    "L-003": "start-up of the process: how it words its end; the causes have their own rules",
    "L-005": "end of the process: the event sequence ends instead",
    "L-006": "debugging aid without effect on the state",
    "L-056": "cannot happen: the errors of predicates and priorities never look like a missing node",
    "L-131": "what a recorder makes of events afterwards; emissions are compared",
    "L-140": _METRICS,
    "L-180": _PLUGINS,
    "L-181": _PLUGINS,
    "L-182": _PLUGINS,
    "L-183": _PLUGINS,
    "L-184": _PLUGINS,
    "L-185": _PLUGINS,
    "L-186": _PLUGINS,
    "L-187": _PLUGINS,
    "L-264": "deprecated flags of the binary: policy and component configuration are handed over as documents",
    "L-270": "an index of other rules",
    "O-002": "a convention: where map order shows, the rule concerned says what is allowed",
    "O-006": "a convention: log lines are no behaviour",
    "O-030": "worked examples of other rules, kept as tests",
    "P-074": _VOLUME_COUNTERS,
    "Q-011": _PLUGINS,
    "Q-073": _METRICS,
    "Q-090": _CRITERION,
    "Q-091": _EVIDENCE,
    "V-045": "follows from the order of events: the bind call that comes later fails",
    "V-050": "the volume controller is not the scheduler; it is part of the simulated environment",
    "V-052": _METRICS,
}


def load_rules() -> None:
    """Import every module of the model, so that RULES holds all that it states."""
    for module in walk_packages(model.__path__, "model."):
        import_module(module.name)


def unaccounted(rule_ids: Iterable[str]) -> list[str]:
    """Those of the specification's rules that are neither stated in the model nor listed above."""
    load_rules()
    return [rule_id for rule_id in rule_ids if rule_id not in RULES and rule_id not in UNMODELLED]
