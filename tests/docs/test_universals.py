"""The ledger of universal sentences: what *Learn* says of every tree, row or table is tried to be refuted.

A sentence with *always*, *never*, *every*, *no*, *all* and the like claims something of cases that the page does not
show. `REFUTING` names for each the tests that try to refute it, by brute force or on random tables; where the package
had none, they stand below. Other sentences with these words say what something is (`MEANING`), or tell of what the
page shows (`SHOWN`), which its blocks assert or record.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.measures.gini_index import gini_index
from reference_tree.measures.information_gain import information_gain
from reference_tree.pruning.cutting import cut
from tests.docs.test_learn import PATH, in_depth, text_of
from tests.docs.test_sentences import flat, sentences
from tests.every import of_every

TESTS = Path(__file__).parents[1]

UNIVERSAL = re.compile(
    r"\b(always|never|every|all|any|no|none|nothing|nobody|cannot|whatever|only if|unlimited)\b", re.IGNORECASE
)
"""What claims something of more cases than are shown."""

HERE = "docs/test_universals.py"

REFUTING: dict[str, dict[str, tuple[str, ...]]] = {
    "measures/entropy": {
        "A class that no row has adds nothing": ("measures/test_entropy.py::test_grouping",),
        "exactly if all rows have one class": (
            "laws.py", "measures/test_entropy.py::test_the_law_of_the_largest_entropy_holds_in_every_base",
        ),
    },
    "measures/conditional_entropy": {
        "Only the average over all answers never exceeds": (
            "measures/test_conditional_entropy.py::test_an_answer_never_makes_the_class_less_certain_on_average",
            "measures/test_conditional_entropy.py::test_one_answer_may_leave_the_class_less_certain_than_before",
        ),
        "It is 0 exactly if every answer has one class": (
            "measures/test_conditional_entropy.py::test_it_is_0_exactly_if_the_answer_determines_the_class",
            f"{HERE}::test_nothing_is_gained_exactly_if_all_parts_have_the_same_shares",
        ),
        "A column of item numbers leaves 0": (f"{HERE}::test_no_question_gains_more_than_a_number_of_each_row",),
    },
    "measures/information_gain": {
        "An attribute that has nothing to do with the class": (
            "measures/test_permuted_labels.py::test_they_are_the_averages_over_all_permutations",
        ),
        "The average over *all* shufflings": (
            "measures/test_permuted_labels.py::test_they_are_the_averages_over_all_permutations",
        ),
    },
    "learners/id3": {
        "has the largest gain possible": (f"{HERE}::test_no_question_gains_more_than_a_number_of_each_row",),
        "*It has no rule for numbers and none for missing values*": (f"{HERE}::test_id3_reports_numbers_and_gaps",),
        "never takes a question back": (f"{HERE}::test_a_tree_of_less_depth_is_the_deeper_tree_cut_off",),
    },
    "measures/gain_ratio": {
        "even where the answers have nothing to do with the class": (
            "measures/test_permuted_labels.py::test_they_are_the_averages_over_all_permutations",
        ),
    },
    "learners/c45": {
        "A number can be cut between any two neighbouring values": (
            "splitting/test_continuous_bisection.py::test_a_cut_lies_halfway_in_every_gap",
        ),
        "When all gains are equal, none is above their average": (
            f"{HERE}::test_no_gain_is_above_an_average_of_equals",
        ),
    },
    "measures/gini_index": {
        "They do not always": ("measures/test_gini_index.py::test_the_index_of_the_books",),
    },
    "learners/cart": {
        "Try every question of two answers": ("learners/test_cart.py::test_every_set_of_values_is_listed",),
        "A gain of 0 is no reason to stop": (
            "learners/test_cart.py::test_an_exclusive_or_is_learned_unless_zero_gain_stops",
        ),
        "if no question parts them": (f"{HERE}::test_a_full_tree_leaves_together_only_what_no_question_parts",),
        "smaller parts look purer": (f"{HERE}::test_parts_are_never_less_pure_than_together",),
    },
    "measures/variance": {
        "Variance is the mean squared error of a leaf": (
            "measures/test_variance.py::test_no_constant_errs_less_than_the_mean",
        ),
        "Three sums tell all you need": (
            "measures/test_variance.py::test_moments_tell_all_there_is_to_know",
        ),
        "Every [cut]": ("splitting/test_continuous_bisection.py::test_the_best_cuts_are_all_those_that_nothing_beats",),
    },
    "splitting/continuous_bisection": {
        "A cut inside a run of rows of one class never gains most": (
            f"{HERE}::test_a_cut_inside_a_run_never_gains_most",
        ),
    },
    "splitting/missing_values": {
        "goes down every branch, a fraction of it in each": (
            "splitting/test_missing_rules.py::test_a_row_that_is_spread_goes_down_every_branch",
        ),
        "Their gain is then multiplied by their share": (
            "splitting/test_missing_values.py::test_the_gain_is_what_n2_writes_out",
        ),
        "never replaced by it": (
            "splitting/test_missing_values.py::test_in_a_tree_weights_are_multiplied_and_never_set_anew",
        ),
    },
    "learners/stopping": {
        "until no question divides the rows of any leaf": (
            f"{HERE}::test_a_full_tree_leaves_together_only_what_no_question_parts",
        ),
        "All these inequalities are strict": (
            "learners/stopping/test_bounds.py::test_as_many_rows_as_a_split_needs_are_enough",
            "learners/stopping/test_bounds.py::test_a_score_of_epsilon_is_enough",
        ),
    },
    "pruning/pre_pruning": {
        "pre-pruning never comes to the next one": ("pruning/test_pre_pruning.py::test_the_horizon_effect",),
        "all four rows are training and validation rows": ("pruning/test_pre_pruning.py::test_the_horizon_effect",),
        "To split when nothing changes helps here": (
            "pruning/test_pre_pruning.py::test_n0_splits_where_nothing_changes",
        ),
    },
    "pruning/reduced_error": {
        "is always a tie": (f"{HERE}::test_a_subtree_that_no_validation_row_reaches_is_a_tie",),
        "there is exactly one smallest and exactly one largest": (
            "pruning/test_reduced_error.py::test_bottom_up_is_the_one_smallest_or_largest_of_the_best_prunings",
        ),
        "There a leaf is never better than the full tree": (
            "pruning/test_reduced_error.py::test_training_accuracy_as_n2_has_it_would_never_prune",
        ),
    },
    "pruning/cost_function": {
        "That finds the cheapest of all prunings": (
            "pruning/test_cost_function.py::test_no_pruning_is_cheaper_and_none_as_cheap_is_smaller",
        ),
        "answers for every α at once": (
            "pruning/test_cost_complexity.py::test_the_tree_for_a_price_is_the_smallest_of_the_cheapest",
        ),
    },
    "pruning/cost_complexity": {
        "finds the best pruning for all prices": (
            "pruning/test_cost_complexity.py::test_the_tree_for_a_price_is_the_smallest_of_the_cheapest",
        ),
        "*All* the weakest links are cut": ("pruning/test_cost_complexity.py::test_all_weakest_links_go_together",),
        "makes every α a fraction": (
            "pruning/test_cost_complexity.py::test_numbers_are_pruned_by_their_squared_error",
        ),
        "one of the cheapest trees is a pruning of all the others": (
            f"{HERE}::test_the_smallest_of_the_cheapest_trees_is_a_pruning_of_the_others",
        ),
    },
    "pruning/error_based": {
        "*all* rows of the node go down the branch": (
            "pruning/test_error_based.py::test_the_leaves_of_a_raised_branch_are_those_to_which_all_rows_of_the_node_come",
        ),
    },
    "splitting/multivariate_nodes": {
        "decided exactly, with all ties": (
            "splitting/test_multivariate_nodes.py::test_the_optimum_is_that_of_all_sets",
        ),
        "that puts all points on one side": (
            "splitting/linear/test_dichotomies.py::test_their_number_in_general_position",
        ),
    },
    "ensembles/bagging": {
        "a row that every tree has seen is left out": (
            "ensembles/test_bagging.py::test_rows_out_of_bag_are_answered_by_trees_that_have_not_seen_them",
        ),
        "which are more than a third of all on average": (
            "ensembles/test_bagging.py::test_the_share_out_of_bag_is_that_of_all_possible_draws",
        ),
        "its expected squared error falls with B": (f"{HERE}::test_a_mean_of_more_trees_errs_less_on_average",),
    },
    "ensembles/boosting_tree": {
        "A tree of unlimited size leaves rows apart": (
            f"{HERE}::test_a_full_tree_leaves_together_only_what_no_question_parts",
        ),
        "no later tree can reduce them": (f"{HERE}::test_no_later_tree_reduces_what_equal_rows_differ_by",),
        "Nothing is rounded: residuals are fractions": ("ensembles/test_boosting_tree.py::test_the_loss_never_rises",),
    },
    "ensembles/gradient_boosting": {
        "for any other loss": ("ensembles/test_derivatives.py::test_a_term_is_both_derivatives",),
    },
    "attribution/shapley": {
        "in the mean over all orders": (
            "attribution/test_shapley.py::test_the_sum_over_subsets_is_the_mean_over_orders",
        ),
        "No other way to divide the answer": ("attribution/test_shapley.py::test_the_laws_alone_determine_the_values",),
        "add the same to every set": (
            "attribution/test_shapley.py::test_efficiency_the_values_add_up_to_what_all_add_to_nothing",
            "attribution/test_shapley.py::test_symmetry_two_that_can_be_exchanged_have_the_same_value",
            "attribution/test_shapley.py::test_dummy_what_adds_nothing_has_nothing",
            "attribution/test_shapley.py::test_linearity_the_values_of_a_sum_are_the_sums_of_the_values",
        ),
    },
    "selection/overfitting": {
        "no hypothesis is wrong less often": ("selection/test_overfitting.py",),
        "Every question beyond that of the stump splits noise": (
            "selection/test_overfitting.py::test_a_full_tree_learns_the_noise_and_a_stump_the_truth",
        ),
    },
    "selection/holdout": {
        "holds out every row once": (
            "selection/test_cross_validation.py::test_every_row_is_in_one_fold_and_no_fold_has_more_than_its_share",
        ),
    },
    "selection/cross_validation": {
        "a tree that splits further is always at least as good": (
            f"{HERE}::test_a_tree_that_splits_further_is_at_least_as_good_on_its_own_rows",
        ),
        "no root is computed": ("pruning/test_choosing_alpha.py::test_one_standard_error_is_decided_by_squares",),
    },
    "learn/is_it_right": {
        "A tree is right when every node is right": ("auditing/test_planted_faults.py",),
        "A tree that asks any of the tied questions is right": ("auditing/test_walk.py",),
        "checks what has to hold for any tree": ("test_invariants.py::test_no_wrong_tree_passes",),
    },
}  # fmt: skip
"""Page → a piece of a universal sentence → the tests that try to refute it."""

MEANING: dict[str, tuple[str, ...]] = {
    "learn/what_is_a_tree": ("There may be no day just like it", "Every tree of this book is grown in the same way"),
    "measures/entropy": ("Hardly at all, if nearly all rows have the same class", "The curve is 0 at both ends"),
    "learners/id3": ("A node is a leaf if its rows have one class",),
    "learners/c45": ("has no rule for numbers and none for missing values", "let a row that does not answer go down"),
    "learners/cart": ("CART asks only questions whose answer is yes or no",),
    "measures/variance": ("there are no classes to count", "A leaf answers with one number for all of its rows"),
    "pruning/reduced_error": ("wherever the leaf gets no more of them wrong", "judged after all those below",
                              "no other rule decides as much", "That promises nothing for other rows"),
    "pruning/pre_pruning": ("Split a node only if the tree gets more",),
    "pruning/cost_function": ("ID3 itself has no such rule",),
    "pruning/cost_complexity": ("Every inner node is a *link*",),
    "ensembles/random_forest": ("and a vote cannot correct them",),
    "attribution/shapley": ("sends the day down all branches", "That is one order out of all"),
    "ensembles/gradient_boosting": ("Every row has a margin", "no penalty and no shrinkage"),
    "selection/overfitting": ("all equally likely",),
    "six_trees": ("scikit-learn has no categories", "writes out every candidate"),
    "pruning/side_by_side": ("None of the five is *the* right one", "derives every decision"),
    "learn/is_it_right": ("The other half of being right needs no measure",),
}  # fmt: skip
"""Page → pieces of sentences that say what something is."""

SHOWN: dict[str, tuple[str, ...]] = {
    "measures/conditional_entropy": ("are *more* evenly mixed than those of all days",),
    "measures/information_gain": ("The last line is the ID column",),
    "learners/id3": ("with any ε above 0 it stops at the root",),
    "measures/gain_ratio": ("in play tennis no attribute reaches it",),
    "learners/c45": ("In Li Hang's book every attribute may compete",),
    "splitting/continuous_bisection": ("have no answer for the next animal",),
    "pruning/reduced_error": ("Here are all the prunings of Zhou's tree",),
    "pruning/cost_function": ("all of them pure", "It leaves no entropy", "A single leaf leaves the entropy of all",
                              "are never the cheapest here"),
    "pruning/error_based": ("The table has every judgement",),
    "pruning/side_by_side": ("disagree about *every* node", "Pre-pruning never comes to the two lowest nodes",
                             "No tree gets more of the seven melons right", "All five give up accuracy"),
    "ensembles/bagging": ("Every decision is the same as with two rows",),
    "ensembles/adaboost": ("they get all ten rows right",),
    "splitting/multivariate_nodes": ("good (yes) and bad (no)",),
    "selection/overfitting": ("in the table it is never better",),
    "learn/is_it_right": ("with the gains of all questions",),
}  # fmt: skip
"""Page → pieces of sentences that tell of what the page shows."""


def universal(page: str) -> list[str]:
    """The sentences of a page that claim something of more cases than are shown; questions claim nothing."""
    text = [one for one in sentences(text_of(page)) if UNIVERSAL.search(one) and not one.endswith("?")]
    return [one for one in text if not re.match(r"\*\*\d+\.\*\*", one)]


def pieces(page: str) -> list[str]:
    """The pieces of a page's sentences that the ledger has."""
    return [*REFUTING.get(page, {}), *MEANING.get(page, ()), *SHOWN.get(page, ())]


@of_every(PATH)
def test_a_universal_sentence_is_tried_to_be_refuted(page: str) -> None:
    known = pieces(page)
    assert [one for one in universal(page) if not any(piece in one for piece in known)] == []


@of_every(PATH)
def test_no_entry_outlives_its_sentence(page: str) -> None:
    there = flat(in_depth(page))
    assert [piece for piece in pieces(page) if piece not in there] == []


def test_the_tests_that_refute_are_there() -> None:
    named = {test for tests in REFUTING.values() for those in tests.values() for test in those}
    for test in sorted(named):
        file, _, name = test.partition("::")
        assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8") if name else (TESTS / file).exists(), test


# Where the package had no such test.

counts = st.lists(st.integers(0, 6), min_size=2, max_size=3).filter(any)
parts = st.integers(2, 3).flatmap(
    lambda classes: st.lists(
        st.lists(st.integers(0, 6), min_size=classes, max_size=classes).filter(any), min_size=1, max_size=4
    )
)
rows = st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abc"), st.sampled_from("pqr")), min_size=1, max_size=12)


def table_of(drawn: list[tuple[int, str, str]]) -> rt.Table:
    """A table of a number, a category and a class."""
    columns: dict[str, list[object]] = {
        "x": [x for x, _, _ in drawn],
        "a": [a for _, a, _ in drawn],
        "y": [y for _, _, y in drawn],
    }
    return rt.Table.from_columns(columns, target="y", continuous=["x"], categorical=["a", "y"])


@given(parts)
def test_nothing_is_gained_exactly_if_all_parts_have_the_same_shares(table: list[list[int]]) -> None:
    shares = {tuple(Fraction(count, sum(row)) for count in row) for row in table}
    assert (information_gain(table) == 0) == (len(shares) == 1)


@given(parts)
def test_no_question_gains_more_than_a_number_of_each_row(table: list[list[int]]) -> None:
    classes = range(len(table[0]))
    alone = [[int(here == there) for there in classes] for row in table for here in classes for _ in range(row[here])]
    assert information_gain(table) <= information_gain(alone)


@given(parts)
def test_parts_are_never_less_pure_than_together(table: list[list[int]]) -> None:
    for one, other in combinations(range(len(table)), 2):
        together = [sum(pair) for pair in zip(table[one], table[other], strict=True)]
        rest = [row for place, row in enumerate(table) if place not in (one, other)]
        assert gini_index(table) <= gini_index([*rest, together])


@given(st.fractions(0, 3), st.integers(1, 6))
def test_no_gain_is_above_an_average_of_equals(gain: Fraction, times: int) -> None:
    gains = [gain] * times
    assert not [one for one in gains if one > sum(gains) / times]


def test_id3_reports_numbers_and_gaps() -> None:
    for column in ([1, 2, 3], ["a", None, "b"]):
        table = rt.Table.from_columns({"x": column, "y": ["p", "q", "q"]}, target="y")
        try:
            rt.ID3().grow(table)
        except rt.InputError:
            continue
        raise AssertionError(f"ID3 grows from {column}")


@given(rows)
def test_a_tree_of_less_depth_is_the_deeper_tree_cut_off(drawn: list[tuple[int, str, str]]) -> None:
    table = table_of(drawn)
    for depth in range(3):
        deep, shallow = rt.CART(max_depth=depth + 1).grow(table), rt.CART(max_depth=depth).grow(table)
        level = [number for number, at in enumerate(deep.depths()) if at == depth and deep.nodes[number].test]
        assert [node.test for node in cut(deep, level).nodes] == [node.test for node in shallow.nodes]


@given(rows)
def test_a_full_tree_leaves_together_only_what_no_question_parts(drawn: list[tuple[int, str, str]]) -> None:
    tree = rt.CART().grow(table_of(drawn))
    of_values: dict[tuple[int, str], set[str]] = {}
    for x, a, y in drawn:
        of_values.setdefault((x, a), set()).add(y)
    for (x, a), classes in of_values.items():
        assert {name for name, share in tree.distribution({"x": x, "a": a}).items() if share} == classes


@given(rows)
def test_a_tree_that_splits_further_is_at_least_as_good_on_its_own_rows(drawn: list[tuple[int, str, str]]) -> None:
    table = table_of(drawn)
    right = [rt.CART(max_depth=depth).grow(table).accuracy(table) for depth in range(5)]
    assert right == sorted(right)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=10))
def test_a_cut_inside_a_run_never_gains_most(drawn: list[tuple[int, bool]]) -> None:
    gains = {}
    values = sorted({x for x, _ in drawn})
    for low, high in pairwise(values):
        left, right = [y for x, y in drawn if x <= low], [y for x, y in drawn if x >= high]
        gains[low, high] = information_gain([[part.count(True), part.count(False)] for part in (left, right)])
    classes = {x: {y for other, y in drawn if other == x} for x in values}
    best = max(gains.values(), default=0)
    for (low, high), gain in gains.items():
        if len(classes[low] | classes[high]) == 1 and best > 0:
            assert gain < best


@given(rows, st.integers(0, 6))
def test_a_subtree_that_no_validation_row_reaches_is_a_tie(drawn: list[tuple[int, str, str]], place: int) -> None:
    table = table_of(drawn)
    tree = rt.CART().grow(table)
    validation = table.take([place % len(table)])
    for number, node in enumerate(tree.nodes):
        if node.test is None:
            continue
        pruned = cut(tree, [number])
        row = dict(zip(("x", "a"), drawn[place % len(table)], strict=False))
        if number not in [stage.number for stage in tree.way(row)]:
            assert pruned.accuracy(validation) == tree.accuracy(validation)


def prunings(tree: rt.Tree, number: int = 0) -> list[frozenset[int]]:
    """All prunings of a small tree: the nodes that become leaves."""
    node = tree.nodes[number]
    if node.test is None:
        return [frozenset()]
    below: list[frozenset[int]] = [frozenset()]
    for child in node.branches:
        below = [one | other for one in below for other in prunings(tree, child)]
    return [frozenset([number]), *below]


@given(rows.filter(lambda drawn: len(drawn) <= 8), st.fractions(0, 1))
def test_the_smallest_of_the_cheapest_trees_is_a_pruning_of_the_others(
    drawn: list[tuple[int, str, str]], price: Fraction
) -> None:
    table = table_of(drawn)
    tree = rt.CART(max_depth=2).grow(table)
    costs = {}
    for leaves in prunings(tree):
        pruned = cut(tree, sorted(leaves))
        costs[leaves] = 1 - pruned.accuracy(table) + price * len(pruned.leaves())
    cheapest = [leaves for leaves, cost in costs.items() if cost == min(costs.values())]
    least = min(cheapest, key=lambda leaves: len(cut(tree, sorted(leaves)).nodes))
    kept = set(range(len(tree.nodes))) - hidden(tree, least)
    assert all(kept <= set(range(len(tree.nodes))) - hidden(tree, other) for other in cheapest)


def hidden(tree: rt.Tree, leaves: frozenset[int]) -> set[int]:
    """The nodes below those that became leaves."""
    pending, found = [child for leaf in leaves for child in tree.nodes[leaf].branches], set()
    while pending:
        found.add(number := pending.pop())
        pending += tree.nodes[number].branches
    return found


@given(st.lists(st.fractions(0, 9, max_denominator=4), min_size=3, max_size=3), st.fractions(0, 9, max_denominator=4))
def test_a_mean_of_more_trees_errs_less_on_average(answers: list[Fraction], truth: Fraction) -> None:
    """Over all draws of trees: the mean of two errs no more than one, of three no more than two."""
    errors = []
    for size in (1, 2, 3):
        draws: list[list[Fraction]] = [[]]
        for _ in range(size):
            draws = [[*draw, answer] for draw in draws for answer in answers]
        errors.append(sum((sum(draw) / size - truth) ** 2 for draw in draws) / len(draws))
    assert errors == sorted(errors, reverse=True)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), min_size=2, max_size=8))
def test_no_later_tree_reduces_what_equal_rows_differ_by(drawn: list[tuple[str, int]]) -> None:
    columns: dict[str, list[object]] = {"x": [x for x, _ in drawn], "y": [y for _, y in drawn]}
    table = rt.Table.from_columns(columns, target="y", continuous=["y"])
    left = Fraction(0)
    for value in {x for x, _ in drawn}:
        targets = [y for x, y in drawn if x == value]
        left += sum((y - Fraction(sum(targets), len(targets))) ** 2 for y in targets)
    for trees in (1, 3):
        grown = rt.BoostingTree(base=rt.CART(), trees=trees).grow(table)
        assert sum((y - Fraction(grown.predict({"x": x}))) ** 2 for x, y in drawn) == left
