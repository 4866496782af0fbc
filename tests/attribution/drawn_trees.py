"""Drawn trees: small trees of every kind of test and every rule for gaps, and rows whose cells lie on their cuts."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from reference_tree.attribution.summands import Summand
from reference_tree.data.linear_tests import Coordinate
from reference_tree.data.questions import REFUSED, Linear, Missing, Multiway, Subset, Surrogate, Test, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.tree import Node, Tree

COLOURS = ("red", "green", "blue")
ATTRIBUTES = (Attribute("a"), Attribute("b"), Attribute("c", COLOURS), Attribute("d", ("s", "t")), Attribute("e"))
CUTS = (0, 1, Fraction(3, 2), 2)


def drawn_test(chance: Random) -> Test:
    """A threshold with either comparison, a set, or a branch for each value; attributes recur on a path."""
    name = chance.choice("aabbcd")
    if name in "ab":
        return Threshold(name, chance.choice(CUTS), strict=chance.random() < 0.5)
    domain = next(one.domain for one in ATTRIBUTES if one.name == name)
    return Subset(name, (chance.choice(domain),)) if chance.random() < 0.5 else Multiway(name, domain)


def drawn_gap(chance: Random, branches: int) -> Missing:
    """A rule for rows without an answer."""
    shares = [Fraction(chance.randint(0, 3)) for _ in range(branches)]
    if sum(shares) == 0:
        shares[0] = Fraction(1)
    return chance.choice([
        Missing(to=chance.randrange(branches)),
        Missing(shares=tuple(share / sum(shares) for share in shares)),
        Missing(stays=True),
    ])  # fmt: skip


def drawn_tree(chance: Random, most: int = 4, *, refusing: bool = False, special: bool = False) -> Summand:
    """A tree with covers, where leaves may have none.

    Args:
        chance: the generator.
        most: the largest depth.
        refusing: whether some nodes refuse gaps.
        special: whether it has surrogates and tests of two attributes.
    """
    nodes: list[Node] = []
    cover: list[Fraction] = []
    pending: list[tuple[int, int, int]] = [(0, -1, 0)]  # depth, the node above, its branch
    while pending:
        depth, above, branch = pending.pop()
        number = len(nodes)
        if above >= 0:
            branches = [*nodes[above].branches]
            branches[branch] = number
            nodes[above] = _replaced(nodes[above], tuple(branches))
        value = Fraction(chance.randint(-8, 8), chance.randint(1, 4))
        if depth == most or (depth and chance.random() < 0.25):
            nodes.append(Node((1, value, value * value), value, stop="max-depth"))
            cover.append(Fraction(chance.randint(0, 5), chance.randint(1, 3)))
            continue
        test = drawn_test(chance)
        if special and chance.random() < 0.3:
            test = Linear(((Coordinate("a"), 1), (Coordinate("b"), -1)), chance.randint(-1, 1))
        ways = len(test.outcomes)
        missing = drawn_gap(chance, ways)
        if special and ways == 2 and chance.random() < 0.5:
            missing = Missing(surrogates=(Surrogate(Threshold("e", 1), (1, 0), Fraction(1)),), to=0)
        if refusing and chance.random() < 0.3:
            missing = REFUSED
        nodes.append(Node((1, value, value * value), value, test, (0,) * ways, missing=missing))
        cover.append(Fraction(chance.randint(1, 9), chance.randint(1, 3)))
        pending += [(depth + 1, number, each) for each in reversed(range(ways))]
    tree = Tree(Attribute("y"), ATTRIBUTES, tuple(nodes))
    return Summand(tree, tuple(Fraction(node.label) for node in nodes), cover)


def _replaced(node: Node, branches: tuple[int, ...]) -> Node:
    return Node(node.counts, node.label, node.test, branches, missing=node.missing)


def drawn_row(chance: Random, *, gaps: bool = True) -> dict[str, Any]:
    """A row whose numbers lie on the cuts, or between them."""
    row: dict[str, Any] = {
        "a": chance.choice([*CUTS, Fraction(1, 2), -1, 3]),
        "b": chance.choice([*CUTS, Fraction(1, 2), -1, 3]),
        "c": chance.choice(COLOURS),
        "d": chance.choice("st"),
        "e": chance.choice([0, 1, 2]),
    }
    return {name: None if gaps and chance.random() < 0.15 else cell for name, cell in row.items()}
