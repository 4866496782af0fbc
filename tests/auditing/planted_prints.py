"""Faults planted in the prints of right trees, which are audited without any option: is each named at its node?

`python -m tests.auditing.planted_prints [--tables N]` plants, in what `export_text` prints of trees with bounds and
prunings, another threshold, another attribute, another answer, and a leaf in the place of a subtree. A fault has no
part in what a program could have grown: a threshold moves rows and is not tied, and a leaf is a cut that no bound
explains, as the tree has smaller nodes, deeper ones and weaker ones that are split.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

import reference_tree as rt
from reference_tree.data.questions import Threshold
from reference_tree.foreign import read_foreign
from reference_tree.node import Label
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from tests.auditing.right_trees import Right, of_sklearn


class Planted(NamedTuple):
    """A tree with one fault."""

    kind: str
    tree: Tree
    node: int


def printed(right: Right) -> Tree:
    """The tree of a print."""
    schema = right.table.schema
    (document,) = read_foreign(
        right.tree, target=schema.target.name, attributes=schema.attributes, classes=schema.target.values or ()
    )
    tree = predictor_from_json(json.dumps(document))
    assert isinstance(tree, Tree)
    return tree


def planted(tree: Tree, table: rt.Table, chance: Random) -> Iterator[Planted]:
    """A fault of each kind, where there is room for one."""
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    if not asking:
        return
    number = chance.choice(asking)
    node, numbers = tree.nodes[number], table.schema.numbers
    test = node.test
    assert isinstance(test, Threshold)
    others = [one for one in sorted(numbers[test.attribute]) if one != test.threshold]
    at = Fraction(chance.choice(others)) + Fraction(1, 16)
    yield _with(tree, number, "threshold", replace(test, threshold=at, interval=None))
    name = chance.choice([one.name for one in table.schema.attributes if one.name != test.attribute])
    at = Fraction(chance.choice(sorted(numbers[name]))) + Fraction(1, 16)
    yield _with(tree, number, "attribute", replace(test, attribute=name, threshold=at, interval=None))
    if (classes := tree.target.values) is not None:
        end = chance.choice(tree.leaves())
        label = chance.choice([one for one in classes if one != tree.nodes[end].label])
        nodes = list(tree.nodes)
        nodes[end] = replace(nodes[end], label=label, tied=())
        yield Planted("answer", replace(tree, nodes=tuple(nodes)), end)


def _with(tree: Tree, number: int, kind: str, test: Threshold) -> Planted:
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], test=test)
    return Planted(kind, replace(tree, nodes=tuple(nodes)), number)


def cut(tree: Tree, number: int, label: Label) -> Planted:
    """The tree with a leaf in the place of a subtree."""
    return Planted("cut", assemble(tree, {number: replace(leaf(tree.nodes[number], "unknown"), label=label)}), number)


def main(words: Sequence[str]) -> int:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rows", type=int, default=1000)
    options = parser.parse_args(words)
    found: Counter[tuple[str, str]] = Counter()
    for place, right in enumerate(of_sklearn(range(options.first, options.first + options.tables))):
        if right.form == "object" or len(right.table) > options.rows:
            continue
        tree, chance = printed(right), Random(place)
        for one in planted(tree, right.table, chance):
            strict = rt.audit(one.tree, right.table, assume="none")
            if {fault.verdict for fault in strict.at(one.node).faults} <= {"stopped-early", "split-too-far"}:
                continue  # it ties, or moves no row
            audit = rt.audit(one.tree, right.table)
            named = [finding.number for finding in audit.wrong if finding.cause is None]
            what = "named alone" if named == [one.node] else "named" if one.node in named else "missed"
            found[one.kind, what] += 1
            if what == "missed":
                print(f"missed: {right.form} {right.options}: {one.kind} at {one.node}: {str(audit)[:400]}")
    for key, count in sorted(found.items()):
        print(f"{key[0]:12}{key[1]:14}{count:6}")
    return int(any(what == "missed" for _, what in found))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
