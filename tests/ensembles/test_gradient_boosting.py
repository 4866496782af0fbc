"""Gradient boosting: held against an oracle on rows, node by node; printed figures; laws of the loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.questions import Subset, Threshold
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import DerivativeTable
from reference_tree.ensembles.derivatives import given as given_derivatives
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting, fitted
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.rounding import decimal
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import grow, revisit
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree_document import to_json
from reference_tree.tree_document.reading import predictor_from_json
from reference_tree.twins import by_the_book
from tests import boosting_by_the_book as book

Columns: TypeAlias = Mapping[str, Sequence[object]]
LOSSES = {"squared_error": book.squared, "logistic": book.logistic, "softmax": book.softmax}


@st.composite
def tables(draw: st.DrawFn, kind: str = "", rows: int = 10) -> Table:
    """Small tables with numbers, categories, gaps and weights."""
    size = draw(st.integers(3, rows))

    def column(cells: st.SearchStrategy[Any], gaps: bool = True) -> list[Any]:
        return draw(st.lists(st.one_of(cells, cells, st.none()) if gaps else cells, min_size=size, max_size=size))

    kind = kind or draw(st.sampled_from(sorted(LOSSES)))
    labels = {"squared_error": st.integers(-4, 9), "logistic": st.sampled_from("ab"), "softmax": st.sampled_from("abc")}
    y = column(labels[kind], False)
    if kind != "squared_error":
        y[: len("abc") - (kind == "logistic")] = "ab" if kind == "logistic" else "abc"
    columns = {
        "x": column(st.integers(0, 4), draw(st.booleans())),
        "colour": column(st.sampled_from("rgb")),
        "z": column(st.integers(0, 9), False),
        "w": column(st.sampled_from([1, 1, 2, Fraction(1, 2)]), False),
        "y": y,
    }
    categorical = ["colour"] if kind == "squared_error" else ["colour", "y"]
    return Table.from_columns(columns, target="y", weights="w", categorical=categorical, continuous=["x", "z"])


learners = st.builds(
    GradientTree,
    max_depth=st.integers(1, 3),
    reg_lambda=st.sampled_from([1, Fraction(1, 10), 3]),
    min_child_weight=st.sampled_from([0, Fraction(1, 4), 1]),
    rate=st.sampled_from([1, Fraction(3, 10)]),
)


def asked(candidate: Candidate) -> tuple[str, Any]:
    """A question as the oracle names it."""
    test = candidate.test
    if isinstance(test, Subset):
        return test.attribute, test.values[0]
    assert isinstance(test, Threshold)
    return test.attribute, test.interval or "known"


def weighed(table: Table, ensemble: Ensemble, number: int) -> tuple[list[book.Weighed], list[list[Fraction]]]:
    """The rows of a table with their derivatives before a tree, from the answers of the trees of earlier rounds."""
    classes, start = table.schema.target.values, ensemble.start
    margins = [list(map(Fraction, start)) for _ in range(len(table))]
    rows = list(table.rows())
    for place, member in enumerate(ensemble.members[: number // len(start) * len(start)]):
        for margin, row in zip(margins, rows, strict=True):
            margin[place % len(start)] += member.tree.predict(row)  # type: ignore[operator]
    loss = LOSSES["squared_error" if classes is None else "logistic" if len(classes) == 2 else "softmax"]
    ys = [row["y"] if classes is None else classes.index(str(row["y"])) for row in rows]
    derivatives = [loss(y, margin, number % len(start)) for y, margin in zip(ys, margins, strict=True)]
    pairs = zip(rows, table.weighted(), derivatives, strict=True)
    return [book.Weighed(row, book.number(w), g, h) for row, w, (g, h) in pairs], margins


@given(tables(), learners)
def test_every_node_is_that_of_the_book(table: Table, base: GradientTree) -> None:
    learner = GradientBoosting(base=base, trees=2)
    with mpmath.workdps(book.DIGITS):
        ensemble = learner.grow(table)
        decided = learner.decided(ensemble, table)
        for number, (member, (by, data)) in enumerate(zip(ensemble.members, decided, strict=True)):
            rows, _ = weighed(table, ensemble, number)
            check_tree(member.tree, by, data, rows)


def check_tree(tree: rt.Tree, learner: GradientTree, data: DerivativeTable, rows: list[book.Weighed]) -> None:
    penalty, least = book.number(learner.reg_lambda), book.number(learner.min_child_weight)
    names = [attribute.name for attribute in tree.attributes]
    arriving = {0: rows}
    for visit in revisit(tree, learner, data):
        here, node, decision = arriving[visit.number], tree.nodes[visit.number], visit.decision
        g, h = book.sums(here)
        value = -book.number(learner.rate) * g / (h + penalty)
        grid = mpmath.mpf(2) ** -49 + book.EQUAL
        assert abs(book.number(node.label) - value) <= grid
        assert all(abs(book.number(mine) - its) <= grid for mine, its in zip(node.counts[1:], (g, h), strict=True))
        found = book.winners(here, names, penalty, least) if visit.place.depth < (learner.max_depth or 9) else []
        gains = bool(found) and found[0].gain > book.EQUAL
        assert (node.test is not None) == gains
        if found:
            assert [asked(winner) for winner in decision.winners] == [(one.attribute, one.at) for one in found]
            exact = decision.winners[0].score
            assert abs(mpmath.mpf(float(exact)) - found[0].gain) <= 1e-14 * max(1, found[0].gain)
        if node.test is not None:
            chosen = next(one for one in found if (one.attribute, one.at) == asked(decision.chosen))  # type: ignore[arg-type]
            assert node.missing.to == chosen.to
            arriving |= dict(zip(node.branches, chosen.parts, strict=True))


@pytest.mark.slow
@given(tables(), learners)
def test_the_engine_grows_what_the_book_grows(table: Table, base: GradientTree) -> None:
    learner = GradientBoosting(base=base, trees=2, subsample=Fraction(3, 4))
    fast = learner.grow(table)
    with by_the_book():
        assert learner.grow(table) == fast


@pytest.mark.covers("N4 XGBoost: extreme gradient boosting")
def test_table_8_2_of_li_hang() -> None:
    table = rt.textbook("li-hang-8.2")
    stumps = GradientTree(max_depth=1, reg_lambda=0, rate=1, grid=None)
    ensemble = GradientBoosting(base=stumps, trees=6, base_score=0).grow(table)
    cuts = [member.tree.nodes[0].test.threshold for member in ensemble.members]  # type: ignore[union-attr]
    assert [float(cut) for cut in cuts] == [6.5, 3.5, 6.5, 4.5, 6.5, 2.5]
    losses = [10 * ensemble.part(range(m + 1)).mean_squared_error(table) for m in range(6)]
    assert [decimal(loss, 4) for loss in losses] == ["1.9300", "0.8007", "0.4780", "0.3056", "0.2289", "0.1722"]
    assert decimal(Fraction(ensemble.members[1].tree.nodes[1].label), 4) == "-0.5133"


@pytest.mark.slow
@given(
    tables(kind="squared_error"),
    st.builds(
        GradientTree,
        max_depth=st.integers(0, 3),
        reg_lambda=st.sampled_from([0, 1, Fraction(1, 3)]),
        rate=st.sampled_from([1, Fraction(1, 10), Fraction(9, 10)]),
        grid=st.none(),
        gamma=st.sampled_from([0, 2]),
    ),
)
def test_the_training_loss_of_squared_error_never_rises(table: Table, base: GradientTree) -> None:
    ensemble = GradientBoosting(base=base, trees=5).grow(table)
    losses = [ensemble.part(range(m + 1)).mean_squared_error(table) for m in range(5)]
    assert all(after <= before for before, after in pairwise(losses))


@pytest.mark.slow
@given(tables(rows=7), learners, st.data())
def test_weights_are_as_good_as_copies(table: Table, base: GradientTree, data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(table), max_size=len(table)))
    copies = table.take([row for row, n in enumerate(times) for _ in range(n)])
    boosting = GradientBoosting(base=base, trees=2)
    one = boosting.grow(replace(table, weights=times))
    other = boosting.grow(replace(copies, weights=None))
    assert (one.start, one.members) == (other.start, other.members)


@pytest.mark.slow
@given(tables(), st.sampled_from([Fraction(1, 4), 1, 5]))
def test_gamma_takes_back_from_below_what_gains_less(table: Table, gamma: Fraction) -> None:
    base = GradientTree(max_depth=3, min_child_weight=0)
    learner = GradientBoosting(base=base, trees=1)
    ensemble = learner.grow(table)
    data = next(learner.decided(ensemble, table))[1]
    whole = grow(learner.learner(0), data)
    gains = {
        visit.number: visit.decision.winners[0].score for visit in revisit(whole, base, data) if visit.decision.chosen
    }

    def survives(number: int) -> bool:
        """Whether a split stays: it gains enough, or one below it stays."""
        node = whole.nodes[number]
        return node.test is not None and (not gains[number] < gamma or any(map(survives, node.branches)))

    def kept(number: int) -> list[Any]:
        node = whole.nodes[number]
        if not survives(number):
            return [None]
        return [node.test, *(one for branch in node.branches for one in kept(branch))]

    assert [node.test for node in fitted(replace(base, gamma=gamma), data).nodes] == kept(0)


@given(tables(), learners)
def test_a_document_has_all_of_it(table: Table, base: GradientTree) -> None:
    ensemble = GradientBoosting(base=base, trees=2, subsample=Fraction(1, 2)).grow(table)
    written = to_json(ensemble)
    read = predictor_from_json(written)
    assert read == ensemble
    assert to_json(read) == written
    assert ensemble_learner_of(ensemble.grower).grow(table) == ensemble


@given(tables(kind="logistic"))
def test_a_probability_is_the_logistic_function_of_the_margin(table: Table) -> None:
    ensemble = GradientBoosting(base=GradientTree(max_depth=2), trees=2).grow(table)
    for row in table.rows():
        margin = sum((Fraction(member.tree.predict(row)) for member in ensemble.members), Fraction(ensemble.start[0]))
        with mpmath.workdps(50):
            expected = 1 / (1 + mpmath.exp(-book.number(margin)))
        assert float(ensemble.distribution(row)["b"]) == float(expected)
        assert ensemble.predict(row) == ("b" if margin > 0 else "a")


def test_a_start_is_the_best_constant() -> None:
    numbers = Table.from_columns({"x": [1, 2, 3, 4], "y": [1, 1, 1, 2]}, continuous=["y"])
    assert GradientBoosting(trees=1).grow(numbers).start == (Fraction(5, 4),)
    classes = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "b", "b", "b"]})
    (start,) = GradientBoosting(trees=1).grow(classes).start
    with mpmath.workdps(40):
        assert abs(book.number(start) - mpmath.log(3)) <= mpmath.mpf(2) ** -49


@pytest.mark.parametrize(
    ("options", "columns", "message"),
    [
        ({"loss": "logistic"}, {"x": [1, 2], "y": [1, 2]}, "logistic does not suit the target y; say squared_error"),
        ({"loss": "squared_error"}, {"x": [1, 2], "y": ["a", "b"]}, "does not suit the target y; say logistic"),
        ({"loss": "logistic"}, {"x": [1, 2, 3], "y": ["a", "b", "c"]}, "does not suit the target y; say softmax"),
        ({"base_score": 1}, {"x": [1, 2], "y": ["a", "b"]}, "between 0 and 1, and not 1"),
        ({"base_score": Fraction(1, 2)}, {"x": [1, 2, 3], "y": ["a", "b", "c"]}, "leave the base score out"),
        ({"base_score": Fraction(1, 2), "loss": "softmax"}, {"x": [1, 2], "y": ["a", "b"]}, "leave the base score out"),
        ({"base": rt.CART()}, {"x": [1, 2], "y": [1, 2]}, "which cart does not"),
    ],
)
def test_what_does_not_fit_is_refused(options: Mapping[str, Any], columns: Mapping[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        GradientBoosting(**options).grow(Table.from_columns(columns))


def test_irrational_leaves_need_a_grid() -> None:
    table = Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "b"]})
    exact = GradientTree(grid=None)
    with pytest.raises(rt.InputError, match="say a grid"):
        GradientBoosting(base=exact, trees=1).grow(table)
    halves = GradientBoosting(base=exact, trees=1, base_score=Fraction(1, 2)).grow(table)  # which is rational
    assert halves.members[0].tree.nodes[0].counts == (3, Fraction(-1, 2), Fraction(3, 4))


def test_questions_that_send_the_same_cases_tie_though_nothing_is_rational() -> None:
    columns: Columns = {"x": [1, 2, 3, 4, 5], "twin": [2, 1, 4, 3, 5], "y": ["a", "a", "b", "b", "b"]}
    learner = GradientBoosting(base=GradientTree(min_child_weight=0, max_depth=1), trees=2)
    ensemble = learner.grow(Table.from_columns(columns))
    table = Table.from_columns(columns)
    _, (decides, rows) = learner.decided(ensemble, table)
    decision = decides.decide(rows.sample())
    assert [winner.test.name for winner in decision.winners] == ["x<=2.5", "twin<=2.5"]


def test_draws_follow_from_the_seed_and_the_tree() -> None:
    table = rt.textbook("iris")
    learner = GradientBoosting(
        base=GradientTree(max_depth=2, colsample_bytree=Fraction(1, 2), colsample_bynode=Fraction(1, 2)),
        trees=2,
        subsample=Fraction(1, 3),
        seed=1,
    )
    ensemble = learner.grow(table)
    assert [sum(member.drawn or ()) for member in ensemble.members] == [50] * 6
    assert len({member.drawn for member in ensemble.members}) == 6
    for number, member in enumerate(ensemble.members):
        asked_for = {node.test.attribute for node in member.tree.nodes if node.test}
        assert len(asked_for) <= 2
        assert member.tree.grower.options["tree"] == number


def test_a_split_that_gains_just_gamma_stays() -> None:
    columns: Columns = {"x": [1, 2], "g": [1, -1], "h": [1, 1], "y": [0, 0]}
    data = given_derivatives(Table.from_columns(columns, target="y"), "g", "h")  # whose only split gains 1/2 + 1/2
    assert len(fitted(GradientTree(gamma=1), data).nodes) == 3
    assert [node.stop for node in fitted(GradientTree(gamma=Fraction(11, 10)), data).nodes] == ["pruned"]


def test_rows_all_but_surely_predicted_are_still_parted() -> None:
    """With λ = 0 a leaf of one class adds η/p, though g and h, at margins of 10, 20, ..., are soon below any bits."""
    table = Table.from_columns({"x": [1, 2], "y": ["a", "b"]})
    learner = GradientBoosting(base=GradientTree(min_child_weight=0, reg_lambda=0, rate=10), trees=9)
    with by_the_book():
        textbook = learner.grow(table)
    for ensemble in (textbook, learner.grow(table)):
        assert [len(member.tree.nodes) for member in ensemble.members] == [3] * 9
        assert [node.label for node in ensemble.members[-1].tree.nodes[1:]] == [-10, 10]


def test_a_class_without_rows_is_named() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "a"]}).take([0, 2])
    with pytest.raises(rt.InputError, match="no row is of class b; say the base score, the probability of b"):
        GradientBoosting(trees=1).grow(table)
    assert GradientBoosting(trees=1, base_score=Fraction(1, 2)).grow(table).predict({"x": 1}) == "a"


def test_a_probability_is_written_so_that_it_can_be_read() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "a"]})
    shares = GradientBoosting(trees=1).grow(table).distribution({"x": 1})
    assert repr(shares["b"]) == f"<Refined: {float(shares['b']):.9f}>"


def test_several_classes_start_at_the_logarithms_of_their_shares() -> None:
    labels = ["a"] * 16 + ["b"] * 3 + ["c"]
    table = Table.from_columns({"x": [0] * 20, "y": labels})
    even, found = (GradientBoosting(trees=1, class_start=how) for how in ("even", "shares"))
    assert even.start(table, even.loss_for(table.schema.target)) == (0, 0, 0)
    start = found.start(table, found.loss_for(table.schema.target))
    shares = [math.log(share + 1e-6) for share in (0.8, 0.15, 0.05)]
    assert [float(margin) for margin in start] == pytest.approx([each - sum(shares) / 3 for each in shares], abs=1e-12)
    assert "class_start" not in even.written()
    assert GradientBoosting.of(found.written()) == found


def test_alpha_pulls_small_sums_to_nothing() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": [-3, -1, 1, 5]})
    learner = GradientTree(max_depth=1, min_child_weight=0, reg_lambda=0, rate=1, reg_alpha=2)
    (member,) = GradientBoosting(base=learner, trees=1, base_score=0).grow(table).members
    # beside x = 2.5, G is 3 + 1 and -1 - 5; shrunk by 2 and divided by H = 2, that is 1 and -2
    assert [node.label for node in member.tree.nodes] == [0, -1, 2]
    assert GradientTree.read(learner.written()) == learner
