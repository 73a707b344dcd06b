"""All that the page about a finding says, computed; HTML and Markdown only differ in how they write it."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from model.api.objects import Pod
from model.preemption.victims import Victims
from model.rules import RULES, Rule
from model.unmodelled import load_rules
from oracle.compare.divergence import ended
from oracle.compare.outcome import Outcome, outcome, subject
from oracle.finding import JUDGED, REFUTED, Finding
from oracle.last_words import LAST_WORDS
from oracle.report.because import Because
from oracle.report.failing import failing
from oracle.report.lines import IDLE, Line, answer_lines, side_by_side
from oracle.report.moment import Moment, Past
from oracle.report.named import Named, named
from oracle.report.nodes import MOST as MOST_NODES
from oracle.report.nodes import NodeGroup, groups, that_matter, totals
from oracle.report.opinions import Asked, opinions
from oracle.report.picture import Marks, Zone, draw
from oracle.report.pod_facts import Fact, facts
from oracle.report.reasons import reasons
from oracle.report.replaying import replay, search
from oracle.report.reprieve import Reprieve, reprieve
from oracle.report.states import StateRow, state_rows
from oracle.report.trial import NodeTrial, Scored, score_nodes, try_node
from oracle.report.verdict import verdict
from oracle.report.witness import Cycle
from oracle.report.words import shortened, some

RECENT = 12
"""Steps before the difference that are not folded."""
MOST_PAST = 300
MOST_DIFFERENCES = 12
FEW = 12
"""Rules of a step that are shown even where none of them is known to tell."""


@frozen
class Candidate:
    """A node that could be freed by evicting pods; `marks`: who chose it."""

    node: str
    victims: tuple[Pod, ...]
    violations: int
    tied: bool
    marks: tuple[str, ...]


@frozen
class Page:
    finding: Finding
    verdict: str
    pod: Pod | None
    facts: tuple[Fact, ...]
    expected: Outcome
    actual: Outcome
    reasons: tuple[Because, ...]
    expected_lines: tuple[Line, ...]
    actual_lines: tuple[Line, ...]
    when: str
    event: str
    folded_past: tuple[Past, ...]
    left_out: int
    recent_past: tuple[Past, ...]
    zones: tuple[Zone, ...]
    groups: tuple[NodeGroup, ...]
    trials: tuple[NodeTrial, ...]
    scored: tuple[Scored, ...]
    totals: Mapping[str, int]
    counter: int | None
    candidates: tuple[Candidate, ...]
    reprieves: tuple[Reprieve, ...]
    states: tuple[StateRow, ...]
    named: tuple[Named, ...]
    asked: tuple[Asked, ...]
    rules: tuple[Rule, ...]
    more_rules: tuple[Rule, ...]
    replay: str
    search: str | None

    @property
    def scored_nodes(self) -> tuple[str, ...]:
        return tuple(trial.name for trial in self.trials if trial.name in self.totals)

    def other_points(self, priority: str, node: str) -> int | None:
        """What the scheduler under test gives, where it shows that and it is something else."""
        mine, theirs = (side.get("priorities") for side in (self.finding.expected, self.finding.actual))
        if not isinstance(mine, Mapping) or not isinstance(theirs, Mapping):
            return None
        given = [of[priority].get(node) if isinstance(of.get(priority), Mapping) else None for of in (mine, theirs)]
        return given[1] if given[0] != given[1] else None

    def other_total(self, node: str) -> int | None:
        """As `other_points`, of all priorities."""
        mine, theirs = (side.get("totals") for side in (self.finding.expected, self.finding.actual))
        if not isinstance(mine, Mapping) or not isinstance(theirs, Mapping):
            return None
        return theirs.get(node) if mine.get(node) != theirs.get(node) else None

    @property
    def answers_differ(self) -> bool:
        return any(line.differs for line in (*self.expected_lines, *self.actual_lines))

    def side_of(self, node: str) -> str:
        """Which side puts the pod there, or frees the node for it: expected, actual, both, or ""."""
        sides = {"expected": self.expected, "actual": self.actual}
        named = [name for name, side in sides.items() if node in (side.host, side.nominated)]
        return "both" if len(named) == 2 else "".join(named)

    @property
    def failing(self) -> tuple[str, ...]:
        return failing(self.finding.trace)

    @property
    def failed(self) -> bool:
        """Whether the scheduler under test has no state after the step."""
        return _failed(self.finding)

    @property
    def last_words(self) -> tuple[str, ...]:
        """Lines of what it said before it failed, where they are more than one."""
        said = (self.actual.ended or "").partition(LAST_WORDS)[2].splitlines()
        return tuple(said) if said[1:] else ()

    @property
    def here(self) -> str:
        """The name of the step in a list of all of them."""
        step = self.finding.step
        return "here" if step is None else f"step {step + 1}" if step >= 0 else "start"

    @property
    def told_states(self) -> tuple[StateRow, ...]:
        """Those that tell something; the others have only stayed what they were."""
        return tuple(row for row in self.states if row.tells)

    @property
    def quiet_states(self) -> tuple[StateRow, ...]:
        return tuple(row for row in self.states if not row.tells)

    @property
    def held(self) -> tuple[StateRow, ...]:
        """What is in those of the others that are not empty."""
        return tuple(row for row in self.quiet_states if row.before)

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
    there = moment.right_before(cycle)
    shown = tuple(that_matter(there, cycle, expected, actual))
    scored = score_nodes(cycle, shown, moment.configuration) if cycle else ()
    asked = tuple(opinions(moment, cycle, (expected, actual), of_both=finding.trace.get(JUDGED) == REFUTED))
    because = reasons(finding, moment, cycle, scored, (expected, actual), asked)
    states = state_rows(moment.before, finding.expected, finding.expected if _failed(finding) else finding.actual)
    lines = _answers(finding, states)
    rules = _telling_rules(finding, because, states)
    recent = moment.past[-RECENT:]
    folded = moment.past[: -len(recent)] if recent else ()
    marks = Marks(pod, cycle.attempt if cycle else None, expected, actual)
    return Page(
        finding=finding,
        verdict=verdict(finding, asked),
        pod=pod,
        facts=(("priority", str(pod.priority)), *facts(pod)) if pod else (),
        expected=expected,
        actual=actual,
        reasons=because,
        expected_lines=lines[0],
        actual_lines=lines[1],
        when=_when(moment, cycle),
        event=moment.event,
        folded_past=folded[-MOST_PAST:],
        left_out=len(folded[:-MOST_PAST]),
        recent_past=recent,
        zones=draw(shown, there.nodes, marks, there.assumed, there.nominated),
        groups=tuple(groups(there, cycle, shown)),
        trials=tuple(trial for name in shown if cycle and (trial := try_node(cycle, name))),
        scored=scored,
        totals=totals(cycle),
        counter=cycle.attempted.last_node_index - 1 if cycle and cycle.attempted.totals else None,
        candidates=tuple(_candidates(cycle, expected, actual)),
        reprieves=tuple(_reprieves(cycle, expected, actual)),
        states=states,
        named=tuple(named(finding.trace)),
        asked=asked,
        rules=tuple(RULES[rule] for rule in rules if rule in RULES),
        more_rules=tuple(RULES[rule] for rule in sorted(finding.rules) if rule in RULES and rule not in rules),
        replay=replay(folder, finding),
        search=search(finding),
    )


def _when(moment: Moment, cycle: Cycle | None) -> str:
    """Of what is shown of the cluster."""
    if cycle is None or not (earlier := moment.earlier(cycle)):
        return "Before the step"
    taken = some([other.attempt.pod.key for other in earlier])
    return f"When the scheduling cycle of {cycle.attempt.pod.key} began, after that of {taken} in the same step"


def _failed(finding: Finding) -> bool:
    """Whether only the reference has come out of the step."""
    return ended(finding.actual) and not ended(finding.expected)


def _reprieves(cycle: Cycle | None, expected: Outcome, actual: Outcome) -> Iterator[Reprieve]:
    """On the nodes that the two free."""
    if cycle is None or cycle.preemption is None or expected.victims == actual.victims:
        return
    for node in dict.fromkeys((cycle.preemption.node, actual.nominated)):
        if node and (thought := reprieve(cycle, node)):
            yield thought


def _candidates(cycle: Cycle | None, expected: Outcome, actual: Outcome) -> Iterator[Candidate]:
    if cycle is None or cycle.preemption is None:
        return
    preemption = cycle.preemption
    found: Mapping[str, Victims] = preemption.candidates
    for node, victims in sorted(found.items(), key=lambda entry: entry[0] != preemption.node)[:MOST_NODES]:
        chosen_by = (("v1.15.3", expected.nominated), ("under test", actual.nominated))
        marks = tuple(side for side, chosen in chosen_by if chosen == node)
        yield Candidate(node, victims.pods, victims.pdb_violations, node in preemption.allowed, marks)


def _telling_rules(finding: Finding, because: tuple[Because, ...], states: tuple[StateRow, ...]) -> tuple[str, ...]:
    """Those of the reasons; without any, those that the reference used about what differs."""
    if telling := dict.fromkeys(rule for reason in because for rule in reason.rules):
        return tuple(telling)
    letters = {letter for row in states if row.differs for letter in row.about}
    return tuple(rule for rule in finding.rules if rule[0] in letters or (not letters and len(finding.rules) <= FEW))


def _answers(finding: Finding, states: tuple[StateRow, ...]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What each side did; where that is the same, what of their states differs; beside a side that failed, news."""
    expected, actual = answer_lines(finding.expected), answer_lines(finding.actual)
    if expected == actual:
        differing = [row for row in states if row.differs]
        if differing and expected == [IDLE]:
            expected, actual = [], []
        expected += [f"{row.label}: {_joined(row.expected)}" for row in differing]
        actual += [f"{row.label}: {_joined(row.actual)}" for row in differing]
    elif _failed(finding) and not finding.expected.get("effects"):
        news = [f"{row.label}: {_joined(row.expected)}" for row in states if row.changed]
        expected.extend(news or ["changes nothing"])
    return side_by_side(expected, actual)


def _joined(lines: tuple[Line, ...]) -> str:
    return shortened(", ".join(line.text for line in lines) or "none")
