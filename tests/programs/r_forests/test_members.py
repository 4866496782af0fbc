"""Nothing of the tables of R is passed over: each column is used, listed as without effect, or refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference_tree.programs.r_forests.members import PACKAGES
from tests.programs.closed_world import changed_text, documents
from tests.programs.r_forests.files import every_forest


def mutants(text: str) -> Iterator[tuple[str, str, str]]:
    """The tables with a column removed, renamed or changed, or with one more: what, the column, and the text."""
    parts = re.split(r"^(# .*\n)", text, flags=re.MULTILINE)
    for place in range(2, min(len(parts), 9), 2):
        rows = [line.split(",") for line in parts[place].splitlines()]
        for column, name in enumerate(rows[0]):
            for how in ("removed", "renamed", "changed"):
                other = [list(row) for row in rows]
                for number, row in enumerate(other):
                    if how == "removed":
                        del row[column]
                    elif how == "changed" and number == 1:
                        row[column] = changed_text(row[column])
                    elif how == "renamed" and number == 0:
                        row[column] = '"another"'
                yield how, name.strip('"'), "".join([*parts[:place], *written(other), *parts[place + 1 :]])
        more = [[*row, '"1"' if number else '"more"'] for number, row in enumerate(rows)]
        yield "added", "more", "".join([*parts[:place], *written(more), *parts[place + 1 :]])


def written(rows: list[list[str]]) -> Iterator[str]:
    yield from (",".join(row) + "\n" for row in rows)


@every_forest
@pytest.mark.one_in(4)
def test_nothing_of_the_tables_is_passed_over(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before = documents(text)
    assert before is not None
    idle = {name for package in PACKAGES.values() for name in package.columns.no_effect}
    # A forest has no start but 0; a first node's prediction is that of an inner one.
    silent = {
        (how, name)
        for how, name, other in mutants(text)
        if documents(other) == before
        and name not in idle
        and (how, name) not in (("changed", "start"), ("changed", "prediction"))
    }
    assert {each for each in silent if not each[1].startswith("pred.")} == set()
