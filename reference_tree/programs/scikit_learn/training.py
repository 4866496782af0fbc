"""scikit-learn as it trains: bounds that count rows or take shares of them, and what it drew.

1. A bound on leaves below 1, or on splits up to 1, is a share of all rows; `min_weight_fraction_leaf` is one of the
   weight. All are multiplied in doubles (`of_shares`).
2. The other bounds count rows, whatever these weigh (`bounded`).
3. A fitted object keeps the seed of each tree, from which the draws are replayed (`replayed`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Data, SizedData
from reference_tree.exact.rationals import Rational, is_number, rational, shortened
from reference_tree.exact.rounding import nearest_double
from reference_tree.learners.cart import CART
from reference_tree.learners.decision import Learner
from reference_tree.programs.practice import Told
from reference_tree.programs.scikit_learn.draws import DrawnByProgram, Draws, RowBounds
from reference_tree.tree import Tree
from reference_tree.tree_document.strict import closed, texts

SHARE_OF_WEIGHT = "min_weight_fraction_leaf"


def bounded(learner: Learner, tree: Tree, told: Told, table: SizedData, own: SizedData) -> Learner:
    """The learner whose bounds count rows, or the weight where that is said.

    A branch that is not empty has a row, and a node that is not pure has two, so the least bounds forbid nothing.

    Args:
        learner: the learner whose bounds are weights.
        tree: the tree.
        told: what its document states of the training.
        table: all rows, drawn or not.
        own: the rows of the tree, with the weights that they have there.

    Raises:
        InputError: what is stated is no share of the weight.
    """
    if not isinstance(learner, CART):
        return learner
    learner, least = of_shares(learner, told, table, own)
    if all(weight == 1 for weight in own.weighted()):  # rows and weights are the same numbers
        return replace(learner, min_samples_leaf=max(learner.min_samples_leaf, least)) if least else learner
    plain = replace(learner, min_samples_split=0, min_samples_leaf=least)
    bounds = RowBounds(max(2, learner.min_samples_split), max(1, learner.min_samples_leaf))
    names = tuple(attribute.name for attribute in tree.attributes)
    return plain if bounds == RowBounds() else DrawnByProgram(plain, names, bounds=bounds)


def of_shares(learner: CART, told: Told, table: SizedData, own: SizedData) -> tuple[CART, Rational]:
    """The learner whose bounds are numbers of rows where they are shares, and the least weight of a branch.

    A share of the rows is multiplied in doubles, and rounded up; one of the weight is multiplied in doubles.

    Args:
        learner: the learner; a bound on leaves below 1, or on splits up to 1, is a share of all rows.
        told: what its document states of the training, perhaps a share of the weight.
        table: all rows, drawn or not.
        own: the rows of the tree, with the weights that they have there.

    Raises:
        InputError: what is stated is no share of the weight.

    Example:
        >>> import reference_tree as rt
        >>> golf = rt.textbook("golf")
        >>> of_shares(rt.CART(min_samples_leaf=Fraction(1, 10)), {}, golf, golf)[0].min_samples_leaf
        2
    """
    split, leaf = learner.min_samples_split, learner.min_samples_leaf
    if 0 < split <= 1:
        learner = replace(learner, min_samples_split=max(2, ceil(part_of(split, len(table)))))
    if 0 < leaf < 1:
        learner = replace(learner, min_samples_leaf=ceil(part_of(leaf, len(table))))
    stated = str(told.get(SHARE_OF_WEIGHT, 0))
    if not is_number(stated) or not 0 <= rational(stated) < 1:
        raise InputError(f"{SHARE_OF_WEIGHT} {shortened(stated)}: it is a share of the weight, from 0 to below 1")
    return learner, part_of(rational(stated), sum(own.weighted())) if rational(stated) else 0


def part_of(share: Rational, whole: Rational) -> Fraction:
    """A share of rows or of weight, multiplied in doubles.

    Example:
        >>> part_of(Fraction(1, 10), 30)
        Fraction(3, 1)
    """
    return Fraction(nearest_double(Fraction(nearest_double(Fraction(share))) * whole))


def replayed(learner: Learner, tree: Tree, told: Told, table: Data, number: int = 0) -> Learner:
    """The learner that replays what scikit-learn drew for a tree; the same learner if nothing is known of draws.

    Args:
        learner: the learner that decides among what was drawn.
        tree: the tree.
        told: what its document states of the training; the draws are among it.
        table: its rows.
        number: its number in an ensemble.

    Raises:
        InputError: what is stated of the draws is no such statement, or speaks of other trees.
    """
    stated = told.get("draws")
    if stated is None or not isinstance(learner, CART | DrawnByProgram):
        return learner
    replay = learner if isinstance(learner, DrawnByProgram) else DrawnByProgram(learner, ())
    try:
        entry = closed(stated, ["trees"], ["most", "thresholds"])
        one = closed(entry["trees"][number], [], ["seed", "offered", "made", "impure"])
        offered = one.get("offered", [attribute.name for attribute in tree.attributes])
        names = tuple(table.schema.attribute(name).name for name in texts(offered))
        if "most" not in entry:
            return replace(replay, offered=names)
        made = tuple(map(_whole, one.get("made", range(len(tree.nodes)))))
        if len(made) != len(tree.nodes) or len(set(made)) < len(made):
            raise ValueError("its nodes were made one after the other, each once")
        impure = frozenset(map(_whole, one.get("impure", ())))
        at_random = entry.get("thresholds") is True
        vary = _release(tree) >= (1, 8)
        draws = Draws(_whole(one["seed"]), _whole(entry["most"]), at_random, "made" in one, made, impure, vary)
        return replace(replay, offered=names, draws=draws)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"what was drawn for the tree is not stated as it should be: {error}") from None


def _release(tree: Tree) -> tuple[int, ...]:
    """The release of the program of a tree, as numbers; a late one if it is not known."""
    version = "" if tree.program is None or tree.program.version is None else tree.program.version
    parts = version.split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdecimal, parts)) else (99,)


def _whole(value: object) -> int:
    """A whole number that is not negative, and fits into 32 bits."""
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise ValueError(f"{shortened(str(value))} is no whole number from 0 to 2^32 - 1")
    return value
