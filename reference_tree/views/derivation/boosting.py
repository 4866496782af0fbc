r"""Boosting worked out: what a round learns from, and what it leaves to the next one.

1. Of AdaBoost (`adaboost_round`): the error of the tree, how much its vote counts, by what the weights are multiplied,
   and the table of weights before and after.
2. Of a boosting tree (`boosting_tree_round`): the table of residuals before and after, and the loss.

The formulas that decide are run on worked numbers here, so what is shown is what was computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress, islice

from reference_tree.data.table import Table
from reference_tree.ensembles import boosting_tree
from reference_tree.ensembles.adaboost import AdaBoost, Round, factors, on_grid
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.rationals import Rational
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
    symbol,
)
from reference_tree.views.derivation.numerals import compared, figure, rounded
from reference_tree.views.figures import cell_text, weight_text
from reference_tree.views.names import answer_text, one_line

ROWS = 40
"""Of so many rows all are shown; of more, the first."""
FEW = 6
"""So many different weights are added up in figures; of more, only the sum is shown."""
ATTRIBUTES = 4
"""So many attributes that the tree asks stand in a row."""

WEIGHTS = (
    (symbol("G_m(x)"), "what the tree of round m answers"),
    (symbol("w_m"), "what a row weighs in round m; all rows together weigh 1"),
    (symbol("e_m = Σ_{G_m(x) ≠ y} w_m"), "the error of the tree: what the rows weigh that it gets wrong"),
)
RIGHT, WRONG = symbol("c_right"), symbol("c_wrong")
FACTORS = "what the weight of a row is multiplied by that it gets right", "the same of a row that it gets wrong"
VOTES: Mapping[str, Sequence[Meaning]] = {
    "m1": (
        (symbol("α_m = ½·ln((1 − e_m) / e_m)"), "how much its vote counts"),
        (symbol("c_right = 1 / (2·(1 − e_m))"), FACTORS[0]),
        (symbol("c_wrong = 1 / (2·e_m)"), FACTORS[1]),
    ),
    "samme": (
        (symbol("α_m = ln((1 − e_m) / e_m) + ln(K − 1)"), "how much its vote counts, of K classes"),
        (symbol("c_right = 1 / (K·(1 − e_m))"), FACTORS[0]),
        (symbol("c_wrong = (K − 1) / (K·e_m)"), FACTORS[1]),
    ),
}
RESIDUALS = (
    (symbol("r_m = y − f_{m−1}(x)"), "the residual: what the sum of the trees so far leaves"),
    (symbol("T_m(x)"), "what the tree of round m answers, which is grown from the residuals"),
    (symbol("L_m = Σ r_{m+1}²"), "the squared error that is left after round m"),
)


def round_of(ensemble: Ensemble, table: Table, number: int) -> Iterator[Block]:
    """What there is to say of the round of a tree, if its ensemble was grown in rounds.

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
    columns: dict[str | Symbol, Sequence[Rational]] = {_of_round("w", m): found.weights}
    lines = [Equation(_of_round("e", m), _sum_of_missed(found))]
    if goes_on:
        classes = 2 if learner.algorithm == "m1" else work(found.classes)
        right, wrong = factors(work(found.error), classes)
        lines.append(Equation(_of_round("α", m, r"\alpha"), learner.coefficient(work(found.error), classes)))
        lines += [Equation(RIGHT, right), Equation(WRONG, wrong)]
        columns[_of_round("w", m + 1)] = found.after()
    whole = weight_text(sum(table.weighted()))
    of_tree = "what it counts for where the tree is grown, all rows together as much as in the data"
    counted = [] if learner.resample else [(symbol(f"{whole}·w_m"), of_tree)]
    yield Legend((*WEIGHTS[:2], *counted, *WEIGHTS[2:], *(VOTES[learner.algorithm] if goes_on else ())))
    yield Equations(tuple(lines))
    marks = ["wrong" if miss else "" for miss in found.missed]
    said: dict[str | Symbol, Sequence[str]] = {
        one_line(table.schema.target.name): list(map(answer_text, truth(table))),
        _of_round("G", m, of="(x)"): list(map(answer_text, answers(found.tree, table))),
    }
    yield row_table(f"The rows in round {m}", table, found.tree, said, columns, marks)
    yield Sentence(_what_next(learner, found))


def boosting_tree_round(found: boosting_tree.Round, table: Table) -> Iterator[Block]:
    """A round of a boosting tree.

    Source:
        [LiHang2019 §8.4.2]
    """
    m = found.number
    columns: dict[str | Symbol, Sequence[Rational]] = {
        one_line(table.schema.target.name): truth(table),
        _of_round("r", m): found.residuals,
        _of_round("T", m, of="(x)"): [Fraction(one) for one in answers(found.tree, table)],
        _of_round("r", m + 1): found.left,
    }
    yield Legend(RESIDUALS)
    yield row_table(f"The rows in round {m}", table, found.tree, {}, columns)
    before = boosting_tree.squared_loss(found.residuals, table.weighted())
    yield Sentence(f"The squared error of all trees so far falls from {rounded(before)} to {rounded(found.loss)}.")


def answers(tree: Tree, table: Table) -> list[Label]:
    """What a tree answers to each row of a table."""
    return [tree.answer(ends) for ends in tree.ends_of(table, "majority")]


def row_table(
    title: str,
    table: Table,
    tree: Tree,
    said: Mapping[str | Symbol, Sequence[str]],
    columns: Mapping[str | Symbol, Sequence[Rational]],
    marks: Sequence[str] = (),
) -> DecisionTable:
    """Some rows: what a tree asks of them, further columns of words and of numbers by their heads, and marks."""
    names = _asked(tree)
    shown = [[cell_text(row[name]) for row in islice(table.rows(), ROWS)] for name in names]
    numbers = [map(rounded, column[:ROWS]) for column in columns.values()]
    further = [column[:ROWS] for column in (*said.values(), *[marks] * bool(marks))]
    places = map(str, range(1, min(len(table), ROWS) + 1))
    rows = list(zip(places, *shown, *further[: len(said)], *numbers, *further[len(said) :], strict=True))
    title = title if len(table) <= ROWS else f"{title}: the first {ROWS} of {len(table)}"
    head = ("row", *map(one_line, names), *said, *columns, *[""] * bool(marks))
    return DecisionTable(title, head, "r" * (len(head) - bool(marks)) + "l" * bool(marks), rows)


def _asked(tree: Tree) -> list[str]:
    asked = {name for node in tree.nodes if node.test is not None for name in node.test.attributes}
    return [attribute.name for attribute in tree.attributes if attribute.name in asked][:ATTRIBUTES]


def _of_round(letter: str, m: int, tex: str = "", of: str = "") -> Symbol:
    return Symbol(f"{letter}_{m}{of}", f"{tex or letter}_{{{m}}}{of}")


def _sum_of_missed(found: Round) -> Worked:
    """The error, added up from equal weights."""
    times = Counter(compress(found.weights, found.missed))
    if not 0 < len(times) <= FEW:
        return Worked(found.error, "number")
    terms: Worked = sum(work(n) * work(weight) for weight, n in times.items())
    return terms


def _what_next(learner: AdaBoost, found: Round) -> str:
    """What the error of a round leads to."""
    if found.is_perfect:
        return "The tree makes no mistake: its vote would have no bound, and it is kept alone."
    chance = 1 - Fraction(1, found.classes)
    if found.is_chance:
        return f"No better than chance, {compared(found.error, chance)}: the tree is left out, and there are no more."
    after = found.after()
    said = f"Together, the rows that it gets right now weigh {figure(1 - chance)}, and the others {figure(chance)}."
    if on_grid(after, learner.bits) != after:
        return f"{said} These weights are long, and are put on a grid of 2^-{learner.bits}."
    return said
