"""The results as a page of Markdown.  All of it is the same in every run on the same code, but for the seconds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from oracle.mutants.matrix import Entry, is_small, summary

HEAD = """# What the search finds

Written by `sched-oracle mutants --write`. Each mutant is the optimized scheduler with one fault in it; the search tries
random cases in order until it departs from the model where the sound scheduler does not. No other test takes part.
Seconds are those of one core, and the only figures that differ from run to run.
"""


def page(
    catalogue: Sequence[Entry],
    made: Sequence[Entry],
    rule_makes: int,
    impossible: Mapping[str, str],
    explained: Mapping[str, str],
    wanting: Mapping[str, str],
) -> str:
    """`catalogue`: known faults; `made`: a sample of the many that `rule_makes`; the others say why, by name or place.

    `wanting`: the input that would give a survivor away.
    """
    by_rule = _made(made, rule_makes, explained, wanting) if made else ()
    return "\n".join((HEAD, *_known(catalogue), "", *_impossible(impossible), *by_rule)) + "\n"


def _known(found: Sequence[Entry]) -> Iterator[str]:
    told = summary(found, {})
    small, killed = told["small"], told["killed"]
    yield "## Faults that real schedulers had\n"
    yield (
        f"**{killed} of {told['mutants']} killed**, half of them within {told['medianSeconds']:.2f} s and all within "
        f"{told['longestSeconds']:.2f} s; {small} of the counterexamples ({small / max(killed, 1):.0%}) have at most "
        f"3 nodes, 4 pods and 8 events, and making them small took at most {told['longestShrinkSeconds']:.1f} s.\n"
    )
    yield "| mutant | fault | killed by | examples | seconds | nodes, pods, events | shrinking, s |"
    yield "|---|---|---|---|---|---|---|"
    for one in sorted(found, key=lambda one: str(one["id"])):
        if not one["killed"]:
            yield f"| {one['id']} | {_plain(one['description'])} | **survived** | {one['examples']} | | | |"
            continue
        size = one["counterexample"]
        sizes = f"{size['nodes']}, {size['pods']}, {size['events']}" + ("" if is_small(one) else " (large)")
        yield (
            f"| {one['id']} | {_plain(one['description'])} | {one['by']} | {one['examples']} | {one['seconds']:.2f} "
            f"| {sizes} | {one['shrinkSeconds']:.2f} |"
        )


def _impossible(impossible: Mapping[str, str]) -> Iterator[str]:
    yield "Not possible here:\n"
    for name, why in impossible.items():
        yield f"- {name}: {why}"


def _made(
    found: Sequence[Entry], rule_makes: int, explained: Mapping[str, str], wanting: Mapping[str, str]
) -> Iterator[str]:
    told = summary(found, explained)
    different = told["mutants"] - told["explained"]
    living = sorted((one for one in found if "stillborn" not in one), key=lambda one: str(one["place"]))
    survivors = [one for one in living if not one["killed"]]
    equal = [one for one in survivors if one["place"] in explained]
    yield "\n## Mutants made by rule\n"
    yield (
        "A comparison, connective, condition, constant, sum or statement of the code that decides, changed: "
        f"{len(found)} of the {rule_makes} that can be made, of every module about the same share.\n\n"
        f"**{told['killed']} of {different} killed ({told['killed'] / max(different, 1):.1%})**; {len(equal)} more are "
        f"equivalent, and {told['stillborn']} could not be imported.\n"
    )
    yield "| module | mutants | killed | equivalent |"
    yield "|---|---|---|---|"
    sizes, kills = Counter(map(_module, living)), Counter(_module(one) for one in living if one["killed"])
    equals = Counter(map(_module, equal))
    for module in sorted(sizes):
        yield f"| {module} | {sizes[module]} | {kills[module]} | {equals[module]} |"
    yield "\nEquivalent, and why:\n"
    for one in equal:
        yield f"- `{one['place']}`: {explained[one['place']]}"
    yield "\nSurvived, and what would give them away:\n"
    for one in survivors:
        if one["place"] not in explained:
            tried = f"{one['examples']} examples in {one['seconds']:.0f} s"
            yield f"- `{one['place']}` ({tried}): {wanting.get(one['place'], 'not known')}"


def _module(one: Entry) -> str:
    return str(one["place"]).partition(":")[0]


def _plain(text: str) -> str:
    return text.replace("|", "\\|")
