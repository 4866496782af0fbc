r"""Gradients: how a tree of gradient boosting was decided, node by node.

Of each node there is a table of its questions, with the sums of the derivatives on either side and what each gains; the
gain of the best and the value of the node, with the figures put in where they are rational; and why a leaf stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import cast

from reference_tree.data.sample import Data
from reference_tree.data.targets import Gradients
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import work
from reference_tree.learners.decision import Decision
from reference_tree.learners.gradient_tree import GAIN, GradientTree
from reference_tree.learners.growing import Visit, revisit
from reference_tree.measures.gradient_gain import gradient_gain, leaf_weight, structure_score
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    Sentence,
    Symbol,
    heading,
    symbol,
)
from reference_tree.views.derivation.nodes import SMALL
from reference_tree.views.derivation.numerals import USUAL, Digits
from reference_tree.views.figures import asked

LISTED = 10
"""So many questions of a node are listed, the best ones."""

DERIVATIVES = (
    "of a row, the first and second derivative of the loss by the sum of the trees before, F: of numbers F − y and 1;"
    " of classes p − y and p·(1 − p), p being the share of a class by F, and y 1 for a row of it and 0 for others"
)
SUMS = symbol("G, H"), "the sums of g and h over the rows of a node; G_L, H_L and G_R, H_R those of its two sides"
GAINED = Symbol(
    "gain = G_L²/(H_L + λ) + G_R²/(H_R + λ) − G²/(H + λ)",
    r"\mathrm{gain} = \frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda} - \frac{G^2}{H + \lambda}",
)
ADDED = Symbol("w = −η·G/(H + λ)", r"w = -\eta \, \frac{G}{H + \lambda}")
LEGEND = (
    (symbol("g, h"), DERIVATIVES),
    SUMS,
    (GAINED, "twice what a question takes from the expanded loss; rows without a value are on the side that is said"),
    (ADDED, "what a leaf adds to the sum"),
)


def _legend(learner: GradientTree) -> Legend:
    """What the letters mean, and what they are here."""
    price, rate = decimal_text(learner.reg_lambda), decimal_text(learner.rate)
    settings = Symbol(f"λ = {price}, η = {rate}", rf"\lambda = {price}, \eta = {rate}")
    return Legend((*LEGEND, (settings, "what the learner is told: the price of large answers, and the rate")))


def derive_gradients(
    tree: Tree,
    learner: GradientTree,
    data: Data,
    only: int | None = None,
    digits: Digits = USUAL,
    *,
    every: bool = True,
) -> Iterator[Block]:
    """The derivation of a tree that was fitted to derivatives.

    Args:
        tree: grown by the learner.
        learner: who decides.
        data: the rows with their derivatives.
        only: the number of the one node to show; none: all of them.
        digits: how figures are written.
        every: whether every node is worked out, and not of a large tree only the root.

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]
    """
    if only is None:
        yield _legend(learner)
    short = only is None and not every and len(tree.nodes) > SMALL
    for visit in revisit(tree, learner, data):
        if visit.number == (0 if short else visit.number if only is None else only):
            yield from _node(tree, learner, visit, digits)
        if visit.number == only or short:
            break
    if short:
        yield Sentence("Only the root is worked out. Say --node /0 for the first node below it, or --all.")


def _node(tree: Tree, learner: GradientTree, visit: Visit, digits: Digits) -> Iterator[Block]:
    node, decision = tree.nodes[visit.number], visit.decision
    off = cast(Gradients, visit.sample.target).off
    yield heading(tree, visit.number)
    if decision.winners:
        yield _questions(decision, off, digits)
    yield from _barred(decision, learner)
    if not off:
        yield from _worked(learner, decision)
    if node.test is not None:
        others = len(decision.winners) - 1
        tied = f" {others} other{'s' * (others > 1)} gain{'s' * (others == 1)} exactly as much." if others else ""
        yield Sentence(f"{asked(node.test)} gains most, and is asked.{tied}")
    else:
        yield Sentence(f"A leaf: {_reason(str(node.stop), learner)}.")


def _barred(decision: Decision, learner: GradientTree) -> Iterator[Sentence]:
    """How many questions may not compete, by the rule; where there is no other, the node says why it is a leaf."""
    rules = Counter(str(candidate.barred) for candidate in decision.candidates if candidate.barred is not None)
    bounds = {
        "min-child-weight": f"with an H below {learner.min_child_weight}",
        "min-samples-leaf": f"with a weight below {learner.min_samples_leaf}",
    }
    for rule, number in rules.items():
        if decision.winners and rule in bounds:
            many = "1 other question leaves" if number == 1 else f"{number} other questions leave"
            yield Sentence(f"{many} a side {bounds[rule]}, and may not compete ({rule}).")


def _reason(stop: str, learner: GradientTree) -> str:
    return {
        "epsilon": f"no question gains more than {learner.epsilon}",
        "max-depth": f"its children would lie deeper than {learner.max_depth}",
        "pruned": f"what was asked here gains less than γ = {learner.gamma}, and nothing below it stayed",
        "min-child-weight": f"every question leaves a side with an H below {learner.min_child_weight}",
        "min-samples-leaf": f"every question leaves a side with a weight below {learner.min_samples_leaf}",
        "min-samples-split": f"its weight is below {learner.min_samples_split}",
        "no-candidates": "no question parts its rows",
    }.get(stop, stop)


def _questions(decision: Decision, off: Rational, digits: Digits) -> DecisionTable:
    """The best questions of a node, and of as good ones all."""
    free = [candidate for candidate in decision.candidates if candidate.barred is None]
    ranked = sorted(free, key=cmp_to_key(_better_first))
    rows = [_line(decision, candidate, off, digits) for candidate in ranked[: max(LISTED, len(decision.winners))]]
    title = "The question" if len(free) == 1 else f"The questions, {len(free)} of them"
    title += f", the best {len(rows)}" if len(free) > len(rows) else ""
    head: tuple[str | Symbol, ...] = ("question", *map(symbol, ("G_L", "H_L", "G_R", "H_R")), "no value", "gain", "")
    return DecisionTable(title, head, "lrrrrlrl", rows)


def _better_first(one: Candidate, other: Candidate) -> int:
    return -1 if one.score > other.score else int(one.score < other.score)


def _line(decision: Decision, candidate: Candidate, off: Rational, digits: Digits) -> tuple[str, ...]:
    sums = [decimal(each, digits.places) for row in candidate.counted.rows for each in _middle(row, off)]
    to_the_right = candidate.counted.rows[0] == candidate.table.rows[0]
    side = ("right" if to_the_right else "left") if any(candidate.table.unknown) else "-"
    chosen = decision.chosen is not None and candidate.key == decision.chosen.key
    winning = candidate.key in {one.key for one in decision.winners}
    as_good = "the best" if decision.chosen is None and candidate.key == decision.winners[0].key else "as good"
    fate = "chosen" if chosen else as_good if winning else ""
    return asked(candidate.test), *sums, side, decimal(candidate.score, digits.places), fate


def _middle(row: Sequence[Rational], off: Rational) -> list[Fraction]:
    """G and H: exact, or the middle of their enclosures."""
    return [Fraction(each) + Fraction(row[0]) * off / 2 for each in row[1:]]


def _worked(learner: GradientTree, decision: Decision) -> Iterator[Block]:
    """The gain of the best question and the value of the node, with the figures put in."""
    equations = []
    if decision.winners:
        best = decision.chosen or decision.winners[0]
        rows = (*best.counted.rows, decision.total)
        for side, row in zip(("_L", "_R", ""), rows, strict=True):
            score = structure_score(work(row), learner.reg_lambda)
            equations.append(Equation(Symbol(f"G{side}²/(H{side} + λ)", rf"G{side}^2 / (H{side} + \lambda)"), score))
        gained = gradient_gain([work(row) for row in best.counted.rows], learner.reg_lambda)
        equations.append(Equation(symbol("gain(A)").of(asked(best.test)), gained))
    if decision.total[2] + learner.reg_lambda:
        value = leaf_weight(work(decision.total), learner.reg_lambda, learner.rate)
        equations.append(Equation(symbol("w"), value))
    yield Equations(tuple(equations))


__all__ = ["GAIN", "derive_gradients"]
