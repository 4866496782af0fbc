"""Remarks of the source documents that no other test is about: what a sentence in passing claims is checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.chance import Chance
from reference_tree.data.points import coordinates_of
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import log
from reference_tree.exact.rounding import decimal
from reference_tree.learners.growing import revisit
from reference_tree.measures.conditional_entropy import conditional_entropy, joint_distribution
from reference_tree.measures.entropy import entropy, entropy_of_distribution, entropy_of_proportion
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.gini_index import gini, gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.pruning.cost_function import cost_function
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.reduced_error import bottom_up
from reference_tree.selection.holdout import error, take
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book
from tests import oracles, strategies
from tests.every import of_every
from tests.strategies import Counts, Partition, fractions

# ------------------------------------------------------------------------------------------------------------ measures


@pytest.mark.covers("N0 CN §1 (2)", "N3 Measuring purity", "N3 Measuring purity: one class", "N2 §2.3 purity")
@given(strategies.counts(smallest=2), st.data())
def test_the_more_even_the_more_mixed(counts: Counts, data: st.DataObject) -> None:
    """Some rows change from a class to a less common one: the sample is more mixed as long as they do not overshoot."""
    i, j = data.draw(st.permutations(range(len(counts))))[:2]
    if counts[i] < counts[j]:
        i, j = j, i
    most = counts[i] - counts[j]
    share = data.draw(fractions(0, 1, max_denominator=12))
    moved = list(counts)
    moved[i], moved[j] = counts[i] - share * most, counts[j] + share * most
    inside = most > 0 and 0 < share < 1
    for impurity in (entropy, gini):
        assert (impurity(moved) > impurity(counts)) == inside
        assert impurity(moved) >= impurity(counts)


@pytest.mark.covers("N0 CN §1 (3)")
@given(strategies.counts())
def test_a_bit_is_ln_2_nats(counts: Counts) -> None:
    with mpmath.workdps(60):
        bits, nats = (oracles.exact_value(entropy(counts, base)) for base in (2, math.e))
        assert abs(bits * mpmath.log(2) - nats) < mpmath.mpf(10) ** -50


@pytest.mark.covers("N3 Entropy: extremes", "N4 Measuring purity: extremes", "N4 Measuring purity: three and three")
@given(fractions(0, 1, max_denominator=40))
def test_two_classes_are_worth_0_when_pure_and_1_when_even(p: Fraction) -> None:
    assert (entropy_of_proportion(p) == 0) == (p in (0, 1))
    assert (entropy_of_proportion(p) == 1) == (p == Fraction(3, 6))


@pytest.mark.covers("N0 CN §2 (3)", "N1 §1.3 empirical")
@given(strategies.partitions())
def test_empirical_entropies_are_those_of_the_estimated_distributions(table: Partition) -> None:
    """Of counts as of the shares that they estimate, and for one answer alone it is the entropy of its rows."""
    joint = joint_distribution(table)
    assert conditional_entropy(table) == conditional_entropy(joint)
    for counts in filter(any, table):
        shares = [Fraction(n, sum(counts)) for n in counts]
        assert conditional_entropy([counts]) == entropy_of_distribution(shares)


@pytest.mark.covers("N2 §2.1 purity", "N0 CN §3 conclusion", "N3 Measuring purity: gain")
@given(strategies.partitions())
def test_an_answer_makes_the_class_surer_on_average_and_not_each_time(table: Partition) -> None:
    whole = [sum(column) for column in zip(*table, strict=True)]
    left = sum(Fraction(sum(row), sum(whole)) * entropy(row) for row in table if any(row))
    assert information_gain(table) == entropy(whole) - left >= 0
    assert any(entropy(row) <= entropy(whole) for row in table if any(row))
    outlook = oracles.crosstab(rt.textbook("play-tennis"), "outlook")
    sunny = next(row for row in outlook if sorted(row) == [2, 3])
    assert (decimal(entropy(sunny), 3), decimal(entropy([5, 9]), 3)) == ("0.971", "0.940")


def numbered(classes: Sequence[int]) -> Partition:
    """The sample partition by the number of the row: one row each, whatever the classes are."""
    k = len(classes)
    return [[int(j == label) for j in range(k)] for label, n in enumerate(classes) for _ in range(n)]


several = strategies.counts(cells=st.integers(0, 8)).filter(lambda counts: sum(counts) > 1)


@pytest.mark.covers("N4 Learning Process: all cats on the left")
@given(strategies.partitions(), st.randoms(use_true_random=False))
def test_a_pure_branch_may_stand_on_either_side(table: Partition, chance: Random) -> None:
    """The gain knows no order of the branches; a branch of ten cats gains all there is, on the left or the right."""
    assert information_gain(chance.sample(table, len(table))) == information_gain(table)
    assert information_gain([[5, 0], [0, 5]]) == information_gain([[0, 5], [5, 0]]) == 1


@pytest.mark.covers("N0 CN §5 overfitting")
def test_a_tree_of_row_numbers_knows_each_row_and_no_other() -> None:
    """A row that was left out is predicted as without any question: 5 of 14 are not of the majority."""
    table = rt.textbook("play-tennis-id")
    with by_the_book():
        assert error(rt.ID3().grow(table), table) == 0
        rest = [[other for other in range(14) if other != row] for row in range(14)]
        missed = [error(rt.ID3().grow(table.take(rows)), table.take([row])) for row, rows in enumerate(rest)]
    assert sum(missed) == 5


@pytest.mark.covers(
    *("N0 CN §5 many values", "N0 EN §2 many values", "N2 §2.2 two causes", "N2 §2.2 ID column"),
    *("N3 Attributes with Many Values: disadvantage", "N3 Attributes with Many Values: penalty"),
    *("N2 §2.2 intrinsic value", "N0 CN §5 large n", "N0 CN §5 ID column"),
)
@given(several)
def test_a_number_of_the_row_gains_all_there_is_and_pays_for_every_branch(classes: Counts) -> None:
    """Whatever the classes are, so the gain comes from splitting alone; the price, log2 of n, grows with n."""
    table, n = numbered(classes), sum(classes)
    assert conditional_entropy(table) == 0
    assert information_gain(table) == entropy(classes)
    assert split_information(table) == log(n) > (log(n - 1) if n > 2 else 0)
    assert gain_ratio(table) == entropy(classes) / log(n)
    halves = [[sum(cells) for cells in zip(*part, strict=True)] for part in (table[::2], table[1::2])]
    assert information_gain(halves) <= information_gain(table)
    assert split_information(halves) <= 1


@pytest.mark.covers("N2 §2.3 ID column")
@given(several)
def test_a_number_of_the_row_leaves_no_gini_index(classes: Counts) -> None:
    assert gini_index(numbered(classes)) == 0 <= gini(classes)


@pytest.mark.covers("N2 §2.3 remedies")
def test_two_remedies_for_the_gini_index_and_one_that_is_none() -> None:
    """Leaving the number out; letting a value stand against the rest. A free choice of values is a number again."""
    table = rt.textbook("play-tennis-id")

    def asked(table: Table, branching: Any) -> str | None:
        test = rt.CART(branching=branching, max_depth=1).grow(table).nodes[0].test
        return None if test is None else test.attribute

    assert gini_index(oracles.crosstab(table, "day")) == 0
    assert asked(table, "multiway") == "day"
    assert asked(table.without(["day"]), "multiway") == "outlook"
    assert asked(table, "one-vs-rest") == "outlook"
    assert asked(table, "subset") == "day"


@pytest.mark.covers(
    *("N3 Information Gain: ear shape", "N3 Information Gain: S_v", "N4 figure: choosing a split"),
    *("N4 Choosing a split: weighted average", "N4 Choosing a split: information gain"),
)
def test_the_ears_of_ten_animals_are_worth_028_bits() -> None:
    """Five have pointy ears, four of them cats; of the five others one is. The course prints 0.28, 0.03 and 0.12."""
    table = rt.textbook("cats-categorical")
    left, right = ([row["cat"] for row in table.rows() if row["ear"] == ear] for ear in ("pointy", "floppy"))
    shares = [Fraction(part.count("yes"), len(part)) for part in (left, right)]
    assert (shares, [len(left), len(right)]) == ([Fraction(4, 5), Fraction(1, 5)], [5, 5])
    assert {decimal(entropy_of_proportion(share), 2) for share in shares} == {"0.72"}
    after = sum(Fraction(5, 10) * entropy_of_proportion(share) for share in shares)
    gains = [information_gain(oracles.crosstab(table, name)) for name in ("ear", "face", "whiskers")]
    assert gains[0] == entropy_of_proportion(Fraction(5, 10)) - after
    assert [decimal(gain, 2) for gain in gains] == ["0.28", "0.03", "0.12"]


# ------------------------------------------------------------------------------------------------------------- learning


@pytest.mark.covers("N1 §1.1 uses")
def test_one_learner_classifies_and_regresses() -> None:
    learner, golf, cats = rt.CART(), rt.textbook("golf"), rt.textbook("cats-regression")
    assert {learner.grow(golf).predict(row) for row in golf.rows()} == {"no", "yes"}
    weights = [Fraction(str(row["weight"])) for row in cats.rows()]
    predicted = [Fraction(str(learner.grow(cats).predict(row))) for row in cats.rows()]
    assert len(set(predicted)) > 2
    assert sum(predicted) == sum(weights), "means of leaves"


@pytest.mark.covers("N4 figure: cats table", "N4 Decision trees model: features", "N4 figure: regression table")
def test_ten_animals_of_three_features_with_two_values_each_and_a_weight() -> None:
    cats, weighed = rt.textbook("cats-categorical"), rt.textbook("cats-regression")
    assert {a.name: len(a.domain) for a in cats.schema.attributes} == {"ear": 2, "face": 2, "whiskers": 2}
    assert [row["cat"] for row in cats.rows()].count("yes") == 5
    assert len(list(cats.rows())) == len(list(weighed.rows())) == 10
    assert (weighed.schema.target.name, weighed.schema.target.values) == ("weight", None)


@pytest.mark.covers("N4 Learning Process: step 1", "N4 Learning Process: step 2", "N4 Learning Process: step 3")
def test_the_root_then_the_left_branch_then_the_right() -> None:
    tree = rt.ID3().grow(rt.textbook("cats-categorical"))
    asked = [(tree.path(number), node.test.name) for number, node in enumerate(tree.nodes) if node.test is not None]
    assert asked[0] == ("/", "ear")
    assert set(asked[1:]) == {("/ear=pointy", "face"), ("/ear=floppy", "whiskers")}


def size_of_the_smallest(rows: Sequence[Mapping[str, Any]], names: frozenset[str]) -> int:
    """The nodes of the smallest multiway tree that gets every row right: all trees are tried."""
    if len({row["y"] for row in rows}) == 1:
        return 1
    sizes = []
    for name in names:
        values = {row[name] for row in rows}
        if len(values) > 1:
            parts = ([row for row in rows if row[name] == value] for value in values)
            sizes.append(1 + sum(size_of_the_smallest(part, names - {name}) for part in parts))
    return min(sizes)


def boolean(function: Sequence[str], bits: int = 3) -> Table:
    columns: dict[str, list[Any]] = {
        f"b{k}": list(column) for k, column in enumerate(zip(*product("01", repeat=bits), strict=True))
    }
    return Table.from_columns({**columns, "y": list(function)}, categorical="*")


@pytest.mark.slow
@pytest.mark.covers("N1 §1.2 heuristic", "N3 ID3 algorithm: greedy")
def test_a_greedy_search_need_not_find_the_smallest_tree_and_often_does() -> None:
    """All 256 functions of three bits. The worst of them is an exclusive or with a bit that promises more."""
    found = []
    for function in product("ny", repeat=8):
        table = boolean(function)
        rows = list(table.rows())
        smallest = size_of_the_smallest(rows, frozenset(a.name for a in table.schema.attributes))
        with by_the_book():
            tree = rt.ID3().grow(table)
        assert tree.accuracy(table) == 1
        found.append(len(tree.nodes) - smallest)
    assert min(found) == 0 < max(found)
    assert found.count(0) > len(found) / 2


def six_bits() -> tuple[Table, Table]:
    """Sixty rows of six bits whose class is the first bit, except one time in four; and all there is."""
    rows = [dict(zip("abcdef", bits, strict=True)) for bits in product("01", repeat=6)]
    every = [{**row, "w": 3 if label == row["a"] else 1, "y": label} for row in rows for label in "01"]
    truth = Table.from_rows(every, "y", weights="w", categorical=[*"abcdef", "y"])
    urn = [row for row, weight in enumerate(truth.weighted()) for _ in range(int(weight))]
    chance = Chance(1, b"a sample")
    drawn = take(truth, [chance.choice(urn) for _ in range(60)])
    return Table.from_rows(list(drawn.rows()), "y", categorical="*"), truth


@pytest.mark.covers("N2 §1 goal", "N1 §1.2 parts")
def test_a_tree_divides_and_conquers_and_foretells_rows_it_has_not_seen() -> None:
    """Three parts: a question is selected at each node, a tree grown, and then pruned."""
    sample, truth = six_bits()
    learner = rt.ID3()
    tree, leaf = learner.grow(sample), rt.ID3(max_depth=0).grow(sample)
    for visit in revisit(tree, learner, sample):
        node = tree.nodes[visit.number]
        assert node.test == (visit.decision.chosen and visit.decision.chosen.test)
        if node.test is not None:  # divided: every row is in one branch
            parts = [tree.nodes[branch].counts for branch in node.branches]
            assert tuple(map(sum, zip(*parts, strict=True))) == node.counts
    pruned = cost_function(tree, 4).tree
    assert len(leaf.nodes) < len(pruned.nodes) < len(tree.nodes)
    assert error(pruned, truth) < error(tree, truth) < error(leaf, truth)


# -------------------------------------------------------------------------------------------------------------- pruning


@pytest.mark.covers("N3 Avoiding Overfitting: pre-pruning")
@of_every([{"max_depth": 1}, {"min_samples_split": 6}, {"epsilon": Fraction(3, 10)}])
def test_a_bound_stops_a_tree_before_it_fits_its_rows(bound: dict[str, Any]) -> None:
    table = rt.textbook("watermelon-2.0")
    full, stopped = rt.ID3().grow(table), rt.ID3(**bound).grow(table)
    assert stopped.accuracy(table) < full.accuracy(table) == 1
    assert len(stopped.nodes) < len(full.nodes)


def questions_of(tree: Tree) -> list[Any]:
    return [node.test for node in tree.nodes if node.test is not None]


@pytest.mark.covers("N2 §3 own remark")
@of_every([0, 1, 3, Fraction(1, 2)])
def test_pruning_can_undo_a_question_and_never_ask_a_better_one(alpha: Fraction) -> None:
    """The day gains all there is of play tennis. Pruned, it is gone or there; the outlook never takes its place."""
    tree = rt.ID3().grow(rt.textbook("play-tennis-id"))
    (day,) = questions_of(tree)
    pruned = cost_function(tree, alpha).tree
    assert questions_of(pruned) == ([day] if 14 * alpha < 14 * entropy([9, 5]) + alpha else [])


MELONS = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")


class Counting(rt.ID3):
    """ID3, which counts what it is asked."""

    asked: int = 0

    def decide(self, *args: Any, **kwargs: Any) -> Any:
        type(self).asked += 1
        return super().decide(*args, **kwargs)


@pytest.mark.covers("N2 §3.1 cost")
def test_pre_pruning_decides_less_in_growing_and_asks_less_in_prediction() -> None:
    training, validation = MELONS
    asked = []
    for validated in (False, True):
        Counting.asked = 0
        learner = Counting()
        tree = PrePruning(learner).grow(training, validation) if validated else learner.grow(training)
        asked.append((Counting.asked, max(tree.path(number).count("/") for number in tree.leaves())))
    (full, deepest), (early, shallow) = asked
    assert early < full
    assert shallow < deepest


@pytest.mark.covers("N2 §3.2 cost")
def test_post_pruning_looks_at_every_node_of_the_full_tree_and_underfits_less() -> None:
    training, validation = MELONS
    full = rt.ID3().grow(training)
    assert sorted(step.number for step in bottom_up(full, validation).steps) == [
        number for number, node in enumerate(full.nodes) if node.test is not None
    ]
    either = boolean("nyyn", 2)
    assert error(PrePruning(rt.ID3()).grow(either, either), either) == Fraction(1, 2)
    assert error(bottom_up(rt.ID3().grow(either), either).pruned, either) == 0


# ------------------------------------------------------------------------------------------------------------- encoding


@pytest.mark.covers("N4 One-hot encoding: neural networks")
def test_a_single_neuron_learns_from_one_hot_coordinates() -> None:
    """The perceptron of Rosenblatt, which ends without mistakes if a line parts the classes; it reads numbers alone."""
    table = rt.textbook("loan")
    coordinates = coordinates_of(table.schema)
    rows = list(table.rows())
    points = [[1, *(int(row[c.attribute] == c.value) for c in coordinates)] for row in rows]
    signs = [1 if row[table.schema.target.name] == table.schema.target.domain[0] else -1 for row in rows]
    weights = [0] * len(points[0])
    for _ in range(200):
        for x, sign in zip(points, signs, strict=True):
            if sign * sum(w * v for w, v in zip(weights, x, strict=True)) <= 0:
                weights = [w + sign * v for w, v in zip(weights, x, strict=True)]
    outputs = [sum(w * v for w, v in zip(weights, x, strict=True)) for x in points]
    assert all(sign * output > 0 for sign, output in zip(signs, outputs, strict=True))
