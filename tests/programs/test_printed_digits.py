"""Printed digits: which thresholds are printed alike, and which rows are in doubt."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputWarning
from reference_tree.programs.printouts import PrintedDigits, is_in_doubt
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of

TWO = """\
|--- x <= 0.00
|   |--- class: a
|--- x >  0.00
|   |--- class: b
"""


@pytest.mark.parametrize("places", [0, 1, 2, 6])
def test_a_number_lies_between_those_that_are_printed_like_it(places: int) -> None:
    draw = random.Random(places)  # the oracle: Python prints it
    for _ in range(300):
        number = round(draw.uniform(-9, 9), places + 3)
        low, high = PrintedDigits(places=places).between(Fraction(f"{number:.{places}f}"))
        text = f"{number:.{places}f}"
        is_short = places >= 6 and (text.endswith("000") or float(text) == 0)
        assert is_short or low <= Fraction(str(number)) <= high
        assert high - low <= Fraction(1, 10**places)


@pytest.mark.parametrize("figures", [3, 6, 7])
def test_likewise_with_a_number_of_digits(figures: int) -> None:
    draw = random.Random(figures)
    for _ in range(300):
        number = draw.uniform(-9, 9) * 10 ** draw.randint(-5, 9)
        text = f"{number:.{figures}g}"
        low, high = PrintedDigits(figures=figures).between(Fraction(Decimal(text)))
        assert low <= Fraction(number) <= high or len(text.rstrip("0")) <= figures - 2


def test_a_threshold_with_fewer_digits_than_it_could_have_is_the_one() -> None:
    assert PrintedDigits(places=6).between(127) == (Fraction(127), Fraction(127))
    assert PrintedDigits(figures=7).between(Fraction("2.45")) == (Fraction("2.45"), Fraction("2.45"))
    assert PrintedDigits(places=6).between(Fraction("0.004362"))[0] < Fraction("0.004362")
    assert PrintedDigits(places=2).between(3) == (Fraction("2.995"), Fraction("3.005"))


def test_a_value_of_the_data_is_no_doubt_where_thresholds_are_such_values() -> None:
    j48 = PrintedDigits(places=6, are_values=True, slack=Fraction(1, 10**6))
    assert not j48.doubts(Fraction("0.004362"), Fraction("0.004362"))
    assert j48.doubts(Fraction("0.0043624"), Fraction("0.004362"))
    assert j48.doubts(Fraction("127.0000005"), 127)  # release 3.6 sends it below, 3.9 above
    assert not j48.doubts(Fraction("127.000001"), 127)


def test_a_print_with_two_decimals_says_so() -> None:
    with pytest.warns(InputWarning, match="thresholds are rounded to 2 decimals, as printed"):
        (document,) = read_foreign(TWO)
    tree = tree_of(document)
    assert document["learner"]["options"]["rounded"] == {"places": 2}
    assert [is_in_doubt(tree, {"x": x}) for x in ("0.004", "0.005", "0.006", "-1", "7")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert not is_in_doubt(rt.ID3().grow(rt.textbook("play-tennis")), {})


def test_whole_numbers_of_j48_are_not_remarked_upon() -> None:
    text = "J48 pruned tree\n---\n\nage <= 30: no (5.0)\nage > 30: yes (4.0/1.0)\n\nSize of the tree : \t3\n"
    read_foreign(text)  # a warning is an error here
    with pytest.warns(InputWarning, match="rounded to 6 decimals"):
        read_foreign(text.replace("30", "30.123457"))
    with pytest.warns(InputWarning, match="rounded to 6 digits"):
        read_foreign("Decision Tree:\n\nage <= 30.1234 : no (5.0)\nage > 30.1234 : yes (4.0)\n\nTree saved\n")


def test_predict_counts_the_rows_within_the_rounding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from reference_tree.cli import main

    (tmp_path / "two.txt").write_text(TWO, encoding="utf-8")
    (tmp_path / "rows.csv").write_text("x\n0.001\n0.3\n0.004\n", encoding="utf-8")
    assert main(["predict", str(tmp_path / "two.txt"), str(tmp_path / "rows.csv")]) == 0
    out, err = capsys.readouterr()
    assert out.split() == ["b", "b", "b"]
    assert "2 rows lie within the rounding of a printed threshold: 1, 3; the program may answer otherwise" in err
