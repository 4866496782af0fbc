r"""Cross-validation: every row is held out once, and tests a tree that was grown without it.

A hold-out set wastes rows, and another draw may give another result. Cross-validation deals the rows into k folds,
holds out one fold after another, and averages. It is used to choose an option of a learner, such as the maximum depth.

1. `folds` deals the rows, like cards, in the random order of `holdout.dealt`: each fold has its share of each class.
2. `cross_validate` grows a tree without each fold, and finds its error on the fold.
3. `trials` does so for each value of an option, on the same folds.
4. `best` is the value of the least mean error; `simplest_near_best` is the simplest value that cannot be distinguished
   from it, by the rule of one standard error.
5. `select` does all of it for an option of any learner, of a tree or of an ensemble.

Errors are fractions, and so are means; a standard error is a root, so its square is stored and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from itertools import chain
from numbers import Integral
from operator import index
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from reference_tree.chance import Chance
from reference_tree.data.errors import InputError, no_such, shown
from reference_tree.data.schema import Kind
from reference_tree.data.table import Table, check_table
from reference_tree.exact.rationals import Rational
from reference_tree.learners.options import Options
from reference_tree.predictor import Predictor
from reference_tree.selection.holdout import Split, dealt, divided, error

Value = TypeVar("Value")

Fit: TypeAlias = Callable[[Table], Predictor[Any, Any]]
"""A function that makes a tree or an ensemble from a table: a learner's `grow`, or growing and pruning."""
Fold: TypeAlias = tuple[int, ...]
"""The numbers of some rows, from 0, ascending."""


@dataclass(frozen=True)
class Trial(Generic[Value]):
    """The result of cross-validation for one value of an option.

    Args:
        value: the value of the option.
        errors: for each fold, the error on it of the tree that was grown without it.
        training_errors: for each of these trees, its error on the rows that it was grown from.
        kind: the kind of the target.
    """

    value: Value
    errors: tuple[Fraction, ...]
    training_errors: tuple[Fraction, ...]
    kind: Kind = "categorical"

    @property
    def accuracies(self) -> tuple[Fraction, ...]:
        """For classes: the accuracy on each fold.

        Raises:
            InputError: the target is numeric.
        """
        if self.kind != "categorical":
            raise InputError("the target is numeric, and so has no accuracy; its errors are mean squared ones")
        return tuple(1 - found for found in self.errors)

    @property
    def mean(self) -> Fraction:
        r"""The mean of the errors on the k folds.

        $$\bar{e} = \frac{1}{k} \sum_{i=1}^{k} e_i$$

        Every fold has the same weight. If k divides the number of rows, it is the error on all rows.

        Source:
            [Stone1974], [HastieTibshiraniFriedman2009 §7.10]
        """
        return mean(self.errors)

    @property
    def squared_standard_error(self) -> Fraction:
        r"""The square of the standard error of the mean.

        $$\mathrm{SE}^2 = \frac{1}{k (k - 1)} \sum_{i=1}^{k} (e_i - \bar{e})^2$$

        The folds share most of their training rows, so the errors are not independent, as the formula assumes;
        it is only a yardstick.

        Source:
            [HastieTibshiraniFriedman2009 §7.10]
        """
        k, middle = len(self.errors), self.mean
        # The variance of the mean of k errors is that of one error over k, and the latter is estimated with k - 1. The
        # root is not taken: `simplest_near_best` compares squares, and stays rational.
        return sum(((found - middle) ** 2 for found in self.errors), Fraction(0)) / (k * (k - 1))


def mean(errors: Sequence[Fraction]) -> Fraction:
    """The mean of some errors.

    Example:
        >>> mean([Fraction(1, 2), Fraction(1, 4)])
        Fraction(3, 8)
    """
    return sum(errors, Fraction(0)) / len(errors)


# The order decides alone, and it depends on the seed and the table alone: the folds are the same in every version, on
# every machine, and for every learner. Each fold is sorted, so that a tree does not depend on the draw of the order
# within it.
def folds(table: Table, k: int, seed: int, *, stratified: bool = True) -> tuple[Fold, ...]:
    r"""The rows of a table, dealt into k folds.

    Row i of the drawn order goes to fold i mod k. So any m consecutive rows are divided such that two folds
    differ by one row at most. That holds for all rows, and if the order goes class by class, for each class.

    Args:
        table: the data.
        k: the number of folds, from 2 to the number of rows. With as many folds as rows, one row is held out at a time.
        seed: the seed of the division.
        stratified: whether each class is dealt out evenly; a numeric target has no classes.

    Raises:
        InputError: there are more folds than rows, or fewer than two folds.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> folds(textbook("play-tennis"), 3, seed=1)
        ((0, 1, 4, 9, 10), (2, 5, 6, 7, 11), (3, 8, 12, 13))

    Source:
        [N4 Putting it together: cross-validation], [Stone1974]. N4 names the method and nothing else.
    """
    check_table(table)
    count: object = k
    if isinstance(count, bool) or not isinstance(count, Integral):
        raise InputError(f"the number of folds is a whole one, not {k!r}")
    if len(table) < 2:
        raise InputError("one row cannot be dealt into folds; at least two are needed")
    if not 2 <= k <= len(table):
        raise InputError(f"{len(table)} rows can be dealt into 2 to {len(table)} folds, not into {k}")
    order = dealt(table, Chance(seed, b"folds"), stratified)
    return tuple(tuple(sorted(order[fold::k])) for fold in range(k))


def splits(table: Table, held_out: Iterable[Fold]) -> Iterator[Split]:
    """For each fold, the table without it, and the fold.

    Raises:
        InputError: a row is in two folds, there is no row of such a number, or these are no folds.
    """
    held_out = _numbers(held_out)
    # A row may be in no fold at all: then it is in every training table, and no tree is tested on it. In two folds it
    # would count twice in the mean, which would no longer be one over rows.
    seen: set[int] = set()
    for row in chain.from_iterable(held_out):
        if row in seen:
            raise InputError(f"row {row} is held out twice; the folds of a cross-validation have no row in common")
        seen.add(row)
    return (divided(table, fold) for fold in held_out)


def _numbers(held_out: Iterable[Iterable[int]]) -> tuple[Fold, ...]:
    """Folds, whatever holds them and their rows.

    Raises:
        InputError: they are none, or one has no rows.
    """
    try:
        # `index` takes whole numbers of any library, and refuses floats, which `int` would cut off.
        numbers = tuple(tuple(map(index, fold)) for fold in held_out)
    except TypeError:
        advice = "which hold the numbers of rows; folds(table, k, seed) deals them"
        raise InputError(f"{shown(held_out)} are no folds, {advice}") from None
    if not all(numbers):
        raise InputError("a fold has no rows; leave it out")
    return numbers


def cross_validate(fit: Fit, table: Table, held_out: Iterable[Fold]) -> Trial[None]:
    """The errors of the trees that are grown without each fold.

    Args:
        fit: makes a tree from a table.
        table: the data.
        held_out: the folds, from `folds` or elsewhere.

    Raises:
        InputError: fewer than two folds, a row in two of them or of no such number, or a fold that leaves no rows; the
            learner has no rule for the table, or its result is no tree.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.id3 import ID3
        >>> table = textbook("play-tennis")
        >>> cross_validate(ID3().grow, table, folds(table, 7, seed=1)).mean
        Fraction(3, 14)

    Source:
        [N4 Putting it together: cross-validation], [Stone1974]
    """
    check_table(table)
    advice = "its grow does" if hasattr(fit, "grow") else "CART().grow does"
    no_tree = f"{shown(fit)} makes no tree of a table; {advice}"
    # Asked before the first tree is grown: an object that makes no trees should not be noticed after minutes.
    if not callable(fit):
        raise InputError(no_tree)
    held_out = _numbers(held_out)
    if len(held_out) < 2:
        raise InputError(f"cross-validation needs at least two folds, not {len(held_out)}")
    pairs = []
    # The error on the training rows is kept as well: beside it the other error shows when a tree begins to memorise.
    for split in splits(table, held_out):
        tree: Any = fit(split.training)
        if not isinstance(tree, Predictor):
            raise InputError(no_tree)
        pairs.append((error(tree, split.validation), error(tree, split.training)))
    errors, training = zip(*pairs, strict=True)
    return Trial(None, errors, training, table.schema.target.kind)


def trials(
    values: Iterable[Value], fit: Callable[[Value], Fit], table: Table, held_out: Sequence[Fold]
) -> list[Trial[Value]]:
    """The result of cross-validation for each value of an option, all on the same folds.

    Args:
        values: option values, from the simplest tree to the most complex: small depths first, large ε or α first.
        fit: for a value, the function that makes a tree with it.
        table: the data.
        held_out: the folds.

    Raises:
        InputError: as for `cross_validate`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.learners.c45 import C45
        >>> cats = textbook("cats")
        >>> tried = trials(range(4), lambda depth: C45(max_depth=depth).grow, cats, folds(cats, 5, seed=1))
        >>> [str(trial.mean) for trial in tried]
        ['1/2', '3/10', '3/10', '3/10']

    Source:
        [N4 Putting it together: cross-validation]
    """
    results = []
    # The folds are those of the first value: the trials differ in the option alone, and not in the luck of a draw.
    for value in values:
        trial = cross_validate(fit(value), table, held_out)
        results.append(Trial(value, trial.errors, trial.training_errors, trial.kind))
    return results


def best(tried: Sequence[Trial[Value]]) -> Trial[Value]:
    """The trial of the least mean error; on a tie the first, which is the simplest."""
    return min(tried, key=lambda trial: trial.mean)


# The standard error is that of the best trial, as in the rule of CART for prunings [Breiman1984 §3.4.3]. The first
# trial within it need not be the best, but there is one: the best itself.
def simplest_near_best(tried: Sequence[Trial[Value]], standard_errors: Rational = 1) -> Trial[Value]:
    r"""The first, and so the simplest, trial whose mean error is at most m standard errors above the least.

    $$\bar{e} \le \bar{e}_{\min} + m \, \mathrm{SE}_{\min}
    \iff (\bar{e} - \bar{e}_{\min})^2 \le m^2 \, \mathrm{SE}_{\min}^2$$

    Neither $\bar{e} - \bar{e}_{\min}$ nor $m \, \mathrm{SE}_{\min}$ is negative, so their squares decide.

    Args:
        tried: the trials, from the simplest to the most complex.
        standard_errors: m, not negative; with 0 the first trial of least error.

    Source:
        [Breiman1984 §3.4.3], [HastieTibshiraniFriedman2009 §7.10]
    """
    least = best(tried)
    allowed = standard_errors**2 * least.squared_standard_error
    return next(trial for trial in tried if (trial.mean - least.mean) ** 2 <= allowed)


class Selection(NamedTuple):
    """What cross-validation says of the values of an option."""

    option: str
    trials: tuple[Trial[Any], ...]
    chosen: Trial[Any]
    """The trial of the simplest value within the standard errors."""
    learner: Any
    """The learner with the chosen value."""


def select(
    learner: Any,
    table: Table,
    k: int = 10,
    *,
    seed: int = 0,
    stratified: bool = True,
    standard_errors: Rational = 1,
    **option: Iterable[Any],
) -> Selection:
    """Choose the value of an option of a learner by cross-validation.

    Args:
        learner: a learner of trees or of ensembles.
        table: the data.
        k: the number of folds.
        seed: the seed of the division.
        stratified: whether each class is dealt out evenly.
        standard_errors: as for `simplest_near_best`.
        option: the name of one option, and its values from the simplest to the most complex: `max_depth=range(5)`. An
            option that an ensemble does not have is one of the learner of its trees.

    Raises:
        InputError: there is not one option, or the learner does not have it; or as for `folds` and `cross_validate`.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> from reference_tree.ensembles.random_forest import RandomForest
        >>> found = select(RandomForest(seed=1), textbook("play-tennis"), 7, trees=[1, 5])
        >>> [(trial.value, str(trial.mean)) for trial in found.trials], found.chosen.value, found.learner.trees
        ([(1, '3/7'), (5, '1/2')], 1, 1)

    Source:
        [N4 Putting it together: cross-validation], [Stone1974]
    """
    if len(option) != 1:
        raise InputError(f"cross-validation chooses one option, not {len(option)}; say it as in max_depth=range(5)")
    ((name, values),) = option.items()
    held_out = folds(table, k, seed, stratified=stratified)
    tried = trials(list(values), lambda value: with_option(learner, name, value).grow, table, held_out)
    chosen = simplest_near_best(tried, standard_errors)
    return Selection(name, tuple(tried), chosen, with_option(learner, name, chosen.value))


def with_option(learner: Any, name: str, value: Any) -> Any:
    """The learner with another value of an option, its own or one of the learner of its trees.

    Raises:
        InputError: it does not have the option.
    """
    if isinstance(learner, Options) and name in learner.of_dialects():
        return learner.but(**{name: value})
    # An ensemble has options of its own; what it does not have may be an option of the learner of its trees, and is set
    # there, however deep that is. `profile` is no option: it names a choice of them.
    own = [one.name for one in fields(learner) if one.name != "profile"] if is_dataclass(learner) else []
    if name in own:
        return replace(learner, **{name: value})
    if "base" in own:
        return replace(learner, base=with_option(learner.base, name, value))
    raise InputError(no_such("option", name, own, of=getattr(learner, "name", type(learner).__name__)))
