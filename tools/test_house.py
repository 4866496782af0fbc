"""The house in numbers: what counts as code, and how much of it a reader of a learner enters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from tools import house


def test_code_is_what_is_neither_blank_nor_comment_nor_docstring() -> None:
    text = '"""A module."""\n\n# why\nx = 1  # a number\n\n\ndef f():\n    """A function."""\n    return x\n'
    assert house.lines_of_code(text) == {4, 7, 9}


def test_a_helper_is_named_where_it_is_called_and_nowhere_else() -> None:
    once, twice, nothing = Counter({"f": 1, "_f": 1}), Counter({"f": 2, "_f": 2}), Counter[str]()
    assert house.is_named_once("f", once, once, once, once)
    assert not house.is_named_once("f", once, once, twice, once)  # another module names it, too
    assert house.is_named_once("_f", once, once, twice, twice)  # of a private function only its module counts
    assert not house.is_named_once("f", twice, once, twice, once)  # handed on besides
    assert not house.is_named_once("f", once, nothing, once, once)
    assert not house.is_named_once("__len__", once, once, once, once)
    assert not house.is_inherited("_f", once, once, once)
    assert house.is_inherited("_f", once, twice, once)  # a method that another module calls, too
    assert house.is_inherited("_f", once, once, twice)  # a method that another class overrides


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topic", "files", "functions", "lines"), [("ID3", 19, 83, 391), ("C4.5", 21, 107, 480), ("CART", 26, 140, 447)]
)
def test_a_reader_enters_no_more_of_a_learner(topic: str, files: int, functions: int, lines: int) -> None:
    """The arithmetic of exact numbers aside, but for the lines."""
    command = [sys.executable, "-m", "tools.entered", "--functions", topic]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
    entered = told.stdout.splitlines()
    outside = [line for line in entered if not line.startswith("exact/")]
    assert len({line.partition(":")[0] for line in outside}) <= files
    assert len(outside) <= functions
    assert sum(int(line.rpartition(" ")[2]) for line in entered) <= lines
