"""C4.5 as Weka's J48 has it: the slack within which the first of two tests is kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reference_tree.data.table import Table
from reference_tree.learners.c45 import C45
from tests.learners.decisions import names
from tests.programs.test_c45_options import J48, table


def nearly_equal(first: str) -> Table:
    """`a` tells the class but for a hundred-millionth of a row, `b` altogether."""
    columns: dict[str, list[Any]] = {
        "a": ["p", "q", "q"], "b": ["s", "t", "s"], "w": [5, 5, Fraction(1, 10**8)], "y": list("nyn"),
    }  # fmt: skip
    order = [first, *(name for name in columns if name != first)]
    return Table.from_columns({name: columns[name] for name in order}, target="y", weights="w")


def test_within_a_millionth_the_first_is_kept_though_it_is_not_the_best() -> None:
    exact = C45.like("weka-j48", slack=0)
    for first, chosen, winners in (("a", "a", ["a", "b"]), ("b", "b", ["b"])):
        decision = J48.decide(nearly_equal(first).sample())
        assert decision.chosen is not None
        assert (decision.chosen.test.name, names(decision)) == (chosen, winners)
        assert names(exact.decide(nearly_equal(first).sample())) == ["b"]
    worse, better = J48.decide(nearly_equal("a").sample()).winners
    assert 0 < float(better.scores["ratio"]) - float(worse.scores["ratio"]) < 1e-6


def test_within_a_millionth_the_first_cut_is_kept() -> None:
    """Between the two cuts lies a hundred-millionth of a row of the other class."""
    rows = table({"x": [0, 1, 2], "w": [5, Fraction(1, 10**8), 5], "y": list("nny")}, weights="w")
    assert names(C45.like("weka-j48", slack=0).decide(rows.sample())) == ["x<=1"]
    decision = J48.decide(rows.sample())
    assert names(decision) == ["x<=0", "x<=1"]
    assert decision.chosen is decision.winners[0]
