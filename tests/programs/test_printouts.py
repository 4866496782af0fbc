"""Printouts: lines around a tree."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.printouts import KnownLine, Printout, check_number

NOTE = Printout(
    "a note",
    [
        KnownLine("Title", "Title", "it is a title"),
        KnownLine("a row", r"\d+", "it is a number", "Title"),
        KnownLine("Size", r"Size: (\d+)"),
    ],
    {"Other: .*": "use another one"},
)


def test_lines_are_known_below_their_title_alone() -> None:
    assert [name for name, _, _ in NOTE.read([(1, "Title"), (2, "7"), (3, "---"), (4, " Size: 3 ")], Ignored())] == [
        "Size"
    ]
    with pytest.raises(UnreadError, match="line 2: a note has a line '7', which is not known here"):
        list(NOTE.read([(1, "Size: 3"), (2, "7")], Ignored()))


def test_lines_that_are_not_read_say_what_to_do() -> None:
    with pytest.raises(UnreadError, match="line 5: a note has a line 'Other', which is not read; use another one"):
        list(NOTE.read([(5, "Other: 9")], Ignored()))
    ignored = Ignored(["Other"])
    assert list(NOTE.read([(5, "Other: 9")], ignored)) == []
    assert ignored.met == ["Other"]


def test_the_lines_are_an_inventory() -> None:
    assert list(NOTE.inventory.rows()) == [
        ("a note", "Size", "used"), ("a note", "Title", "no effect: it is a title"),
        ("a note", "a row", "no effect: it is a number"),
    ]  # fmt: skip


def test_a_number_that_is_told_is_the_number_there() -> None:
    ((_, line, found),) = NOTE.read([(4, "Size: 3")], Ignored())
    check_number(found, line, 3, "nodes", "size")
    with pytest.raises(InputError, match="line 4: 2 nodes are there, and the size is 3; the text is not whole"):
        check_number(found, line, 2, "nodes", "size")
