"""Faults planted in the prints of right trees, which are audited without any option: is each named at its node?

`python -m tests.auditing.planted_prints [--tables N]` plants, in what scikit-learn, rpart and J48 print of trees with
bounds and prunings, another threshold, another attribute, another answer, other counts, and a leaf in the place of a
subtree. A fault has no part in what a program could have grown: a threshold moves rows and is not tied, and a leaf is a
cut that no bound explains, as the tree has smaller nodes, deeper ones and weaker ones that are split.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, NamedTuple

import reference_tree as rt
from reference_tree.auditing.stated import Statements
from reference_tree.data.questions import Missing, Threshold
from reference_tree.data.sample import Sample
from reference_tree.programs.reading import read_foreign
from reference_tree.subtrees import assemble, leaf
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from tests.auditing.right_trees import PROGRAMS, Right, absent
from tests.auditing.right_trees import number as cell


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
    asking = [number for number, node in enumerate(tree.nodes) if isinstance(node.test, Threshold)]
    if not asking:
        return
    number = chance.choice(asking)
    numbers, test = table.schema.numbers, tree.nodes[number].test
    sample = arriving(tree, table)[number]
    assert isinstance(test, Threshold)
    cuts = [one for one in sorted(numbers[test.attribute]) if one != test.threshold]
    others = [(test.attribute, Fraction(chance.choice(cuts)) + Fraction(1, 16))]
    names = [one.name for one in table.schema.attributes if one.name != test.attribute and one.values is None]
    name = chance.choice(names)
    others.append((name, Fraction(chance.choice(sorted(numbers[name]))) + Fraction(1, 16)))
    for (name, at), kind in zip(others, ("threshold", "attribute"), strict=True):
        other = replace(test, attribute=name, threshold=at, interval=None)
        if _sizes(sample, other) not in (_sizes(sample, test), _sizes(sample, test)[::-1]):
            yield _changed(tree, number, kind, test=other)
    yield from _answers(tree, chance)
    yield from _counts(tree, chance)
    yield from _cuts(tree, table, chance)


def _answers(tree: Tree, chance: Random) -> Iterator[Planted]:
    if (classes := tree.target.values) is not None:
        end = chance.choice(tree.leaves())
        label = chance.choice([one for one in classes if one != tree.nodes[end].label])
        yield _changed(tree, end, "answer", label=label, tied=())


def _counts(tree: Tree, chance: Random) -> Iterator[Planted]:
    """A row more of some class at a leaf, where the tree states numbers of rows."""
    if Statements(tree).has_counts and tree.target.values is not None and "weights" not in tree.silent:
        end = chance.choice(tree.leaves())
        counts, place = list(tree.nodes[end].counts), chance.randrange(len(tree.target.values))
        counts[place] += 3
        yield _changed(tree, end, "counts", counts=tuple(counts))


def _changed(tree: Tree, number: int, kind: str, **changes: Any) -> Planted:
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], **changes)
    return Planted(kind, replace(tree, nodes=tuple(nodes)), number)


def _sizes(sample: Sample, test: Threshold) -> list[Sequence[Any]]:
    """The counts of the branches, of rows that have a value."""
    return [one.total() for one in sample.split(test, Missing(to=0))]


def arriving(tree: Tree, table: rt.Table) -> dict[int, Sample]:
    """The rows at each node."""
    found, pending = dict[int, Sample](), [(0, table.sample())]
    while pending:
        number, sample = pending.pop()
        found[number], node = sample, tree.nodes[number]
        if node.test is not None:
            pending += zip(node.branches, sample.split(node.test, node.missing), strict=True)
    return found


def _cuts(tree: Tree, table: rt.Table, chance: Random) -> Iterator[Planted]:
    """A leaf in the place of a subtree that no bound and no price takes away: weaker, smaller and deeper ones stay."""
    if tree.target.values is None:
        return
    totals = {number: sample.total() for number, sample in arriving(tree, table).items()}
    depths = tree.depths()
    asking = [number for number, node in enumerate(tree.nodes) if node.test is not None]
    strength = {number: list(map(partial(_strength, tree, totals, number), (_gini, _errors))) for number in asking}
    for number in chance.sample(asking[1:], len(asking) - 1):
        below = {number, *_below(tree, number)}
        others = [one for one in asking if one not in below and number not in _below(tree, one)]
        is_weaker = [
            all(ours > theirs for ours, theirs in zip(strength[number], strength[one], strict=True)) for one in others
        ]
        is_smaller = [2 * sum(totals[one]) < sum(totals[number]) and depths[one] > depths[number] for one in others]
        if any(is_weaker) and any(is_smaller):
            best = max(range(len(totals[number])), key=totals[number].__getitem__)
            label = table.schema.target.domain[best]
            end = replace(leaf(tree.nodes[number], "unknown"), label=label)
            yield Planted("cut", assemble(tree, {number: end}), number)
            return


def _below(tree: Tree, number: int) -> Iterator[int]:
    pending = list(tree.nodes[number].branches)
    while pending:
        yield (one := pending.pop())
        pending += tree.nodes[one].branches


def _strength(tree: Tree, totals: Mapping[int, Sequence[Any]], number: int, impurity: Callable[..., float]) -> float:
    """What a leaf of the subtree takes from the impurity, and what the question of its root takes; the lesser."""
    ends = [one for one in _below(tree, number) if tree.nodes[one].test is None]
    whole = impurity(totals[number])
    price = (whole - sum(impurity(totals[one]) for one in ends)) / (len(ends) - 1)
    return min(price, _gini(totals[number]) - sum(_gini(totals[one]) for one in tree.nodes[number].branches))


def _gini(counts: Sequence[Any]) -> float:
    whole = float(sum(counts))
    return whole - sum(float(one) ** 2 for one in counts) / whole if whole else 0.0


def _errors(counts: Sequence[Any]) -> float:
    return float(sum(counts) - max(counts))


def _is_grown(right: Right, tree: Tree, audit: Any) -> bool:
    """Whether scikit-learn itself grows a tree by the options that an audit supposes, so that nothing is wrong."""
    supposed = audit.supposed
    if not supposed.names or supposed.price:
        return False
    options: dict[str, Any] = dict(supposed.options)
    for name in {*options} - {"criterion"}:
        options[name] = int(options[name]) if options[name] == int(options[name]) else float(options[name])
    trees = importlib.import_module("sklearn.tree")
    names = [one.name for one in right.table.schema.attributes]
    rows = [[cell(row[name]) for name in names] for row in right.table.rows()]
    classes = right.table.schema.target.values
    labels = [row["y"] if classes else cell(row["y"]) for row in right.table.rows()]
    kind = trees.DecisionTreeClassifier if classes else trees.DecisionTreeRegressor
    model = kind(random_state=0, max_leaf_nodes=supposed.max_leaves, **supposed.told, **options).fit(rows, labels)
    text = trees.export_text(model, feature_names=names, decimals=17, max_depth=1000)
    return shape(printed(right._replace(tree=text)), right.table) == shape(tree, right.table)


def shape(tree: Tree, table: rt.Table) -> list[object]:
    """The rows at each node, and the answers of leaves."""
    samples = arriving(tree, table)
    return [(samples[number].total(), node.test is None and node.label) for number, node in enumerate(tree.nodes)]


def outcome(right: Right, one: Planted) -> str | None:
    """Whether the node is named; None for a fault that ties, or moves no row."""
    strict = rt.audit(one.tree, right.table, assume="none")
    verdicts = {fault.verdict for fault in strict.at(one.node).faults}
    if not verdicts - ({"split-too-far"} if one.kind == "cut" else {"stopped-early", "split-too-far"}):
        return None
    audit = rt.audit(one.tree, right.table)
    named = [finding.number for finding in audit.wrong if finding.cause is None]
    what = "named alone" if named == [one.node] else "named" if one.node in named else "missed"
    if what == "missed" and right.program == "scikit-learn" and _is_grown(right, one.tree, audit):
        return "no fault"
    if what == "missed":
        print(
            f"missed: {right.program} {right.form} {right.options}: {one.kind} at {one.node}: {str(audit)[:500]}",
            flush=True,
        )
    return what


def main(words: Sequence[str]) -> int:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--programs", default="scikit-learn,rpart,J48")
    options = parser.parse_args(words)
    found: Counter[tuple[str, ...]] = Counter()
    with suppress(KeyboardInterrupt):  # what was counted is printed
        for program in options.programs.split(","):
            if why := absent(program):
                print(f"{program.upper()} IS NOT TRIED: {why}")
                continue
            rights = PROGRAMS[program](range(options.first, options.first + options.tables))
            for place, right in enumerate(rights):
                chance = Random(place + 1000 * options.first)
                if (
                    right.form in ("object", "tables")
                    or len(right.table) > options.rows
                    or chance.random() > options.share
                ):
                    continue
                for one in planted(printed(right), right.table, chance):
                    if one.kind == "cut" and ("prior" in right.options or "class_weight" in right.options):
                        continue  # its weaker subtrees are others
                    if (what := outcome(right, one)) is not None:
                        found[program, right.form, one.kind, what] += 1
    for key, count in sorted(found.items()):
        print(f"{key[0]:14}{key[1]:20}{key[2]:12}{key[3]:14}{count:6}")
    missed = sum(count for key, count in found.items() if key[-1] == "missed")
    print(f"{sum(found.values())} planted, {missed} missed")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
