r"""Derivatives of boosted trees where the rows are: the arithmetic of `program_derivatives` as SQL.

A database works in doubles, and rounds to float32 where a program does. So a margin, a sum of floats, comes out as the
program had it. Derivatives are enclosed: what the doubles of the database may be off is added to what the program may
have rounded, and the ends are rounded outward to whole numbers of units of $2^{-S}$. From there on sums are exact: a
database adds up whole numbers, and no double decides.

*The bounds.* u is 2⁻⁵³. An exponential is within 4u, a sum, a difference and a quotient are within u each. A difference
of two margins of at most M is off by 2Mu, which the exponential turns into as much. So a probability is within
(2M + 8)u of its value; more than twice that is allowed. What follows are four operations at most, for which the bounds
are wider than those of the program by $2^{-48}$.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from reference_tree.auditing.boosters import Booster
from reference_tree.auditing.program_derivatives import DIGITS, OPERATIONS, rounded
from reference_tree.exact.rationals import Rational
from reference_tree.stores.engines import Asked, Engine, joined

FAR = 700
"""No exponent is beyond this; what is left out is far below one unit."""

MORE = 2.0**-48
"""What the bounds of products allow for the doubles of the database."""

ENDS = {"gl": "FLOOR", "gh": "CEIL", "hl": "FLOOR", "hh": "CEIL"}
"""The columns of the lower and the upper bound of g, and of those of h; how each is rounded to a whole number."""


def in_floats(sql: str, floats: str, engine: Engine) -> str:
    """A double rounded to the floats of a program, as a double.

    Example:
        >>> in_floats("x", "float32", Engine(double="DOUBLE", single="FLOAT"))
        'CAST(CAST(x AS FLOAT) AS DOUBLE)'
    """
    return sql if floats == "double" else f"CAST(CAST({sql} AS {engine.single}) AS {engine.double})"


def outward(low: Rational, high: Rational) -> tuple[float, float]:
    """Two bounds as doubles.

    Example:
        >>> outward(Fraction(1, 2), Fraction(1, 2)), outward(Fraction(1, 10), Fraction(1, 10))
        ((0.5, 0.5), (0.09999999999999999, 0.1))
    """
    ends = low.numerator / low.denominator, high.numerator / high.denominator
    below = ends[0] if ends[0] <= low else math.nextafter(ends[0], -math.inf)
    return below, ends[1] if ends[1] >= high else math.nextafter(ends[1], math.inf)


def unit_of(largest: float, rows: int, engine: Engine) -> int:
    """S, so that a bound is a whole number of 64 bits, and a sum is one that the engine adds up.

    Example:
        >>> unit_of(1.0, 1000, Engine()), unit_of(1.0, 1000, Engine(bits=126))
        (49, 59)
    """
    size = math.frexp(max(largest, 1.0))[1] + 1
    return min(61 - size, engine.bits - 2 - size - rows.bit_length())


Stage = Mapping[str, Asked | str]
"""Further columns of some rows: the name of each, and what it is in terms of those before."""


def staged(rows: str, stages: Sequence[Stage], wanted: Sequence[str]) -> Asked:
    """Columns that are worked out stage by stage. Subqueries within subqueries would go too deep for some parsers.

    Example:
        >>> staged("t", [{"b": "a + 1"}, {"c": "2 * b"}], ["a", "c"]).sql
        'WITH s0 AS (SELECT t.*, a + 1 AS b FROM t), s1 AS (SELECT s0.*, 2 * b AS c FROM s0) SELECT a, c FROM s1'
    """
    names = [rows, *(f"s{place}" for place in range(len(stages)))]
    found = []
    for before, name, columns in zip(names, names[1:], stages, strict=False):
        each = joined(", ", [Asked("") + sql + f" AS {column}" for column, sql in columns.items()])
        found.append(f"{name} AS (SELECT {before}.*, " + each + f" FROM {before})")
    return "WITH " + joined(", ", found) + f" SELECT {', '.join(wanted)} FROM {names[-1]}"


def derived(booster: Booster, margins: int, of: int, widest: float, engine: Engine, unit: int) -> list[Stage]:
    """The bounds of g and h of each row in whole units, the columns `ENDS`, stage by stage.

    The rows have `y`, the weight `w`, and `l0`, `h0`, `l1`, ..., the bounds of each margin.

    Args:
        booster: the parameters of the program.
        margins: the number of margins.
        of: the one with respect to which the derivatives are taken.
        widest: the largest margin.
        engine: how the database writes what is its own.
        unit: S.
    """
    if booster.loss == "squared_error":
        one = _double(1, engine)
        stages: list[Stage] = [{**_differences(booster, engine), "h_": one, "h__": one}]
    else:
        stages = _of_probability(booster, margins, of, widest, engine)
    off = _double(2.0**-23 + MORE, engine)  # a product with a weight, which is rounded to a float32
    weighed = {
        f"{end}w": f"CASE WHEN w = 1 THEN {end} ELSE {end} * w {sign} ABS({end} * w) * {off} END"
        for end, sign in (("g_", "-"), ("g__", "+"), ("h_", "-"), ("h__", "+"))
    }
    factor = _double(2.0**unit, engine)
    whole = {
        name: f"CAST(CAST({by}({end}w * {factor}) AS BIGINT) AS {engine.whole})"
        for (name, by), end in zip(ENDS.items(), ("g_", "g__", "h_", "h__"), strict=True)
    }
    return [*stages, weighed, whole]


def _differences(booster: Booster, engine: Engine) -> Stage:
    """The bounds of the derivative of squared error, a float32; between the nearest two if the engine has none."""
    ends = {"g_": "(l0 - y)", "g__": "(h0 - y)"}
    if not booster.newton or engine.single:
        return {name: in_floats(end, "float32" if booster.newton else "double", engine) for name, end in ends.items()}
    off, least = _double(2.0**-24 + MORE, engine), _double(2.0**-149, engine)
    signs = zip(ends.items(), "-+", strict=True)
    return {name: f"{end} {sign} (ABS({end}) * {off} + {least})" for (name, end), sign in signs}


def _of_probability(booster: Booster, margins: int, of: int, widest: float, engine: Engine) -> list[Stage]:
    """The bounds of the derivatives of a probability: `g_`, `g__`, `h_`, `h__`."""
    logistic, zero, one = booster.loss == "logistic", _double(0, engine), _double(1, engine)
    own = 0 if logistic else of
    others = [(zero, zero)] if logistic else [(f"l{at}", f"h{at}") for at in range(margins) if at != of]
    factor = Fraction(1 if logistic else booster.second)
    off = OPERATIONS * 2.0 ** -DIGITS[booster.margins] + (4 * widest + 32) * 2.0**-53
    wide, h_off = _double(2.0**-24 + MORE, engine), 4 * (2.0**-24 + MORE)
    f, least = _double(float(factor), engine), _double(2e-16, engine)
    below = _exponentials([high for _, high in others], f"l{own}", engine)
    above = _exponentials([low for low, _ in others], f"h{own}", engine)
    share = {
        "right_": f"CASE WHEN y = {1 if logistic else of} THEN {one} ELSE {zero} END",
        "p_": f"{_double(1 - off, engine)} / ({one} + {below})",
        "above": f"{_double(1 + off, engine)} / ({one} + {above})",
    }
    bounded = {"p__": f"CASE WHEN above > 1 THEN {one} ELSE above END"}
    ends_of = {
        **{f"g{end}": f"p{end} - right_" for end in ("_", "__")},
        **{f"h{end}": f"{f} * p{end} * ({one} - p{end})" for end in ("_", "__")},
    }
    ends_of = {f"{name}of": sql for name, sql in ends_of.items()}
    far = "CASE WHEN -g_of > g__of THEN -g_of ELSE g__of END"
    ends = {
        "g_": f"g_of - {far} * {wide}",
        "g__": f"g__of + {far} * {wide}",
        "h_": f"CASE WHEN h_of < h__of THEN h_of ELSE h__of END * {_double(1 - h_off, engine)}",
        "h__": f"CASE WHEN 2 * p_ < 1 AND 2 * p__ > 1 THEN {_double(float(factor / 4), engine)} "
        f"WHEN h_of < h__of THEN h__of ELSE h_of END * {_double(1 + h_off, engine)} + {least}",
    }
    p = Fraction(1, 1 + len(others))  # where all margins are the same: it may be a float, and so may its derivatives
    if all(number == rounded(number, "float32") for number in (p, factor * p * (1 - p))):
        alike = " AND ".join(f"{end} = l{own}" for end in [f"h{own}", *(end for pair in others for end in pair)])
        g, h = f"{_double(float(p), engine)} - right_", _double(float(factor * p * (1 - p)), engine)
        ends = {
            name: f"CASE WHEN {alike} THEN {g if name[0] == 'g' else h} ELSE {sql} END" for name, sql in ends.items()
        }
    return [share, bounded, ends_of, ends]


def _exponentials(others: Sequence[str], own: str, engine: Engine) -> str:
    """The sum of the exponentials of some differences of margins."""
    far = _double(FAR, engine)
    each = (
        f"EXP(CASE WHEN {other} - {own} > {far} THEN {far} WHEN {other} - {own} < -{far} THEN -{far} "
        f"ELSE {other} - {own} END)"
        for other in others
    )
    return " + ".join(each)


def _double(number: float, engine: Engine) -> str:
    return f"CAST({engine.double_of(float(number))} AS {engine.double})"


__all__ = ["ENDS", "Stage", "derived", "in_floats", "outward", "staged", "unit_of"]
