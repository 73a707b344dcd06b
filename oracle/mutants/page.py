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
    catalogue: Sequence[Entry], made: Sequence[Entry], impossible: Mapping[str, str], explained: Mapping[str, str]
) -> str:
    """`catalogue`: known faults; `made`: a sample of those made by rule; `impossible` and `explained`: why."""
    sections = (HEAD, *_known(catalogue), "", *_impossible(impossible), *(_made(made, explained) if made else ()))
    return "\n".join(sections) + "\n"


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


def _made(found: Sequence[Entry], explained: Mapping[str, str]) -> Iterator[str]:
    told = summary(found, explained)
    different = told["mutants"] - told["explained"]
    yield "\n## Mutants made by rule\n"
    yield (
        "A comparison, connective, condition, constant, sum or statement of the code that decides, changed; of every "
        "module the same share.\n\n"
        f"**{told['killed']} of {different} killed ({told['killed'] / max(different, 1):.1%})**; "
        f"{told['explained']} more are equivalent, and {len(found) - told['mutants']} could not be imported.\n"
    )
    yield "| module | mutants | killed | equivalent |"
    yield "|---|---|---|---|"
    living = sorted((one for one in found if "stillborn" not in one), key=lambda one: str(one["place"]))
    sizes, kills = Counter(map(_module, living)), Counter(_module(one) for one in living if one["killed"])
    equal = Counter(_module(one) for one in living if not one["killed"] and one["place"] in explained)
    for module in sorted(sizes):
        yield f"| {module} | {sizes[module]} | {kills[module]} | {equal[module]} |"
    yield "\nSurvivors:\n"
    for one in living:
        if not one["killed"]:
            yield f"- `{one['place']}`: {explained.get(one['place'], 'not explained')}"


def _module(one: Entry) -> str:
    return str(one["place"]).partition(":")[0]


def _plain(text: str) -> str:
    return text.replace("|", "\\|")
