"""The place of a node: the facts about the tree above that a decision may use, and the choices that are made by place.

1. A `Place` has the path of the node. Places form a linked list from the node up to the root, so a chain of nodes takes
   linear memory.
2. An `Answer` is the prediction of a node as a leaf: the majority class, the mean, or the class of least cost. An empty
   node has that of the place above.
3. `Ties` are overrides of exact ties, by path. By default the first winner in the learner's order is taken (first
   attribute in table order, lowest threshold), and the first class in class order. A figure in a book may depend on
   another choice, so an *override* can name, for a node, the one of its *exact* ties to take. Overrides are part of the
   learner's options, and choose only among ties: anything else is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from reference_tree.data.errors import InputError, wording
from reference_tree.data.questions import REFUSED, Missing, Test, parse_path, path_step
from reference_tree.data.sample import Counts, Sample
from reference_tree.data.schema import Attribute, Schema
from reference_tree.data.targets import most_common
from reference_tree.exact.rationals import simplest
from reference_tree.measures.misclassification import Costs
from reference_tree.measures.variance import Moments, mean
from reference_tree.splitting.candidate import Candidate
from reference_tree.tree import Label, Tree


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


class Place(NamedTuple):
    """The place of a node in a tree.

    Source:
        [N0 EN §3.1 step (6)], [N1 §1.4 step 6], [N2 §1 case 3]
    """

    parent: Place | None
    """The place above; None at the root."""
    test: Test | None
    """The test of the node above."""
    branch: int
    """The branch that leads here."""
    depth: int
    """The depth of the node; the root has depth 0."""
    available: frozenset[str]
    """The attributes that may still be tested."""
    inherited: Answer | None
    """The prediction of the node above, which an empty branch inherits."""
    holdout: Sample | None = None
    """The validation rows that reach the node, if the learner uses them."""
    everyone: Counts = ()
    """The counts at the root, the weight of each class or moments: the base of shares of the whole sample."""
    key: bytes = b""
    """A key of the path from the root, for draws that do not depend on the order of growth. It is empty at the root."""

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
        # A cut or a set of values may be narrowed further down by the same attribute; its values are not used up.
        available = self.available - {test.attribute} if test.kind == "multiway" else self.available
        key = key_below(self.key, branch)
        return Place(self, test, branch, self.depth + 1, available, answer, holdout, self.everyone, key)

    def children(
        self, sample: Sample, test: Test, answer: Answer, missing: Missing = REFUSED
    ) -> list[tuple[Place, Sample]]:
        """The places below a test, each with the part of the sample that goes there, in branch order."""
        # The validation rows go down by the same rule for missing values, with the shares of training: they must not
        # shape the tree.
        parts = sample.split(test, missing)
        held = [None for _ in parts] if self.holdout is None else self.holdout.split(test, missing)
        return [
            (self.child(test, branch, answer, rows), part)
            for branch, (part, rows) in enumerate(zip(parts, held, strict=True))
        ]

    def steps(self) -> list[tuple[int, str]]:
        """The path from the root: for each step the number of the branch and its condition."""
        # From the node up, as the list is linked; hence turned round in the end.
        steps: list[tuple[int, str]] = []
        place: Place | None = self
        while place is not None and place.test is not None:
            steps.append((place.branch, path_step(place.test, place.branch)))
            place = place.parent
        return steps[::-1]

    def is_at(self, path: Sequence[str]) -> bool:
        """Whether these steps lead from the root to this place; each is a condition or a branch number."""
        # Depths are compared first: most overrides are for other nodes, and their paths need not be walked.
        if len(path) != self.depth:
            return False
        return all(
            step in (str(branch), condition) for step, (branch, condition) in zip(path, self.steps(), strict=True)
        )


def key_below(key: bytes, branch: int) -> bytes:
    """The key of a place below another: the SHA-256 digest of the key above and the number of the branch in 8 bytes."""
    # A digest has a fixed length, so the key of a deep node costs no more than that of the root's child; and no two
    # paths have one key, as far as anybody knows.
    return sha256(key + branch.to_bytes(8, "big")).digest()


def path_text(place: Place) -> str:
    """The path of a place: `/` for the root, `/outlook=sunny/humidity=high` for a descendant.

    Example:
        >>> from reference_tree.data.textbook import textbook
        >>> path_text(Place.root(textbook("play-tennis").sample()))
        '/'
    """
    return "/" + "/".join(condition for _, condition in place.steps())


# The prediction of a node.


def answer_of(target: Attribute, total: Counts, inherited: Answer | None) -> Answer:
    """The prediction of a node as a leaf: the majority class, or the mean of a numeric target.

    Args:
        target: the attribute that is predicted.
        total: the weight of each class, or the moments of a numeric target.
        inherited: the prediction of the node above, for a sample without rows.

    Raises:
        ValueError: the sample has no rows, and there is no node above.

    Example:
        >>> answer_of(Attribute("y"), (3, 9, 41), None).label      # of the numbers 1, 2 and 6
        3
    """
    if target.values is not None:
        return majority(target, total, inherited)
    return Answer(simplest(mean(Moments(*total))), total) if total[0] else answer_above(inherited)


def majority(target: Attribute, counts: Counts, inherited: Answer | None) -> Answer:
    """The class with the most weight, the first in class order among equals; without any rows, the prediction above.

    Args:
        target: the classes, in order.
        counts: the weight of each class.
        inherited: the prediction of the node above.

    Raises:
        ValueError: there are no rows, and there is no node above.

    Example:
        >>> majority(Attribute("play", ("no", "yes")), (5, 5), None)
        Answer(label='no', counts=(5, 5), tied=('no', 'yes'), prior=False)

    Source:
        [N0 EN §3.1 step (2)], [N1 §1.4 step 2], [N2 §1 case 3]. N0 writes the class of max |c_j|; it is the class
        with the most samples.
    """
    if not any(counts):
        return answer_above(inherited)
    # Exact weights: equal majorities are equal numbers, and all of them are listed. The first in class order is the
    # label unless an override says otherwise.
    labels = most_common(target, counts)
    return Answer(labels[0], counts, tuple(labels) if len(labels) > 1 else ())


def cheapest(target: Attribute, counts: Counts, costs: Costs, inherited: Answer | None) -> Answer:
    """The class of least expected cost, the first in class order among equals; without any rows, the prediction above.

    Args:
        target: the classes, in order.
        counts: the weight of each class.
        costs: priors and losses.
        inherited: the prediction of the node above.

    Example:
        >>> play = Attribute("play", ("no", "yes"))
        >>> cheapest(play, (1, 4), Costs((1, 1), ((0, 5), (1, 0))), None).label       # it is dear to miss a "no"
        'no'

    Source:
        [Breiman1984 §2.4]
    """
    if not any(counts):
        return answer_above(inherited)
    labels = costs.cheapest(target, counts)
    return Answer(labels[0], counts, tuple(labels) if len(labels) > 1 else ())


def answer_above(inherited: Answer | None) -> Answer:
    """The prediction of a node that no row reaches: that of the node above.

    Args:
        inherited: the prediction of the node above.

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
    # The tie was one of the rows above, and there is no row here whose majority could be tied.
    return inherited._replace(tied=(), prior=True)


# Overrides of ties, by the path of the node.


@dataclass(frozen=True)
class Ties:
    """The overrides of a learner, by the path of the node.

    Args:
        choose: path → the attribute to test there, or the condition of its first branch (`humidity<=75`).
        label: path → the class to predict there.

    Example:
        >>> Ties(choose={"/": "outlook"}).options()
        {'/': {'choose': 'outlook'}}
    """

    choose: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, place: Place, winners: Sequence[Candidate], usual: Candidate) -> Candidate:
        """The winner to take: the one that the override names, otherwise the usual one.

        Raises:
            InputError: the override names no winner, or the node has two.
        """
        wanted = _at(self.choose, place, "choose") if self.choose else None
        if wanted is None:
            return usual
        # An override chooses among exact winners, and never makes a worse test: a learner that takes one is still the
        # learner.
        named_winners = [winner for winner in winners if wanted in (winner.test.attribute, winner.test.name)]
        if not named_winners:
            named = ", ".join(winner.test.name for winner in winners)
            raise _refused("choose", place, wanted, f"that is no exact winner there; the winners are {named}")
        return named_winners[0]

    def labelled(self, place: Place, answer: Answer) -> Answer:
        """The prediction with the label that the override names, otherwise unchanged.

        Raises:
            InputError: the override names no majority class, or the node has two.
        """
        wanted = _at(self.label, place, "label") if self.label else None
        if wanted is None or wanted == answer.label:
            return answer
        if wanted not in answer.tied:
            named = ", ".join(answer.tied or (str(answer.label),))
            raise _refused("label", place, wanted, f"that is no majority class there; it is {named}")
        return answer._replace(label=wanted)

    @property
    def any(self) -> bool:
        """Whether there are any overrides."""
        return bool(self.choose or self.label)

    def check(self, tree: Tree) -> None:
        """Check that every override has an effect on a tree: its node exists, and no test is chosen for a leaf.

        Raises:
            InputError: an override has no effect.
        """
        for path in self.paths():
            node = tree.nodes[tree.find(path)]
            if path in self.choose and node.test is None:
                override = override_text("choose", path, self.choose[path])
                raise InputError(f"{override}: that node is a leaf ({node.stop})")

    def paths(self) -> Iterable[str]:
        """The paths of all overrides."""
        return dict.fromkeys([*self.choose, *self.label])

    def options(self) -> dict[str, dict[str, str]]:
        """The overrides in the form of a document: path → the choice there."""
        named = {"choose": self.choose, "label": self.label}
        return {path: {kind: at[path] for kind, at in named.items() if path in at} for path in self.paths()}

    @classmethod
    def of(cls, options: Mapping[str, Mapping[str, str]]) -> Ties:
        """The overrides that `options` wrote.

        Raises:
            KeyError: an override is of neither kind.
        """
        overrides: dict[str, dict[str, str]] = {"choose": {}, "label": {}}
        for path, at in options.items():
            for kind, wanted in at.items():
                overrides[kind][path] = wanted
        return cls(**overrides)


def override_text(override: str, path: str, wanted: str) -> str:
    """The text of an override as it was given."""
    return wording(f"Ties({override}={{{path!r}: {wanted!r}}})", f"--{override} {path} {wanted}")


def _refused(override: str, place: Place, wanted: str, why: str) -> InputError:
    return InputError(f"{override_text(override, path_text(place), wanted)}: {why}")


def _at(overrides: Mapping[str, str], place: Place, kind: str) -> str | None:
    """The override for a place, if there is one. Paths are compared step by step, so branch numbers match as well."""
    # A path can be spelled by conditions or by branch numbers; two spellings of one node with two wishes would
    # contradict.
    paths = [path for path in overrides if place.is_at(parse_path(path))]
    if len(paths) > 1:
        raise InputError(f"{kind}: {' and '.join(paths)}: these are one node; say what to do there once")
    return overrides[paths[0]] if paths else None
