"""`sched-oracle rules`: what the model states, where, and how often a run used it."""

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from model.engine import Reference
from model.rules import RULES, Rule, counting
from model.unmodelled import UNMODELLED, load_rules
from oracle.cli.failures import refuse
from oracle.cli.options import AsJson
from oracle.cli.streams import progress, show, show_json
from oracle.conform import judge, read_cases
from oracle.printable import counted


def rules(
    wanted: Annotated[
        list[str] | None,
        typer.Argument(metavar="RULE", help="Rule IDs, or beginnings of them, large or small: P-042, q- ..."),
    ] = None,
    count: Annotated[
        list[Path] | None,
        typer.Option("--count", metavar="FILE", help="Replay these recorded cases or traces and count the uses."),
    ] = None,
    missing: Annotated[bool, typer.Option("--missing", help="With --count: only rules that were never used.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the rules of the specification: what each says, and where in the model it stands.

    A rule that is a table or a constant cannot be counted; its count is shown as a dash.
    """
    if missing and not count:
        refuse("--missing needs --count FILE")
    load_rules()
    counts = _counts(count) if count else None
    beginnings = tuple(beginning.upper() for beginning in wanted or [""])
    _refuse_unknown(beginnings)
    listed = [rule for _, rule in sorted(RULES.items()) if rule.id.upper().startswith(beginnings)]
    if missing and counts is not None:
        listed = [rule for rule in listed if not counts[rule.id] and not is_table(rule)]
    unmodelled = {i: why for i, why in sorted(UNMODELLED.items()) if i.upper().startswith(beginnings) and not missing}
    if as_json:
        show_json(_document(listed, counts, unmodelled))
        return
    for rule in listed:
        show(_line(rule, counts))
    for rule_id, why in unmodelled.items():
        show(f"{rule_id}  not modelled: {why}")
    show(counted(len(listed), "rule") + (f", {len(unmodelled)} not modelled" if unmodelled else ""))


def _refuse_unknown(beginnings: Iterable[str]) -> None:
    known = {rule_id.upper(): rule_id for rule_id in (*RULES, *UNMODELLED)}
    for beginning in beginnings:
        if not any(rule_id.startswith(beginning) for rule_id in known):
            near = [known[rule_id] for rule_id in get_close_matches(beginning, known)]
            refuse(f"no rule begins with {beginning}" + (f"; did you mean {' or '.join(near)}?" if near else ""))


def is_table(rule: Rule) -> bool:
    """Stated by a table or a constant, and by no function that could be counted."""
    return not rule.counted


def _counts(files: list[Path]) -> Counter[str]:
    """How often each rule was used while the model decided all cases of the files.  Raises CaseError."""
    counts: Counter[str] = Counter()
    engine = Reference()
    with progress() as bar, counting(counts):
        for file in files:
            task = bar.add_task(file.name, total=None)
            for case in read_cases(file):
                judge(case, engine)
                bar.advance(task)
    return counts


def _line(rule: Rule, counts: Counter[str] | None) -> str:
    used = "" if counts is None else f"{counts[rule.id] or ('-' if is_table(rule) else 0):>9}  "
    return f"{rule.id}  {used}{rule.statement}  [{rule.where}]"


def _document(listed: list[Rule], counts: Counter[str] | None, unmodelled: dict[str, str]) -> dict[str, Any]:
    return {
        "rules": [
            {"id": rule.id, "statement": rule.statement, "where": rule.where}
            | ({} if counts is None else {"count": counts[rule.id] or (None if is_table(rule) else 0)})
            for rule in listed
        ],
        "notModelled": unmodelled,
    }
