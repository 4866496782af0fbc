r"""Pruning by costs: the two methods with a price for each leaf, as tables and worked out.

1. The cost function (`cost_table`, `costs`): $N_t H_t + \alpha$ against the sum over the remaining leaves below, with α
   for each of them.
2. Cost-complexity pruning, round by round (`link_tables`, `links`): $g(t) = (R(t) - R(T_t)) / (|\tilde T_t| - 1)$ of
   every remaining link; the weakest are cut as long as their g is not above α.
3. `path_table` is the sequence of cost-complexity pruning, with the estimates of cross-validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from reference_tree.data.errors import number_of
from reference_tree.data.sample import Counts
from reference_tree.exact.log_sums import Number
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, rational
from reference_tree.exact.worked import Worked, work
from reference_tree.node import Node
from reference_tree.pruning.choosing_alpha import Choice, Estimate, PathPruning, within
from reference_tree.pruning.cost_complexity import Path, Step
from reference_tree.pruning.cost_function import CostPruning, leaf_cost
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.method import Record
from reference_tree.pruning.record import LinkRound, PerformedPruning, is_one_pass, rounds
from reference_tree.pruning.risks import Risk, convention, entropy_impurity, gini_impurity, misclassification
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    Decided,
    DecisionTable,
    Equation,
    Equations,
    Legend,
    NodeHeading,
    PruningView,
    Sentence,
    Symbol,
    heading,
    legend,
    of_node,
    path_of,
    symbol,
)
from reference_tree.views.derivation.notation import one_figure, written_out
from reference_tree.views.derivation.numerals import compared, figure, rounded
from reference_tree.views.derivation.remarks import becomes
from reference_tree.views.wording import amount

# The cost function.

COUNTED = {"|T_t|": "its leaves that a training row reaches"}
COSTS = {
    "C_α(t) = N_t·H_t + α":
        "the cost of node t as a leaf: its N_t rows times their entropy H_t, and α, the price of a leaf",
    "C_α(T_t) = Σ_l N_l·H_l + α·|T_t|": "the cost of the subtree that is left below it, of its leaves l",
    **COUNTED,
}  # fmt: skip
"""The symbols of the cost function."""


def cost_table(tree: Tree, found: CostPruning) -> DecisionTable:
    """The decisions of the cost function, with both costs in bits, including the price of the leaves."""
    rows = [
        (path_of(tree, n), rounded(leaf), rounded(subtree), becomes(done)) for n, leaf, subtree, done in found.weighings
    ]
    head = ("node", "as a leaf", "as it stands", "")
    return DecisionTable("The cost of each node in bits, from below", head, "lrrl", rows)


def costs(tree: Tree, found: CostPruning, alpha: Rational) -> Iterator[Decided]:
    """The decisions of the cost function, at the price α of a leaf in bits."""
    left: dict[int, tuple[Worked, int]] = {}  # below each judged node: its leaves' entropy in bits, and their number
    for number, _, __, pruned in found.weighings:
        branches = [branch for branch in tree.nodes[number].branches if any(tree.nodes[branch].counts)]
        below = [left.get(branch) or (_bits(tree.nodes[branch].counts), 1) for branch in branches]
        own, bits = _bits(tree.nodes[number].counts), work(sum(bits for bits, _ in below))
        leaves = sum(n for _, n in below)
        left[number] = (own, 1) if pruned else (one_figure(bits), leaves)
        as_leaf, as_tree = own + work(alpha), bits + work(alpha) * work(leaves)
        lines = Equation(symbol("C_α(t)"), as_leaf, "bits"), Equation(symbol("C_α(T_t)"), as_tree, "bits")
        comparison = compared(as_leaf.value, as_tree.value, rounded)
        equal = "both cost the same, and the node becomes a leaf"
        less = equal if as_leaf == as_tree else "the leaf costs less, and takes the place of the subtree"
        verdict = Sentence(f"{comparison}: {less if pruned else 'the leaf costs more, and the subtree stays'}.")
        yield Decided(frozenset({number}), (heading(tree, number), Equations(lines), verdict))


COST_VIEW = PruningView(
    CostPruning,
    lambda act, found: [cost_table(act.before, found)],
    lambda act, found: [legend(COSTS)],
    lambda act, found: costs(act.before, found, rational(act.record["alpha"])),
)


def _bits(counts: Counts) -> Any:
    """N_t·H_t."""
    return written_out(work(leaf_cost(work(list(counts)))))


# Cost-complexity.

RISKS: Mapping[Risk | None, dict[str, str]] = {
    misclassification: {
        "R(t) = (N_t − max_c N_tc) / N":
            "the share of all N rows that are wrong at node t as a leaf, N_tc being its rows of class c"
    },
    gini_impurity: {
        "R(t) = N_t·(1 − Σ_c (N_tc/N_t)²) / N": "the Gini index of node t as a leaf, times its share of all N rows"
    },
    entropy_impurity: {"R(t) = N_t·H_t / N": "the entropy H_t of node t as a leaf, times its share of all N rows"},
}  # fmt: skip
"""The risk of a node in general."""
OTHER = {"R(t)": "the risk of node t as a leaf"}
"""The risk by priors and losses."""
ERROR = {"R(t) = E_t / N": "the error E_t of node t as a leaf, for each of all N rows"}
LINKS = {
    "R(T_t) = Σ_l R(l)": "the risk of the leaves l that are left below it",
    "g(t) = (R(t) − R(T_t)) / (|T_t| − 1)": "the saving by these leaves, for each of them but one",
    **COUNTED,
}


def links_legend(found: PathPruning) -> Legend:
    """The meaning of the symbols."""
    risk = convention(found.path.tree, found.profile, found.risk).risk
    return legend((ERROR if found.path.tree.target.values is None else RISKS.get(risk, OTHER)) | LINKS)


def link_tables(found: PathPruning) -> Iterator[DecisionTable]:
    """The links of each round."""
    tree, leaf, below, g = found.path.tree, *map(symbol, ("R(t)", "R(T_t)", "g(t)"))
    for number, (links, step, gone) in enumerate(rounds(found), 1):
        rows = []
        for link in links:
            fate = "stays" if link.node not in gone else "is cut" if link.node in step.weakest else "goes with it"
            figures = map(figure, (link.leaf, link.subtree, link.saved, link.g))
            rows.append((path_of(tree, link.node), *figures, fate))
        least = figure(step.alpha)
        title = f"cut at α = {least}" if gone else f"the least g is {least}, and α is below it"
        yield DecisionTable(f"Round {number}: {title}", ("node", leaf, below, "leaves saved", g, ""), "lrrrrl", rows)


def _prices(found: PathPruning) -> DecisionTable:
    """The price at which each test is cut; dearest first, as in rpart's table."""
    tree, prices = found.path.tree, dict[int, Number]()
    sizes = shape(tree).sizes
    for step in found.path.steps:
        for top in step.weakest:
            for number in range(top, top + sizes[top]):
                prices.setdefault(number, step.alpha)
    rows = [
        (path_of(tree, number), figure(price), becomes(price <= found.step.alpha))
        for number, price in reversed(prices.items())
        if tree.nodes[number].test is not None
    ]
    return DecisionTable("The price of each test", ("node", "cp", ""), "lrl", rows)


def links(found: PathPruning, alpha: Number) -> Iterator[Decided]:
    """The rounds of cost-complexity pruning up to α, after the risk of each node as a leaf.

    Source:
        [Breiman1984 §3.3], [LiHang2019 §5.5.2]
    """
    tree = found.path.tree
    risk = convention(tree, found.profile, found.risk).risk or misclassification
    own = [_risk(tree, node, risk) for node in tree.nodes]
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    if asking:
        risks = tuple(
            Equation(of_node("R", tree, number), risk)
            for number, risk in enumerate(own)
            if risk.value or number in asking
        )
        text = "The risk of each node as a leaf, but of leaves without risk:"
        yield Decided(frozenset(asking), (Sentence(text), Equations(risks)))
    for number, one in enumerate(rounds(found), 1):
        alive = frozenset(link.node for link in one.links)
        below: dict[int, Worked] = {}  # R(T_t) of each remaining link
        lines = list[Equation]()
        saved = {link.node: link.saved for link in one.links}
        for top in sorted(alive, reverse=True):  # in preorder, the nodes below a node have higher numbers
            terms = [one_figure(below.get(branch, own[branch])) for branch in tree.nodes[top].branches]
            terms = [term for term in terms if term.value]
            below[top] = one_figure(sum(terms) or work(0))
            if saved[top] and len(terms) > 1:
                lines.append(Equation(symbol("R(T_A)").of(path_of(tree, top)), below[top]))
            g = (one_figure(own[top]) - below[top]) / work(saved[top]) if saved[top] else Worked(0, "number")
            lines.append(Equation(of_node("g", tree, top), g))
        head = NodeHeading(f"round {number}", "links", (str(len(alive)),), (str(len(alive)),))
        yield Decided(alive, (head, Equations(tuple(lines)), Sentence(_weakest(tree, one, alpha))))


def _risk(tree: Tree, node: Node, risk: Risk) -> Worked:
    """R(t) as a share of all rows, by the risk function that decides."""
    is_class = isinstance(node.label, str) and any(node.counts)
    worked = work(risk(replace(node, counts=tuple(work(list(node.counts))))) if is_class else one_figure(risk(node)))
    found: Worked = written_out(worked) / work(tree.nodes[0].weight)
    return found


def _weakest(tree: Tree, one: LinkRound, alpha: Number) -> str:
    """The consequence of the least g."""
    least = one.step.alpha
    if not one.gone:
        return f"The least is above the price of a leaf, {compared(least, alpha, rounded)}: nothing more is cut."
    weakest = sorted(link.node for link in one.links if link.g <= least)
    tops = [max(top for top in one.step.weakest if top <= number) for number in weakest]  # consecutive in preorder
    names = [
        path_of(tree, number) + (f" (below {path_of(tree, top)})" if top != number else "")
        for number, top in zip(weakest, tops, strict=True)
    ]
    cut = f"link is cut: {names[0]}" if len(names) == 1 else f"links are cut together: {', '.join(names)}"
    left = f"{number_of(one.step.leaves, 'leaf')} {'is' if one.step.leaves == 1 else 'are'} left"
    return f"The least is {_and_decimal(least)}; the weakest {cut}. {left}, R(T) = {_and_decimal(one.step.risk)}."


def _and_decimal(number: Number) -> str:
    """A figure as in the table of the sequence; a fraction also as the decimal of the lines above: `1/20 = 0.05`."""
    written = figure(number)
    if "/" not in written:
        return written
    return f"{written} {'=' if Fraction(rounded(number)) == number else '≈'} {rounded(number)}"


# The choice of α.

BOUND = {
    "R^CV": "the mean loss of the N rows, each predicted by a tree that was grown without its fold and pruned at α'",
    "α'_k = √(α_k·α_{k+1})":
        "for line k of the table the geometric mean of its α and the next; for the last line ∞, which leaves the root",
    "L_v(T_k)":
        "the loss of the rows of fold v by the tree that stands for line k: that of α'_k in the sequence of fold v",
    "R^CV(T_k) = Σ_v L_v(T_k) / N": "for line k, over the folds v in their order",
    "R, S": "of the best tree, R^CV and the mean of the squared losses; R = S where a loss is 0 or 1",
    "SE = √((S − R²) / N)": "the standard error of R",
    "R^CV ≤ R + m·SE": "a tree whose R^CV is within m standard errors of the least is taken as equally good",
}  # fmt: skip
"""The symbols of the choice by cross-validation."""


TAKEN = "; the tree of a line is taken from its α on, up to the α of the next line"
LEAVES = Symbol("leaves", r"\text{leaves}"), "those of that tree that a training row reaches"
PRICED = (
    (symbol("α"), f"the price of a leaf{TAKEN}"),
    LEAVES,
    (symbol("R(T)"), "its risk, which is that of its leaves"),
    (Symbol("link", r"\text{link}"), "an inner node; to cut it is to make it a leaf"),
)
"""The columns of the table of the sequence."""
IN_ONE_PASS = (
    (symbol("α"), f"the price of a test, as a share of the risk of the root: rpart's cp{TAKEN}"),
    LEAVES,
    (symbol("R(T)"), "its risk, which is that of its leaves, as a share of that of the root"),
)
"""The comparison for a sequence that was found in one pass."""
IN_BOTH_UNITS = (
    (Symbol("cp = α / R(root)", r"\mathrm{cp} = \alpha / R(\text{root})"), "the price, as a share of the root's risk"),
    (symbol("α"), f"the price of a test per row, as R and R^CV are{TAKEN}"),
    LEAVES,
    (symbol("R(T)"), "its risk per row, which is that of its leaves"),
)
"""The comparison in a table with both units, since cross-validation compares prices per row."""


def path_legend(found: PathPruning, choice: Choice | None = None) -> Legend:
    """The columns of the table of the sequence, and the cuts between its lines."""
    if len(_in_units(found.path, choice)) > 1:
        return Legend(IN_BOTH_UNITS)
    return Legend(IN_ONE_PASS if is_one_pass(found) else PRICED)


def path_table(path: Path, choice: Choice | None = None) -> DecisionTable:
    """The sequence of prunings, and the estimate of cross-validation for each."""
    priced = _in_units(path, choice)
    *_, steps = priced.values()
    rows = []
    for number, step in enumerate(steps):
        prices = [figure(each[number].alpha) for each in priced.values()]
        estimate = () if choice is None else _judged(choice, number)
        rows.append((*prices, str(step.leaves), figure(step.risk), *estimate))
    judged = () if choice is None else (symbol("R^CV"), "SE", "")
    head = (*priced, "leaves", symbol("R(T)"), *judged)
    sides = "r" * (len(priced) + 2) + "rrl" * (choice is not None)
    return DecisionTable("The sequence of prunings", head, sides, rows)


def _in_units(path: Path, choice: Choice | None) -> dict[str, Sequence[Step]]:
    """The steps by the title of their α; there are two units if cross-validation compares prices in another unit."""
    if choice is None or path.steps == choice.path.steps:
        return {"α from": path.steps}
    return {"cp from": path.steps, "α from": choice.path.steps}


def _judged(choice: Choice, number: int) -> tuple[str, str, str]:
    """The estimate of cross-validation for one of the trees, and remarks on it."""
    _, risk, square = choice.estimates[number]
    near = number in within(choice.estimates, choice.best, choice.standard_errors)
    remarks = ["least"] * (number == choice.best) + ["within the bound"] * (near and number != choice.best)
    return figure(risk), figure(root(square)), ", ".join([*remarks, *["chosen"] * (number == choice.chosen)])


def fold_tables(choice: Choice) -> Iterator[DecisionTable]:
    """For each fold, the trees of its own sequence that represent those of the whole, and the loss of its rows there.

    Source:
        [Breiman1984 §3.4.2]
    """
    alphas = [step.alpha for step in choice.path.steps]
    means = [*(_geometric_mean(low, high) for low, high in pairwise(alphas)), "∞"]
    squared = any(once != square for fold in choice.folds for once, square in fold.lost)
    columns: tuple[str | Symbol, ...] = symbol("k"), symbol("α'_k"), "α from", "leaves", symbol("L_v")
    head = (*columns, *["squared"] * squared)
    for number, fold in enumerate(choice.folds, 1):
        rows = [
            (str(k), mean, figure(step.alpha), str(step.leaves), *map(figure, lost[: 1 + squared]))
            for k, (mean, stands, lost) in enumerate(zip(means, fold.stands, fold.lost, strict=True), 1)
            for step in [fold.path.steps[stands]]
        ]
        held_out = f"Fold v = {number}, {amount(fold.rows, weighted=False)}"
        title = f"{held_out}: the trees of its sequence that stand for each line k"
        yield DecisionTable(title, head, "r" * len(head), rows)


def _geometric_mean(low: Number, high: Number) -> str:
    """α' as text; sums of logarithms have no products, so theirs stands under the root sign."""
    if not low:
        return "0"
    is_rational = all(isinstance(number, int | Fraction) for number in (low, high))
    return figure(root(low * high)) if is_rational else f"√({figure(low)}·{figure(high)})"


def _mean(choice: Choice, losses: Sequence[Rational]) -> Worked:
    return work(sum(map(one_figure, losses))) / work(choice.path.tree.nodes[0].weight)  # type: ignore[no-any-return]


def bound(choice: Choice, *, in_full: bool = False) -> Iterator[Block]:
    r"""The mean behind R^CV, how much worse than the best a tree may be, and the tree that is therefore chosen.

    $$R^{CV}(T_k) \leq R^{CV}(T_{k_0}) + m \, \mathrm{SE} \qquad \mathrm{SE} = \sqrt{\frac{S - R^2}{N}}$$

    Source:
        [Breiman1984 §3.4.3]
    """
    (_, least, square), rows = choice.estimates[choice.best], Fraction(choice.path.tree.nodes[0].weight)
    # The estimate keeps its squared standard error; the formula of the page has the mean of the squares.
    squares = square * rows + least * least
    error = root((work(squares) - work(least) ** 2) / work(rows))
    limit = work(least) + work(choice.standard_errors) * one_figure(error)
    yield legend(BOUND)
    yield from fold_tables(choice) if in_full else ()
    means = []
    for k, lost in enumerate(zip(*(fold.lost for fold in choice.folds), strict=True), 1):
        name = Symbol(f"R^CV(T_{k})", rf"R^{{\mathrm{{CV}}}}(T_{{{k}}})")
        means.append(Equation(name, _mean(choice, [once for once, _ in lost])))
    yield Equations(tuple(means))
    mean_square = _mean(choice, [fold.lost[choice.best][1] for fold in choice.folds])
    plain = [] if squares == least else [Equation(symbol("S"), mean_square)]
    yield Equations((*plain, Equation(symbol("SE"), error), Equation(symbol("R + m·SE"), limit)))
    taken, smaller = choice.estimates[choice.chosen], choice.estimates[choice.chosen + 1 :]
    text = f"The smallest tree within the bound is taken, {_against(taken, limit)}."
    # The bound is shown to be tight: the best of the smaller trees, too, is compared with it.
    if smaller:
        nearest = min(smaller, key=lambda one: one.risk)
        text += f" Of the smaller ones even the best is not, {_against(nearest, limit)}."
    yield Sentence(text)


def _record(act: PerformedPruning, found: PathPruning) -> Record:
    alpha = figure(_alpha(act, found))  # a sum of logarithms is long
    return {**act.record, "alpha": f"{alpha} of the risk of the root" if is_one_pass(found) else alpha}


def _alpha(act: PerformedPruning, found: PathPruning) -> Number:
    """The price α; a sum of logarithms in a record is the price of the step that was taken."""
    return found.step.alpha if act.record["alpha"] == str(found.step.alpha) else rational(act.record["alpha"])


def _sequence(found: PathPruning, choice: Choice | None, in_full: bool) -> Iterator[Block]:
    yield path_legend(found, choice)
    yield path_table(found.path, choice)
    if choice is not None:
        yield from bound(choice, in_full=in_full)


PATH_VIEW = PruningView(
    PathPruning,
    lambda act, found: [_prices(found)] if is_one_pass(found) else link_tables(found),
    lambda act, found: [] if is_one_pass(found) else [links_legend(found)],
    # A sequence that was found in one pass has no rounds to work out; only its table is shown.
    lambda act, found: (
        [Decided(frozenset(), (_prices(found),))] if is_one_pass(found) else links(found, _alpha(act, found))
    ),
    _record,
    _sequence,
)


def _against(one: Estimate, limit: Worked) -> str:
    leaves = number_of(one.step.leaves, "leaf")
    return f"{compared(one.risk, limit.value, rounded)}: {leaves}, α from {figure(one.step.alpha)}"
