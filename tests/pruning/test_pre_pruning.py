"""Pre-pruning: Zhou's figure 4.6, the definition on whole trees, and the horizon effect."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing
from reference_tree.data.table import Table
from reference_tree.exact.rounding import decimal
from reference_tree.learners.decision import Decision
from reference_tree.learners.growing import revisit
from reference_tree.learners.options import Options
from reference_tree.learners.place import Place
from reference_tree.pruning.cutting import cut
from reference_tree.pruning.pre_pruning import OPTION, OnEqual, PrePruning, steps
from reference_tree.pruning.reduced_error import bottom_up
from reference_tree.selection.holdout import divided
from reference_tree.selection.validation import node_errors, tree_steps
from reference_tree.tree import Grower, Tree
from tests import strategies
from tests.every import of_every
from tests.pruning.prunings import structure

TRAINING, VALIDATION = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
ZHOU = rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是", "/脐部=稍凹": "是"}))

both_rules = pytest.mark.parametrize("on_equal", ["stop", "split"])


def test_zhou_figure_4_6() -> None:
    tree = PrePruning(ZHOU).grow(TRAINING, VALIDATION)
    assert [(tree.path(n), node.label, node.stop) for n, node in enumerate(tree.nodes)] == [
        ("/", "是", None),
        ("/脐部=凹陷", "是", "pre-pruned"),
        ("/脐部=平坦", "否", "pure"),
        ("/脐部=稍凹", "是", "pre-pruned"),
    ]
    assert tree.accuracy(VALIDATION) == Fraction(5, 7)
    tree.check(TRAINING)


def test_zhou_accuracies_of_the_whole_tree() -> None:
    """42.9 % become 71.4 % at the root; below it 57.1 % and 71.4 % are no gain."""
    learner = PrePruning(ZHOU)
    tree = learner.grow(TRAINING, VALIDATION)
    found = node_errors(tree, VALIDATION)
    accuracies = [
        tuple(decimal(100 * (1 - Fraction(errors) / Fraction(found.weight)), 1) for errors in (one.before, one.after))
        for one in tree_steps(steps(tree, learner, TRAINING, VALIDATION), found.as_leaf[0])
    ]
    assert accuracies == [("42.9", "71.4"), ("71.4", "57.1"), ("71.4", "71.4")]


@pytest.mark.covers("N2 §3.1 step 1", "N2 §3.1 step 2", "N2 §3.1 step 3")
def test_the_decision_holds_what_it_rests_on() -> None:
    learner = PrePruning(ZHOU)
    tree = learner.grow(TRAINING, VALIDATION)
    decisions = [visit.decision for visit in revisit(tree, learner, TRAINING, VALIDATION)]
    assert [decision.evidence for decision in decisions] == [
        {
            "validation": 7, "wrong-before": 4, "wrong-after": 2,
            "accuracy-before": Fraction(3, 7), "accuracy-after": Fraction(5, 7),
        },
        {
            "validation": 3, "wrong-before": 1, "wrong-after": 2,
            "accuracy-before": Fraction(2, 3), "accuracy-after": Fraction(1, 3),
        },
        {},
        {
            "validation": 2, "wrong-before": 1, "wrong-after": 1,
            "accuracy-before": Fraction(1, 2), "accuracy-after": Fraction(1, 2),
        },
    ]  # fmt: skip
    assert [decision.stop for decision in decisions] == [None, "pre-pruned", "pure", "pre-pruned"]
    assert [decision.winners[0].test.name if decision.winners else "" for decision in decisions] == [
        "色泽", "色泽", "", "根蒂",
    ]  # fmt: skip
    assert {winner.test.name for winner in decisions[0].winners} == {"色泽", "脐部"}, "all ties are still listed"


@pytest.mark.covers("N0 EN §4 pre-pruning")
def test_n0_splits_where_nothing_changes() -> None:
    """N0 cancels a split only if it does worse; so 根蒂 is asked under 稍凹."""
    tree = PrePruning(ZHOU, on_equal="split").grow(TRAINING, VALIDATION)
    assert [node.test.name for node in tree.nodes if node.test] == ["脐部", "根蒂", "色泽"]
    assert tree.nodes[tree.find("/脐部=稍凹/根蒂=稍蜷/色泽=乌黑")].stop == "pre-pruned"
    assert tree.nodes[tree.find("/脐部=凹陷")].stop == "pre-pruned"


# ---------------------------------------------------------------------------------------------------- by definition


def by_definition(full: Tree, validation: Table, on_equal: OnEqual) -> Tree:
    """From the root down: a node is split if the *whole* tree, in which all that waits is a leaf, answers better."""
    kept, waiting = {0}, [0]  # the leaves of the tree so far
    while waiting:
        number = waiting.pop(0)
        branches = full.nodes[number].branches
        if not branches:
            continue
        split = (kept - {number}) | set(branches)
        before, after = (cut(full, leaves).accuracy(validation) for leaves in (kept, split))
        if after > before or (after == before and on_equal == "split"):
            kept, waiting = split, [*waiting, *branches]
    return cut(full, kept)


@pytest.mark.covers("N2 §3.1 definition", "N2 §3.1 step 4", "N2 §3.1 step 5")
@both_rules
@given(table=strategies.categorical_tables(rows=14), data=st.data())
def test_it_is_the_tree_that_comparing_whole_trees_gives(on_equal: OnEqual, table: Table, data: st.DataObject) -> None:
    size = len(table)
    held = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=max(1, size - 1)))
    training, validation = divided(table, held) if len(held) < size else (table, table)
    tree = PrePruning(rt.ID3(), on_equal).grow(training, validation)
    assert structure(tree) == structure(by_definition(rt.ID3().grow(training), validation, on_equal))
    tree.check(training)


@pytest.mark.one_in(1, 2)
@both_rules
@given(table=strategies.tables_with_gaps(), data=st.data())
def test_with_gaps_the_figures_are_those_of_the_rows_one_by_one(
    on_equal: OnEqual, table: Table, data: st.DataObject
) -> None:
    """The steps of C4.5, counted again through `Tree.ends`, where a row goes down several branches in parts."""
    held = data.draw(st.sets(st.integers(0, len(table) - 1), min_size=1))
    training, validation = divided(table, held) if len(held) < len(table) else (table, table)
    learner = PrePruning(rt.C45(), on_equal)
    tree, full = learner.grow(training, validation), rt.C45().grow(training)

    def wrong(pruned: Tree, path: str) -> Fraction:
        """What goes wrong below a path."""
        return sum(
            (
                Fraction(weight) * Fraction(share)
                for row, weight in zip(validation.rows(), validation.weighted(), strict=True)
                for number, share in pruned.ends(row)
                if pruned.nodes[number].label != row["y"]
                if f"{pruned.path(number)}/".startswith(f"{path.rstrip('/')}/")
            ),
            Fraction(0),
        )

    tree.check(training)
    for step in steps(tree, learner, training, validation):
        path = tree.path(step.number)
        number = full.find(path)
        assert step.before == wrong(cut(full, [number]), path)
        assert step.after == wrong(cut(full, full.nodes[number].branches), path)
        assert step.done == (tree.nodes[step.number].test is not None)
        assert step.done == (step.after < step.before or (step.after == step.before and on_equal == "split"))


# ------------------------------------------------------------------------------------------------------- the horizon

XOR = Table.from_columns({"a": list("uuvv"), "b": list("stst"), "y": ["no", "yes", "yes", "no"]})


@pytest.mark.covers("N2 §3.1 greedy", "N2 §3.1 underfitting")
def test_the_horizon_effect() -> None:
    """On an exclusive or no first split helps, so pre-pruning never sees the second one; post-pruning keeps both."""
    stump = PrePruning(rt.ID3()).grow(XOR, XOR)
    assert [node.stop for node in stump.nodes] == ["pre-pruned"]
    assert stump.accuracy(XOR) == Fraction(1, 2)
    kept = bottom_up(rt.ID3().grow(XOR), XOR).pruned
    assert len(kept.nodes) == 7
    assert kept.accuracy(XOR) == 1
    assert PrePruning(rt.ID3(), "split").grow(XOR, XOR).accuracy(XOR) == 1, "N0's rule sees it"


def test_where_no_validation_row_comes_nothing_changes() -> None:
    """Under a = v there is nobody to ask, and no split can raise the accuracy of the tree."""
    columns = {"a": list("uuuvvv"), "b": list("ststts"), "y": ["no", "no", "no", "yes", "no", "yes"]}
    training = Table.from_columns(columns)
    validation = Table.from_columns({"a": ["u"], "b": ["s"], "y": ["no"]})
    tree = PrePruning(rt.ID3(), "split").grow(training, validation)
    assert tree.nodes[tree.find("/a=v")].test is not None
    helpful = Table.from_columns({"a": ["u", "v"], "b": ["s", "s"], "y": ["no", "yes"]})
    learner = PrePruning(rt.ID3())
    tree = learner.grow(training, helpful)
    only_u = Table.from_columns({"a": ["u", "u"], "b": ["s", "s"], "y": ["no", "no"]})
    found = {visit.number: visit.decision for visit in revisit(tree, PrePruning(rt.ID3()), training, only_u)}
    empty = found[tree.find("/a=v")]
    assert (empty.stop, empty.evidence) == ("pre-pruned", {"validation": 0, "wrong-before": 0, "wrong-after": 0})


class Staying(rt.C45):
    """C4.5 with another rule for missing values: rows without an answer are answered by the node that asked."""

    def decide(self, sample: Any, place: Place | None = None) -> Decision:
        return replace(super().decide(sample, place), missing=Missing(stays=True))


def test_a_row_that_stays_at_a_node_is_answered_there() -> None:
    """Split or not, the row without a value is right or wrong by the label of the root, which is no."""
    training = Table.from_columns({"a": list("uuuvv"), "y": ["no", "no", "no", "yes", "yes"]})
    validation = Table.from_columns({"a": ["u", "v", None], "y": ["no", "yes", "yes"]})
    learner = PrePruning(Staying())
    tree = learner.grow(training, validation)
    (step,) = steps(tree, learner, training, validation)
    assert step == (0, 2, 1, True)


def test_a_tree_of_numbers_is_asked_for_its_squared_errors() -> None:
    """Li Hang's exercise, three of ten rows held out: one split pays, by whole trees counted row by row."""
    split = divided(rt.textbook("li-hang-5.2"), [1, 5, 8])
    learner = PrePruning(rt.CART())
    tree, full = learner.grow(*split), rt.CART().grow(split.training)
    assert structure(tree) == structure(by_squared_errors(full, split.validation))
    assert 1 < len(tree.nodes) < len(full.nodes)
    tree.check(split.training)
    evidence = next(revisit(tree, learner, *split)).decision.evidence
    assert set(evidence) == {"validation", "wrong-before", "wrong-after"}
    assert evidence["wrong-before"] == 3 * cut(full, [0]).mean_squared_error(split.validation)


def by_squared_errors(full: Tree, validation: Table) -> Tree:
    """The definition once more, by the mean squared error."""
    kept, waiting = {0}, [0]
    while waiting:
        number = waiting.pop()
        split = (kept - {number}) | set(full.nodes[number].branches)
        before, after = (cut(full, leaves).mean_squared_error(validation) for leaves in (kept, split))
        if full.nodes[number].branches and after < before:
            kept, waiting = split, [*waiting, *full.nodes[number].branches]
    return cut(full, kept)


# ------------------------------------------------------------------------------------------- who grew it, and refusals


@pytest.mark.parametrize("learner", [ZHOU, rt.C45(max_depth=2), rt.C45.like("li-hang"), rt.CART(missing="stay")])
@both_rules
def test_the_tree_records_how_it_was_pruned(learner: Options, on_equal: OnEqual) -> None:
    pruning = PrePruning(learner, on_equal)
    grower = pruning.grower()
    assert grower.options[OPTION] == {"on_equal": on_equal}
    assert (grower.name, grower.profile) == (learner.name, learner.profile)
    assert PrePruning.of(grower) == pruning


def test_a_tree_that_is_written_and_read_knows_its_learner() -> None:
    tree = PrePruning(ZHOU).grow(TRAINING, VALIDATION)
    again = rt.from_json(rt.to_json(tree))
    assert again == tree
    assert PrePruning.of(again.grower).grow(TRAINING, VALIDATION) == tree


@of_every([{}, {OPTION: {}}, {OPTION: {"on_equal": "both"}}])
def test_what_records_no_pre_pruning_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="id3 records no way of pre-pruning"):
        PrePruning.of(Grower("id3", None, options))


def test_without_a_validation_set_it_refuses() -> None:
    with pytest.raises(InputError, match="needs a validation set"):
        PrePruning(rt.ID3()).decide(TRAINING.sample())


def test_a_validation_set_that_cannot_answer_is_refused() -> None:
    strange = Table.from_columns({"a": ["w"], "b": ["s"], "y": ["no"]})
    with pytest.raises(InputError, match="has the a 'w', which training has not; there are u, v"):
        PrePruning(rt.ID3()).grow(XOR, strange)
    missing = Table.from_columns({"a": [None, "u"], "b": ["s", "t"], "y": ["no", "yes"]})
    with pytest.raises(InputError, match="the value of a is missing in the validation set"):
        PrePruning(rt.ID3()).grow(XOR, missing)
    with pytest.raises(InputError, match="the validation set has no column 'b'"):
        PrePruning(rt.ID3()).grow(XOR, XOR.without(["b"]))


@pytest.mark.slow
def test_a_chain_of_one_hundred_and_fifty_questions() -> None:
    """Each attribute is 1 for one row alone, and classes alternate: as deep as the learner goes, without recursion."""
    size = 150
    columns = {f"a{k:03}": ["1" if row == k else "0" for row in range(size)] for k in range(size)}
    table = Table.from_columns({**columns, "y": ["odd" if row % 2 else "even" for row in range(size)]}, categorical="*")
    tree = PrePruning(rt.ID3(), "split").grow(table, table)
    assert max(tree.depths()) == size // 2
    assert structure(tree) == structure(rt.ID3().grow(table))


def test_a_rule_for_equality_that_is_none_is_refused() -> None:
    rule: Any = "prune"
    with pytest.raises(InputError, match="there is a choice of stop, split, not 'prune'"):
        PrePruning(rt.ID3(), rule)
