r"""Pruning by validation rows worked out: the rows that reach a node, and their errors as it is and as it could be.

1. Reduced-error pruning (`validation_tables`, `validated`): the errors below a node against those of the node as a
   leaf, and the score of the whole tree either way; best-first, for all nodes of a step.
2. Pre-pruning (`growth`): the errors before and after each split.
3. `HeldOutRows` has the validation rows, and a table of those at a node: their class, where they end, both answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from fractions import Fraction

from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.exact.rounding import decimal, significant
from reference_tree.exact.worked import work
from reference_tree.node import Label
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.record import PrePruned
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.routing import column, rows_reaching
from reference_tree.selection.validation import NodeErrors, Step, TreeStep
from reference_tree.subtrees import counterparts
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
    of_node,
    path_of,
    symbol,
)
from reference_tree.views.derivation.notation import one_figure
from reference_tree.views.derivation.numerals import compared, figure
from reference_tree.views.derivation.remarks import becomes
from reference_tree.views.wording import answer_text, one_line, weight_text

FEW = 8
"""The number of like rows up to which their row numbers are listed."""

LINES = 40
"""The most lines of a table of rows."""

LEAF = symbol("E(t)")
BELOW = symbol("E(T_t)")
PARTS = symbol("E(split)")

SPLIT = "after the split"
"""The change that pre-pruning tests on the validation rows."""


class Words:
    """The terms for errors and for the score of a tree: wrong rows and accuracy, or squared errors and their mean."""

    def __init__(self, tree: Tree, held: NodeErrors) -> None:
        self.is_numeric, self.held = tree.target.values is None, held
        self.wrong, self.score, letter = (
            ("squared error", "mean squared error", "MSE") if self.is_numeric else ("wrong", "accuracy", "a")
        )
        tex = rf"\text{{{letter}}}" if self.is_numeric else letter
        self.stands = Symbol(f"{letter}(T)", f"{tex}(T)")
        self.pruned = Symbol(f"{letter}(T − T_t)", rf"{tex}(T \setminus T_t)")
        self.split = Symbol(f"{letter}(T + split)", rf"{tex}(T + \text{{split}})")

    def legend(self, *, growing: bool = False, saving: bool = False) -> Legend:
        """The meaning of the symbols; for a growing tree, before a split; best-first, also of the saving of a node."""
        n = figure(self.held.weight)
        each, errors, share = "[y_i ≠ ŷ_t]", "the number of errors", " = (n − E) / n"
        if self.is_numeric:
            each, errors, share = "(y_i − ŷ_t)²", "their squared errors", " = E / n"
        reach = f"of the {n} validation rows i that reach node t, {errors} if it is a leaf, which predicts ŷ_t"
        stands = Symbol(self.stands.text + share, self.stands.tex + symbol(share).tex)
        whole = f"the {self.score} of the whole tree: E is its errors on n = {n} rows"
        if growing:
            other = symbol("E(split) = Σ_b E(b)"), "the same if t is split, over the branches b"
            after = self.split, "the same if t is split"
        else:
            other = symbol("E(T_t) = Σ_b E(b)"), "the same with what is left below t, over its branches b"
            after = self.pruned, "the same if t is made a leaf"
        saved = [(symbol("ΔE(t) = E(T_t) − E(t)"), "the saving if t is made a leaf")] if saving else []
        return Legend(((symbol(f"E(t) = Σ_i {each}"), reach), other, *saved, (stands, whole), after))

    def scores(self, step: TreeStep, then: Symbol) -> tuple[Equation, Equation]:
        """The score of the whole tree before a step and after it: the errors of the step take the place of others."""
        n, (_, gone, come, _) = work(self.held.weight), step.step
        before = one_figure(step.before)
        after = before - one_figure(gone) + one_figure(come)
        if not self.is_numeric:
            before, after = n - before, n - after
        return Equation(self.stands, before / n), Equation(then, after / n)

    def compared(self, before: Rational, after: Rational) -> str:
        """The errors after a step compared with those before, in words.

        Example:
            >>> import reference_tree as rt
            >>> words = Words(rt.ID3().grow(rt.textbook("play-tennis")), NodeErrors(7, [], []))
            >>> words.compared(2, 1), words.compared(1, 1), words.compared(1, Fraction(3, 2))
            ('fewer are wrong', 'as many are wrong', 'more weight is wrong')
        """
        which = 1 + (after > before) - (after < before)
        if self.is_numeric:
            return f"the squared error is {('less', 'the same', 'greater')[which]}"
        if before == int(before) and after == int(after):
            return f"{('fewer', 'as many', 'more')[which]} are wrong"
        return f"{('less', 'as much', 'more')[which]} weight is wrong"

    def verdict(self, step: Step, changed: str = "if it is a leaf") -> str:
        """The outcome for a node and the reason: whether it was pruned or, for the other change, split."""
        _, before, after, done = step
        if changed == SPLIT:
            fate = "the node is split" if done else "it is not split. The node is a leaf (pre-pruned)"
            by_rule = "on a tie "
        else:
            ties, fate = ("prune", "it becomes one") if done else ("keep", "it stays")
            by_rule = f"ties {ties}: "
        return f"{self.compared(before, after)} {changed}, and {by_rule if before == after else ''}{fate}"

    def short(self, errors: Rational) -> str:
        """The score in short: an accuracy in per cent.

        Example:
            >>> import reference_tree as rt
            >>> Words(rt.ID3().grow(rt.textbook("play-tennis")), NodeErrors(7, [], [])).short(3)
            '57.1 %'
        """
        share = Fraction(errors) / Fraction(self.held.weight)
        return significant(share, 6) if self.is_numeric else f"{decimal(100 * (1 - share), 1)} %"


# The rows that reach a node.


class HeldOutRows:
    """The validation rows, and the node in which each ends; some nodes count as leaves from the start."""

    def __init__(self, tree: Tree, validation: Table, leaves: Collection[int] = ()) -> None:
        codes, values = column(validation, tree.target.name)
        self._tree, self._sizes, self._weights = tree, shape(tree).sizes, validation.weighted()
        self._truth = [values[code] for code in codes]
        self._ends = [
            (number, row, shares.get(row, 1))
            for number, _, shares, ending in rows_reaching(tree.nodes, tree.seen(validation), leaves=leaves)
            for row in ending
        ]  # in preorder, so that the rows below a node are consecutive

    def _alike(self, number: int, cut: Collection[int]) -> list[tuple[tuple[int, Label], dict[int, Rational]]]:
        """The rows that reach a node, with their weights there, grouped by the node in which they end and by class."""
        weights: dict[tuple[int, Label], dict[int, Rational]] = {}
        first, last = (bisect_left(self._ends, (place,)) for place in (number, number + self._sizes[number]))
        for end, row, share in self._ends[first:last]:
            rows = weights.setdefault((self._standing(end, number, cut), self._truth[row]), {})
            rows[row] = rows.get(row, 0) + share * self._weights[row]
        return sorted(weights.items(), key=lambda one: one[0][0])

    def table(self, number: int, cut: Collection[int], words: Words, other: str) -> DecisionTable:
        """The rows that reach a node: where they end, and their errors there and with the node as a leaf."""
        nodes, lines, sums = self._tree.nodes, list[tuple[str, ...]](), [Fraction(0)] * 3
        # Rows of one class that end in one node are one line: their errors are the same on both sides.
        for (end, truth), rows in self._alike(number, cut):
            answers, weight = (nodes[end].label, nodes[number].label), sum(rows.values())
            figures = weight, *(weight * _error(truth, answer) for answer in answers)
            sums = [before + more for before, more in zip(sums, figures, strict=True)]
            below, leaf = map(_answer, answers)
            n, *wrong = map(weight_text, figures)
            named = f"{len(rows)} rows" if len(rows) > FEW else ", ".join(str(row + 1) for row in sorted(rows))
            lines.append((named, n, _answer(truth), path_of(self._tree, end), below, wrong[0], leaf, wrong[1]))
        # The sums below are those of all rows, also of the lines left out.
        if len(lines) > LINES:
            lines[LINES:] = [(f"{len(lines) - LINES} lines more", *[""] * 7)]
        n, *wrong = map(weight_text, sums)
        head = ("rows", "n", one_line(self._tree.target.name), "ends in", other, words.wrong, "as a leaf", words.wrong)
        lines.append(("all", n, "", "", "", wrong[0], "", wrong[1]))
        title = f"The validation rows that come to {path_of(self._tree, number)}"
        return DecisionTable(title, head, "lrlllrlr", lines)

    def _standing(self, end: int, top: int, cut: Collection[int]) -> int:
        """The node in which rows end at present: the highest below `top` that has become a leaf, or their old end."""
        found, number = end, end
        while number != top:
            found = number if number in cut else found
            number = self._tree.parents[number][0]
        return found


def _answer(label: Label) -> str:
    """A class, or a number with all the digits that its squared error needs."""
    return answer_text(label, lambda number: weight_text(exactly(number)))


def _error(truth: Label, label: Label) -> Rational:
    return int(truth != label) if isinstance(label, str) else (exactly(truth) - exactly(label)) ** 2


# Reduced error.


def validation_tables(found: Pruning) -> Iterator[DecisionTable]:
    """Bottom-up, one table with each node once; best-first, a table of all compared nodes for each step."""
    words = Words(found.tree, found.validation_errors)
    rows_of_them = f"{figure(found.validation_errors.weight)} validation rows"
    if found.order != "best-first":
        head: tuple[str, ...] = ("node", f"{words.wrong} below", "as a leaf", words.score, "if pruned", "")
        rows = [
            (*_wrong(found, step), words.short(now), words.short(then), becomes(step.done))
            for step, now, then in found.tree_steps()
        ]
        yield DecisionTable(f"The errors of {rows_of_them} at each node, from below", head, "lrrrrl", rows)
        return
    head = ("node", f"{words.wrong} below", "as a leaf", f"{words.score} then", "")
    for index, (taken, now, _) in enumerate(found.tree_steps()):
        fate = "helps most: becomes a leaf" if taken.done else "helps most, and stays"
        compared_then = [
            (*_wrong(found, one), words.short(now - one.before + one.after), fate if one.number == taken.number else "")
            for one in found.candidates(index)
        ]
        title = f"Step {index + 1}, {words.score} {words.short(now)} on {rows_of_them}"
        yield DecisionTable(title, head, "lrrrl", compared_then)


def _wrong(found: Pruning, step: Step) -> tuple[str, str, str]:
    """The path of a node, and the errors below it and as a leaf."""
    return path_of(found.tree, step.number), figure(step.before), figure(step.after)


def validated(found: Pruning, validation: Table | None) -> Iterator[Decided]:
    """The decisions of reduced-error pruning."""
    assert validation is not None  # without it nothing would have been pruned
    held, words = HeldOutRows(found.tree, validation), Words(found.tree, found.validation_errors)
    return (_best_first if found.order == "best-first" else _bottom_up)(found, held, words)


def _bottom_up(found: Pruning, held: HeldOutRows, words: Words) -> Iterator[Decided]:
    errors, cut = list(found.validation_errors.as_leaf), set[int]()
    for tree_step in found.tree_steps():
        number, before, after, done = tree_step.step
        terms = [work(errors[branch]) for branch in found.tree.nodes[number].branches]
        staying = found.validation_errors.staying[number]
        errors[number] = after if done else before
        lines = (
            Equation(BELOW, work(sum([*terms, work(staying)] if staying else terms))),
            Equation(LEAF, work(after)),
            *words.scores(tree_step, words.pruned),
        )
        verdict = Sentence(f"{compared(after, before, weight_text)}: {words.verdict(tree_step.step)}.")
        rows = held.table(number, cut, words, "below")
        yield Decided(frozenset({number}), (heading(found.tree, number), rows, Equations(lines), verdict))
        cut |= {number} if done else set()


def _best_first(found: Pruning, held: HeldOutRows, words: Words) -> Iterator[Decided]:
    """The saving of each remaining inner node, step by step."""
    tree, cut, past, gained = found.tree, set[int](), dict[int, Rational](), work(0)
    for index, tree_step in enumerate(found.tree_steps()):
        (number, before, after, done), candidates = tree_step.step, found.candidates(index)
        asking = (figure(len(candidates)),)
        saved = []
        for one in candidates:  # above the node of the step before, what was saved there is saved here
            below, known = work(one.before), past.get(one.number, one.before)
            below = below if known == one.before else one_figure(known) - gained
            saved.append(Equation(of_node("ΔE", tree, one.number), below - work(one.after)))
        past, gained = {one.number: one.before for one in candidates}, one_figure(before - after)
        saves = f"{path_of(tree, number)} saves most, {figure(before - after)}"
        reason = f"{saves} (of equals the deepest, and of those the first in postorder): "
        blocks: tuple[Block, ...] = (
            NodeHeading(f"step {index + 1}", "inner nodes", asking, asking),
            Equations(tuple(saved)),
            held.table(number, cut, words, "below"),
            Equations(words.scores(tree_step, words.pruned)),
            Sentence(f"{reason}{words.verdict(tree_step.step)}."),
        )
        yield Decided(frozenset(one.number for one in candidates), blocks)
        cut |= {number} if done else set()


VIEW = PruningView(
    Pruning,
    lambda act, found: validation_tables(found),
    lambda act, found: [Words(act.before, found.validation_errors).legend(saving=found.order == "best-first")],
    lambda act, found: validated(found, act.validation),
)

# Pre-pruning.


def growth(past: PrePruned, grown: Tree) -> dict[int, tuple[Block, ...]]:
    """For each node whose split pre-pruning tried on the validation rows: these rows, the errors, and the verdict."""
    there, full = dict(counterparts(grown, past.full)), past.full
    tried = [(tree_step, there.get(tree_step.step.number)) for tree_step in past.tree_steps]
    refused = [top for tree_step, top in tried if top is not None and not tree_step.step.done]
    held = HeldOutRows(full, past.validation, [branch for top in refused for branch in full.nodes[top].branches])
    words, found = Words(full, past.validation_errors), dict[int, tuple[Block, ...]]()
    rows = figure(past.validation_errors.weight)
    for tree_step, top in tried:
        number, before, after, _ = tree_step.step
        lines = (Equation(LEAF, work(before)), Equation(PARTS, work(after)), *words.scores(tree_step, words.split))
        comparison = f"{compared(after, before, weight_text)}: of the {rows} validation rows"
        verdict = Sentence(f"{comparison}, {words.verdict(tree_step.step, SPLIT)}.")
        # If the learner collapses its trees, the tree that it grows without pre-pruning may lack the split.
        shown = top is not None and full.nodes[top].branches
        table = [held.table(top, shown, words, SPLIT)] if top is not None and shown else []
        found[number] = (*table, Equations(lines), verdict)
    return found
