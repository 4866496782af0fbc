"""Pruning as tables: every decision on a line, with both figures it rests on.

Each method compares, at a node, the subtree with a leaf; what it compares differs:

| method | the figures |
| --- | --- |
| cost function | the costs in bits, the price of the leaves included |
| cost-complexity | g(t), what the branches save for each leaf, round by round, as the weakest links are cut |
| reduced-error | the validation rows that are wrong, and the score of the whole tree |
| error-based | the estimated errors; beside the leaf's those of the largest branch in the node's place |
| pre-pruning | the validation rows that are wrong before and after the split |

1. `sheets` are the tables of one pruning, `growth_sheet` that of pre-pruning.
2. `path_sheet` is the sequence of cost-complexity pruning, with what cross-validation says of it.
3. `rounds` are the steps of that sequence one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational
from reference_tree.exact.rounding import decimal
from reference_tree.pruning.choosing_alpha import Choice
from reference_tree.pruning.cost_complexity import Link, Path, Step, weakest_links
from reference_tree.pruning.cost_function import CostPruning
from reference_tree.pruning.cutting import shape
from reference_tree.pruning.error_based import ErrorPruning
from reference_tree.pruning.record import Act, PathPruning, PrePruned
from reference_tree.pruning.reduced_error import Pruning
from reference_tree.pruning.risks import PROFILES
from reference_tree.selection import validation
from reference_tree.tree import Tree
from reference_tree.views.names import one_line
from reference_tree.views.notation import PLACES
from reference_tree.views.pruning_sheets import Sheet, figure, rounded, score


def sheets(act: Act) -> Iterator[Sheet]:
    """The tables of a pruning: one, or for a method that goes in rounds, one for each round.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.record import perform
        >>> from reference_tree.views.pruning_sheets import write
        >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
        >>> for line in write(sheets(perform(tree, {"method": "cost-function", "alpha": "4"})), "text"):
        ...     print(line)
        The cost of each node in bits, from below
        <BLANKLINE>
        node             as a leaf   as it stands
        /outlook=rainy    8.854753              8   stays
        /outlook=sunny    8.854753              8   stays
        /                17.164003             20   becomes a leaf
    """
    found = act.found
    if isinstance(found, CostPruning):
        yield _costs(act.before, found)
    elif isinstance(found, ErrorPruning):
        yield _estimates(act.before, found)
    elif isinstance(found, Pruning):
        yield from _steps(found) if found.order == "best-first" else [_passed(found)]
    else:
        yield from [_prices(found)] if is_one_pass(found) else _rounds(found)


def path_text(tree: Tree, number: int) -> str:
    """The path of a node, on one line."""
    return one_line(tree.path(number))


def _fate(pruned: bool) -> str:
    return "becomes a leaf" if pruned else "stays"


def _costs(tree: Tree, found: CostPruning) -> Sheet:
    rows = [
        (path_text(tree, one.node), rounded(one.leaf), rounded(one.subtree), _fate(one.pruned))
        for one in found.weighings
    ]
    head = ("node", "as a leaf", "as it stands", "")
    return Sheet("The cost of each node in bits, from below", head, "lrrl", tuple(rows))


def _estimates(tree: Tree, found: ErrorPruning) -> Sheet:
    fates = {"leaf": "becomes a leaf", "keep": "stays", "raise": "gives way to that branch"}
    rows = [
        (
            path_text(tree, one.node),
            decimal(one.leaf, PLACES),
            decimal(one.subtree, PLACES),
            "-" if one.branch is None else decimal(one.branch, PLACES),
            fates[one.verdict],
        )
        for one in found.judgements
    ]
    head = ("node", "as a leaf", "as it stands", "largest branch", "")
    return Sheet("The estimated errors of each node, from below", head, "lrrrl", tuple(rows))


# Cost-complexity.


class Round(NamedTuple):
    """What cost-complexity pruning looks at before it cuts."""

    links: list[Link]
    """The links that are left, in postorder."""
    step: Step
    """The step that cuts the weakest of them."""
    gone: frozenset[int]
    """The links that are no longer there after it; none if the tree was taken before."""


def rounds(found: PathPruning) -> Iterator[Round]:
    """The rounds up to the tree that was taken, and the one after, in which the weakest link was worth its price.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.record import perform
        >>> iris = rt.CART().grow(rt.textbook("iris"))
        >>> record = {"method": "cost-complexity", "profile": "cart-1984", "alpha": "1/100"}
        >>> for links, step, gone in rounds(perform(iris, record).found):
        ...     print(len(links), step.alpha, len(gone))
        8 1/300 2
        6 1/150 3
        3 1/75 0
    """
    taken, below = found.path.steps.index(found.step), _below(found.path)
    before: frozenset[int] = frozenset()
    for number, step in enumerate(found.path.steps[: taken + 2]):
        if step.weakest:
            links = weakest_links(found.path.tree, before, found.profile, found.risk)
            gone = frozenset(link.node for link in links if any(link.node in below[top] for top in step.weakest))
            yield Round(links, step, gone if number <= taken else frozenset())
        before |= frozenset(step.weakest)


def _below(path: Path) -> list[range]:
    """For each node the numbers of it and of all that is below it: in preorder one run."""
    return [range(number, number + size) for number, size in enumerate(shape(path.tree).sizes)]


def is_one_pass(found: PathPruning) -> bool:
    """Whether the sequence was found as rpart does, in one pass, and not by cutting weakest links again and again."""
    return PROFILES[found.profile].sequence == "one-pass"


def _rounds(found: PathPruning) -> Iterator[Sheet]:
    for number, (links, step, gone) in enumerate(rounds(found), 1):
        rows = [
            (
                path_text(found.path.tree, link.node),
                *map(figure, (link.leaf, link.subtree, link.saved, link.g)),
                "stays" if link.node not in gone else "is cut" if link.node in step.weakest else "goes with it",
            )
            for link in links
        ]
        head = ("node", "R(t)", "R(T_t)", "leaves saved", "g(t)", "")
        least = figure(step.alpha)
        title = f"cut at α = {least}" if gone else f"the least g is {least}, and α is below it"
        yield Sheet(f"Round {number}: {title}", head, "lrrrrl", tuple(rows))


def _prices(found: PathPruning) -> Sheet:
    """The price at which each question goes; dearest first, as in rpart's table."""
    tree, below, gone = found.path.tree, _below(found.path), set[int]()
    rows: list[tuple[str, ...]] = []
    for step in found.path.steps:
        now = [number for top in step.weakest for number in below[top] if tree.nodes[number].test is not None]
        fate = _fate(step.alpha <= found.step.alpha)
        rows += [(path_text(tree, number), figure(step.alpha), fate) for number in now if number not in gone]
        gone |= set(now)
    return Sheet("The price of each question", ("node", "cp", ""), "lrl", tuple(rows[::-1]))


def path_sheet(path: Path, choice: Choice | None = None) -> Sheet:
    """The sequence of prunings, and what cross-validation says of each.

    Args:
        path: the sequence.
        choice: the cross-validation, if there was one.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.cost_complexity import pruning_path
        >>> from reference_tree.views.pruning_sheets import write
        >>> for line in write([path_sheet(pruning_path(rt.ID3().grow(rt.textbook("loan"))))], "text"):
        ...     print(line)
        The sequence of prunings
        <BLANKLINE>
        α from   leaves   R(T)
             0        3      0
           1/5        1    2/5
    """
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(path.steps):
        judged = () if choice is None else _judged(choice, number)
        rows.append((figure(step.alpha), str(step.leaves), figure(step.risk), *judged))
    head = ("α from", "leaves", "R(T)", *(() if choice is None else ("R^CV", "SE", "")))
    return Sheet("The sequence of prunings", head, "rrr" + "rrl" * (choice is not None), tuple(rows))


def _judged(choice: Choice, number: int) -> tuple[str, str, str]:
    """What cross-validation says of one of the trees."""
    _, risk, square = choice.estimates[number]
    said = ["least"] * (number == choice.best) + ["chosen"] * (number == choice.chosen)
    return figure(risk), figure(root(square)) if square else "0", ", ".join(said)


# Validation rows.


class _Words(NamedTuple):
    """What the columns are called."""

    stands: str
    leaf: str
    score: str


def _words(tree: Tree) -> _Words:
    if tree.target.values is None:
        return _Words("squared error below", "as a leaf", "mean squared error")
    return _Words("wrong below", "as a leaf", "accuracy")


def _passed(found: Pruning) -> Sheet:
    """Bottom-up: each node once."""
    words, numbers = _words(found.tree), found.tree.target.values is None
    rows = [
        (
            path_text(found.tree, told.step.number),
            figure(told.step.before),
            figure(told.step.after),
            score(told.before, found.judged, numbers=numbers),
            score(told.after, found.judged, numbers=numbers),
            _fate(told.step.done),
        )
        for told in found.told()
    ]
    title = f"What {figure(found.judged.weight)} validation rows say of each node, from below"
    return Sheet(title, ("node", *words, "if pruned", ""), "lrrrrl", tuple(rows))


def _steps(found: Pruning) -> Iterator[Sheet]:
    """Best-first: all nodes that were compared, step by step."""
    words, numbers, errors = _words(found.tree), found.tree.target.values is None, found.errors[0]
    for index, step in enumerate(found.steps):
        fate = "helps most: becomes a leaf" if step.done else "helps most, and stays"
        rows = [
            (*_compared(found, one, errors), fate if one.number == step.number else "")
            for one in found.candidates(index)
        ]
        now = score(errors, found.judged, numbers=numbers)
        title = f"Step {index + 1}, {words.score} {now} on {figure(found.judged.weight)} validation rows"
        yield Sheet(title, ("node", words.stands, words.leaf, f"{words.score} then", ""), "lrrrl", tuple(rows))
        errors -= step.before - step.after if step.done else 0


def _compared(found: Pruning, one: validation.Step, errors: Rational) -> tuple[str, ...]:
    then = score(errors - one.before + one.after, found.judged, numbers=found.tree.target.values is None)
    return path_text(found.tree, one.number), figure(one.before), figure(one.after), then


def growth_sheet(tree: Tree, past: PrePruned) -> Sheet:
    """The decisions of pre-pruning.

    Args:
        tree: the pre-pruned tree.
        past: how it grew.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.pre_pruning import PrePruning
        >>> from reference_tree.pruning.record import retraced
        >>> training, validation = rt.textbook("watermelon-2.0-train"), rt.textbook("watermelon-2.0-validation")
        >>> learner = PrePruning(rt.ID3(ties=rt.Ties(choose={"/": "脐部"}, label={"/": "是"})))
        >>> tree = learner.grow(training, validation)
        >>> for row in growth_sheet(tree, retraced(tree, training, validation).pre_pruned).rows:
        ...     print(*row)
        / 脐部 4 2 42.9 % 71.4 % is split
        /脐部=凹陷 色泽 1 2 71.4 % 57.1 % becomes a leaf
        /脐部=稍凹 根蒂 1 1 71.4 % 71.4 % becomes a leaf
    """
    words, numbers = _words(tree), tree.target.values is None
    asked, rows = questions(tree, past), []
    for told in past.told:
        number, before, after, done = told.step
        scores = [score(errors, past.judged, numbers=numbers) for errors in (told.before, told.after)]
        fate = "is split" if done else "becomes a leaf"
        rows.append((path_text(tree, number), asked[number], figure(before), figure(after), *scores, fate))
    title = f"What {figure(past.judged.weight)} validation rows say of each split"
    return Sheet(title, ("node", "question", words.leaf, "split", words.score, "if split", ""), "llrrrrl", tuple(rows))


def questions(tree: Tree, past: PrePruned) -> dict[int, str]:
    """For each node at which the validation rows were asked, the question that the training rows chose there."""
    twin, found = twins(tree, past.full), {}
    for told in past.told:
        test = past.full.nodes[twin[told.step.number]].test or tree.nodes[told.step.number].test
        found[told.step.number] = "" if test is None else one_line(test.name)
    return found


def twins(tree: Tree, full: Tree) -> dict[int, int]:
    """For each node of a tree its number in a larger one, of which it is the upper part.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> twins(rt.ID3(max_depth=1).grow(days), rt.ID3().grow(days))
        {0: 0, 1: 1, 2: 2, 3: 5}
    """
    found = {0: 0}
    for number, node in enumerate(tree.nodes):  # in preorder, a node comes after the one above it
        if number in found:
            found |= zip(node.branches, full.nodes[found[number]].branches, strict=False)
    return found
