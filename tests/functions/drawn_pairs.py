"""Drawn pairs of models, the same function in other trees or nearly so, and every row that tells them apart.

`python -m tests.functions.drawn_pairs 5000` tries so many pairs. A row is asked by `predict` alone: nothing here knows
of cells, boxes or polynomials.
"""

from __future__ import annotations

import itertools
import math
import struct
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.held import Form
from reference_tree.data.questions import Missing, Multiway, Subset, Surrogate, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble, Member
from reference_tree.functions.equivalence import Equivalence
from reference_tree.node import Node
from reference_tree.tree import Tree

COLOURS = ("blue", "green", "red")
CUTS = (Fraction(0), Fraction(1, 10), Fraction(0.1), Fraction(1))
FORMS: tuple[Form, ...] = ("written", "exact", "double", "float32")
Nodes = list[Node]


def attributes(form: Form) -> tuple[Attribute, ...]:
    return Attribute("a", held=form), Attribute("b", held=form), Attribute("c", COLOURS)


def drawn_test(chance: Random, *, multiway: bool) -> Test:
    name = chance.choice("abbc" if chance.random() < 0.5 else "ac")
    if name != "c":
        return Threshold(name, chance.choice(CUTS), strict=chance.random() < 0.3)
    some = tuple(colour for colour in COLOURS if chance.random() < 0.5) or COLOURS[:1]
    return Multiway("c", COLOURS) if multiway and chance.random() < 0.5 else Subset("c", some)


def drawn_gap(chance: Random, branches: int, kinds: str) -> Missing:
    """A rule for gaps, among some kinds: a branch, divided, staying, refused, a surrogate."""
    kind = chance.choice(kinds)
    if kind == "d":
        part = Fraction(chance.randint(0, 3), 3)
        return Missing(shares=(part, 1 - part, *[Fraction(0)] * (branches - 2)))
    if kind == "s" and branches == 2:
        return Missing(surrogates=(Surrogate(Threshold("a", 1), (1, 0), Fraction(1)),), to=0)
    if kind == "t":
        return Missing(stays=True)
    return Missing() if kind == "r" else Missing(to=chance.randrange(branches))


def joined(test: Test, missing: Missing, *below: Nodes) -> Nodes:
    """A node above some trees, in preorder."""
    branches, nodes = [], list[Node]()
    for tree in below:
        start = 1 + len(nodes)
        branches.append(start)
        nodes += [replace(node, branches=tuple(branch + start for branch in node.branches)) for node in tree]
    first = below[0][0]
    return [Node(first.counts, first.label, test, tuple(branches), missing=missing), *nodes]


def drawn_nodes(chance: Random, depth: int, kinds: str, *, multiway: bool = False, classes: int = 0) -> Nodes:
    if not depth or chance.random() < 0.2:
        if not classes:
            value = chance.randint(0, 2)
            return [Node((1, value, value * value), value, stop="max-depth")]
        counts = [chance.randint(0, 2) for _ in range(classes)]
        counts[chance.randrange(classes)] += 1
        # Of a tie any class may be the label; and a learner with losses may choose any class at all.
        label = chance.randrange(classes) if chance.random() < 0.1 else counts.index(max(counts))
        return [Node(tuple(counts), "xyz"[label], stop="max-depth")]
    test = drawn_test(chance, multiway=multiway)
    ways = len(test.outcomes)
    below = [drawn_nodes(chance, depth - 1, kinds, multiway=multiway, classes=classes) for _ in range(ways)]
    return joined(test, drawn_gap(chance, ways, kinds), *below)


def drawn_model(chance: Random, target: str) -> Ensemble | Tree:
    """A sum, a mean, a vote, a logistic sum, or a tree of classes; small enough to have equals."""
    form = chance.choice(FORMS)
    kinds = chance.choice(
        ["b", "b", "bs", "r"] if target in ("vote", "classes", "mean", "logistic") else ["b", "bdts", "r"]
    )
    many = chance.random() < 0.3
    classes = 3 if target in ("vote", "classes", "mean") else 0
    of = (
        Attribute("y", ("x", "y", "z"))
        if classes
        else Attribute("y", ("n", "y"))
        if target == "logistic"
        else Attribute("y")
    )
    of_tree = of if classes else Attribute("y")

    def tree() -> Tree:
        return Tree(of_tree, attributes(form), tuple(drawn_nodes(chance, 2, kinds, multiway=many, classes=classes)))

    if target == "classes":
        return tree()
    members = tuple(Member(tree(), chance.choice([1, 1, Fraction(1, 2)])) for _ in range(chance.randint(1, 3)))
    starts = (chance.randint(-2, 0),) if target in ("sum", "logistic") else ()
    return Ensemble(of, attributes(form), members, target, start=starts)


def restructured(chance: Random, model: Ensemble | Tree) -> Ensemble | Tree:
    """The same function in other trees."""
    if isinstance(model, Tree):
        return replace(model, nodes=tuple(_same(chance, model)))
    members = [
        member._replace(tree=replace(member.tree, nodes=tuple(_same(chance, member.tree)))) for member in model.members
    ]
    if model.combine in ("sum", "logistic") and chance.random() < 0.5:  # half of a tree twice
        half = members[0]._replace(weight=Fraction(members[0].weight) / 2)
        members = [half, *members[1:], half]
    chance.shuffle(members)
    return replace(model, members=tuple(members))


def _same(chance: Random, tree: Tree) -> Nodes:
    nodes = list(tree.nodes)
    form = tree.attributes[0].held
    for place, node in enumerate(nodes):
        test = node.test
        if isinstance(test, Threshold) and form in ("double", "exact") and chance.random() < 0.5:
            last = float(test.threshold)
            if not (Fraction(last) < test.threshold if test.strict else Fraction(last) <= test.threshold):
                last = math.nextafter(last, -math.inf)
            strict = chance.random() < 0.5
            cut = math.nextafter(last, math.inf) if strict else last
            nodes[place] = replace(node, test=Threshold(test.attribute, Fraction(cut), strict=strict))
    if chance.random() < 0.6:  # below a test that decides nothing
        nodes = joined(drawn_test(chance, multiway=False), Missing(to=0), nodes, nodes)
    return nodes


def changed(chance: Random, model: Ensemble | Tree) -> Ensemble | Tree:
    """One node of it, or the start, has another number; often without effect."""
    if isinstance(model, Ensemble) and model.start and chance.random() < 0.1:
        return replace(model, start=(model.start[0] + 1,))
    tree = model if isinstance(model, Tree) else chance.choice(model.members).tree
    place = chance.randrange(len(tree.nodes))
    node, nodes = tree.nodes[place], list(tree.nodes)
    if node.test is None:
        nodes[place] = chance.choice([other for other in tree.nodes if other.test is None])
    elif isinstance(node.test, Threshold):
        nodes[place] = replace(node, test=replace(node.test, threshold=chance.choice(CUTS)))
    elif node.missing.to is not None:
        nodes[place] = replace(node, missing=replace(node.missing, to=0))
    now = replace(tree, nodes=tuple(nodes))
    if isinstance(model, Tree):
        return now
    return replace(model, members=tuple(one._replace(tree=now) if one.tree is tree else one for one in model.members))


def singles(number: float) -> list[float]:
    """The float32 nearest to a number, and its neighbours."""
    (bits,) = struct.unpack("<i", struct.pack("<f", number + 0.0))
    near = [bits, bits + 1, bits - 1] if bits else [0, 1, -(2**31) + 1]
    return [struct.unpack("<f", struct.pack("<i", each))[0] for each in near]


def numbers(inputs: str) -> list[float]:
    """Numbers on both sides of each cut, whatever form holds them."""
    found = {-1.0, 2.0}
    for threshold in map(float, CUTS):
        found.update(singles(threshold))
        if inputs == "double":
            middle = [(one + other) / 2 for one, other in itertools.pairwise(sorted(singles(threshold)))]
            for each in (threshold, *middle):
                found.update((each, math.nextafter(each, -9), math.nextafter(each, 9)))
    return sorted(found)


def signature(name: str, value: Any, models: Sequence[Ensemble | Tree]) -> tuple[int | None, ...]:
    """What each test of the models says to a value."""
    answers = list[int | None]()
    for model in models:
        for tree in [model] if isinstance(model, Tree) else [member.tree for member in model.members]:
            tests = [
                test for node in tree.nodes for test in (node.test, *(one.test for one in node.missing.surrogates))
            ]
            row = tree.reading({name: value})
            for test in tests:
                if test is not None and test.attribute == name:
                    try:
                        answers.append(test.branch(row))
                    except InputError:
                        answers.append(-1)
    return tuple(answers)


def rows(inputs: str, outside: Sequence[str], models: Sequence[Ensemble | Tree]) -> Iterator[dict[str, Any]]:
    """All rows that the tests of some models tell apart, but for what a model refuses."""
    values: list[list[Any]] = [[*numbers(inputs), None], [*numbers(inputs), None], [*COLOURS, "pink", None]]
    for place, name in enumerate("abc"):
        told_apart = {signature(name, value, models): value for value in values[place][::-1]}  # the first of equals
        values[place] = list(told_apart.values())
        for refused, value in ((f"missing {name}", None), (f"other {name}", "pink")):
            if refused in outside and value in values[place]:
                values[place].remove(value)
    for row in itertools.product(*values):
        yield dict(zip("abc", row, strict=True))


def scores(model: Ensemble | Tree, row: dict[str, Any]) -> Any:
    """What is compared, by the model alone: the exact number, the margin, or the share of each class."""
    if isinstance(model, Tree):
        return model.distribution(row)
    if model.combine == "logistic":
        return model.votes(row).scores["y"]
    return model.predict(row) if model.combine == "sum" else model.distribution(row)


def check_pair(chance: Random, inputs: str = "") -> Equivalence:
    """Draw a pair, and compare the verdict with what all rows say."""
    inputs = inputs or chance.choice(["double", "double", "float32"])
    target = chance.choice(["sum", "sum", "sum", "mean", "vote", "logistic", "classes"])
    one = drawn_model(chance, target)
    kind = chance.random()
    other = restructured(chance, one) if kind < 0.8 else drawn_model(chance, target)
    if kind > 0.4:
        other = changed(chance, other)
    said = rt.equivalent(one, other, inputs=inputs)  # type: ignore[arg-type]
    all_rows = list(rows(inputs, said.outside, (one, other)))
    pairs = [(scores(one, row), scores(other, row)) for row in all_rows]
    labels = [isinstance(one, Tree) and one.predict(row) != other.predict(row) for row in all_rows]
    same = all(first == second for first, second in pairs) and not any(labels)
    assert (said.verdict in ("same answers", "same scores")) == same, (one, other, said)
    if said.verdict == "same class":
        assert all(one.predict(row) == other.predict(row) for row in all_rows)
    if said.verdict == "different":
        assert said.row is not None
        row = dict.fromkeys("abc") | dict(said.row)
        first, second = scores(one, row), scores(other, row)
        assert first != second or one.predict(row) != other.predict(row)
        if target != "sum" and any(one.predict(row) != other.predict(row) for row in all_rows):
            assert said.answers is not None
            assert said.answers[0] != said.answers[1]
        if first == second:
            return said
        gap = first[said.score] - second[said.score] if isinstance(first, dict) else first - second
        assert gap == said.difference
    if target == "sum":
        _check_tolerance(one, other, inputs, pairs, said)
    complete = all(
        first == second and not other_label
        for (first, second), other_label, row in zip(pairs, labels, all_rows, strict=True)
        if None not in row.values() and row["c"] != "pink"
    )
    prints = [rt.fingerprint(model, inputs=inputs, complete=True) for model in (one, other)]  # type: ignore[arg-type]
    assert (prints[0] == prints[1]) == complete
    return said


def _check_tolerance(one: Any, other: Any, inputs: Any, pairs: list[tuple[Any, Any]], said: Equivalence) -> None:
    gaps = [first - second for first, second in pairs]
    try:
        near = rt.equivalent(one, other, inputs=inputs, tolerance=1)
    except InputError as error:
        if "divided" in str(error):
            return
        raise
    if said.verdict == "different":
        assert near.verdict == ("same within" if max(map(abs, gaps)) <= 1 else "different")
        if near.bounds is not None:
            assert near.bounds[0] <= min(gaps)
            assert max(gaps) <= near.bounds[1]


if __name__ == "__main__":
    drawn = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    verdicts = Counter(check_pair(drawn).verdict for _ in range(int(sys.argv[1])))
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())))
