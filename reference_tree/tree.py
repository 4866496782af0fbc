"""The tree: inner nodes with tests, and leaves with answers, grown by a learner of this package or another program.

A tree is a flat list of nodes in preorder: the root first, and every subtree in consecutive places after its root. A
branch is the number of the node it leads to. Nothing here recurses, so a chain of fifty thousand nodes is no problem.

A tree can be read in three ways, and all of them are here: as a procedure that answers rows (`predict`), as a
conditional distribution P(Y|X) (`distribution`), and as a set of if-then rules that exclude one another and leave
nothing out (`rules`). `check` compares it with the data it claims to have been grown from.

A regression tree is the same with numbers instead of classes: its nodes answer with a mean or a median. It has no
distribution, and a mean squared error instead of an accuracy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, NamedTuple, TypeAlias, get_args

from reference_tree.data.asked import AskedRow
from reference_tree.data.errors import InputError, no_such, number_of, option, shown
from reference_tree.data.frames import GivenRow
from reference_tree.data.held import Form
from reference_tree.data.questions import NoRuleError, Test, Threshold, UnseenValueError, parse_path, path_step
from reference_tree.data.sample import Counts, Data
from reference_tree.data.schema import Attribute
from reference_tree.data.spellings import Texts
from reference_tree.data.table import Table
from reference_tree.exact.rationals import Rational, exactly, rational, simplest
from reference_tree.invariants import check_nodes
from reference_tree.measures.class_probability import LeafCounts, estimates
from reference_tree.measures.misclassification import Costs
from reference_tree.node import Deviations, Label, Node, TreeError
from reference_tree.predictor import Predictor
from reference_tree.records import late
from reference_tree.routing import Ends, Unseen, ends, weights_at_ends
from reference_tree.twins import twin

TEXTS = "texts"
"""The key of the options of a document that says of columns how their dates are numbers (`Attribute.texts`)."""

Ways: TypeAlias = list[tuple[int | None, Rational]]
"""Where a row goes from a node: branches, each with its part of the row; None for a branch: the row ends there."""


@dataclass(frozen=True)
class Grower:
    """The record of the learner that grew a tree.

    Args:
        name: the name of the learner; `unknown` for a tree of another program.
        profile: the dialect it followed, if it followed one.
        options: every option it ran with, as text.
        source: for a tree of another program, the program's name, its version and the command.
    """

    name: str = "unknown"
    profile: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)


class Program(NamedTuple):
    """The facts about the program that wrote a foreign tree, apart from the tree.

    Example:
        >>> Program("a program", "1.6", "float32", frozenset({"errors"})).numbers
        'float32'
    """

    name: str
    """The name of the program."""
    version: str | None = None
    """The version of the program, if it is stated."""
    numbers: Form = "exact"
    """The form in which it held the values of attributes: `exact`, `double` or `float32`."""
    silent: frozenset[str] = frozenset()
    """The facts that it does not record about its nodes; these parts were filled in when the tree was read."""
    sums: Form = "exact"
    """The form in which it adds up the values of its trees, one after the other."""

    def holding(self, attributes: tuple[Attribute, ...]) -> tuple[Attribute, ...]:
        """The attributes of its trees, in the form in which it held their values.

        Example:
            >>> (age,) = Program("a program", numbers="float32").holding((Attribute("age"),))
            >>> age.held
            'float32'
        """
        if self.numbers == "exact" or all(one.values is not None or one.held == self.numbers for one in attributes):
            return attributes  # exact numbers were printed, and are taken as written
        return tuple(replace(one, held=self.numbers) if one.values is None else one for one in attributes)


class Rule(NamedTuple):
    """One path from the root to a leaf, as an if-then rule.

    Source:
        [N1 §1.1 (1)]
    """

    conditions: tuple[str, ...]
    """The conditions, which must all hold; empty for a tree that is one leaf."""
    label: Label
    """The conclusion."""
    counts: Counts
    """The counts of the training rows it covers: the weight of each class, or the other counts of a node."""


class Stage(NamedTuple):
    """A node on the path of a row down a tree."""

    number: int
    """The number of the node."""
    share: Rational
    """The share of the row that arrives there."""
    ways: Ways
    """Where it goes: branches, each with its part of that share; None for a branch if the row ends there."""


_HERE: Ways = [(None, 1)]


@dataclass(frozen=True, repr=False)
class Tree(Predictor[Ends, Fraction]):
    """A decision tree.

    Args:
        target: the attribute that it predicts.
        attributes: the attributes that it may ask for, in table order.
        nodes: the nodes in preorder; the root is node 0.
        grower: the learner that grew it.
        program: the program that wrote it; None: it was grown here, or nothing is known.

    Source:
        [N2 §1 definition], [N3 Decision Trees], [N4 Decision trees model: decision nodes]
    """

    called: ClassVar[str] = "tree"

    target: Attribute
    attributes: tuple[Attribute, ...]
    nodes: tuple[Node, ...]
    grower: Grower = Grower()
    program: Program | None = None

    def __post_init__(self) -> None:
        """Let the attributes say how the program of the tree held numbers, and which numbers it made of dates."""
        if self.program is not None:
            self._hold(self.program)

    def _hold(self, program: Program) -> None:
        object.__setattr__(self, "attributes", program.holding(self.attributes))
        if isinstance(texts := self.grower.options.get(TEXTS), Mapping):
            if unknown := set(map(str, texts.values())) - set(get_args(Texts)):
                raise InputError(no_such("way to read dates", min(unknown), get_args(Texts)[1:]))
            read = {one.name: replace(one, texts=texts.get(one.name, "")) for one in (*self.attributes, self.target)}
            object.__setattr__(self, "attributes", tuple(read[one.name] for one in self.attributes))
            object.__setattr__(self, "target", read[self.target.name])

    def __repr__(self) -> str:
        """One line of text, however many nodes there are."""
        nodes, leaves = len(self.nodes), len(self.leaves())
        size = f"{number_of(nodes, 'node')}, {number_of(leaves, 'leaf')}"
        by = "" if self.grower == Grower() else f", grown by {self.grower.name}"
        return f"<Tree for {self.target.name}: {size}{by}>"

    def _repr_svg_(self) -> str | None:
        """The drawing that a notebook shows; None if the tree is too large to read."""
        drawing: str | None = late("views.notebook.tree_svg")(self)
        return drawing

    @property
    def silent(self) -> frozenset[str]:
        """The facts that the tree does not state of its nodes, as words of `tree_document.silence`."""
        return frozenset() if self.program is None else self.program.silent

    @property
    def root(self) -> Node:
        """The first node.

        Example:
            >>> import reference_tree as rt
            >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
            >>> tree.root.test.name, tree.depth, tree.n_leaves
            ('outlook', 2, 5)
        """
        return self.nodes[0]

    @property
    def depth(self) -> int:
        """The depth of the deepest node; the root has depth 0."""
        return max(self.depths())

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return len(self.leaves())

    # As a procedure: `predict` and `distribution` are those of every predictor.

    def answer(self, ends: Ends) -> Label:
        """The class or the number for a row, from the nodes where it ends."""
        if len(ends) == 1:
            return self.nodes[ends[0][0]].label
        if self.target.values is None:
            pooled = self._pooled(ends)
            return simplest(sum((share * Fraction(self.nodes[number].label) for number, share in pooled), Fraction(0)))
        mixture = self.shares(ends)
        if self.costs is not None:  # the mixture already includes the priors
            return Costs((1,) * len(mixture), self.costs.loss).cheapest(self.target, tuple(mixture.values()))[0]
        return max(mixture, key=mixture.__getitem__)

    def shares(self, ends: Ends) -> dict[str, Fraction]:
        """The distributions of the nodes where a row ends, weighted by its shares.

        If the row went whole down several branches, the counts of these nodes are added up.
        """
        mixture = dict.fromkeys(self.target.domain, Fraction(0))
        for number, share in self._pooled(ends):
            counts = self.nodes[self.counted(number)].counts
            if self.costs is not None:
                counts = self.costs.weighed(counts)
            once = Fraction(1) / sum(counts)
            for label, count in zip(self.target.domain, counts, strict=True):
                mixture[label] += share * count * once
        return mixture

    def _pooled(self, ends: Ends) -> Ends:
        """The nodes where a row ends, with shares of sum 1.

        Those of a row that went whole down several branches are in proportion to the weights of the nodes.
        """
        if len(ends) < 2 or not self.aggregates:
            return ends
        weights = [(number, share * Fraction(self.nodes[number].weight)) for number, share in ends]
        whole = sum(weight for _, weight in weights)
        if not whole:
            raise InputError("the leaves that a row reaches record no counts that could be added up")
        return tuple((number, weight / whole) for number, weight in weights)

    @cached_property
    def aggregates(self) -> bool:
        """Whether a row may go whole down several branches, so that the counts of the leaves are added up."""
        return any(node.missing.aggregates for node in self.nodes)

    def _estimating(self, estimate: str, m: Any) -> Callable[[Ends], dict[str, Fraction]]:
        """P(Y|X) by an estimate of the probabilities at each leaf."""
        if estimate not in estimates():
            raise InputError(no_such("estimate", estimate, estimates()))
        try:
            worth = exactly(m)
        except (TypeError, ValueError) as error:
            raise InputError(f"{option('m')}: {error}") from None
        if worth <= 0:
            raise InputError(f"{option('m')}: the weight of the prior is a number above 0, not {m}")
        say, domain, prior = estimates()[estimate].of, self.target.domain, self.shares(((0, Fraction(1)),))

        def estimated(ends: Ends) -> dict[str, Fraction]:
            mixture = dict.fromkeys(domain, Fraction(0))
            for number, share in self._pooled(ends):
                rows = sum(self.nodes[number].counts)
                found = self.shares(((number, Fraction(1)),))
                for label in domain:
                    here = LeafCounts(found[label] * rows, rows, len(domain), prior[label], worth)
                    mixture[label] += share * say(here)
            return mixture

        return estimated

    @cached_property
    def cuts(self) -> dict[str, list[Rational] | None]:
        """For each tested attribute, surrogates included, the thresholds that it is compared with.

        None for an attribute with another kind of test.

        Example:
            >>> import reference_tree as rt
            >>> rt.CART(max_depth=2).grow(rt.textbook("iris")).cuts
            {'petal length': [Fraction(49, 20)], 'petal width': [Fraction(7, 4)]}
        """
        found: dict[str, set[Rational] | None] = {}
        for node in self.nodes:
            for test in (node.test, *(surrogate.test for surrogate in node.missing.surrogates)):
                if isinstance(test, Threshold):
                    among = found.setdefault(test.attribute, set())
                    if among is not None:
                        among.add(test.threshold)
                elif test is not None:
                    found |= dict.fromkeys(test.attributes)
        return {name: None if numbers is None else sorted(numbers) for name, numbers in found.items()}

    @cached_property
    def costs(self) -> Costs | None:
        """The priors and losses it was grown with; None: all rows and all mistakes have equal weight.

        Raises:
            InputError: the recorded priors or losses are not about its classes, or are no numbers.

        Example:
            >>> import reference_tree as rt
            >>> rt.CART(loss={"no": {"yes": 5}}).grow(rt.textbook("play-tennis")).costs
            Costs(weights=(1, 1), loss=((0, 5), (1, 0)))
        """
        recorded = {name: self.grower.options.get(name) for name in ("priors", "loss")}
        if self.target.values is None or not any(recorded.values()):
            return None
        try:
            priors, loss = _numbers(recorded["priors"], 1), _numbers(recorded["loss"], 2)
            return Costs.of(self.target, self.nodes[0].counts, priors, loss)
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"the priors and losses that this tree records cannot be used: {error}") from None

    def counted(self, number: int) -> int:
        """The node whose counts represent a node: itself, or the nearest one above it that training rows reached.

        Raises:
            InputError: no node has any counts.
        """
        while number >= 0:
            if any(self.nodes[number].counts):
                return number
            number = self.parents[number][0]
        raise InputError("this tree records no counts, and so no distribution")

    def ends(self, row: GivenRow, unseen: Unseen = "error") -> Ends:
        """The nodes where a row ends, each with the share of the row that ends there.

        It is one leaf, unless a missing value sends the row down all branches, or lets it stay at a node.

        Raises:
            InputError: as for `predict`.
        """
        try:
            return self._stated([ends_of_row(self, self.reading(row), unseen)], unseen)[0]
        except NoRuleError as error:
            raise self._without_rule(error) from None

    def _stated(self, found: list[Ends], unseen: Unseen) -> list[Ends]:
        """The ends again.

        Raises:
            InputError: a row ends at an inner node whose answer the tree does not state.
        """
        if self.unstated and (unseen != "error" or self._may_stay):
            for number, _ in chain.from_iterable(found):
                if number in self.unstated:
                    raise InputError(f"a row ends at node {number}, an inner one, whose prediction is not stated")
        return found

    @cached_property
    def unstated(self) -> frozenset[int]:
        """The inner nodes that state neither a label nor counts of classes.

        Example:
            >>> import reference_tree as rt
            >>> rt.ID3().grow(rt.textbook("play-tennis")).unstated
            frozenset()
        """
        if not self.silent & {"labels", "inner-labels"}:
            return frozenset()
        inner = ((number, node) for number, node in enumerate(self.nodes) if node.test is not None)
        return frozenset(number for number, node in inner if self.target.values is None or not any(node.counts))

    @cached_property
    def _may_stay(self) -> bool:
        """Whether a row without a value may end at an inner node."""
        return any(node.missing.stays for node in self.nodes)

    def ends_of(self, table: Table, unseen: Unseen = "error") -> list[Ends]:
        """The nodes where each row of a table ends.

        Raises:
            InputError: as for `predict`.
        """
        try:
            return self._stated(ends(self.nodes, self.seen(table), unseen), unseen)
        except NoRuleError as error:
            raise self._without_rule(error) from None

    def _without_rule(self, error: NoRuleError) -> InputError:
        """The error for a missing value; or for a program that has a rule, and printed too little to follow it."""
        if self.program is None or "missing" not in self.silent:
            return error
        return InputError(
            f"the value of {error.attribute} is missing, and what {self.program.name} printed of this tree does not "
            "tell where such a row goes; give a value, or grow the tree here, which keeps the shares of the branches"
        )

    def _counted(self, table: Data) -> Counter[tuple[Any, Any]] | None:
        if self.treats or self.aggregates:
            return None
        there = {one.name: one for one in (*table.schema.attributes, table.schema.target)}
        asked = [one for one in (*self.attributes, self.target) if one.name in self.cuts or one is self.target]
        if not all(one.name in there and one.kind == there[one.name].kind for one in asked):
            return None
        if any(one.values is not None and not {*one.values} >= {*there[one.name].domain} for one in asked):
            return None
        found = weights_at_ends(self.seen(table).sample(), self.nodes)
        if found is None:
            return None
        counted: Counter[tuple[Any, Any]] = Counter()
        for number, weights in found.items():
            for truth, weight in weights.items():
                counted[truth, self.nodes[number].label] += weight  # type: ignore[assignment]
        return counted

    def way(self, row: GivenRow, unseen: Unseen = "error") -> Iterator[Stage]:
        """The nodes that a row reaches, in preorder, and where it goes from each.

        Raises:
            InputError: as for `predict`.

        Example:
            >>> import reference_tree as rt
            >>> tree = rt.ID3().grow(rt.textbook("play-tennis"))
            >>> for number, share, ways in tree.way({"outlook": "sunny", "humidity": "high"}):
            ...     print(tree.path(number), share, ways)
            / 1 [(2, 1)]
            /outlook=sunny 1 [(0, 1)]
            /outlook=sunny/humidity=high 1 [(None, 1)]

        Source:
            [N1 §1.1 (1)], [N2 §1 definition]
        """
        return map(Stage._make, self._way(row, unseen))

    def _way(self, row: GivenRow, unseen: Unseen) -> Iterator[tuple[int, Rational, Ways]]:
        asked = self.reading(row)
        pending: list[tuple[int, Rational]] = [(0, 1)]
        while pending:
            number, share = pending.pop()
            node, ways = self.nodes[number], _HERE
            if node.test is not None:
                try:
                    ways = node.missing.ways(node.test, asked)
                except UnseenValueError:
                    if unseen == "error":
                        raise
            yield number, share, ways
            for branch, part in reversed(ways):
                if branch is not None:
                    pending.append((node.branches[branch], share * part))

    # As data.

    def rules(self) -> Iterator[Rule]:
        """One rule for each leaf, in preorder; the rules exclude one another, and together they leave nothing out.

        Source:
            [N1 §1.1 (1)]
        """
        pending: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while pending:
            number, conditions = pending.pop()
            node = self.nodes[number]
            if node.test is None:
                yield Rule(conditions, node.label, node.counts)
                continue
            steps = [(*conditions, node.test.step(branch)) for branch in range(len(node.branches))]
            pending += zip(node.branches[::-1], steps[::-1], strict=True)

    def conditions(self, number: int) -> list[tuple[Test, int]]:
        """The tests on the path to a node, each with the branch taken, from the root."""
        found: list[tuple[Test, int]] = []
        while number:
            number, branch = self.parents[number]
            test = self.nodes[number].test
            assert test is not None
            found.append((test, branch))
        return found[::-1]

    @cached_property
    def parents(self) -> list[tuple[int, int]]:
        """For each node the number of its parent, and the branch that leads from there; (-1, -1) for the root."""
        parents = [(-1, -1)] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for branch, below in enumerate(node.branches):
                parents[below] = (number, branch)
        return parents

    def depths(self) -> list[int]:
        """The depth of each node; the root is 0."""
        depths: list[int] = []
        for above, _ in self.parents:
            depths.append(depths[above] + 1 if above >= 0 else 0)
        return depths

    def path(self, number: int) -> str:
        """The path of a node: `/outlook=sunny/humidity=high`."""
        steps = []
        while number:
            if number not in self._steps:
                above, branch = self.parents[number]
                test = self.nodes[above].test
                assert test is not None  # a node with branches has one
                self._steps[number] = path_step(test, branch)
            steps.append(self._steps[number])
            number = self.parents[number][0]
        return "/" + "/".join(reversed(steps))

    @cached_property
    def _steps(self) -> dict[int, str]:
        """The last step of the path of each node, as far as it has been computed."""
        return {}

    def find(self, path: str) -> int:
        """The number of the node at a path.

        Raises:
            InputError: there is no such node; the message says what can follow at the last node found.
        """
        number = 0
        for step in parse_path(path):
            node = self.nodes[number]
            written = [path_step(node.test, branch) for branch in range(len(node.branches))] if node.test else []
            plain = [path_step(node.test, branch, plain=True) for branch in range(len(written))] if node.test else []
            names = enumerate(zip(written, plain, strict=True))
            branch = next((b for b, conditions in names if step in (str(b), *conditions)), None)
            if branch is None:
                here = (
                    f"{self.path(number)} is a leaf"
                    if not written
                    else f"after {self.path(number)} comes {', '.join(written)}"
                )
                raise InputError(f"there is no node at {path!r}: {here}")
            number = node.branches[branch]
        return number

    def leaves(self) -> list[int]:
        """The numbers of the leaves."""
        return [number for number, node in enumerate(self.nodes) if node.test is None]

    # Comparison with its data.

    def check(self, table: Data) -> None:
        """Assert every invariant of a tree for the data it was grown from; `invariants` lists them.

        Raises:
            TreeError: an invariant does not hold; the message names the node and the invariant.
        """
        check_nodes(self.target, self.nodes, self.seen(table), costs=self.costs)


@twin
def ends_of_row(tree: Tree, row: AskedRow, unseen: Unseen) -> Ends:
    """The nodes where a row ends, each with the share of the row that ends there."""
    return tuple((number, share) for number, share, ways in tree.way(row, unseen) if ways[0][0] is None)


def check_tree(found: object) -> None:
    """Refuse an object that is no tree, and say how to get one.

    Example:
        >>> check_tree("tree.json")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: 'tree.json' is no tree; a learner's grow makes one of a table
    """
    if not isinstance(found, Tree):
        there = "a learner's grow makes one of a table"
        if isinstance(found, Predictor):  # it is an ensemble
            there = "members[0].tree is the first of its trees"
        elif isinstance(getattr(found, "tree_", None), Tree):  # it is an estimator
            there = "its tree_ is one"
        raise InputError(f"{shown(found)} is no tree; {there}")


def _numbers(written: Any, depth: int) -> Any:
    """Numbers written as text, in mappings nested to this depth."""
    if isinstance(written, Mapping) and depth:
        return {name: _numbers(each, depth - 1) for name, each in written.items()}
    if written is not None and not isinstance(written, str):
        raise ValueError(f"a {type(written).__name__} stands where a number in quotes should")
    return None if written is None else rational(written)


__all__ = ["Deviations", "Grower", "Label", "Node", "Program", "Rule", "Stage", "Tree", "TreeError", "Unseen", "Ways"]
