"""Scanning: the same cuts and the same winners as the form of the textbooks, which counts everything anew."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.exact.choosing import near_best
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.variance import Moments, variance_reduction
from reference_tree.splitting import continuous_bisection
from reference_tree.splitting.continuous_bisection import Cut
from reference_tree.splitting.scanning import best_cuts, finalists, leaders, scanned_cuts
from tests import strategies
from tests.oracles import Counted

MEASURES: dict[str, Callable[[Any], Any]] = {
    "gain": information_gain,
    "gini_decrease": gini_decrease,
    "variance_reduction": lambda rows: variance_reduction([Moments(*row) for row in rows]),
}

numbers = st.one_of(
    st.integers(0, 4),
    st.integers(2**53, 2**53 + 5),
    st.integers(0, 9).map(lambda digit: Fraction(10**17 + digit, 10**17)),
    st.fractions(-2, 2, max_denominator=5),
)


@st.composite
def numeric_tables(draw: st.DrawFn, rows: int = 16, target: str | None = None) -> Table:
    """Small tables of two attributes of numbers, with gaps, weights and ties; the target of either kind."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        cells = st.one_of(st.none(), cells) if gaps and draw(st.booleans()) else cells
        return draw(st.lists(cells, min_size=size, max_size=size))

    kind = target or draw(st.sampled_from(["few", "many", "number"]))
    classes = {"few": st.sampled_from("ab"), "many": st.sampled_from("abcdefg"), "number": numbers}[kind]
    weights = draw(st.sampled_from([st.just(1), st.just(Fraction(2, 3)), strategies.weights, st.integers(1, 10**30)]))
    columns = {
        "x": column(st.integers(0, 12)),
        "z": column(numbers),
        "y": column(classes, gaps=False),
        "w": column(weights, gaps=False),
    }
    continuous = ["x", "z", "y"] if kind == "number" else ["x", "z"]
    return Table.from_columns(columns, target="y", weights="w", continuous=continuous)


def measures_of(table: Table) -> list[str]:
    return ["variance_reduction"] if table.schema.target.values is None else ["gain", "gini_decrease"]


def scaled(row: Any, scale: Any) -> Any:
    return row if scale is None else tuple(a * b for a, b in zip(row, scale, strict=True))


def score(sample: Sample, cut: Cut, measure: str, scale: Any = None) -> Any:
    """The exact score: the share of the known rows times the score on these (the share before any scale)."""
    known = sum(sample.target.weight(row) for row in cut.table.rows)
    return (
        MEASURES[measure]([scaled(row, scale) for row in cut.table.rows])
        * sum(sum(scaled(row, scale)) if measure != "variance_reduction" else 0 for row in cut.table.rows)
        if measure != "variance_reduction"
        else MEASURES[measure](cut.table.rows) * known
    )


def textbook(sample: Sample, attribute: str, measure: str, minimum: Any = 0, scale: Any = None) -> list[Cut]:
    """The winners by the form of the textbooks, and exact arithmetic alone."""
    weight = sample.target.weight
    found = [
        cut
        for cut in continuous_bisection.cuts(sample, attribute)
        if all(weight(row) >= minimum for row in cut.table.rows)
    ]
    scores = [score(sample, cut, measure, scale) for cut in found]
    return [cut for cut, one in zip(found, scores, strict=True) if all(one >= other for other in scores)]


@given(numeric_tables())
def test_the_cuts_are_those_of_the_textbook(table: Table) -> None:
    for sample in (table.sample(), Counted(table)):
        for attribute in table.schema.attributes:
            expected = list(continuous_bisection.cuts(Counted(table), attribute.name))
            assert list(scanned_cuts(sample, attribute.name)) == expected


@given(numeric_tables(), st.sampled_from([0, 1, 2, Fraction(7, 3), 100]))
def test_the_winners_are_those_of_the_textbook(table: Table, minimum: Any) -> None:
    for sample in (table.sample(), Counted(table)):
        for measure in measures_of(table):
            for attribute in ("x", "z"):
                assert best_cuts(sample, attribute, measure, minimum) == textbook(sample, attribute, measure, minimum)


@given(numeric_tables(), st.sampled_from([0, 1, 2, Fraction(7, 3)]), st.data())
def test_no_winner_is_lost(table: Table, minimum: Any, data: st.DataObject) -> None:
    """Neither by the estimate nor by the boundary points, with or without a scale, in any part of the sample."""
    sample: Sample = table.sample()
    for _ in range(data.draw(st.integers(0, 2))):
        cuts = list(scanned_cuts(sample, "x"))
        if cuts:
            sample = data.draw(st.sampled_from(sample.split(data.draw(st.sampled_from(cuts)).test)))
    for measure in measures_of(table):
        scale = None
        if measure != "variance_reduction" and data.draw(st.booleans()):
            scale = [data.draw(st.integers(1, 5)) for _ in sample.total()]
        for attribute in ("x", "z"):
            winners = textbook(sample, attribute, measure, minimum, scale)
            for boundaries in (True, False):
                found = finalists(sample, attribute, measure, minimum, scale, boundaries)
                cuts = [finalist.cut for finalist in found]
                assert [cut for cut in cuts if cut in winners] == winners
                near = [finalist.cut for finalist in near_best(found, lambda finalist: finalist.bounds)]
                assert [cut for cut in near if cut in winners] == winners
            every = list(continuous_bisection.cuts(sample, attribute))
            allowed = [cut for cut in every if all(sample.target.weight(row) >= minimum for row in cut.table.rows)]
            assert (found.cuts, found.tries) == (len(every), len(allowed))


@given(numeric_tables(), st.sampled_from([0, 2]))
def test_the_leaders_of_all_attributes(table: Table, minimum: Any) -> None:
    for sample in (table.sample(), Counted(table)):
        for measure in measures_of(table):
            cuts = [cut for name in ("x", "z") for cut in textbook(sample, name, measure, minimum)]
            scores = [score(sample, cut, measure) for cut in cuts]
            winners = [cut for cut, one in zip(cuts, scores, strict=True) if one == max(scores)]
            found = [finalist.cut for finalist in leaders(sample, ("x", "z"), measure, minimum)]
            assert [cut for cut in found if cut in winners] == winners


@given(numeric_tables())
def test_an_estimate_is_off_by_no_more_than_its_slack(table: Table) -> None:
    sample = table.sample()
    for measure in measures_of(table):
        for attribute in ("x", "z"):
            found = finalists(sample, attribute, measure, boundaries=False)
            if not found.tries:
                continue
            unit = sample.ordered(attribute).unit
            grain = sample.ordered(attribute).grain if measure == "variance_reduction" else 1
            flags, estimates, slack, (top, bottom), _ = found.scores
            cuts = list(continuous_bisection.cuts(sample, attribute))
            assert flags.count(1) == len(cuts)
            for estimate, cut in zip(estimates, cuts, strict=True):
                exact = score(sample, cut, measure) * (Fraction(2**32) / unit / grain**2)
                assert Fraction((estimate - slack) * top, bottom) <= exact <= Fraction((estimate + slack) * top, bottom)


def test_where_all_that_is_known_is_of_one_class_all_cuts_tie() -> None:
    """The node is not pure, for rows without a value have other classes; and a value is shared."""
    values = [1, 2, 2.5, 2.5, None, None]
    table = Table.from_columns({"a": values, "y": list("ppppqr")})
    for measure in ("gain", "gini_decrease"):
        assert [cut.test.name for cut in best_cuts(table.sample(), "a", measure)] == ["a<=1.5", "a<=2.25"]
