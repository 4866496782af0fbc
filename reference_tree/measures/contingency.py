r"""The contingency table: rows by true value and prediction, and every measure of a tree's predictions.

The rows are counted by their true class (or number) y and the prediction ŷ: n_yŷ is the weight of the rows of target y
with the prediction ŷ. Each measure below is a function of these weights alone, and the weights add up over folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.records import late


@dataclass(frozen=True, repr=False)
class Contingency:
    """The weight of the rows by true value and prediction.

    Args:
        weights: the weight of each pair (y, ŷ) that occurs.
        classes: the classes in order; None if numbers are predicted.

    Example:
        >>> found = Contingency.of(["no", "yes", "yes"], ["no", "no", "yes"], [2, 1, 1], ("no", "yes"))
        >>> found, found.confusion
        (<Contingency: 4 rows by weight, accuracy 3/4>, [[2, 0], [1, 1]])
    """

    weights: Counter[tuple[Any, Any]]
    classes: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        truths: Iterable[Any],
        answers: Iterable[Any],
        weights: Sequence[Rational] | None = None,
        classes: tuple[str, ...] | None = None,
    ) -> Contingency:
        """The table of some rows, each of weight 1 unless weights are given.

        Raises:
            ValueError: the numbers of truths, answers and weights differ.
        """
        # Rows without weights are counted by `Counter` itself, in one pass; the sums of weights are exact fractions.
        pairs = zip(truths, answers, strict=True)
        if weights is None:
            return cls(Counter(pairs), classes)
        counted: Counter[tuple[Any, Any]] = Counter()
        for pair, weight in zip(pairs, weights, strict=True):
            counted[pair] += weight  # type: ignore[assignment]
        return cls(counted, classes)

    def __add__(self, other: Contingency) -> Contingency:
        # `Counter.__add__` would drop a pair of weight 0, and with it a prediction that was made.
        counted = self.weights.copy()
        counted.update(other.weights)
        return Contingency(counted, self.classes)

    @property
    def total(self) -> Rational:
        """The weight of all rows."""
        return sum(self.weights.values())

    @property
    def accuracy(self) -> Fraction:
        r"""The share of the weight with a correct prediction.

        $$\frac{1}{n} \sum_y n_{yy}$$

        Source:
            [N2 §3.2 step 1]
        """
        return self._mean(int(truth == answer) for truth, answer in self.weights)

    @property
    def confusion(self) -> list[list[Rational]]:
        """The matrix n_yŷ: a row for each class, a column for each prediction.

        Raises:
            ValueError: numbers are predicted.
        """
        if self.classes is None:
            raise ValueError("numbers have no confusion matrix; they have errors")
        # A pair that no row has counts 0, and reading a `Counter` adds no key.
        return [[self.weights[truth, answer] for answer in self.classes] for truth in self.classes]

    @property
    def mean_squared_error(self) -> Fraction:
        r"""The mean of the squared errors of numbers.

        $$\mathrm{MSE} = \frac{1}{n} \sum_{y, \hat y} n_{y \hat y} (y - \hat y)^2$$

        Example:
            >>> Contingency.of([3, 2], [1, 2], [1, 3]).mean_squared_error
            Fraction(1, 1)

        Source:
            [Breiman1984 §8.3]
        """
        return self._mean((Fraction(truth) - answer) ** 2 for truth, answer in self.weights)

    @property
    def mean_absolute_error(self) -> Fraction:
        r"""The mean of the absolute errors of numbers.

        $$\mathrm{MAE} = \frac{1}{n} \sum_{y, \hat y} n_{y \hat y} |y - \hat y|$$

        Source:
            [Breiman1984 §8.11]
        """
        return self._mean(abs(Fraction(truth) - answer) for truth, answer in self.weights)

    @property
    def determination(self) -> Fraction:
        r"""R², the coefficient of determination: the share of the variance of y that the predictions explain.

        If y is constant, it is 1 if every prediction is right, and 0 otherwise.

        $$R^2 = 1 - \frac{\mathrm{MSE}}{\sigma^2(y)}$$

        Example:
            >>> Contingency.of([1, 2, 3], [1, 2, 2]).determination
            Fraction(1, 2)

        Source:
            [Breiman1984 §8.3]. There it is the relative error, 1 - R².
        """
        # The baseline predicts the mean, so its mean squared error is the variance of y with n. Where that is 0, the
        # quotient is undefined, and a convention takes its place.
        variance, left = self.baseline.mean_squared_error, self.mean_squared_error
        return 1 - left / variance if variance else Fraction(int(not left))

    @property
    def baseline(self) -> Contingency:
        """The same rows, each with the best constant as its prediction: the majority class, or the mean of the numbers.

        A tree that does no better than its baseline has learned nothing about these rows.

        Example:
            >>> found = Contingency.of(["no", "yes", "yes"], ["no", "no", "no"], classes=("no", "yes"))
            >>> found.accuracy, found.baseline.accuracy
            (Fraction(1, 3), Fraction(2, 3))
            >>> Contingency.of([1, 2, 6], [1, 1, 1]).baseline.mean_squared_error
            Fraction(14, 3)

        Source:
            [Breiman1984 §8.3]. The relative error there is the error beside that of the mean.
        """
        constant: Any
        if self.classes is None:
            constant = self._mean(truth for truth, _ in self.weights)
        else:
            # A row of the confusion matrix adds up to the weight of its class. `max` keeps the first of equal classes,
            # which is the rule for equal majorities everywhere.
            constant = self.classes[max(range(len(self.classes)), key=list(map(sum, self.confusion)).__getitem__)]
        counted: Counter[tuple[Any, Any]] = Counter()
        for (truth, _), weight in self.weights.items():
            counted[truth, constant] += weight
        return Contingency(counted, self.classes)

    def _mean(self, figures: Iterable[Rational]) -> Fraction:
        """The weighted mean of a figure of each pair."""
        # The figures were computed from the keys of the same dictionary, so both run in the same order.
        weights = self.weights.values()
        summed = sum(weight * figure for weight, figure in zip(weights, figures, strict=True) if figure)
        return Fraction(summed) / self.total

    def __repr__(self) -> str:
        figure = (
            f"mean squared error {self.mean_squared_error}" if self.classes is None else f"accuracy {self.accuracy}"
        )
        return f"<Contingency: {decimal_text(self.total)} rows by weight, {figure}>"

    def _repr_html_(self) -> str | None:
        """The confusion matrix that a notebook shows; None if numbers are predicted."""
        html: str | None = late("views.notebook.contingency_html")(self)
        return html
