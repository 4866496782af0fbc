"""Evaluation: how well a boosted ensemble does after each round, by the metrics of XGBoost.

1. `METRICS` are the metrics, by XGBoost's names: functions of the targets, the weights and the margins of some rows.
2. `Watch` keeps their values round by round, prints them, and says when the last of them has not improved for a while.

A metric is a mean of rationals, of roots or of logarithms. It is rounded once, to a multiple of 2⁻⁴⁸, and those numbers
are compared: no float decides which round is the best.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.asked import unlabelled
from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import rewritten
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.ensembles.derivatives import Margins, share_against
from reference_tree.ensembles.ensemble import Member
from reference_tree.ensembles.gradient_boosting import updated_margins
from reference_tree.estimators.classes import Estimator, row_weights
from reference_tree.estimators.parameters import entries_of, not_fitted, plain
from reference_tree.exact.intervals import Interval, Refined
from reference_tree.exact.log_sums import Number
from reference_tree.exact.logarithms import log2_floor_remembered, log2_of_base
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, exactly
from reference_tree.exact.rounding import nearest_multiple

GRID = 48
"""The binary places of a metric."""


class JudgedRow(NamedTuple):
    """The facts about a row that a metric needs; equal rows are counted together."""

    y: Rational
    """The number, or the place of the class."""
    margins: Margins
    """One for each class; of two classes the first has 0. The only one, if numbers are predicted."""


Weighed = Mapping[JudgedRow, Rational]
"""The rows, with their weights."""


def mean_of(rows: Weighed, of: Callable[[JudgedRow], Rational]) -> Fraction:
    """The weighted mean of a number of each row."""
    return Fraction(sum(weight * of(row) for row, weight in rows.items())) / sum(rows.values())


def squared_error(row: JudgedRow) -> Rational:
    """The squared error of a number."""
    # Exact: margins and targets are fractions.
    off = row.margins[0] - row.y
    return off * off


def rmse(rows: Weighed) -> Number:
    """The root of the mean squared error.

    Example:
        >>> float(rmse({JudgedRow(1, (4,)): 1, JudgedRow(2, (2,)): 8}))
        1.0
    """
    return root(mean_of(rows, squared_error))


def mae(rows: Weighed) -> Number:
    """The mean absolute error."""
    return mean_of(rows, lambda row: max(row.margins[0] - row.y, row.y - row.margins[0]))


def is_wrong(row: JudgedRow) -> int:
    """Whether the class of the largest margin, the first of equals, is not that of the row: 1 or 0."""
    # `index` takes the first of equal margins, as argmax does.
    return int(row.margins.index(max(row.margins)) != row.y)


def error(rows: Weighed) -> Number:
    """The share of wrong classes.

    Example:
        >>> error({JudgedRow(0, (0, 1)): 1, JudgedRow(1, (0, 1)): 3})
        Fraction(1, 4)
    """
    return mean_of(rows, is_wrong)


def log_loss(rows: Weighed) -> Number:
    r"""The mean of the negative logarithms of the probabilities of the classes of the rows.

    $$-\frac{1}{n} \sum_i \ln p_{i, y_i}$$

    Example:
        >>> round(float(log_loss({JudgedRow(1, (0, 0)): 2})), 6)      # ln 2
        0.693147

    Source:
        [Friedman2001 §4.6]
    """

    def enclosed(bits: int) -> Interval:
        # Both ends are added up, so the true mean lies between them at any number of bits.
        low = high = Fraction(0)
        for row, weight in rows.items():
            own = row.margins[int(row.y)]
            # p = 1 / (1 + Σ e^(m_k − m_y)): only differences of margins matter.
            others = tuple(sorted(margin - own for k, margin in enumerate(row.margins) if k != row.y))
            p = share_against(others, bits)
            if p.low <= 0:
                raise ZeroDivisionError  # it is enclosed by more bits
            # The logarithm rises with p, so the upper end of p gives the lower end of −log p.
            low -= weight * _log2(Fraction(p.high), bits, above=True)
            high -= weight * _log2(Fraction(p.low), bits, above=False)
        per_bit = Interval(*(Fraction(end, 1 << bits) for end in log2_of_base(math.e, bits)))
        return Interval(low, high) / per_bit / Fraction(sum(rows.values()))

    return Refined(enclosed)


def _log2(p: Fraction, bits: int, *, above: bool) -> Fraction:
    """A bound of log2 p."""
    top, below = (log2_floor_remembered(n, bits) for n in (p.numerator, p.denominator))
    return Fraction(top + 2 - below if above else top - below - 2, 1 << bits)


def auc(rows: Weighed) -> Number:
    """The area under the curve of ROC: the share of pairs of rows of both classes that stand in the right order.

    Raises:
        InputError: all rows are of one class.

    Example:
        >>> auc({JudgedRow(0, (0, 1)): 1, JudgedRow(1, (0, 1)): 1, JudgedRow(1, (0, 2)): 1})
        Fraction(3, 4)
    """
    # Pairs of equal margins count one half, so rows are grouped by margin first.
    by_margin: dict[Rational, list[Rational]] = {}
    for row, weight in rows.items():
        by_margin.setdefault(row.margins[1], [0, 0])[int(row.y)] += weight
    below, pairs = Fraction(0), Fraction(0)
    for _, (first, second) in sorted(by_margin.items()):
        pairs += second * (below + Fraction(first) / 2)
        below += first
    if not (whole := below * sum(second for _, second in by_margin.values())):
        raise InputError("eval_metric: all rows are of one class, which auc cannot judge")
    return pairs / whole


class Metric(NamedTuple):
    """A metric."""

    measure: Callable[[Weighed], Number]
    combines: tuple[str, ...]
    """The rules of the ensembles that it suits."""
    largest: bool = False
    """Whether the largest value is the best."""


METRICS: Mapping[str, Metric] = {
    "rmse": Metric(rmse, ("sum",)),
    "mae": Metric(mae, ("sum",)),
    "logloss": Metric(log_loss, ("logistic",)),
    "error": Metric(error, ("logistic",)),
    "auc": Metric(auc, ("logistic",), largest=True),
    "mlogloss": Metric(log_loss, ("softmax",)),
    "merror": Metric(error, ("softmax",)),
}
"""The metrics by XGBoost's names."""

USUAL: Mapping[str, str] = {"sum": "rmse", "logistic": "logloss", "softmax": "mlogloss"}
"""The rule of an ensemble → the metric that XGBoost takes where none is named."""


def named(eval_metric: Any, combine: str) -> list[str]:
    """The names of the metrics that are asked for.

    Raises:
        InputError: there is no such metric, or it does not suit what is predicted.

    Example:
        >>> named(None, "sum"), named(["error", "auc"], "logistic")
        (['rmse'], ['error', 'auc'])
    """
    if eval_metric is None:
        return [USUAL[combine]]
    # One name, or several; the last one decides when to stop.
    found = [eval_metric] if isinstance(eval_metric, str) or callable(eval_metric) else list(eval_metric)
    suiting = [name for name, metric in METRICS.items() if combine in metric.combines]
    for name in found:
        if not isinstance(name, str):
            raise InputError(f"eval_metric: a function is not called here; name one of {', '.join(suiting)}")
        if name not in suiting:
            raise InputError(no_such("eval_metric", name, suiting))
    return found


@dataclass
class Watched:
    """Rows that are watched: their targets and weights, and their margins so far."""

    name: str
    table: Table
    truth: Sequence[Rational]
    weights: Sequence[Rational]
    margins: Sequence[Margins]

    def rows(self) -> Weighed:
        """The rows, counted."""
        # Equal rows are computed once, with the sum of their weights.
        found: Counter[JudgedRow] = Counter()
        for y, margins, weight in zip(self.truth, self.margins, self.weights, strict=True):
            found[JudgedRow(y, margins if len(margins) > 1 else self._both(margins))] += weight  # type: ignore[assignment]
        return found

    def _both(self, margins: Margins) -> Margins:
        return (0, *margins) if self.table.schema.target.values else margins


@dataclass
class Watch:
    """The metrics of some rows, round by round.

    Args:
        watched: the rows.
        metrics: the names of the metrics.
        every: after how many rounds they are printed; 0: never.
        patience: how many rounds the last metric of the last rows may go without improving; None: any number.
    """

    watched: list[Watched]
    metrics: list[str]
    every: int = 0
    patience: int | None = None
    history: dict[str, dict[str, list[Fraction]]] = field(default_factory=dict)
    best: int | None = None
    """The round of the best value, from 0."""

    def after(self, members: Sequence[Member], *, last: bool) -> bool:
        """Take the trees of a round into account.

        Returns:
            Whether to go on.
        """
        for rows in self.watched:
            # A round adds to the margins; nothing is predicted anew.
            rows.margins = updated_margins(rows.margins, members, rows.table)
            for name in self.metrics:
                # Rounded once to a grid, so that equal values of two rounds are equal numbers.
                value = nearest_multiple(METRICS[name].measure(rows.rows()), GRID)
                self.history.setdefault(rows.name, {}).setdefault(name, []).append(value)
        if not self.watched:
            return True
        # XGBoost watches the last metric of the last set.
        values = self.history[self.watched[-1].name][self.metrics[-1]]
        better = max if METRICS[self.metrics[-1]].largest else min
        # The first of equally good rounds, as XGBoost keeps it.
        self.best = values.index(better(values))
        goes_on = self.patience is None or len(values) - 1 - self.best < self.patience
        if self.every and ((len(values) - 1) % self.every == 0 or last or not goes_on):
            sys.stdout.write(self.line(len(values) - 1) + "\n")
        return goes_on

    def found(self) -> tuple[int, float] | None:
        """The best round and its value, if the rounds were to end early."""
        if self.patience is None or self.best is None:
            return None
        return self.best, float(self.history[self.watched[-1].name][self.metrics[-1]][self.best])

    def line(self, number: int) -> str:
        """The metrics of a round, as XGBoost prints them."""
        parts = [
            f"{rows}-{name}:{float(values[number]):.5f}"
            for rows, metrics in self.history.items()
            for name, values in metrics.items()
        ]
        return "\t".join([f"[{number}]", *parts])

    def results(self) -> dict[str, dict[str, list[float]]]:
        """Rows → metric → the value after each round."""
        return {
            rows: {name: [*map(float, values)] for name, values in metrics.items()}
            for rows, metrics in self.history.items()
        }


class Evaluated(Estimator):
    """An estimator whose rounds were watched."""

    _watch: Watch | None = None
    _best: tuple[int, float] | None = None
    """The best round and its metric, if the rounds were to end early."""

    def _check_fitted(self) -> None:
        if not hasattr(self, "tree_"):
            raise not_fitted(f"this {type(self).__name__} has not been fitted; call fit first")

    def evals_result(self) -> dict[str, dict[str, list[float]]]:
        """For each set of `eval_set`, `validation_0` and so on, the metrics after each round.

        Raises:
            InputError: nothing was watched.
        """
        self._check_fitted()
        if self._watch is None or not self._watch.watched:
            raise InputError("no evaluation result, `eval_set` is not used during training; give it to fit")
        return self._watch.results()

    @property
    def best_iteration(self) -> int:
        """The round of the best value, from 0.

        Raises:
            AttributeError: the rounds were not to end early.
        """
        return self._found_best()[0]

    @property
    def best_score(self) -> float:
        """The value of the metric in that round.

        Raises:
            AttributeError: the rounds were not to end early.
        """
        return self._found_best()[1]

    def _found_best(self) -> tuple[int, float]:
        if self._best is None:
            raise AttributeError("the best round is known after early stopping; say early_stopping_rounds")
        return self._best

    def _watched(self, name: str, given: tuple[Any, Any, Any], table: Table, start: Margins) -> Watched:
        """The rows of an evaluation, as a table of the attributes of the fit."""
        # The columns are those of the fit, by their places: names are not needed.
        X, y, weights = given
        columns, attributes = self._columns(X, "exact"), table.schema.attributes
        if len(columns) != len(attributes):
            raise InputError(f"eval_set: X has {len(columns)} features, and the training rows {len(attributes)}")
        truth = self._places(entries_of(y, "y"), table.schema.target)
        if len(truth) != len(columns[0].cells):
            raise InputError(f"eval_set: X has {len(columns[0].cells)} rows and y {len(truth)}")
        renamed = [replace(column, name=known.name) for column, known in zip(columns, attributes, strict=True)]
        rows = unlabelled(renamed, attributes, table.schema.target)
        known = row_weights(weights, len(truth)) or [1] * len(truth)
        return Watched(name, rows, truth, known, [start] * len(truth))

    def _places(self, y: list[Any], target: Attribute) -> list[Rational]:
        """The truth about some rows: the number, or the place of the class."""
        if target.values is None:
            return [exactly(rewritten(plain(each))) for each in y]
        places = {name: place for place, name in enumerate(target.values)}
        names = [target.category(plain(each)) for each in y]
        if strange := [name for name in names if name not in places]:
            raise InputError(f"eval_set: {strange[0]!r} is no class of the training rows")
        return [places[name] for name in names]
