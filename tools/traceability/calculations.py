"""Which calculation gives a printed figure that is not the rounded value: found by trying, never by default.

A figure is an expression: a gain is an entropy less a conditional entropy, and so on. Authors work such an expression
out by hand, and round on the way. `calculations` tries, from the simplest on, what they may have done:

1. put the figures that the same book prints elsewhere into the expression;
2. round one or two kinds of its steps, to as many decimals as are printed or one more;
3. cut the result off; 4. cut such steps off.

Of boosting, `rounds_by_hand` goes through the rounds with rounded figures. What no calculation
gives stays unexplained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from typing import Any, NamedTuple

from reference_tree.conformance.books import PrintedFigure, ledger
from reference_tree.conformance.cases import cases
from reference_tree.conformance.goldens import applied_to, meant, named, value_of
from reference_tree.exact.log_sums import Number, log
from reference_tree.exact.rationals import rational
from reference_tree.exact.rounding import decimal
from reference_tree.exact.worked import Worked, work
from reference_tree.learners.growing import grow, revisit
from reference_tree.measures.measure import measures
from tools.traceability.rounds_by_hand import by_hand

Rounding = Callable[[Any], Fraction]


def rounded(value: Number, places: int) -> Fraction:
    """A number to some decimals, halves away from 0, as it is done by hand."""
    if isinstance(value, Fraction | int):
        scaled = abs(Fraction(value)) * 10**places
        return Fraction(int(scaled + Fraction(1, 2)), 10**places) * (1 if value >= 0 else -1)
    return Fraction(decimal(value, places))


def cut_off(value: Number, places: int) -> Fraction:
    """A number without its further decimals."""
    exact = Fraction(value) if isinstance(value, Fraction | int) else Fraction(decimal(value, places + 20))
    return Fraction(int(exact * 10**places), 10**places)


class Step(NamedTuple):
    """A kind of step of an expression: a formula at a depth of formulas, a product, a share."""

    name: str
    depth: int


STEPS = {"*": "the products", "share": "the shares", "sse": "the errors of the sides", "entropy": "the entropies"}
WORDS = {"rounded": rounded, "cut off": cut_off}


def places_of(figure: PrintedFigure) -> int:
    """The decimals that are printed."""
    return len(figure.value.removesuffix("%").partition(".")[2])


def shown(figure: PrintedFigure) -> Fraction:
    """The printed number."""
    return Fraction(rational(figure.value.removesuffix("%"))) / (100 if figure.value.endswith("%") else 1)


def agrees(figure: PrintedFigure) -> bool:
    """Whether a printed figure is the exact value, rounded; of a half, either way."""
    unit = Fraction(1, 10 ** places_of(figure)) / (100 if figure.value.endswith("%") else 1)
    return bool(shown(figure) - unit / 2 <= exact(figure) <= shown(figure) + unit / 2)


def about(figure: PrintedFigure) -> str:
    """What a figure is, in words."""
    name, _, row = figure.score.rpartition(".")[2].partition(" ")
    name = {"after": "weight after"}.get(name, f"leaf {name} of" if name.isdigit() else f"{name} of".replace("_", " "))
    which = figure.attribute or figure.test or (f"round {figure.round}" if figure.round else "")
    node = f" at {figure.node}" if figure.node != "/" else ""
    return figure.of or f"{name} {which}{node}" + (f", row {row}" if row else "")


@cache
def _exact(place: int) -> Number:
    return value_of(ledger()[place])


def exact(figure: PrintedFigure) -> Number:
    """The exact value of a figure of the ledger."""
    return _exact(_place(figure))


def _place(figure: PrintedFigure) -> int:
    return next(place for place, one in enumerate(ledger()) if one is figure)


# ------------------------------------------------------------------------------------------------- the expression


def expression(figure: PrintedFigure) -> Worked | None:
    """The expression that a figure is the value of, where a formula of counts gives it."""
    if figure.formula:
        return None if figure.terms or "error_limits" in figure.formula else _of(figure.formula, figure.arguments)
    case = cases()[figure.case]
    if case.kind == "formula":
        return _of(case.formula, case.arguments)
    if case.kind not in ("tree", "split"):
        return None
    learner, table = case.base(), case.table()
    tree = grow(learner, table)
    decision = next(visit.decision for visit in revisit(tree, learner, table) if visit.number == tree.find(figure.node))
    if "." in figure.score:
        return _worked(named(figure.score), [decision.total])
    if figure.score not in measures():
        return None
    return _worked(measures()[figure.score].of, [meant(figure, decision).table.rows])


def _of(formula: str, arguments: Sequence[Any]) -> Worked | None:
    return _worked(named(formula), applied_to(arguments))


def _worked(function: Callable[..., Any], arguments: Sequence[Any]) -> Worked | None:
    head, *rest = arguments
    found = function(work([list(row) if isinstance(row, tuple) else row for row in head]), *rest)
    return found if isinstance(found, Worked) else None


def steps(one: Worked, depth: int = 0) -> Iterator[Step]:
    """The kinds of steps inside an expression, its own result left out."""
    if depth and one.operation == "quantity":
        yield Step(one.name, depth)
    if one.operation == "*":
        yield Step("*", 0)
    if one.operation == "log" and one.operands[0].operation == "/":
        yield Step("share", 0)
    for operand in one.operands:
        yield from steps(operand, depth + (one.operation == "quantity"))


def worked_out(one: Worked, how: Mapping[Step, Rounding], known: Mapping[Any, Fraction], depth: int = 0) -> Number:
    """The value of an expression whose steps are rounded on the way, or known from elsewhere."""
    if one.operation == "number":
        return Fraction(one.value) if isinstance(one.value, int) else one.value
    if one.operation == "quantity":
        if depth and (printed := known.get((one.name, one.value))) is not None:
            return printed
        value = worked_out(one.operands[0], how, known, depth + 1)
        return how[step](value) if depth and (step := Step(one.name, depth)) in how else value
    if one.operation == "log" and (share := how.get(Step("share", 0))) and one.operands[0].operation == "/":
        above, below = (worked_out(operand, how, known, depth) for operand in one.operands[0].operands)
        return -log(share(Fraction(below) / Fraction(above)), one.name)
    values = [worked_out(operand, how, known, depth) for operand in one.operands]
    value = _OPERATIONS[one.operation](*values) if one.operation != "log" else log(values[0], one.name)
    return how[Step("*", 0)](value) if one.operation == "*" and Step("*", 0) in how else value


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a ** int(b),
    "abs": abs,
}


# --------------------------------------------------------------------------------------------------- what is tried


def calculation(figure: PrintedFigure) -> str | None:
    """The first calculation that gives a figure; nothing if none is known."""
    return next(calculations(figure), None)


def calculations(figure: PrintedFigure) -> Iterator[str]:
    """The calculations that give a figure, the simplest first."""
    case = cases().get(figure.case)
    if case is not None and case.kind == "rounds" and not figure.formula:
        yield from by_hand(figure, shown(figure), places_of(figure))
    yield from _as_a_multiple(figure)
    one = expression(figure)
    if one is not None:
        yield from _from_printed(figure, one)
        yield from _on_the_way(figure, one, "rounded")
    if cut_off(exact(figure), places_of(figure)) == shown(figure):
        yield "cut off, not rounded"
    if one is not None:
        yield from _on_the_way(figure, one, "cut off")


def _gives(figure: PrintedFigure, value: Number) -> bool:
    return rounded(value, places_of(figure)) == shown(figure)


def _as_a_multiple(figure: PrintedFigure) -> Iterator[str]:
    for other in ledger():
        same = other.formula == figure.formula != "" and other.arguments == figure.arguments
        if (
            same
            and other.per != "1"
            and other.book == figure.book
            and _gives(figure, shown(other) * rational(other.per))
        ):
            yield f"{other.per} · {other.value}"


def _from_printed(figure: PrintedFigure, one: Worked) -> Iterator[str]:
    """With what the same book prints for a step."""
    known = {key: value for key, value in _printed_by(figure.book).items() if key != (one.name, one.value)}
    if _gives(figure, worked_out(one, {}, known)) and not _gives(figure, worked_out(one, {}, {})):
        yield f"{_told(one, {}, known, places_of(figure))}, from figures that the book prints"


@cache
def _printed_by(book: str) -> Mapping[Any, Fraction]:
    """What a book prints of each formula and exact value."""
    found: dict[Any, Fraction] = {}
    for figure in ledger():
        if figure.book == book and (one := expression(figure)) is not None:
            found.setdefault((one.name, one.value), shown(figure))
    return found


def _on_the_way(figure: PrintedFigure, one: Worked, word: str) -> Iterator[str]:
    """With some kinds of steps rounded, or cut off, before they are used."""
    kinds, way = list(dict.fromkeys(steps(one))), WORDS[word]
    for many, more in product((1, 2), (0, 1)):
        places = places_of(figure) + more
        for chosen in combinations(kinds, many):
            how = dict.fromkeys(chosen, partial(way, places=places))
            try:
                found = _gives(figure, worked_out(one, how, {}))
            except (ValueError, ZeroDivisionError):  # the logarithm of a share that became 0
                continue
            if found:
                what = " and ".join(dict.fromkeys(STEPS.get(step.name, step.name) for step in chosen))
                yield f"{_told(one, how, {}, places)}, with {what.replace('_', ' ')} {word} to {places} decimals"


def _told(one: Worked, how: Mapping[Step, Rounding], known: Mapping[Any, Fraction], places: int) -> str:
    """The last operation of an expression with its operands as they were worked out; a sum in full."""
    body, depth = one, 0
    while body.operation == "quantity" and (not depth or Step(body.name, depth) not in how):
        body, depth = body.operands[0], depth + 1
    if body.operation in ("+", "-", "/") and len(body.operands) == 2:
        first, second = (_figure(worked_out(operand, how, known, 1), places) for operand in body.operands)
        if body.operation == "+" and body.operands[0].operation == "+" and len(list(_terms(body))) < 5:
            first = _told(body.operands[0], how, known, places)
        return f"{first} {body.operation.replace('-', '−')} {second}"
    return _figure(worked_out(body, how, known, 1), places)


def _figure(value: Number, places: int) -> str:
    """A figure in at most six decimals, and as many as are printed unless it is whole."""
    whole, _, decimals = decimal(value, 6).partition(".")
    decimals = decimals.rstrip("0")
    text = f"{whole}.{decimals.ljust(places, '0')}" if decimals else whole
    return f"(−{text[1:]})" if text.startswith("-") else text


def _terms(one: Worked) -> Iterator[Worked]:
    """The terms of a sum."""
    while one.operation == "+":
        yield one.operands[1]
        one = one.operands[0]
    yield one
