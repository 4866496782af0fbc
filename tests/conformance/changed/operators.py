"""Faults by rule: a program in which one small thing is another, by operators over its syntax tree.

1. `bare` is a program without the places where faults are planted by name.
2. `OPERATORS` are the rules, in the words of the field: a comparison, a bound, a default, a weight, a share, a tie, an
   order, a base, a sign, a condition.
3. `changes` are all changes of a program, one at a time, in the order of its lines.

A difference of doubles is compared with `NOISE` in place of 0. Whether it reaches exactly `NOISE` says nothing, so such
a comparison changes by the sign of its `NOISE`: what is equal is taken for different, or the other way round.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from types import CodeType
from typing import NamedTuple

from tools.mutation.mutants import SWAPS, compiled, places, with_fields


class Change(NamedTuple):
    """One change of a module."""

    operator: str
    """The rule that makes it."""
    function: str
    """Where it is: the qualified name."""
    text: str
    """What stands there → what stands there instead; with a number if it does so several times."""
    lines: range
    """Those of the statement that is changed."""
    code: Callable[[], CodeType]
    """Compiles the module with this change."""
    of_default: bool
    """Whether it is the default of an argument, which a function keeps beside its code."""

    @property
    def key(self) -> str:
        """What names it in its module, wherever its line stands."""
        return f"{self.function}: {self.text}"


# Without planted faults.


class _Bare(ast.NodeTransformer):
    """`planted(...)` is false, and what follows from that."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        is_planted = isinstance(node.func, ast.Name) and node.func.id == "planted"
        return ast.copy_location(ast.Constant(False, None), node) if is_planted else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        truth = _truth(node.operand)
        is_not = isinstance(node.op, ast.Not) and truth is not None
        return ast.copy_location(ast.Constant(not truth, None), node) if is_not else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        if any(_truth(one) is decides for one in node.values):
            return ast.copy_location(ast.Constant(decides, None), node)
        node.values = [one for one in node.values if _truth(one) is None] or node.values[:1]
        return node if len(node.values) > 1 else node.values[0]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return node.left if _truth(node.right) is False else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        truth = _truth(node.test)
        is_same = ast.dump(node.body) == ast.dump(node.orelse)
        return node if truth is None and not is_same else node.orelse if is_same or not truth else node.body

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs = [one for one in node.ifs if not _truth(one)]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        told = _aliases(node)
        if told:
            node.body = [_Told(told).visit(one) for one in node.body]
            self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        truth = _truth(node.test)
        return node if truth is None else (node.body if truth else node.orelse) or ast.copy_location(ast.Pass(), node)


class _Told(ast.NodeTransformer):
    """Names that stand for what was assigned to them."""

    def __init__(self, told: Mapping[str, ast.expr]) -> None:
        self.told = told

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_read = isinstance(node.ctx, ast.Load) and node.id in self.told
        return ast.copy_location(copy(self.told[node.id]), node) if is_read else node


def _aliases(node: ast.FunctionDef) -> Mapping[str, ast.expr]:
    """The names to which nothing is assigned but true, false, or `NOISE`, always the same."""
    found: dict[str, list[ast.expr]] = {}
    for one in ast.walk(node):
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
            found.setdefault(one.targets[0].id, []).append(one.value)
    return {
        name: values[0]
        for name, values in found.items()
        if len({ast.dump(value) for value in values}) == 1
        and (_truth(values[0]) is not None or (isinstance(values[0], ast.Name) and values[0].id == "NOISE"))
    }


def _truth(node: ast.AST) -> bool | None:
    """True or false, if it says so; for a number it is not asked."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def bare(source: str) -> ast.Module:
    """A program without its planted faults.

    Example:
        >>> ast.unparse(bare("first = tied[-1] if planted('last') else tied[0]"))
        'first = tied[0]'
    """
    module: ast.Module = _Bare().visit(ast.parse(source))
    return ast.fix_missing_locations(module)


# The rules.

Variants = Iterator[ast.AST]


_TINY = 1e-4
"""Below it lies what stands for noise."""


def _is_noise(node: ast.AST) -> bool:
    """Whether a part has `NOISE` in it, or a number as small."""
    named = (isinstance(part, ast.Name) and part.id == "NOISE" for part in ast.walk(node))
    tiny = (isinstance(part, ast.Constant) and isinstance(part.value, float) and 0 < part.value < _TINY
            for part in ast.walk(node))  # fmt: skip
    return any(named) or any(tiny)


def comparison(node: ast.AST, _: ast.AST) -> Variants:
    """A comparison is strict where it was not, or the other way round; what is equal is asked to be different."""
    if isinstance(node, ast.Compare) and not _is_noise(node):
        for place, operator in enumerate(node.ops):
            other = SWAPS[type(operator)][0]
            yield with_fields(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def noise(node: ast.AST, around: ast.AST) -> Variants:
    """What is equal but for noise is taken for different, or the other way round."""
    if isinstance(node, ast.Name) and node.id == "NOISE" and isinstance(node.ctx, ast.Load):
        yield ast.UnaryOp(ast.USub(), node)


def bound(node: ast.AST, around: ast.AST) -> Variants:
    """A number is one more or one less, twice as much or nothing; a place is another one only by `tie`."""
    if isinstance(around, ast.Subscript):
        return
    match node:
        case ast.Constant(value=bool(truth)):
            yield with_fields(node, value=not truth)
        case ast.Constant(value=int(number)):
            yield from (with_fields(node, value=other) for other in (number + 1, number - 1))
        case ast.Constant(value=float(number)) if number == 0 or number > _TINY:
            others = (1.0,) if number == 0 else (0.0, 2 * number)
            yield from (with_fields(node, value=other) for other in others)


def default(node: ast.AST, _: ast.AST) -> Variants:
    """What is usual where nothing is said is left out: the second of two alternatives, or of `get`."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[first, ast.Constant(value=value)]) if value:
            yield first
        case ast.Call(func=ast.Attribute(attr="get"), args=[name, _]):
            yield with_fields(node, args=[name])


def weight(node: ast.AST, _: ast.AST) -> Variants:
    """Of a product one factor is left out."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from (node.left, node.right)


def share(node: ast.AST, _: ast.AST) -> Variants:
    """What is a share of a whole is not divided by it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv):
        yield node.left


def sign(node: ast.AST, _: ast.AST) -> Variants:
    """What is added is taken away, or the other way round; a sign or an absolute value is left out."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not _is_noise(node.right):
            yield with_fields(node, op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add())
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            yield with_fields(node, op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add())
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not _is_noise(operand):
            yield operand
        case ast.Call(func=ast.Name("abs"), args=[inner]):
            yield inner


def power(node: ast.AST, _: ast.AST) -> Variants:
    """A power is of another degree."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield node.left


_FOLDS = {"max": ("min",), "min": ("max",), "sum": ("max",), "any": ("all",), "all": ("any",),
          "mean": ("max",), "median": ("mean",), "ceil": ("floor",), "floor": ("ceil",)}  # fmt: skip


def fold(node: ast.AST, around: ast.AST) -> Variants:
    """The largest is the smallest, the sum is the largest part, all is any, what is rounded up is rounded down."""
    match node:
        case ast.Call(func=ast.Name(id=name) as called, args=[_], keywords=[]) if name in _FOLDS:
            yield from (with_fields(node, func=with_fields(called, id=other)) for other in _FOLDS[name])
        case ast.Call(func=ast.Name(id="max" | "min" as name) as called):
            yield with_fields(node, func=with_fields(called, id=_FOLDS[name][0]))
        case ast.Call(func=ast.Attribute(attr="ceil" | "floor" as name) as called):
            yield with_fields(node, func=with_fields(called, attr=_FOLDS[name][0]))


def tie(node: ast.AST, _: ast.AST) -> Variants:
    """Of equal ones the last is taken, not the first, or the other way round."""
    match node:
        case ast.Call(func=ast.Name("max" | "min"), args=[several], keywords=[ast.keyword(arg="key"), *_]):
            yield with_fields(node, args=[_backwards(several)])
        case ast.Call(func=ast.Name("next"), args=[several, *rest]):
            yield with_fields(node, args=[ast.Call(ast.Name("iter", ast.Load()), [_backwards(several)], []), *rest])
        case ast.Subscript(slice=ast.Constant(value=0), ctx=ast.Load()):
            yield with_fields(node, slice=ast.UnaryOp(ast.USub(), ast.Constant(1)))
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)), ctx=ast.Load()):
            yield with_fields(node, slice=ast.Constant(0))


def _backwards(several: ast.expr) -> ast.expr:
    listed = ast.Call(ast.Name("list", ast.Load()), [several], [])
    return ast.Subscript(listed, ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.Load())


def order(node: ast.AST, _: ast.AST) -> Variants:
    """What is in order is in the opposite order, or as it comes."""
    match node:
        case ast.Call(func=ast.Name("sorted"), args=[several], keywords=keywords):
            yield _backwards(node)
            yield ast.Call(ast.Name("list", ast.Load()), [several], [])
            if keywords:
                yield with_fields(node, keywords=[])
        case ast.Call(func=ast.Name("reversed"), args=[several]):
            yield several
        case ast.Subscript(slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp()), ctx=ast.Load()):
            yield node.value
        case ast.Subscript(slice=ast.Slice(step=None) as part, ctx=ast.Load()) if part.lower or part.upper:
            yield node.value


_BASES = {"log2": "log", "log": "log2", "exp": "exp2", "sqrt": "fabs", "isqrt": "isqrt"}


def base(node: ast.AST, _: ast.AST) -> Variants:
    """A logarithm has another base, an exponential another one, a root is not taken."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("math"), attr=name) as called, args=[inner]) if name in _BASES:
            if name == "isqrt":
                yield inner
            else:
                yield with_fields(node, func=with_fields(called, attr=_BASES[name]))


def condition(node: ast.AST, around: ast.AST) -> Variants:
    """A condition is not asked, or one of several; what is not, is."""
    match node:
        case ast.BoolOp(values=values) if not isinstance(values[-1], ast.Constant | ast.Dict | ast.List):
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield rest[0] if len(rest) == 1 else with_fields(node, values=rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.comprehension(ifs=[_]):
            yield with_fields(node, ifs=[])
        case ast.If(test=test) if not isinstance(test, ast.Compare):  # which a comparison changes
            yield with_fields(node, test=ast.Constant(False))


Operator = Callable[[ast.AST, ast.AST], Variants]
OPERATORS: Mapping[str, Operator] = {
    one.__name__: one
    for one in (comparison, noise, bound, default, weight, share, sign, power, fold, tie, order, base, condition)
}
"""The rules by name."""


# All changes.


def changes(module: ast.Module, path: str) -> Iterator[Change]:
    """Every change of the functions of a module.

    Example:
        >>> of = bare("def half(n): return n / 2 if n > 1 else 0")
        >>> for change in list(changes(of, "half.py"))[:3]:
        ...     print(change.operator, change.key)
        condition half: n / 2 if n > 1 else 0 → n / 2
        condition half: n / 2 if n > 1 else 0 → 0
        comparison half: n > 1 → n >= 1
    """
    where = dict(_inside(module, ""))
    seen: Counter[str] = Counter()
    for around, field, parts, place, _ in list(places(module)):
        node = parts[place]
        if id(node) not in where:
            continue
        function, lines = where[id(node)]
        shown = around if isinstance(around, ast.expr) and isinstance(node, ast.Constant | ast.Name) else node
        before, told = _brief(shown), set[str]()
        for operator, variants in OPERATORS.items():
            for variant in variants(node, around):
                parts[place] = ast.fix_missing_locations(ast.copy_location(variant, node))
                after = _brief(shown if shown is around else variant)
                if after in told or after == before:
                    continue
                told.add(after)
                seen[f"{function}: {before} → {after}"] += 1
                times = seen[f"{function}: {before} → {after}"]
                text = f"{before} → {after}" + (f" ({times})" if times > 1 else "")
                code = compiled(module, path, parts, place)
                yield Change(operator, function, text, lines, code, field in ("defaults", "kw_defaults"))
        parts[place] = node


def _brief(node: ast.AST) -> str:
    """The text of an expression; of a condition with what depends on it only its first line."""
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}:"
    return ast.unparse(node)


def _inside(node: ast.AST, named: str, lines: range | None = None) -> Iterator[tuple[int, tuple[str, range]]]:
    """Each part of a function: the name of the function, and the lines of the statement in which it is."""
    for child in ast.iter_child_nodes(node):
        inner, at = named, lines
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{named}.{child.name}".lstrip(".")
            at = range(child.lineno, child.lineno + 1) if isinstance(child, ast.FunctionDef) else None
        elif isinstance(child, ast.stmt) and (lines is not None):
            body = getattr(child, "body", None)
            end = body[0].lineno - 1 if body else child.end_lineno or child.lineno
            at = range(child.lineno, max(end, child.lineno) + 1)
        if at is not None and not isinstance(child, ast.FunctionDef):
            yield id(child), (inner, at)
        yield from _inside(child, inner, at)
