"""Mutants: copies of a module in which one small thing is another.

A mutant compares the other way round, counts one more or one less, leaves out a `not`, or takes another operator.
Types, decorators, docstrings and what an exception says are left as they are, and so is what is asserted: of `assert`,
and of the lengths in `zip(..., strict=True)`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeAlias

PACKAGE = Path(__file__).parents[2] / "reference_tree"
REVIEWED = Path(__file__).parent / "reviewed.toml"

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNTOUCHED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.arg)


Variants: TypeAlias = Callable[[ast.AST, str], Iterator[ast.AST]]


class Mutant(NamedTuple):
    """A module with one change."""

    line: int
    mutation: str
    """What stands in this line → what stands there instead."""
    code: Callable[[], CodeType]
    """Compiles it."""
    inside: bool
    """Whether the change is in the body of a function; if not, it counts once the module is imported anew."""


def variants(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """What could stand in the place of a part of the code, which is in this field of what is around it."""
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                for other in SWAPS[type(operator)]:
                    yield with_fields(node, ops=[*operators[:place], other(), *operators[place + 1 :]])
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.AugAssign(op=operator):
            yield from (with_fields(node, op=other()) for other in SWAPS.get(type(operator), ()))
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(truth)):
            yield with_fields(node, value=not truth)
        case ast.Constant(value=int(number)):
            yield from (with_fields(node, value=other) for other in (number + 1, number - 1))
        case ast.Name(id=name) if name in NAMES:
            yield with_fields(node, id=NAMES[name])
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
    if field in ("test", "ifs") and isinstance(
        node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.NamedExpr
    ):
        yield ast.UnaryOp(ast.Not(), node)


def operand_variants(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """What could stand there if a value or an operand were another one, left out, or in the other place.

    Example:
        >>> call = ast.parse("f(a, b - c)", mode="eval").body
        >>> [ast.unparse(one) for one in operand_variants(call, "value")]
        ['f(b - c, a)', 'a']
        >>> [ast.unparse(one) for one in operand_variants(ast.Return(call), "body")]
        ['return f(a, b - c) + 1', 'return not f(a, b - c)', 'return f(a, b - c)[1:]']
    """
    match node:
        case ast.Return(value=ast.expr() as value):
            yield ast.Return(ast.BinOp(value, ast.Add(), ast.Constant(1)))
            yield ast.Return(ast.UnaryOp(ast.Not(), value))
            yield ast.Return(ast.Subscript(value, ast.Slice(lower=ast.Constant(1)), ast.Load()))
        case ast.Call(args=[first, second, *others]) if not isinstance(first, ast.Starred):
            yield with_fields(node, args=[second, first, *others])
            yield first
        case ast.Call(args=[first]) if not isinstance(first, ast.Starred | ast.GeneratorExp):
            yield first
        case ast.Call(args=[ast.GeneratorExp(generators=[loop, *loops]) as each]) if loop.ifs:
            yield with_fields(node, args=[with_fields(each, generators=[with_fields(loop, ifs=[]), *loops])])
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.IfExp(body=body, orelse=orelse):
            yield with_fields(node, body=orelse, orelse=body)
        case ast.Tuple(elts=[first, second, *others]) | ast.List(elts=[first, second, *others]) if field == "value":
            yield with_fields(node, elts=[second, first, *others])
        case ast.ListComp(generators=[loop, *loops]) | ast.SetComp(generators=[loop, *loops]) if loop.ifs:
            yield with_fields(node, generators=[with_fields(loop, ifs=[]), *loops])
        case ast.Slice(lower=lower, upper=upper) if lower or upper:
            yield with_fields(node, lower=None, upper=None)
        case ast.Constant(value=str(text)) if field in ("value", "body", "orelse"):
            yield with_fields(node, value=f"not {text}")


def with_fields(node: ast.AST, **fields: object) -> Any:
    """A copy of a part of the code with other fields."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def mutants(source: str, path: str, variants: Variants = variants) -> Iterator[Mutant]:
    """Every mutant of a module, from its first line to its last.

    Example:
        >>> [(mutant.line, mutant.mutation) for mutant in mutants("f = lambda n: n > 1", "f.py")]
        [(1, 'n > 1 → n >= 1'), (1, 'n > 1 → n <= 1'), (1, 'n > 1 → n > 2'), (1, 'n > 1 → n > 0')]
    """
    module = ast.parse(source)
    for around, field, parts, place, inside in list(places(module)):
        node = parts[place]
        shown = around if isinstance(around, ast.expr) and isinstance(node, ast.Constant | ast.Name) else node
        before = ast.unparse(shown)
        for variant in variants(node, field):
            parts[place] = ast.fix_missing_locations(ast.copy_location(variant, node))
            after = ast.unparse(shown if shown is around else variant)
            code = compiled(module, path, parts, place)
            yield Mutant(node.lineno, f"{before} → {after}", code, inside)
        parts[place] = node


def compiled(module: ast.Module, path: str, parts: Any, place: Any) -> Callable[[], CodeType]:
    """Compiles a module, whenever it is called, with what stands in a place now."""
    part = parts[place]

    def code() -> CodeType:
        before, parts[place] = parts[place], part
        try:
            return compile(module, path, "exec")
        finally:
            parts[place] = before

    return code


def places(node: ast.AST, inside: bool = False) -> Iterator[tuple[ast.AST, str, Any, Any, bool]]:
    """Each part of the code: what it is in, in which field, what holds it at which place, whether in a function."""
    for field, value in ast.iter_fields(node):
        match node, field:
            case (_, "annotation" | "returns" | "decorator_list") | (ast.Call(func=ast.Name("zip")), "keywords"):
                continue
        within = inside or (field == "body" and isinstance(node, ast.FunctionDef | ast.Lambda))
        held: list[tuple[Any, Any]]
        held = [(value, place) for place in range(len(value))] if isinstance(value, list) else [(vars(node), field)]
        for holder, place in held:
            child = holder[place]
            if isinstance(node, ast.Expr) and isinstance(child, ast.Constant):
                continue  # a docstring
            if isinstance(child, ast.AST) and not isinstance(child, UNTOUCHED):
                yield node, field, holder, place, within
                yield from places(child, within)


# What they are called.


class Key(NamedTuple):
    """What names a mutant, wherever its line stands by now."""

    module: str
    line: str
    mutation: str


def keyed(path: Path, variants: Variants = variants) -> Iterator[tuple[Key, Mutant]]:
    """The mutants of a module."""
    source = path.read_text(encoding="utf-8")
    lines, module = source.splitlines(), path.relative_to(PACKAGE).as_posix()
    for mutant in mutants(source, str(path), variants):
        yield Key(module, lines[mutant.line - 1].strip(), mutant.mutation), mutant


def reviewed() -> Mapping[Key, str]:
    """The mutants that may survive → why."""
    listed = tomllib.loads(REVIEWED.read_text(encoding="utf-8"))["survivor"]
    return {Key(entry["module"], entry["line"], entry["mutation"]): entry["reason"] for entry in listed}
