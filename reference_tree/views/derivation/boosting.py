"""Boosting worked out: the rows that a round learns from, and those of the next round.

1. For AdaBoost (`adaboost_round`): the table of weights before and after, the error of the tree, the weight of its
   vote, and the factors of the row weights.
2. For a boosting tree (`boosting_tree_round`): the table of residuals before and after, and the loss.

The formulas that decide are evaluated on worked numbers here, so the page shows what was computed. The trees of
gradient boosting are in `gradient_boosting`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress, islice

from reference_tree.data.table import Table
from reference_tree.ensembles import boosting_tree
from reference_tree.ensembles.adaboost import AdaBoost, Round, factor_by_rate, factors, on_grid
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.node import Label
from reference_tree.predictor import truth
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    Meaning,
    Sentence,
    Symbol,
    legend,
    meanings,
    symbol,
)
from reference_tree.views.derivation.notation import opened, written_out
from reference_tree.views.derivation.numerals import compared, figure, rounded, value_text
from reference_tree.views.wording import answer_text, cell_text, one_line, weight_text

ROWS = 40
"""The number of rows up to which all are shown; of more, only the first."""
FEW = 6
"""The number of different weights up to which they are added up in figures; of more, only the sum is shown."""
ATTRIBUTES = 4
"""The most attributes that a row shows, of those that the tree asks for."""

WEIGHTS = meanings({
    "G_m(x)": "the prediction of the tree of round m",
    "w_m": "the weight of a row in round m; all weights add up to 1",
    "e_m = Σ_{G_m(x) ≠ y} w_m": "the error of the tree: the weight of the misclassified rows",
})  # fmt: skip
FACTORS = "the factor of the weight of a correctly classified row", "the same of a misclassified row"
VOTES: Mapping[str, Sequence[Meaning]] = {
    "m1": meanings({
        "α_m = ½·ln((1 − e_m) / e_m)": "the weight of its vote",
        "c_right = 1 / (2·(1 − e_m))": FACTORS[0],
        "c_wrong = 1 / (2·e_m)": FACTORS[1],
    }),
    "samme": meanings({
        "α_m = ln((1 − e_m) / e_m) + ln(K − 1)": "the weight of its vote, of K classes",
        "c_right = 1 / (K·(1 − e_m))": FACTORS[0],
        "c_wrong = (K − 1) / (K·e_m)": FACTORS[1],
    }),
}  # fmt: skip
RESIDUALS = {
    "r_m = y − f_{m−1}(x)": "the residual of the sum of the trees so far",
    "T_m(x)": "the prediction of the tree of round m, which is grown from the residuals",
    "L_m = Σ r_{m+1}²": "the squared error that is left after round m; rows count by their weights",
}


def round_of(ensemble: Ensemble, table: Table, number: int) -> Iterator[Block]:
    """The derivation of a round, if the ensemble was grown in rounds.

    Raises:
        InputError: no learner of this package grew the ensemble, or from another table.
    """
    learner = ensemble_learner_of(ensemble.grower)
    if isinstance(learner, AdaBoost):
        (votes,) = islice(learner.rounds_of(ensemble, table), number - 1, number)
        yield from adaboost_round(learner, votes, table)
    elif isinstance(learner, boosting_tree.BoostingTree):
        (added,) = islice(learner.rounds_of(ensemble, table), number - 1, number)
        yield from boosting_tree_round(added, table)


def adaboost_round(learner: AdaBoost, found: Round, table: Table) -> Iterator[Block]:
    """A round of AdaBoost.

    Source:
        [LiHang2019 §8.1.3]
    """
    m, goes_on = found.number, not (found.is_perfect or found.is_chance)
    columns: dict[str | Symbol, Iterable[str]] = {
        one_line(table.schema.target.name): map(answer_text, truth(table)),
        _of_round("G", m, of="(x)"): map(answer_text, answers(found.tree, table)),
        _of_round("w", m): map(_both, found.weights),
    }
    lines = [Equation(_of_round("e", m), _sum_of_missed(found))]
    if goes_on:
        classes = 2 if learner.algorithm == "m1" else work(found.classes)
        lines.append(
            Equation(_of_round("α", m), written_out(opened(work(learner.coefficient(work(found.error), classes)))))
        )
        if learner.rate == 1:
            right, wrong = factors(work(found.error), classes)
            lines += [Equation(symbol("c_right"), right), Equation(symbol("c_wrong"), wrong)]
        columns[_of_round("w", m + 1)] = map(_both, found.after())
    whole = weight_text(sum(table.weighted()))
    of_tree = "its weight where the tree is grown; all rows together weigh as much as in the data"
    counted = [] if learner.resample else [(symbol(f"{whole}·w_m"), of_tree)]
    yield Legend((*WEIGHTS[:2], *counted, *WEIGHTS[2:], *(VOTES[learner.algorithm] if goes_on else ())))
    columns[""] = ["wrong" if miss else "" for miss in found.missed]
    yield row_table(m, table, found.tree, columns)
    yield Equations(tuple(lines))
    yield Sentence(_what_next(learner, found))


def boosting_tree_round(found: boosting_tree.Round, table: Table) -> Iterator[Block]:
    """A round of a boosting tree.

    Source:
        [LiHang2019 §8.4.2]
    """
    m, before = found.number, boosting_tree.squared_loss(found.residuals, table.weighted())
    columns: dict[str | Symbol, Sequence[Rational]] = {
        one_line(table.schema.target.name): truth(table),
        _of_round("r", m): found.residuals,
        _of_round("r", m, of="²"): [residual**2 for residual in found.residuals],
        _of_round("T", m, of="(x)"): [Fraction(one) for one in answers(found.tree, table)],
        _of_round("r", m + 1): found.left,
        _of_round("r", m + 1, of="²"): [residual**2 for residual in found.left],
    }
    yield legend(RESIDUALS)
    sums = ["", "", rounded(before), "", "", rounded(found.loss)]
    yield row_table(m, table, found.tree, {head: map(rounded, column) for head, column in columns.items()}, sums)
    yield Sentence(f"The squared error of all trees so far falls from {rounded(before)} to {rounded(found.loss)}.")


def answers(tree: Tree, table: Table) -> list[Label]:
    """The answer of a tree to each row of a table."""
    return [tree.answer(ends) for ends in tree.ends_of(table, "majority")]


def row_table(
    m: int, table: Table, tree: Tree, columns: Mapping[str | Symbol, Iterable[str]], sums: Sequence[str] = ()
) -> DecisionTable:
    """The first rows in a round: attributes that its tree asks for, and further columns; one of marks has no title.

    The sums of further columns, if there are any, are those of all rows.
    """
    used = {name for node in tree.nodes if node.test is not None for name in node.test.attributes}
    names = [attribute.name for attribute in tree.attributes if attribute.name in used][:ATTRIBUTES]
    lines = zip(range(1, ROWS + 1), table.rows(), zip(*columns.values(), strict=True), strict=False)
    rows = [(str(number), *(cell_text(row[name]) for name in names), *cells) for number, row, cells in lines]
    if sums:
        rows.append(("sum", *[""] * len(names), *sums))
    some = f": the first {ROWS} of {len(table)}" if len(table) > ROWS else ""
    head = ("row", *map(one_line, names), *columns)
    return DecisionTable(f"The rows in round {m}{some}", head, "".join("r" if name else "l" for name in head), rows)


def _both(weight: Rational) -> str:
    """A weight as a decimal, after its fraction if that is short and stands in the sum of weights."""
    in_sum, written = value_text(weight), rounded(weight)
    return f"{in_sum} ≈ {written}" if "/" in in_sum else written


def _of_round(letter: str, m: int, of: str = "") -> Symbol:
    return Symbol(f"{letter}_{m}{of}", f"{symbol(letter).tex}_{{{m}}}{of.replace('²', '^2')}")


def _sum_of_missed(found: Round) -> Worked:
    """The error as a sum over equal weights."""
    times = Counter(compress(found.weights, found.missed))
    if not 0 < len(times) <= FEW:
        return Worked(found.error, "number")
    terms: Worked = sum(work(n) * work(weight) for weight, n in times.items())
    return terms


def _what_next(learner: AdaBoost, found: Round) -> str:
    """The consequence of the error of a round."""
    if found.is_perfect:
        return "The tree makes no mistake: its vote would have no bound, and it is kept alone."
    chance = 1 - Fraction(1, found.classes)
    if found.is_chance:
        return f"No better than chance, {compared(found.error, chance)}: the tree is left out, and there are no more."
    after = found.after()
    if learner.rate != 1:
        by = decimal(factor_by_rate(found.error, found.classes, learner.rate))
        return f"The weights of the misclassified rows are multiplied by {by}; then all are divided by their sum."
    sentence = (
        f"Together, the correctly classified rows now weigh {figure(1 - chance)}, and the others {figure(chance)}."
    )
    if on_grid(after, learner.bits) != after:
        return f"{sentence} These weights are long, and are put on a grid of 2^-{learner.bits}."
    return sentence
