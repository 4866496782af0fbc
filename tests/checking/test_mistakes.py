"""Mistakes: a line for a person, an object for a program."""

from __future__ import annotations

from reference_tree.checking.mistakes import Mistake, differs, is_same, text, within


def test_a_mistake_names_node_member_and_rule() -> None:
    mistake = Mistake("wrong-stop", "expected pure, came empty", "stop", (0, 2), "/a=u/b=w", "stop.pure")
    assert str(mistake) == "/0/2 (/a=u/b=w) stop: wrong-stop: expected pure, came empty [stop.pure]"
    assert str(Mistake("malformed", "it is no object")) == "malformed: it is no object"
    assert mistake.details()["at"] == [0, 2]
    assert "path" not in Mistake("absent", "nothing").details()


def test_members_are_joined() -> None:
    (inner,) = within([Mistake("x", "y", "[0].z")], "rows")
    (outer,) = within([inner], "table")
    assert outer.member == "table.rows[0].z"


def test_true_is_not_1() -> None:
    assert not is_same(1, True)
    assert list(differs("x", True, True)) == []
    assert next(differs("x", True, 1)).message == "expected true, came 1"


def test_what_is_told_is_short() -> None:
    assert text(None) == "nothing"
    assert len(text("x" * 1000)) < 60
    assert len(text([1] * 1000)) < 60
    assert "\n" not in text("two\nlines")
