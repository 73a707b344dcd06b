"""Why the reference remembers refusals of pods, and move requests, as it does."""

from collections.abc import Collection, Iterator, Mapping

from model.queue.backoff import MAXIMUM_MS, duration_ms
from oracle.compare.divergence import Record
from oracle.compare.wording import seconds
from oracle.report.because import Because

Rules = Collection[str]

FORGOTTEN: Mapping[str, str] = {
    "Q-053": "it really changed while it was among the unschedulable pods, which ends its backoff",
    "Q-055": "it is deleted, and was not in the active queue",
    "Q-023": f"entries older than {seconds(MAXIMUM_MS)} are forgotten when a pod is refused",
}


def because_of_refusals(before: Record, expected: Record, actual: Record, rules: Rules) -> Iterator[Because]:
    """`rules`: those used in the step."""
    known, wanted, found = (record.get("podBackoff", {}) for record in (before, expected, actual))
    for pod in dict.fromkeys([*wanted, *found]):
        entry, earlier = wanted.get(pod), known.get(pod)
        if entry == found.get(pod):
            continue
        if entry is None:
            yield from _forgotten(pod, rules)
        elif entry == earlier:
            yield _kept(pod, entry, rules)
        else:
            yield _counted(pod, entry, earlier)


def because_of_cycles(before: Record, expected: Record, actual: Record) -> Iterator[Because]:
    last, wanted = before.get("moveRequestCycle"), expected.get("moveRequestCycle")
    if wanted != actual.get("moveRequestCycle"):
        if wanted == last:
            yield Because(f"No move request comes in this step: the cycle of the last one stays {wanted}.", ("Q-043",))
        else:
            yield Because(f"A move request comes in scheduling cycle {wanted}, and is remembered.", ("Q-043", "Q-060"))
    if (cycle := expected.get("schedulingCycle")) != actual.get("schedulingCycle"):
        yield Because(f"Each pod that is taken begins a new scheduling cycle: now it is {cycle}.", ("Q-044", "Q-045"))


def _forgotten(pod: str, rules: Rules) -> Iterator[Because]:
    """Where that can only be for one reason."""
    why = [rule for rule in FORGOTTEN if rule in rules]
    if why:
        yield Because(f"The refusals of {pod} are forgotten: {FORGOTTEN[why[0]]}.", (why[0], "Q-026"))


def _kept(pod: str, entry: Record, rules: Rules) -> Because:
    text = f"The refusals of {pod} are remembered as before: "
    if "Q-056" in rules:
        return Because(f"{text}deleting a pod from the active queue does not forget them.", ("Q-056",))
    if "Q-024" in rules:
        return Because(f"{text}a failure while the backoff still runs is not counted.", ("Q-024",))
    length = seconds(duration_ms(entry["attempts"]))
    return Because(f"{text}nothing in this step ends its backoff of {length}.", ("Q-026",))


def _counted(pod: str, entry: Record, earlier: Record | None) -> Because:
    length = f"a backoff of {seconds(duration_ms(entry['attempts']))}"
    if earlier is None:
        return Because(f"{pod} is refused for the first time, and gets {length}.", ("Q-042", "Q-020"))
    age = entry["lastUpdateMs"] - earlier["lastUpdateMs"]
    if entry["attempts"] <= earlier["attempts"]:
        text = (
            f"The last refusal of {pod} was {seconds(age)} ago: longer than {seconds(MAXIMUM_MS)}, so it is forgotten"
        )
        return Because(f"{text}, and counting starts over with {length}.", ("Q-025", "Q-023", "Q-020"))
    text = f"{pod} is refused again after its backoff was over: that makes {entry['attempts']} refusals, and {length}"
    return Because(f"{text}.", ("Q-024", "Q-020"))
