"""A tree of gradient boosting worked out, node by node.

1. The derivatives of the rows at the sum of the trees before, and their sums.
2. The tests and their gains.
3. The gain of the best and the value of the node, with the figures inserted.

Irrational derivatives are enclosed, and the middle of each enclosure is shown. Every figure has enough digits for a
calculator to reproduce the figures that follow from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from operator import attrgetter, mul
from typing import Any, NamedTuple

from reference_tree.data.errors import number_of
from reference_tree.data.targets import Gradients
from reference_tree.ensembles.derivatives import LOSSES, DerivativeTable, LossCase, share_against
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.decision import Decision
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.growing import Visit, revisit
from reference_tree.measures.gradient_gain import gradient_gain, leaf_weight, structure_score
from reference_tree.routing import rows_reaching
from reference_tree.splitting.candidate import Candidate
from reference_tree.views.derivation.blocks import (
    WHOLE,
    Block,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    Meaning,
    Scope,
    Sentence,
    Symbol,
    heading,
    meanings,
    symbol,
)
from reference_tree.views.derivation.nodes import is_cut_short
from reference_tree.views.derivation.notation import one_figure
from reference_tree.views.derivation.numerals import decimal_of, minus
from reference_tree.views.wording import asked, cell_text, one_line, weight_text

ROWS = 40
"""The number of rows up to which all are shown; of more, only the first."""
LISTED = 10
"""The number of tests of a node that are listed, the best ones."""
ROOM = 16
"""The width to which the numbers of like rows are listed; of further ones, only how many."""

DERIVATIVES: Mapping[str, tuple[Meaning, ...]] = {
    "sum": meanings({
        "g = F − y": "of a row, the first derivative of (F − y)²/2 by F, the sum of the trees before",
        "h = 1": "the second derivative",
    }),
    "logistic": meanings({
        "p = 1 / (1 + e^(−F))": "of a row, the share of class {c} by F, the sum of the trees before",
        "g = p − y": "the first derivative of the loss by F; y is 1 for a row of class {c}, and 0 otherwise",
        "h = p·(1 − p)": "the second derivative",
    }),
    "softmax": meanings({
        "p = e^F(c) / Σ_k e^F(k)":
            "of a row, the share of c = {c} by F(k), the sums of the trees before for the classes k",
        "g = p − y": "the first derivative of the loss by F(c); y is 1 for a row of {c}, and 0 otherwise",
        "h = 2·p·(1 − p)": "twice the second derivative, as XGBoost has it",
    }),
}  # fmt: skip
"""The derivatives that a tree is fitted to, by the rule that combines the trees."""
GRADIENTS = meanings({
    "G, H": "the sums of g and h over the rows of a node; G_L, H_L and G_R, H_R those of its two sides",
    "gain = G_L² / (H_L + λ) + G_R² / (H_R + λ) − G² / (H + λ)":
        "twice the decrease of the expanded loss by a test; rows without a value are on the side that is said",
    "w = −η·G / (H + λ)": "the value of a leaf, which is added to the sum",
})  # fmt: skip
BOUNDS = {"min-child-weight": "an H below {min_child_weight}", "min-samples-leaf": "a weight below {min_samples_leaf}"}
"""The bound that a side violates, by the rule that bars the test."""
REASONS = {
    "epsilon": "no test gains more than {epsilon}",
    "max-depth": "its children would lie deeper than {max_depth}",
    "pruned": "the test that stood here gains less than γ = {gamma}, and nothing below it stayed",
    "min-samples-split": "its weight is below {min_samples_split}",
    "no-candidates": "no test parts its rows",
    **{rule: f"every test leaves a side with {bound}" for rule, bound in BOUNDS.items()},
}
"""Why a node is a leaf."""


class Fit(NamedTuple):
    """The target that one of the trees was fitted to."""

    ensemble: Ensemble
    member: Member
    learner: GradientTree
    data: DerivativeTable
    places: int
    """Decimals of a rounded figure."""

    @property
    def prices(self) -> tuple[Rational, Rational]:
        """λ and α."""
        return self.learner.reg_lambda, self.learner.reg_alpha

    def sums(self, row: Sequence[Rational]) -> list[Rational]:
        """n, G and H of a row of a table."""
        n, *sums = row
        return [n, *(self.middle(each, Fraction(n) * self.data.target.off) for each in sums)]

    def figures(self, row: Sequence[Rational]) -> Sequence[Worked]:
        """n, G and H as figures to which a formula adds λ and α."""
        return [
            one_figure(each) if price else work(each) for each, price in zip(row, (0, *self.prices[::-1]), strict=True)
        ]

    def derivatives(self, case: LossCase) -> list[Rational]:
        """Both derivatives of a case, g and h, from its margins."""
        loss = next(one for one in LOSSES.values() if one.combine == self.ensemble.combine)
        of = 0 if self.member.of is None else self.ensemble.target.domain.index(self.member.of)
        target = Gradients({case: loss.term(case, of)}, share_against)
        return [self.middle(each[case], target.off) for each in (target.g, target.h)]

    @property
    def has_shares(self) -> bool:
        """Whether the share p of a class has a column; of several classes, a sentence has that of the first line."""
        return self.ensemble.combine == "logistic"

    def share(self, case: LossCase, g: Rational) -> list[Rational]:
        """The share p = g + y of a case; nothing where it has no column."""
        return [g + case.y] if self.has_shares else []

    def from_share(self, case: LossCase, *share: Rational) -> list[Rational]:
        """Both derivatives of a case, from its share where it has a column, and from its margins elsewhere."""
        return [share[0] - case.y, share[0] * (1 - share[0])] if share else self.derivatives(case)

    def middle(self, low: Rational, off: Rational) -> Rational:
        """A number that may be too small by `off`: exact if `off` is 0, else the nearest answer on the grid."""
        return self.learner.on_grid(low + Fraction(off) / 2) if off else low

    def written(self, number: Rational) -> str:
        """A figure that others follow from; of enclosed derivatives, one within the grid width is written as 0."""
        return (decimal if self.data.target.off else decimal_of)(number, self.places)


def derive_gradients(
    ensemble: Ensemble, member: Member, learner: GradientTree, data: DerivativeTable, scope: Scope = WHOLE
) -> Iterator[Block]:
    """The derivation of a member of an ensemble that was fitted to derivatives, from the data it was grown on.

    Source:
        [ChenGuestrin2016 §3.1 algorithm 1], [ChenGuestrin2016 §3.4 algorithm 3]
    """
    tree, fit = member.tree, Fit(ensemble, member, learner, data, scope.digits.places)
    short = is_cut_short(tree, scope)
    only = 0 if short else scope.number_in(tree)
    c = one_line(member.of or ensemble.target.domain[-1]) if ensemble.target.values else ""
    derived = ((name, meaning.format(c=c)) for name, meaning in DERIVATIVES[ensemble.combine])
    price, rate = decimal_text(learner.reg_lambda), decimal_text(learner.rate)
    settings = Symbol(f"λ = {price}, η = {rate}", rf"\lambda = {price}, \eta = {rate}")
    if learner.reg_alpha:
        alpha = decimal_text(learner.reg_alpha)
        settings = Symbol(f"{settings.text}, α = {alpha}", rf"{settings.tex}, \alpha = {alpha}")
    named = "the training parameters: the penalty of large predictions, and the learning rate"
    if learner.reg_alpha:
        named += "; in every formula, α moves G towards 0"
    parameters = settings, named
    yield Legend((*derived, *GRADIENTS, parameters))
    # A decision counts rows by case; the page names them, so they are sent down once more.
    rows = {at.number: at.rows for at in rows_reaching(tree.nodes, data.table)}
    for visit in revisit(tree, learner, data):
        if only in (None, visit.number):
            yield from _gradient_node(fit, visit, rows[visit.number])
        if visit.number == only:
            break
    if short:
        yield Sentence("Only the root is worked out. Say --node /0 for the first node below it, or --all.")


def _gradient_node(fit: Fit, visit: Visit, rows: Sequence[int]) -> Iterator[Block]:
    node, decision = fit.member.tree.nodes[visit.number], visit.decision
    yield heading(fit.member.tree, visit.number)
    yield from _gradients(fit, rows)
    if decision.winners:
        yield _questions(fit, decision)
    yield from _barred(decision, fit.learner)
    yield from _worked(fit, decision)
    if node.test is not None:
        others = len(decision.winners) - 1
        tied = f" {number_of(others, 'other')} gain{'s' * (others == 1)} exactly as much." if others else ""
        yield Sentence(f"{asked(node.test)} has the largest gain, and is chosen.{tied}")
    else:
        yield Sentence(f"A leaf: {REASONS.get(str(node.stop), str(node.stop)).format_map(fit.learner.written())}.")


def _gradients(fit: Fit, rows: Sequence[int]) -> Iterator[Block]:
    """The derivatives of the rows of a node, one line for all rows of equal target and margins, and their sums."""
    target = fit.ensemble.target
    codes: Sequence[Any] = fit.data.table.columns[fit.data.schema.target.name]
    alike: dict[LossCase, list[int]] = {}
    for row in rows:
        alike.setdefault(fit.data.cases[codes[row]], []).append(row)
    weights, exact = fit.data.weighted(), [fit.derivatives(case) for case in alike]
    amounts = [sum(weights[row] for row in same) for same in alike.values()]
    totals = list(map(fit.written, _totals(amounts, exact)))
    pairs = _enough(exact, fit.places, lambda pairs: _lead_to(_totals(amounts, pairs), totals))
    shown = list(zip(alike, pairs, strict=True))[:ROWS]
    shares = _enough(
        [fit.share(case, g) for (case, _), (g, _) in zip(shown, exact, strict=False)],
        fit.places,
        lambda lines: all(
            _lead_to(fit.from_share(case, *line), pair) for (case, pair), line in zip(shown, lines, strict=True)
        ),
    )
    margins = _enough(
        [case.margins for case, _ in shown],
        fit.places,
        lambda lines: all(
            _lead_to((*found, *fit.share(case, found[0])), (*pair, *share))
            for (case, pair), share, line in zip(shown, shares, lines, strict=True)
            if (found := fit.derivatives(LossCase(case.y, tuple(line))))
        ),
    )
    drawn = fit.member.drawn or [1] * len(weights)
    numbers = [number for number, times in enumerate(drawn, start=1) if times]
    lines: list[tuple[str, ...]] = []
    for (case, pair), line, share, n in zip(shown, margins, shares, amounts, strict=False):
        named = _ranges([numbers[row] for row in alike[case]])
        y = cell_text(case.y) if target.values is None else one_line(target.domain[int(case.y)])
        lines.append((named, weight_text(n), y, *map(minus, (*line, *share, *pair))))
    of = [symbol("F")] if fit.member.of is None else [symbol("F(A)").of(label) for label in target.domain]
    of += [symbol("p")] * fit.has_shares
    lines.append(("sum", weight_text(sum(amounts)), *[""] * (1 + len(of)), *map(minus, totals)))
    title = "The rows, and the sums of n·g and n·h"
    title += f"; the first {ROWS} of {len(alike)} lines" if len(alike) > ROWS else ""
    head: tuple[str | Symbol, ...] = ("rows", "n", one_line(target.name), *of, symbol("g"), symbol("h"))
    yield DecisionTable(title, head, "l" + "r" * (len(head) - 1), lines)
    if fit.ensemble.combine == "softmax":  # beside a sum for each class, a column p would make the table too wide
        (case, (g, _)), *_ = shown
        is_class = int(target.domain[int(case.y)] == fit.member.of)
        p = decimal_of(Fraction(g) + is_class, fit.places)
        first = f"p = {p}, g = {p} − {is_class} and h = 2·{p}·(1 − {p})"
        no_column = "The share p = g + y has no column, since each class has one for its sum"
        yield Sentence(f"{no_column}; of the first line, {first}.")


def _totals(amounts: Sequence[Rational], pairs: Iterable[Iterable[Rational]]) -> list[Rational]:
    """G and H: the sums of the derivatives, each pair counted as often as it occurs."""
    return [sum(map(mul, amounts, column)) for column in zip(*pairs, strict=True)]


def _enough(
    lines: Sequence[Sequence[Rational]], places: int, suffice: Callable[[list[list[Fraction]]], bool]
) -> list[list[str]]:
    """Figures with enough decimals for a calculator to reproduce the figures that follow from them."""
    written = ([[decimal_of(one, more) for one in line] for line in lines] for more in count(places))
    return next(found for found in written if suffice([list(map(Fraction, line)) for line in found]))


def _lead_to(numbers: Iterable[Rational], written: Iterable[str]) -> bool:
    """Whether the numbers round to these figures."""
    pairs = zip(numbers, written, strict=True)
    return all(round(Fraction(one), len(figure.partition(".")[2])) == Fraction(figure) for one, figure in pairs)


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as text, consecutive ones as a range: `1, 3-5`; of many, the first and how many more."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    ranges = [f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in found]
    named = [
        ", ".join(ranges[:fit]) + (f" and {left} more" if (left := sum(map(len, found[fit:]))) else "")
        for fit in range(len(ranges), 0, -1)
    ]
    return next((one for one in named if len(one) <= ROOM), named[-1])


def _barred(decision: Decision, learner: GradientTree) -> Iterator[Sentence]:
    """The number of tests that each rule bars; if it bars all of them, the node says why it is a leaf."""
    rules = Counter(str(candidate.barred) for candidate in decision.candidates if candidate.barred is not None)
    for rule, number in rules.items():
        if decision.winners and rule in BOUNDS:
            many = "1 other test leaves" if number == 1 else f"{number} other tests leave"
            bound = BOUNDS[rule].format_map(learner.written())
            yield Sentence(f"{many} a side with {bound}, and may not compete ({rule}).")


def _questions(fit: Fit, decision: Decision) -> DecisionTable:
    """The best tests of a node, and all that tie with the best."""
    free = [candidate for candidate in decision.candidates if candidate.barred is None]
    ranked = sorted(free, key=attrgetter("score"), reverse=True)[: max(LISTED, len(decision.winners))]
    sides, prices = [[fit.sums(row) for row in one.counted.rows] for one in ranked], fit.prices
    gains = [fit.written(gradient_gain(pair, *prices)) for pair in sides]
    # As many decimals as are needed for the reader to get the printed gain from the printed sums.
    sums = _enough(
        [[*left[1:], *right[1:]] for left, right in sides],
        fit.places,
        lambda lines: _lead_to([gradient_gain([(0, *one[:2]), (0, *one[2:])], *prices) for one in lines], gains),
    )
    rows = [
        (asked(one.test), *map(minus, line), _side(one), minus(gain), _fate(decision, one))
        for one, line, gain in zip(ranked, sums, gains, strict=True)
    ]
    title = "The test" if len(free) == 1 else f"The tests, {len(free)} of them"
    title += f", the best {len(rows)}" if len(free) > len(rows) else ""
    head: tuple[str | Symbol, ...] = ("test", *map(symbol, ("G_L", "H_L", "G_R", "H_R")), "no value", "gain", "")
    return DecisionTable(title, head, "lrrrrlrl", rows)


def _side(candidate: Candidate) -> str:
    """The side on which the rows without a value are counted."""
    to_the_right = candidate.counted.rows[0] == candidate.table.rows[0]
    return ("right" if to_the_right else "left") if any(candidate.table.unknown) else "-"


def _fate(decision: Decision, candidate: Candidate) -> str:
    if decision.chosen is not None and candidate.key == decision.chosen.key:
        return "chosen"
    if candidate.key not in {one.key for one in decision.winners}:
        return ""
    return "the best" if decision.chosen is None and candidate.key == decision.winners[0].key else "as good"


def _worked(fit: Fit, decision: Decision) -> Iterator[Block]:
    """The gain of the best test and the value of the node, with the figures inserted."""
    prices, whole, equations = fit.prices, fit.sums(decision.total), []
    if decision.winners:
        best = decision.chosen or decision.winners[0]
        sides = [fit.sums(row) for row in best.counted.rows]
        for side, row in zip(("_L", "_R", ""), (*sides, whole), strict=True):
            score = structure_score(fit.figures(row), *prices)
            equations.append(Equation(Symbol(f"G{side}²/(H{side} + λ)", rf"G{side}^2 / (H{side} + \lambda)"), score))
        gained = gradient_gain([work(row) for row in sides], *prices)
        equations.append(Equation(symbol("gain(A)").of(asked(best.test)), gained))
    if whole[2] + prices[0]:
        value = leaf_weight(fit.figures(whole), prices[0], fit.learner.rate, prices[1])
        equations.append(Equation(symbol("w"), value))
    yield Equations(tuple(equations))
