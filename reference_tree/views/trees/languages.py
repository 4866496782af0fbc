"""Languages: how Python, and each dialect of SQL, writes names, texts, numbers and conditions.

1. `Python` compares the cells of a row, a mapping from attribute to value.
2. `Dialect` is a dialect of SQL, and compares the columns of a table; `DIALECTS` has those that are known by name.
3. `cut` gives the threshold of a condition as a double, for all that compares doubles.

A number is compared as the tree holds it (`reference_tree.data.held`). A text is compared byte by byte, and stays
within its quotes, whatever characters it has.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from reference_tree.data.errors import InputError, no_such, shown
from reference_tree.data.held import CODES, Form, last_double
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, decimal_text, is_number, rational
from reference_tree.exact.rounding import nearest_single
from reference_tree.node import Label

_SHORT = 15
"""Decimals of at most this length are different doubles if they are different."""


def cut(outcome: Outcome, form: Form) -> float:
    """The double with which doubles compare as, in the form of the tree, they compare with a threshold.

    Args:
        outcome: a condition on a number: `<=`, `>`, `<` or `>=`.
        form: how the tree holds the number.

    Returns:
        The number d: a double x meets the condition if and only if x meets it with d in the place of the threshold. It
        may be infinite if the condition holds for all doubles, or for none.

    Example:
        >>> cut(Outcome("le", Fraction("4.9")), "written"), cut(Outcome("lt", Fraction(13421773, 2**27)), "float32")
        (4.9, 0.09999999776482583)
    """
    if outcome.relation in ("lt", "ge"):
        return math.nextafter(last_double(outcome.value, form, strict=True), math.inf)
    return last_double(outcome.value, form)


def is_single(number: Rational) -> bool:
    """Whether a float32 has exactly this value.

    Example:
        >>> is_single(Fraction(11, 2)), is_single(Fraction(49, 10))
        (True, False)
    """
    try:
        return nearest_single(float(number)) == number
    except OverflowError:
        return False


def code_ranges(attribute: Attribute, values: Sequence[str]) -> list[tuple[float, float]]:
    """The doubles that are cut off to some codes of categories, as ranges: above the first end, up to the second.

    Example:
        >>> code_ranges(Attribute("x", ("0", "1", "2", "3"), held="whole"), ["0", "2", "3"])
        [(-1.0, 0.9999999999999999), (1.9999999999999998, 3.9999999999999996)]
    """
    form: Form = "float32" if attribute.held == "code" else "double"
    found: list[tuple[float, float]] = []
    for code in sorted(map(int, values)):
        low, high = (last_double(end, form, strict=True) for end in (code, code + 1))
        if code == 0 and form == "double":
            low = -1.0  # a negative number is cut off to 0 there
        if found and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found


@dataclass(frozen=True)
class Language(ABC):
    """The syntax of conditions.

    Args:
        deepest: the most levels of conditions that may stand within one another.
    """

    deepest: int
    conjunction: ClassVar[str]
    alternative: ClassVar[str]
    negation: ClassVar[str]

    @abstractmethod
    def text(self, value: str) -> str:
        """A text as a literal."""

    @abstractmethod
    def answer(self, label: Label, target: Attribute) -> str:
        """The answer of a leaf."""

    @abstractmethod
    def unknown(self, attribute: Attribute) -> str:
        """The condition that a value is missing."""

    def known(self, attribute: Attribute) -> list[str]:
        """The condition that a value is not missing, if a comparison of a missing value is not valid."""
        return []

    @abstractmethod
    def among(self, attribute: Attribute, values: Sequence[str]) -> str:
        """The condition that a value is one of some categories."""

    @abstractmethod
    def compared(self, attribute: Attribute, outcome: Outcome) -> str:
        """The condition on a number."""

    @abstractmethod
    def compared_sum(self, test: Linear, outcome: Outcome, known: Callable[[str], Attribute]) -> str:
        """The condition on a weighted sum."""


@dataclass(frozen=True)
class Python(Language):
    """Conditions on the cells of `row`.

    A threshold that has the same value as a float, and as a float of half its precision, compares rightly with a number
    of any type. Otherwise a cell is read as the tree holds it: a float as the decimal by which it is written, or any
    number as a float. If floats are exact, the threshold is a fraction, so that numpy does not round it.

    Example:
        >>> [Python(90).compared(Attribute("x"), Outcome("le", Fraction(t))) for t in ("5.5", "4.9")]
        ["row['x'] <= 5.5", "Fraction(str(row['x'])) <= Fraction('4.9')"]
        >>> Python(90).compared(Attribute("x", held="double"), Outcome("le", Fraction(4.9)))
        "float(row['x']) <= 4.9"
    """

    conjunction: ClassVar[str] = " and "
    alternative: ClassVar[str] = " or "
    negation: ClassVar[str] = "not"

    def text(self, value: str) -> str:
        """A text as Python writes it."""
        return repr(value)

    def answer(self, label: Label, target: Attribute) -> str:
        """A number exactly; a class as it was handed over, if it was a number of Python, otherwise as a text."""
        if isinstance(label, str):
            given = target.returned(label)
            return repr(given) if type(given) in (bool, int, float) else repr(label)
        return str(label) if isinstance(label, int) else f"Fraction({decimal_text(label)!r})"

    def unknown(self, attribute: Attribute) -> str:
        """`None`: rows are read first, and any other mark of a missing value is replaced."""
        return f"row[{attribute.name!r}] is None"

    def known(self, attribute: Attribute) -> list[str]:
        """Python does not compare `None` with numbers."""
        return [f"row[{attribute.name!r}] is not None"]

    def among(self, attribute: Attribute, values: Sequence[str]) -> str:
        """A category is its name, and the number that the name spells; or all numbers that are cut off to its code."""
        if attribute.held in CODES:
            cell = f"float(row[{attribute.name!r}])"
            ranges = " or ".join(f"{low!r} < {cell} <= {high!r}" for low, high in code_ranges(attribute, values))
            return f"(row[{attribute.name!r}] is not None and ({ranges}))"
        spelled = [each for value in values for each in _spellings(attribute, value)]
        if len(spelled) == 1:
            return f"row[{attribute.name!r}] == {spelled[0]}"
        return f"row[{attribute.name!r}] in ({', '.join(spelled)})"

    def compared(self, attribute: Attribute, outcome: Outcome) -> str:
        """The comparison of a cell, or of the value read from it."""
        cell, number, double = f"row[{attribute.name!r}]", self.answer(outcome.value, attribute), repr(outcome.value)
        nearest = cut(outcome, attribute.held)
        if attribute.held in ("double", "float32"):
            cell, number = f"float({cell})", repr(_finite(nearest, attribute, outcome))
        elif nearest == outcome.value and is_single(outcome.value):
            number = double if isinstance(outcome.value, int) else repr(nearest)
        elif attribute.held == "written":
            cell = f"Fraction(str({cell}))"
        elif nearest == outcome.value:
            number = f"Fraction({nearest!r})"
        return f"{cell}{outcome.sign if outcome.sign[0] == ' ' else f' {outcome.sign} '}{number}"

    def compared_sum(self, test: Linear, outcome: Outcome, known: Callable[[str], Attribute]) -> str:
        """A sum of fractions."""
        read = {"written": "Fraction(str(row[{!r}]))", "exact": "Fraction(row[{!r}])"}
        terms = []
        for coordinate, weight in test.weights:
            attribute = known(coordinate.attribute)
            if coordinate.value is not None:
                terms.append(f"{weight} * ({self.among(attribute, (coordinate.value,))})")
            else:
                cell = read.get(attribute.held, "Fraction(float(row[{!r}]))").format(attribute.name)
                terms.append(f"{weight} * {cell}")
        return f"{' + '.join(terms)} {outcome.sign} {self.answer(outcome.value, known(test.attributes[0]))}"


def _spellings(attribute: Attribute, value: str) -> Iterator[str]:
    """A category as a text, and as the number by which it is known, too."""
    yield repr(value)
    try:
        number: object = {"false": False, "true": True}.get(value.lower()) if value.isalpha() else rational(value)
    except ValueError:
        return
    if number is not None and attribute.values is not None and attribute.category(number) == value:
        yield repr(float(number)) if isinstance(number, Fraction) else repr(number)


@dataclass(frozen=True)
class Dialect(Language):
    r"""A dialect of SQL: conditions on columns.

    Args:
        title: the name of the program, for messages.
        written: how a text is written as a literal.
        column: how a name is written.
        bytewise: a column of texts, as it is compared byte by byte, whatever its collation.
        padded: the same, if a text ends with a blank, as those of a type of one length do.
        literal: a text, as such a column is compared with it.
        folds: whether names that differ only in the case of letters are one.
        digits: the most digits of a decimal for which the nearest double is found.
        guesses: whether numbers are read as doubles that may differ from the nearest one by a thousandth of the
            distance to the next; such a program has no decimals.

    Example:
        >>> print(DIALECTS["mysql"].among(Attribute("it's", ("a", "b")), ("a",)))
        CAST(CONVERT(`it's` USING utf8mb4) AS BINARY) = 'a'
        >>> print(DIALECTS["bigquery"].text("it's"), DIALECTS["standard"].text("it's"))
        'it\'s' 'it''s'
    """

    conjunction: ClassVar[str] = " AND "
    alternative: ClassVar[str] = " OR "
    negation: ClassVar[str] = "NOT"

    title: str
    written: Callable[[str], str]
    column: Callable[[str], str]
    bytewise: str = "{}"
    padded: str = ""
    literal: str = "{}"
    folds: bool = False
    digits: int = _SHORT
    guesses: bool = False

    def text(self, value: str) -> str:
        """A text between quotes.

        Raises:
            InputError: the text has a character that no SQL can write.
        """
        return self.written(_writable(value))

    def name(self, attribute: Attribute) -> str:
        """The name of a column between quotes.

        Raises:
            InputError: the dialect cannot write the name.
        """
        return self.column(_writable(attribute.name))

    def answer(self, label: Label, target: Attribute) -> str:
        """A text, or a number: exactly if it is short, otherwise as the nearest double."""
        if isinstance(label, str):
            return self.text(label)
        try:
            return self.number(label, float(label), "written")
        except OverflowError:
            return decimal_text(label)

    def unknown(self, attribute: Attribute) -> str:
        """`IS NULL`."""
        return f"{self.name(attribute)} IS NULL"

    def among(self, attribute: Attribute, values: Sequence[str]) -> str:
        """`=` or `IN`; or a comparison with the ends of the numbers that are cut off to its code."""
        if attribute.held in CODES:
            cell = f"{self.name(attribute)} + 0"  # a text is no code, and a program says so or makes it a number
            ranges = [
                f"{cell} > {self.approximate(low)} AND {cell} <= {self.approximate(high)}"
                for low, high in code_ranges(attribute, values)
            ]
            return f"({' OR '.join(ranges)})"
        column, written = self.name(attribute), [*map(self.text, values)]
        if not all(map(_may_be_untyped, attribute.domain)):
            is_padded = self.padded and any(value.endswith(" ") for value in values)
            column = (self.padded if is_padded else self.bytewise).format(column)
            written = [self.literal.format(each) for each in written]
        return f"{column} = {written[0]}" if len(written) == 1 else f"{column} IN ({', '.join(written)})"

    def compared(self, attribute: Attribute, outcome: Outcome) -> str:
        """The comparison of a column with a literal."""
        double = _finite(cut(outcome, attribute.held), attribute, outcome)
        return f"{self.name(attribute)} {outcome.sign} {self.number(outcome.value, double, attribute.held)}"

    def number(self, value: Rational, double: float, form: Form) -> str:
        """A literal for a number, which is compared with doubles, decimals and integers.

        It is the number itself if this is short, and if the nearest double is the one to compare with: then decimals
        are compared exactly. Otherwise it is the double, in the notation of approximate numbers.

        Args:
            value: the number.
            double: the double with which doubles are to be compared.
            form: how the tree holds the number. Some programs compare a float32 with a decimal in its own precision,
                which is right only if the float32 is read as it is written, or if it can have that value.
        """
        text = decimal_text(value)
        digits = 0 if isinstance(value, int) and abs(value) < 1 << 63 else len(text.strip("-0.").replace(".", ""))
        is_short = "/" not in text and len(text) <= _LONGEST and digits <= self.digits
        is_alike = value == double if form != "written" and not is_single(value) else _nearest(value) == double
        if is_short and is_alike and not (self.guesses and digits and _is_doubtful(value, double)):
            return text
        return self.approximate(double)

    def approximate(self, double: float) -> str:
        """A double as a literal."""
        text = repr(double).upper()
        if self.guesses and _is_doubtful(Fraction(text), double):
            text = f"{double:.16E}"
        return text if "E" in text else f"{text}E0"

    def compared_sum(self, test: Linear, outcome: Outcome, known: Callable[[str], Attribute]) -> str:
        """A sum of columns, as the program computes it."""
        terms = []
        for coordinate, weight in test.weights:
            attribute = known(coordinate.attribute)
            term = self.name(attribute)
            if coordinate.value is not None:
                term = f"(CASE WHEN {self.among(attribute, (coordinate.value,))} THEN 1 ELSE 0 END)"
                # A row without a value has no sum, as if it were a number.
                term = f"(CASE WHEN {self.name(attribute)} IS NOT NULL THEN {term} END)"
            terms.append(f"{weight} * {term}")
        return f"{' + '.join(terms)} {outcome.sign} {self.answer(outcome.value, known(test.attributes[0]))}"


_LONGEST = 40


def _may_be_untyped(value: str) -> bool:
    """Whether a category may stand in a column of numbers or of truth values, which have no collation."""
    return is_number(value) or value.lower() in ("false", "true")


def _finite(double: float, attribute: Attribute, outcome: Outcome) -> float:
    if math.isinf(double):
        raise InputError(f"no double is near {outcome.written}, with which {attribute.name} is compared; write json")
    return double


def _nearest(number: Rational) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def _is_doubtful(number: Rational, double: float) -> bool:
    """Whether a number is hardly nearer to a double than to the next one."""
    return abs(number - Fraction(double)) > Fraction(math.ulp(double)) * 2 / 5


def _writable(text: str) -> str:
    if "\0" in text:
        raise InputError(
            f"{shown(text)} holds the character 0, which SQL has no way to write; rename it, or write json"
        )
    return text


def _doubled(quote: str, text: str) -> str:
    return f"{quote}{text.replace(quote, quote * 2)}{quote}"


def _escaped(quote: str, text: str, escapes: Mapping[str, str] = {}) -> str:
    for each, by in {"\\": "\\\\", quote: f"\\{quote}", **escapes}.items():
        text = text.replace(each, by)
    return f"{quote}{text}{quote}"


def _postgresql(text: str) -> str:
    """With a backslash, the form of literal in which it always escapes, whatever the server is set to."""
    return f"E{_doubled(_QUOTE, text)}".replace("\\", "\\\\") if "\\" in text else _doubled(_QUOTE, text)


def _mysql(text: str) -> str:
    """With a backslash, the bytes, since the mode of the server says whether it escapes."""
    if "\\" in text:
        return f"_utf8mb4 X'{text.encode().hex().upper()}'"
    return f"{'' if text.isascii() else '_utf8mb4'}{_doubled(_QUOTE, text)}"


def _spark_name(name: str) -> str:
    """Within backquotes, Spark replaces variables and has no way to write them otherwise."""
    if "${" in name:
        raise InputError(f"Spark takes ${{ in the name {shown(name)} for a variable; rename the column")
    return _doubled("`", name)


_QUOTE = "'"
_C = 'COLLATE pg_catalog."C"'
_LINES = {"\n": "\\n", "\r": "\\r"}
_VARIABLE = {"${": "\\u0024{"}
_standard, _standard_name, _backquoted = partial(_doubled, "'"), partial(_doubled, '"'), partial(_doubled, "`")

DialectName: TypeAlias = Literal[
    "standard", "sqlite", "postgresql", "duckdb", "spark", "mysql", "bigquery", "snowflake"
]
"""The names of the dialects for type checkers."""

DIALECTS: Mapping[str, Dialect] = {
    "standard": Dialect(12, "SQL", _standard, _standard_name),
    "sqlite": Dialect(12, "SQLite", _standard, _backquoted, "{} COLLATE BINARY", folds=True, guesses=True),
    "postgresql": Dialect(
        90, "PostgreSQL", _postgresql, _standard_name, f"CAST({{}} AS TEXT) {_C}", padded=f"{{}} {_C}", digits=38
    ),
    "duckdb": Dialect(90, "DuckDB", _standard, _standard_name, 'CAST({} AS VARCHAR) COLLATE "C"', folds=True),
    "spark": Dialect(
        12, "Spark", partial(_escaped, "'", escapes=_VARIABLE), _spark_name, "CAST({} AS BINARY)",
        literal="CAST({} AS BINARY)", folds=True, digits=38,
    ),
    "mysql": Dialect(
        40, "MySQL", _mysql, _backquoted, "CAST(CONVERT({} USING utf8mb4) AS BINARY)", folds=True, digits=38
    ),
    "bigquery": Dialect(
        12, "BigQuery", partial(_escaped, "'", escapes=_LINES), partial(_escaped, "`", escapes=_LINES),
        "CAST({} AS BYTES)", literal="CAST({} AS BYTES)", folds=True,
    ),
    "snowflake": Dialect(
        12, "Snowflake", partial(_escaped, "'"), _standard_name, "TO_BINARY({}, 'UTF-8')",
        literal="TO_BINARY({}, 'UTF-8')",
    ),
}  # fmt: skip
"""The dialects by their names. Each compares texts as bytes; only the standard has no word for that, and leaves it to
the collation of a column. SQLite has the quotes of MySQL, since it takes a name between double quotes for a text if
there is no such column."""


def dialect_of(name: object) -> Dialect:
    """The dialect of this name.

    Raises:
        InputError: there is none.

    Example:
        >>> dialect_of("mysql").title
        'MySQL'
    """
    if not isinstance(name, str) or name not in DIALECTS:
        raise InputError(no_such("dialect of SQL", name, DIALECTS))
    return DIALECTS[name]
