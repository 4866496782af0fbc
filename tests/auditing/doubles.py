"""Documents of a program in doubles: trees that the plain learner of the tests grows, written with numbers of JSON.

The learner shares nothing with the package (`tests.conformance.plain_doubles`). Its document states what a program has
at hand: counts, means, shares and thresholds as doubles, and nothing about why a node is a leaf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import reference_tree as rt
from reference_tree.learners.decision import Learner
from tests.conformance.plain_doubles import growing
from tests.conformance.plain_doubles.rows import Data, Node, Question

LEARNERS = (
    rt.CART(),
    rt.CART(criterion="entropy", missing="stay"),
    rt.CART(branching="one-vs-rest", missing="branch", max_depth=3),
    rt.CART(criterion="misclassification", min_samples_leaf=Fraction(3, 2)),
    rt.C45(),
    rt.C45(min_samples_leaf=2, epsilon=Fraction(1, 100)),
    rt.ID3.like("zhou"),
)
"""What the trees are grown by."""


WEIGHTS = ("1", "1.1", "1.3", "1.7", "2")
"""Whose sums are rounded. None is less than 1, since the plain learner knows no least weight of a surrogate's side."""


class Written(NamedTuple):
    """A document, and the rows and the learner that it is about."""

    document: Any
    table: rt.Table
    learner: Learner
    nodes: list[Node]


def written(seed: int, choose: Mapping[str, str] | None = None) -> Written:
    """The document of a random tree on a random table of decimals, gaps and weights.

    Args:
        seed: the seed.
        choose: path → the attribute that is asked there, whatever the learner would ask.
    """
    chance = Random(seed)
    learner = chance.choice(LEARNERS)
    is_numeric = isinstance(learner, rt.CART) and learner.criterion == "auto" and chance.random() < 0.5
    columns = random_columns(chance, is_numeric)
    weighted = "w" if "w" in columns else None
    table = rt.Table.from_columns(columns, "y", weights=weighted)
    at = {path: {"choose": attribute} for path, attribute in (choose or {}).items()}
    nodes = grown(table, learner, columns, at)
    return Written(document(table, nodes), table, learner, nodes)


def random_columns(chance: Random, is_numeric: bool) -> dict[str, list[str | None]]:
    """Some columns of numbers and of categories, a target, and perhaps weights."""
    rows = chance.randint(4, 40)
    gaps = chance.choice([0, 0, 0.15])

    def cells(draw: Any) -> list[str | None]:
        return [None if chance.random() < gaps else draw() for _ in range(rows)]

    def decimal() -> str:
        return f"{chance.randint(-20, 40) / 10:.1f}"

    columns = {f"x{place}": cells(decimal) for place in range(chance.randint(1, 3))}
    columns |= {f"c{place}": cells(lambda: chance.choice("abcd")) for place in range(chance.randint(0, 2))}
    for name, column in columns.items():  # a column needs a value to be one
        column[0] = column[0] or ("1.5" if name[0] == "x" else "a")
    columns["y"] = [decimal() if is_numeric else chance.choice(("no", "yes", "maybe")) for _ in range(rows)]
    if chance.random() < 0.5:
        columns["w"] = [chance.choice(WEIGHTS) for _ in range(rows)]
    return columns


def grown(
    table: rt.Table, learner: Learner, columns: Mapping[str, Sequence[str | None]], at: Mapping[str, Any]
) -> list[Node]:
    """The nodes that the plain learner grows."""
    every = domains(table)
    rows = [
        {
            name: float(cell) if every[name] is None and cell is not None else cell
            for name, cell in zip(every, cells, strict=True)
        }
        for cells in zip(*(columns[name] for name in every), strict=True)
    ]
    weights = [float(weight or 1) for weight in columns.get("w", ["1"] * len(rows))]
    data = Data([*every][:-1], every, "y", list(zip(rows, weights, strict=True)))
    grower = learner.grower()
    options = {**grower.options, "ties": {**grower.options["ties"], "at": at}}
    return growing.Learner(grower.name, options, data).grow()


def domains(table: rt.Table) -> dict[str, list[str] | None]:
    """The values of each column, the target last; None for numbers."""
    schema = table.schema
    return {one.name: None if one.values is None else [*one.values] for one in (*schema.attributes, schema.target)}


def document(table: rt.Table, nodes: Sequence[Node]) -> Any:
    """The document of a tree."""
    kinds = [
        {"name": name, "kind": "continuous"} if values is None else {"name": name, "kind": "categorical", key: values}
        for name, values in domains(table).items()
        for key in ["classes" if name == "y" else "values"]
    ]
    classes = domains(table)["y"]
    return {
        "format": "reference-tree/tree/1",
        "target": kinds[-1],
        "attributes": kinds[:-1],
        "learner": {"name": "unknown"},
        "program": {"name": "plain doubles", "numbers": "double"},
        "nodes": [{"id": place, **_node(node, classes)} for place, node in enumerate(nodes)],
    }


def _node(node: Node, classes: list[str] | None) -> dict[str, Any]:
    if classes:
        counts = dict(zip(classes, node.total, strict=True))
        said = {"counts": counts, "label": node.label, **({"tied": node.tied} if node.tied else {})}
    else:
        n, wy, wyy = node.total
        said = {"n": n, "mean": node.label, "sse": max(0.0, wyy - wy**2 / n) if n else 0.0}
    if node.asks is None:
        return {**said, "stop": "unknown"}
    shares = [{"share": share} for share in node.shares] if node.shares else [{} for _ in node.branches]
    said |= _question(node.asks, node.branches)
    said["branches"] = [{**branch, **share} for branch, share in zip(said["branches"], shares, strict=True)]
    to = {"to": node.branches[node.missing["to"]]} if node.missing and "to" in node.missing else {}
    if node.surrogates:
        said["surrogates"] = [
            {**_question(asks, [node.branches[to] for to in means]), "agreement": asks.scores["agreement"]}
            for asks, means in node.surrogates
        ]
        return {**said, "missing": {"rule": "surrogates", **to}}
    return {**said, "missing": {**node.missing, **to}} if node.missing else said


def _question(asks: Question, to: Sequence[int]) -> dict[str, Any]:
    test = {key: value for key, value in asks.test.items() if key in ("kind", "attribute", "threshold")}
    return {"test": test, "branches": [{"when": when, "to": t} for when, t in zip(asks.outcomes, to, strict=True)]}
