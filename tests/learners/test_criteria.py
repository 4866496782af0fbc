"""Criteria: which one is for which target, integers that bound the exact scores, and priors and losses as options."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Counts, Partition
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import CRITERIA, LOSS, LOSSES, PRIORS, NodeCriterion, criterion_for
from reference_tree.learners.place import Place
from tests.every import of_every
from tests.learners.test_cart_by_the_book import numeric_tables
from tests.strategies import tables_with_gaps

CLASS, NUMBER = Attribute("play", ("no", "yes")), Attribute("weight")


def test_the_usual_criterion_follows_the_target() -> None:
    assert criterion_for("auto", CLASS) is CRITERIA["gini"]
    assert criterion_for("auto", NUMBER) is CRITERIA["squared_error"]


@pytest.mark.parametrize(
    ("name", "target", "message"),
    [
        ("gini", NUMBER, "the target weight is continuous, which gini does not judge; say squared_error or"),
        (
            "absolute_error",
            CLASS,
            "the target play is categorical, which absolute_error does not judge; say gini or entropy or",
        ),
    ],
)
def test_a_criterion_for_another_target_is_refused(name: str, target: Attribute, message: str) -> None:
    with pytest.raises(InputError, match=message):
        criterion_for(name, target)


RULES = st.sampled_from(["stay", "spread", "better-side"])


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("criterion", ["auto", "entropy", "misclassification"])
@given(table=tables_with_gaps(), missing=RULES, branching=st.sampled_from(["subset", "one-vs-rest", "multiway"]))
def test_what_integers_leave_out_is_no_winner(criterion: Any, table: Table, missing: Any, branching: Any) -> None:
    """The winners of all candidates, compared exactly, are those of the few that the bounds leave."""
    assert_same_winners(CART(criterion=criterion, missing=missing, branching=branching), table)


@given(numeric_tables(), RULES, st.integers(0, 3))
def test_the_same_for_numbers(table: Table, missing: Any, minimum: int) -> None:
    assert_same_winners(CART(missing=missing, min_samples_leaf=minimum), table)


@given(tables_with_gaps(), RULES, st.lists(st.integers(1, 5), min_size=3, max_size=3))
def test_the_same_under_priors(table: Table, missing: Any, priors: list[int]) -> None:
    assume(len(table.schema.target.domain) > 1)  # with one class there are no mistakes, and nothing is judged
    given = dict(zip(table.schema.target.domain, priors, strict=False))
    assert_same_winners(CART(missing=missing, priors=given, min_samples_leaf=2), table)


@given(tables_with_gaps(), st.lists(st.integers(0, 3), min_size=6, max_size=6), st.sampled_from(LOSSES))
def test_the_same_with_losses(table: Table, prices: list[int], losses: Any) -> None:
    """Of which some cannot be estimated; classes are no longer alike, and tables that only look alike do not tie."""
    classes = table.schema.target.domain
    pairs = [(right, answer) for right in classes for answer in classes if right != answer]
    loss: dict[str, dict[str, Any]] = {label: {} for label in classes}
    for (right, answer), price in zip(pairs, prices, strict=False):
        loss[right][answer] = price + (answer == classes[0] or right == classes[0])
    assert_same_winners(CART(missing="stay", loss=loss, losses=losses), table)


def assert_same_winners(learner: CART, table: Table) -> None:
    sample = table.sample()
    place = Place.root(sample)
    criterion = learner.node_criterion(sample, place)
    allowed = [candidate for candidate in learner.questions(criterion, place).candidates() if candidate.barred is None]
    scores = [candidate.scores[criterion.measure.scores[-1]] for candidate in allowed]
    best = max(scores, default=None)
    expected = [c.test for c, score in zip(allowed, scores, strict=True) if score == best]
    assert [winner.test for winner in learner.questions(criterion, place).winners()] == expected


def test_scores_may_be_shared_by_tables_that_only_look_alike() -> None:
    """Either attribute parts three known rows from one; of `a` that one is of another class, of `b` it is not."""
    columns: dict[str, list[Any]] = {
        "a": ["p"] * 3 + ["q"] + [None] * 3,
        "b": ["p"] * 3 + [None] + ["q"] + [None] * 2,
        "y": [*list("nnn"), "y", *list("nyy")],
    }
    decision = CART(missing="stay", criterion="entropy").decide(Table.from_columns(columns).sample())
    found = {candidate.test.attribute: candidate.scores["gain"] for candidate in decision.candidates}
    assert found["b"] == 0 < found["a"]
    assert [winner.test.attribute for winner in decision.winners] == ["a"]


def test_classes_that_cost_differently_are_not_alike() -> None:
    """Either attribute takes one row of two classes out; to take k for l is dear."""
    columns = {"a": list("pqpqqq"), "b": list("pqqqpq"), "y": list("kkllmm")}
    loss: dict[str, dict[str, Any]] = {"k": {"l": 9}, "l": {"k": 9}}
    sample = Table.from_columns(columns).sample()
    assert [winner.test.attribute for winner in CART().decide(sample).winners] == ["a", "b"]
    decision = CART(loss=loss, losses="generalized-gini").decide(sample)
    scores = {c.test.attribute: c.scores["gini_decrease"] for c in decision.candidates}
    assert scores["a"] != scores["b"]
    assert len(decision.winners) == 1


def test_the_variance_of_the_course_needs_a_whole_row() -> None:
    columns: dict[str, list[Any]] = {"x": [1, 2, 3], "w": [Fraction(1, 2), 2, 2], "y": [1, 2, 3]}
    table = Table.from_columns(columns, target="y", weights="w")
    decision = CART(criterion="variance_n_minus_1", min_samples_leaf=0).decide(table.sample())
    assert [candidate.barred for candidate in decision.candidates] == ["min-samples-leaf", None]


@pytest.mark.parametrize(("share", "splits"), [(Fraction(1, 2), True), (Fraction(1, 2) + Fraction(1, 10**9), False)])
def test_the_decrease_of_numbers_is_weighed_by_rows(share: Fraction, splits: bool) -> None:
    """At the second node two of four rows lie 1 from their mean; no other sum is their weight."""
    table = Table.from_columns({"a": list("ppqq"), "b": list("stst"), "y": [9, 11, 90, 90]})
    tree = CART(min_impurity_decrease=share).grow(table)
    assert ("min-impurity-decrease" not in [node.stop for node in tree.nodes]) is splits


def test_rows_of_less_weight_than_1_are_divided_where_no_bound_forbids_it() -> None:
    table = Table.from_columns({"a": list("pq"), "w": ["1/2", "1/2"], "y": list("ny")}, target="y", weights="w")
    assert CART(min_samples_leaf=0, min_samples_split=0).decide(table.sample()).stop is None
    assert CART(min_samples_leaf=1, min_samples_split=0).decide(table.sample()).stop == "min-samples-leaf"


def test_the_best_cut_by_losses_is_not_that_of_the_plain_index() -> None:
    """The plain index cuts the m off; but it is dear to take l for k."""
    table = Table.from_columns({"x": [0, 1, 2, 3], "y": list("mlkl")})
    assert [winner.test.name for winner in CART().decide(table.sample()).winners] == ["x<=0.5"]
    dear: dict[str, dict[str, Any]] = {"k": {"l": 9}, "l": {"k": 9}}
    decision = CART(loss=dear, losses="generalized-gini").decide(table.sample())
    assert [winner.test.name for winner in decision.winners] == ["x<=2.5"]


def test_a_row_without_an_answer_bears_on_a_cut_though_all_such_rows_are_of_one_class() -> None:
    """The y without a number joins the better side: 2 n against 1 n and 3 y, or 3 n and 1 y against 2 y."""
    table = Table.from_columns({"x": [3, 4, 1, 0, 0, None], "y": list("nyynny")})
    decision = CART.with_options(missing="better-side").decide(table.sample())
    assert [winner.test.name for winner in decision.winners] == ["x<=0.5", "x<=3.5"]


def criterion_at_the_root(missing: Any) -> NodeCriterion:
    sample = Table.from_columns({"a": ["p", "q", None], "y": list("nyy")}).sample()
    return CART(missing=missing).node_criterion(sample, Place.root(sample))


def partition(*rows: Counts, unknown: Counts) -> Partition:
    return Partition((), rows, unknown)


def test_rows_are_counted_in_by_the_known_ones_where_there_are_any() -> None:
    """Of three rows with a missing value two go where two of the three others went; an empty branch gets none."""
    criterion = criterion_at_the_root("spread")
    assert criterion.counted(partition((2, 0), (0, 0), (0, 1), unknown=(3, 0))).rows == ((4, 0), (0, 0), (1, 1))
    for as_it_is in (partition((0, 0), (0, 0), unknown=(1, 2)), partition((2, 0), (0, 1), unknown=(0, 0))):
        assert criterion.counted(as_it_is) is as_it_is


def test_of_sides_that_are_equally_good_unknown_rows_take_the_last() -> None:
    """One row of each class on either side: to exchange the classes exchanges the sides."""
    found = criterion_at_the_root("better-side").counted(partition((1, 0), (0, 1), unknown=(1, 1)))
    assert found.rows == ((1, 0), (1, 2))


# Priors and losses as options.


@of_every([{"priors": {"a": -1}}, {"loss": {"a": {"b": -1}}}, {"priors": {"a": float("nan")}}])
def test_what_is_no_cost_is_refused(options: Any) -> None:
    with pytest.raises(ValueError, match=r"is not negative|finite"):
        CART(**options)


def test_a_prior_and_a_loss_may_be_0() -> None:
    learner = CART(priors={"no": 0, "yes": 1}, loss={"no": {"yes": 0}})
    assert (learner.priors, learner.loss) == ({"no": 0, "yes": 1}, {"no": {"yes": 0}})


@of_every([{"priors": {"a": 1}}, {"priors": "1"}, {"loss": {"a": "1"}}, {"loss": {"a": 1.5}}])
def test_a_document_writes_costs_as_text(written: Any) -> None:
    with pytest.raises(InputError, match="these are not the options of cart"):
        CART.of({**CART().grower().options, **written})


@pytest.mark.parametrize("option", [PRIORS, LOSS])
def test_no_costs_are_written_as_null(option: Any) -> None:
    assert option.read(None) is None
    with pytest.raises(ValueError, match="1 is not the text of a number"):
        option.read({"a": 1})


def test_numbers_may_be_given_as_text() -> None:
    """No float is a third, and a tree document holds texts as well."""
    priors: Any = {"bad": "1/3", "fair": "0.25", "good": "5/12"}
    loss: Any = {"bad": {"good": "5/2"}}
    learner = CART(priors=priors, loss=loss)
    assert learner.priors == {"bad": Fraction(1, 3), "fair": Fraction(1, 4), "good": Fraction(5, 12)}
    assert learner.loss == {"bad": {"good": Fraction(5, 2)}}
    assert CART.of(learner.grower().options) == learner


@of_every(
    [
        ({"priors": {"no": "half"}}, "a prior of no: 'half' is not a number"),
        ({"priors": {"no": None}}, "a prior of no: None is not a number"),
        ({"priors": {"no": [1]}}, r"a prior of no: \[1\] is not a number"),
        ({"priors": {"no": float("nan")}}, "a prior of no: nan is not a finite number"),
        ({"priors": 5}, "a prior is given for each class by its name, not as 5"),
        ({"loss": [1]}, r"a loss is given for each class and prediction by their names, not as \[1\]"),
        ({"loss": {"no": 5}}, "a loss is given for each class by its name, not as 5"),
        ({"loss": {"no": {"yes": "dear"}}}, "a loss of yes: 'dear' is not a number"),
    ]
)
def test_what_is_no_number_is_refused_in_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CART(**options)
