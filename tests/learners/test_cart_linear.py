"""CART with linear tests: each node against every set of points, costs against weights, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Linear
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Place
from reference_tree.learners.registry import learner_of
from reference_tree.measures.gini_index import gini_decrease
from reference_tree.splitting.linear.oc1 import oc1
from reference_tree.splitting.multivariate_nodes import SEARCHES, LinearCandidate
from reference_tree.tree_document import from_json, to_json
from reference_tree.views.derivation.explain import explain
from tests.every import of_every
from tests.splitting.linear.separating import all_sides, best_sides
from tests.strategies import at_most

MELONS = textbook("watermelon-3.0a")
HEURISTICS = ["cart-lc", "oc1", "lda"]
XOR = Table.from_columns(
    {"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "class": ["no", "yes", "yes", "no"]}, continuous=["x", "y"]
)


@st.composite
def clouds(draw: st.DrawFn, weighted: bool = False) -> Table:
    """A few rows of two small numbers, with two classes: full of ties, of equal rows and of rows on a line."""
    size = draw(st.integers(1, 7))
    small = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    columns: dict[str, list[Any]] = {"a": draw(small), "b": draw(small)}
    columns["w"] = draw(st.lists(st.integers(1, 3) if weighted else st.just(1), min_size=size, max_size=size))
    columns["y"] = draw(st.lists(st.sampled_from("np"), min_size=size, max_size=size))
    return Table.from_columns(columns, weights="w", continuous=["a", "b"])


def inside(decision: Decision) -> set[int]:
    """The sides that win, as sets of points."""
    assert all(isinstance(winner, LinearCandidate) for winner in decision.winners)
    return {winner.split.inside for winner in decision.winners if isinstance(winner, LinearCandidate)}


def squares(parts: Any) -> Fraction:
    """The larger, the less the weighted Gini index."""
    return sum((Fraction(c * c, sum(part)) for part in parts for c in part), Fraction(0))


@given(clouds(weighted=True), st.sampled_from([1, 2, 3]))
def test_at_each_node_the_best_of_all_sets_win(table: Table, minimum: int) -> None:
    learner = CART(branching="linear", min_samples_leaf=minimum)
    tree = learner.grow(table)
    tree.check(table)
    for visit in revisit(tree, learner, table):
        if visit.decision.stop == "pure":
            continue
        points = visit.sample.points(["a", "b"])
        expected = best_sides(points.values, points.rows, squares, minimum) if len(points.values) > 1 else set()
        assert inside(visit.decision) == expected
        assert len(visit.decision.candidates) == len(all_sides(points.values))


@given(clouds(weighted=True), st.sampled_from(["gini", "entropy"]))
def test_a_candidate_is_what_its_test_makes_of_the_sample(table: Table, criterion: Any) -> None:
    learner = CART(branching="linear", criterion=criterion)
    sample = table.sample()
    for candidate in learner.decide(sample).candidates:
        assert isinstance(candidate.test, Linear)
        found = sample.partition(candidate.test)
        assert candidate.table == found
        plain = learner.node_criterion(sample, Place.root(sample)).candidate(candidate.test, found)
        assert plain.scores == candidate.scores
        assert plain.barred == candidate.barred


@at_most(30)
@given(clouds(), st.integers(1, 4), st.integers(1, 4))
def test_priors_are_what_the_same_weights_are(table: Table, n: int, p: int) -> None:
    """To say that a class is k times as common is to say that each of its rows counts k times."""
    counts = {label: sum(1 for row in table.rows() if row["y"] == label) for label in "np"}
    rows = [{**row, "w": n if row["y"] == "n" else p} for row in table.rows()]
    weighted = Table.from_rows(rows, target="y", weights="w", continuous=["a", "b"])
    priors = {label: counts[label] * k for label, k in (("n", n), ("p", p)) if counts[label]}
    by_priors = CART(branching="linear", priors=priors).decide(table.sample())
    assert inside(by_priors) == inside(CART(branching="linear").decide(weighted.sample()))


@at_most(30)
@given(clouds(), st.sampled_from(HEURISTICS))
def test_the_regret_of_a_search_is_what_the_best_line_has_more(table: Table, search: Any) -> None:
    best = CART(branching="linear").decide(table.sample())
    found = CART(branching="linear", search=search).decide(table.sample())
    if found.chosen is None:
        assert search == "lda" or best.chosen is None
        return
    assert best.chosen is not None
    regret = found.evidence["regret"]
    assert regret == best.chosen.scores["gini_decrease"] - found.chosen.scores["gini_decrease"]
    assert regret >= 0


def test_where_the_best_line_is_out_of_reach_nothing_is_said_of_regret() -> None:
    decision = CART(branching="linear", search="lda").decide(textbook("iris").sample())
    assert decision.chosen is not None
    assert dict(decision.evidence) == {}
    with pytest.raises(InputError, match="too many ways to try all of them"):
        CART(branching="linear").grow(textbook("iris"))


def test_numbers_have_lines_too() -> None:
    """The number is 0 below the line x + z = 3 and 1 above it."""
    rows = [{"x": x, "z": z, "y": Fraction(x + z > 3) / 3} for x in range(4) for z in range(4)]
    table = Table.from_rows(rows, target="y", continuous=["y"])
    for criterion in ("squared_error", "absolute_error", "variance_n_minus_1"):
        tree = CART(branching="linear", criterion=criterion).grow(table)
        assert [node.test.name for node in tree.nodes if node.test] == ["x+z<=3.5"]
        tree.check(table)


def test_two_lines_do_for_the_watermelons_what_takes_four_cuts() -> None:
    tree = CART(branching="linear", criterion="entropy").grow(MELONS)
    assert [node.test.name for node in tree.nodes if node.test] == ["99*密度-314*含糖率<=1.852", "密度<=0.3815"]
    cuts = CART(criterion="entropy").grow(MELONS)
    assert sum(1 for node in cuts.nodes if node.test) == 4


def test_the_exclusive_or_takes_two_lines_and_four_of_them_tie() -> None:
    decision = CART(branching="linear").decide(XOR.sample())
    assert [winner.test.name for winner in decision.winners] == ["x-y<=-0.5", "x-y<=0.5", "x+y<=0.5", "x+y<=1.5"]
    assert CART(branching="linear").grow(XOR).accuracy(XOR) == 1
    searching = CART.with_options(branching="linear", zero_gain="stops", search="lda")
    assert searching.decide(XOR.sample()).stop == "no-candidates"


def test_of_three_points_on_a_line_the_middle_one_is_never_alone() -> None:
    table = Table.from_columns({"x": [0, 1, 2], "z": [0, 1, 2], "y": ["n", "p", "n"]}, continuous=["x", "z"])
    tree = CART(branching="linear").grow(table)
    assert [node.test.name for node in tree.nodes if node.test] == ["x<=0.5", "x<=1.5"]


def test_a_category_is_asked_by_its_values() -> None:
    """What one number and one category can only tell together."""
    table = Table.from_columns(
        {"ear": ["oval", "oval", "oval", "pointy", "pointy", "pointy"], "w": [1, 2, 3, 1, 2, 3], "cat": list("nnyyyy")},
        continuous=["w"],
    )
    tree = CART(branching="linear").grow(table)
    assert len(tree.nodes) == 3
    assert tree.accuracy(table) == 1
    assert "[ear=oval]" in tree.nodes[0].test.name if tree.nodes[0].test else False


@of_every(SEARCHES)
def test_a_document_says_who_searched(search: Any) -> None:
    learner = CART(branching="linear", search=search, seed=7)
    tree = learner.grow(MELONS)
    again = from_json(to_json(tree))
    assert again == tree
    assert learner_of(again.grower) == learner
    assert (tree.grower.options["search"], tree.grower.options["seed"]) == (search, 7)
    tree.check(MELONS)


@pytest.mark.slow
def test_a_seed_is_for_every_node_anew() -> None:
    grow = [CART(branching="linear", search="oc1", seed=seed).grow(MELONS) for seed in (0, 0, 1)]
    assert grow[0] == grow[1]
    assert [node.test for node in grow[0].nodes] != [node.test for node in grow[2].nodes]


@pytest.mark.slow
def test_a_node_draws_by_its_path() -> None:
    learner = CART(branching="linear", search="oc1", seed=7)
    tree, met = learner.grow(MELONS), 0
    for visit in revisit(tree, learner, MELONS):
        if visit.decision.chosen is not None:
            chance = Chance(7, tree.path(visit.number).encode())
            found = oc1(visit.sample.points(["密度", "含糖率"]), chance, gini_decrease)
            assert found is not None
            assert found.test == visit.decision.chosen.test
            met += 1
    assert met > 1


def test_a_missing_value_is_refused_in_training_and_has_a_rule_in_prediction() -> None:
    table = Table.from_columns({"x": [0, 1, None], "z": [0, 1, 2], "y": ["n", "p", "p"]}, continuous=["x", "z"])
    with pytest.raises(InputError, match="values of x are missing, and a linear test adds up all of them"):
        CART(branching="linear").grow(table)
    assert CART(branching="linear").grow(table.without(["x"])).accuracy(table.without(["x"])) == 1
    tree = CART(branching="linear").grow(MELONS)
    assert tree.predict({"密度": None, "含糖率": None}) == "是"  # the larger side, at both nodes


@pytest.mark.parametrize("seed", ["1", 1.0, True, None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(ValueError, match="it is a whole number"):
        CART(seed=seed)


@pytest.mark.slow
def test_the_derivation_shows_the_best_lines_and_the_regret() -> None:
    text = explain(CART(branching="linear").grow(XOR), XOR, node="/")
    assert "all attributes: the 6 linear tests" in text
    assert "x-y<=-0.5)   0.166667   chosen of 4 exact ties: of those with the fewest coordinates the first" in text
    assert text.index("x-y<=-0.5 ") < text.index("x+y<=0.5 ")  # the chosen one comes first
    searched = CART(branching="linear", criterion="entropy", search="cart-lc").grow(MELONS)
    assert "The best linear test of all is better by 0.223545 bits." in explain(searched, MELONS, node="/")
    found = CART(branching="linear", search="oc1").grow(MELONS)
    assert "No linear test is better." in explain(found, MELONS, node="/")
    nothing = CART(branching="linear", search="lda").grow(XOR)
    assert "The search finds no line that may divide the rows." in explain(nothing, XOR)


@pytest.mark.parametrize("search", ["exhaustive", "lda"])
def test_light_rows_have_a_line_that_the_bound_forbids(search: Any) -> None:
    columns: dict[str, list[Any]] = {"x": [1, 2], "w": [Fraction(1, 2)] * 2, "y": ["n", "y"]}
    table = Table.from_columns(columns, target="y", weights="w")
    learner = CART(branching="linear", search=search, min_samples_split=0, min_samples_leaf=1)
    assert learner.decide(table.sample()).stop == "min-samples-leaf"


def test_a_search_that_finds_no_line_says_so() -> None:
    """The direction of the discriminant is 0 here, though a cut would divide the rows."""
    table = Table.from_columns({"x": [0, 1, 2, 3], "y": list("abba")})
    learner = CART(branching="linear", search="lda")
    tree = learner.grow(table)
    assert [node.stop for node in tree.nodes] == ["no-candidates"]
    assert "because no line that the search looks at separates its rows" in explain(tree, table)


@of_every(["lda", "oc1", "cart-lc", "exhaustive"])
def test_a_search_whose_lines_are_barred_says_so(search: Any) -> None:
    tree = CART(branching="linear", search=search, min_samples_leaf=9).grow(textbook("watermelon-3.0a"))
    assert [node.stop for node in tree.nodes] == ["min-samples-leaf"]


def test_oc1_draws_lines_where_no_cut_is_allowed() -> None:
    table = Table.from_columns({"x": [0, 0, 1, 0], "z": [0, 0, 0, 1], "y": list("aabb")})
    assert len(CART(branching="linear", search="oc1", min_samples_leaf=2).grow(table).leaves()) == 2


def test_what_is_too_wide_is_refused_before_it_is_gone_through() -> None:
    with pytest.raises(InputError, match="a linear test of 17 coordinates is too wide"):
        CART(branching="linear").grow(textbook("watermelon-2.0"))
    tree = CART(branching="linear", search="lda").grow(textbook("watermelon-2.0"))
    assert "regret" not in explain(tree, textbook("watermelon-2.0"), node="/")
