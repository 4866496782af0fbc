"""A tree as code: a function in Python, and an expression in SQL.

Either answers a row as the tree does. It has no answer (`None`, `NULL`) where the tree has none, at a value without a
branch, and where the tree divides a row because a value is missing. Surrogates, and a branch that takes all rows
without a value, are conditions like others.

Programs limit the depth of conditions within one another. A deeper tree is written in *pieces*: subtrees that are cut
off, so that the rest is shallow. A condition for the whole path to each piece comes first, and a row to which none
of these applies goes down the rest. A piece that is still too deep has pieces itself.

An ensemble is code if it adds numbers: a sum, a mean of numbers, or the log-odds of two classes. A row for which one of
its trees has no answer has none.

1. `to_python` and `to_sql` write a tree, or an ensemble; `reference_tree.views.trees.languages` has the syntax.
2. `added` makes an ensemble a weighted sum of trees.
3. `_pieces` cuts a tree into pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from reference_tree.data.errors import InputError, option
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import SeenSubset, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import Rational
from reference_tree.exact.reals import Number
from reference_tree.node import Node
from reference_tree.predictor import check_plain
from reference_tree.tree import Tree, check_tree
from reference_tree.views.trees.languages import Dialect, DialectName, Language, Python, dialect_of

DEEPEST = 90
"""The most levels that Python reads: it refuses a hundred indentations."""

PARTS = 4
"""A piece has at most this part of the nodes of the tree that it is cut off."""

TOGETHER = 100
"""The most conditions that stand side by side: SQLite refuses a thousand."""

IMPORTED = "from fractions import Fraction\n\n\n"
READ = "row = {name: None if cell != cell else cell for name, cell in dict(row).items()}  # NaN is a missing value"
DIVIDED = "A row with a missing value is divided by this tree. It has no prediction here, and one by predict."
"""The comment in code that cannot answer all rows as the tree does."""


def to_python(tree: Tree | Ensemble) -> str:
    """A tree, or an ensemble that adds numbers, as a function of a row, a mapping from attribute to value.

    The function takes any row of numbers and texts as `predict` does: floats, integers, decimals, fractions and the
    numbers of numpy, of which each is compared as the tree holds it. It needs the standard library alone.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.cart import CART
        >>> table = Table.from_columns({"speed": [3, 8, 9], "play": ["yes", "no", "no"]})
        >>> print(to_python(CART(missing="error").grow(table)), end="")
        def predict(row):
            row = {name: None if cell != cell else cell for name, cell in dict(row).items()}  # NaN is a missing value
            if row['speed'] is not None and row['speed'] <= 5.5:
                return 'yes'
            elif row['speed'] is not None and row['speed'] > 5.5:
                return 'no'
    """
    if isinstance(tree, Ensemble):
        check_plain(tree, "Python")
        return _ensemble_in_python(tree)
    check_tree(tree)
    check_plain(tree, "Python")
    lines = "".join(f"{'    ' * (depth + 1)}{line}\n" for depth, line in Writer(tree, Python(DEEPEST)).lines())
    note = f"# {DIVIDED}\n" if _divides(tree) else ""
    needed = IMPORTED if "Fraction(" in lines else ""
    return f"{note}{needed}def predict(row):\n    {READ}\n{lines}"


def _ensemble_in_python(ensemble: Ensemble) -> str:
    """A function for each tree, and one that adds their answers."""
    start, terms = added(ensemble)
    language = Python(DEEPEST)
    number = partial(language.answer, target=ensemble.target)
    found = [f"# {DIVIDED}\n" if any(_divides(tree) for _, tree in terms) else "", IMPORTED]
    for place, (_, tree) in enumerate(terms, start=1):
        lines = "".join(f"{'    ' * (depth + 1)}{line}\n" for depth, line in Writer(tree, language).lines())
        found.append(f"def tree_{place}(row):\n{lines}\n\n")
    weighed = "".join(f"    ({number(weight)}, tree_{place}),\n" for place, (weight, _) in enumerate(terms, start=1))
    total = f"{number(start)} + sum(weight * answer for weight, answer in answers)"
    # A class is the sign of the sum of log-odds; 0 is the first class.
    classes = ensemble.target.values
    if classes is not None:
        first, second = (number(each) for each in classes)
        total = f"{second} if {total} > 0 else {first}"
    found.append(
        f"TREES = (\n{weighed})\n\n\ndef predict(row):\n    {READ}\n"
        "    answers = [(weight, tree(row)) for weight, tree in TREES]\n"
        "    if any(answer is None for _, answer in answers):\n        return None\n"
        f"    return {total}\n"
    )
    return "".join(found)


def to_sql(tree: Tree | Ensemble, dialect: DialectName = "standard") -> str:
    """A tree, or an ensemble that adds numbers, as an expression over the columns of a table.

    Columns of doubles, of integers and of decimals of up to fifteen digits give the answers of the tree.

    Args:
        tree: the tree.
        dialect: the program that reads it: `standard`, `sqlite`, `postgresql`, `duckdb`, `spark`, `mysql`, `bigquery`,
            `snowflake`.

    Raises:
        InputError: there is no such dialect; or it cannot write a name or a text, or takes two columns for one.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.id3 import ID3
        >>> table = Table.from_columns({"wind": ["weak", "strong", "weak"], "play": ["yes", "no", "yes"]})
        >>> print(to_sql(ID3().grow(table)), end="")
        CASE WHEN "wind" = 'strong' THEN
            'no'
        WHEN "wind" = 'weak' THEN
            'yes'
        END
    """
    language = dialect_of(dialect)
    start: Rational = 0
    terms: list[tuple[Rational, Tree]]
    if isinstance(tree, Tree | Ensemble):
        check_plain(tree, "SQL")
    if isinstance(tree, Ensemble):
        start, terms = added(tree)
    else:
        check_tree(tree)
        terms = [(1, tree)]
    if language.folds:
        _check_names([each for _, each in terms], language.title)
    note = f"/* {DIVIDED} */\n" if any(_divides(each) for _, each in terms) else ""
    lines = _sum_in_sql(tree, start, terms, language) if isinstance(tree, Ensemble) else Writer(tree, language).lines()
    return note + "".join(f"{'    ' * depth}{line}\n" for depth, line in lines)


def _sum_in_sql(
    ensemble: Ensemble, start: Rational, terms: list[tuple[Rational, Tree]], language: Dialect
) -> Iterator[tuple[int, str]]:
    """The sum of some trees in doubles, or the class that its sign says."""
    yield 0, "(" if ensemble.target.values is None else "CASE SIGN("
    yield 1, language.approximate(float(start))
    for place, (weight, tree) in enumerate(terms):
        if place % TOGETHER == 0:
            yield 1, "+ ("
        factor = "" if weight == 1 else f"{language.approximate(float(weight))} * "
        yield 2, f"{'+ ' if place % TOGETHER else ''}{factor}("
        yield from ((depth + 3, line) for depth, line in Writer(tree, language).lines())
        yield 2, ")"
        if place % TOGETHER == TOGETHER - 1 or place == len(terms) - 1:
            yield 1, ")"
    if ensemble.target.values is None:
        yield 0, ")"
    else:
        first, second = map(language.text, ensemble.target.values)
        yield 0, f") WHEN 1 THEN {second} WHEN 0 THEN {first} WHEN -1 THEN {first} END"


def added(ensemble: Ensemble) -> tuple[Rational, list[tuple[Rational, Tree]]]:
    """An ensemble as a sum: the start, and the trees with their weights; a number that is irrational is rounded.

    Raises:
        InputError: the ensemble is no sum.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.ensembles.boosting_tree import BoostingTree
        >>> table = Table.from_columns({"x": [1, 2, 3], "y": [1, 2, 6]})
        >>> start, terms = added(BoostingTree(trees=2).grow(table))
        >>> start, [weight for weight, _ in terms]
        (0, [1, 1])
    """
    weights = [member.weight for member in ensemble.members]
    start: Rational = 0
    if ensemble.combine in ("sum", "logistic", "hinge"):
        start = _rational(ensemble.start[0])
    elif ensemble.combine == "mean" and ensemble.target.values is None:
        whole = sum(weights)
        weights = [weight / Fraction(1) / whole for weight in weights]
    else:
        raise InputError(
            f"trees that are combined by {ensemble.combine} are no sum of numbers; "
            f"write one of them ({option('round', '1')}), or all of them as json"
        )
    trees = [member.tree for member in ensemble.members]
    return start, list(zip(map(_rational, weights), trees, strict=True))


def _rational(number: Number) -> Rational:
    return number if isinstance(number, int | Fraction) else Fraction(float(number))


def _divides(tree: Tree) -> bool:
    return any(node.missing.shares for node in tree.nodes)


def _check_names(trees: list[Tree], title: str) -> None:
    """Refuse columns that are one for the program."""
    nodes = [node for tree in trees for node in tree.nodes]
    tests = [test for node in nodes for test in (node.test, *(each.test for each in node.missing.surrogates))]
    known: dict[str, str] = {}
    for name in (name for test in tests if test is not None for name in test.attributes):
        if (other := known.setdefault(name.lower(), name)) != name:
            raise InputError(f"{title} takes the columns {other} and {name} for one; rename one of them")


class _Piece(NamedTuple):
    """A subtree without the subtrees that are cut off it."""

    root: int
    without: frozenset[int] = frozenset()
    is_shallow: bool = False
    """Whether it is written as it is."""


class Writer:
    """A tree in a language.

    Args:
        tree: the tree.
        language: Python, or a dialect of SQL.
    """

    def __init__(self, tree: Tree, language: Language) -> None:
        self.tree, self.language, self.is_python = tree, language, isinstance(language, Python)
        self.known = {attribute.name: attribute for attribute in tree.attributes}

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines, each with its depth."""
        is_shallow = max(self.tree.depths()) <= self.language.deepest
        pending: list[tuple[int, str | _Piece]] = [(0, _Piece(0, is_shallow=is_shallow))]
        while pending:
            depth, item = pending.pop()
            if isinstance(item, str):
                yield depth, item
                continue
            node = self.tree.nodes[item.root]
            if node.test is None:
                answer = self.language.answer(node.label, self.tree.target)
                yield depth, f"return {answer}" if self.is_python else answer
            else:
                if item.is_shallow:
                    below = self._branches(item)
                else:  # each part under the condition for the path to it
                    *parts, rest = _pieces(self.tree, item, self.language.deepest // 2)
                    below = self._cases([(self._path(part.root, item.root), part) for part in parts], rest)
                pending += [(depth + deeper, each) for deeper, each in reversed(list(below))]

    def _branches(self, piece: _Piece) -> Iterator[tuple[int, str | _Piece]]:
        """The branches of the first node of a piece, each with its condition."""
        node = self.tree.nodes[piece.root]
        assert node.test is not None
        conditions = map(self._either, self._alternatives(node, node.test))
        found: list[tuple[str, str | _Piece]] = [
            (condition, piece._replace(root=branch))
            for condition, branch in zip(conditions, node.branches, strict=True)
            if branch not in piece.without
        ]
        if node.missing.stays and piece.root in self.tree.unstated:
            raise InputError(f"a row may end at node {piece.root}, an inner one, whose prediction is not stated")
        if node.missing.stays:
            answer = self.language.answer(node.label, self.tree.target)
            found.append((self._unanswered(node.test), f"return {answer}" if self.is_python else answer))
        return self._cases(found, None)

    def _cases(self, found: list[tuple[str, str | _Piece]], rest: _Piece | None) -> Iterator[tuple[int, str | _Piece]]:
        """The first of some cases whose condition holds, otherwise the rest."""
        if self.is_python:
            further = "elif" if len(found) <= DEEPEST else "if"  # too many would be too deep; they exclude one another
            for place, (condition, case) in enumerate(found):
                yield from ((0, f"{further if place else 'if'} {condition}:"), (1, case))
            if rest is not None or not found:
                yield 0, "return None" if rest is None else rest
        elif not found:
            yield 0, "NULL" if rest is None else rest
        else:
            for place, (condition, case) in enumerate(found):
                yield from ((0, f"{'WHEN' if place else 'CASE WHEN'} {condition} THEN"), (1, case))
            yield from () if rest is None else ((0, "ELSE"), (1, rest))
            yield 0, "END"

    # Conditions.

    def _path(self, number: int, root: int) -> str:
        """The condition that a row comes from one node to another one; of several bounds of a number, the narrowest."""
        bounds: dict[tuple[str, bool], Outcome] = {}
        others: list[str] = []
        while number != root:
            number, branch = self.tree.parents[number]
            node = self.tree.nodes[number]
            assert node.test is not None
            outcome, missing = node.test.outcomes[branch], node.missing
            if isinstance(node.test, Threshold) and not missing.surrogates and missing.to != branch:
                key = node.test.attribute, outcome.relation in ("le", "lt")
                bounds[key] = _narrower(bounds.get(key, outcome), outcome)
            else:
                alternatives = self._alternatives(node, node.test)[branch]
                condition = self._either(alternatives)
                others.append(condition if len(alternatives) == 1 else f"({condition})")
        found = [self._condition(name, outcome) for (name, _), outcome in bounds.items()] + others[::-1]
        together, conjunction = TOGETHER, self.language.conjunction
        if len(found) > together:
            found = [f"({conjunction.join(found[at : at + together])})" for at in range(0, len(found), together)]
        return conjunction.join(found)

    def _either(self, alternatives: list[str]) -> str:
        if len(alternatives) == 1:
            return alternatives[0]
        return self.language.alternative.join(f"({each})" for each in alternatives)

    def _alternatives(self, node: Node, test: Test) -> list[list[str]]:
        """For each branch its conditions, one of which must hold."""
        both = self.language.conjunction
        alternatives = [[self._outcome(test, outcome)] for outcome in test.outcomes]
        unanswered = [self._unanswered(test)]
        for surrogate in node.missing.surrogates:
            for outcome, branch in zip(surrogate.test.outcomes, surrogate.branches, strict=True):
                alternatives[branch].append(both.join([*unanswered, self._outcome(surrogate.test, outcome)]))
            unanswered.append(self._unanswered(surrogate.test))
        if node.missing.to is not None:
            alternatives[node.missing.to].append(both.join(unanswered))
        return alternatives

    def _unanswered(self, test: Test) -> str:
        """The condition that a test has no outcome."""
        unknown = [self.language.unknown(self._attribute(name)) for name in test.attributes]
        if isinstance(test, SeenSubset) and test.unseen:
            unknown.append(self.language.among(self._attribute(test.attribute), test.unseen))
        return f"({self.language.alternative.join(unknown)})" if len(unknown) > 1 else unknown[0]

    def _outcome(self, test: Test, outcome: Outcome) -> str:
        """The condition that a test has an outcome."""
        if not isinstance(test, Linear):
            return self._condition(test.attribute, outcome)
        known = [each for name in test.attributes for each in self.language.known(self._attribute(name))]
        return self.language.conjunction.join([*known, self.language.compared_sum(test, outcome, self._attribute)])

    def _condition(self, name: str, outcome: Outcome) -> str:
        """The condition that the value of an attribute has an outcome."""
        language, attribute = self.language, self._attribute(name)
        if outcome.relation in ("is", "in"):
            return language.among(attribute, (outcome.value,) if outcome.relation == "is" else outcome.value)
        if outcome.relation == "not_in":
            condition = f"{language.negation} ({language.among(attribute, outcome.value)})"
        else:
            condition = language.compared(attribute, outcome)
        return language.conjunction.join([*language.known(attribute), condition])

    def _attribute(self, name: str) -> Attribute:
        return self.known[name]


def _narrower(one: Outcome, other: Outcome) -> Outcome:
    """The condition that implies the other; both are bounds on the same side."""
    if one.value == other.value:
        return one if one.relation in ("lt", "gt") else other
    is_below = one.value < other.value
    return one if is_below == (one.relation in ("le", "lt")) else other


def _pieces(tree: Tree, whole: _Piece, deepest: int) -> list[_Piece]:
    """The pieces that are cut off, each before those that contain it, and last the rest, which is not too deep."""
    found: list[_Piece] = []
    root, without = whole.root, whole.without
    most = None
    while True:
        heights, sizes = _measured(tree, root, without)
        if most is None:
            most = max(1, sizes[root] // PARTS)
        if heights[root] <= deepest:
            return [*found, _Piece(root, without, is_shallow=True)]
        number = root
        while number == root or sizes[number] > most:  # along the longest path
            number = max((each for each in tree.nodes[number].branches if each not in without), key=heights.__getitem__)
        found.append(_Piece(number, without))
        without |= {number}


def _measured(tree: Tree, root: int, without: frozenset[int]) -> tuple[dict[int, int], dict[int, int]]:
    """For each node of a piece, how many levels and how many nodes it has from there."""
    numbers, pending = list[int](), [root]
    while pending:
        numbers.append(pending.pop())
        pending += [branch for branch in tree.nodes[numbers[-1]].branches if branch not in without]
    heights, sizes = dict.fromkeys(numbers, 0), dict.fromkeys(numbers, 1)
    for number in reversed(numbers):
        for branch in tree.nodes[number].branches:
            if branch not in without:
                heights[number] = max(heights[number], heights[branch] + 1)
                sizes[number] += sizes[branch]
    return heights, sizes
