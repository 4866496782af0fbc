"""Check my tree: a tree that is built by hand, one node after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from docs.assets.playground.check_audit import State, audited_tree, tree_of, visit_of
from docs.assets.playground.playground import State as Playground
from docs.assets.playground.playground import table_of
from reference_tree.auditing.finding import shown
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Multiway, Subset, Test, Threshold
from reference_tree.exact.rationals import decimal_text
from reference_tree.tree import Tree


def edit(state: State, what: str) -> str:
    """The text of a tree in which one node asks something else, or answers.

    Args:
        state: its `node` is the path of the node.
        what: JSON: `{"ask": "outlook"}`, the name of a question; `{"label": "yes"}`, a class; or `{"begin": ""}`: the
            tree that is one answer, the most common class.

    Raises:
        InputError: there is no such question.
    """
    ((does, name),) = json.loads(what).items()
    if does == "begin":
        table = table_of(Playground(state.table, state.csv, state.target))
        classes = table.schema.target.values
        if classes is None:
            raise InputError("a tree of numbers cannot be built here; paste one")
        return _most(table.sample().total(), classes)
    checked = audited_tree(state._replace(node="", round=""))
    number, tree = tree_of(state, checked.findings)
    here = next(one for one in checked.findings.findings if tree.path(one.number) == state.node)
    visit = visit_of(checked.findings, number, here)
    if does == "label" or visit is None:
        return "".join(_written(tree, here.number, [f": {name}\n"]))
    test = next((one.test for one in visit.decision.candidates if one.test.name == name), None)
    if test is None:
        raise InputError(f"there is no question {name} at this node")
    parts, above = visit.sample.partition(test).rows, _most(visit.sample.total(), tree.target.domain)
    labels = [_most(part, tree.target.domain) if any(part) else above for part in parts]
    below = [f"{condition}: {label}\n" for condition, label in zip(_conditions(test, tree), labels, strict=True)]
    return "".join(_written(tree, here.number, below))


def _most(weights: Sequence[Any], classes: Sequence[str]) -> str:
    return classes[weights.index(max(weights))]


def _written(tree: Tree, changed: int, instead: Sequence[str]) -> Iterator[str]:
    """The lines of a tree, with others in the place of what stands below one node."""
    if changed == 0 and instead[0].startswith(": "):
        yield instead[0][2:]
        return
    pending: list[tuple[int, int, str]] = [(0, -1, "")]
    while pending:
        number, depth, condition = pending.pop()
        node, bars = tree.nodes[number], "|   " * max(depth, 0)
        if number == changed and instead[0].startswith(": "):
            yield f"{bars}{condition}{instead[0]}"
        elif number == changed:
            yield f"{bars}{condition}\n" if condition else ""
            yield from (f"{'|   ' * (depth + 1)}{line}" for line in instead)
        elif node.test is None:
            yield f"{bars}{condition}: {node.label}\n" if condition else f"{node.label}\n"
        else:
            yield f"{bars}{condition}\n" if condition else ""
            below = zip(node.branches, _conditions(node.test, tree), strict=True)
            pending += [(branch, depth + 1, said) for branch, said in reversed(list(below))]


def _conditions(test: Test, tree: Tree) -> list[str]:
    """The conditions of the branches of a question, as Weka writes them."""
    if isinstance(test, Threshold):
        below, above = (
            ("<", ">=") if test.name.startswith(f"{test.attribute}<") and "<=" not in test.name else ("<=", ">")
        )
        at = decimal_text(test.threshold)
        return [f"{test.attribute} {below} {at}", f"{test.attribute} {above} {at}"]
    values = next(one.domain for one in tree.attributes if one.name == test.attribute)
    if isinstance(test, Subset):
        rest = [value for value in values if value not in test.values]
        return [f"{test.attribute} in {{{', '.join(part)}}}" for part in (test.values, rest)]
    if isinstance(test, Multiway):
        return [f"{test.attribute} = {value}" for value in test.values]
    raise InputError(f"{shown(test).name} cannot be written here")
