"""Predictions in a golden: the answer of a tree to a row, the leaves that the row reaches, and the rules involved.

1. `rows_of` reads the rows of a golden, which are text, as a tree is asked them.
2. `prediction_json` is what the tree says of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference_tree.conformance.decisions import label_json, place_json
from reference_tree.data.table import Table
from reference_tree.exact.rationals import rational
from reference_tree.routing import Unseen
from reference_tree.tree import Tree


def rows_of(table: Table, rows: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Rows of text as a tree is asked them: numbers as they are written, and nothing where a value is missing."""
    columns = [*table.schema.attributes, table.schema.target]
    return [
        {
            column.name: None if cell == "" else rational(cell) if column.values is None else cell
            for column, cell in zip(columns, row, strict=True)
        }
        for row in rows
    ]


def prediction_json(tree: Tree, row: Mapping[str, Any], unseen: Unseen) -> dict[str, Any]:
    """The answer of a tree to a row, and where the row ends: in one leaf, or in several by its shares.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.ID3(max_depth=1).grow(rt.textbook("play-tennis"))
        >>> found = prediction_json(tree, {"outlook": "sunny"}, "error")
        >>> found["ends"], found["distribution"], found["label"]
        ([{'at': [2], 'node': '/outlook=sunny', 'share': '1'}], {'no': '3/5', 'yes': '2/5'}, 'no')
    """
    ends = tree.ends(row, unseen)
    is_class = tree.target.values is not None
    shares = tree.distribution(row, unseen) if is_class else {}
    return {
        "rules": sorted(_rules_of_a_way(tree, row, unseen)),
        "ends": [{**place_json(tree, number), "share": str(share)} for number, share in ends],
        "distribution": {label: str(share) for label, share in shares.items()} if is_class else None,
        "label": label_json(tree.predict(row, unseen)),
    }


def _rules_of_a_way(tree: Tree, row: Mapping[str, Any], unseen: Unseen) -> set[str]:
    """The rules by which a row goes down a tree that does not answer a question, or with a value it has never met."""
    rules = set()
    for number, _, ways in tree.way(row, unseen):
        test = tree.nodes[number].test
        if test is not None:
            if any(row[attribute] is None for attribute in test.attributes):
                rules.add("missing.predict")
            elif ways[0][0] is None:
                rules.add("predict.unseen")
    return rules
