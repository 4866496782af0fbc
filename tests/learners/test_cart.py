"""CART: figures that books print, ties, bounds, costs, corners. The oracle is in test_cart_by_the_book."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Subset, Threshold
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.cart import CART
from reference_tree.learners.criteria import CRITERIA, LossRule
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.learners.place import Ties
from reference_tree.splitting.binary_subsets import LIMIT
from reference_tree.tree import Tree
from reference_tree.tree_document import from_json, to_json
from reference_tree.views.trees.text import to_text
from tests.every import of_every
from tests.strategies import tables_with_gaps


def names(decision: Decision) -> list[str]:
    return [winner.test.name for winner in decision.winners]


def scores(decision: Decision, score: str) -> dict[str, str]:
    return {c.test.name: decimal(c.scores[score]) for c in decision.candidates if c.scores}


def cats_by_weight() -> Table:
    """The cats, with the weight as the target."""
    rows = [{name: row[name] for name in ("ear", "face", "whiskers", "weight")} for row in textbook("cats").rows()]
    return Table.from_rows(rows, target="weight")


# ------------------------------------------------------------------------------------------------------ printed figures


def test_play_tennis_begins_with_overcast() -> None:
    decision = CART().decide(textbook("play-tennis").sample())
    assert names(decision) == ["outlook in {overcast}"]
    assert decision.winners[0].scores["gini_index"] == Fraction(5, 14)


def test_the_binary_gini_indices_of_the_loan_table() -> None:
    decision = CART(branching="one-vs-rest").decide(textbook("loan").sample())
    expected = {
        "年龄 in {青年}": "0.440000", "年龄 in {中年}": "0.480000", "年龄 in {老年}": "0.440000",
        "有工作 in {否}": "0.320000", "有自己的房子 in {否}": "0.266667",
        "信贷情况 in {非常好}": "0.363636", "信贷情况 in {好}": "0.474074", "信贷情况 in {一般}": "0.320000",
    }  # fmt: skip
    assert scores(decision, "gini_index") == expected
    assert names(decision) == ["有自己的房子 in {否}"]


@pytest.mark.covers("N2 §2.3 choice")
def test_the_multiway_gini_index_of_the_watermelons() -> None:
    decision = CART(branching="multiway").decide(textbook("watermelon-2.0").sample())
    assert decision.chosen is not None
    assert isinstance(decision.chosen.test, Multiway)
    assert (decision.chosen.test.attribute, decimal(decision.chosen.scores["gini_index"])) == ("纹理", "0.277124")


@pytest.mark.covers("N4 Regression Tree", "N4 Regression Tree: prediction", "N4 figure: regression tree")
@pytest.mark.parametrize(
    ("criterion", "reductions"),
    [
        ("squared_error", {"ear": "9.1204", "face": "1.5040", "whiskers": "6.5731"}),
        ("variance_n_minus_1", {"ear": "8.84", "face": "0.64", "whiskers": "6.22"}),
    ],
)
def test_the_regression_tree_of_the_cats(criterion: Any, reductions: dict[str, str]) -> None:
    """The course behind N4 divides by n - 1; the tree is the same."""
    table = cats_by_weight()
    learner = CART(criterion=criterion, max_depth=2)
    decision = learner.decide(table.sample())
    digits = len(next(iter(reductions.values())).partition(".")[2])
    by = CRITERIA[criterion].scores[-1]
    assert {c.test.attribute: decimal(c.scores[by], digits) for c in decision.candidates} == reductions
    tree = learner.grow(table)
    tree.check(table)
    leaves = [tree.nodes[leaf].label for leaf in tree.leaves()]
    assert sorted(decimal(Fraction(mean), 2) for mean in leaves) == ["17.67", "8.35", "9.20", "9.90"]


def test_the_regression_tree_of_li_hang() -> None:
    table = textbook("li-hang-5.2")
    decision = CART().decide(table.sample())
    left = {c.test.name: round(float(c.scores["split_error"]), 4) for c in decision.candidates}
    assert list(left.values()) == [22.648, 17.7022, 12.1935, 7.3787, 3.3587, 5.074, 10.0525, 15.1778, 21.328]
    tree = CART(max_depth=2).grow(table)
    assert [node.test.name for node in tree.nodes if node.test] == ["x<=5.5", "x<=3.5", "x<=7.5"]


def test_least_squares_and_least_distances_need_not_agree() -> None:
    """One number far out draws the cut of the squares to itself."""
    table = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": [0, 0, 0, 3, 3, 30]})
    assert names(CART().decide(table.sample())) == ["x<=5.5"]
    absolute = CART(criterion="absolute_error").grow(table)
    assert absolute.nodes[0].label == Fraction(3, 2)
    assert names(CART(criterion="absolute_error").decide(table.sample())) == ["x<=5.5"]
    nearer = Table.from_columns({"x": [1, 2, 3, 4, 5, 6], "y": [0, 0, 0, 3, 3, 8]})
    assert names(CART().decide(nearer.sample())) == ["x<=5.5"]
    assert names(CART(criterion="absolute_error").decide(nearer.sample())) == ["x<=3.5"]


# ------------------------------------------------------------------------------------------------------ ties and bounds


def test_the_first_of_equal_attributes_then_the_lowest_cut() -> None:
    table = Table.from_columns({"b": [1, 2, 3, 4], "a": [1, 2, 3, 4], "y": list("nyyn")})
    decision = CART().decide(table.sample())
    assert names(decision) == ["b<=1.5", "b<=3.5", "a<=1.5", "a<=3.5"]
    assert decision.chosen is decision.winners[0]
    other = CART(ties=Ties(choose={"/": "a<=3.5"})).grow(table)
    assert other.nodes[0].test == Threshold("a", Fraction(7, 2), (3, 4))


def test_of_equal_sets_the_one_of_smallest_mask() -> None:
    table = Table.from_columns({"a": list("pqrs"), "y": list("nyyn")})
    assert names(CART().decide(table.sample())) == ["a in {q, r}"]
    alike = Table.from_columns({"a": list("pqr") * 2, "y": list("nnnyyy")})
    assert names(CART().decide(alike.sample())) == ["a in {p}", "a in {q}", "a in {p, q}"]


def test_the_margin_counts_neighbouring_thresholds() -> None:
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": list("nnyy")})
    decision = CART().decide(table.sample())
    assert decision.margin == Fraction(1, 2) - Fraction(1, 6)


def every_subset(table: Table) -> dict[frozenset[str], Any]:
    """The decrease of each way to part the values of `a`, computed from the rows; by the side without the last one."""
    count: dict[str, list[Any]] = {}
    for row, weight in zip(table.rows(), table.weighted(), strict=True):
        count.setdefault(str(row["a"]), [0, 0])[str(row["y"]) == "yes"] += weight
    total = [sum(each) for each in zip(*count.values(), strict=True)]

    def squares(row: Any) -> Any:
        return sum(Fraction(c) ** 2 for c in row) / sum(row)

    found = {}
    *values, _ = sorted(count)
    for inside in chain.from_iterable(combinations(values, k) for k in range(1, len(values) + 1)):
        side = [sum(each) for each in zip(*(count[value] for value in inside), strict=True)]
        other = [both - one for both, one in zip(total, side, strict=True)]
        found[frozenset(inside)] = (squares(side) + squares(other) - squares(total)) / sum(total)
    return found


def test_the_margin_counts_the_sets_that_are_no_cuts_of_the_order() -> None:
    """The second best set need not be a cut of Breiman's order, so all of them are listed."""
    weights = {"A": (30, 0), "B": (Fraction(9, 10), Fraction(1, 10)), "C": (8, 2), "D": (0, 30)}
    rows = [(a, y, w) for a, row in weights.items() for y, w in zip(("no", "yes"), row, strict=True) if w]
    a, y, w = map(list, zip(*rows, strict=True))
    table = Table.from_columns({"a": a, "w": w, "y": y}, target="y", weights="w")
    decision = CART(min_samples_split=0, min_samples_leaf=0).decide(table.sample())
    first, second, *_ = sorted(every_subset(table).items(), key=lambda pair: pair[1], reverse=True)
    assert (set(first[0]), set(second[0])) == ({"A", "B", "C"}, {"A", "C"})
    assert decision.runner_up is not None
    assert names(decision) == ["a in {A, B, C}"]
    assert (decision.runner_up.test.name, decision.margin) == ("a in {A, C}", first[1] - second[1])


@given(st.lists(st.tuples(st.sampled_from("pqrst"), st.sampled_from(["no", "yes"])), min_size=2, max_size=14))
def test_every_set_of_values_is_listed(rows: list[tuple[str, str]]) -> None:
    a, y = map(list, zip(*rows, strict=True))
    table = Table.from_columns({"a": a, "y": y})
    decision = CART().decide(table.sample())
    if decision.stop is None:
        expected = every_subset(table) if "yes" in y else {}
        found = {frozenset(c.test.values): c.scores["gini_decrease"] for c in decision.candidates}  # type: ignore[union-attr]
        assert found == expected
        best = max(expected.values())
        others = [score for score in expected.values() if score < best]
        assert decision.margin == (best - max(others) if others else None)


def of_so_many_values(values: int) -> Table:
    return Table.from_columns({"a": [f"v{n:02}" for n in range(values)], "y": list("nyynnny" * 3)[:values]})


@pytest.mark.parametrize(("values", "unlisted"), [(LIMIT, ()), (LIMIT + 1, ("a",))])
def test_beyond_the_limit_not_every_set_is_listed(values: int, unlisted: tuple[str, ...]) -> None:
    assert CART().decide(of_so_many_values(values).sample()).listed_in_part == unlisted
    ordered = CART.with_options(subsets="ordered").decide(of_so_many_values(values).sample())
    assert ordered.listed_in_part == ()  # who tries only the cuts of the order has no others
    assert ordered.margin is not None


@pytest.mark.parametrize(("values", "known"), [pytest.param(LIMIT, True, marks=pytest.mark.slow), (LIMIT + 1, False)])
def test_beyond_the_limit_nobody_knows_the_margin(values: int, known: bool) -> None:
    decision = CART().decide(of_so_many_values(values).sample())
    assert (decision.margin is not None) is (decision.runner_up is not None) is known
    assert len(decision.candidates) == (2 ** (values - 1) - 1 if known else 1)


XOR = Table.from_columns({"a": list("0011"), "b": list("0101"), "y": list("nyyn")}, categorical=["*"])


def test_an_exclusive_or_is_learned_unless_zero_gain_stops() -> None:
    assert len(CART().grow(XOR).nodes) == 7
    assert [node.stop for node in CART.with_options(zero_gain="stops").grow(XOR).nodes] == ["zero-gain"]


def test_a_reduction_below_0_is_no_split() -> None:
    table = Table.from_columns({"a": list("pqpq"), "y": [0, 0, 1, 1]}, continuous=["y"])
    decision = CART(criterion="variance_n_minus_1").decide(table.sample())
    assert (decision.stop, decision.winners[0].scores) == ("epsilon", {"sample_variance_reduction": Fraction(-1, 6)})
    assert CART().decide(table.sample()).stop is None


@pytest.mark.parametrize("hair", [0, Fraction(1, 10**30)])
def test_the_impurity_decrease_is_weighed_by_the_node(hair: Fraction) -> None:
    """The second split takes 1/2 from a node with two of the four rows."""
    table = Table.from_columns({"a": list("ppqq"), "b": list("stst"), "y": list("klmm")})
    tree = CART(min_impurity_decrease=Fraction(1, 4) + hair, branching="multiway").grow(table)
    stops = [node.stop for node in tree.nodes if node.stop]
    assert ("min-impurity-decrease" in stops) == bool(hair)


def test_bounds_as_in_the_books() -> None:
    table = textbook("golf")
    assert max(CART(max_depth=2).grow(table).depths()) == 2
    small = CART(min_samples_split=6, min_samples_leaf=3).grow(table)
    assert all(node.weight >= 3 for node in small.nodes)
    assert all(node.weight >= 6 for node in small.nodes if node.test)
    assert {node.stop for node in small.nodes} <= {None, "pure", "min-samples-split", "min-samples-leaf"}


def test_a_median_is_no_mean_where_the_numbers_add_up_to_0() -> None:
    table = Table.from_columns({"a": list("ppq"), "y": [-3, 1, 2]})
    decision = CART(criterion="absolute_error").decide(table.sample())
    assert (decision.answer.label, decision.total) == (1, (3, 1, 5))


@pytest.mark.parametrize(("rows", "stop"), [(5, "min-samples-split"), (6, None)])
def test_cart_of_1984_divides_no_node_of_five(rows: int, stop: str | None) -> None:
    table = Table.from_columns({"x": list(range(rows)), "y": list("nyyyyy")[:rows]})
    assert CART.like("cart-1984").decide(table.sample()).stop == stop


def test_cart_of_1984_has_surrogates_without_any_gap() -> None:
    table = Table.from_columns({"a": list("pppqqq"), "b": list("sssttt"), "y": list("nnnyyy")})
    assert len(CART.like("cart-1984").decide(table.sample()).missing.surrogates) == 1
    assert CART(min_samples_split=6).decide(table.sample()).missing.surrogates == ()


def test_epsilon_is_held_against_what_a_question_takes_away() -> None:
    table = Table.from_columns({"a": list("pq"), "y": list("ny")})
    assert CART(epsilon=Fraction(1, 2)).decide(table.sample()).stop is None
    assert CART(epsilon=Fraction(1, 2) + Fraction(1, 10**20)).decide(table.sample()).stop == "epsilon"


# ---------------------------------------------------------------------------------------------------- priors and losses


def test_a_leaf_answers_what_costs_least() -> None:
    table = Table.from_columns({"a": ["p"] * 10, "y": ["good"] * 7 + ["bad"] * 3})
    assert CART().grow(table).nodes[0].label == "good"
    assert CART(loss={"bad": {"good": 5}}).grow(table).nodes[0].label == "bad"
    assert CART(priors={"good": 1, "bad": 1}).grow(table).nodes[0].tied == ("bad", "good")


def test_losses_change_the_question_by_altered_priors_alone() -> None:
    """Of two classes the Gini value with costs is a multiple of the plain one: the costs do not reach the question."""
    columns = {"a": list("ppppppqqqq"), "b": list("ssssssssst"), "y": list("gggggbgggb")}
    table, loss = Table.from_columns(columns), {"b": {"g": 4}, "g": {"b": 1}}
    rules: tuple[LossRule, ...] = get_args(LossRule)
    plain = CART().decide(table.sample())
    altered, gini, labels = (CART(loss=loss, losses=how).decide(table.sample()) for how in rules)
    assert names(gini) == names(labels) == names(plain)
    assert altered.winners[0].scores["gini_decrease"] != plain.winners[0].scores["gini_decrease"]
    assert gini.winners[0].scores["gini_decrease"] == Fraction(5, 2) * plain.winners[0].scores["gini_decrease"]


def test_priors_are_those_of_the_whole_table_at_every_node() -> None:
    table = textbook("golf")
    learner = CART(priors={"no": 1, "yes": 1})
    tree = learner.grow(table)
    weights = {"no": Fraction(1, 5), "yes": Fraction(1, 9)}
    for visit in revisit(tree, learner, table):
        counts = dict(zip(("no", "yes"), visit.decision.total, strict=True))
        heavier = max(counts, key=lambda label: counts[label] * weights[label])
        assert tree.nodes[visit.number].label == heavier or tree.nodes[visit.number].tied


@pytest.mark.parametrize("option", [{"priors": {"a": 1}}, {"loss": {"a": {}}}])
def test_numbers_have_neither_priors_nor_losses(option: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="the target weight is continuous: only classes have priors and losses"):
        CART(**option).grow(cats_by_weight())


# -------------------------------------------------------------------------------------------------------------- corners


def grown(learner: CART = CART(), **columns: list[Any]) -> Tree:
    table = Table.from_columns(columns, categorical=["y"])
    tree = learner.grow(table)
    tree.check(table)
    return tree


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_corners_of_classes(criterion: Any) -> None:
    learner = CART(criterion=criterion)
    assert [node.stop for node in grown(learner, x=[1], y=["n"]).nodes] == ["pure"]
    assert [node.stop for node in grown(learner, x=[1, 2], y=["n", "n"]).nodes] == ["pure"]
    assert [node.stop for node in grown(learner, x=[3, 3], y=["n", "y"]).nodes] == ["no-candidates"]
    assert [node.stop for node in grown(learner, a=["p", "p"], y=["n", "y"]).nodes] == ["no-candidates"]
    assert grown(learner, k=[7, 7, 7], x=[1, 2, 3], y=list("nny")).nodes[0].test == Threshold(
        "x", Fraction(5, 2), (2, 3)
    )


def test_an_id_column_wins_with_a_set_of_its_values() -> None:
    """N2 warns of it: of two classes some set of the row numbers is pure, whatever the branching is but one value."""
    table = textbook("play-tennis-id")
    assert [w.test.attribute for w in CART().decide(table.sample()).winners] == ["day"]
    assert [w.test.attribute for w in CART(branching="multiway").decide(table.sample()).winners] == ["day"]
    assert "day" not in {w.test.attribute for w in CART(branching="one-vs-rest").decide(table.sample()).winners}


def test_thirty_classes_and_forty_values() -> None:
    many = grown(x=[n for n in range(30) for _ in range(2)], y=[f"c{n:02}" for n in range(30) for _ in range(2)])
    assert len(many.leaves()) == 30
    forty = [f"v{n:02}" for n in range(40)]
    two = grown(a=forty, y=["n", "y"] * 20)
    assert len(two.nodes) == 3
    three = grown(a=forty, y=["n", "y", "m", "y"] * 10)
    assert len(three.leaves()) == 3
    cells = [(v, c) for v in range(40) for c in range(8) for _ in range((v * 17 + c * c * v * v + c) % 13)]
    with pytest.raises(InputError, match="a has 40 values here, too many to try each subset"):
        grown(a=[forty[v] for v, _ in cells], y=[f"c{c}" for _, c in cells])
    with pytest.raises(InputError, match=r"40 values here, .*; or leave out min_samples_leaf, without which fewer"):
        grown(CART(min_samples_leaf=2), a=forty, y=["n", "y"] * 20)
    one = grown(CART(branching="one-vs-rest"), a=forty, y=["n", "y", "m", "y"] * 10)
    assert all(isinstance(node.test, Subset) for node in one.nodes if node.test)


def test_values_that_differ_in_the_17th_digit_and_beyond_2_to_the_53() -> None:
    close = ["0.12345678901234567", "0.12345678901234568"]
    table = Table.from_columns({"x": close, "y": ["n", "y"]}, continuous=["x"])
    assert CART().grow(table).nodes[0].test == Threshold(
        "x", Fraction("0.123456789012345675"), (Fraction(close[0]), Fraction(close[1]))
    )
    assert len(grown(x=[2**53, 2**53 + 1], y=["n", "y"]).nodes) == 3
    numbers = Table.from_columns({"x": [1, 2], "y": [2**53, 2**53 + 1]})
    assert [node.label for node in CART().grow(numbers).nodes] == [2**53 + Fraction(1, 2), 2**53, 2**53 + 1]


def test_decimals_tie_though_doubles_do_not() -> None:
    table = Table.from_columns({"x": [1, 2, 3], "y": ["0.1", "0.2", "0.3"]}, continuous=["y"])
    assert names(CART().decide(table.sample())) == ["x<=1.5", "x<=2.5"]


def test_weights_of_a_third() -> None:
    third = Fraction(1, 3)
    columns: dict[str, list[Any]] = {"x": [1, 2, 3], "w": [third, third, third], "y": list("nyy")}
    table = Table.from_columns(columns, target="y", weights="w")
    learner = CART(min_samples_leaf=third, min_samples_split=third)
    tree = learner.grow(table)
    tree.check(table)
    assert tree.nodes[0].counts == (third, 2 * third)
    assert len(tree.nodes) == 3
    assert len(CART().grow(table).nodes) == 1


def test_a_value_that_no_row_of_the_node_has_is_with_the_rest() -> None:
    columns: dict[str, list[Any]] = {"a": list("pqr") * 2, "x": [1, 1, 1, 2, 2, 2], "y": list("nnnyny")}
    tree = grown(CART(), **columns)
    assert tree.predict({"x": 2, "a": "q"}) == "n"
    multi = grown(CART(branching="multiway"), a=list("ppppqqqq"), b=list("ssttuust"), y=list("nnyykkkk"))
    assert any(node.stop == "empty" and node.prior for node in multi.nodes)


@given(tables_with_gaps())
def test_a_document_brings_the_tree_back(table: Table) -> None:
    tree = CART(missing="surrogates", always_surrogates=True).grow(table)
    assert from_json(to_json(tree)) == tree


def test_a_regression_tree_has_a_document_and_a_text() -> None:
    for criterion in ("squared_error", "absolute_error"):
        tree = CART(criterion=criterion, max_depth=1).grow(cats_by_weight())
        assert from_json(to_json(tree)) == tree
        assert to_text(tree)


@of_every(["squared_error", "absolute_error", "variance_n_minus_1"])
def test_a_branch_without_rows_answers_with_the_number_above(criterion: Any) -> None:
    columns: dict[str, list[Any]] = {"a": list("ppppqqqq"), "b": list("ssttuust"), "y": [0, 0, 5, 5, 90, 90, 90, 90]}
    table = Table.from_columns(columns)
    tree = CART(criterion=criterion, branching="multiway").grow(table)
    tree.check(table)
    empty = next(number for number, node in enumerate(tree.nodes) if node.stop == "empty")
    above = tree.nodes[tree.parents[empty][0]]
    assert tree.nodes[empty].prior
    assert tree.nodes[empty].label == above.label == Fraction(5, 2)
    assert from_json(to_json(tree)) == tree


def test_unless_told_the_bounds_are_those_of_scikit_learn() -> None:
    """As its documentation has them."""
    cart = CART()
    bounds = cart.max_depth, cart.min_samples_split, cart.min_samples_leaf, cart.min_impurity_decrease
    assert bounds == (None, 2, 1, 0)
