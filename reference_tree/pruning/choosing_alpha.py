r"""Choosing α: the pruning of the sequence that cross-validation chooses.

Cost-complexity pruning gives a sequence of trees T_1 ⊃ T_2 ⊃ ... ⊃ {root}, T_k being the best for every α from α_k up
to the next. On the training rows the largest tree is always the best; so rows are held out:

1. For each fold a tree is grown without its rows, and has a sequence of its own.
2. In each of these sequences, the tree for the geometric mean of T_k's range represents T_k:

    $$\alpha'_k = \sqrt{\alpha_k \, \alpha_{k+1}} \qquad \alpha'_K = \infty$$

3. R^CV(T_k) is the mean loss of all rows, each predicted by the tree that was grown without it. As the trees of a
   sequence are nested, a row goes down the largest of them once (`losses`).
4. `chosen` is the smallest tree whose R^CV is at most one standard error above the least: the minimum is flat, and its
   exact position is random.

The geometric mean is irrational, and so is the standard error. Neither is needed: g is compared with α' by comparing g²
with $\alpha_k \alpha_{k+1}$, and the rule of one standard error is decided by squares, too.

Source:
    [Breiman1984 §3.4]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, option, wording
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.rationals import Rational, exact_text, exactly, rational
from reference_tree.learners.recorded import AMOUNT, SEED, Option, whole, word
from reference_tree.node import Deviations, Label
from reference_tree.pruning.cost_complexity import Path, Step, path_by, pruning_path
from reference_tree.pruning.cutting import pruned_by
from reference_tree.pruning.method import (
    ALPHA,
    PROFILE,
    Given,
    PruningMethod,
    Record,
    needed,
    with_other,
    without_other,
)
from reference_tree.pruning.risks import RISKS, convention, shares
from reference_tree.routing import Unseen, column, rows_reaching
from reference_tree.selection.cross_validation import Fold
from reference_tree.selection.holdout import divided
from reference_tree.tree import Tree

Loss: TypeAlias = Callable[[Any, Any], Rational]
"""The loss of a prediction, from the prediction and the target."""


class Estimate(NamedTuple):
    """The cross-validation estimate of a tree of the sequence."""

    step: Step
    """The tree; its α is in shares of the rows."""
    risk: Fraction
    """R^CV: the mean loss."""
    squared_standard_error: Fraction
    """SE²."""


class FoldLosses(NamedTuple):
    """The losses, on the rows of a fold, of the trees that were grown without it."""

    rows: Rational
    """The weight of the fold's rows."""
    path: Path
    """The sequence of the tree that was grown without the fold."""
    stands: tuple[int, ...]
    """For each tree of the sequence of all rows, the number of the tree that represents it in this sequence."""
    lost: tuple[tuple[Rational, Rational], ...]
    """For each of these trees the weighted sums of the losses and of their squares."""


class Choice(NamedTuple):
    """A sequence, and the tree that was chosen from it."""

    path: Path
    """The sequence, its α in shares of the rows."""
    estimates: tuple[Estimate, ...]
    """One for each tree."""
    best: int
    """The number of the smallest tree with the least R^CV."""
    chosen: int
    """The number of the smallest tree that is within the standard errors of the best."""
    standard_errors: Rational
    """The number of standard errors that are allowed."""
    folds: tuple[FoldLosses, ...] = ()
    """The losses of each fold, whose means the estimates are."""

    @property
    def tree(self) -> Tree:
        """The chosen tree."""
        return self.path.at(self.path.steps[self.chosen])


def choose(
    fit: Callable[[Table], Tree],
    table: Table,
    held_out: Sequence[Fold],
    profile: str = "cart-1984",
    risk: str | None = None,
    standard_errors: Rational = 1,
    unseen: Unseen = "error",
) -> Choice:
    """The sequence of prunings of a tree, and the one that cross-validation chooses.

    Args:
        fit: grows a tree from a table.
        table: the data.
        held_out: the folds, from `selection.cross_validation.folds` or elsewhere; together they hold each row once.
        profile: the definitions of R and |T|; α is in shares of the rows in every profile.
        risk: another R than the profile's, by its name.
        standard_errors: the number of standard errors by which the chosen tree may be worse than the best.
        unseen: the rule for a held-out value for which a tree has no branch.

    Raises:
        InputError: the folds are not a division of the rows, the number of standard errors is negative or none, or as
            for `pruning_path`.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.selection.cross_validation import folds
        >>> iris = rt.textbook("iris")
        >>> choice = choose(rt.C45().grow, iris, folds(iris, 5, seed=1))
        >>> for (alpha, _, leaves, _), risk, _ in choice.estimates:
        ...     print(alpha, leaves, risk)
        0 9 7/150
        1/300 7 7/150
        1/150 4 7/150
        1/75 3 1/15
        22/75 2 1/3
        1/3 1 2/3
        >>> choice.best, choice.chosen
        (2, 2)

    Source:
        [Breiman1984 §3.4]
    """
    # Each row is held out once, so that R^CV is a mean over all rows, and no row is judged by a tree that has seen it.
    if sorted(row for fold in held_out for row in fold) != list(range(len(table))) or len(held_out) < 2:
        raise InputError("the folds of a cross-validation hold each row once, and are two at least")
    # A tree of fewer rows has a smaller risk. In shares of its own rows the prices of all sequences are comparable.
    allowed, grown = _checked(standard_errors), fit(table)
    loss_of = loss_by(grown)
    path = path_by(grown, convention(grown, profile, risk)._replace(unit=shares(grown)))
    fold_losses = []
    for fold in held_out:
        split = divided(table, fold)
        part = fit(split.training)
        without = path_by(part, convention(part, profile, risk)._replace(unit=shares(part)))
        stands = corresponding(path, without)
        # Trees before the first that represents one are never asked: their leaves may be cut off from the start.
        lost = losses(without, stands[0], split.validation, unseen, loss_of)
        rows = sum(split.validation.weighted())
        fold_losses.append(FoldLosses(rows, without, tuple(stands), tuple(lost[k] for k in stands)))
    weight = Fraction(sum(table.weighted()))
    estimates = []
    for step, sums in zip(path.steps, zip(*(fold.lost for fold in fold_losses), strict=True), strict=True):
        # The variance of the losses of single rows, over the number of rows: mean of the squares less square of the
        # mean [Breiman1984 §3.4.2]. Exact, so the difference may cancel.
        mean, of_squares = (sum(parts) / weight for parts in zip(*sums, strict=True))
        estimates.append(Estimate(step, mean, (of_squares - mean * mean) / weight))
    # A later tree of the sequence is smaller, so of equal risks the last one is the best.
    best = max(range(len(estimates)), key=lambda k: (-estimates[k].risk, k))
    smallest = smallest_within(estimates, best, allowed)
    return Choice(path, tuple(estimates), best, smallest, allowed, tuple(fold_losses))


# R^CV need not rise steadily along the sequence: a smaller tree may be within where a larger one is not.
def smallest_within(estimates: Sequence[Estimate], best: int, standard_errors: Rational) -> int:
    r"""The number of the smallest tree that is at most m standard errors worse than the best one.

    $$R^{CV}(T_k) \leq R^{CV}(T_{k_0}) + m \, \mathrm{SE}(T_{k_0})$$

    Args:
        estimates: from the largest tree to the smallest.
        best: k_0.
        standard_errors: m.

    Source:
        [Breiman1984 §3.4.3]
    """
    return max(within(estimates, best, standard_errors))


def within(estimates: Sequence[Estimate], best: int, standard_errors: Rational) -> list[int]:
    """The numbers of the trees at most m standard errors worse than the best one, by the squares of both sides.

    Args:
        estimates: from the largest tree to the smallest.
        best: the number of the best one.
        standard_errors: the number of standard errors by which a tree may be worse.

    Source:
        [Breiman1984 §3.4.3]
    """
    least = estimates[best].risk
    allowed = standard_errors * standard_errors * estimates[best].squared_standard_error
    return [k for k, found in enumerate(estimates) if (found.risk - least) ** 2 <= allowed]


def _checked(standard_errors: Rational) -> Rational:
    try:
        number = exactly(standard_errors)
    except (TypeError, ValueError) as error:
        raise InputError(f"the standard errors that a tree may be worse are a number: {error}") from error
    if number < 0:
        raise InputError(f"the standard errors that a tree may be worse are not negative, but {standard_errors}")
    return number


def corresponding(path: Path, other: Path) -> list[int]:
    """For each tree of a sequence the number of the tree that represents it in another sequence.

    That is the tree for the geometric mean of its range. The means ascend with the ranges, so one pass over both
    sequences is enough.

    Args:
        path: the sequence.
        other: the other sequence.

    Source:
        [Breiman1984 §3.4.2]
    """
    # The range of the root alone has no end, so that its mean is above every α: the last tree represents it.
    alphas, last = [step.alpha for step in other.steps], len(other.steps) - 1
    numbers, here = list[int](), 0
    for low, high in pairwise(step.alpha for step in path.steps):
        while here < last and is_at_most_geometric_mean(alphas[here + 1], low, high):
            here += 1
        numbers.append(here)
    return [*numbers, last]


def is_at_most_geometric_mean(g: Number, low: Number, high: Number) -> bool:
    r"""Whether $g \leq \sqrt{\mathrm{low} \cdot \mathrm{high}}$, decided without the root.

    Args:
        g: not negative.
        low: not negative.
        high: positive.

    Example:
        >>> is_at_most_geometric_mean(6, 4, 9), is_at_most_geometric_mean(Fraction(601, 100), 4, 9)
        (True, False)

    Source:
        [Breiman1984 §3.4.2]
    """
    if not low or not g:
        return not g
    if all(isinstance(number, int | Fraction) for number in (g, low, high)):
        return bool(g * g <= low * high)
    return bool(g / low <= high / g)  # sums of logarithms have quotients, but no products


def loss_by(grown: Tree) -> Loss:
    """The loss of a prediction, in the unit of the risk of the grown tree.

    For a class it is 0 or 1, or the cost of that mistake in growing; under priors it is multiplied by the weight of a
    row of the true class, scaled so that the mean weight of all rows is 1. For a number it is the squared error, or the
    absolute error if the tree was grown by that.
    """
    root, costs = grown.nodes[0], grown.costs
    if isinstance(root.counts, Deviations):
        return lambda found, true: abs(Fraction(found) - Fraction(true))
    if not isinstance(root.label, str):
        return lambda found, true: (Fraction(found) - Fraction(true)) ** 2
    if costs is None:
        return lambda found, true: int(found != true)
    counts, place = grown.nodes[0].counts, {label: k for k, label in enumerate(grown.target.domain)}
    # With this scale the mean loss of the training rows is the risk in shares, and without priors a loss is the plain
    # one.
    scale = Fraction(sum(counts)) / Fraction(sum(costs.weighed(counts)))
    return lambda found, true: scale * costs.weights[place[str(true)]] * costs.loss[place[str(true)]][place[str(found)]]


def losses(path: Path, first: int, held_out: Table, unseen: Unseen, loss_of: Loss) -> list[tuple[Rational, Rational]]:
    """The losses of each tree of a sequence on some rows: the weighted sums of the losses and of their squares.

    The rows go down the largest of the trees once. The rows that reach a node end there in every tree in which the node
    is a leaf: from the tree in which it is cut, until a node above it is cut.

    Args:
        path: the sequence.
        first: the number of the largest tree that is evaluated. The results for the trees before it have no meaning.
        held_out: the rows.
        unseen: the rule for a value for which a tree has no branch.
        loss_of: the loss of a prediction.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.cost_complexity import pruning_path
        >>> days = rt.textbook("play-tennis")
        >>> path = pruning_path(rt.ID3().grow(days))        # 5 leaves, and the root alone
        >>> losses(path, 0, days, "error", lambda found, true: int(found != true))
        [(0, 0), (5, 5)]

    Source:
        [Breiman1984 §3.4.2]
    """
    tree, never = path.tree, len(path.steps)
    cut = {number: k for k, step in enumerate(path.steps) for number in step.weakest}
    gone = [never] * len(tree.nodes)  # the first tree that no longer has the node
    # In preorder a node comes after the one above it, whose entry is therefore final.
    for number, (above, _) in enumerate(tree.parents[1:], 1):
        gone[number] = min(gone[above], cut.get(above, never))
    sums = _LossSums(held_out, tree.target.name, loss_of, never)
    parted: dict[int, list[tuple[int, int, int, Rational]]] = defaultdict(list)
    leaves = {number for number in cut if cut[number] <= first}
    # A row without a value may end at a node that is no leaf (`ending`), in every tree that has the node. The rows that
    # pass end there only from the tree on in which the node is cut.
    for number, rows, parts, ending in rows_reaching(tree.nodes, tree.seen(held_out), unseen, leaves):
        stopped, until = set(ending), gone[number]
        passing = [row for row in rows if row not in stopped]
        for some, since in ((ending, first), (passing, cut.get(number, never))):
            if since < until:
                sums.add(tree.nodes[number].label, [row for row in some if row not in parts], since, until)
                for row in parts.keys() & some:
                    parted[row].append((since, until, number, parts[row]))
    # A row in fractions has one prediction, from all its ends together. It can change only with a tree in which one of
    # the ends does, so the trees between two changes are one case.
    for row, stays in parted.items():
        for since, until in pairwise(sorted({k for stay in stays for k in stay[:2]})):
            ends = tuple((number, share) for start, end, number, share in stays if start <= since < end)
            sums.add(tree.answer(ends), [row], since, until)
    return sums.found()


class _LossSums:
    """The losses of the trees of a sequence, kept as changes from each tree to the next."""

    def __init__(self, table: Table, target: str, loss_of: Loss, trees: int) -> None:
        self._truth, self._weights, self._loss_of = column(table, target), table.weighted(), loss_of
        # The rows of a node count in a run of trees: two entries in place of one for each tree, and sums from the front
        # in the end.
        self._changes: list[tuple[Rational, Rational]] = [(0, 0)] * (trees + 1)

    def add(self, answer: Label, rows: Iterable[int], since: int, until: int) -> None:
        """Add the losses of a prediction to some rows, in the trees from `since` up to `until`."""
        codes, values = self._truth
        # Rows of one true value have one loss, so that the loss is computed once for each value.
        weights: dict[int, Rational] = defaultdict(int)
        for row in rows:
            weights[codes[row]] += self._weights[row]
        lost = [(self._loss_of(answer, values[code]), weight) for code, weight in weights.items()]
        once, square = sum(loss * weight for loss, weight in lost), sum(loss * loss * weight for loss, weight in lost)
        for k, sign in ((since, 1), (until, -1)):
            self._changes[k] = self._changes[k][0] + sign * once, self._changes[k][1] + sign * square

    def found(self) -> list[tuple[Rational, Rational]]:
        """The sums for each tree."""
        return list(accumulate(self._changes[:-1], lambda sums, more: (sums[0] + more[0], sums[1] + more[1])))


# The record of cost-complexity pruning.


class PathPruning(NamedTuple):
    """A tree taken from the sequence of cost-complexity pruning."""

    tree: Tree
    """The pruned tree."""
    path: Path
    """The sequence."""
    step: Step
    """The step of the sequence from which it was taken."""
    profile: str
    """The definitions of R, |T| and the unit of R."""
    risk: str | None
    """Another R than the profile's; None for that of the profile."""


def _perform(tree: Tree, record: Record, _: Table | None, __: Table | None) -> PathPruning:
    profile, risk = record["profile"], record.get("risk")
    path = pruning_path(tree, profile, risk)
    step = step_of(path, record["alpha"])
    return PathPruning(pruned_by(path.at(step), "cost-complexity", **record), path, step, profile, risk)


def step_of(path: Path, alpha: str) -> Step:
    """The step of a sequence for a price, which is a number, or one of the sums of logarithms in the sequence.

    Raises:
        ValueError: it is neither.
    """
    # A price that is a sum of logarithms has no other text, so it is looked up as it was written.
    named = next((step for step in path.steps if str(step.alpha) == alpha), None)
    return path.step(rational(alpha)) if named is None else named


def _both(other: str) -> str:
    return f"{option('alpha')} says which tree to take, and {option(other)} looks at all of them; leave one out"


def _ways() -> str:
    python = "alpha=..., or folds=... to choose it"
    return (
        f"cost-complexity needs {wording(python, '--alpha NUMBER, --folds N to choose it, or --path to see them all')}"
    )


def _for_choosing(name: str) -> str:
    return f"{option(name)} is for choosing α by cross-validation; say {wording('folds=...', '--folds N')}, too"


def profile_of(given: Given) -> str:
    """The profile that is given, or that of the book."""
    return given.get("profile") or "cart-1984"


def _record(tree: Tree, given: Given, choice: Choice | None) -> dict[str, Any]:
    convention(tree, profile_of(given), given.get("risk"))  # it refuses an unknown profile or risk
    if choice is None:
        alpha = exact_text(given["alpha"])
    else:  # the least α of the chosen tree, in the unit of the profile
        alpha = str(pruning_path(tree, profile_of(given), given.get("risk")).steps[choice.chosen].alpha)
    # The record has the price, however it was chosen: it repeats the pruning without the folds.
    record = {"profile": profile_of(given), "alpha": alpha}
    record |= {"risk": given["risk"]} if "risk" in given else {}
    if choice is None:
        return record
    errors = exact_text(choice.standard_errors)
    return {**record, "folds": given["folds"], "seed": given.get("seed", 0), "standard_errors": errors}


COST_COMPLEXITY = PruningMethod(
    name="cost-complexity",
    called="cost and complexity",
    options={
        **ALPHA,
        **PROFILE,
        "risk": Option(None, word(RISKS), "the risk of a leaf, if not that of the profile"),
        "folds": Option(None, whole(), "choose α by cross-validation"),
        "seed": Option(0, SEED, "the seed of the folds"),
        "standard_errors": Option(1, AMOUNT, "the number of standard errors by which a smaller tree may be worse"),
    },
    conflicts=(
        without_other("alpha", "folds", partial(_both, "folds")),
        without_other("alpha", "path", partial(_both, "path")),
        needed("alpha", "folds", "path", words=_ways),
        with_other("seed", "folds", partial(_for_choosing, "seed")),
        with_other("standard_errors", "folds", partial(_for_choosing, "standard_errors")),
    ),
    record=_record,
    perform=_perform,
    rules=("cost.R",),
    needs_data=lambda given: "folds" in given,
)
