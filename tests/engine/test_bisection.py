"""Bisection: what the engine leaves of the cuts has every textbook winner in it, and the best of them are the same."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.sample import Partition, Sample
from reference_tree.data.table import Table
from reference_tree.data.targets import Values
from reference_tree.engine.bisection import (
    EstimatedCuts,
    boundaries,
    number_of_cuts,
    places,
    promising_cuts,
    scanned,
    values_around,
)
from reference_tree.engine.integer_columns import multiples
from reference_tree.engine.medians import by_values
from reference_tree.engine.square_scans import FEW
from reference_tree.engine.store import Store
from reference_tree.exact.choosing import best
from reference_tree.learners.cart import CART
from reference_tree.measures.absolute_error import absolute_error_reduction
from reference_tree.splitting import continuous_bisection
from reference_tree.splitting.candidate import MEASURES, AbsoluteErrorReduction, TableScore, of_known
from reference_tree.splitting.continuous_bisection import Cut, CutSearch, allowed_cuts
from reference_tree.twins import by_the_book
from tests import strategies
from tests.engine.test_store import stored
from tests.every import of_every
from tests.sample_stores import tables
from tests.strategies import fractions

numbers = st.one_of(
    st.integers(0, 4),
    st.integers(2**53, 2**53 + 5),
    st.integers(0, 9).map(lambda digit: Fraction(10**17 + digit, 10**17)),
    fractions(-2, 2, max_denominator=5),
    st.sampled_from([0.1, 0.2, 0.3, 0.30000000000000004]),
    st.integers(-(2**90), 2**90),
)


@st.composite
def numeric_tables(draw: st.DrawFn, rows: int = 16, numeric: bool | None = None) -> Table:
    """Small tables of three attributes, two of them numbers with gaps and ties; the target of either kind."""
    size = draw(st.integers(1, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        cells = st.one_of(st.none(), cells) if gaps and draw(st.booleans()) else cells
        return draw(st.lists(cells, min_size=size, max_size=size))

    numeric = draw(st.booleans()) if numeric is None else numeric
    classes = st.sampled_from("abcdefg"[: draw(st.integers(2, 5))])
    each = [
        st.just(1),
        st.just(Fraction(2, 3)),
        strategies.weights,
        st.integers(1, 10**30),
        st.sampled_from([0.1, 1.5]),
    ]
    columns = {
        "x": column(st.integers(0, 12)),
        "c": column(st.sampled_from("pq")),
        "z": column(numbers),
        "y": column(numbers if numeric else classes, gaps=False),
        "w": column(draw(st.sampled_from(each)), gaps=False),
    }
    continuous = ["x", "z", "y"] if numeric else ["x", "z"]
    return Table.from_columns(columns, target="y", weights="w", continuous=continuous, categorical=["c"])


OF_CLASSES = ["gain", "gini_decrease", "misclassification_decrease"]
OF_NUMBERS = ["variance_reduction", "sample_variance_reduction"]
minima = st.sampled_from([0, 1, 2, Fraction(7, 3), Fraction(1, 1000), 100])


def judged(table: Table, measure: str) -> tuple[Store, TableScore]:
    """The sample as it is counted for a measure, and the measure."""
    sample = stored(table)
    if measure != "absolute_error_reduction":
        return sample, MEASURES[measure]
    values = tuple(table.schema.numbers["y"])
    return sample.against(Values(values)), of_known(partial(absolute_error_reduction, numbers=values))


def weighed(measure: TableScore, weights: Sequence[int] | None) -> TableScore:
    """The measure of a table in which classes are weighed."""

    def scaled(row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(cell * weight for cell, weight in zip(row, weights or (), strict=True))

    if weights is None:
        return measure
    return lambda t: measure(Partition(t.outcomes, tuple(map(scaled, t.rows)), scaled(t.unknown)))


def textbook(sample: Sample, names: Sequence[str], measure: str, *options: Any) -> list[Cut]:
    with by_the_book():
        return continuous_bisection.promising_cuts(sample, names, CutSearch(measure, *options))


def assert_same_winners(sample: Store, names: Sequence[str], name: str, measure: TableScore, *options: Any) -> None:
    """The fast form answers with some of the cuts, in their order, and the best of both are the same."""
    *_, weights = options if len(options) == 4 else (None,)
    score = weighed(measure, weights)
    found, every = promising_cuts(sample, names, CutSearch(name, *options)), textbook(sample, names, name, *options)
    kept = [cut for cut in every if cut in found]
    assert kept == found
    expected = best(every, lambda cut: score(cut.table))
    assert best(found, lambda cut: score(cut.table)) == expected
    assert len(found) <= len(every)
    fewer = promising_cuts(sample, names, CutSearch(name, *options)._replace(ties=False))
    assert [cut for cut in found if cut in fewer] == fewer
    assert best(fewer, lambda cut: score(cut.table))[:1] == expected[:1]


def parts(sample: Store, seed: int) -> list[Store]:
    """A sample and some parts of it, rows without an answer divided among them."""
    chance, found = random.Random(seed), [sample]
    for _ in range(2):
        cuts = list(continuous_bisection.cuts(found[-1], chance.choice("xz")))
        if cuts:
            share = Fraction(chance.randrange(1, 7), 7)
            found += found[-1].split(chance.choice(cuts).test, Missing(shares=(share, 1 - share)))
    return found


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("measure", OF_CLASSES)
@given(table=numeric_tables(numeric=False), minimum=minima, seed=st.integers(0, 99), data=st.data())
def test_no_winner_is_lost_among_classes(measure: str, table: Table, minimum: Any, seed: int, data: Any) -> None:
    weights = data.draw(st.one_of(st.none(), st.lists(st.integers(1, 5), min_size=7, max_size=7)))
    weights = weights and weights[: len(table.schema.target.domain)]
    gap = data.draw(st.sampled_from([0, Fraction(1, 10**17), 1, Fraction(5, 2)]))
    whole, score = judged(table, measure)
    for sample in parts(whole, seed):
        for names in (["x"], ["z"], ["x", "z"]):
            assert_same_winners(sample, names, measure, score, minimum, gap, 0, weights)


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("measure", [*OF_NUMBERS, "absolute_error_reduction"])
@given(table=numeric_tables(numeric=True), minimum=minima, seed=st.integers(0, 99))
def test_no_winner_is_lost_among_numbers(measure: str, table: Table, minimum: Any, seed: int) -> None:
    minimum = max(1, minimum) if measure == "sample_variance_reduction" else minimum
    whole, score = judged(table, measure)
    for sample in parts(whole, seed):
        for names in (["x"], ["x", "z"]):
            assert_same_winners(sample, names, measure, score, minimum)


@pytest.mark.slow
@given(numeric_tables(numeric=False), st.sampled_from([Fraction(1, 10**6), Fraction(1, 50), Fraction(1, 3), 1]))
def test_a_walk_with_slack_ends_at_the_same_cut(table: Table, slack: Any) -> None:
    """In which each cut has to be better by more than the slack than the one that was kept before it."""
    sample, score = judged(table, "gain")
    for name in "xz":
        ends = []
        for cuts in (promising_cuts(sample, [name], CutSearch("gain", slack=slack)), textbook(sample, [name], "gain")):
            kept: list[Cut] = []
            for cut in cuts:
                if not kept or score(cut.table) > score(kept[-1].table) + slack:
                    kept.append(cut)
            ends.append(kept[-1:])
        assert ends[0] == ends[1]


@given(tables(), minima, st.sampled_from([0, Fraction(1, 10**17), 1, Fraction(5, 2)]), st.integers(0, 99))
def test_as_many_cuts_as_by_the_book(table: Table, minimum: Any, gap: Any, seed: int) -> None:
    sample = stored(table)
    names = [attribute.name for attribute in table.schema.attributes if attribute.values is None]
    for name in names:
        every = list(allowed_cuts(sample, name, minimum, gap))
        assert number_of_cuts(sample, name, minimum, gap) == len(every)
        for part in sample.split(every[seed % len(every)].test) if every else ():
            expected = len(list(allowed_cuts(part, name, minimum, gap)))
            assert number_of_cuts(part, name, minimum, gap) == expected


@pytest.mark.slow
@given(numeric_tables(), st.integers(0, 99))
def test_an_estimate_is_within_its_slack_of_the_score(table: Table, seed: int) -> None:
    """Weight times the score on what is known, in units of weight; but where numbers are too long to be kept."""
    measures = OF_CLASSES if table.schema.target.values else [*OF_NUMBERS, "absolute_error_reduction"]
    for measure in measures:
        whole, score = judged(table, measure)
        for sample in parts(whole, seed):
            minimum = 1 if measure == "sample_variance_reduction" else 0
            for name in "xz":
                found = scan_of(sample, name, measure, minimum, every=True)
                every = list(allowed_cuts(sample, name, minimum))
                assert (found is None) == (not every)
                if found is None:
                    continue
                assert list(found.estimates.values) == sorted_like(found.estimates.values, len(every))
                scale = scale_of(sample, measure)
                for estimate, cut in zip(found.estimates.values, every, strict=True):
                    exact = score(cut.table) * scale / found.estimates.unit
                    assert abs(Fraction(estimate) - exact) <= found.estimates.slack


def scan_of(sample: Store, name: str, measure: str, *options: Any, **more: Any) -> EstimatedCuts | None:
    """What is estimated of one of the attributes."""
    runs = scanned(sample, measure, *options, **more)
    return next((cuts.alone for run in runs for found, cuts in run.located() if found == name), None)


def sorted_like(values: Sequence[int], size: int) -> list[int]:
    assert len(values) == size
    return list(values)


def scale_of(sample: Store, measure: str) -> Fraction:
    """What a score is multiplied by: the weight, in units of weight, and of what the numbers are multiples of."""
    weight = Fraction(sample.target.weight(sample.total())) / Fraction(sample.unit)
    if measure in ("gain", "gini_decrease", "variance_reduction"):
        weight /= 1 << sample.short_weights[1]
    if measure in OF_NUMBERS:
        return weight / Fraction(sample.counted.y_unit) ** 2
    if measure == "absolute_error_reduction":
        return weight / Fraction(multiples(sample.schema.numbers["y"])[1])
    return weight


@of_every(range(4))
def test_the_first_of_equal_cuts_of_one_attribute_among_several(seed: int) -> None:
    """Three classes that read the same from both ends, and more rows than have exact estimates: two cuts are equal."""
    chance = random.Random(seed)
    half = chance.choices("abc", k=FEW)
    columns: dict[str, Sequence[Any]] = {
        "x": chance.sample(range(2 * FEW), 2 * FEW),
        "z": list(range(2 * FEW)),
        "y": half + half[::-1],
    }
    table = Table.from_columns(columns, target="y")
    with by_the_book():
        equal = best(list(allowed_cuts(table.sample(), "z")), lambda cut: MEASURES["gini_decrease"](cut.table))
    assert len(equal) > 1
    first, *_ = promising_cuts(table.sample(), ["z"], CutSearch("gini_decrease", ties=False))
    assert first.test == equal[0].test


@given(numeric_tables())
def test_what_the_engine_has_no_form_for_is_left_to_the_book(table: Table) -> None:
    """A measure of its own, a store of another kind, and values among which some are left out."""
    with by_the_book():
        sample = table.sample()
        names = ["x", "z"]
        every = [cut for name in names for cut in allowed_cuts(sample, name)]
    measure = "gain" if table.schema.target.values else "variance_reduction"
    assert promising_cuts(sample, names, CutSearch(measure)) == every
    assert number_of_cuts(sample, "x") == len(list(allowed_cuts(sample, "x")))
    assert promising_cuts(stored(table), names, CutSearch("generalized_gini_decrease")) == every


# Which cuts there are.


@given(numeric_tables(), minima)
def test_the_places_that_leave_enough_on_both_sides(table: Table, minimum: Any) -> None:
    sample = stored(table)
    for name in "xz":
        run = sample.order(name)
        rows = run.rows
        flags, every = places(sample, run, minimum), places(sample, run)
        assert not rows or every[-1] == flags[-1] == 0
        flags, every = flags[:-1], every[:-1]
        below = [sum(table.weighted()[row] for row in rows[:place]) for place in range(1, len(rows))]
        known = sum(table.weighted()[row] for row in rows)
        enough = [flag and min(side, known - side) >= minimum for flag, side in zip(every, below, strict=True)]
        assert list(map(bool, flags)) == enough


@of_every([4, 5, 10**30])
def test_no_side_reaches_more_than_there_is(minimum: int) -> None:
    sample = stored(Table.from_columns({"x": [1, 2, 3, 4], "y": list("abab")}))
    assert places(sample, sample.order("x"), minimum) == bytes(4)
    assert number_of_cuts(sample, "x", minimum) == 0


def textbook_boundaries(labels: bytes, cuts: bytes) -> set[int]:
    """Fayyad and Irani: a cut, unless all rows of the value below and of the value above are of one class."""
    values = [0]
    for cut in cuts:
        values.append(values[-1] + cut)
    classes = {value: {label for v, label in zip(values, labels, strict=True) if v == value} for value in values}
    return {
        place
        for place, cut in enumerate(cuts, 1)
        if cut and len(classes[values[place - 1]] | classes[values[place]]) > 1
    }


@of_every([2, 3, 4, 5])
def test_no_boundary_is_left_out(size: int) -> None:
    """All of them are there; a few cuts next to a shared value are too. In a sample of one class all cuts are."""
    for labels, cuts in product(product(range(3), repeat=size), product(range(2), repeat=size - 1)):
        for given_labels in (bytes(labels), labels):
            found = boundaries(given_labels, bytes([*cuts, 0]), size)
            twice = boundaries(given_labels * 2, bytes([*cuts, 0]) * 2, size)
            assert twice == found * 2 or len(set(labels)) == 1
            flagged = {place for place, flag in enumerate(found, 1) if flag}
            expected = textbook_boundaries(bytes(labels), bytes(cuts))
            assert expected <= flagged <= {place for place, cut in enumerate(cuts, 1) if cut}
            if not expected:
                assert bool(flagged) == any(cuts)
            elif all(cuts):
                assert flagged == expected


def places_of(columns: Mapping[str, list[Any]], **options: Any) -> list[int]:
    """The places at which cuts of x are estimated."""
    found = scan_of(stored(Table.from_columns(dict(columns))), "x", "gain", **options)
    return [] if found is None else [place for place, flag in enumerate(found.flags, 1) if flag]


def test_a_rule_that_bars_cuts_makes_every_other_count() -> None:
    """Classes 1, 1, 1, 0 with a minimum of 2: the boundary is barred, and the cut in the middle is the best."""
    columns: dict[str, list[Any]] = {"x": [1, 2, 3, 4], "y": list("bbba")}
    assert places_of(columns) == [3]
    assert places_of(columns, minimum=2) == [2]
    assert places_of(columns, every=True) == [1, 2, 3]
    assert places_of(columns, minimum=3) == []


def test_values_that_lie_close_count_as_one() -> None:
    columns: dict[str, list[Any]] = {"x": [0, 1, 5, 6, 9], "y": list("abbba")}
    assert places_of(columns, gap=1) == [2, 4]
    assert places_of(columns, gap=4) == []


@pytest.mark.parametrize(
    ("measure", "labels"),
    [("gain", ("nynynnynnn", "nyynnnnynn")), ("gini_decrease", ("ynnynnynn", "nyynnynnn"))],
)
def test_ties_whose_estimates_differ(measure: str, labels: tuple[str, str]) -> None:
    """Of (7, 3) rows a cut at (4, 3)|(3, 0) gains what (1, 2)|(6, 1) does, and the estimates are a unit apart."""
    rows = sorted(labels[0])
    columns: dict[str, list[Any]] = {"y": rows}
    for name, order in zip("ab", labels, strict=True):
        standing = {label: iter([place for place, here in enumerate(order) if here == label]) for label in "ny"}
        columns[name] = [next(standing[label]) for label in rows]
    sample = stored(Table.from_columns(columns, target="y"))
    found = [scan_of(sample, name, measure) for name in "ab"]
    assert all(one is not None for one in found)
    winners = best(promising_cuts(sample, "ab", CutSearch(measure)), lambda cut: MEASURES[measure](cut.table))
    assert {cut.test.attribute for cut in winners} == {"a", "b"}


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["gini_decrease", "variance_reduction", "absolute_error_reduction"])
def test_of_equal_cuts_the_first_is_kept_alone(measure: str) -> None:
    """Of every table of five rows, and of four of them, which lack a number that the table has."""
    for ys in product([0, 1, 5], repeat=5):
        target = list(map(str, ys)) if measure == "gini_decrease" else list(ys)
        categorical = ["y"] if measure == "gini_decrease" else []
        columns = {"x": [1, 2, 3, 4, 5], "z": [4, 2, 5, 1, 3], "y": target}
        continuous = [] if categorical else ["y"]
        whole = stored(Table.from_columns(columns, "y", categorical=categorical, continuous=continuous))
        for rows in (whole, whole.split(Threshold("x", 4))[0]):
            if len(set(ys[: len(rows.rows)])) == 1:
                continue  # no cut gains anything
            sample: Any = by_values(rows) if measure == "absolute_error_reduction" else rows
            score = MEASURES.get(measure) or AbsoluteErrorReduction(sample.target.numbers)
            every = [(score(cut.table), cut) for cut in textbook(sample, ["x", "z"], measure)]
            expected = best(every, itemgetter(0))[0][1]
            assert promising_cuts(sample, ["x", "z"], CutSearch(measure, ties=False)) == [expected]


def test_where_all_that_is_known_is_of_one_class_all_cuts_tie() -> None:
    """The node is not pure, for rows without a value have other classes; and a value is shared."""
    table = Table.from_columns({"a": [1, 2, 2.5, 2.5, None, None], "y": list("ppppqr")})
    for measure in OF_CLASSES:
        found = promising_cuts(stored(table), ["a"], CutSearch(measure))
        assert [cut.test.name for cut in found] == ["a<=1.5", "a<=2.25"]


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("measure", OF_CLASSES)
def test_some_hundred_rows(measure: str, classes: int) -> None:
    """Attributes that tell more or less of the class, with equal values and without; most cuts are passed over."""
    for seed in range(4):
        chance = random.Random(seed)
        labels = [chance.randrange(classes) for _ in range(300)]
        columns: dict[str, list[Any]] = {"y": [f"c{label}" for label in labels]}
        for name, spread, steps in (("x", 2, 4), ("z", 3, 10**6), ("v", 20, 50)):
            columns[name] = [int((label + spread * chance.random()) * steps) for label in labels]
        sample = stored(Table.from_columns(columns, target="y"))
        assert_same_winners(sample, "xzv", measure, MEASURES[measure])
        found = promising_cuts(sample, "xzv", CutSearch(measure))
        winners = best(found, lambda cut: MEASURES[measure](cut.table))
        assert len(found) < 10 + len(winners)  # mistakes are whole numbers, and many cuts tie


@of_every([("ab", "gain"), ("ab", "gini_decrease"), ((3, 8), "variance_reduction")])
def test_of_two_rows_the_first_cut_is_enough(y: Sequence[Any], measure: str) -> None:
    columns: dict[str, list[Any]] = {
        "same": [1, 1],
        "falling": [3, 2],
        "rising": [1, 5],
        "gap": [None, 1],
        "y": list(y),
        "w": [1, 2],
    }
    sample, score = judged(Table.from_columns(columns, target="y", weights="w"), measure)
    names = ["same", "gap", "falling", "rising"]
    expected = best(textbook(sample, names, measure), lambda cut: score(cut.table))
    assert [cut.test.attribute for cut in expected] == ["falling", "rising"]
    assert promising_cuts(sample, names, CutSearch(measure, ties=False)) == expected[:1]
    assert promising_cuts(sample, names, CutSearch(measure, 2, ties=False)) == textbook(sample, names, measure, 2) == []


@pytest.mark.parametrize("y", ["aabb", "abca", (1, 2, 3, 4)])
@pytest.mark.parametrize("criterion", ["auto", "entropy", "n-1"])
def test_rows_of_next_to_no_weight_are_divided(y: Sequence[Any], criterion: str) -> None:
    """Cut for the estimates, the weights of both rows that answer are 0."""
    names: dict[str, Any] = {"auto": "auto", "entropy": "entropy" if isinstance(y, str) else "auto", "n-1": "auto"}
    if criterion == "n-1" and not isinstance(y, str):
        names["n-1"] = "variance_n_minus_1"
    columns: dict[str, list[Any]] = {"x": [None, 0, 1, None], "w": [1, 1, 1, 2**35], "y": list(y)}
    table = Table.from_columns(columns, target="y", weights="w")
    decision = CART(criterion=names[criterion]).decide(table.sample())
    assert [winner.test.name for winner in decision.winners] == ["x<=0.5"]


@given(st.lists(st.none() | st.integers(0, 6), min_size=1, max_size=9), st.integers(-1, 14), st.booleans(), st.data())
def test_the_values_around_a_threshold(cells: list[Any], twice: int, strict: bool, data: st.DataObject) -> None:
    """Of all rows and of some, whether the table has the threshold as a value or not."""
    table = Table.from_columns({"x": cells, "y": ["p"] * len(cells)}, target="y", continuous=["x"])
    some = data.draw(st.lists(st.integers(0, len(cells) - 1), unique=True))
    test = Threshold("x", Fraction(twice, 2), strict=strict)
    for sample in (table.sample(), stored(table).of(some)):
        assert values_around(sample, test) == continuous_bisection.values_around.__wrapped__(sample, test)  # type: ignore[attr-defined]
