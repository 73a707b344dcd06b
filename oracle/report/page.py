"""All that the page about a finding says, computed; HTML and Markdown only differ in how they write it."""

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from attrs import frozen

from model.api.decode import decode
from model.api.objects import Node, Pod
from model.preemption.victims import Victims
from model.quirks import QUIRKS
from model.rules import RULES, Rule
from model.unmodelled import load_rules
from oracle.compare.divergence import ended
from oracle.compare.outcome import Outcome, outcome, subject
from oracle.finding import Finding
from oracle.live import PREFIX as REAL
from oracle.report.because import Because
from oracle.report.keeping import because_of_counts, because_of_nominations
from oracle.report.lines import IDLE, Line, answer_lines, side_by_side
from oracle.report.moment import Cycle, Moment, Past
from oracle.report.opinions import Asked, opinions
from oracle.report.picture import Marks, Zone, draw
from oracle.report.pod_facts import Fact, facts
from oracle.report.states import StateRow, state_rows
from oracle.report.trial import NodeTrial, Scored, score_nodes, try_node
from oracle.report.waiting import because_of_queues
from oracle.report.why import because
from oracle.report.words import node_words, shortened

MOST_NODES = 12
"""Nodes that are drawn and tried one by one; the rest is counted by what became of it."""
RECENT = 12
"""Steps before the difference that are not folded."""
MOST_PAST = 300
MOST_DIFFERENCES = 12
MOST_REASONS = 6
FEW = 12
"""Rules of a step that are shown even where none of them is known to tell."""
MOST_CHIPS = 6
"""Rules that stand with one reason."""


@frozen
class NodeGroup:
    """Nodes that are not shown one by one, and what became of them."""

    text: str
    count: int
    some: tuple[str, ...]


@frozen
class Candidate:
    """A node that could be freed by evicting pods; `marks`: who chose it."""

    node: str
    victims: tuple[Pod, ...]
    violations: int
    tied: bool
    marks: tuple[str, ...]


@frozen
class Named:
    """A version of a pod or a node, as operations on a queue or a cache refer to it."""

    reference: str
    key: str
    facts: str


@frozen
class Page:
    finding: Finding
    pod: Pod | None
    facts: tuple[Fact, ...]
    expected: Outcome
    actual: Outcome
    reasons: tuple[Because, ...]
    expected_lines: tuple[Line, ...]
    actual_lines: tuple[Line, ...]
    event: str
    folded_past: tuple[Past, ...]
    left_out: int
    recent_past: tuple[Past, ...]
    zones: tuple[Zone, ...]
    groups: tuple[NodeGroup, ...]
    trials: tuple[NodeTrial, ...]
    scored: tuple[Scored, ...]
    totals: Mapping[str, int]
    candidates: tuple[Candidate, ...]
    states: tuple[StateRow, ...]
    named: tuple[Named, ...]
    asked: tuple[Asked, ...]
    rules: tuple[Rule, ...]
    more_rules: tuple[Rule, ...]
    replay: str
    search: str

    @property
    def scored_nodes(self) -> tuple[str, ...]:
        return tuple(trial.name for trial in self.trials if trial.name in self.totals)

    @property
    def answers_differ(self) -> bool:
        return any(line.differs for line in (*self.expected_lines, *self.actual_lines))

    def side_of(self, node: str) -> str:
        """Which side puts the pod there, or frees the node for it: expected, actual, both, or ""."""
        sides = {"expected": self.expected, "actual": self.actual}
        named = [name for name, side in sides.items() if node in (side.host, side.nominated)]
        return "both" if len(named) == 2 else "".join(named)

    @property
    def at(self) -> str:
        step = self.finding.step
        return "in a single decision" if step is None else "at the start" if step < 0 else f"at step {step + 1}"


def page_of(finding: Finding, folder: str, moment: Moment) -> Page:
    """`folder`: the name of the one that holds the page; `moment`: that of the finding."""
    load_rules()
    key = subject(finding.trace, finding.expected, finding.actual)
    expected, actual = outcome(finding.expected, key), outcome(finding.actual, key)
    cycle = next((c for c in reversed(moment.cycles) if c.attempt.pod.key == key), None)
    cycle = cycle or (moment.cycles[-1] if moment.cycles else None)
    pod = cycle.attempt.pod if cycle else next((pod for pod in moment.objects.pods if pod.key == key), None)
    shown = tuple(_nodes_that_matter(moment, cycle, expected, actual))
    scored = score_nodes(cycle) if cycle else ()
    reasons = tuple(_reasons(finding, moment, cycle, scored, (expected, actual)))
    states = state_rows(moment.before, finding.expected, finding.actual)
    lines = _answers(finding, moment, states)
    rules = _telling_rules(finding, reasons, states)
    recent = moment.past[-RECENT:]
    folded = moment.past[: -len(recent)] if recent else ()
    marks = Marks(pod, expected.host, actual.host, expected.victims, actual.victims)
    campaign = finding.seed.partition("/")[0]
    return Page(
        finding=finding,
        pod=pod,
        facts=(("priority", str(pod.priority)), *facts(pod)) if pod else (),
        expected=expected,
        actual=actual,
        reasons=reasons,
        expected_lines=lines[0],
        actual_lines=lines[1],
        event=moment.event,
        folded_past=folded[-MOST_PAST:],
        left_out=len(folded[:-MOST_PAST]),
        recent_past=recent,
        zones=draw(shown, moment.nodes, marks, moment.assumed, moment.nominated),
        groups=tuple(_groups(moment, cycle, shown)),
        trials=tuple(trial for name in shown if cycle and (trial := try_node(cycle, name))),
        scored=scored,
        totals=_totals(cycle),
        candidates=tuple(_candidates(cycle, expected, actual)),
        states=states,
        named=tuple(_named(finding.trace)),
        asked=tuple(opinions(moment, cycle, (expected, actual))),
        rules=tuple(RULES[rule] for rule in rules if rule in RULES),
        more_rules=tuple(RULES[rule] for rule in sorted(finding.rules) if rule in RULES and rule not in rules),
        replay=_replay(folder, finding),
        search=f"sched-oracle {_command(finding)} --scheduler {quote(finding.scheduler)} --seed {quote(campaign)}",
    )


def _replay(folder: str, finding: Finding) -> str:
    """A real scheduler lives in real time: it can only be given the same cluster once more."""
    if finding.scheduler.startswith(REAL):
        return f"sched-oracle serve {quote(f'{folder}/objects.yaml')}"
    return f"sched-oracle replay {quote(folder)} --scheduler {quote(finding.scheduler)}"


def _command(finding: Finding) -> str:
    return "validate" if finding.scheduler.startswith(REAL) else "fuzz"


def _nodes_that_matter(moment: Moment, cycle: Cycle | None, expected: Outcome, actual: Outcome) -> Iterator[str]:
    """Those the two answers name, then feasible ones, then one for each way to be refused, then others."""
    wanted = [host for host in (expected.host, actual.host, expected.nominated, actual.nominated) if host]
    victims = {*expected.victims, *actual.victims}
    wanted += [n for n, info in moment.nodes.items() if any(p.key in victims or p.name in victims for p in info.pods)]
    if cycle:
        totals = _totals(cycle)
        wanted += sorted(cycle.attempted.feasible or (), key=lambda name: -totals.get(name, 0))
        wanted += list(cycle.preemption.candidates) if cycle.preemption else []
        wanted += {fit: name for name, fit in reversed(list(cycle.attempted.failed.items()))}.values()
    chosen = [name for name in dict.fromkeys([*wanted, *moment.nodes]) if name in moment.nodes][:MOST_NODES]
    as_listed = [node.name for node in moment.objects.nodes]
    yield from (name for name in dict.fromkeys([*as_listed, *chosen]) if name in chosen)


def _groups(moment: Moment, cycle: Cycle | None, shown: tuple[str, ...]) -> Iterator[NodeGroup]:
    groups: dict[str, list[str]] = {}
    for name in moment.nodes:
        if name not in shown:
            groups.setdefault(_fate(name, cycle), []).append(name)
    for text, names in sorted(groups.items(), key=lambda group: -len(group[1])):
        yield NodeGroup(text, len(names), tuple(names[:5]))


def _fate(name: str, cycle: Cycle | None) -> str:
    if cycle is None:
        return "not concerned"
    if name in (cycle.attempted.feasible or ()):
        total = _totals(cycle).get(name)
        return "feasible" if total is None else f"feasible, {total} points"
    fit = cycle.attempted.failed.get(name)
    return "not looked at" if fit is None else ", ".join(reason.text for reason in fit)


def _totals(cycle: Cycle | None) -> Mapping[str, int]:
    if cycle is None or not cycle.attempted.totals:
        return {}
    return dict(zip(cycle.attempted.feasible or (), cycle.attempted.totals, strict=True))


def _candidates(cycle: Cycle | None, expected: Outcome, actual: Outcome) -> Iterator[Candidate]:
    if cycle is None or cycle.preemption is None:
        return
    preemption = cycle.preemption
    found: Mapping[str, Victims] = preemption.candidates
    for node, victims in sorted(found.items(), key=lambda entry: entry[0] != preemption.node)[:MOST_NODES]:
        chosen_by = (("v1.15.3", expected.nominated), ("under test", actual.nominated))
        marks = tuple(side for side, chosen in chosen_by if chosen == node)
        yield Candidate(node, victims.pods, victims.pdb_violations, node in preemption.allowed, marks)


def _telling_rules(finding: Finding, reasons: tuple[Because, ...], states: tuple[StateRow, ...]) -> tuple[str, ...]:
    """Those of the reasons; without any, those that the reference used about what differs."""
    if telling := dict.fromkeys(rule for reason in reasons for rule in reason.rules):
        return tuple(telling)
    letters = {letter for row in states if row.differs for letter in row.about}
    return tuple(rule for rule in finding.rules if rule[0] in letters or (not letters and len(finding.rules) <= FEW))


def _reasons(
    finding: Finding, moment: Moment, cycle: Cycle | None, scored: tuple[Scored, ...], sides: tuple[Outcome, Outcome]
) -> Iterator[Because]:
    """At most so many that they can be read, each with the first of its rules."""
    if finding.quirk and finding.quirk in QUIRKS:
        quirk = QUIRKS[finding.quirk]
        mended = f" Release {quirk.mended} mended it." if quirk.mended else ""
        text = f"A quirk of v1.15.3 explains the difference: {_lowered(quirk.statement)}. Without it the reference does"
        yield Because(f"{text} just what the scheduler under test does.{mended}", (quirk.id,))
    if sides[0].ended or sides[1].ended:
        return
    found = list(because(cycle, scored, sides, (finding.expected, finding.actual))) if cycle else []
    found = found or list(_about_state(finding, moment))
    yield from (Because(reason.text, reason.rules[:MOST_CHIPS]) for reason in found[:MOST_REASONS])


def _about_state(finding: Finding, moment: Moment) -> Iterator[Because]:
    before, expected, actual, pods = moment.before, finding.expected, finding.actual, _pods(finding, moment)
    yield from because_of_queues(expected, actual, pods, before, moment.queue, finding.rules)
    yield from because_of_counts(before, expected, actual)
    if "ops" in finding.trace and finding.step is not None:
        yield from because_of_nominations(finding.trace["ops"][finding.step], expected, actual, pods)


def _pods(finding: Finding, moment: Moment) -> Mapping[str, Pod]:
    """By key, and by the references of operations."""
    named = finding.trace.get("pods", {}) if "ops" in finding.trace else {}
    made = [event for event in finding.trace.get("events", ()) if event.get("kind") == "Pod" and "object" in event]
    pods = [*(decode(event["object"], Pod) for event in made), *moment.objects.pods]
    return {pod.key: pod for pod in pods} | {name: decode(document, Pod) for name, document in named.items()}


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _answers(
    finding: Finding, moment: Moment, states: tuple[StateRow, ...]
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What each side did; where that is the same, what of their states differs; beside a side that failed, news."""
    expected, actual = answer_lines(finding.expected), answer_lines(finding.actual)
    if expected == actual:
        differing = [row for row in states if row.differs]
        if differing and expected == [IDLE]:
            expected, actual = [], []
        expected += [f"{row.label}: {_joined(row.expected)}" for row in differing]
        actual += [f"{row.label}: {_joined(row.actual)}" for row in differing]
    elif ended(finding.actual) and not ended(finding.expected) and not finding.expected.get("effects"):
        rows = state_rows(moment.before, finding.expected, finding.expected)
        news = [f"{row.label}: {_joined(row.expected)}" for row in rows if row.changed]
        expected.extend(news or ["changes nothing"])
    return side_by_side(expected, actual)


def _joined(lines: tuple[Line, ...]) -> str:
    return shortened(", ".join(line.text for line in lines) or "none")


def _named(case: Mapping[str, Any]) -> Iterator[Named]:
    for reference, document in case["pods"].items() if "ops" in case else ():
        pod = decode(document, Pod)
        said = [f"priority {pod.priority}", f"UID {pod.uid}" if pod.uid else "no UID"]
        yield Named(reference, pod.key, ", ".join([*said, *(f"{name} {text}" for name, text in facts(pod))][:8]))
    for reference, document in case.get("nodes", {}).items() if "ops" in case else ():
        node = decode(document, Node)
        yield Named(reference, f"node {node.name}", ", ".join(node_words(node)))
