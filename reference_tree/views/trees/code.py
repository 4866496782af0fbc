"""A tree as code: a function in Python, and an expression in SQL.

Either answers a row as the tree does. It has no answer (`None`, `NULL`) where the tree has none, at a value without a
branch, and where the tree divides a row because a value is missing. Surrogates, and a branch that takes all rows
without a value, are conditions like others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import SeenSubset, Test
from reference_tree.exact.rationals import Rational, decimal_text, exact_text
from reference_tree.node import Label, Node
from reference_tree.tree import Tree, check_tree

DEEPEST = 90
"""The most levels that Python reads: it refuses a hundred indentations."""


class _Language(NamedTuple):
    """The syntax of conditions."""

    column: str
    unknown: str
    equal: str
    among: str
    known: str
    """The condition before a comparison that is not valid for a missing value."""
    one_if: str
    """1 if a column has a value, else 0."""
    conjunction: str
    alternative: str
    first: str
    further: str
    """The beginning of a branch before its condition: of the first branch, and of a further one."""

    def text(self, value: str) -> str:
        """A text as a literal of the language."""
        return repr(value) if self is PYTHON else "'" + value.replace("'", "''") + "'"

    def name(self, attribute: str) -> str:
        """A column in the language."""
        return self.column.format(repr(attribute) if self is PYTHON else attribute.replace('"', '""'))

    def number(self, value: Rational) -> str:
        """A number as an expression with exactly its value."""
        if self is PYTHON:
            return str(value) if isinstance(value, int) else f"Fraction({decimal_text(value)!r})"
        text = decimal_text(value)
        return text if "/" not in text else f"({value.numerator}.0 / {value.denominator})"

    def answer(self, label: Label) -> str:
        """The answer of a leaf."""
        return self.text(label) if isinstance(label, str) else self.number(label)


PYTHON = _Language(
    "row[{}]", "{} is None", "{} == {}", "{} in ({},)", "{} is not None", "({} == {})", " and ", " or ", "if", "elif"
)
SQL = _Language(
    '"{}"', "{} IS NULL", "{} = {}", "{} IN ({})", "", "CASE WHEN {} = {} THEN 1 ELSE 0 END", " AND ", " OR ",
    "CASE WHEN", "WHEN",
)  # fmt: skip


def to_python(tree: Tree) -> str:
    """A tree as a function of a row, a mapping from attribute to value: numbers as numbers, categories as texts.

    Raises:
        InputError: the tree is too deep for Python to read.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.cart import CART
        >>> table = Table.from_columns({"speed": [3, 8, 9], "play": ["yes", "no", "no"]})
        >>> print(to_python(CART(missing="error").grow(table)), end="")
        from fractions import Fraction
        <BLANKLINE>
        <BLANKLINE>
        def predict(row):
            if row['speed'] is not None and row['speed'] <= Fraction('5.5'):
                return 'yes'
            elif row['speed'] is not None and row['speed'] > Fraction('5.5'):
                return 'no'
    """
    check_tree(tree)
    if max(tree.depths()) > DEEPEST:
        raise InputError(f"a tree of more than {DEEPEST} levels is too deep for Python; write it as sql")
    lines = "".join(f"{'    ' * (depth + 1)}{line}\n" for depth, line in _lines(tree, PYTHON))
    note = f"# {DIVIDED}\n" if _divides(tree) else ""
    return f"{note}from fractions import Fraction\n\n\ndef predict(row):\n{lines}"


def to_sql(tree: Tree) -> str:
    """A tree as an expression over the columns of a table.

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
    check_tree(tree)
    note = f"/* {DIVIDED} */\n" if _divides(tree) else ""
    return note + "".join(f"{'    ' * depth}{line}\n" for depth, line in _lines(tree, SQL))


DIVIDED = "A row without an answer is divided by this tree. It has no answer here, and one by predict."
"""The comment in code that cannot answer all rows as the tree does."""


def _divides(tree: Tree) -> bool:
    return any(node.missing.shares for node in tree.nodes)


def _lines(tree: Tree, language: _Language) -> Iterator[tuple[int, str]]:
    """The lines, each with its depth."""
    is_python = language is PYTHON
    pending: list[tuple[int, str | Node]] = [(0, tree.nodes[0])]
    while pending:
        depth, item = pending.pop()
        if isinstance(item, str):
            yield depth, item
        elif item.test is None:
            yield depth, f"return {language.answer(item.label)}" if is_python else language.answer(item.label)
        else:
            below: list[tuple[int, str | Node]] = []
            conditions = _conditions(item, item.test, language)
            branches: list[Node] = [tree.nodes[number] for number in item.branches]
            if item.missing.stays:
                conditions.append(_unanswered(item.test, language))
                branches.append(Node(item.counts, item.label))
            for place, (condition, branch) in enumerate(zip(conditions, branches, strict=True)):
                start = language.further if place else language.first
                below += [(depth, f"{start} {condition}{':' if is_python else ' THEN'}"), (depth + 1, branch)]
            pending += [*([] if is_python else [(depth, "END")]), *below[::-1]]


def _conditions(node: Node, test: Test, language: _Language) -> list[str]:
    """The condition of each branch."""
    alternatives = [[_condition(test, outcome, language)] for outcome in test.outcomes]
    unanswered = [_unanswered(test, language)]
    for surrogate in node.missing.surrogates:
        for outcome, branch in zip(surrogate.test.outcomes, surrogate.branches, strict=True):
            condition = _condition(surrogate.test, outcome, language)
            alternatives[branch].append(language.conjunction.join([*unanswered, condition]))
        unanswered.append(_unanswered(surrogate.test, language))
    if node.missing.to is not None:
        alternatives[node.missing.to].append(language.conjunction.join(unanswered))
    return [
        conditions[0] if len(conditions) == 1 else language.alternative.join(f"({each})" for each in conditions)
        for conditions in alternatives
    ]


def _unanswered(test: Test, language: _Language) -> str:
    """The condition that a question is not answered."""
    unknown = [language.unknown.format(language.name(attribute)) for attribute in test.attributes]
    if isinstance(test, SeenSubset):
        unknown.append(_among(test.attribute, test.unseen, language))
    return f"({language.alternative.join(unknown)})" if len(unknown) > 1 else unknown[0]


def _among(attribute: str, values: Sequence[str], language: _Language) -> str:
    return language.among.format(language.name(attribute), ", ".join(map(language.text, values)))


def _condition(test: Test, outcome: Outcome, language: _Language) -> str:
    """The condition that a question has an outcome."""
    known = [language.known.format(language.name(attribute)) for attribute in test.attributes if language.known]
    if outcome.relation == "is":
        return language.equal.format(language.name(test.attribute), language.text(outcome.value))
    if outcome.relation == "in":
        return _among(test.attribute, outcome.value, language)
    if outcome.relation == "not_in":
        negated = _among(test.attribute, outcome.value, language)
        return language.conjunction.join([*known, f"{'not' if language is PYTHON else 'NOT'} ({negated})"])
    left = _sum(test, language) if isinstance(test, Linear) else language.name(test.attribute)
    return language.conjunction.join([*known, f"{left} {outcome.sign.strip()} {language.number(outcome.value)}"])


def _sum(test: Linear, language: _Language) -> str:
    terms = []
    for coordinate, weight in test.weights:
        column = language.name(coordinate.attribute)
        if coordinate.value is not None:
            column = language.one_if.format(column, language.text(coordinate.value))
            column = column if language is PYTHON else f"({column})"
        terms.append(f"{exact_text(Fraction(weight))} * {column}")
    return " + ".join(terms)
