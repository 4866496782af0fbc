"""Discretizations worked out: a calculator comes to each figure, and the intervals are those that are cut."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.splitting.discretizers import bins_of
from reference_tree.views.derivation.discretizations import explain_discretization
from tests.views.calculator import check

IRIS = rt.textbook("iris")


def intervals(page: str) -> list[str]:
    """The first cells of the last table of a page."""
    return re.findall(r"^  ([\[(].*?[\])])  ", page.rpartition("\n\n")[2], re.MULTILINE)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("how", ["entropy", "equal-width:4", "5, 11/2"])
@pytest.mark.parametrize("attribute", ["petal length", "sepal width"])
def test_a_calculator_comes_to_every_figure(how: str, attribute: str) -> None:
    for exact in (False, True):
        page = explain_discretization(IRIS, attribute, how, exact=exact)
        assert check(page) >= {"entropy": 12, "equal-width:4": 3}.get(how, 0)
        assert intervals(page) == [one.name for one in bins_of(IRIS, attribute, how)[0]]


@given(st.lists(st.tuples(st.sampled_from([None, 1, 2, 3, 5, 8]), st.sampled_from("abc")), min_size=2, max_size=40))
def test_every_interval_is_worked_out_once(rows: list[tuple[int | None, str]]) -> None:
    if not any(x is not None for x, _ in rows):
        rows = [(1, "a"), *rows]
    table = rt.Table.from_columns({"x": [x for x, _ in rows], "y": [label for _, label in rows]})
    if table.schema.attribute("x").kind != "continuous":
        return
    page = explain_discretization(table, "x", "entropy", every=True)
    check(page)
    cuts = [re.findall("[0-9.]+", said) for said in re.findall("^Cut at (.*): ", page, re.MULTILINE)]
    found = intervals(page)
    assert len([*chain(*cuts)]) == len(found) - 1
    assert len(re.findall("^No cut: ", page, re.MULTILINE)) == len(found)
    for one in found:
        assert len(re.findall(rf"^{re.escape(one)}   \d+ rows?", page, re.MULTILINE)) == 1


def test_the_cost_is_compared_with_the_gain_of_the_best_cut() -> None:
    page = explain_discretization(rt.textbook("golf"), "temperature", "entropy")
    assert "H(D)" in page
    assert "  84   83 and 85       4        9      1       0   0.113401   the best\n" in page
    assert "g(D, temperature<=84) = 0.940286 − 0.826885 ≈ 0.113401 bits\n" in page
    assert re.search(r"^C\(D, temperature<=84\) = \(log2\(14 − 1\) .* / 14 ≈ 0.457729 bits$", page, re.MULTILINE)
    assert "\nNo cut: the gain is not larger than the cost.\n" in page


def test_a_numeric_target_has_its_moments() -> None:
    page = explain_discretization(rt.textbook("li-hang-5.2"), "x", "equal-width:3")
    assert "[1, 10]   10 rows: mean 6.618, sse 27.63236\n" in page
    assert "  (-inf, 4]   4    19.5    95.4362\n" in page


def test_a_target_is_cut_without_a_table_of_itself() -> None:
    table = rt.Table.from_columns({"wind": ["weak", "strong", "weak"], "degrees": [64, 70, 85]})
    page = explain_discretization(table, "degrees", "equal-width:3")
    assert page.endswith("Cut at 71, 78: 3 parts have equal width.\n")


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(InputError, match="is no table"):
        explain_discretization([1], "x", "entropy")  # type: ignore[arg-type]
