"""Treatments in documents: the changes that a model makes to the values of an attribute before a test.

| member | meaning |
|:--|:--|
| `absent` | the values that stand for a missing one |
| `outliers` | the bounds `low` and `high`, and the `rule` for values beyond them: `missing`, or the `nearest` bound |
| `valid`, `intervals` | the valid values, and the intervals of valid numbers: `gt` or `ge`, `lt` or `le` |
| `not_valid`, `whole` | values that are invalid by name; whether numbers that are no whole ones are |
| `invalid`, `instead` | the rule for invalid values: `error`, `missing`, `keep`, `value`; and that value |
| `missing`, `required` | the value that replaces a missing one; whether a missing one is refused |
| `form` | the form in which numbers are compared here, if it is not that of the attribute |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_tree.data.held import Form
from reference_tree.data.treatment import Invalid, Outliers, Treatment, Value, ValueRange
from reference_tree.exact.rationals import Rational, decimal_text, is_number, rational, shortened
from reference_tree.tree_document.silence import NUMBERS
from reference_tree.tree_document.strict import closed, flag, items, some, text

MEMBERS = (
    "absent", "outliers", "valid", "intervals", "not_valid", "whole", "invalid", "instead", "missing",
    "required", "form",
)  # fmt: skip
"""The members of a treatment, in the order in which they are applied and written."""
RULES: tuple[Invalid, ...] = ("error", "missing", "value", "keep")
"""The rules for invalid values."""


def treatment_json(treatment: Treatment) -> Mapping[str, object]:
    """A treatment as it appears in a document.

    Example:
        >>> treatment_json(Treatment(outliers=Outliers(0, None, missing=True), missing="30"))
        {'outliers': {'low': '0', 'rule': 'missing'}, 'missing': '30'}
    """
    written: dict[str, object] = {}
    if treatment.absent:
        written["absent"] = list(map(_written, treatment.absent))
    if treatment.outliers is not None:
        low, high, missing = treatment.outliers
        written["outliers"] = {**_bounds(low, high), "rule": "missing" if missing else "nearest"}
    if treatment.valid:
        written["valid"] = list(map(_written, treatment.valid))
    if treatment.intervals:
        written["intervals"] = [_interval_json(one) for one in treatment.intervals]
    if treatment.not_valid:
        written["not_valid"] = list(map(_written, treatment.not_valid))
    if treatment.invalid != "error":
        written["invalid"] = treatment.invalid
    for key, value in (("instead", treatment.instead), ("missing", treatment.missing)):
        if value is not None:
            written[key] = _written(value)
    return {
        **written,
        **({"whole": True} if treatment.whole else {}),
        **({"required": True} if treatment.required else {}),
        **({} if treatment.form is None else {"form": treatment.form}),
    }


def _bounds(low: Rational | None, high: Rational | None) -> dict[str, object]:
    return {key: _written(value) for key, value in (("low", low), ("high", high)) if value is not None}


def _interval_json(interval: ValueRange) -> dict[str, object]:
    low = {} if interval.low is None else {"gt" if interval.above else "ge": _written(interval.low)}
    high = {} if interval.high is None else {"lt" if interval.below else "le": _written(interval.high)}
    return {**low, **high}


def _written(value: Value) -> str:
    return value if isinstance(value, str) else decimal_text(value)


# Reading.


def read_treatment(entry: object, *, is_number: bool) -> Treatment:
    """A treatment.

    Args:
        entry: the member of an attribute.
        is_number: whether the attribute is continuous.

    Raises:
        ValueError: it is none.

    Example:
        >>> read_treatment({"outliers": {"low": "0", "rule": "nearest"}}, is_number=True).outliers
        Outliers(low=0, high=None, missing=False)
        >>> read_treatment({"invalid": "value"}, is_number=True)
        Traceback (most recent call last):
        ValueError: invalid values are replaced, and it is not said by what
    """
    fields = closed(entry, [], MEMBERS)
    invalid = fields.get("invalid", "error")
    form: Form | None = fields.get("form")
    if invalid not in RULES:
        raise ValueError(f"invalid values are {', '.join(RULES)}, not {shortened(str(invalid))}")
    if form is not None and form not in NUMBERS:
        raise ValueError(f"there is no form {shortened(str(form))} of numbers")
    if (invalid == "value") != ("instead" in fields):
        raise ValueError("invalid values are replaced, and it is not said by what" if invalid == "value" else
                         "a value replaces invalid ones, which are not replaced")  # fmt: skip
    if not is_number and fields.keys() & {"outliers", "intervals", "whole"}:
        raise ValueError("categories have no outliers, no intervals and no whole numbers")
    lists = {key: tuple(_values(fields[key], is_number)) if key in fields else () for key in _LISTS}
    return Treatment(
        absent=lists["absent"],
        outliers=_outliers(fields["outliers"]) if "outliers" in fields else None,
        valid=lists["valid"],
        intervals=tuple(map(_interval, some(fields["intervals"]))) if "intervals" in fields else (),
        not_valid=lists["not_valid"],
        invalid=invalid,
        instead=_value(fields["instead"], is_number) if "instead" in fields else None,
        whole=flag(fields.get("whole", False)),
        missing=_value(fields["missing"], is_number) if "missing" in fields else None,
        required=flag(fields.get("required", False)),
        form=form,
    )


_LISTS = ("absent", "valid", "not_valid")


def _values(entry: object, numeric: bool) -> list[Value]:
    """Values of an attribute; among the numbers of a continuous one, a text may stand for a missing number."""
    found = [text(each) for each in items(entry)]
    return [rational(each) if numeric and is_number(each) else each for each in found]


def _value(entry: object, numeric: bool) -> Value:
    return rational(text(entry)) if numeric else text(entry)


def _outliers(entry: object) -> Outliers:
    fields = closed(entry, ["rule"], ["low", "high"])
    if fields["rule"] not in ("missing", "nearest"):
        raise ValueError(f"outliers are missing or nearest, not {shortened(str(fields['rule']))}")
    low, high = (rational(text(fields[key])) if key in fields else None for key in ("low", "high"))
    if low is not None and high is not None and low > high:
        raise ValueError("the low bound of outliers is above the high one")
    return Outliers(low, high, fields["rule"] == "missing")


def _interval(entry: object) -> ValueRange:
    fields: Mapping[str, Any] = closed(entry, [], ["gt", "ge", "lt", "le"])
    if {"gt", "ge"} <= fields.keys() or {"lt", "le"} <= fields.keys():
        raise ValueError("an interval has one low and one high bound")
    bounds = {key: rational(text(value)) for key, value in fields.items()}
    low, high = bounds.get("gt", bounds.get("ge")), bounds.get("lt", bounds.get("le"))
    return ValueRange(low, high, above="ge" not in bounds, below="le" not in bounds)
