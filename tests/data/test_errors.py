"""A message is one line that names the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.data.errors import InputError, hint, listed, no_such, option
from tests.every import of_every


@of_every(
    [
        ({}, "is wrong"),
        ({"path": "a.csv"}, "a.csv: is wrong"),
        ({"path": "a.csv", "line": 3}, "a.csv, line 3: is wrong"),
        ({"path": "a.csv", "line": 3, "column": "wind"}, "a.csv, line 3, column wind: is wrong"),
        ({"column": 7}, "column 7: is wrong"),
    ]
)
def test_the_place_comes_first(place: dict[str, object], text: str) -> None:
    assert str(InputError("is wrong", **place)) == text  # type: ignore[arg-type]


def test_the_parts_can_be_asked() -> None:
    error = InputError("is wrong", path="a.csv", line=3, column="wind")
    assert (error.message, error.path, error.line, error.column) == ("is wrong", "a.csv", 3, "wind")


def test_it_is_a_value_error() -> None:
    assert issubclass(InputError, ValueError)


@given(st.text(), st.text(min_size=1), st.text(min_size=1))
def test_whatever_the_names_are_the_message_is_one_printable_line(message: str, path: str, column: str) -> None:
    text = str(InputError(message, path=path, column=column))
    assert text.isprintable()
    assert len(text.splitlines()) == 1


@of_every([(1, None), (12, None), (13, 1), (1000, 988)])
def test_long_lists_are_cut(count: int, more: int | None) -> None:
    text = listed([f"v{n}" for n in range(count)])
    assert text.count("v") == min(count, 12)
    assert (f" and {more} more" in text) == (more is not None)


def test_a_suggestion_is_one_of_the_known_names_in_its_own_case() -> None:
    assert hint("OUTLOOK", ["wind", "Outlook"]) == " (did you mean Outlook?)"
    assert hint("wnid", ["wind", "WIND"]) == " (did you mean wind?)"  # the first of equals
    assert hint("nope", ["income"]) == hint("--bins", ["--na"]) == ""  # three of ten letters are in common
    assert hint("x", []) == hint("", ["a"]) == hint("wind", ["temperature"]) == ""
    assert no_such("column", "wnd", ["wind"]) == "there is no column 'wnd' (did you mean wind?); there are wind"


def test_very_long_names_are_not_compared() -> None:
    assert hint("a" * 10**6, ["a" * 10**6]) == hint("a" * 90, ["a" * 101] * 10**5) == ""


def test_advice_is_in_the_words_of_who_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("size,y\n1,n\n2,y\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        rt.ID3().grow(rt.read(file))
    advice = "or table.without(['size']) or categorical=['size']"
    assert str(refused.value).endswith(f"say ID3.like('zhou'), which has one, or C45 or CART, {advice}")
    assert main(["grow", str(file), "--learner", "id3"]) == 2
    printed = capsys.readouterr().err
    advice = "or --without size or --categorical size"
    assert printed.endswith(f"say --profile zhou, which has one, or --learner c45 or cart, {advice}\n")
    assert option("max_depth") == "max_depth", "the command is over"
