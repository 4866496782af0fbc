"""Rounds: which trees of a boosted model answer, all of them or those up to the best round.

A program that stops early keeps the rounds after the best one. Whether they answer, the class of the program decides:
XGBoost's `Booster` takes all, `XGBRegressor` and `XGBClassifier` stop at the best. So the class that the file names
decides here, a remark says which rounds answer, and `--iterations` takes others.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from reference_tree.data.errors import number_of, shown, wording
from reference_tree.programs.inventory import UnreadError

Iterations: TypeAlias = int | str | None
"""The rounds that are asked for: a number of them, `all` or `best`; None if nothing is said."""


class Rounds(NamedTuple):
    """The rounds of a model."""

    size: int
    """How many there are."""
    best: int | None = None
    """How many there are up to the best one, if the model says so."""
    stops: bool = False
    """Whether the class that saved the model predicts with the best rounds alone."""

    def taken(self, asked: Iterations) -> tuple[int, str]:
        """How many rounds answer, and the remark on it; empty if there is nothing to remark.

        Raises:
            UnreadError: the model has not so many rounds, or names no best one.

        Example:
            >>> Rounds(21, 18).taken(5)
            (5, 'the first 5 of 21 rounds answer, as told')
            >>> Rounds(21).taken(None)
            (21, '')
        """
        if asked is not None:
            taken = self._asked(asked)
            return taken, f"{self._these(taken)}, as told" if self.best is not None or taken < self.size else ""
        if self.best in (None, self.size):
            return self.size, ""
        if self.stops:
            taken, other, by = self.best, "all", "the class of scikit-learn that the model names"
        else:
            taken, other, by = self.size, "best", "Booster.predict"
        flag = wording(f"iterations='{other}'", f"--iterations {other}")
        best = f"best_iteration is {self.best - 1}, counted from 0"
        return taken, f"{best}: {self._these(taken)}, as for {by}; {flag} takes {self._other(other)}"

    def _asked(self, asked: int | str) -> int:
        if asked == "all":
            return self.size
        if asked == "best":
            if self.best is None:
                raise UnreadError("the model names no best round (best_iteration); ask for all, or for a number")
            return self.best
        rounds = asked if isinstance(asked, int) and not isinstance(asked, bool) else int(_digits(asked))
        if not 1 <= rounds <= self.size:
            raise UnreadError(f"{rounds} rounds are asked for, and the model has {number_of(self.size, 'round')}")
        return rounds

    def _these(self, taken: int) -> str:
        some = f"all {self.size}" if taken == self.size else f"the first {taken} of {self.size}"
        return f"{some} rounds answer"

    def _other(self, other: str) -> str:
        return f"all {self.size}" if other == "all" else f"the first {self.best}"


def _digits(asked: object) -> str:
    if isinstance(asked, str) and asked.isascii() and asked.isdigit() and len(asked) < 10:
        return asked
    raise UnreadError(f"iterations are a number of rounds, all or best, not {shown(asked)}")
