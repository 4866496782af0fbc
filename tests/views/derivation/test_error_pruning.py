"""Pruning by errors: what is shown is true, and is what decided."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.learners.growing import grow
from reference_tree.learners.id3 import ID3
from reference_tree.pruning.error_based import ErrorBased, ErrorPruning, error_based
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import retraced
from reference_tree.pruning.reduced_error import Pruning, best_first, bottom_up
from reference_tree.selection.validation import NodeErrors
from reference_tree.tree_document import read_tree
from reference_tree.views.derivation.blocks import Decided, Equation, Equations, Facts, Sentence
from reference_tree.views.derivation.error_pruning import (
    estimates,
    growth,
    limit_legend,
    score,
    validated,
    validation_legend,
)
from reference_tree.views.derivation.notation import opened, text
from tests.strategies import at_most, categorical_tables
from tests.views.arithmetic import evaluated
from tests.views.pruned import FULL, NODE_3, NODE_5, NODE_6, TRAINING, VALIDATION

RECORDED = Path(__file__).parents[2] / "recorded"


def equations(blocks: Iterator[Any] | tuple[Any, ...]) -> list[Equation]:
    return [line for block in blocks if isinstance(block, Equations) for line in block.lines]


def sentences(blocks: tuple[Any, ...]) -> str:
    return " ".join(block.text for block in blocks if isinstance(block, Sentence))


# Validation rows.


@given(categorical_tables(rows=8, attributes=3), st.sampled_from(["prune", "keep"]))
@at_most(40)
def test_one_pass_is_worked_out_as_it_was_decided(table: rt.Table, on_equal: Any) -> None:
    tree = grow(ID3(), table)
    found = bottom_up(tree, table, on_equal)
    for part, told in zip(validated(found), found.tree_steps(), strict=True):
        below, leaf, stands, pruned = equations(part.blocks)
        assert (below.worked.value, leaf.worked.value) == (told.step.before, told.step.after)
        assert stands.worked.value == 1 - found.rate(told.before)
        assert pruned.worked.value == 1 - found.rate(told.after)
        for line in (below, leaf, stands, pruned):
            assert evaluated(text(opened(line.worked))) == pytest.approx(float(line.worked.value))
        assert ("becomes one" in sentences(part.blocks)) == told.step.done


def test_zhous_pruning_in_words() -> None:
    pruning = bottom_up(FULL, VALIDATION, "keep")
    found = list(validated(pruning))
    below = {FULL.path(min(part.nodes)): equations(part.blocks)[0].worked for part in found}
    assert {path: worked.value for path, worked in below.items()} == {
        FULL.path(step.number): step.before for step in pruning.steps
    }
    assert [text(opened(below[path])) for path in (NODE_6, NODE_5, "/")] == ["0 + 1 + 1", "1 + 0 + 0", "1 + 0 + 1"]
    parts = {FULL.path(min(part.nodes)): sentences(part.blocks) for part in found}
    assert parts[NODE_6] == "1 < 2: less is wrong if it is a leaf, and it becomes one."
    assert parts[NODE_5] == "1 = 1: nothing changes if it is a leaf, and ties keep: it stays."
    assert parts["/"] == "4 > 2: more would be wrong if it were a leaf, and it stays."


def test_every_step_of_best_first_shows_every_node_that_asks() -> None:
    found = best_first(FULL, VALIDATION)
    parts = list(validated(found))
    assert [len(part.nodes) for part in parts] == [5, 4, 3, 2, 1]
    for index, part in enumerate(parts):
        *saved, stands, pruned = equations(part.blocks)
        candidates = found.candidates(index)
        assert [line.worked.value for line in saved] == [one.before - one.after for one in candidates]
        step = found.steps[index]
        assert pruned.worked.value - stands.worked.value == Fraction(step.before - step.after, 7)
        assert sentences(part.blocks).startswith(FULL.path(step.number) + " saves most, ")
    assert "it stays" in sentences(parts[-1].blocks)


def test_a_numeric_target_has_mean_squared_errors() -> None:
    cats = rt.textbook("cats").predicting("weight").without(["cat"])
    found = bottom_up(rt.CART().grow(cats), cats)
    *_, root = validated(found)
    _, leaf, stands, pruned = equations(root.blocks)
    assert pruned.worked.value == leaf.worked.value / 10
    assert stands.worked.value == found.tree.mean_squared_error(cats)
    assert "the mean squared error" in validation_legend(found.validation_errors, numbers=True).lines[2][1]


def test_validation_rows_that_stay_at_a_node_are_counted_there() -> None:
    """A row that does not answer and stays is wrong there, whatever is right below."""
    rows = rt.Table.from_columns({"x": list("uuvvu"), "y": ["no", "no", "yes", "yes", "no"]})
    tree = rt.CART(missing="stay").grow(rows)
    held = rt.Table.from_columns({"x": [None, "u", "v"], "y": ["yes", "no", "yes"]})
    found = bottom_up(tree, held)
    (part,) = validated(found)
    assert equations(part.blocks)[0].worked.value == found.steps[0].before == 1
    assert text(opened(equations(part.blocks)[0].worked)) == "0 + 0 + 1"


def test_pre_pruning_says_what_the_rows_said_of_each_split() -> None:
    learner = PrePruning(rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", NODE_3: "是"})))
    tree = learner.grow(TRAINING, VALIDATION)
    past = retraced(tree, TRAINING, VALIDATION).pre_pruned
    assert past is not None
    found = growth(past)
    assert list(found) == [0, 1, 3]
    assert [[line.worked.value for line in equations(blocks)] for blocks in found.values()] == [
        [4, 2, Fraction(3, 7), Fraction(5, 7)],
        [1, 2, Fraction(5, 7), Fraction(4, 7)],
        [1, 1, Fraction(5, 7), Fraction(5, 7)],
    ]
    assert [sentences(blocks).split("; ")[1] for blocks in found.values()] == [
        "less is wrong after the split, and it is made.",
        "the split makes it worse. It is not made, and the node is a leaf (pre-pruned).",
        "the split changes nothing, and ties stop. It is not made, and the node is a leaf (pre-pruned).",
    ]
    symbols = {
        symbol.text for symbol, _ in validation_legend(past.validation_errors, numbers=False, growing=True).lines
    }
    assert {line.symbol.text for blocks in found.values() for line in equations(blocks)} == symbols
    lenient = replace(learner, on_equal="split").grow(TRAINING, VALIDATION)
    again = retraced(lenient, TRAINING, VALIDATION).pre_pruned
    assert again is not None
    assert "as much is wrong after the split, and ties split" in sentences(growth(again)[3])


# Estimates.

LABOR = read_tree(RECORDED / "weka-j48" / "labor.unpruned.json")
CONTRACTS = rt.read(RECORDED / "data" / "labor.arff")


def facts(part: Decided) -> dict[str, str]:
    return {word: told for block in part.blocks if isinstance(block, Facts) for word, told in block.lines}


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("profile", ["weka-j48", "c45-r8"])
def test_estimates_are_those_that_decided(profile: str, raising: bool) -> None:
    rules = ErrorBased.like(profile, raising=raising)
    found = error_based(LABOR, CONTRACTS, rules)
    for part, one in zip(estimates(LABOR, found, rules), found.judgements, strict=True):
        told = facts(part)
        assert _last(told["as a leaf"]) == pytest.approx(float(one.leaf), abs=1e-6)
        assert _last(told["as it stands"]) == pytest.approx(float(one.subtree), abs=1e-6)
        *terms, _ = told["as it stands"].split(" ≈ ")
        if terms:
            assert evaluated(terms[0]) == pytest.approx(float(one.subtree), abs=1e-5)
        assert ("largest branch" in told) == rules.raising
        ends = {"leaf": "it becomes a leaf.", "keep": "it stays.", "raise": "the branch takes its place."}
        assert sentences(part.blocks).endswith(ends[one.verdict])


def _last(told: str) -> float:
    """The last figure of a fact."""
    return float(re.findall(r"\d+\.\d{6}", told)[-1])


def test_a_raised_branch_has_other_rows_from_then_on() -> None:
    rules = ErrorBased.like("weka-j48")
    found = error_based(LABOR, CONTRACTS, rules)
    raised = [one.node for one in found.judgements if one.verdict == "raise"]
    assert raised
    after = [facts(part) for part, one in zip(estimates(LABOR, found, rules), found.judgements, strict=True)]
    again = [told for told in after if "of all the rows that come here now" in told["as a leaf"]]
    assert again
    assert all("U(" not in told["as a leaf"] for told in again)


def test_the_signs_are_those_of_the_comparisons() -> None:
    """With Weka's addErrs by hand: 16·U(1, 16) = 2.475715 for z = 0.674490, and 2.506894 for z = 0.6925."""
    votes = {"education": ["n"] * 6 + ["y"] * 9 + ["u"], "party": ["democrat"] * 15 + ["republican"]}
    data = rt.Table.from_columns(votes, target="party")
    tree = rt.C45().grow(data)
    for profile, shown in (
        ("c45-r8", "2.506894 ≤ 3.272601 + 0.1 and 2.506894 ≤ 2.506894 + 0.1: it becomes a leaf."),
        ("weka-j48", "2.475715 < 3.272601 + 0.100001 and 2.475715 < 2.475715 + 0.100001: it becomes a leaf."),
    ):
        rules = ErrorBased.like(profile)
        found = error_based(tree, data, rules)
        (part,) = estimates(tree, found, rules)
        assert sentences(part.blocks) == shown
    assert "the exact binomial limit for CF = 1/4" in limit_legend(ErrorBased()).lines[0][1]


def test_results_of_each_method_are_told_apart() -> None:
    assert isinstance(bottom_up(FULL, VALIDATION), Pruning)
    assert isinstance(error_based(FULL, TRAINING), ErrorPruning)


def test_a_score_is_an_accuracy_or_a_mean_squared_error() -> None:
    held = NodeErrors(Fraction(7), [], [])
    assert [score(errors, held, numbers=False) for errors in (4, 3, 2)] == ["42.9 %", "57.1 %", "71.4 %"]
    assert score(0, held, numbers=False) == "100.0 %"
    assert score(Fraction(7, 3), held, numbers=True) == "0.333333"
