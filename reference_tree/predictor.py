"""The predictor: a tree or an ensemble of trees, which predicts a class or a number, and P(Y|X).

A row goes down a tree and ends in some of its nodes; it goes down every tree of an ensemble. The answer and P(Y|X)
depend only on the nodes that it *reaches*. Rows are predicted one by one, or all at once, as a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args, overload

from reference_tree.data.asked import AskedRow, Cuts, Rows, as_known, asked_rows, named, treated
from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.data.frames import GivenRow
from reference_tree.data.sample import Data
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table, check_table, in_memory, is_in_memory
from reference_tree.data.treatment import Treatment
from reference_tree.measures.contingency import Contingency
from reference_tree.node import Label
from reference_tree.records import late
from reference_tree.routing import Unseen, column

_UNSEEN = get_args(Unseen)

USUAL_ESTIMATE = "relative-frequency"
"""The usual estimate of a probability."""

Reached = TypeVar("Reached", bound=Hashable)
"""The nodes that a row reaches."""
Share = TypeVar("Share")
"""The type of the exact numbers in P(Y|X)."""
Result = TypeVar("Result")


class Predictor(ABC, Generic[Reached, Share]):
    """A tree, or an ensemble of trees, as a function of rows."""

    called: ClassVar[str]
    """Its name in messages."""
    target: Attribute
    """The attribute that is predicted."""
    attributes: tuple[Attribute, ...]
    """The attributes that may be asked for, in table order."""

    @property
    @abstractmethod
    def cuts(self) -> Cuts:
        """For each attribute that it needs, the thresholds of its tests; None if one is of another kind."""

    @abstractmethod
    def ends(self, row: GivenRow, unseen: Unseen = "error") -> Reached:
        """The nodes that a row reaches.

        Raises:
            InputError: as for `predict`.
        """

    @abstractmethod
    def ends_of(self, table: Table, unseen: Unseen = "error") -> Sequence[Reached]:
        """The nodes that each row of a table reaches; all rows go down at once.

        Raises:
            InputError: as for `predict`.
        """

    def reading(self, row: GivenRow) -> AskedRow:
        """A row as the predictor reads it: numbers in the form in which it holds them, categories by its names.

        Raises:
            InputError: the row is no mapping of attribute to value.
        """
        given: Any = row  # whatever a caller hands over
        if isinstance(given, Mapping):
            found = given if isinstance(given, AskedRow) else AskedRow(given, self._known)
        else:
            several = asked_rows(given, self.attributes, self.target)
            if not isinstance(several, AskedRow):
                raise InputError("these are many rows, and one is asked for; a row is a mapping of attribute to value")
            found = several
        if self.treats:
            self._check(found)
        return found

    def _check(self, row: AskedRow) -> None:
        """Refuse a row with a value that the predictor calls invalid, whether a test needs it or not."""
        for one in self.attributes:
            if one.treatment is not None and one.name in row:
                row[one.name]  # it is treated when it is read

    def save(self, path: str | Path) -> None:
        """Write it to a file as its JSON document, whole or not at all; `read_tree` and `read_predictor` read it.

        Args:
            path: the file, whose name ends in `.json`.

        Raises:
            InputError: the name ends like that of another form, or the file cannot be written; or a weight has more
                digits than a document may hold.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> import reference_tree as rt
            >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
            >>> with TemporaryDirectory() as folder:
            ...     tree.save(f"{folder}/tree.json")
            ...     rt.read_tree(f"{folder}/tree.json").nodes == tree.nodes
            True
        """
        late("tree_document.files.save")(self, path)  # documents are made of trees

    @overload
    def seen(self, table: Table) -> Table: ...
    @overload
    def seen(self, table: Data) -> Data: ...
    def seen(self, table: Data) -> Data:
        """A table as the predictor reads it, as for `reading`; a store of rows reads itself so, if it can."""
        if self.treats:
            table = self._in_memory(table)
        if is_in_memory(table):
            return as_known(table, self._known)
        return table.known_as((*self.attributes, self.target)) if hasattr(table, "known_as") else table

    @overload
    def under_names(self, table: Table) -> Table: ...
    @overload
    def under_names(self, table: Data) -> Data: ...
    def under_names(self, table: Data) -> Data:
        """A table with the predictor's names of categories, and its numbers as given; or a store, if it can give them.

        Values that the predictor treats before it asks (`reference_tree.data.treatment`) are treated.
        """
        if self.treats:
            return treated(named(self._in_memory(table), self._known), self._known)
        if is_in_memory(table):
            return named(table, self._known)
        return table.under_names(self._known) if hasattr(table, "under_names") else table

    @cached_property
    def treats(self) -> bool:
        """Whether it treats values before it asks: replaces missing ones, refuses invalid ones."""
        return any(one.treatment is not None for one in self.attributes)

    def _in_memory(self, table: Data) -> Table:
        """The rows of a store as a table, because no store treats values."""
        found = in_memory(table)
        if found is table:
            return found
        raw = tuple(replace(one, treatment=None) for one in found.schema.attributes)  # a store treats nothing
        return replace(found, schema=replace(found.schema, attributes=raw))

    @cached_property
    def _known(self) -> Mapping[str, Attribute]:
        return {attribute.name: attribute for attribute in (*self.attributes, self.target)}

    @abstractmethod
    def answer(self, ends: Reached) -> Label:
        """The class or the number for a row, from the nodes that it reaches."""

    @abstractmethod
    def shares(self, ends: Reached) -> dict[str, Share]:
        """P(Y|X), from the nodes that a row reaches."""

    @overload
    def predict(self, rows: GivenRow, unseen: Unseen = "error") -> Label: ...
    @overload
    def predict(self, rows: Rows, unseen: Unseen = "error") -> list[Label]: ...
    def predict(self, rows: GivenRow | Rows, unseen: Unseen = "error") -> Label | list[Label]:
        """The class or the number for a row, which goes down from the root of each tree, one test at a time.

        A row that ends in several leaves, because a value is missing, has the class with the largest share of them
        (on a tie, the first in class order), or the mean of their numbers. If the tree was grown with priors or
        losses, the row has the class of least expected cost for these leaves together. The answers of several trees are
        combined by the rule of the ensemble.

        Args:
            rows: a row, attribute → value, of which only the attributes met on the path are needed. Or many: a sequence
                of rows; or a table, or a frame of pandas or Polars, whose rows go down all at once
                (`reference_tree.routing`).
            unseen: how to treat a value for which there is no branch: `error`, or answer with the `majority` of the
                node reached.

        Returns:
            The answer; for many rows the list of the answers.

        Raises:
            InputError: a tested attribute is absent or missing, or a value was not seen in training.

        Example:
            >>> import reference_tree as rt
            >>> days = rt.textbook("play-tennis")
            >>> tree = rt.ID3().grow(days)
            >>> tree.predict({"outlook": "sunny", "humidity": "high"}), tree.predict(days)[:3]
            ('no', ['no', 'no', 'yes'])

        Source:
            [N1 §1.1 (1)], [N2 §1 definition]
        """
        if isinstance(rows, Mapping):
            return self._each(self._returned, rows, unseen)
        return self._each(cache(self._returned), rows, unseen)  # rows that end alike have one answer

    def _returned(self, ends: Reached) -> Label:
        """The answer in the type in which the classes were given."""
        label: Label = self.target.returned(self.answer(ends))
        return label

    @overload
    def distribution(
        self, rows: GivenRow, unseen: Unseen = "error", *, estimate: str = USUAL_ESTIMATE, m: Any = 2
    ) -> dict[str, Share]: ...
    @overload
    def distribution(
        self, rows: Rows, unseen: Unseen = "error", *, estimate: str = USUAL_ESTIMATE, m: Any = 2
    ) -> list[dict[str, Share]]: ...
    def distribution(
        self, rows: GivenRow | Rows, unseen: Unseen = "error", *, estimate: str = USUAL_ESTIMATE, m: Any = 2
    ) -> dict[str, Share] | list[dict[str, Share]]:
        r"""P(Y|X): for a tree, the share of each class among the training rows at the leaf that the row reaches.

        $$P(Y = c_j \mid X \in t) = \frac{N_{tj}}{N_t}$$

        A leaf that no training row reached has the distribution of the node above it. A row whose value is missing on
        the path goes down all branches, in the shares of the training rows that took each, and has the mixture of the
        leaves. If the tree was grown with priors, a row of class j stands for π_j/N_j rows, so that the classes are
        as common as the priors say. Losses change the answer, not the probability of a class.

        Args:
            rows: one or many, as for `predict`.
            unseen: as for `predict`.
            estimate: how a tree estimates the probability of a class at a leaf: `relative-frequency`, `laplace` or
                `m-estimate` (`reference_tree.measures.class_probability`).
            m: how many rows the prior is worth in an m-estimate.

        Raises:
            InputError: as for `predict`; or numbers are predicted, or no counts are recorded; or there is no such
                estimate.

        Example:
            >>> import reference_tree as rt
            >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
            >>> tree.distribution({"outlook": "overcast"}, estimate="m-estimate")
            {'no': Fraction(5, 42), 'yes': Fraction(37, 42)}

        Source:
            [N1 §1.1 (2)]
        """
        if self.target.values is None:
            raise InputError(f"the {self.called} predicts a number, {self.target.name}, and has no P(Y|X)")
        say = self.shares if estimate == USUAL_ESTIMATE else self._estimating(estimate, m)
        return self._each(say, rows, unseen)

    def _estimating(self, estimate: str, m: Any) -> Callable[[Reached], dict[str, Share]]:
        """P(Y|X) by an estimate, from the nodes that a row reaches."""
        raise InputError(f"the {self.called} has no leaf of its own whose probabilities could be estimated otherwise")

    def _each(self, say: Callable[[Reached], Result], rows: GivenRow | Rows, unseen: Unseen) -> Result | list[Result]:
        """The result of a function for a row, or for each of many."""
        if unseen not in _UNSEEN:
            raise InputError(no_such("rule for unseen values", unseen, _UNSEEN))
        if isinstance(rows, Mapping):
            return say(self.ends(rows, unseen))
        asked = asked_rows(rows, self.attributes, self.target, self.cuts)
        if isinstance(asked, list):
            return [say(self.ends(row, unseen)) for row in asked]
        if isinstance(asked, Mapping):
            return say(self.ends(asked, unseen))
        return list(map(say, self.ends_of(asked, unseen)))

    def accuracy(self, table: Data, unseen: Unseen = "error") -> Fraction:
        """The weighted share of a table's rows whose class is predicted; on the training table, the training accuracy.

        Source:
            [N2 §3.2 step 1]. For pruning, it has to be measured on a validation table; N2 takes the training table.
        """
        if self.target.values is None:
            raise InputError(f"the {self.called} predicts a number, {self.target.name}: ask for its mean squared error")
        return self.contingency(table, unseen).accuracy

    def mean_squared_error(self, table: Data, unseen: Unseen = "error") -> Fraction:
        r"""The weighted mean of the squared errors.

        $$\mathrm{MSE} = \frac{1}{\sum_i w_i} \sum_i w_i (y_i - \hat y_i)^2$$

        Raises:
            InputError: classes are predicted, or the table has another target; or as for `predict`.

        Source:
            [Breiman1984 §8.3]
        """
        if self.target.values is not None:
            raise InputError(f"the {self.called} predicts a class, {self.target.name}: ask for its accuracy")
        return self.contingency(table, unseen).mean_squared_error

    def contingency(self, table: Data, unseen: Unseen = "error") -> Contingency:
        """The contingency table of a table's rows by target and prediction, with accuracy, confusion and errors.

        Raises:
            InputError: the table has another target; or as for `predict`.

        Example:
            >>> import reference_tree as rt
            >>> days = rt.textbook("play-tennis")
            >>> rt.ID3(max_depth=1).grow(days).contingency(days).confusion
            [[3, 2], [2, 7]]
        """
        self._check_target(table)
        if not is_in_memory(table) and (counted := self._counted(table)) is not None:
            return Contingency(counted, self.target.values)
        answers, truths = self._beside_truth(table, unseen)
        return Contingency.of(truths, answers, table.weighted(), self.target.values)

    def _counted(self, table: Data) -> Counter[tuple[Any, Any]] | None:
        """The weight of the rows of a store by target and prediction; None if it is asked for its rows."""
        return None

    def _beside_truth(self, table: Data, unseen: Unseen) -> tuple[list[Label], list[Any]]:
        """The prediction of each row of a table, and its target."""
        if not is_in_memory(table):  # another store of rows, predicted row by row
            rows = list(table.rows())
            return [self.answer(self.ends(row, unseen)) for row in rows], [row[self.target.name] for row in rows]
        seen = self.seen(table)
        return list(map(cache(self.answer), self.ends_of(seen, unseen))), truth(seen)

    def _check_target(self, table: Data) -> None:
        check_table(table)
        found = table.schema.target
        if found.name != self.target.name:
            raise InputError(f"the {self.called} predicts {self.target.name}, but the target is {found.name}")
        if found.kind != self.target.kind:
            raise InputError(f"the {self.called} has {found.name} as {self.target.kind}, the table as {found.kind}")


def check_plain(
    predictor: Predictor[Any, Any], form: str, said: Callable[[Attribute], bool] = lambda attribute: False
) -> None:
    """Refuse to write a predictor that treats values before it asks, in a form that cannot say so.

    Args:
        predictor: a tree or an ensemble.
        form: the form, in words.
        said: whether the form says how the values of an attribute are treated.

    Raises:
        InputError: it treats values.
    """
    of_types = (None, Treatment(whole=True))  # that a column of integers has no fractions is a matter of its type
    if treated_ones := [one.name for one in predictor.attributes if one.treatment not in of_types and not said(one)]:
        names = listed(treated_ones)
        raise InputError(
            f"{form} does not say that values of {names} are treated before a question is asked (missing, invalid or "
            f"extreme ones); write the {predictor.called} as json"
        )


def truth(table: Table) -> list[Any]:
    """The target of each row."""
    codes, values = column(table, table.schema.target.name)
    spelled = list(values)
    return [spelled[code] for code in codes]
