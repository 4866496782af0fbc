r"""Ensembles: the decisions of one of the trees, and the predictions of all trees for a row.

1. `explained_round` derives a tree of an ensemble as any other tree (`nodes`), on the rows that were drawn for it; at a
   node of a forest it names the attributes that were drawn. If trees learn from one another, it shows the effect of the
   tree on the next one (`boosting`).
2. `derive_votes` lists the answer of each tree to a row, and counts:

    $$v(c) = \sum_b \alpha_b \, [h_b(x) = c]$$
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import islice

from reference_tree.data.errors import InputError, shown
from reference_tree.data.questions import Row
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import Derived
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, Reached, Votes
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.routing import Ends, Unseen
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    WHOLE,
    Block,
    DecisionTable,
    Drawing,
    Equation,
    Equations,
    Facts,
    Scope,
    Sentence,
    Title,
    legend,
    symbol,
)
from reference_tree.views.derivation.boosting import round_of
from reference_tree.views.derivation.gradient_boosting import derive_gradients
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.notation import one_figure
from reference_tree.views.derivation.numerals import PLACES, Digits, decimal_of, minus
from reference_tree.views.derivation.prediction import cells_of
from reference_tree.views.derivation.writers import Format, page
from reference_tree.views.wording import amount, answer_text, arrived, one_line, weight_text

SUMS = Digits(terms=0)
"""The sum of the trees is written with the decimals of their table."""

FEW = 12
"""The number of trees up to which the answers are added up in one line; of more, only the table has them."""

SAYS = {"h_b(x)": "the prediction of tree b for the row x"}
MEAN = {
    "h_b(x), α_b": "the prediction of tree b for the row x, and its weight",
    "ŷ = Σ_b α_b·h_b(x) / Σ_b α_b": "the mean of the trees",
}
VOTES = {
    "h_b(x), α_b": "the prediction of tree b for the row x, and the weight of its vote",
    "v(c) = Σ_b α_b·[h_b(x) = c]": "the votes for class c: the weights of the trees that predict it",
}
SOFTMAX = {"P(c|x) = e^F(c) / Σ_k e^F(k)": "its share, of all classes k"}
_COUNTS: Mapping[str, Mapping[str, str]] = {
    "vote": VOTES | {"v(c) / Σ_k v(k)": "its share of the votes for all classes k"},
    "samme": VOTES | {"F(c) = K·v(c) / ((K − 1)²·Σ_k v(k))": "the margin of class c, one of K"} | SOFTMAX,
    "mean": {
        "P_b(c|x), α_b": "the share of class c at the leaf of tree b that the row x comes to, and its weight",
        "P(c|x) = Σ_b α_b·P_b(c|x) / Σ_b α_b": "the mean of the trees",
    },
    "sum": SAYS | {"ŷ = f_0 + Σ_b h_b(x)": "the sum of the start f_0 and of the predictions of the trees"},
    "logistic": {
        **SAYS,
        "F = F_0 + Σ_b h_b(x)": "the margin of the second class: the start F_0 and the predictions, added up",
        "P = 1 / (1 + e^(−F))": "its share; that of the first class is 1 − P",
    },
    "softmax": {
        **SAYS,
        "F(c) = F_0(c) + Σ_b h_b(x)": "the margin of class c: its start F_0(c) and the predictions of its trees",
        **SOFTMAX,
    },
}
"""The formulas, by the rule that combines the trees; numbers without a start value are averaged (`MEAN`)."""


def explained_round(ensemble: Ensemble, table: Table, number: int, scope: Scope = WHOLE) -> Iterator[Block]:
    """The decisions of one of the trees, worked out node by node.

    Args:
        ensemble: grown from the table by a learner of this package.
        table: the data.
        number: of the tree, from 1.
        scope: which nodes are worked out.

    Raises:
        InputError: no learner of this package grew the ensemble, or from another table.
    """
    member = ensemble.members[number - 1]
    decided = ensemble_learner_of(ensemble.grower).decided(ensemble, table)
    learner, rows = next(islice(decided, number - 1, None))
    if scope.node is None:
        yield Title(one_line(f"Tree {number} of {len(ensemble.members)} on {table.name}"))
        yield Facts(tuple(_facts(ensemble, table, number)))
    if isinstance(learner, GradientTree):
        assert isinstance(rows, Derived)
        yield from derive_gradients(ensemble, member, learner, rows, scope)
    else:
        assert isinstance(rows, Table)
        yield from derive(member.tree, learner, rows, scope)
    if scope.node is None:
        yield Drawing("The tree", member.tree)
        yield from round_of(ensemble, table, number)


def _facts(ensemble: Ensemble, table: Table, number: int) -> Iterator[tuple[str, str]]:
    """The ensemble of a tree, the rows drawn for it, and its weight."""
    member = ensemble.members[number - 1]
    yield "ensemble", ensemble.grower.name
    if member.drawn is not None:
        kinds = len(member.drawn) - member.drawn.count(0)
        yield "drawn", f"{amount(sum(member.drawn), weighted=False)}, {kinds} different ones of {len(table)}"
    if member.of is not None:
        yield "of", one_line(member.of)
    yield "weight", _figure(member.weight)


def explain_votes(
    ensemble: Ensemble, row: Row, *, format: Format = "text", unseen: Unseen = "error", name: str = "a row"
) -> str:
    """The prediction of an ensemble for one row: the prediction of each tree, the counts, and the ties.

    Args:
        ensemble: the ensemble.
        row: attribute → value, None for a missing one.
        format: as for `explain`.
        unseen: how to treat a value for which there is no branch, as for `Ensemble.predict`.
        name: the name of the row in the title.

    Raises:
        InputError: as for `Ensemble.predict`.

    Example:
        >>> import reference_tree as rt
        >>> forest = rt.RandomForest(base=rt.ID3(max_depth=1), trees=3, seed=1).grow(rt.textbook("play-tennis"))
        >>> row = {"outlook": "sunny", "temperature": "hot", "humidity": "high", "wind": "weak"}
        >>> print(explain_votes(forest, row), end="")
        The predictions of the trees for a row
        ══════════════════════════════════════
        <BLANKLINE>
        row   outlook=sunny, temperature=hot, humidity=high, wind=weak
        <BLANKLINE>
        h_b(x), α_b                   the prediction of tree b for the row x, and the weight of its vote
        v(c) = Σ_b α_b·[h_b(x) = c]   the votes for class c: the weights of the trees that predict it
        v(c) / Σ_k v(k)               its share of the votes for all classes k
        <BLANKLINE>
        The prediction of each tree
        <BLANKLINE>
        tree   prediction   weight   at its leaf
           1   yes               1   no 1, yes 7
           2   no                1   no 1, yes 1
           3   yes               1   yes 4
        <BLANKLINE>
        The score of each class
        <BLANKLINE>
        class   votes      share
        no          1   0.333333
        yes         2   0.666667
        <BLANKLINE>
        Prediction: yes, the class with the highest score.
    """
    return page(derive_votes(ensemble, row, unseen, name), format, SUMS)


def derive_votes(
    ensemble: Ensemble, row: Row, unseen: Unseen = "error", name: str = "a row", places: int = PLACES
) -> Iterator[Block]:
    """The answer of each tree to a row, and their answer together; rounded to `places` decimals."""
    if not hasattr(ensemble, "votes"):
        raise InputError(f"{shown(ensemble)} is no ensemble; the grow of a Bagging makes one of a table")
    votes, ends = ensemble.votes(row, unseen), ensemble.ends(row, unseen)
    yield Title(one_line(f"The predictions of the trees for {name}"))
    yield Facts((*cells_of(ensemble.members[0].tree, row).lines, *_start(ensemble, places)))
    yield legend(_COUNTS[ensemble.combine] if votes.scores or ensemble.combine == "sum" else MEAN)
    write = partial(decimal_of, places=places)  # numbers have the digits of the sum
    rows = [
        (
            str(k) if one.of is None else f"{k}, for {one_line(one.of)}",
            answer_text(answer, write),
            _figure(one.weight, places),
            _leaf(one.tree, end),
        )
        for k, (one, answer, end) in enumerate(zip(ensemble.members, votes.answers, ends, strict=True), start=1)
    ]
    yield DecisionTable("The prediction of each tree", ("tree", "prediction", "weight", "at its leaf"), "rlrl", rows)
    yield from _together(ensemble, ends)
    program = ensemble.members[0].tree.program
    if COMBINATIONS[ensemble.combine].adds and program is not None and program.sums != "exact":
        how = f"holds its sums in {program.sums}, rounded after each tree, and so does the prediction"
        yield Sentence(f"{one_line(program.name)} {how}.")
    if votes.scores:
        shares = ensemble.shares(ends)
        counted = [
            (one_line(c), _figure(score, places), decimal(shares[c], places)) for c, score in votes.scores.items()
        ]
        yield DecisionTable("The score of each class", ("class", _COUNTED[ensemble.combine], "share"), "lrr", counted)
    yield Sentence(_conclusion(ensemble, votes))


def _start(ensemble: Ensemble, places: int) -> Iterator[tuple[str, str]]:
    """The start of a sum, or of one sum for each class."""
    labels = ensemble.target.domain if len(ensemble.start) > 1 else ("",)
    starts = [
        f"{one_line(label)} {minus(decimal_of(number, places))}".lstrip()
        for label, number in zip(labels, ensemble.start, strict=False)
    ]
    yield from [("start", ", ".join(starts))] if starts else []


def _leaf(tree: Tree, ends: Ends) -> str:
    """The training rows at the leaf of a row, or the number of leaves if it ends at several."""
    if len(ends) > 1:
        return f"{len(ends)} leaves"
    return ", ".join(arrived(tree, tree.nodes[ends[0][0]])) or "no row"


def _weighed(weight: Number, answer: Number) -> Worked:
    """The term of a tree in a sum."""
    figure: Worked = one_figure(answer) if weight == 1 else work(weight) * one_figure(answer)
    return figure


def _together(ensemble: Ensemble, ends: Reached) -> Iterator[Equations]:
    """The result of a few trees that answer numbers: their sum, one for each class that they add to, or their mean."""
    labels = ensemble.target.domain if ensemble.combine == "softmax" else (None,)
    if ensemble.target.values is not None and not COMBINATIONS[ensemble.combine].adds:
        return
    if len(ends) > FEW * len(labels):
        return
    letter = "ŷ" if ensemble.target.values is None else "F"
    lines = []
    for label, start in zip(labels, ensemble.start or (None,), strict=True):
        pairs = zip(ensemble.members, ends, strict=True)
        voting = [(member.weight, Fraction(member.tree.answer(end))) for member, end in pairs if member.of == label]
        (weight, first), *others = voting if start is None else [(1, start), *voting]
        total = _weighed(weight, first)
        for weight, answer in others:
            total = total - _weighed(weight, -answer) if answer < 0 else total + _weighed(weight, answer)
        if start is None:
            total = total / work(sum(weight for weight, _ in voting))
        lines.append(Equation(symbol(letter) if label is None else symbol(f"{letter}(A)").of(label), total))
    yield Equations(tuple(lines))


_COUNTED = {"vote": "votes", "samme": "votes", "mean": "mean of P(c|x)", "logistic": "margin", "softmax": "margin"}
"""The kind of a score, by the rule that combines the trees."""


def _conclusion(ensemble: Ensemble, votes: Votes) -> str:
    """The answer in words, and the rule that made it."""
    answer = answer_text(votes.label)
    if ensemble.combine == "sum":
        start = answer_text(ensemble.start[0])
        return f"Prediction: {answer}, the sum of the start {start} and of the predictions of the trees."
    if not votes.scores:
        return f"Prediction: {answer}, the mean of the predictions of the trees, by their weights."
    if votes.tied:
        tied = ", ".join(map(one_line, votes.tied))
        return f"Prediction: {answer}; {tied} are tied, and it is the first of them in class order."
    return f"Prediction: {answer}, the class with the highest score."


def _figure(weight: Number, places: int = PLACES) -> str:
    """A weight as a figure: exact if it is a fraction, otherwise rounded."""
    return weight_text(weight) if isinstance(weight, int | Fraction) else decimal(weight, places)
