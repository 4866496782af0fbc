"""Pruning by costs: what is shown is true, and is what decided."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given

import reference_tree as rt
from reference_tree.exact.rationals import rational
from reference_tree.pruning.choosing_alpha import PathPruning, choose
from reference_tree.pruning.cost_complexity import pruning_path, weakest_links
from reference_tree.pruning.cost_function import CostPruning, cost, cost_function
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.record import perform
from reference_tree.selection.cross_validation import folds
from reference_tree.selection.holdout import divided
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import Decided, Equation, Equations, Sentence
from reference_tree.views.derivation.cost_pruning import (
    bound,
    costs,
    fold_tables,
    links,
    links_legend,
    path_legend,
    path_table,
)
from reference_tree.views.derivation.notation import opened, text
from reference_tree.views.derivation.prunings import derive_pruning
from reference_tree.views.derivation.writers.text import write
from tests.every import of_every
from tests.pruning.prunings import small_trees
from tests.strategies import at_most, fractions
from tests.views.arithmetic import evaluated
from tests.views.checked import contradictions, relations
from tests.views.pruned import BY_ENTROPY, BY_GINI, FULL, NODE_2, PATH, RPART, TRAINING


def equations(part: Decided) -> Iterator[Equation]:
    for block in part.blocks:
        if isinstance(block, Equations):
            yield from block.lines


def sentences(part: Decided) -> str:
    return " ".join(block.text for block in part.blocks if isinstance(block, Sentence))


@given(small_trees(), fractions(0, 4, max_denominator=4))
@at_most(40)
def test_both_costs_are_worked_out_as_they_were_found(tree: Tree, alpha: Fraction) -> None:
    found = cost_function(tree, alpha)
    parts = list(costs(tree, found, alpha))
    assert len(parts) == len(found.weighings)
    for part, (number, leaf, subtree, pruned) in zip(parts, found.weighings, strict=True):
        as_leaf, as_tree = equations(part)
        assert part.nodes == {number}
        assert (as_leaf.worked.value, as_tree.worked.value) == (leaf, subtree)
        for line in (as_leaf, as_tree):
            assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value), abs=2e-5)
        assert ("stays" in sentences(part)) != pruned


def test_the_cost_of_what_is_left_is_that_of_its_leaves() -> None:
    found = cost_function(FULL, Fraction(7, 5))
    *_, root = costs(FULL, found, Fraction(7, 5))
    _, as_tree = equations(root)
    below = cut(FULL, [one.node for one in found.weighings if one.pruned and one.node])
    assert as_tree.worked.value == cost(below, Fraction(7, 5)) == 11
    assert text(opened(as_tree.worked)) == "0 + 2·0 + 4·1 + 1.4·5"


def test_a_tie_is_said_to_be_one() -> None:
    tree = rt.ID3().grow(rt.Table.from_columns({"a": list("uv"), "y": ["no", "yes"]}))
    found = cost_function(tree, 2)
    (part,) = costs(tree, found, 2)
    assert sentences(part) == "4 = 4: both cost the same, and the node becomes a leaf."


# Cost-complexity.


@of_every([PATH, BY_GINI, BY_ENTROPY])
def test_risks_and_g_are_worked_out_as_they_were_found(record: dict[str, str]) -> None:
    found = perform(FULL, record).found
    assert isinstance(found, PathPruning)
    risks, *rounds = links(found, rational(record["alpha"]))
    expected = {f"R({FULL.path(link.node)})": link.leaf for link in weakest_links(FULL, (), found.profile, found.risk)}
    assert {line.symbol.text: line.worked.value for line in equations(risks)} == expected
    gone: frozenset[int] = frozenset()
    for part, step in zip(rounds, [one for one in found.path.steps if one.weakest], strict=False):
        left = weakest_links(FULL, gone, found.profile, found.risk)
        lines = {line.symbol.text: line.worked.value for line in equations(part)}
        below = {f"R(T_{FULL.path(link.node)})": link.subtree for link in left}
        assert all(below[name] == lines.pop(name) for name in below if name in lines)
        assert lines == {f"g({FULL.path(link.node)})": link.g for link in left}
        assert part.nodes == {link.node for link in left}
        gone |= frozenset(step.weakest)
    for line in (line for part in (risks, *rounds) for line in equations(part)):
        assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value), abs=2e-5)
    assert ["the weakest link" in sentences(part) for part in rounds] == [True, False]
    assert sentences(rounds[-1]).endswith("nothing more is cut.")


def test_the_last_round_compares_the_least_g_with_alpha() -> None:
    found = perform(FULL, PATH).found
    assert isinstance(found, PathPruning)
    *_, first, last = links(found, Fraction(1, 20))
    assert sentences(first) == (
        "The least is 1/20 = 0.05; the weakest links are cut together: /脐部=凹陷, /脐部=稍凹/根蒂=稍蜷. "
        "4 leaves are left, R(T) = 1/5 = 0.2."
    )
    assert sentences(last) == "The least is above the price of a leaf, 0.1 > 0.05: nothing more is cut."


def test_one_weakest_link_is_one_and_of_two_the_lower_is_named_too() -> None:
    """By hand: without its part 色泽=乌黑 the root saves 0.4 by 4 leaves, as much for each as 色泽=青绿."""
    tree = rt.ID3().grow(TRAINING)
    found = perform(tree, {**PATH, "alpha": "1/10"}).found
    assert isinstance(found, PathPruning)
    _, first, second = links(found, Fraction(1, 10))
    least = "The least is 1/20 = 0.05; the weakest link is cut: /色泽=乌黑."
    assert sentences(first) == f"{least} 5 leaves are left, R(T) = 1/10 = 0.1."
    assert sentences(second) == (
        "The least is 1/10 = 0.1; the weakest links are cut together: /, /色泽=青绿 (below /). "
        "1 leaf is left, R(T) = 1/2 = 0.5."
    )


def test_the_sequence_says_what_its_letters_mean() -> None:
    found, once = perform(FULL, PATH).found, perform(rt.CART().grow(TRAINING), RPART).found
    assert isinstance(found, PathPruning)
    assert isinstance(once, PathPruning)
    assert [symbol.text for symbol, _ in path_legend(found).lines] == ["α", "leaves", "R(T)", "link"]
    assert [symbol.text for symbol, _ in path_legend(once).lines] == ["α", "leaves", "R(T)"]  # no links are cut there


def test_a_part_of_the_subtree_that_gets_nothing_wrong_counts_nothing() -> None:
    """Under node 2 every leaf is pure, so R(T_t) is 0 there, while R(t) is not."""
    found = perform(FULL, PATH).found
    assert isinstance(found, PathPruning)
    _, first, __ = links(found, Fraction(1, 20))
    shown = {line.symbol.text: text(opened(line.worked)) for line in equations(first)}
    assert shown[f"g({NODE_2})"] == "(0.1 − 0) / 2"
    assert shown["g(/)"] == "(0.5 − 0) / 7"


def test_numbers_have_their_squared_error_for_a_risk() -> None:
    sizes = rt.Table.from_columns({"x": [1, 2, 3, 4], "y": [1, 1, 5, 9]})
    tree = rt.CART().grow(sizes)
    found = perform(tree, {**PATH, "alpha": "3"}).found
    assert isinstance(found, PathPruning)
    risks, *_ = links(found, 3)
    assert [line.worked.value for line in equations(risks)] == [11, 2]


def test_a_tree_that_asks_nothing_has_nothing_to_work_out() -> None:
    leaf = rt.ID3(max_depth=0).grow(rt.textbook("loan"))
    found = perform(leaf, PATH).found
    assert isinstance(found, PathPruning)
    assert list(links(found, 0)) == []
    empty = perform(leaf, {"method": "cost-function", "alpha": "1"}).found
    assert isinstance(empty, CostPruning)
    assert list(costs(leaf, empty, 1)) == []


# One standard error.


@of_every([0, 1, 2])
def test_the_bound_of_standard_errors_is_worked_out(standard_errors: int) -> None:
    """By hand, of 150 rows with losses of 0 and 1: SE = √(R(1 - R)/150), and a tree within R + m·SE passes."""
    iris = rt.textbook("iris")
    choice = choose(rt.C45().grow, iris, folds(iris, 5, seed=1), standard_errors=standard_errors)
    page = "\n".join(write(bound(choice)))
    assert not contradictions(page)
    assert len(list(relations(page))) >= 3
    assert "α'_k = √(α_k·α_{k+1})" in page  # at which the trees of the folds are pruned
    least = float(choice.estimates[choice.best].risk)
    limit = least + standard_errors * sqrt(least * (1 - least) / 150)
    shown = re.search(r"^R \+ m·SE = .* ≈ (\S+)$", page, re.MULTILINE)
    assert shown
    assert float(shown[1]) == pytest.approx(limit, abs=1e-6)
    fates = [row[5] for row in path_table(choice.path, choice).rows]
    passing = [number for number, one in enumerate(choice.estimates) if float(one.risk) <= limit + 1e-12]
    assert [number for number, fate in enumerate(fates) if "least" in fate or "within" in fate] == passing
    assert fates[max(passing)].endswith("chosen")
    assert f"{choice.estimates[choice.chosen].step.leaves} leaves, α from" in page


def test_losses_of_numbers_have_a_mean_square_of_their_own() -> None:
    """Against the losses themselves: SE² = (Σ l⁴/n - R²)/n, l being the distances of the rows."""
    table = rt.Table.from_columns({"x": list(range(12)), "y": [0, 1, 0, 2, 9, 8, 9, 7, 3, 3, 4, 3]})
    choice = choose(rt.CART().grow, table, folds(table, 3, seed=0))
    page = "\n".join(write(bound(choice)))
    assert not contradictions(page)
    assert [table.head[-1] for table in fold_tables(choice)] == ["squared"] * 3
    assert re.search(r"^S +=? *\(.*\) / 12", page, re.MULTILINE)
    assert float(re.search(r"^SE .* ≈ (\S+)$", page, re.MULTILINE)[1]) == pytest.approx(  # type: ignore[index]
        sqrt(choice.estimates[choice.best].squared_standard_error), abs=1e-6
    )


@pytest.mark.parametrize("profile", ["cart-1984", "rpart"])
def test_a_reader_can_recompute_the_cross_validated_error(profile: str) -> None:
    """From the tables of the folds alone: the stated tree is that of α', and the losses add up to R^CV."""
    iris = rt.textbook("iris")
    choice = choose(rt.CART().grow, iris, folds(iris, 4, seed=2), profile=profile)
    page = "\n".join(write(bound(choice, in_full=True)))
    assert not contradictions(page)
    tables = list(fold_tables(choice))
    assert all(table.title in page for table in tables)
    assert len(tables) == 4
    means = [float(row[1].replace("∞", "inf")) for row in tables[0].rows]
    alphas = [float(step.alpha) for step in choice.path.steps]
    assert means == pytest.approx([*(sqrt(low * high) for low, high in pairwise(alphas)), float("inf")], abs=1e-6)
    for k, estimate in enumerate(choice.estimates):
        assert sum(Fraction(table.rows[k][4]) for table in tables) / 150 == estimate.risk
        assert re.search(rf"^R\^CV\(T_{k + 1}\) += \(.*\) / 150 = ", page, re.MULTILINE)


def test_the_losses_of_a_fold_are_those_of_the_trees_it_names() -> None:
    """Each tree grown anew, pruned at a price between its own α and the next, and asked row by row."""
    iris = rt.textbook("iris")
    held_out = folds(iris, 3, seed=4)
    choice = choose(rt.CART().grow, iris, held_out)
    for fold, table in zip(held_out, fold_tables(choice), strict=True):
        split = divided(iris, fold)
        path = pruning_path(rt.CART().grow(split.training))
        assert table.title.startswith("Fold v = ")
        assert f" {len(fold)} rows" in table.title
        for _, mean, alpha, leaves, lost in table.rows:
            price = float(mean.replace("∞", "inf"))
            (step,) = [one for one in path.steps if str(one.alpha) == alpha]
            assert float(step.alpha) <= price + 1e-6
            assert all(float(one.alpha) > price - 1e-6 for one in path.steps if one.alpha > step.alpha)
            tree = path.at(step)
            assert len(tree.leaves()) == int(leaves)
            wrong = [tree.predict(row) != row["species"] for row in split.validation.rows()]
            assert sum(wrong) == Fraction(lost)


def test_prices_in_two_units_are_both_named() -> None:
    """The cp of rpart is a share of the risk of the root, and cross-validation compares prices per row."""
    iris = rt.textbook("iris")
    tree = rt.CART().grow(iris)
    choice = choose(rt.CART().grow, iris, folds(iris, 5, seed=0), profile="rpart")
    act = perform(tree, {**RPART, "alpha": "1/100", "folds": 5, "seed": 0, "standard_errors": "1"})
    page = "\n".join(write(derive_pruning(act, choice)))
    assert "alpha             1/100 of the risk of the root\n" in page
    assert "cp = α / R(root)" in page
    assert isinstance(act.found, PathPruning)
    table = path_table(act.found.path, choice)
    assert table.head[:2] == ("cp from", "α from")
    root = Fraction(100, 150)  # a hundred of the 150 are wrong if all are called one class
    assert all(Fraction(row[0]) * root == Fraction(row[1]) for row in table.rows)
    assert {found[1] for found in re.finditer(r"leaves, α\s+from\s+(\S+)\.", page)} <= {row[1] for row in table.rows}
    alone = "\n".join(write([path_legend(act.found)]))
    assert "as a share of the risk of the root: rpart's cp" in " ".join(alone.split())


def test_the_risk_is_said_in_general_first() -> None:
    for record, formula in ((PATH, "(N_t − max_c N_tc) / N"), (BY_GINI, "(N_tc/N_t)²"), (BY_ENTROPY, "N_t·H_t / N")):
        found = perform(FULL, record).found
        assert isinstance(found, PathPruning)
        assert formula in links_legend(found).lines[0][0].text
