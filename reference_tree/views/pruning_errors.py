r"""Pruning by errors, worked out: those that validation rows show, and those that are estimated.

1. `validated`: reduced-error pruning. What is wrong below a node against what is wrong if it is a leaf, and the score
   of the whole tree either way; best-first, all nodes of a step.
2. `growth`: pre-pruning. What is wrong before and after each split.
3. `estimates`: error-based pruning. $N \cdot U_{\mathrm{CF}}(E, N)$ of the leaf, of the subtree, of its largest branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.error_based import MARGIN, ErrorBased, ErrorPruning, Judgement, at_most_nearly
from reference_tree.pruning.record import PrePruned
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.selection.validation import Judged, Told
from reference_tree.tree import Tree
from reference_tree.views.blocks import Block, Equation, Equations, Facts, Heading, Legend, Sentence, Symbol
from reference_tree.views.names import one_line
from reference_tree.views.notation import PLACES
from reference_tree.views.pruning_parts import Part, compared, heading, of_node, total
from reference_tree.views.pruning_sheets import figure

# Validation rows.

LEAF = Symbol("E(t)", "E(t)")
BELOW = Symbol("E(T_t)", "E(T_t)")
STANDS = Symbol("a(T)", "a(T)")
PRUNED = Symbol("a(T − T_t)", r"a(T \setminus T_t)")
PARTS = Symbol("E(split)", r"E(\text{split})")
SPLIT = Symbol("a(T + split)", r"a(T + \text{split})")


def validation_legend(judged: Judged, *, numbers: bool) -> Legend:
    """What the letters mean.

    Args:
        judged: of the validation rows.
        numbers: whether the tree predicts numbers.
    """
    weight = figure(judged.weight)
    errors = "the squared error" if numbers else "how many are wrong"
    scored = "the mean squared error" if numbers else "the accuracy"
    return Legend(
        (
            (LEAF, f"of the {weight} validation rows those that reach node t: {errors} if it is a leaf"),
            (BELOW, f"the same: {errors} with what is left below it"),
            (STANDS, f"{scored} of the whole tree on the validation rows"),
            (PRUNED, "the same if t is made a leaf"),
        )
    )


def growth_legend(past: PrePruned) -> Legend:
    """The same for pre-pruning."""
    numbers = past.full.target.values is None
    (_, leaf), _, (__, scored), ___ = validation_legend(past.judged, numbers=numbers).lines
    errors = "the squared error" if numbers else "how many are wrong"
    return Legend(
        (
            (LEAF, leaf),
            (PARTS, f"the same: {errors} if it is split"),
            (STANDS, scored),
            (SPLIT, "the same if t is split"),
        )
    )


def _score(errors: Rational, judged: Judged, *, numbers: bool) -> Worked:
    """The accuracy, or for numbers the mean squared error."""
    weight = work(judged.weight)
    worked: Worked = work(errors) / weight if numbers else (weight - work(errors)) / weight
    return worked


def validated(found: Pruning) -> Iterator[Part]:
    """The decisions of reduced-error pruning.

    Source:
        [N2 §3.2 step 2], [N2 §3.2 step 3], [N2 §3.2 step 4], [N3 Reduced-Error Pruning: step 1], [N3 Reduced-Error
        Pruning: step 2]
    """
    return _steps(found) if found.order == "best-first" else _passed(found)


def _passed(found: Pruning) -> Iterator[Part]:
    numbers, errors = found.tree.target.values is None, list(found.judged.as_leaf)
    for told in found.told():
        number, before, after, done = told.step
        terms = [work(errors[branch]) for branch in found.tree.nodes[number].branches]
        staying = found.judged.staying[number]
        below = total([*terms, work(staying)] if staying else terms)
        errors[number] = after if done else before
        lines = (
            Equation(BELOW, below),
            Equation(LEAF, work(after)),
            Equation(STANDS, _score(told.before, found.judged, numbers=numbers)),
            Equation(PRUNED, _score(told.after, found.judged, numbers=numbers)),
        )
        said = f"{compared(after, before)}: {_fate(before, after, done)}."
        yield Part(frozenset({number}), (heading(found.tree, number), Equations(lines), Sentence(said)))


def _fate(before: Rational, after: Rational, done: bool) -> str:
    """What became of a node, and why."""
    if after == before:
        return f"nothing changes if it is a leaf, and ties {'prune: it becomes one' if done else 'keep: it stays'}"
    if done:
        return "less is wrong if it is a leaf, and it becomes one"
    return "more would be wrong if it were a leaf, and it stays"


def _steps(found: Pruning) -> Iterator[Part]:
    """Best-first: what each node that asks would save, step by step."""
    numbers, errors, tree = found.tree.target.values is None, found.errors[0], found.tree
    for index, step in enumerate(found.steps):
        candidates = found.candidates(index)
        asking = figure(len(candidates))
        saved = [Equation(of_node("ΔE", tree, one.number), work(one.before) - work(one.after)) for one in candidates]
        then = errors - step.before + step.after
        lines = (
            Equation(STANDS, _score(errors, found.judged, numbers=numbers)),
            Equation(PRUNED, _score(then, found.judged, numbers=numbers)),
        )
        path, gain = one_line(tree.path(step.number)), figure(step.before - step.after)
        said = f"{path} saves most, {gain} (of equals the deepest, and of those the first in postorder): "
        blocks: tuple[Block, ...] = (
            Heading(f"step {index + 1}", "nodes that ask", (asking,), (asking,)),
            Equations(tuple(saved)),
            Equations(lines),
            Sentence(f"{said}{_fate(step.before, step.after, step.done)}."),
        )
        yield Part(frozenset(one.number for one in candidates), blocks)
        errors = then if step.done else errors


def growth(past: PrePruned) -> dict[int, tuple[Block, ...]]:
    """For each node at which pre-pruning asked the validation rows, what they said.

    Source:
        [N2 §3.1 step 2], [N2 §3.1 step 3], [N2 §3.1 step 4], [Zhou2016 §4.3.1]
    """
    numbers = past.full.target.values is None
    return {told.step.number: tuple(_asked(told, past, numbers=numbers)) for told in past.told}


def _asked(told: Told, past: PrePruned, *, numbers: bool) -> Iterator[Block]:
    _, before, after, done = told.step
    yield Equations(
        (
            Equation(LEAF, work(before)),
            Equation(PARTS, work(after)),
            Equation(STANDS, _score(told.before, past.judged, numbers=numbers)),
            Equation(SPLIT, _score(told.after, past.judged, numbers=numbers)),
        )
    )
    weight = figure(past.judged.weight)
    if done:
        why = "as much is wrong after the split, and ties split" if before == after else "less is wrong after the split"
        yield Sentence(f"The {weight} validation rows: {compared(after, before)}; {why}, and it is made.")
        return
    why = "the split changes nothing, and ties stop" if before == after else "the split makes it worse"
    yield Sentence(
        f"The {weight} validation rows: {compared(after, before)}; {why}. It is not made, and the node is a leaf "
        "(pre-pruned)."
    )


# Estimates.


def limit_legend(rules: ErrorBased) -> Legend:
    """What the letters mean under some rules."""
    limits = {
        "binomial": "the exact binomial limit",
        "table": "C4.5's limit, its deviate from a table",
        "normal": "J48's limit, by the normal quantile",
    }
    said = limits[str(rules.options()["limit"])]
    return Legend(
        (
            (
                Symbol("N·U(E, N)", r"N \cdot U(E, N)"),
                f"how many errors are expected of N rows of which E were wrong in training: {said} for CF = "
                f"{rules.confidence}",
            ),
        )
    )


def estimates(tree: Tree, found: ErrorPruning, rules: ErrorBased) -> Iterator[Part]:
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
        facts = (
            ("as a leaf", _of_leaf(tree, one, known_rows=one.node not in moved)),
            ("as it stands", _of_subtree(tree, one, known)),
            *((("largest branch", _of_branch(tree, one)),) if one.branch is not None else ()),
        )
        blocks = (heading(tree, one.node), Facts(facts), Sentence(_verdict(one, rules)))
        yield Part(frozenset({one.node}), blocks)
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


def _of_branch(tree: Tree, one: Judgement) -> str:
    assert one.branch is not None
    assert one.largest is not None
    return f"{decimal(one.branch, PLACES)}, if all rows go down {one_line(tree.path(one.largest))}"


def _verdict(one: Judgement, rules: ErrorBased) -> str:
    """Which of the three is taken, by the comparisons that decide it."""
    others = [one.subtree] if one.branch is None else [one.subtree, one.branch]
    of_leaf = " and ".join(_within(one.leaf, other, rules) for other in others)
    if one.verdict == "leaf":
        return f"{of_leaf}: it becomes a leaf."
    failed = next(_within(one.leaf, other, rules) for other in others if not rules.comparison(one.leaf, other))
    if one.branch is None:
        return f"{failed}: it stays."
    of_branch = _within(one.branch, one.subtree, rules)
    return (
        f"{failed}, so no leaf; {of_branch}: {'the branch takes its place' if one.verdict == 'raise' else 'it stays'}."
    )


def _within(estimate: Number, other: Number, rules: ErrorBased) -> str:
    """Whether an estimate is at most another one and the margin, with as many decimals as it takes to see it."""
    slack = Fraction(1, 10**6) if rules.comparison is at_most_nearly else Fraction(0)
    margin, strict = MARGIN + slack, bool(slack)
    holds = rules.comparison(estimate, other)
    sign = {(True, False): "≤", (False, False): ">", (True, True): "<", (False, True): "≥"}[holds, strict]
    places = PLACES
    while estimate != other + margin and decimal(estimate, places) == decimal(other + margin, places):
        places *= 2
    return f"{decimal(estimate, places)} {sign} {decimal(other, places)} + {decimal(margin, PLACES).rstrip('0')}"
