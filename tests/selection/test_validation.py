"""What validation rows get wrong at each node: the same as asking the tree row by row."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing, Multiway
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.node import Node
from reference_tree.selection.validation import Step, check_validation, node_errors, staying, tree_steps, wrong
from reference_tree.tree import Tree
from tests import strategies
from tests.strategies import fractions


def passed(tree: Tree, validation: Table) -> dict[int, list[tuple[str, Fraction]]]:
    """For each node the classes of the rows that pass it, each with its weight; found from where they end."""
    found: dict[int, list[tuple[str, Fraction]]] = {number: [] for number in range(len(tree.nodes))}
    for row, weight in zip(validation.rows(), validation.weighted(), strict=True):
        for end, share in tree.ends(row):
            number = end
            while number >= 0:
                found[number].append((str(row[tree.target.name]), Fraction(weight) * Fraction(share)))
                number = tree.parents[number][0]
    return found


LEARNERS = [rt.C45(), *(rt.CART(missing=rule) for rule in ("surrogates", "fractions", "branch", "stay"))]


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name + getattr(learner, "missing", ""))
@given(table=strategies.tables_with_gaps())
def test_each_node_is_judged_by_the_rows_that_pass_it(learner: rt.C45 | rt.CART, table: Table) -> None:
    """Whatever the tree does with a row that does not answer."""
    tree = learner.grow(table)
    found, there = node_errors(tree, table), passed(tree, table)
    below = found.below(tree)
    assert found.weight == sum(table.weighted())
    for number, node in enumerate(tree.nodes):
        assert found.as_leaf[number] == sum(weight for label, weight in there[number] if label != node.label)
    ends = [number for number in range(len(tree.nodes)) if not tree.nodes[number].branches]
    assert below[0] == sum(found.as_leaf[end] for end in ends) + sum(found.staying)


STAYING = Tree(
    Attribute("y", ("no", "yes")),
    (Attribute("a", ("u", "v")),),
    (
        Node((2, 2), "no", Multiway("a", ("u", "v")), (1, 2), missing=Missing(stays=True)),
        Node((2, 0), "no", stop="pure"),
        Node((0, 2), "yes", stop="pure"),
    ),
)


def test_a_row_that_stays_at_a_node_is_answered_there() -> None:
    validation = Table.from_columns({"a": ["u", "v", None, None], "y": ["no", "no", "yes", "no"]})
    found = node_errors(STAYING, validation)
    assert (found.as_leaf, found.staying, found.below(STAYING)) == ([1, 0, 1], [1, 0, 0], [2, 0, 1])
    assert STAYING.accuracy(validation) == Fraction(1, 2)


@given(st.dictionaries(st.integers(-5, 5), st.integers(1, 4), min_size=1), fractions(-5, 5, max_denominator=7))
def test_squared_errors_from_three_sums(weights: dict[int, int], answer: Fraction) -> None:
    """Σ w(y - ŷ)², which needs the rows, from Σw, Σwy and Σwy², which add up."""
    moments = tuple(sum(w * y**power for y, w in weights.items()) for power in range(3))
    expected = sum(w * (y - answer) ** 2 for y, w in weights.items())
    assert wrong(Attribute("y"), moments, answer) == expected


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 3))
def test_the_wrong_are_those_of_the_other_classes(counts: list[int], index: int) -> None:
    classes = tuple("klmn"[: len(counts)])
    expected = sum(counts) - (counts[index] if index < len(counts) else 0)
    assert wrong(Attribute("y", classes), tuple(counts), "klmn"[index]) == expected


def test_a_class_that_no_validation_row_has_is_no_fault() -> None:
    validation = Table.from_columns({"a": ["u", "v"], "y": ["no", "no"]})
    assert node_errors(STAYING, validation).below(STAYING)[0] == 1


def test_what_stays_is_what_is_left() -> None:
    assert staying((5, 4), [(2, 1), (1, 3)]) == (2, 0)
    assert staying((Fraction(1, 2), 0), []) == (Fraction(1, 2), 0)


def test_steps_are_told_of_the_whole_tree() -> None:
    steps = [Step(4, 2, 1, True), Step(2, 3, 5, False), Step(0, 5, 4, True)]
    assert [(one.before, one.after) for one in tree_steps(steps, 7)] == [(7, 6), (6, 8), (6, 5)]


def test_a_target_of_another_kind_is_refused() -> None:
    table = Table.from_columns({"a": ["u"], "y": [3]})
    with pytest.raises(InputError, match="y is continuous in the validation set and categorical in training"):
        check_validation(table, Attribute("y", ("no", "yes")), [])
