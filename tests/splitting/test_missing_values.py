"""Missing values: shares of weights summed row by row, the formula as N2 writes it out, and Zhou's melons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reference_tree.data.questions import Multiway, Row, child_weight
from reference_tree.data.sample import Partition
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import work
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.measures.conditional_entropy import by_class
from reference_tree.measures.entropy import entropy
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.information_gain import information_gain
from reference_tree.splitting.missing_values import (
    branch_shares,
    gain_with_missing,
    known_class_shares,
    known_fraction,
    ratio_with_missing,
    split_information_of_known,
    split_information_with_unknown,
)
from reference_tree.tree import Tree
from reference_tree.twins import by_the_book
from reference_tree.views.derivation.notation import Chain, chain, text
from tests import oracles, strategies
from tests.every import of_every
from tests.laws import is_function_of_class

Parted = tuple[list[list[Any]], list[Any]]
cells = st.one_of(st.just(0), strategies.weights)


@st.composite
def parted(draw: st.DrawFn) -> Parted:
    """A sample partition of known answers, weights as missing values make them, and the unknown."""
    table = draw(strategies.partitions(cells=cells))
    width = len(table[0])
    return table, draw(st.lists(cells, min_size=width, max_size=width))


def answered(table: Table, attribute: str) -> Partition:
    return table.sample().partition(Multiway.on(table.schema.attribute(attribute)))


def two_answers(table: Sequence[Sequence[Any]]) -> bool:
    return sum(1 for row in table if any(row)) > 1


# ------------------------------------------------------------------------------------------------ shares, row by row


@pytest.mark.covers("N2 §4.2 weights")
@given(strategies.mixed_tables())
def test_shares_are_ratios_of_the_weights_of_rows(table: Table) -> None:
    rows = list(zip(table.rows(), table.weighted(), strict=True))
    known = [(row, Fraction(weight)) for row, weight in rows if row["colour"] is not None]
    assume(known)
    partition = answered(table, "colour")
    weight = sum(w for _, w in known)
    assert known_fraction(partition.rows, partition.unknown) == weight / sum(w for _, w in rows)
    classes, colours = table.schema.target.domain, table.schema.attribute("colour").domain
    assert known_class_shares(partition.rows) == [
        sum(w for row, w in known if row["class"] == label) / weight for label in classes
    ]
    assert branch_shares(partition.rows) == [
        sum(w for row, w in known if row["colour"] == colour) / weight for colour in colours
    ]


@given(parted())
def test_shares_add_up(parted: Parted) -> None:
    table, unknown = parted
    rho = known_fraction(table, unknown)
    assert 0 < rho <= 1
    assert (rho == 1) == (not any(unknown))
    assert sum(known_class_shares(table)) == sum(branch_shares(table)) == 1
    assert all(share >= 0 for share in branch_shares(table))


def test_nobody_answers() -> None:
    assert known_fraction([[0, 0], [0, 0]], [3, 1]) == 0
    for measure in (gain_with_missing, split_information_of_known):
        with pytest.raises(ValueError, match="no count is positive"):
            measure([[0, 0], [0, 0]], [3, 1])
    for shares in (branch_shares, known_class_shares):
        with pytest.raises(ValueError, match="no count is positive"):
            shares([[0, 0], [0, 0]])


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="no count is positive"):
        known_fraction([[0, 0]], [0, 0])
    with pytest.raises(ValueError, match="a count is negative"):
        known_fraction([[1, 1]], [-1, 0])


# ----------------------------------------------------------------------------------------------------------- the gain


@pytest.mark.covers(
    "N2 §4.2 Gain",
    "N2 §4.2 summary step 2",
    "N2 §4.2 summary step 3",
    "N2 §4.2 summary step 4",
    "N2 §4.2 summary step 5",
)
@given(parted())
def test_the_gain_is_what_n2_writes_out(parted: Parted) -> None:
    """ρ·(-Σ p̃_k·log2 p̃_k + Σ r̃_v Σ q·log2 q), in 60 digits, from the weights alone."""
    table, unknown = parted
    with mpmath.workdps(60):

        def spread(weights: Sequence[Any]) -> Any:
            shares = [oracles.real(Fraction(w) / sum(weights)) for w in weights if w]
            return -mpmath.fsum(p * mpmath.log(p, 2) for p in shares)

        columns = [sum(column) for column in zip(*table, strict=True)]
        known = sum(columns)
        inside = mpmath.fsum(oracles.real(Fraction(sum(row)) / known) * spread(row) for row in table if any(row))
        expected = oracles.real(Fraction(known) / (known + sum(unknown))) * (spread(columns) - inside)
        assert abs(oracles.exact_value(gain_with_missing(table, unknown)) - expected) < mpmath.mpf(10) ** -50


@pytest.mark.covers("N2 §4.2 reasons")
def test_four_of_seventeen_melons_are_complete_and_each_attribute_is_known_for_thirteen_or_more() -> None:
    rows = list(MELONS.rows())
    assert sum(None not in row.values() for row in rows) == 4
    for attribute in MELONS.schema.attributes:
        partition = answered(MELONS, attribute.name)
        assert 13 <= 17 * known_fraction(partition.rows, partition.unknown) < 17


@pytest.mark.covers("N2 §4.2 problem a")
@given(parted())
def test_a_row_that_does_not_answer_teaches_nothing(parted: Parted) -> None:
    table, unknown = parted
    gain = gain_with_missing(table, unknown)
    assert 0 <= gain <= information_gain(table)
    assert (gain == information_gain(table)) == (not any(unknown) or gain == 0)


@given(strategies.partitions(cells=cells), strategies.bases)
def test_with_all_answers_known_everything_is_as_ever(table: list[list[Any]], base: int) -> None:
    none = [0] * len(table[0])
    assert gain_with_missing(table, none, base) == information_gain(table, base)
    assert split_information_of_known(table, none, base) == split_information(table, base)
    assert split_information_with_unknown(table, none, base) == split_information(table, base)
    if two_answers(table):
        assert ratio_with_missing(table, none) == gain_ratio(table)
        assert ratio_with_missing(table, none, split_information_with_unknown) == gain_ratio(table)


@given(parted(), strategies.weights)
def test_a_duplicated_sample_has_the_same_gain(parted: Parted, times: Fraction) -> None:
    table, unknown = parted
    more = [[cell * times for cell in row] for row in table], [weight * times for weight in unknown]
    assert gain_with_missing(*more) == gain_with_missing(table, unknown)
    assert split_information_with_unknown(*more) == split_information_with_unknown(table, unknown)


@given(parted())
def test_floats_agree(parted: Parted) -> None:
    table, unknown = parted
    floats = [[float(cell) for cell in row] for row in table], [float(weight) for weight in unknown]
    for measure in (known_fraction, gain_with_missing, split_information_of_known, split_information_with_unknown):
        assert math.isclose(measure(*floats), float(measure(table, unknown)), abs_tol=1e-12)


# ---------------------------------------------------------------------------------------------------------- the ratio


@given(parted(), strategies.bases)
def test_the_cost_with_unknown_as_an_outcome_is_that_of_one_more_branch(parted: Parted, base: int) -> None:
    table, unknown = parted
    assert split_information_with_unknown(table, unknown, base) == split_information([*table, unknown], base)


@given(parted())
def test_the_chain_rule_ties_the_two_costs(parted: Parted) -> None:
    """Whether the answer is known, and, if it is, which."""
    table, unknown = parted
    known = sum(by_class(table))
    first = entropy([known, sum(unknown)])
    rho = known_fraction(table, unknown)
    whole = split_information_with_unknown(table, unknown)
    assert whole == first + split_information_of_known(table, unknown) * rho


@given(parted())
def test_the_ratio_is_at_most_rho_or_1(parted: Parted) -> None:
    table, unknown = parted
    assume(two_answers(table))
    rho = known_fraction(table, unknown)
    of_known, with_unknown = (
        ratio_with_missing(table, unknown, cost)
        for cost in (split_information_of_known, split_information_with_unknown)
    )
    assert 0 <= of_known <= rho <= 1
    assert 0 <= with_unknown <= 1  # either can be the larger
    assert (of_known == rho) == is_function_of_class(table)
    assert (with_unknown == 1) == (is_function_of_class(table) and not any(unknown))
    assert ratio_with_missing(table, unknown) == of_known


def test_a_single_answer_has_no_ratio() -> None:
    with pytest.raises(ZeroDivisionError):
        ratio_with_missing([[2, 1], [0, 0]], [1, 0])
    assert ratio_with_missing([[2, 1], [0, 0]], [1, 0], split_information_with_unknown) == 0


# ------------------------------------------------------------------------------------------------- weights in children


@given(strategies.weights, st.lists(strategies.partitions(cells=cells), min_size=1, max_size=3))
def test_the_parts_of_a_row_add_up_to_it_on_every_level(weight: Any, tables: list[list[list[Any]]]) -> None:
    parts = [weight]
    for table in tables:
        parts = [child_weight(part, share) for part in parts for share in branch_shares(table)]
        assert sum(parts) == weight


@given(strategies.partitions(cells=cells), st.data())
def test_going_down_every_branch_keeps_the_shares_of_the_branches(table: list[list[Any]], data: st.DataObject) -> None:
    unknown = data.draw(st.lists(cells, min_size=len(table[0]), max_size=len(table[0])))
    shares = branch_shares(table)
    children = [
        [cell + child_weight(w, share) for cell, w in zip(row, unknown, strict=True)]
        for row, share in zip(table, shares, strict=True)
    ]
    assert branch_shares(children) == shares
    assert by_class(children) == [a + b for a, b in zip(by_class(table), unknown, strict=True)]


# ------------------------------------------------------------------------------------------------------- Zhou's melons


MELONS = textbook("watermelon-2.0a")


@of_every([
        ("色泽", "0.251966"), ("根蒂", "0.171178"), ("敲声", "0.144803"),
        ("纹理", "0.423560"), ("脐部", "0.288825"), ("触感", "0.005713"),
    ])  # fmt: skip
def test_the_gains_at_the_root(attribute: str, gain: str) -> None:
    partition = answered(MELONS, attribute)
    assert decimal(gain_with_missing(partition.rows, partition.unknown)) == gain


def test_the_colour_step_by_step() -> None:
    partition = answered(MELONS, "色泽")
    assert known_fraction(partition.rows, partition.unknown) == Fraction(14, 17)
    assert sorted(known_class_shares(partition.rows)) == [Fraction(6, 14), Fraction(8, 14)]
    assert decimal(entropy(by_class(partition.rows))) == "0.985228"
    assert decimal(information_gain(partition.rows)) == "0.305958"
    shares = dict(zip(MELONS.schema.attribute("色泽").domain, branch_shares(partition.rows), strict=True))
    assert shares == {"青绿": Fraction(4, 14), "乌黑": Fraction(6, 14), "浅白": Fraction(4, 14)}


def test_the_texture_wins_and_melons_8_and_10_go_down_all_its_branches() -> None:
    gains = {}
    for attribute in MELONS.schema.attributes:
        partition = answered(MELONS, attribute.name)
        gains[attribute.name] = gain_with_missing(partition.rows, partition.unknown)
    assert max(gains, key=gains.__getitem__) == "纹理"
    assert [n for n, row in enumerate(MELONS.rows(), 1) if row["纹理"] is None] == [8, 10]
    domain = MELONS.schema.attribute("纹理").domain
    weights = [child_weight(1, share) for share in branch_shares(answered(MELONS, "纹理").rows)]
    assert dict(zip(domain, weights, strict=True)) == {
        "清晰": Fraction(7, 15), "稍糊": Fraction(5, 15), "模糊": Fraction(3, 15),
    }  # fmt: skip


def test_below_the_texture_weights_count_and_not_rows() -> None:
    """The branch 清晰: seven melons, and 7/15 each of melon 8 (dark, good) and melon 10 (green, bad)."""
    rows = [row for n, row in enumerate(MELONS.rows(), 1) if row["纹理"] == "清晰" or n in (8, 10)]
    weights = [1 if row["纹理"] else child_weight(1, Fraction(7, 15)) for row in rows]
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in ("色泽", "好瓜")}
    branch = Table.from_columns({**columns, "weight": weights}, target="好瓜", weights="weight")
    partition = answered(branch, "色泽")
    # 1 and 5 do not answer. 乌黑: 2, 3 good, 15 bad, and 8; 青绿: 4, 6 good, and 10.
    assert known_fraction(partition.rows, partition.unknown) == Fraction(89, 119)  # (5 + 14/15) / (7 + 14/15)
    dark, green = Fraction(3) + Fraction(7, 15), Fraction(2) + Fraction(7, 15)
    assert branch_shares(partition.rows) == [dark / (dark + green), green / (dark + green)]


# ------------------------------------------------------------------------------------------------------- the derivation


def _written(found: Chain) -> list[str]:
    expression = [] if found.expression is None else [f"= {text(found.expression)}"]
    return [*expression, *(f"{sign} {right}" for sign, right in found.values)]


def test_the_formulas_derive_themselves() -> None:
    partition = answered(MELONS, "纹理")
    table, unknown = work(partition.rows), work(partition.unknown)
    derived = {
        measure.__name__: _written(chain(measure(table, unknown)))
        for measure in (known_fraction, gain_with_missing, ratio_with_missing)
    }
    assert derived == {
        "known_fraction": ["= 15/17", "≈ 0.882353"],
        "gain_with_missing": ["= 15/17·0.480035", "≈ 0.423560"],
        "ratio_with_missing": ["= 0.4235603 / 1.5058231", "≈ 0.281282"],
    }
    assert text(child_weight(work(1), branch_shares(table)[1]).operands[0]) == "7/15·1"


@given(parted())
def test_worked_numbers_are_the_exact_ones(parted: Parted) -> None:
    table, unknown = parted
    for measure in (known_fraction, gain_with_missing, split_information_of_known, split_information_with_unknown):
        assert measure(work(table), work(unknown)).value == measure(table, unknown)
    for shares in (branch_shares, known_class_shares):
        assert [share.value for share in shares(work(table))] == shares(table)


# --------------------------------------------------------------------------------------------- the weights in a tree


def assert_weighed(tree: Tree, table: Table) -> int:
    """At each node the counts are those of rows whose weights were divided by hand on their way.

    A row that answers keeps its weight; one that does not goes down every branch with the weight it had, times the
    share of the branch among the known weights.

    Returns:
        How often a part of a row was divided again.
    """
    target, again = tree.target, 0
    rows: list[tuple[Row, Any]] = list(zip(table.rows(), table.weighted(), strict=True))
    pending = [(0, rows)]
    while pending:
        number, here = pending.pop()
        node = tree.nodes[number]
        assert node.counts == tuple(sum(w for row, w in here if row[target.name] == k) for k in target.domain)
        if node.test is None:
            continue
        answers = [node.test.branch(row) for row, _ in here]
        unknown = [pair for answer, pair in zip(answers, here, strict=True) if answer is None]
        known = sum(w for _, w in here) - sum(w for _, w in unknown)
        for branch, child in enumerate(node.branches):
            part = [pair for answer, pair in zip(answers, here, strict=True) if answer == branch]
            share = Fraction(sum(w for _, w in part)) / known
            part += [(row, w * share) for row, w in unknown if share]
            again += sum(row not in (whole for whole, weight in rows if weight == w) for row, w in unknown if share)
            pending.append((child, part))
    return again


TWICE = Table.from_columns({
    "a": ["p", "p", "q", "q", None, None, "p"],
    "b": ["s", "t", "s", "t", None, "s", None],
    "y": ["n", "y", "y", "n", "y", "n", "y"],
})  # fmt: skip
"""An exclusive or, with a row that answers neither question: its parts are divided again."""


@pytest.mark.covers("N2 §4.2 problem b", "N2 §4.2 summary", "N2 §4.2 summary step 1")
@pytest.mark.covers("N2 §4.2 summary step 7", "N2 §4.2 summary step 8")
@pytest.mark.parametrize(("table", "again"), [(MELONS, False), (TWICE, True)], ids=["melons", "twice"])
def test_in_a_tree_weights_are_multiplied_and_never_set_anew(table: Table, again: bool) -> None:
    """N2's own summary sets them anew: a part of a row that answers the next question would be whole again."""
    with by_the_book():
        tree = C45().grow(table)
    assert (assert_weighed(tree, table) > 0) == again
    assert C45().grow(table) == tree, "with its engine"


@given(strategies.tables_with_gaps())
def test_the_same_on_random_tables(table: Table) -> None:
    assert_weighed(C45().grow(table), table)
    with by_the_book():
        assert_weighed(C45().grow(table), table)


@pytest.mark.covers("N2 §4.2 summary step 6")
def test_a_learner_asks_the_attribute_of_largest_gain_on_all_rows() -> None:
    partitions = {a.name: answered(MELONS, a.name) for a in MELONS.schema.attributes}
    gains = {name: gain_with_missing(one.rows, one.unknown) for name, one in partitions.items()}
    decision = CART(branching="multiway", criterion="entropy", missing="fractions").decide(MELONS.sample())
    assert decision.chosen is not None
    assert decision.chosen.test.attribute == max(gains, key=gains.__getitem__) == "纹理"
    assert {c.test.attribute: c.scores["gain"] for c in decision.candidates} == gains
