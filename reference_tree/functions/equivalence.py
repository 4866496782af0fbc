"""Equivalence: whether two models are the same function, and a row where they are not.

An exact sum is not yet an answer: a program that adds up floats rounds after each tree, so the same trees in another
order give other last digits. So there are verdicts of several strengths, each of which is proved:

| verdict | what is proved, for all rows of the domain |
|:--|:--|
| `same answers` | tree by tree the same function, in the same order and the same program: bit for bit the same |
| `same scores` | the exact sums are equal; floats may differ by their roundings |
| `same within` | no two scores are further apart than the tolerance |
| `same class` | the scores differ, as the row shows, and the predicted class nowhere does |
| `different` | there is a row, and both models were asked again about it |
| `undecided` | the steps did not suffice; the difference lies within the bounds |

1. `equivalent` decides, and says by what: `how`.
2. `Equivalence` is the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, Literal, TypeAlias

from reference_tree.data.asked import Rows, listed_rows
from reference_tree.data.errors import InputError, listed, option
from reference_tree.data.held import nearest, rewritten
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.exact.rationals import exactly, rational
from reference_tree.functions.answers import exact_score, predicted, tested
from reference_tree.functions.boxes import Leaves, Score, Whole, added, own_labels, states_no_shares, sums_of, value_at
from reference_tree.functions.causes import Model, ModelTrial, cause_of
from reference_tree.functions.cells import InputDomain, Inputs
from reference_tree.functions.fingerprints import nonzero, point
from reference_tree.functions.searches import ClassSearch, largest, other_class, summed_trees, whole_region
from reference_tree.functions.steps import polynomial, witness
from reference_tree.tree import Tree

Verdict: TypeAlias = Literal["same answers", "same scores", "same within", "same class", "different", "undecided"]
How: TypeAlias = Literal["trees", "polynomial", "fingerprint", "search", "row"]
MANY = 1000
"""So many boxes that a few rows are asked first."""
TRIES = 24
"""The most rows that are asked for one where the rounded answers differ, too."""


@dataclass(frozen=True)
class Equivalence:
    """The verdict on two models.

    Args:
        verdict: one of the six of this module.
        how: what decided: `trees`, one by one; `polynomial`, a proof; `fingerprint`, wrong only by a chance of 2^-500,
            if it says same; `search`; or a `row`.
        row: of different models, a row where their scores differ; None if there is none, or none was met.
        answers: the predictions of both for it; rounded, they may be equal where the exact scores differ.
        score: the name of the score that differs: a class; empty for a number.
        difference: the exact score of the first model less that of the second.
        bounds: where all differences lie, if they were searched.
        cause: the change that makes the two the same, if one was found; else empty.
        outside: what a model refuses, so that nothing is said about rows with it: `missing wind`.
    """

    verdict: Verdict
    how: How
    row: Mapping[str, Any] | None = None
    answers: tuple[Any, Any] | None = None
    score: str = ""
    difference: Fraction | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    cause: str = ""
    outside: Sequence[str] = ()

    @property
    def same(self) -> bool | None:
        """Whether no score differs, or none by more than the tolerance; None if it is undecided."""
        return None if self.verdict == "undecided" else self.verdict not in ("different", "same class")


def equivalent(
    a: Tree | Ensemble,
    b: Tree | Ensemble,
    *,
    inputs: Inputs = "double",
    tolerance: Any = 0,
    rows: Rows | None = None,
    max_steps: int = 2_000,
) -> Equivalence:
    """Whether two models are the same function of all rows, seen or not.

    Args:
        a: the first model.
        b: the second; attributes and classes are matched by their names.
        inputs: the numbers that rows can hold: `double`, or `float32` alone.
        tolerance: the most by which a score may differ.
        rows: rows to ask first; a row that differs then looks like one of them.
        max_steps: the most steps of a search; equality of scores needs none.

    Raises:
        InputError: the models cannot be compared: one has a sum and the other shares of classes, an attribute has
            numbers in one and categories in the other, a test is of several attributes, or a model is no rational sum
            of trees.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> rt.equivalent(rt.ID3().grow(days), rt.CART().grow(days)).verdict  # many branches, and two
        'same answers'
        >>> found = rt.equivalent(rt.ID3().grow(days), rt.ID3(max_depth=1).grow(days))
        >>> found.verdict, found.row, found.answers
        ('different', {'humidity': 'normal', 'outlook': 'sunny', 'wind': 'strong'}, ('yes', 'no'))
    """
    try:
        most = Fraction(rational(tolerance) if isinstance(tolerance, str) else exactly(rewritten(tolerance)))
    except (TypeError, ValueError) as error:
        raise InputError(f"{option('tolerance')}: {error}") from None
    if most < 0:
        raise InputError(f"{option('tolerance')}: the most by which scores may differ is 0 or more, not {tolerance}")
    pair = _Pair.of(a, b, inputs)
    # Models that are the same tree by tree are the most frequent ones, and the quickest to prove.
    by_tree = pair.is_same_by_tree
    difference = None if by_tree else pair.difference()
    if difference is None:
        # Equal shares are not yet equal classes: of a tie another one may be predicted, or the cheapest by losses.
        return pair.other_classes(rows, max_steps) or (pair.same_by_tree() if by_tree else pair.same())
    # Sums with other links are answers on other scales, and no tolerance compares them.
    if most and pair.first.link == pair.second.link:
        return pair.within(most, max_steps)
    # That scores differ is certain. Whether classes do is searched, for they are what many people use.
    verdict: Verdict = "different"
    if pair.first.classes and (found := pair.other_class(max_steps)) is not None:
        if found.at is not None:
            difference = pair.score_at(found.at) or difference
        elif found.proved:
            verdict = "same class"
    return pair.different(*difference, rows, verdict=verdict)


class _Pair:
    """Two models on their common domain."""

    def __init__(
        self, models: tuple[Model, Model], inputs: Inputs, *, labels: bool = False, gaps: bool = True
    ) -> None:  # fmt: skip
        self.models, self.inputs = models, inputs
        self.domain = InputDomain.of(models, inputs, gaps=gaps)
        # Where one of them states no shares, classes alone are compared.
        self.labels = labels or any(map(states_no_shares, models))
        if self.labels and any(isinstance(model, Ensemble) and model.combine != "vote" for model in models):
            raise InputError("one model states classes without their shares, and the other adds up shares")
        self.first, self.second = (sums_of(model, self.domain, labels=self.labels) for model in models)
        self.divided = self.first.divided or self.second.divided

    @property
    def tells_classes(self) -> bool:
        """Whether equal scores are equal classes."""
        # The classes of trees are those of their leaves, and were compared with the labels.
        if self.first.family != "shares" or (self.labels and self._are_trees):
            return True
        has_ties = not self._are_trees and self.first.classes != self.second.classes
        return not has_ties and not any(own_labels(model, self.domain) for model in self.models)

    @property
    def _are_trees(self) -> bool:
        return all(isinstance(model, Tree) for model in self.models)

    def other_classes(self, rows: Rows | None, steps: int) -> Equivalence | None:
        """The verdict on models with equal scores that may predict other classes; None if they never do."""
        if self.tells_classes:
            return None
        labelled = _Pair(self.models, self.inputs, labels=self._are_trees, gaps=not self.divided)
        # Of trees the classes are a sum of boxes as the shares are; of other models, they are searched.
        if self._are_trees:
            difference = labelled.difference()
            return None if difference is None else labelled.different(*difference, rows)
        searched = labelled.other_class(steps)
        assert searched is not None, "models with equal shares have no links"
        if searched.at is None:
            return None if searched.proved else self.verdict("undecided", "search")
        row = self.domain.row(searched.at)
        first, second = self.first.classes, self.second.classes
        orders = f"{listed(first)} and {listed(second)}"
        cause = "" if first == second else f"order of the classes, which decides ties: {orders}"
        return self.verdict(
            "different", "search", row=row, answers=self._answers(row), difference=Fraction(0), cause=cause
        )  # fmt: skip

    @classmethod
    def of(cls, a: Tree | Ensemble, b: Tree | Ensemble, inputs: Inputs) -> _Pair:
        """The pair.

        Raises:
            InputError: they cannot be compared.
        """
        # Names are compared first: two models of other columns differ everywhere, and that helps nobody.
        _check_names(a, b)
        pair = cls((a, b), inputs)
        first, second = pair.first, pair.second
        if first.family != second.family:
            said = {"number": "one sum", "margins": "a margin for each class", "shares": "shares of classes"}
            raise InputError(f"one model has {said[first.family]}, and the other {said[second.family]}")
        if first.family == "shares" and set(first.classes) ^ set(second.classes):
            raise InputError(f"the classes are {listed(first.classes)} and {listed(second.classes)}; name them alike")
        if first.family != "shares" and first.classes and second.classes and first.classes != second.classes:
            raise InputError(f"the classes are {listed(first.classes)} and {listed(second.classes)}; order them alike")
        return pair

    def same(self) -> Equivalence:
        """The verdict on models with equal scores."""
        first, second = self.first, self.second
        # Equal sums with other links are other answers: e^F is not F.
        if first.link != second.link:
            return self._linked()
        # Sums that nobody rounds are answers. Only models of this package are known to be such.
        exact = all(tree.program is None for model in self.models for tree in trees_of(model))
        return self.verdict("same answers" if exact and self.how != "fingerprint" else "same scores", self.how)

    @property
    def is_same_by_tree(self) -> bool:
        """Whether the trees are the same functions, one by one, and are added up alike."""
        first, second = self.first, self.second
        return (first.link, first.rounds) == (second.link, second.rounds) and all(
            score.start == second.scores[name].start
            and len(score.trees) == len(second.scores[name].trees)
            and all(
                one == two or _are_same(one, two, self.domain)
                for one, two in zip(score.trees, second.scores[name].trees, strict=True)
            )
            for name, score in first.scores.items()
        )

    def same_by_tree(self) -> Equivalence:
        """The verdict on models that are the same tree by tree."""
        # Each program adds up, and takes exponentials, in a way of its own: of one model, XGBoost 3.2 and onnxruntime
        # 1.32 gave a third of the probabilities with another last place.
        programs = {tree.program and tree.program.name for model in self.models for tree in trees_of(model)}
        is_alone = all(isinstance(model, Tree) for model in self.models)
        return self.verdict("same answers" if is_alone or len(programs) == 1 else "same scores", "trees")

    def _linked(self) -> Equivalence:
        """The verdict on models with equal sums, of which they make different answers."""
        cause = f"link: {self.first.link or 'none'} and {self.second.link or 'none'}"
        # Links cross nowhere, or at a point, so any few rows show it.
        for at in corners(added([(1, score) for score in self.first.scores.values()])[0], self.domain):
            row = self.domain.row(at)
            answers = self._answers(row)
            if answers[0] != answers[1]:
                return self.verdict("different", "row", row=row, answers=answers, difference=Fraction(0), cause=cause)
        # The class of the largest of the same sums is the same, whatever probabilities are made of them.
        if self.first.classes and self.second.classes:
            return self.verdict("same class", self.how, cause=cause)
        return self.verdict("different", "row", cause=cause)

    def difference(self) -> tuple[str, list[int], Whole, int] | None:
        """The first score that differs: its name, cells where it does, and the boxes of the difference."""
        self.how: How = "polynomial"
        for name in self.first.scores:
            boxes, whole = added([(1, self.first.scores[name]), (-1, self.second.scores[name])])
            # All leaves found their like in the other model.
            if not boxes:
                continue
            at, self.how = unequal(boxes, self.domain, self.how)
            if at is not None:
                return name, at, boxes, whole
        return None

    def within(self, most: Fraction, steps: int) -> Equivalence:
        """The verdict on models whose scores may differ by so much."""
        if self.divided:
            raise InputError("rows with a missing value are divided, and how far scores are apart is not searched then")
        low, high = Fraction(0), Fraction(0)
        for name in self.first.scores:
            for sign in (1, -1):
                parts = [(sign, self.first.scores[name]), (-sign, self.second.scores[name])]
                # Trees in pairs: where they are nearly the same, their difference is nearly 0 and bounded closely.
                trees, whole = summed_trees(parts, self.domain, pairs=True)
                units = most.numerator * whole // most.denominator
                region = whole_region(self.domain)
                found = largest(trees, region, steps=steps, enough=units, hopeless=units, whole=whole)
                high, low = (max(high, found.bound), low) if sign > 0 else (high, min(low, -found.bound))
                # A row that differs by more than the tolerance.
                if found.value is not None and found.value > most:
                    assert found.at is not None
                    boxes, whole = added([(1, self.first.scores[name]), (-1, self.second.scores[name])])
                    return self.different(name, found.at, boxes, whole, None, most)
        if max(high, -low) <= most:
            return self.verdict("same within", "search", bounds=(low, high))
        return self.verdict("undecided", "search", bounds=(low, high))

    def other_class(self, steps: int) -> ClassSearch | None:
        """The search for a row of two classes; None for models of which no class is searched."""
        if self.divided or self.first.link != self.second.link:
            return None
        # One margin is of the second class; shares have their names, in whatever order.
        if self.first.family != "shares" and self.first.classes != self.second.classes:
            return None
        # A tree predicts the class of its leaf, which need not be that of the largest share.
        trees = [model for model in self.models if isinstance(model, Tree)]
        sums = [
            sums_of(model, self.domain, labels=True) if model in trees and sums.family == "shares" else sums
            for model, sums in zip(self.models, (self.first, self.second), strict=True)
        ]
        return other_class(sums[0], sums[1], self.domain, steps)

    def score_at(self, at: list[int]) -> tuple[str, list[int], Whole, int] | None:
        """A score that differs at some cells, as `difference` gives it."""
        for name in self.first.scores:
            boxes, whole = added([(1, self.first.scores[name]), (-1, self.second.scores[name])])
            if value_at(boxes, at):
                return name, at, boxes, whole
        return None

    def different(
        self,
        name: str,
        at: list[int],
        boxes: Whole,
        whole: int,
        rows: Rows | None,
        most: Fraction = Fraction(0),
        verdict: Verdict = "different",
    ) -> Equivalence:
        """The verdict on models that differ, with the row that shows it best."""
        # The witness of the proof serves, but a row of the user, or one whose answers differ, says more.
        row, cells = self._row(at, boxes, rows, most * whole)
        difference = Fraction(value_at(boxes, cells), whole)
        # Both models are asked again, by their own trees.
        once, again = (exact_score(model, row, name, labels=self.labels) for model in self.models)
        assert once - again == difference, (row, name)

        def agree(first: Model, second: Model, row: Mapping[str, Any]) -> bool:
            one, other = (exact_score(model, row, name, labels=self.labels) for model in (first, second))
            return one == other

        cause = cause_of(*self.models, ModelTrial(self.inputs, _have_equal_scores, agree, row))
        return self.verdict(
            verdict, "row" if rows is not None else self.how, row=row, answers=self._answers(row), score=name,
            difference=difference, cause=cause,
        )  # fmt: skip

    def _row(self, at: list[int], boxes: Whole, rows: Rows | None, most: Fraction) -> tuple[dict[str, Any], list[int]]:
        """A row where the scores differ: one of the user's, or near to one; the answers differ as well, if they can."""
        first = None
        for row, cells in self._near(at, boxes, rows):
            if abs(value_at(boxes, cells)) > most:
                first = first or (row, cells)
                answers = self._answers(row)
                if answers[0] != answers[1]:
                    return row, cells
        assert first is not None
        return first

    def _near(self, at: list[int], boxes: Whole, rows: Rows | None) -> Iterator[tuple[dict[str, Any], list[int]]]:
        """Candidates for the row, the best ones first, each with its cells."""
        given = [] if rows is None else self._given(rows)
        # The first of the user's rows that differs.
        for row in given:
            if (cells := self.domain.at(row)) is not None and value_at(boxes, cells):
                yield row, cells
        # None of them: then their first row is changed as little as it takes.
        for row in islice(given, 1):
            yield self._moved(at, boxes, row)
        for cells in (at, *corners(boxes, self.domain)):
            # Of known categories they may differ by less than the tolerance, so the cells themselves come as well.
            known = self._known(cells, boxes)
            yield self.domain.row(known), known
            yield self.domain.row(cells), cells

    def _known(self, at: list[int], boxes: Whole) -> list[int]:
        """Cells where the models differ, with categories that they name, if any do: a program may refuse others."""
        for place, one in enumerate(self.domain.attributes):
            if one.values is None or at[place] < one.plain:
                continue
            named = ([*at[:place], cell, *at[place + 1 :]] for cell in range(one.plain) if one.all >> cell & 1)
            at = next((cells for cells in named if value_at(boxes, cells)), at)
        return at

    def _given(self, rows: Rows) -> list[dict[str, Any]]:
        """The user's rows, with what the models ask for."""
        asked = listed_rows(rows, self.models[0].attributes, self.models[0].target)
        # Such rows cannot be asked, and to ask none of them in silence helps nobody.
        absent = [name for name in self.domain.places if all(name not in row for row in asked)]
        if asked and absent:
            raise InputError(f"the rows have no value for {listed(absent)}, which the models ask for")
        return [{name: self._held(row[name]) for name in self.domain.places if name in row} for row in asked]

    def _held(self, value: Any) -> Any:
        """A value of a row, as one that rows of the domain hold."""
        return nearest(value, self.inputs) if isinstance(value, int | Fraction) else value

    def _moved(self, at: list[int], boxes: Whole, row: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        """Cells where the models differ, moved to those of a row, attribute by attribute, as long as they differ."""
        goal, cells, near = self.domain.at(row), list(at), self.domain.row(at)
        for place, name in enumerate(self.domain.places if goal else ()):
            assert goal is not None
            # Greedy, one attribute after the other: near, and not always nearest.
            moved = [*cells[:place], goal[place], *cells[place + 1 :]]
            if value_at(boxes, moved):
                cells, near[name] = moved, row[name]
        return near, cells

    def _answers(self, row: Mapping[str, Any]) -> tuple[Any, Any]:
        """What both predict for a row."""
        return predicted(self.models[0], row), predicted(self.models[1], row)

    def verdict(self, verdict: Verdict, how: How, **facts: Any) -> Equivalence:
        """The verdict, with what is outside of the domain."""
        return Equivalence(verdict, how, outside=self.domain.outside, **facts)


def unequal(boxes: Whole, domain: InputDomain, how: How = "polynomial") -> tuple[list[int] | None, How]:
    """Cells where a sum of boxes is not 0, None if there are none; and what decided."""
    # Models that have little in common differ nearly everywhere, so a few rows are asked before all is worked out.
    for at in corners(boxes, domain) if len(boxes) > MANY else ():
        if value_at(boxes, at):
            return at, "row"
    terms = polynomial(boxes, domain)
    if terms is not None:
        return (witness(terms, domain), how) if terms else (None, how)
    return (nonzero(boxes, domain) if point(boxes, domain) else None), "fingerprint"


def corners(boxes: Whole, domain: InputDomain) -> Iterator[list[int]]:
    """Cells in some of the boxes: the first cell of each set."""
    # Evenly among the boxes, so that all trees are asked.
    for box in islice(boxes, 0, None, max(1, len(boxes) // TRIES)):
        sets = dict(box)
        some = (sets.get(place, cells.all) for place, cells in enumerate(domain.attributes))
        yield [(cells & -cells).bit_length() - 1 for cells in some]


def _are_same(one: Leaves, other: Leaves, domain: InputDomain) -> bool:
    """Whether two trees are the same function, and that is proved."""
    boxes, _ = added([(1, Score(Fraction(0), [one])), (-1, Score(Fraction(0), [other]))])
    # A fingerprint alone is no proof, so it does not make answers the same.
    return unequal(boxes, domain) == (None, "polynomial")


def _have_equal_scores(a: Tree | Ensemble, b: Tree | Ensemble, inputs: Inputs) -> bool:
    """Whether two models have equal scores; for the search of a cause."""
    # A part that was put into its place often makes the models the same to the letter.
    if a == b and [(one.held, one.treatment) for one in a.attributes] == [
        (one.held, one.treatment) for one in b.attributes
    ]:
        return True
    # Neither a row nor a verdict is needed: the first difference ends a trial.
    pair = _Pair.of(a, b, inputs)
    if pair.difference() is not None or pair.first.link != pair.second.link:
        return False
    return pair.tells_classes or pair.other_classes(None, 0) is None


def _check_names(a: Tree | Ensemble, b: Tree | Ensemble) -> None:
    """Refuse models that have no attribute in common: their names tell which belong together."""
    first, second = (tested(model) for model in (a, b))
    if (
        first
        and second
        and not first & {one.name for one in b.attributes}
        and not second & {one.name for one in a.attributes}
    ):
        raise InputError(
            f"one model asks for {listed(sorted(first))}, and the other for {listed(sorted(second))}; name them alike"
        )
