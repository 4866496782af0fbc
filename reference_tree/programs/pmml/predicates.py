"""The predicates of PMML: whether a row goes to a node. They are true, false or unknown.

A predicate is read once (`predicate_of`). If the value of one of its fields is given, what is left of it is a simpler
predicate (`given`); at the end it is true, false, or unknown. So a node is worked out field by field.

Source:
    [DMG2019 TreeModel]
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import Rational, shortened
from reference_tree.programs.documents import double_of
from reference_tree.programs.pmml.members import PREDICATES, Element

DEEPEST = 30
"""The most levels of compound predicates."""

# Compared are exact numbers, or categories by name, never floats.
COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "equal": operator.eq, "notEqual": operator.ne, "lessThan": operator.lt, "lessOrEqual": operator.le,
    "greaterThan": operator.gt, "greaterOrEqual": operator.ge,
}  # fmt: skip
"""The operators that compare with a value."""

Value: TypeAlias = str | Rational
State: TypeAlias = Value | Literal[False] | None
"""The value of a field: a number or a category; `OTHER`; None if it is missing."""
# No category has this value, and None already means that a value is missing.
OTHER: Literal[False] = False
"""A category that is in no list of the model."""

_WORDS = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')


class Compared(NamedTuple):
    """A field compared with a value."""

    field: str
    relation: str
    value: Value


class Among(NamedTuple):
    """A field that has one of some values, or none of them."""

    field: str
    values: tuple[Value, ...]
    within: bool


class Absent(NamedTuple):
    """A field whose value is missing, or is not."""

    field: str
    missing: bool


class Compound(NamedTuple):
    """Predicates together: `and`, `or`, `xor`, or `surrogate`: the first that is not unknown."""

    operator: str
    parts: tuple[Predicate, ...]


Predicate: TypeAlias = bool | Compared | Among | Absent | Compound | None
"""A predicate; None is unknown."""


# Reading.


class Types(NamedTuple):
    """The functions that read the values of fields."""

    value: Callable[[str, str], Value]
    """The value of a field that a text stands for."""
    is_number: Callable[[str], bool]
    """Whether a field holds numbers."""
    derived: Callable[[str], tuple[str, Value | None]]
    """The field that a name stands for; and the category that it indicates with 1, if it does."""


def predicate_of(node: Element, types: Types, place: str) -> Predicate:
    """The predicate of a node or a segment.

    Raises:
        InputError: it has none or several, or one that is not read.
    """
    # Exactly one: without a predicate nobody knows when a row goes there.
    found = node.all(*PREDICATES)
    if len(found) != 1:
        raise InputError(f"node {place} has {len(found)} predicates")
    return _read(found[0], types, DEEPEST)


def _read(element: Element, types: Types, deepest: int) -> Predicate:
    name = element.name
    if name in ("True", "False"):
        return name == "True"
    if name == "SimplePredicate":
        return _simple(element, types)
    if name == "SimpleSetPredicate":
        return _set(element, types)
    # Predicates are walked by recursion, here and below; the bound keeps it shallow.
    if not deepest:
        raise InputError(f"compound predicates stand in more than {DEEPEST} levels")
    # A compound of sets about one category is again a set: it becomes one test.
    how = element.attrib["booleanOperator"]
    if how not in ("and", "or", "xor", "surrogate"):
        raise InputError(no_such("operator of compound predicates", how, ("and", "or", "xor", "surrogate")))
    parts = tuple(_read(each, types, deepest - 1) for each in element.inner)
    if not parts:
        raise InputError(f"a compound predicate with {how} has no parts")
    return _one_set(how, parts) or _joined(how, parts)


def _one_set(how: str, parts: tuple[Predicate, ...]) -> Among | None:
    """Predicates about one category, joined by `or`, or denied and joined by `and`, as one about a set of values."""
    first = parts[0]
    if not isinstance(first, Among) or how not in ("or", "and") or first.within != (how == "or"):
        return None
    values: dict[Value, None] = {}
    # `or` joins sets, and `and` joins what is denied; a mixture is left as it is.
    for part in parts:
        if not isinstance(part, Among) or (part.field, part.within) != (first.field, first.within):
            return None
        values |= dict.fromkeys(part.values)
    return first._replace(values=tuple(values))


def _simple(element: Element, types: Types) -> Predicate:
    how, (name, indicated) = element.attrib["operator"], types.derived(element.attrib["field"])
    # These two are never unknown.
    if how in ("isMissing", "isNotMissing"):
        return Absent(name, how == "isMissing")
    if how not in COMPARE:
        raise InputError(no_such("operator", how, (*COMPARE, "isMissing", "isNotMissing")))
    text = element.attrib["value"]
    # A derived field that is 1 for one category: the comparison with a number is one with this category.
    if indicated is not None:
        return _indicator(name, indicated, COMPARE[how], text)
    # Ordinal categories could be compared in the order of the dictionary; this is refused, and not guessed.
    if how not in ("equal", "notEqual") and not types.is_number(name):
        raise InputError(f"the category {shortened(name)} is compared by size, which is not read; list its values")
    value = types.value(name, text)
    if not types.is_number(name):
        return Among(name, (value,), how == "equal")
    return Compared(name, how, value)


def _indicator(name: str, category: Value, compare: Callable[[Any, Any], bool], text: str) -> Predicate:
    """A test about a derived field that is 1 for a category and 0 for all others."""
    there, elsewhere = compare(1, double_of(text)), compare(0, double_of(text))
    # True for both values, or for neither: then it only depends on whether there is a value.
    if there == elsewhere:
        both = Among(name, (category,), True), Among(name, (category,), False)
        return Compound("or" if there else "and", both)  # unknown if the value is missing
    return Among(name, (category,), there)


def _set(element: Element, types: Types) -> Predicate:
    how, (name, indicated) = element.attrib["booleanOperator"], types.derived(element.attrib["field"])
    if how not in ("isIn", "isNotIn"):
        raise InputError(no_such("operator of sets", how, ("isIn", "isNotIn")))
    array = element.first("Array")
    if array is None or indicated is not None:
        raise InputError("a set predicate has no array of values of a field")
    values = tuple(types.value(name, text) for text in words(array.text))
    # A set of numbers is several comparisons; a set of categories is one test.
    if not types.is_number(name):
        return Among(name, values, how == "isIn")
    same = "equal" if how == "isIn" else "notEqual"
    return _joined("or" if how == "isIn" else "and", tuple(Compared(name, same, value) for value in values))


def words(text: str) -> tuple[str, ...]:
    r"""The values of an array: words, in quotes where they hold blanks.

    Example:
        >>> words('sunny "partly cloudy" "a \\" b"')
        ('sunny', 'partly cloudy', 'a " b')
    """
    # A quoted word may be empty; an unquoted one may not.
    return tuple((quoted.replace('\\"', '"') if word == "" else word) for quoted, word in _WORDS.findall(text))


# Logic.


def given(predicate: Predicate, field: str, state: State) -> Predicate:
    """The rest of a predicate once the value of a field is given.

    Example:
        >>> both = Compound("and", (Compared("x", "lessThan", 3), Compared("y", "equal", 1)))
        >>> given(both, "x", 2), given(both, "x", 4), given(given(both, "x", None), "y", 1)
        (Compared(field='y', relation='equal', value=1), False, None)
    """
    # Each part is simplified by itself, and what is known then decides the whole.
    if isinstance(predicate, Compound):
        return _joined(predicate.operator, tuple(given(part, field, state) for part in predicate.parts))
    if predicate is None or isinstance(predicate, bool) or predicate.field != field:
        return predicate
    # Asked before the missing value makes everything else unknown.
    if isinstance(predicate, Absent):
        return (state is None) == predicate.missing
    # Three values: a comparison with a missing value is unknown [DMG2019 TreeModel].
    if state is None:
        return None
    if isinstance(predicate, Among):
        return (state is not OTHER and state in predicate.values) == predicate.within
    return COMPARE[predicate.relation](state, predicate.value)


def settled(predicate: Predicate, field: str, states: Sequence[State]) -> Predicate:
    """The rest of a predicate if the value of a field is one of several: a part that is the same for all is known.

    Example:
        >>> either = Compound("or", (Compared("x", "lessThan", 3), Compared("x", "greaterThan", 8)))
        >>> settled(either, "x", (4, 9)), settled(either, "x", (8, 9))
        (Compared(field='x', relation='greaterThan', value=8), Compared(field='x', relation='greaterThan', value=8))
    """
    if isinstance(predicate, Compound):
        return _joined(predicate.operator, tuple(settled(part, field, states) for part in predicate.parts))
    # If every value of the part gives the same, it does not matter which one a row has.
    found = list(dict.fromkeys(given(predicate, field, state) for state in states))
    return found[0] if len(found) == 1 else predicate


def _joined(how: str, parts: tuple[Predicate, ...]) -> Predicate:
    """Predicates together, as far as they are known."""
    if how == "surrogate":
        return _first_known(parts)
    if how == "xor":
        return _odd(parts)
    decides = how == "or"  # one true part decides `or`, one false part decides `and`
    # Three-valued logic: a deciding part decides, whatever is unknown beside it.
    if any(part is decides for part in parts):
        return decides
    # Parts that are true of `and`, or false of `or`, say nothing any more; what is left may be unknown.
    left = tuple(dict.fromkeys(part for part in parts if not isinstance(part, bool)))
    return not decides if not left else left[0] if len(left) == 1 else Compound(how, left)


def _first_known(parts: tuple[Predicate, ...]) -> Predicate:
    """The first part that is not unknown, as far as that is known."""
    # `surrogate` takes the next part only where all before it are unknown.
    left = tuple(part for part in parts if part is not None)
    if not left:
        return None
    return left[0] if isinstance(left[0], bool) or len(left) == 1 else Compound("surrogate", left)


def _odd(parts: tuple[Predicate, ...]) -> Predicate:
    """Whether an odd number of parts is true, as far as that is known."""
    # One unknown part makes the parity unknown.
    if any(part is None for part in parts):
        return None
    odd = sum(part is True for part in parts) % 2 == 1
    left = tuple(part for part in parts if not isinstance(part, bool))
    return odd if not left else left[0] if len(left) == 1 and not odd else Compound("xor", (*left, odd))


def fields_of(predicate: Predicate) -> list[str]:
    """The fields of a predicate, in order."""
    if isinstance(predicate, Compound):
        return list(dict.fromkeys(name for part in predicate.parts for name in fields_of(part)))
    return [] if predicate is None or isinstance(predicate, bool) else [predicate.field]


def atoms(predicate: Predicate) -> list[Compared | Among | Absent]:
    """The parts of a predicate that ask one field."""
    if isinstance(predicate, Compound):
        return [atom for part in predicate.parts for atom in atoms(part)]
    return [] if predicate is None or isinstance(predicate, bool) else [predicate]
