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
    `pos_lst` and `neg_lst` of its C++): 100 boosted trees differ from the exact values by 1e-8. So interventional
    values that are right to the rounding of float32 are right, and the summary says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from reference_tree.attribution.attributions import Attributions, masses_of, shapley_values
from reference_tree.attribution.covers import COVERS
from reference_tree.attribution.importances import parts_of_paths
from reference_tree.data.asked import AskedRow, Rows
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


class GivenValues(NamedTuple):
    """Values that a program computed."""

    values: Sequence[Mapping[str, Fraction]]
    """For each row: attribute → value."""
    expected: Sequence[Fraction] | None
    """For each row the expected value; None if it is not given."""
    form: str
    """The form of the numbers: `float32` if all of them are, otherwise `double`."""


def read_values(given: Any, names: Sequence[str]) -> GivenValues:
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
    # Every form becomes rows of numbers in the order of the attributes, with the expected value last if there is one.
    if isinstance(given, Attributions):
        given = [{**each, EXPECTED[0]: float(given.expected_value)} for each in given.floats]
    if hasattr(given, "base_values"):  # of shap: one for all rows, or one for each
        rows, base = _lists(given.values), given.base_values
        base = _lists(base) if hasattr(base, "__len__") else [base]
        given = [
            [*row, end] for row, end in zip(rows, base if len(base) == len(rows) else base * len(rows), strict=True)
        ]
    if is_frame(given):
        given = {column.name: column.cells for column in frame_columns(given)}
    if isinstance(given, Mapping):
        given = [dict(zip(given, cells, strict=True)) for cells in zip(*given.values(), strict=True)]
    found = [_row(number, row, names) for number, row in enumerate(_lists(given), start=1)]
    if not found:
        raise InputError("there are no attributions to audit")
    if len(set(map(len, found))) > 1:
        raise InputError("some rows have an expected value, and others have none")
    # A program of float32 hands over float32, or their shortest decimals: one other number shows doubles.
    single = all(_is_single(cell) for row in found for cell in row)
    expected = [row[-1] for row in found] if len(found[0]) > len(names) else None
    return GivenValues(
        [dict(zip(names, row, strict=False)) for row in found], expected, "float32" if single else "double"
    )


def _lists(rows: Any) -> list[Any]:
    """Rows as lists; those of an array are its own."""
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if isinstance(rows, str | bytes) or not hasattr(rows, "__iter__"):
        raise InputError("attributions are rows of numbers, columns by attribute, or an Explanation of shap")
    return list(rows)


def _row(number: int, row: Any, names: Sequence[str]) -> list[Fraction]:
    """The numbers of a row in the order of the attributes; the expected value last, if it has one."""
    if isinstance(row, Mapping):
        if lacking := [name for name in names if name not in row]:
            raise InputError(f"row {number}: there is no value for {listed(lacking)}")
        # Columns may stand in any order, and only one of the names of the expected value counts.
        row = [row[name] for name in (*names, *[end for end in EXPECTED if end in row][:1])]
    cells = list(row) if hasattr(row, "__iter__") and not isinstance(row, str | bytes) else [row]
    if len(cells) - len(names) not in (0, 1):
        told = f"{number_of(len(cells), 'value')}, and the model {number_of(len(names), 'attribute')}"
        raise InputError(f"row {number} has {told}")
    try:
        return [Fraction(rational(cell) if isinstance(cell, str) else exactly(cell)) for cell in cells]
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
        statuses, rows = [one.status for one in self.judged], number_of(len(self.judged), "row")
        off = f"the largest error is {significant(self.worst, 3)} units of u·mass ({self.form})"
        if wrong := statuses.count("failed"):
            return f"{wrong} of {rows} wrong; {self.cause or 'no other value function or cover explains them'}; {off}"
        untold = statuses.count("skipped")
        doubt = f"; {number_of(untold, 'row')} not told" if untold else ""
        return f"{rows}: right to rounding{doubt}; {off}"


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
    # The exact values decide; what a program computed is only measured against them.
    exact = shapley_values(predictor, rows, background=background, cover=cover, values=values)
    told = read_values(given, exact.names)
    if len(told.values) != len(exact.rows):
        raise InputError(f"there are {number_of(len(exact.rows), 'row')} and {len(told.values)} of attributions")
    masses, form = masses_of(exact), told.form
    judged, worst = _judge(exact, told, masses, UNITS[form])
    # Interventional values are given as doubles, but some program rounds to float32 on the way: they are right if they
    # are so in these units.
    if background is not None and form == "double" and worst > RIGHT:
        in_single = _judge(exact, told, masses, UNITS["float32"])
        if in_single[1] <= RIGHT:
            form, (judged, worst) = "float32", in_single
    cause = ""
    # Causes are sought only where something is wrong: each is a computation of all rows.
    if worst > WRONG:
        others = causes(predictor, exact, values)
        cause = next((words for words, other in others if _explains(other, told, masses, UNITS[told.form])), "")
    return AttributionAudit(judged, cause, form, worst)


def _judge(
    exact: Attributions, told: GivenValues, masses: Sequence[Mapping[str, Fraction]], unit: Fraction
) -> tuple[list[Judged], Fraction]:
    """What is found of each row, and the largest error, in units of u·m."""
    judged, worst, base = list[Judged](), Fraction(0), _close(exact.expected_value)
    for number, (values, given, mass) in enumerate(zip(_values(exact), told.values, masses, strict=True), start=1):
        errors = [
            (_units(given[name], value, unit, mass[name]), f"{name} is {_both(given[name], value)}")
            for name, value in values.items()
        ]
        # The expected value is a sum over all leaves, so that its error is measured by the larger of itself and the
        # masses.
        if told.expected is not None:
            end = told.expected[number - 1]
            size = _units(end, base, unit, max(abs(base), *mass.values()))
            errors.append((size, f"the expected value is {_both(end, base)}"))
        # The worst value of a row decides about the row; of a wrong row every wrong value is named.
        most, doubtful = max(errors)
        worst = max(worst, most)
        if most > WRONG:
            words = "; ".join(words for size, words in errors if size > WRONG)
            judged.append(Judged(str(number), "failed", "wrong-attribution", words))
        elif most > RIGHT:
            judged.append(Judged(str(number), "skipped", "not-told", f"{significant(most, 3)} units off: {doubtful}"))
        else:
            judged.append(Judged(str(number), "passed", "right-to-rounding"))
    return judged, worst


def _values(exact: Attributions) -> list[dict[str, Fraction]]:
    """The values to the nearest double."""
    return [{name: Fraction(value) for name, value in each.items()} for each in exact.floats]


def _close(number: Any) -> Fraction:
    return Fraction(float(number)) if isinstance(number, Real) else Fraction(number)


def _units(given: Fraction, value: Fraction, unit: Fraction, mass: Fraction) -> Fraction:
    """The error in units of u·m; where nothing is given, every other value is wrong."""
    error = abs(given - value)
    if not error:
        return error
    # An attribute that no leaf weighs has the value 0, exactly.
    return error / (unit * mass) if mass else Fraction(2 * WRONG)


def _both(given: Fraction, value: Fraction) -> str:
    # As many digits as show the difference.
    digits = next(n for n in (6, 9, 12, 17) if n == 17 or significant(given, n) != significant(value, n))
    return f"{significant(given, digits)}, exactly it is {significant(value, digits)}"


def causes(
    predictor: Tree | Ensemble, exact: Attributions, values: str | None
) -> Iterator[tuple[str, list[dict[str, Fraction]]]]:
    """Other values that a program may have computed, each in words; those not defined for the model are left out."""
    rows, background = exact.rows, exact.background

    def otherwise(**options: Any) -> list[dict[str, Fraction]]:
        return _values(shapley_values(predictor, rows, values=values, **options))

    # The likelier first; each is computed only when those before it explain nothing.
    made: dict[str, Callable[[], list[dict[str, Fraction]]]] = {
        f"they are path-dependent values, weighed by the cover {name}": partial(otherwise, cover=name)
        for name in COVERS
        if name != exact.cover
    }
    if background is None:
        told = "they are interventional values, with the rows themselves as background"
        made[told] = partial(otherwise, background=rows)
    else:
        told = "they are interventional values of one background row, the mean of all"
        made[told] = lambda: otherwise(background=[_mean_row(exact.names, background)])
    made["they are the parts of the paths, and no Shapley values"] = lambda: _of_paths(predictor, rows, values)
    made["they are those of the other class"] = lambda: [
        {name: -value for name, value in each.items()} for each in _values(exact)
    ]
    for words, make in made.items():
        # A cover that the model does not have, or a class that is none, explains nothing.
        with suppress(InputError):
            yield words, make()


def _mean_row(names: Sequence[str], rows: Sequence[AskedRow]) -> dict[str, Any]:
    """The means of the numbers of the background; of categories the first."""
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows if row.get(name) is not None] for name in names}
    return {
        # A mean row need be no row of the table; some programs take it for their background.
        name: cells[0] if isinstance(cells[0], str) else sum(map(Fraction, cells)) / len(cells)
        for name, cells in columns.items()
        if cells
    }


def _of_paths(predictor: Tree | Ensemble, rows: Sequence[Any], values: str | None) -> list[dict[str, Fraction]]:
    return [
        {name: _close(value) for name, value in each.items()}
        for each in parts_of_paths(shapley_values(predictor, rows, values=values))
    ]


def _explains(
    other: Sequence[Mapping[str, Fraction]], told: GivenValues, masses: Sequence[Mapping[str, Fraction]], unit: Fraction
) -> bool:
    """Whether these values are those that were given, to rounding."""
    return all(
        _units(given[name], value, unit, mass[name]) <= WRONG
        for each, given, mass in zip(other, told.values, masses, strict=True)
        for name, value in each.items()
    )
