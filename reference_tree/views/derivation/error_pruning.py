r"""Pruning by errors: those that validation rows show, and those that are estimated; as tables and worked out.

1. Reduced-error pruning (`validation_tables`, `validated`): what is wrong below a node against what is wrong if it is a
   leaf, and the score of the whole tree either way; best-first, all nodes of a step.
2. Pre-pruning (`growth`): what is wrong before and after each split.
3. Error-based pruning (`estimate_table`, `estimates`): $N \cdot U_{\mathrm{CF}}(E, N)$ of the leaf, of the subtree, of
   its largest branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal, significant
from reference_tree.exact.worked import Worked, work
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.error_based import MARGIN, ErrorBased, ErrorPruning, Judgement, at_most_nearly
from reference_tree.pruning.record import PrePruned
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.selection.validation import NodeErrors, Step, TreeStep
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import (
    Block,
    Decided,
    DecisionTable,
    Equation,
    Equations,
    Facts,
    Heading,
    Legend,
    Sentence,
    Symbol,
)
from reference_tree.views.derivation.nodes import heading, of_node, path_of
from reference_tree.views.derivation.notation import PLACES, compared, figure, places_apart
from reference_tree.views.derivation.remarks import becomes

# Validation rows.

LEAF = Symbol("E(t)", "E(t)")
BELOW = Symbol("E(T_t)", "E(T_t)")
STANDS = Symbol("a(T)", "a(T)")
PRUNED = Symbol("a(T − T_t)", r"a(T \setminus T_t)")
PARTS = Symbol("E(split)", r"E(\text{split})")
SPLIT = Symbol("a(T + split)", r"a(T + \text{split})")


def validation_legend(errors_at: NodeErrors, *, numbers: bool, growing: bool = False) -> Legend:
    """What the letters mean.

    Args:
        errors_at: of the validation rows.
        numbers: whether the tree predicts numbers.
        growing: whether they are asked before a split.
    """
    errors, scored = (
        ("the squared error", "the mean squared error") if numbers else ("how many are wrong", "the accuracy")
    )
    of_those = f"of the {figure(errors_at.weight)} validation rows those that reach node t: {errors} if it is a leaf"
    other = (PARTS, f"the same: {errors} if it is split")
    after = (SPLIT, "the same if t is split")
    if not growing:
        other = (BELOW, f"the same: {errors} with what is left below it")
        after = (PRUNED, "the same if t is made a leaf")
    return Legend(((LEAF, of_those), other, (STANDS, f"{scored} of the whole tree on the validation rows"), after))


def _is_numeric(tree: Tree) -> bool:
    return tree.target.values is None


def _worked_score(errors: Rational, errors_at: NodeErrors, *, numbers: bool) -> Worked:
    """The accuracy, or for numbers the mean squared error."""
    weight = work(errors_at.weight)
    worked: Worked = work(errors) / weight if numbers else (weight - work(errors)) / weight
    return worked


def score(errors: Rational, errors_at: NodeErrors, *, numbers: bool) -> str:
    """How good a tree is on the validation rows: its accuracy in per cent, or the mean of its squared errors.

    Args:
        errors: what it gets wrong.
        errors_at: of the validation rows.
        numbers: whether it predicts numbers.

    Example:
        >>> score(3, NodeErrors(7, [], []), numbers=False), score(3, NodeErrors(7, [], []), numbers=True)
        ('57.1 %', '0.428571')
    """
    share = Fraction(errors) / Fraction(errors_at.weight)
    return significant(share, 6) if numbers else f"{decimal(100 * (1 - share), 1)} %"


def validation_tables(found: Pruning) -> Iterator[DecisionTable]:
    """Bottom-up, each node once; best-first, all nodes that were compared, step by step."""
    errors_at, numbers = found.validation_errors, _is_numeric(found.tree)
    wrong, scores = ("squared error below", "mean squared error") if numbers else ("wrong below", "accuracy")
    if found.order != "best-first":
        head: tuple[str, ...] = ("node", wrong, "as a leaf", scores, "if pruned", "")
        title = f"What {figure(errors_at.weight)} validation rows say of each node, from below"
        rows = [
            (*_wrong(found, step), *(score(one, errors_at, numbers=numbers) for one in (now, then)), becomes(step.done))
            for step, now, then in found.tree_steps()
        ]
        yield DecisionTable(title, head, "lrrrrl", rows)
        return
    errors, head = found.errors[0], ("node", wrong, "as a leaf", f"{scores} then", "")
    for index, taken in enumerate(found.steps):
        fate = "helps most: becomes a leaf" if taken.done else "helps most, and stays"
        rows = [
            (
                *_wrong(found, step),
                score(errors - step.before + step.after, errors_at, numbers=numbers),
                fate if step.number == taken.number else "",
            )
            for step in found.candidates(index)
        ]
        now = score(errors, errors_at, numbers=numbers)
        title = f"Step {index + 1}, {scores} {now} on {figure(errors_at.weight)} validation rows"
        yield DecisionTable(title, head, "lrrrl", rows)
        errors -= taken.before - taken.after if taken.done else 0


def _wrong(found: Pruning, step: Step) -> tuple[str, str, str]:
    """A node, and what is wrong below it and as a leaf."""
    return path_of(found.tree, step.number), figure(step.before), figure(step.after)


def validated(found: Pruning) -> Iterator[Decided]:
    """The decisions of reduced-error pruning.

    Source:
        [N2 §3.2 step 2], [N2 §3.2 step 3], [N2 §3.2 step 4], [N3 Reduced-Error Pruning: step 1], [N3 Reduced-Error
        Pruning: step 2]
    """
    return _best_first(found) if found.order == "best-first" else _bottom_up(found)


def _bottom_up(found: Pruning) -> Iterator[Decided]:
    numbers, errors = _is_numeric(found.tree), list(found.validation_errors.as_leaf)
    for told in found.tree_steps():
        number, before, after, done = told.step
        terms = [work(errors[branch]) for branch in found.tree.nodes[number].branches]
        staying = found.validation_errors.staying[number]
        errors[number] = after if done else before
        lines = (
            Equation(BELOW, work(sum([*terms, work(staying)] if staying else terms))),
            Equation(LEAF, work(after)),
            Equation(STANDS, _worked_score(told.before, found.validation_errors, numbers=numbers)),
            Equation(PRUNED, _worked_score(told.after, found.validation_errors, numbers=numbers)),
        )
        said = Sentence(f"{compared(after, before)}: {_fate(before, after, done)}.")
        yield Decided(frozenset({number}), (heading(found.tree, number), Equations(lines), said))


def _fate(before: Rational, after: Rational, done: bool) -> str:
    """What became of a node, and why."""
    if after == before:
        return f"nothing changes if it is a leaf, and ties {'prune: it becomes one' if done else 'keep: it stays'}"
    if done:
        return "less is wrong if it is a leaf, and it becomes one"
    return "more would be wrong if it were a leaf, and it stays"


def _best_first(found: Pruning) -> Iterator[Decided]:
    """What each node that asks would save, step by step."""
    numbers, errors, tree = _is_numeric(found.tree), found.errors[0], found.tree
    for index, step in enumerate(found.steps):
        candidates = found.candidates(index)
        asking = (figure(len(candidates)),)
        saved = [Equation(of_node("ΔE", tree, one.number), work(one.before) - work(one.after)) for one in candidates]
        then = errors - step.before + step.after
        lines = (
            Equation(STANDS, _worked_score(errors, found.validation_errors, numbers=numbers)),
            Equation(PRUNED, _worked_score(then, found.validation_errors, numbers=numbers)),
        )
        saves = f"{path_of(tree, step.number)} saves most, {figure(step.before - step.after)}"
        said = f"{saves} (of equals the deepest, and of those the first in postorder): "
        blocks: tuple[Block, ...] = (
            Heading(f"step {index + 1}", "nodes that ask", asking, asking),
            Equations(tuple(saved)),
            Equations(lines),
            Sentence(f"{said}{_fate(step.before, step.after, step.done)}."),
        )
        yield Decided(frozenset(one.number for one in candidates), blocks)
        errors = then if step.done else errors


def growth(past: PrePruned) -> dict[int, tuple[Block, ...]]:
    """For each node at which pre-pruning asked the validation rows, what they said.

    Source:
        [N2 §3.1 step 2], [N2 §3.1 step 3], [N2 §3.1 step 4], [Zhou2016 §4.3.1]
    """
    return {told.step.number: tuple(_asked(told, past)) for told in past.tree_steps}


def _asked(told: TreeStep, past: PrePruned) -> Iterator[Block]:
    (_, before, after, done), numbers = told.step, _is_numeric(past.full)
    yield Equations(
        (
            Equation(LEAF, work(before)),
            Equation(PARTS, work(after)),
            Equation(STANDS, _worked_score(told.before, past.validation_errors, numbers=numbers)),
            Equation(SPLIT, _worked_score(told.after, past.validation_errors, numbers=numbers)),
        )
    )
    rows = f"The {figure(past.validation_errors.weight)} validation rows: {compared(after, before)}"
    if done:
        why = "as much is wrong after the split, and ties split" if before == after else "less is wrong after the split"
        yield Sentence(f"{rows}; {why}, and it is made.")
        return
    why = "the split changes nothing, and ties stop" if before == after else "the split makes it worse"
    yield Sentence(f"{rows}; {why}. It is not made, and the node is a leaf (pre-pruned).")


# Estimates.

LIMITS = {
    "binomial": "the exact binomial limit",
    "table": "C4.5's limit, its deviate from a table",
    "normal": "J48's limit, by the normal quantile",
}
"""How many errors are expected, by the name of the rule."""


def limit_legend(rules: ErrorBased) -> Legend:
    """What the letters mean under some rules."""
    limit = f"{LIMITS[str(rules.options()['limit'])]} for CF = {rules.confidence}"
    meaning = f"how many errors are expected of N rows of which E were wrong in training: {limit}"
    return Legend(((Symbol("N·U(E, N)", r"N \cdot U(E, N)"), meaning),))


def estimate_table(tree: Tree, found: ErrorPruning) -> DecisionTable:
    """The decisions of error-based pruning, beside the leaf's estimates those of the largest branch in its place."""
    fates = {"leaf": becomes(True), "keep": becomes(False), "raise": "gives way to that branch"}
    rows = [
        (
            path_of(tree, one.node),
            decimal(one.leaf, PLACES),
            decimal(one.subtree, PLACES),
            "-" if one.branch is None else decimal(one.branch, PLACES),
            fates[one.verdict],
        )
        for one in found.judgements
    ]
    head = ("node", "as a leaf", "as it stands", "largest branch", "")
    return DecisionTable("The estimated errors of each node, from below", head, "lrrrl", rows)


def estimates(tree: Tree, found: ErrorPruning, rules: ErrorBased) -> Iterator[Decided]:
    """The decisions of error-based pruning.

    Args:
        tree: before it was pruned.
        found: what pruning found.
        rules: by which.

    Source:
        [Quinlan1993 §4.2]
    """
    sizes, moved = shape(tree).sizes, set[int]()
    known = {number: rules.estimate(node.counts) for number, node in enumerate(tree.nodes) if node.test is None}
    for one in found.judgements:
        facts = [
            ("as a leaf", _of_leaf(tree, one, known_rows=one.node not in moved)),
            ("as it stands", _of_subtree(tree, one, known)),
        ]
        if one.branch is not None and one.largest is not None:
            down = f"if all rows go down {path_of(tree, one.largest)}"
            facts.append(("largest branch", f"{decimal(one.branch, PLACES)}, {down}"))
        blocks = (heading(tree, one.node), Facts(tuple(facts)), Sentence(_taken(one, rules)))
        yield Decided(frozenset({one.node}), blocks)
        known[one.node] = one.leaf if one.verdict == "leaf" else one.subtree
        if one.verdict == "raise":  # from here on, other rows reach what was below
            moved |= set(range(one.node, one.node + sizes[one.node]))
            for number in range(one.node, one.node + sizes[one.node]):
                known.pop(number, None)


def _of_leaf(tree: Tree, one: Judgement, *, known_rows: bool) -> str:
    """The estimate of a leaf; where rows came from a raised branch, they are not those of the heading any more."""
    if not known_rows:
        return f"{decimal(one.leaf, PLACES)} expected errors, of all the rows that come here now"
    counts = tree.nodes[one.node].counts
    n, wrong = figure(sum(counts)), figure(sum(counts) - max(counts))
    return f"{n}·U({wrong}, {n}) ≈ {decimal(one.leaf, PLACES)} expected errors"


def _of_subtree(tree: Tree, one: Judgement, known: Mapping[int, Number]) -> str:
    """The sum over what is left below, where the rows there are still the same."""
    terms = [known.get(branch) for branch in tree.nodes[one.node].branches]
    if any(term is None for term in terms) or not terms:
        return decimal(one.subtree, PLACES)
    written = " + ".join(decimal(term, PLACES) if term else "0" for term in terms)
    return f"{written} ≈ {decimal(one.subtree, PLACES)}"


def _taken(one: Judgement, rules: ErrorBased) -> str:
    """Which of the three is taken, by the comparisons that decide it."""
    others = [one.subtree] if one.branch is None else [one.subtree, one.branch]
    if one.verdict == "leaf":
        return f"{' and '.join(_within(one.leaf, other, rules) for other in others)}: it becomes a leaf."
    failed = next(_within(one.leaf, other, rules) for other in others if not rules.comparison(one.leaf, other))
    if one.branch is None:
        return f"{failed}: it stays."
    taken = "the branch takes its place" if one.verdict == "raise" else "it stays"
    return f"{failed}, so no leaf; {_within(one.branch, one.subtree, rules)}: {taken}."


def _within(estimate: Number, other: Number, rules: ErrorBased) -> str:
    """Whether an estimate is at most another one and the margin, with as many decimals as it takes to see it."""
    strict = rules.comparison is at_most_nearly
    margin = MARGIN + (Fraction(1, 10**6) if strict else 0)
    holds = rules.comparison(estimate, other)
    sign = ("<" if strict else "≤") if holds else ("≥" if strict else ">")
    places = places_apart(estimate, other + margin)
    return f"{decimal(estimate, places)} {sign} {decimal(other, places)} + {decimal(margin, PLACES).rstrip('0')}"
