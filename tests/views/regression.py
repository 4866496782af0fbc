"""A regression tree written down by hand: the cats of the course by ear and face, with the weight as the target."""

from __future__ import annotations

from fractions import Fraction

from reference_tree.data.questions import Subset, Threshold
from reference_tree.data.schema import Attribute
from reference_tree.measures.variance import moments
from reference_tree.node import Node
from reference_tree.tree import Tree

LEAVES = (("8.4", "7.6", "10.2", "7.2"), ("9.2",), ("15", "18", "20"), ("8.8", "11"))
MEANS = (Fraction("8.35"), Fraction("9.2"), Fraction(53, 3), Fraction("9.9"))


def regression_tree() -> Tree:
    """Two questions on two levels, four leaves; one more that no row reaches."""
    values = [[Fraction(value) for value in leaf] for leaf in LEAVES]

    def counts(*leaves: int) -> tuple[Fraction, ...]:
        return tuple(map(Fraction, moments([value for leaf in leaves for value in values[leaf]])))

    def mean(*leaves: int) -> Fraction:
        n, total, _ = counts(*leaves)
        return total / n

    nodes = (
        Node(counts(0, 1, 2, 3), mean(0, 1, 2, 3), Subset("ear", ("pointy",)), (1, 4)),
        Node(counts(0, 1), mean(0, 1), Subset("face", ("round",)), (2, 3)),
        Node(counts(0), MEANS[0], stop="max-depth"),
        Node(counts(1), MEANS[1], stop="pure"),
        Node(counts(2, 3), mean(2, 3), Threshold("age", Fraction(5, 2)), (5, 8)),
        Node(counts(2, 3), mean(2, 3), Subset("face", ("round",)), (6, 7)),
        Node(counts(2), MEANS[2], stop="max-depth"),
        Node(counts(3), MEANS[3], stop="max-depth"),
        Node((0, 0, 0), mean(2, 3), stop="empty", prior=True),
    )
    attributes = (
        Attribute("ear", ("floppy", "pointy")),
        Attribute("face", ("not round", "round")),
        Attribute("age"),
    )
    return Tree(Attribute("weight"), attributes, nodes)
