"""Laws, as mixins: what every measure or learner of a kind obeys, whatever it is.

A class of tests inherits a mixin and says which measure or learner it is about.

1. `ImpurityLaws`: entropy, Gini.
2. `DecreaseLaws`: information gain, the decrease of Gini.
3. `LearnerLaws`: ID3 and its successors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.learners.growing import revisit
from reference_tree.tree import Node, Tree
from tests import strategies
from tests.strategies import Counts, Partition


def is_independent(table: Partition) -> bool:
    """Whether all rows of a partition are proportional: s_ij·s_kl = s_il·s_kj for each two of rows and columns."""
    return all(a[j] * b[k] == a[k] * b[j] for a, b in combinations(table, 2) for j, k in combinations(range(len(a)), 2))


def is_function_of_class(table: Partition) -> bool:
    """Whether the class tells the answer: no class occurs under two answers."""
    return all(sum(1 for cell in column if cell) <= 1 for column in zip(*table, strict=True))


def transposed(table: Partition) -> Partition:
    return [list(column) for column in zip(*table, strict=True)]


class ImpurityLaws:
    """What holds for an impurity of counts."""

    impurity: Callable[[Sequence[Number]], Number]

    def largest(self, k: int) -> Number:
        """The impurity of k equally common classes."""
        raise NotImplementedError

    @given(strategies.fractional_counts)
    def test_it_lies_between_0_and_that_of_equal_classes(self, counts: Counts) -> None:
        assert 0 <= self.impurity(counts) <= self.largest(len(counts))

    @given(strategies.fractional_counts)
    def test_it_is_0_for_one_class_alone(self, counts: Counts) -> None:
        assert (self.impurity(counts) == 0) == (sum(1 for c in counts if c) == 1)

    @given(st.integers(1, 8), strategies.weights)
    def test_it_is_largest_for_equal_classes(self, k: int, weight: Fraction) -> None:
        assert self.impurity([weight] * k) == self.largest(k)

    @given(strategies.fractional_counts)
    def test_it_is_largest_for_equal_classes_alone(self, counts: Counts) -> None:
        assert (self.impurity(counts) == self.largest(len(counts))) == (len(set(counts)) == 1)

    @given(strategies.fractional_counts, st.randoms(use_true_random=False))
    def test_the_order_of_classes_is_no_matter(self, counts: Counts, chance: Any) -> None:
        shuffled = chance.sample(counts, len(counts))
        assert self.impurity(shuffled) == self.impurity(counts)

    @given(strategies.fractional_counts, st.integers(0, 6))
    def test_a_class_without_rows_is_no_matter(self, counts: Counts, place: int) -> None:
        assert self.impurity([*counts[:place], 0, *counts[place:]]) == self.impurity(counts)

    @given(strategies.fractional_counts, strategies.weights)
    def test_a_duplicated_sample_is_as_mixed(self, counts: Counts, times: Fraction) -> None:
        assert self.impurity([c * times for c in counts]) == self.impurity(counts)

    @given(strategies.fractional_counts)
    def test_floats_agree(self, counts: Counts) -> None:
        assert math.isclose(self.impurity([float(c) for c in counts]), float(self.impurity(counts)), abs_tol=1e-12)

    @given(strategies.fractional_counts)
    def test_nothing_is_changed_in_place(self, counts: Counts) -> None:
        before = list(counts)
        self.impurity(counts)
        assert counts == before

    @pytest.mark.parametrize("counts", [[], [0], [0, 0], [3, -1], [Fraction(-1, 2), 1]])
    def test_what_is_no_sample_is_refused(self, counts: Counts) -> None:
        with pytest.raises(ValueError, match=r"no count is positive|a count is negative"):
            self.impurity(counts)


class DecreaseLaws:
    """What holds for the decrease of a concave impurity: that of the sample, less the average over the parts."""

    decrease: Callable[[Partition], Number]
    impurity: Callable[[Sequence[Number]], Number]

    @given(strategies.partitions())
    def test_children_are_never_more_mixed_than_their_parent(self, table: Partition) -> None:
        parent = [sum(column) for column in zip(*table, strict=True)]
        assert 0 <= self.decrease(table) <= self.impurity(parent)

    @given(strategies.partitions(cells=st.one_of(st.just(0), strategies.weights)))
    def test_the_same_with_the_weights_of_missing_values(self, table: Partition) -> None:
        assert self.decrease(table) >= 0

    @given(st.one_of(strategies.partitions(cells=st.integers(0, 3)), strategies.independent_partitions()))
    def test_it_is_0_exactly_for_independence(self, table: Partition) -> None:
        assert (self.decrease(table) == 0) == is_independent(table)

    @given(strategies.partitions(), st.randoms(use_true_random=False))
    def test_the_order_of_rows_and_columns_is_no_matter(self, table: Partition, chance: Any) -> None:
        rows = chance.sample(table, len(table))
        assert self.decrease(transposed(chance.sample(transposed(rows), len(rows[0])))) == self.decrease(table)

    @given(strategies.partitions(), st.integers(0, 4))
    def test_an_answer_that_no_row_gives_is_no_matter(self, table: Partition, place: int) -> None:
        assert self.decrease([*table[:place], [0] * len(table[0]), *table[place:]]) == self.decrease(table)

    @given(strategies.partitions(), strategies.weights)
    def test_a_duplicated_sample_decreases_as_much(self, table: Partition, times: Fraction) -> None:
        assert self.decrease([[cell * times for cell in row] for row in table]) == self.decrease(table)

    @given(strategies.partitions(rows=5))
    def test_a_finer_question_never_tells_less(self, table: Partition) -> None:
        merged = [[sum(cells) for cells in zip(*table[:2], strict=True)], *table[2:]]
        assert self.decrease(merged) <= self.decrease(table)

    @given(strategies.partitions())
    def test_floats_agree(self, table: Partition) -> None:
        floats = self.decrease([[float(cell) for cell in row] for row in table])
        assert math.isclose(floats, float(self.decrease(table)), abs_tol=1e-12)

    @given(strategies.partitions())
    def test_nothing_is_changed_in_place(self, table: Partition) -> None:
        before = deepcopy(table)
        self.decrease(table)
        assert table == before

    @pytest.mark.parametrize("table", [[], [[]], [[0, 0]], [[1, 2], [-1, 1]]])
    def test_what_is_no_partition_is_refused(self, table: Partition) -> None:
        with pytest.raises(ValueError, match=r"no rows|no count is positive|a count is negative"):
            self.decrease(table)

    def test_rows_of_different_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="different lengths"):
            self.decrease([[1, 2], [1]])


class LearnerLaws:
    """What holds for a learner of trees of categories, whose ties are resolved by documented rules."""

    def learner(self) -> Any:
        """The learner, which has `grow` and `decide`."""
        raise NotImplementedError

    def grow(self, columns: dict[str, list[str]]) -> Tree:
        return self.learner().grow(Table.from_columns(columns))  # type: ignore[no-any-return]

    @given(strategies.columns())
    def test_a_grown_tree_is_what_it_claims_to_be(self, columns: dict[str, list[str]]) -> None:
        self.grow(columns).check(Table.from_columns(columns))

    @given(strategies.columns(), st.randoms(use_true_random=False))
    def test_the_order_of_rows_is_no_matter(self, columns: dict[str, list[str]], chance: Any) -> None:
        rows = list(range(len(columns["y"])))
        chance.shuffle(rows)
        shuffled = {name: [cells[row] for row in rows] for name, cells in columns.items()}
        assert self.grow(shuffled) == self.grow(columns)

    @given(strategies.columns(), st.integers(2, 3))
    def test_a_duplicated_sample_has_the_same_tree(self, columns: dict[str, list[str]], times: int) -> None:
        tree = self.grow({name: cells * times for name, cells in columns.items()})
        assert [shape(node, times) for node in tree.nodes] == [shape(node) for node in self.grow(columns).nodes]

    @given(strategies.columns(), st.sampled_from([2, Fraction(1, 3)]))
    def test_weights_in_proportion_have_the_same_tree(self, columns: dict[str, list[str]], times: Fraction) -> None:
        weighted: dict[str, list[Any]] = {**columns, "weight": [times] * len(columns["y"])}
        tree = self.learner().grow(Table.from_columns(weighted, target="y", weights="weight"))
        assert [shape(node, times) for node in tree.nodes] == [shape(node) for node in self.grow(columns).nodes]

    @given(strategies.columns())
    def test_names_of_classes_are_no_matter_as_long_as_their_order_stays(self, columns: dict[str, list[str]]) -> None:
        renamed = self.grow({**columns, "y": [f"class {label}" for label in columns["y"]]})
        tree = self.grow(columns)
        assert [node.label for node in renamed.nodes] == [f"class {node.label}" for node in tree.nodes]
        assert [node.test for node in renamed.nodes] == [node.test for node in tree.nodes]

    @given(strategies.columns())
    def test_the_order_of_classes_decides_a_tie_of_classes_alone(self, columns: dict[str, list[str]]) -> None:
        other = {"c0": "z", "c1": "y", "c2": "x"}
        tree, turned = self.grow(columns), self.grow({**columns, "y": [other[label] for label in columns["y"]]})
        assert [node.test for node in turned.nodes] == [node.test for node in tree.nodes]
        for node, its in zip(tree.nodes, turned.nodes, strict=True):
            assert its.counts == node.counts[::-1]
            assert its.tied == tuple(other[label] for label in reversed(node.tied))
            assert not node.counts or node.tied or node.prior or its.label == other[str(node.label)]

    @given(strategies.columns())
    def test_the_order_of_attributes_decides_a_tie_of_attributes_alone(self, columns: dict[str, list[str]]) -> None:
        names = [name for name in columns if name != "y"]
        turned = Table.from_columns({name: columns[name] for name in [*reversed(names), "y"]})
        decided = self.learner().decide(turned.sample())
        expected = self.learner().decide(Table.from_columns(columns).sample())
        assert [c.test for c in reversed(decided.winners)] == [c.test for c in expected.winners]
        assert decided.margin == expected.margin

    @given(strategies.columns())
    def test_the_tree_is_what_is_decided_at_each_of_its_nodes(self, columns: dict[str, list[str]]) -> None:
        table, tree = Table.from_columns(columns), self.grow(columns)
        for visit in revisit(tree, self.learner(), table):
            node, decision = tree.nodes[visit.number], visit.decision
            assert node.test == (decision.chosen.test if decision.chosen else None)
            assert (node.stop, node.counts, node.label) == (decision.stop, decision.total, decision.answer.label)

    @given(strategies.columns())
    def test_the_data_are_not_changed(self, columns: dict[str, list[str]]) -> None:
        before, table = deepcopy(columns), Table.from_columns(columns)
        rows = list(table.rows())
        self.learner().grow(table)
        assert columns == before
        assert list(table.rows()) == rows


def shape(node: Node, times: Any = 1) -> tuple[Any, ...]:
    """All of a node, its counts divided."""
    counts = tuple(Fraction(count) / times for count in node.counts)
    return counts, node.label, node.test, node.branches, node.stop, node.tied, node.prior
