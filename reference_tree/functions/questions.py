r"""Questions: what is true of a model for all rows, seen or not.

The polynomial of a model answers some of them at once. **The function depends on an attribute exactly if a term has a
step of it**, and two attributes **interact**, so that the effect of one depends on the other, exactly if a term has
steps of both. Otherwise each term lacks one of the two, and with a function for either kind

$$F(x) = G(x_{-i}) + H(x_{-j})$$

Other questions are searched by branch and bound; a result says what is proved, and by which bound.

1. `depends_on` and `interactions` are the attributes, and the pairs, that the scores depend on.
2. `unreachable` are the leaves that no row reaches, and the tests that send all their rows one way.
3. `is_monotonic` says whether a score never falls as an attribute grows, or shows two rows.
4. `output_range` is the least and the largest score.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

from reference_tree.data.errors import InputError, listed, no_such, option, shown
from reference_tree.ensembles.ensemble import Ensemble, trees_of
from reference_tree.functions.boxes import Score, Sums, added, ends, states_no_shares, sums_of
from reference_tree.functions.cells import InputDomain, Inputs
from reference_tree.functions.fingerprints import coefficients
from reference_tree.functions.searches import Bounded, bounded, largest, summed, summed_trees, whole_region
from reference_tree.functions.steps import polynomial
from reference_tree.tree import Tree

Model: TypeAlias = Tree | Ensemble


def searched(model: Model, inputs: Inputs, *, whole_rows: bool = False) -> tuple[InputDomain, Sums]:
    """The domain and the sums of a model."""
    domain = InputDomain.of([model], inputs)
    sums = sums_of(model, domain, labels=states_no_shares(model))
    if whole_rows and sums.divided:
        raise InputError("rows with a missing value are divided, and such a model is not searched")
    return domain, sums


def score_of(sums: Sums, of: str | None) -> Score:
    """The score that is asked about."""
    if "" in sums.scores and of is None:
        return sums.scores[""]
    if of is None and len(sums.scores) == 2:
        return sums.scores[sums.classes[1]]
    if "" in sums.scores:
        raise InputError(f"{option('score')}: the model has one score, so leave {shown(of)} out")
    if of is None or of not in sums.scores:
        raise InputError(f"{option('score')}: name the class whose score is meant: {listed([*sums.scores])}")
    return sums.scores[of]


# What the polynomial tells.


def depends_on(model: Model, *, inputs: Inputs = "double") -> list[str]:
    """The attributes that the scores of a model depend on; what it tests without effect is not among them.

    Where the polynomial is too long, it is evaluated at a point: an attribute that is named is certain, and one is left
    out by mistake with a chance of 2^-500.

    Args:
        model: the model.
        inputs: the numbers that rows can hold.

    Example:
        >>> import reference_tree as rt
        >>> depends_on(rt.ID3().grow(rt.textbook("play-tennis")))
        ['humidity', 'outlook', 'wind']
    """
    return sorted({name for (name,) in _together(model, inputs, 1)})


def interactions(model: Model, *, inputs: Inputs = "double") -> list[tuple[str, str]]:
    """The pairs of attributes where the effect of one on a score depends on the other.

    A model kept to interaction constraints has no others. Long polynomials are treated as for `depends_on`.

    Args:
        model: the model.
        inputs: the numbers that rows can hold.

    Example:
        >>> import reference_tree as rt
        >>> interactions(rt.ID3().grow(rt.textbook("play-tennis")))
        [('humidity', 'outlook'), ('outlook', 'wind')]
    """
    return sorted({(one, other) for one, other in _together(model, inputs, 2)})


def _together(model: Model, inputs: Inputs, size: int) -> set[tuple[str, ...]]:
    """The sets of so many attributes that have steps in one term."""
    domain, sums = searched(model, inputs)
    names, sets = [*domain.places], set[tuple[int, ...]]()
    for score in sums.scores.values():
        boxes, _ = added([(1, score)])
        terms = polynomial(boxes, domain)
        # A term is a product over its attributes: they all act together in it.
        if terms is not None:
            for term in terms:
                sets.update(combinations((place for place, _ in term), size))
            continue
        sets.update(
            places
            for places in combinations(range(len(names)), size)
            if any(min(steps) >= 0 for steps in coefficients(boxes, domain, places))
        )
    return {tuple(names[place] for place in places) for places in sets}


@dataclass(frozen=True)
class Unreachable:
    """The parts of a model that no row needs.

    Args:
        leaves: the leaves that no row reaches: the number of the tree, from 1, and of the node.
        tests: the tests that send all rows which reach them one way.
    """

    leaves: list[tuple[int, int]]
    tests: list[tuple[int, int]]


def unreachable(model: Model, *, inputs: Inputs = "double") -> Unreachable:
    """The leaves that no row reaches, and the tests that decide nothing.

    Args:
        model: the model.
        inputs: the numbers that rows can hold.

    Example:
        >>> import reference_tree as rt
        >>> unreachable(rt.ID3().grow(rt.textbook("play-tennis")))
        Unreachable(leaves=[], tests=[])
    """
    domain, found = InputDomain.of([model], inputs), Unreachable([], [])
    for number, tree in enumerate(trees_of(model), start=1):
        # A leaf is reached if its box is not empty.
        reached = {end for _, _, end in ends(tree, domain)}
        # A node is reached if one below it is; nodes stand in preorder, so these come later.
        for place in reversed(range(len(tree.nodes))):
            node = tree.nodes[place]
            below = [branch for branch in node.branches if branch in reached]
            if node.test is None and place not in reached:
                found.leaves.append((number, place))
            elif below:
                if len(below) == 1 and place not in reached:
                    found.tests.append((number, place))
                reached.add(place)
    return Unreachable(sorted(found.leaves), sorted(found.tests))


# What is searched.


@dataclass(frozen=True)
class Monotonicity:
    """Whether a score is monotonic.

    Args:
        holds: whether it is; None if the steps did not suffice.
        rows: two rows that differ in the attribute alone, the smaller number first, if it is not.
        bound: a step of the attribute changes the score by no more than this against the direction.
    """

    holds: bool | None
    rows: tuple[dict[str, Any], dict[str, Any]] | None
    bound: Fraction

    @property
    def proved(self) -> bool:
        """Whether it is decided."""
        return self.holds is not None


def is_monotonic(
    model: Model,
    attribute: str,
    *,
    decreasing: bool = False,
    score: str | None = None,
    inputs: Inputs = "double",
    max_steps: int = 10_000,
) -> Monotonicity:
    """Whether a score never falls as an attribute grows and all others stay.

    It is enough to look at neighbouring cells, and there at the trees that have the cut between them.

    Args:
        model: the model.
        attribute: the name of the attribute, of numbers.
        decreasing: whether it should never rise instead.
        score: the class whose score is meant; of two classes by default the second.
        inputs: the numbers that rows can hold.
        max_steps: the most steps of the search for one cut.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.CART(max_depth=2).grow(rt.textbook("iris"))
        >>> found = is_monotonic(tree, "petal width", score="versicolor")
        >>> found.holds, [row["petal width"] for row in found.rows]
        (False, [1.0, 3.0])
    """
    domain, sums = searched(model, inputs, whole_rows=True)
    chosen = score_of(sums, score)
    # An attribute that is never tested changes nothing, in either direction.
    if attribute not in domain.places:
        if attribute not in {one.name for one in model.attributes}:
            raise InputError(no_such("attribute", attribute, [one.name for one in model.attributes]))
        return Monotonicity(True, None, Fraction(0))  # it is never asked for
    place, cells = domain.places[attribute], domain.attributes[domain.places[attribute]]
    # Categories have no order to rise in.
    if cells.values is not None:
        raise InputError(f"{attribute} is categorical, and its values have no order")
    trees, whole = summed_trees([(-1 if decreasing else 1, chosen)], domain)
    region, bound = whole_region(domain), 0
    for cell in range(cells.plain - 1):
        # What a step up from this cell takes from the score, tree by tree.
        losses = []
        for tree in trees:
            low, high = (_at_cell(tree, place, cell + up) for up in (0, 1))
            # Trees without this cut have the same leaves in both cells.
            if low is not high and low != high:
                losses.append(bounded(summed(low, [(box, -number) for box, number in high]), region))
        # No tree falls here; and a program that rounds after each tree keeps that, as rounding is monotone.
        if sum(tree.high for tree in losses) <= 0:
            continue
        found = largest(losses, region, steps=max_steps, enough=0, hopeless=0)
        # One row where it falls is enough.
        if found.value is not None and found.value > 0:
            assert found.at is not None
            one, other = ([*found.at[:place], cell + up, *found.at[place + 1 :]] for up in (0, 1))
            return Monotonicity(False, (domain.row(one), domain.row(other)), Fraction(found.bound, whole))
        bound = max(bound, int(found.bound))
    return Monotonicity(None if bound > 0 else True, None, Fraction(bound, whole))


def _at_cell(tree: Bounded, place: int, cell: int) -> list[tuple[dict[int, int], int]]:
    """The leaves of a tree for one cell of an attribute, without it."""
    return [
        ({other: among for other, among in box.items() if other != place}, number)
        for box, number in tree.leaves
        if place not in box or box[place] >> cell & 1
    ]


@dataclass(frozen=True)
class OutputRange:
    """The least and the largest score.

    Args:
        low: the least score that a row is known to have, with the `low_row`.
        high: the largest, with the `high_row`.
        low_bound: no row has a lower score.
        high_bound: no row has a higher one.
    """

    low: Fraction | None
    high: Fraction | None
    low_bound: Fraction
    high_bound: Fraction
    low_row: dict[str, Any] | None
    high_row: dict[str, Any] | None

    @property
    def proved(self) -> bool:
        """Whether both are the extremes themselves."""
        return (self.low, self.high) == (self.low_bound, self.high_bound)


def output_range(
    model: Model, *, score: str | None = None, inputs: Inputs = "double", max_steps: int = 10_000
) -> OutputRange:
    """The least and the largest score of a model, each with a row.

    Args:
        model: the model.
        score: the class whose score is meant; of two classes by default the second.
        inputs: the numbers that rows can hold.
        max_steps: the most steps of each search.

    Example:
        >>> import reference_tree as rt
        >>> found = output_range(rt.CART().grow(rt.textbook("li-hang-5.2")))
        >>> str(found.low), str(found.high), found.proved
        ('9/2', '9', True)
    """
    domain, sums = searched(model, inputs, whole_rows=True)
    sides = []
    # The least score is the largest of the negative one.
    for sign in (-1, 1):
        trees, whole = summed_trees([(sign, score_of(sums, score))], domain)
        found = largest(trees, whole_region(domain), steps=max_steps, whole=whole)
        row = None if found.at is None else domain.row(found.at)
        sides.append((None if found.value is None else sign * found.value, sign * found.bound, row))
    (low, low_bound, low_row), (high, high_bound, high_row) = sides
    return OutputRange(low, high, low_bound, high_bound, low_row, high_row)
