"""Mutants: each is a change that can be read, and what was reviewed is still there to be changed."""

from __future__ import annotations

import pytest

from tools.mutation.mutants import PACKAGE, keyed, mutants, reviewed

SOURCE = """\
LIMIT = 3

def smallest(numbers: list[int], least: int = 0) -> int:
    if not numbers or len(numbers) > LIMIT:
        raise ValueError(f"{len(numbers) + 1}")
    pairs = zip(numbers, numbers, strict=True)
    return min(n for n in numbers if n >= least) + 1
"""


def test_every_change_of_a_module() -> None:
    assert [(mutant.line, mutant.mutation, mutant.inside) for mutant in mutants(SOURCE, "module.py")] == [
        (1, "3 → 4", False),
        (1, "3 → 2", False),
        (3, "0 → 1", False),
        (3, "0 → -1", False),
        (4, "not numbers or len(numbers) > LIMIT → not numbers and len(numbers) > LIMIT", True),
        (4, "not numbers → numbers", True),
        (4, "len(numbers) > LIMIT → len(numbers) >= LIMIT", True),
        (4, "len(numbers) > LIMIT → len(numbers) <= LIMIT", True),
        (7, "min((n for n in numbers if n >= least)) + 1 → min((n for n in numbers if n >= least)) - 1", True),
        (7, "min((n for n in numbers if n >= least)) → max((n for n in numbers if n >= least))", True),
        (7, "n >= least → n > least", True),
        (7, "n >= least → n < least", True),
        (7, "min((n for n in numbers if n >= least)) + 1 → min((n for n in numbers if n >= least)) + 2", True),
        (7, "min((n for n in numbers if n >= least)) + 1 → min((n for n in numbers if n >= least)) + 0", True),
    ]


def test_a_mutant_is_another_module() -> None:
    found = set()
    for mutant in mutants(SOURCE, "module.py"):
        names: dict[str, object] = {}
        exec(mutant.code(), names)
        found.add(names["LIMIT"])
    assert found == {2, 3, 4}


@pytest.mark.slow
def test_what_was_reviewed_is_there() -> None:
    listed = reviewed()
    there = {key for module in {key.module for key in listed} for key, _ in keyed(PACKAGE / module)}
    assert listed.keys() <= there, "the line has changed: run its module again, and take it off the list or mend it"
