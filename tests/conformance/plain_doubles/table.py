"""All faults against all cases: which case notices which fault.

A case notices a fault if the check of the package finds a mistake in what the learner answers with the fault planted,
and none in what it answers without. Where the two answers are the same there is nothing to check, and where the learner
does not come by the place of a fault it need not even be asked again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from reference_tree.checking.kinds import mistakes_of
from reference_tree.checking.mistakes import Mistake
from reference_tree.conformance.cases import cases
from tests.conformance.plain_doubles.answering import answer, claims
from tests.conformance.plain_doubles.faults import FAULTS, Fault
from tests.conformance.plain_doubles.planting import plant

ROOT = Path(__file__).parents[3]
GOLDENS = ROOT / "tests" / "goldens"
PAGE = ROOT / "docs" / "conformance" / "faults.md"


class Plain(NamedTuple):
    """What the learner answers without a fault."""

    answer: str
    comes_by: frozenset[str]
    """The faults at whose places it comes by."""


@cache
def golden(name: str) -> Mapping[str, Any]:
    """A golden, as it is written."""
    found: Mapping[str, Any] = json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))
    return found


@cache
def claimed() -> Sequence[str]:
    """The cases that the learner says it can answer."""
    return [name for name in cases() if claims(golden(name))]


@cache
def measured() -> Sequence[str]:
    """Those of them that doubles can pass."""
    return [name for name in claimed() if "exact" not in golden(name)["needs"]]


@cache
def plain(name: str) -> Plain:
    """What the learner answers to a case without a fault."""
    with plant(None) as comes_by:
        return Plain(json.dumps(answer(golden(name))), frozenset(comes_by))


def mistakes(name: str, fault: str | None = None) -> list[Mistake]:
    """What is wrong in the answer to a case, when a fault is planted."""
    return list(_mistakes(name, fault))


def _mistakes(name: str, fault: str | None) -> Iterator[Mistake]:
    if fault is not None and fault not in plain(name).comes_by:
        return
    with plant(fault):
        came = json.dumps(answer(golden(name)))
    if fault is None or came != plain(name).answer:
        yield from mistakes_of(cases()[name], json.loads(came))


def notices(name: str, fault: str) -> bool:
    """Whether a case notices a fault; one that ends in an error is seen without any case."""
    try:
        return any(_mistakes(name, fault))
    except LookupError:
        return False


def noticed_by(fault: Fault) -> list[str]:
    """The cases that notice a fault."""
    return [name for name in measured() if notices(name, fault.name)]


# The page.


def page() -> str:
    """The page about the faults."""
    table = {fault: noticed_by(fault) for fault in FAULTS}
    notice = {name: [fault.name for fault in FAULTS if name in table[fault]] for name in measured()}
    blind = [name for name, found in notice.items() if not found]
    unnoticed = sum(not found for found in table.values())
    lines = [
        HEAD.format(
            faults=len(FAULTS), unnoticed=unnoticed, claimed=len(claimed()), measured=len(measured()),
            cases=len(cases()), exact=codes(name for name in claimed() if name not in measured()),
        ),
        "| what goes wrong | fault | the case about it | noticed by |",
        "|:--|:--|:--|--:|",
        *(f"| {fault.what} | `{fault.name}` | {codes(fault.cases)} | {len(table[fault])} |" for fault in FAULTS),
        SAYS,
        *(f"| `{fault.name}` | `{fault.cases[0]}` | {_first_mistake(fault)} |" for fault in FAULTS),
        WHICH,
        *(line_of(fault, found) for fault, found in table.items()),
        CASES,
        *(f"| `{name}` | {len(found)} | {codes(found)} |" for name, found in notice.items() if found),
        LAST.format(blind=codes(blind)),
    ]  # fmt: skip
    return "\n".join(lines)


def line_of(fault: Fault, found: Iterable[str]) -> str:
    """What the page says of a fault: the cases that notice it."""
    return f"| `{fault.name}` | {codes(found)} |"


def codes(names: Iterable[str]) -> str:
    """Names as code."""
    return ", ".join(f"`{name}`" for name in names)


def _first_mistake(fault: Fault) -> str:
    """The first mistake that the check finds in the case about a fault."""
    first, *_ = mistakes(fault.cases[0], fault.name)
    return (
        str(first)
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("[", "\\[")
        .replace("{", "&#123;")
        .replace("_", "\\_")
    )


HEAD = """\
# Faults that the cases notice

A suite covers what it *notices*, not what it touches. So the tests hold a small learner of their own in plain doubles,
which shares nothing with this package, and plant {faults} faults into it, one at a time: what implementers of decision
trees get wrong. The learner then answers the cases as any other program would, and [`check`](../checking.md) judges the
answers.

- **{unnoticed} faults are unnoticed.** Each is noticed by a case that is about it.
- **No false alarm.** Of the {cases} cases the learner claims {claimed}; without a fault it passes {measured}. The
  others need exact arithmetic, and say so: {exact}.
- **No alarm for what is free:** the last of equal questions instead of the first, the last of equal classes or votes, a
  threshold at the lower of two values or anywhere in its gap, surrogates that agree equally well in another order,
  votes and weighted sums that are all twice as large.

No fault was planted for what the learner does not claim, such as weighted sums of more than two numbers.

This page is written by `python -m tests.conformance.plain_doubles`, and a test says that it is up to date.

## The faults {{data-search-exclude}}
"""

SAYS = """
## What the check says {data-search-exclude}

The first mistake that `check` finds in the first case about a fault: at which node, in which member of the answer, what
was expected, and the rule that is broken.

<details class="abstract" markdown="1"><summary>The first mistake of each fault</summary>

| fault | case | first mistake |
|:--|:--|:--|"""

WHICH = """
</details>

## Which cases notice a fault {data-search-exclude}

<details class="abstract" markdown="1"><summary>The cases of each fault</summary>

| fault | cases |
|:--|:--|"""

CASES = """
</details>

## Which faults a case notices {data-search-exclude}

<details class="abstract" markdown="1"><summary>The faults of each case</summary>

| case | number | faults |
|:--|--:|:--|"""

LAST = """
</details>

These notice none of the faults: {blind}.
"""
