"""The record of the faults by rule: the case that notices each, or the reason why none does.

`noticed.json` is written by `python -m tests.conformance.changed`: module → change → the smallest case that notices it,
or `error` where the program ends in an error in each of the smallest cases, so that its author sees it. Everything else
stands in `reviewed.toml`, which is written by hand.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.conformance.changed.matching import DRAWN
from tests.conformance.changed.operators import OPERATORS
from tests.conformance.changed.planting import Key

NOTICED = Path(__file__).with_name("noticed.json")
REVIEWED = Path(__file__).with_name("reviewed.toml")
ERROR = "error"


class Told(NamedTuple):
    """What is recorded of a fault."""

    operator: str
    case: str


@cache
def noticed() -> Mapping[Key, Told]:
    """The faults that a case notices, and those that end in an error."""
    written = json.loads(NOTICED.read_text(encoding="utf-8"))
    return {Key(module, change): Told(*told) for module, changes in written.items() for change, told in changes.items()}


@cache
def reviewed() -> Mapping[Key, str]:
    """The faults that no table tells → why."""
    listed = tomllib.loads(REVIEWED.read_text(encoding="utf-8"))["reason"]
    return {Key(entry["module"], change): entry["why"] for entry in listed for change in entry["changes"]}


def written(found: Iterable[tuple[Key, Told]]) -> str:
    """The record as JSON."""
    modules: dict[str, dict[str, Told]] = {}
    for key, told in found:
        modules.setdefault(key.module, {})[key.change] = told
    parts = [
        f"{json.dumps(module)}: {{\n"
        + ",\n".join(
            f" {json.dumps(change, ensure_ascii=False)}: {json.dumps(told)}" for change, told in changes.items()
        )
        + "\n}"
        for module, changes in modules.items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


# The figures.


class Figures(NamedTuple):
    """How many faults of a rule are noticed."""

    noticed: int
    by_drawn: int
    """Of these, by drawn cases alone."""
    errors: int
    """Those that end in an error."""


def figures() -> Mapping[str, Figures]:
    """The figures of each rule."""
    of_rule = {name: [told.case for told in noticed().values() if told.operator == name] for name in OPERATORS}
    return {
        name: Figures(len(told) - told.count(ERROR), sum(one.startswith(DRAWN) for one in told), told.count(ERROR))
        for name, told in of_rule.items()
    }


def section() -> str:
    """What the page about the faults says of these."""
    found = figures()
    seen, by_drawn, errors = (sum(column) for column in zip(*found.values(), strict=True))
    reasons = Counter(reviewed().values())
    told = {"seen": seen, "before": seen - by_drawn, "by_drawn": by_drawn, "errors": errors, "untold": len(reviewed())}
    told["open"] = sum(why.startswith("open") for why in reviewed().values())
    lines = [
        HEAD.format(changes=seen + errors + len(reviewed()), **told),
        *(f"| {meaning(name)} | {one.noticed} | {one.by_drawn} | {one.errors} |" for name, one in found.items()),
        UNTOLD,
        *(f"| {why} | {count} |" for why, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        END,
    ]
    return "\n".join(lines)


def meaning(operator: str) -> str:
    """What a rule changes, in a line."""
    text = (OPERATORS[operator].__doc__ or "").removesuffix(".")
    return text[0].lower() + text[1:]


HEAD = """
## Faults by rule {{data-search-exclude}}

The faults above were thought of. Others are made by rules: in the same learner every comparison, bound, default,
weight, share, sign, power, tie, order, base and condition is changed, one at a time, {changes} changes in all. {errors}
of them end in an error in each of the smallest cases that come by them, so that their author sees it. **{seen} are
noticed by a case**: {before} by cases that were there before, {by_drawn} by the cases `told/*` and `pairs/*` alone,
which were made for these faults and for pairs of options. {untold} are told by no case, each for a reason: it changes
no answer, or one that is free. {open} are open.

`python -m tests.conformance.changed` asks all cases about all changes, and records for each the smallest case that
notices it; `--search` draws tables for the rest, until one tells the fault from the right program, and makes that one
as small as possible. A test says that the record is complete, and plants a sample anew.

| what is changed | noticed | by new cases alone | an error |
|:--|--:|--:|--:|"""

UNTOLD = """
<details class="abstract" markdown="1"><summary>Changes that no table tells, by their reason</summary>

| why | changes |
|:--|--:|"""

END = """
</details>
"""
