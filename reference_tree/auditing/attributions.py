"""The audit of attributions: values that a program computed with floats, held against the exact ones.

A value is *right to rounding* if its error is at most `RIGHT` units of u·m, and *wrong* beyond `WRONG` units: u is half
of the distance from 1 to the next float of the program, and the mass m what the leaves give to the attribute in
absolute value. In between it is *not told*, and counted as such. The digits of the value itself say nothing, as leaves
cancel. That a row adds up proves nothing, either: it does for every cover.

1. `read_values` takes a table, an array with or without the expected value in the last column (`pred_contribs`,
   `pred_contrib`), or an `Explanation` of shap.
2. `audit_attributions` judges each row, and the expected value.
3. Where something is wrong, `causes` are other values that the program may have computed: by another cover, of another
   value function, of the paths, of the other class. The one that explains all rows is named.

Note:
    shap's interventional values are computed with weights and leaves that are rounded to float32 (`memoized_weights`,
    `pos_lst` and `neg_lst` of its C++): 100 trees of XGBoost differ from the exact values by 1e-8. So interventional
    values that are right to the rounding of float32 are right, and the summary says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.attribution.attributions import Attributions, masses_of, shapley_values
from reference_tree.attribution.covers import COVERS
from reference_tree.attribution.importances import path_values
from reference_tree.data.asked import Rows
from reference_tree.data.errors import InputError, listed, number_of
from reference_tree.data.frames import frame_columns, is_frame
from reference_tree.data.held import nearest, shortest
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.rationals import exactly, rational
from reference_tree.exact.reals import Real
from reference_tree.exact.rounding import significant
from reference_tree.findings_output import Judged
from reference_tree.tree import Tree

RIGHT, WRONG = 128, 1024
"""The largest error of a right value, and of one that is not told, in units of u·m. Right programs reached 38."""

UNITS: Mapping[str, Fraction] = {"double": Fraction(1, 1 << 53), "float32": Fraction(1, 1 << 24)}
"""u for each form of numbers."""

EXPECTED = ("expected_value", "base_value", "base_values", "bias", "BIAS")
"""The names of a column with the expected value."""


class Given(NamedTuple):
    """Values that a program computed."""

    values: Sequence[Mapping[str, Fraction]]
    """For each row: attribute → value."""
    expected: Sequence[Fraction] | None
    """For each row the expected value; None if it is not given."""
    form: str
    """The form of the numbers: `float32` if all of them are, otherwise `double`."""


def read_values(given: Any, names: Sequence[str]) -> Given:
    """Values as a program hands them over.

    Args:
        given: `Attributions`; an `Explanation` of shap; a frame or a mapping of columns, attribute → values; a sequence
            of mappings; or rows of numbers in the order of the attributes, with or without the expected value at the
            end.
        names: the attributes of the model.

    Raises:
        InputError: it is none of these, a column is missing, or a cell is no finite number.

    Example:
        >>> found = read_values([[0.5, -0.25, 0.1]], ["a", "b"])
        >>> [str(value) for value in found.values[0].values()], float(found.expected[0]), found.form
        (['1/2', '-1/4'], 0.1, 'double')
    """
    if isinstance(given, Attributions):
        given = [{**each, EXPECTED[0]: float(given.expected_value)} for each in given.floats]
    base = getattr(given, "base_values", None)
    if base is not None:
        rows = _lists(given.values)
        base = _lists(base) if hasattr(base, "__len__") else [base] * len(rows)
        base = base if len(base) == len(rows) else [base[0]] * len(rows)
        given = [[*row, end] for row, end in zip(rows, base, strict=True)]
    if is_frame(given):
        given = {column.name: column.cells for column in frame_columns(given)}
    if isinstance(given, Mapping):
        columns = {name: list(cells) for name, cells in given.items()}
        given = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    cells = [_row(number, row, names) for number, row in enumerate(_lists(given), start=1)]
    if not cells:
        raise InputError("there are no attributions to audit")
    with_end = {len(row) for row in cells}
    if len(with_end) > 1:
        raise InputError("some rows have an expected value, and others have none")
    found = [[_number(number, cell) for cell in row] for number, row in enumerate(cells, start=1)]
    single = all(map(_is_single, (cell for row in found for cell in row)))
    values = [dict(zip(names, row, strict=False)) for row in found]
    expected = [row[-1] for row in found] if with_end == {len(names) + 1} else None
    return Given(values, expected, "float32" if single else "double")


def _lists(rows: Any) -> list[Any]:
    """Rows as lists; those of an array are its own."""
    if hasattr(rows, "tolist"):
        rows = rows.tolist()
    if isinstance(rows, str | bytes) or not hasattr(rows, "__iter__"):
        raise InputError("attributions are rows of numbers, columns by attribute, or an Explanation of shap")
    return list(rows)


def _row(number: int, row: Any, names: Sequence[str]) -> list[Any]:
    """The cells of a row in the order of the attributes; the expected value last, if it has one."""
    if isinstance(row, Mapping):
        if lacking := [name for name in names if name not in row]:
            raise InputError(f"row {number}: there is no value for {listed(lacking)}")
        return [*(row[name] for name in names), *[row[end] for end in EXPECTED if end in row][:1]]
    cells = list(row) if hasattr(row, "__iter__") and not isinstance(row, str | bytes) else [row]
    if len(cells) - len(names) not in (0, 1):
        raise InputError(
            f"row {number} has {number_of(len(cells), 'value')}, and the model {number_of(len(names), 'attribute')}"
        )
    return cells


def _number(number: int, cell: Any) -> Fraction:
    try:
        return Fraction(rational(cell) if isinstance(cell, str) else exactly(cell))
    except (TypeError, ValueError) as error:
        raise InputError(f"row {number}: {error}") from None


def _is_single(value: Fraction) -> bool:
    """Whether a number is a float32, or the shortest decimal that stands for one."""
    single = nearest(value, "float32")
    return Fraction(single) == value or rational(shortest(single, "f")) == value


# The audit.


@dataclass(frozen=True)
class AttributionAudit:
    """What was found of the attributions of some rows.

    Args:
        judged: for each row what was found.
        cause: what explains wrong values, in words; empty if nothing was found that does, or all are right.
        form: the form of floats by which they were judged.
        worst: the largest error, in units of u·m.
    """

    judged: Sequence[Judged]
    cause: str
    form: str
    worst: Fraction

    @property
    def is_right(self) -> bool:
        """Whether no value is wrong."""
        return all(one.status != "failed" for one in self.judged)

    @property
    def summary(self) -> str:
        """What was found, in one line."""
        wrong, untold = (sum(one.status == status for one in self.judged) for status in ("failed", "skipped"))
        off = f"the largest error is {significant(self.worst, 3)} units of u·mass ({self.form})"
        if not wrong:
            told = f"; {number_of(untold, 'row')} not told" if untold else ""
            return f"{number_of(len(self.judged), 'row')}: right to rounding{told}; {off}"
        cause = f"; {self.cause}" if self.cause else "; no other value function or cover explains them"
        return f"{wrong} of {number_of(len(self.judged), 'row')} wrong{cause}; {off}"


def audit_attributions(
    predictor: Tree | Ensemble,
    rows: Rows,
    given: Any,
    *,
    background: Rows | None = None,
    cover: str | None = None,
    values: str | None = None,
) -> AttributionAudit:
    """Hold attributions that a program computed against the exact ones.

    Args:
        predictor: the model.
        rows: the rows, as for `shapley_values`.
        given: the attributions, as for `read_values`.
        background: the background rows, if the values should be interventional.
        cover: the cover, if it is not the one that the model's program weighs by.
        values: the class that is explained, as for `shapley_values`.

    Raises:
        InputError: as for `shapley_values` and `read_values`; or there are not as many attributions as rows.

    Example:
        >>> import reference_tree as rt
        >>> days = rt.textbook("play-tennis")
        >>> tree = rt.ID3().grow(days)
        >>> found = rt.shapley_values(tree, days).floats
        >>> found[2] = {**found[2], "wind": found[2]["wind"] + 0.001}
        >>> audit = rt.audit_attributions(tree, days, found)
        >>> audit.is_right, [str(one) for one in audit.judged if one.status == "failed"]
        (False, ['3 wrong-attribution: wind is 0.0724286, exactly it is 0.0714286'])
    """
    exact = shapley_values(predictor, rows, background=background, cover=cover, values=values)
    told = read_values(given, exact.names)
    if len(told.values) != len(exact.rows):
        raise InputError(f"there are {number_of(len(exact.rows), 'row')} and {len(told.values)} of attributions")
    masses = masses_of(exact)
    form, judge = told.form, _judge(exact, told, masses, UNITS[told.form])
    if background is not None and form == "double" and any(one.status != "passed" for one in judge[0]):
        in_single = _judge(exact, told, masses, UNITS["float32"])
        if all(one.status == "passed" for one in in_single[0]):
            form, judge = "float32", in_single
    cause = ""
    if any(one.status == "failed" for one in judge[0]):
        for words, other in causes(predictor, exact, background, values):
            if _explains(other, told, masses, UNITS[told.form]):
                cause = words
                break
    return AttributionAudit(judge[0], cause, form, judge[1])


def _judge(
    exact: Attributions, told: Given, masses: Sequence[Mapping[str, Fraction]], unit: Fraction
) -> tuple[list[Judged], Fraction]:
    """What is found of each row, and the largest error, in units of u·m."""
    judged, worst = [], Fraction(0)
    base = _close(exact.expected_value)
    for number, (values, given, mass) in enumerate(zip(_values(exact), told.values, masses, strict=True), start=1):
        errors: list[tuple[Fraction, str]] = []
        for name, value in values.items():
            errors.append((_units(given[name], value, unit, mass[name]), f"{name} is {_both(given[name], value)}"))
        if told.expected is not None:
            off = _units(told.expected[number - 1], base, unit, max(abs(base), *mass.values()))
            errors.append((off, f"the expected value is {_both(told.expected[number - 1], base)}"))
        wrong = [words for size, words in errors if size > WRONG]
        most = max(size for size, _ in errors)
        worst = max(worst, most)
        if wrong:
            judged.append(Judged(str(number), "failed", "wrong-attribution", "; ".join(wrong)))
        elif most > RIGHT:
            doubtful = next(words for size, words in errors if size == most)
            judged.append(Judged(str(number), "skipped", "not-told", f"{significant(most, 3)} units off: {doubtful}"))
        else:
            judged.append(Judged(str(number), "passed", "right-to-rounding"))
    return judged, worst


def _values(exact: Attributions) -> list[dict[str, Fraction]]:
    """The values to the nearest double; exactly, where they are short."""
    return [{name: Fraction(value) for name, value in each.items()} for each in exact.floats]


def _close(number: Any) -> Fraction:
    return Fraction(float(number)) if isinstance(number, Real) else Fraction(number)


def _units(given: Fraction, value: Fraction, unit: Fraction, mass: Fraction) -> Fraction:
    """The error in units of u·m; where nothing is given, every other value is wrong."""
    error = abs(given - value)
    if not error:
        return error
    return error / (unit * mass) if mass else Fraction(2 * WRONG)


def _both(given: Fraction, value: Fraction) -> str:
    digits = next(n for n in (6, 9, 12, 17) if n == 17 or significant(given, n) != significant(value, n))
    return f"{significant(given, digits)}, exactly it is {significant(value, digits)}"


def causes(
    predictor: Tree | Ensemble, exact: Attributions, background: Rows | None, values: str | None
) -> Iterator[tuple[str, list[dict[str, Fraction]]]]:
    """Other values that a program may have computed, each with what it would then have done."""
    made: list[tuple[str, Callable[[], list[dict[str, Fraction]]]]] = []
    rows = exact.rows
    for name in COVERS:
        if name != exact.cover:
            made.append((
                f"they are path-dependent values, weighed by the cover {name}",
                lambda name=name: _values(shapley_values(predictor, rows, cover=name, values=values)),
            ))  # fmt: skip
    if background is None:
        made.append((
            "they are interventional values, with the rows themselves as background",
            lambda: _values(shapley_values(predictor, rows, background=rows, values=values)),
        ))  # fmt: skip
    else:
        made.append((
            "they are interventional values of one background row, the mean of all",
            lambda: _values(shapley_values(predictor, rows, background=[_mean_row(exact)], values=values)),
        ))  # fmt: skip
    made.append(("they are the parts of the paths, and no Shapley values", lambda: _of_paths(predictor, rows, values)))
    made.append(("they are those of the other class", lambda: [
        {name: -value for name, value in each.items()} for each in _values(exact)
    ]))  # fmt: skip
    for words, make in made:
        try:
            yield words, make()
        except InputError:  # not defined for this model
            continue


def _mean_row(exact: Attributions) -> dict[str, Any]:
    """The means of the numbers of the background; of categories the first."""
    rows = exact.background or ()
    found: dict[str, Any] = {}
    for name in exact.names:
        cells = [row[name] for row in rows if name in row and row[name] is not None]
        if cells:
            found[name] = cells[0] if isinstance(cells[0], str) else sum(map(Fraction, cells)) / len(cells)
    return found


def _of_paths(predictor: Tree | Ensemble, rows: Sequence[Any], values: str | None) -> list[dict[str, Fraction]]:
    covered = shapley_values(predictor, rows, values=values)
    found = []
    for row in covered.rows:
        total = dict.fromkeys(covered.names, Fraction(0))
        for term in covered.explained.summands:
            for name, value in path_values(term, row).items():
                total[name] += _close(term.weight) * value
        found.append(total)
    return found


def _explains(
    other: Sequence[Mapping[str, Fraction]], told: Given, masses: Sequence[Mapping[str, Fraction]], unit: Fraction
) -> bool:
    """Whether these values are those that were given, to rounding."""
    return all(
        _units(given[name], value, unit, mass[name]) <= WRONG
        for each, given, mass in zip(other, told.values, masses, strict=True)
        for name, value in each.items()
    )
