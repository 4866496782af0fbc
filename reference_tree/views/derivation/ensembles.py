r"""Ensembles: the decisions of one of the trees, and the predictions of all trees for a row.

1. `explained_round` derives a tree of an ensemble as any other tree (`nodes`, or `gradient_boosting`), on the rows that
   were drawn for it; at a node of a forest it names the attributes that were drawn.
2. If trees learn from one another, the effect on the next tree follows. `adaboost_round` has the table of weights
   before and after, the error of the tree, the weight of its vote, and the factors of the row weights;
   `boosting_tree_round` has the table of residuals before and after, and the loss.
3. `derive_votes` lists the answer of each tree to a row, and counts:

    $$v(c) = \sum_b \alpha_b \, [h_b(x) = c]$$
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import compress, islice

from reference_tree.data.errors import InputError, shown
from reference_tree.data.questions import Row
from reference_tree.data.table import Table, in_memory
from reference_tree.ensembles import boosting_tree
from reference_tree.ensembles.adaboost import AdaBoost, WeightedRound, factor_by_rate, factors, on_grid
from reference_tree.ensembles.derivatives import DerivativeTable
from reference_tree.ensembles.ensemble import COMBINATIONS, Ensemble, Reached, Votes
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.node import Label
from reference_tree.predictor import truth
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
    Legend,
    Meaning,
    Scope,
    Sentence,
    Symbol,
    Title,
    legend,
    meanings,
    symbol,
)
from reference_tree.views.derivation.gradient_boosting import ROWS, derive_gradients
from reference_tree.views.derivation.nodes import derive
from reference_tree.views.derivation.notation import one_figure, opened, written_out
from reference_tree.views.derivation.numerals import (
    PLACES,
    NumberFormat,
    compared,
    decimal_of,
    figure,
    minus,
    rounded,
    value_text,
)
from reference_tree.views.derivation.prediction import cells_of
from reference_tree.views.derivation.writers import Format, page
from reference_tree.views.wording import amount, answer_text, arrived, cell_text, one_line, weight_text

SUMS = NumberFormat(terms=0)
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
_SUM = {"F = F_0 + Σ_b h_b(x)": "the sum of the start F_0 and of the predictions of the trees"}
_LINKED = {
    "exp": "e^F",
    "sigmoid": "1 / (1 + e^(−F))",
    "log1p-exp": "ln(1 + e^F)",
    "signed-square": "F·|F|",
}
"""The value of a sum under the links (`reference_tree.ensembles.ensemble`)."""
_COUNTS: Mapping[str, Mapping[str, str]] = {
    "vote": VOTES | {"v(c) / Σ_k v(k)": "its share of the votes for all classes k"},
    "samme": VOTES | {"F(c) = K·v(c) / ((K − 1)²·Σ_k v(k))": "the margin of class c, one of K"} | SOFTMAX,
    "mean": {
        "P_b(c|x), α_b": "the share of class c at the leaf of tree b that the row x comes to, and its weight",
        "P(c|x) = Σ_b α_b·P_b(c|x) / Σ_b α_b": "the mean of the trees",
    },
    "sum": SAYS | {"ŷ = f_0 + Σ_b h_b(x)": "the sum of the start f_0 and of the predictions of the trees"},
    **{link: SAYS | _SUM | {f"ŷ = {formula}": "the prediction"} for link, formula in _LINKED.items()},
    "hinge": {
        **SAYS,
        "F = F_0 + Σ_b h_b(x)": "the margin of the second class: the start F_0 and the predictions, added up",
        "F > 0": "then the prediction is the second class, and otherwise the first",
    },
    "ova": {
        **SAYS,
        "F(c) = F_0(c) + Σ_b h_b(x)": "the margin of class c: its start F_0(c) and the predictions of its trees",
        "P(c) = 1 / (1 + e^(−F(c)))": "its probability against all others together; these need not add up to 1",
    },
    "logistic": {
        **SAYS,
        "F = F_0 + Σ_b h_b(x)": "the margin of the second class: the start F_0 and the predictions, added up",
        "P = 1 / (1 + e^(−F))": "its share; that of the first class is 1 − P",
    },
    "share": {
        **SAYS,
        "F = F_0 + Σ_b h_b(x)": "the share of the second class: the start F_0 and the predictions, added up",
        "1 − F": "the share of the first class",
    },
    "shares": {
        **SAYS,
        "F(c) = F_0(c) + Σ_b h_b(x)": "the share of class c: its start F_0(c) and the predictions of its trees",
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
    if isinstance(rows, DerivativeTable):
        assert isinstance(learner, GradientTree)  # no other learner reads derivatives
        yield from derive_gradients(ensemble, member, learner, rows, scope)
    else:
        yield from derive(member.tree, learner, in_memory(rows), scope)
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
    yield legend(_COUNTS[ensemble.combine] if votes.scores or ensemble.combine != "mean" else MEAN)
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
    labels = ensemble.target.domain if len(ensemble.start) > 1 else (None,)
    if ensemble.target.values is not None and not COMBINATIONS[ensemble.combine].adds:
        return
    if len(ends) > FEW * len(labels):
        return
    letter = "ŷ" if ensemble.combine in ("sum", "mean") else "F"
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


_COUNTED = {
    "vote": "votes",
    "samme": "votes",
    "mean": "mean of P(c|x)",
    **dict.fromkeys(("logistic", "softmax", "hinge", "ova"), "margin"),
    **dict.fromkeys(("share", "shares"), "sum"),
}
"""The kind of a score, by the rule that combines the trees."""


def _conclusion(ensemble: Ensemble, votes: Votes) -> str:
    """The answer in words, and the rule that made it."""
    answer = answer_text(votes.label)
    if ensemble.combine == "sum":
        start = answer_text(ensemble.start[0])
        return f"Prediction: {answer}, the sum of the start {start} and of the predictions of the trees."
    if ensemble.combine in _LINKED:
        return f"Prediction: {answer}, {_LINKED[ensemble.combine]} of the sum F."
    if not votes.scores:
        return f"Prediction: {answer}, the mean of the predictions of the trees, by their weights."
    if votes.tied:
        tied = ", ".join(map(one_line, votes.tied))
        return f"Prediction: {answer}; {tied} are tied, and it is the first of them in class order."
    return f"Prediction: {answer}, the class with the highest score."


def _figure(weight: Number, places: int = PLACES) -> str:
    """A weight as a figure: exact if it is a fraction, otherwise rounded."""
    return weight_text(weight) if isinstance(weight, int | Fraction) else decimal(weight, places)


# The rounds of boosting.

MOST_WEIGHTS = 6
"""The number of different weights up to which they are added up in figures; of more, only the sum is shown."""
ATTRIBUTES = 4
"""The most attributes that a row shows, of those that the tree asks for."""

WEIGHTS = meanings({
    "G_m(x)": "the prediction of the tree of round m",
    "w_m": "the weight of a row in round m; all weights add up to 1",
    "e_m = Σ_{G_m(x) ≠ y} w_m": "the error of the tree: the weight of the misclassified rows",
})  # fmt: skip
FACTORS = "the factor of the weight of a correctly classified row", "the same of a misclassified row"
OF_VOTES: Mapping[str, Sequence[Meaning]] = {
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


def adaboost_round(learner: AdaBoost, found: WeightedRound, table: Table) -> Iterator[Block]:
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
    # Weights sum to 1 in the formulas; the tree is grown with weights that sum to the weight of the data.
    counted = [] if learner.resample else [(symbol(f"{whole}·w_m"), of_tree)]
    yield Legend((*WEIGHTS[:2], *counted, *WEIGHTS[2:], *(OF_VOTES[learner.algorithm] if goes_on else ())))
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


def _sum_of_missed(found: WeightedRound) -> Worked:
    """The error as a sum over equal weights."""
    times = Counter(compress(found.weights, found.missed))
    if not 0 < len(times) <= MOST_WEIGHTS:
        return Worked(found.error, "number")
    terms: Worked = sum(work(n) * work(weight) for weight, n in times.items())
    return terms


def _what_next(learner: AdaBoost, found: WeightedRound) -> str:
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
