"""Sheets: figures that are exact or say that they are not, and tables that keep to the width of a terminal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.exact.binomial_limits import upper_limit
from reference_tree.exact.log_sums import log
from reference_tree.exact.radicals import root
from reference_tree.selection.validation import Judged
from reference_tree.views.blocks import Sentence, Title
from reference_tree.views.board import WIDTH
from reference_tree.views.names import width
from reference_tree.views.pruning_sheets import Sheet, figure, rounded, score, write

LONG = Sheet(
    "Long names",
    ("node", "one", "other", ""),
    "lrrl",
    (("/" + "纹理=清晰/" * 12, "1/150", "2", "stays"), ("/", "12", "13/7", "is cut")),
)


@given(st.fractions(-1000, 1000, max_denominator=10**6))
def test_a_short_fraction_is_shown_exactly(number: Fraction) -> None:
    assert Fraction(figure(number).replace("−", "-")) == number


@given(st.fractions(max_denominator=10**3))
def test_a_decimal_is_short_and_near(number: Fraction) -> None:
    written = rounded(number).replace("−", "-")
    assert abs(Fraction(written) - number) <= Fraction(1, 2 * 10**6)
    if Fraction(written) == number:
        assert not ("." in written and written.endswith(("0", ".")))


def test_what_is_not_shown_exactly_says_so_or_is_a_decimal() -> None:
    assert figure(Fraction(10**20 + 1, 10**20)) == "≈ 1"
    assert figure(log(3)) == rounded(log(3)) == "1.584963"
    assert figure(root(2)) == "1.414214"
    assert figure(upper_limit(1, 2, Fraction(1, 4))) == "0.866025"  # 1 − U² = 1/4
    assert (figure(log(16)), figure(root(9)), rounded(log(16))) == ("4", "3", "4")
    assert (figure(-2), rounded(Fraction(-1, 2))) == ("−2", "−0.5")


def test_a_score_is_an_accuracy_or_a_mean_squared_error() -> None:
    held = Judged(Fraction(7), [], [])
    assert [score(errors, held, numbers=False) for errors in (4, 3, 2, 0)] == ["42.9 %", "57.1 %", "71.4 %", "100.0 %"]
    assert score(Fraction(7, 3), held, numbers=True) == "0.333333"


def test_columns_stand_under_one_another() -> None:
    sheet = Sheet("Prices", ("node", "α", ""), "lrl", (("/纹理=清晰", "1/2", "stays"), ("/", "11/14", "is cut")))
    assert list(write([sheet], "text")) == [
        "Prices",
        "",
        "node             α",
        "/纹理=清晰     1/2   stays",
        "/            11/14   is cut",
    ]


def test_a_name_that_is_too_long_has_a_line_of_its_own() -> None:
    lines = list(write([LONG], "text"))
    assert [line for line in lines if width(line) > WIDTH] == [LONG.rows[0][0]]
    assert lines[2:4] == ["node", "      one   other"]
    assert lines[-2:] == ["/", "       12    13/7   is cut"]
    assert lines[5].split() == ["1/150", "2", "stays"]


def test_a_sheet_without_rows_is_its_title() -> None:
    empty = Sheet("Nothing", ("node",), "l", ())
    assert list(write([empty], "text")) == ["Nothing"]
    assert list(write([empty], "markdown")) == ["**Nothing**"]


def test_names_are_escaped_on_a_page() -> None:
    sheet = Sheet("a*b", ("node", "x"), "lr", (("/a|b<=1", "1"),))
    assert list(write([sheet], "markdown")) == [
        "**a\\*b**",
        "",
        "| node | x |",
        "| :-- | --: |",
        "| /a\\|b&#60;=1 | 1 |",
    ]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_sheets_and_blocks_stand_in_one_page_a_line_apart(form: str) -> None:
    empty = Sheet("S", ("node",), "l", ())
    page = [Title("A"), empty, empty, Sentence("B."), Title("C"), empty]
    parts = "\n".join(write(page, form)).split("\n\n")  # type: ignore[arg-type]
    assert [part.strip("#* ═\n") for part in parts] == ["A", "S", "S", "B.", "C", "S"]
    assert list(write([], form)) == []  # type: ignore[arg-type]
