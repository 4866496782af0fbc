"""The place of a node: the facts about the tree above it that a decision may use.

Places form a linked list from the node up to the root, so a chain of nodes takes linear memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from reference_tree.data.missing import REFUSED, Missing
from reference_tree.data.questions import Test, path_step
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute, Schema
from reference_tree.tree import Label


class Answer(NamedTuple):
    """The prediction of a node as a leaf."""

    label: Label
    """The predicted class or number."""
    counts: Counts
    """The weight of each class among the rows of the node, or of its parent if it has none."""
    tied: tuple[str, ...] = ()
    """All classes that share the majority, if more than one does."""
    prior: bool = False
    """Whether it is the parent's answer, because no row reaches the node."""

    @classmethod
    def among(cls, labels: Sequence[str], counts: Counts) -> Answer:
        """The answer with the first of the equally good classes; it records all if there are several."""
        return cls(labels[0], counts, tuple(labels) if len(labels) > 1 else ())


def answer_above(inherited: Answer | None) -> Answer:
    """The answer of a node that no row reaches: that of the node above.

    Args:
        inherited: the answer of the node above.

    Raises:
        ValueError: there is no node above.

    Example:
        >>> answer_above(Answer("no", (5, 5), tied=("no", "yes")))
        Answer(label='no', counts=(5, 5), tied=(), prior=True)

    Source:
        [N2 §1 case 3]
    """
    if inherited is None:
        raise ValueError("no row reaches the root, so it has neither a majority nor a mean")
    return inherited._replace(tied=(), prior=True)


class Place(NamedTuple):
    """The place of a node in a tree.

    Source:
        [N0 EN §3.1 step (6)], [N1 §1.4 step 6], [N2 §1 case 3]
    """

    parent: Place | None
    """The place above; None at the root."""
    test: Test | None
    """The question of the node above."""
    branch: int
    """The branch that leads here."""
    depth: int
    """The depth of the node; the root has depth 0."""
    available: frozenset[str]
    """The attributes that may still be tested."""
    inherited: Answer | None
    """The answer of the node above, which an empty branch inherits."""
    holdout: Sample | None = None
    """The validation rows that reach the node, if the learner uses them."""
    everyone: Counts = ()
    """The counts at the root, the weight of each class or moments: the base of shares of the whole sample."""
    key: bytes = b""
    """A key of the path from the root, for draws that do not depend on the order of growth. It is empty at the root;
    below, it is the SHA-256 digest of the key above and the number of the branch in eight bytes."""

    @classmethod
    def root(cls, sample: Sample, holdout: Sample | None = None) -> Place:
        """The place of the root."""
        available = frozenset(attribute.name for attribute in sample.schema.attributes)
        return cls(None, None, 0, 0, available, None, holdout, sample.total())

    def attributes(self, schema: Schema) -> list[Attribute]:
        """The attributes that may still be tested, in table order."""
        return [attribute for attribute in schema.attributes if attribute.name in self.available]

    def child(self, test: Test, branch: int, answer: Answer, holdout: Sample | None = None) -> Place:
        """The place below a branch. A multiway split uses up its attribute: below it only one value is left."""
        available = self.available - {test.attribute} if test.kind == "multiway" else self.available
        key = sha256(self.key + branch.to_bytes(8, "big")).digest()
        return Place(self, test, branch, self.depth + 1, available, answer, holdout, self.everyone, key)

    def children(
        self, sample: Sample, test: Test, answer: Answer, missing: Missing = REFUSED
    ) -> list[tuple[Place, Sample]]:
        """The places below a test, each with the part of the sample that goes there, in branch order."""
        parts = sample.split(test, missing)
        held = [None for _ in parts] if self.holdout is None else self.holdout.split(test, missing)
        return [
            (self.child(test, branch, answer, rows), part)
            for branch, (part, rows) in enumerate(zip(parts, held, strict=True))
        ]

    def steps(self) -> list[tuple[int, str]]:
        """The path from the root: for each step the number of the branch and its condition."""
        steps: list[tuple[int, str]] = []
        place: Place | None = self
        while place is not None and place.test is not None:
            steps.append((place.branch, path_step(place.test, place.branch)))
            place = place.parent
        return steps[::-1]

    def is_at(self, path: Sequence[str]) -> bool:
        """Whether these steps lead from the root to this place; each is a condition or a branch number."""
        if len(path) != self.depth:
            return False
        return all(
            step in (str(branch), condition) for step, (branch, condition) in zip(path, self.steps(), strict=True)
        )


def path_text(place: Place) -> str:
    """The path of a place: `/` for the root, `/outlook=sunny/humidity=high` for a descendant.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> path_text(Place.root(textbook("play-tennis").sample()))
        '/'
    """
    return "/" + "/".join(condition for _, condition in place.steps())
