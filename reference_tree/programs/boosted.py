"""Boosted trees: the trees of a model, or the ensemble, if it is known how the model uses their sum.

A program adds up what its trees answer, for each class if they are more than two, and makes probabilities of the sums
by an objective. Where the objective is one that an ensemble document has, all of the model is one document, or one for
each of several outputs; otherwise there is one for each tree.

What a program states of the nodes besides their answers stands among the options of the document, under `STATED`: for
each tree the numbers of its nodes in preorder, by these names; None where nothing is stated.

| name | the number |
|:--|:--|
| `h` | H, the sum of the second derivatives of its rows |
| `weight` | -G/(H + λ), what the node would add as a leaf, before the learning rate |
| `value` | the same, with the learning rate, and with the start in the first round if leaves hold it |
| `gain` | the gain of its test |
| `cover` | the weight of its rows, where `n` counts them and their weights differ |

**Rounds** say which trees of a model answer: all of them, or those up to the best round. A program that stops early
keeps the rounds after the best one. Whether they answer, the class of the program decides: XGBoost's `Booster` takes
all, `XGBRegressor` and `XGBClassifier` stop at the best. So the class that the file names decides here, a remark says
which rounds answer, and `--iterations` takes others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from reference_tree.data.errors import InputError, number_of, shown, wording
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.reals import Number
from reference_tree.programs.documents import (
    HeldNode,
    TreeOrigin,
    document,
    ensemble,
    item,
    numbered,
    preorder,
    refuse_many,
)
from reference_tree.programs.inventory import UnreadError
from reference_tree.tree_document.members import weight_json

STATED = "stated"
"""The key of the options of a document under which a model states more of its nodes."""

STATEMENTS = ("h", "weight", "value", "gain", "cover")
"""The names of what is stated of a node."""


Numbers = Mapping[str, Sequence[Fraction | None]]
"""The statements about a tree: one of `STATEMENTS` → the number of each node, None where nothing is said."""


class Grown(NamedTuple):
    """A tree of a model."""

    nodes: Mapping[Any, HeldNode]
    """The nodes by the program's own numbers; the root is 0."""
    of: int = 0
    """The place of the class that it adds to."""
    weight: Number = 1
    """The factor of its answer."""
    stated: Mapping[str, Mapping[Any, float]] = {}
    """The statements of the program about the nodes: one of `STATEMENTS` → node → number."""


class SumRule(NamedTuple):
    """The function that turns the sums into an answer."""

    combine: str
    """The name of the rule (`reference_tree.ensembles.ensemble.COMBINATIONS`): `sum`, `logistic`, ..."""
    start: Sequence[Number]
    """The start of each sum."""
    classes: int = 0
    """The number of classes; 0 where a number is predicted."""


def documents(
    source: TreeOrigin,
    target: str,
    attributes: Sequence[Attribute],
    trees: Sequence[Grown],
    rule: SumRule | Mapping[str, SumRule] | None,
    classes: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The document of the ensemble, one for each output, if there are rules; otherwise that of each tree.

    Args:
        source: the program that grew them.
        target: the name of the target.
        attributes: the attributes that the trees may ask.
        trees: in the order in which they were grown.
        rule: the rule for the sums; or, if there are several outputs, the rule of each by its name. None if it is not
            known how the trees answer together.
        classes: the names of the classes; 0, 1, ... if none are given.

    Raises:
        InputError: the nodes are no trees, there are too many, or the names are not as many as the classes.
    """
    # The bound holds for the model, not for each of its trees.
    refuse_many(sum(len(tree.nodes) for tree in trees))
    # Without a rule nobody can say what the sum of the leaves means, so each tree stays a document of its own.
    if rule is None:
        return [document(source, Attribute(target), attributes, tree.nodes, 0) for tree in trees]
    if isinstance(rule, SumRule):
        return [_ensemble(source, target, attributes, trees, rule, classes)]
    # Each output has a sum of its own. Its trees are counted from 0 there.
    outputs = [[tree._replace(of=0) for tree in trees if tree.of == place] for place in range(len(rule))]
    # Every tree adds to one output, and every output has a tree; else the file is not whole.
    if sum(map(len, outputs)) != len(trees) or not all(outputs):
        raise InputError(f"a tree adds to none of its {len(rule)} outputs, or one of them has no tree")
    return [
        _ensemble(source, f"{target} {name}", attributes, members, of_output, classes)
        for (name, of_output), members in zip(rule.items(), outputs, strict=True)
    ]


def _ensemble(
    source: TreeOrigin,
    target: str,
    attributes: Sequence[Attribute],
    trees: Sequence[Grown],
    rule: SumRule,
    classes: Sequence[str],
) -> dict[str, Any]:
    # Boosters number the classes, and many files have no names for them.
    names = tuple(classes) or tuple(map(str, range(rule.classes)))
    if len(names) != rule.classes:
        raise InputError(f"the model has {rule.classes} classes, and {len(names)} names are given")
    # Several sums: then a member says which class it adds to (softmax, one against all).
    each = len(rule.start) > 1
    if not each and any(tree.of for tree in trees):
        raise InputError("there is one sum, and a tree adds to another one")
    members = [
        (
            {"weight": weight_json(tree.weight), **({"of": item(names, tree.of)} if each else {})},
            numbered(tree.nodes, 0),
        )
        for tree in trees
    ]
    # What the program states of inner nodes is kept as it is, for an audit to judge; no answer depends on it.
    if any(tree.stated for tree in trees):
        source = source._replace(remarks=[*source.remarks, (STATED, list(map(_stated, trees)))])
    return ensemble(source, Attribute(target, names or None), attributes, rule.combine, rule.start, members)


def _stated(tree: Grown) -> dict[str, list[str | None]]:
    """The statements about the nodes of a tree, in preorder."""
    # A document numbers nodes in preorder, so statements are put into this order, too.
    order = list(preorder(tree.nodes, 0))
    return {
        # `repr` of a double reads back as the same double, and so does its decimal.
        name: [repr(float(numbers[node])) if node in numbers else None for node in order]
        for name, numbers in tree.stated.items()
    }


def statements_of(model: Ensemble) -> list[Numbers]:
    """The statements of a model about the nodes of each tree.

    Raises:
        InputError: the statements have another form than they should.
    """
    trees = [member.tree for member in model.members]
    # A document may have been edited by hand: its statements are checked like any other input.
    stated = model.grower.options.get(STATED, [{}] * len(trees))
    wrong = InputError("what its program stated of the nodes is not a list of numbers for each tree")
    if not isinstance(stated, list) or len(stated) != len(trees):
        raise wrong
    found: list[Numbers] = []
    for tree, numbers in zip(trees, stated, strict=True):
        if not isinstance(numbers, dict) or any(not isinstance(one, list) for one in numbers.values()):
            raise wrong
        # One number for each node, under names that are known; anything else is refused, not passed over.
        if numbers.keys() - set(STATEMENTS) or any(len(one) != len(tree.nodes) for one in numbers.values()):
            raise wrong
        try:
            found.append({name: [_number(text) for text in texts] for name, texts in numbers.items()})
        except (TypeError, ValueError, ArithmeticError):
            raise wrong from None
    return found


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


Iterations: TypeAlias = int | str | None
"""The rounds that are asked for: a number of them, `all` or `best`; None if nothing is said."""


class Rounds(NamedTuple):
    """The rounds of a model."""

    size: int
    """The number of rounds."""
    best: int | None = None
    """The number of rounds up to the best one, if the model names it."""
    stops: bool = False
    """Whether the class that saved the model predicts with the best rounds alone."""

    def taken(self, asked: Iterations) -> tuple[int, str]:
        """The number of rounds that answer, and the remark on it; empty if there is nothing to remark.

        Raises:
            UnreadError: the model has fewer rounds, or names no best one.

        Example:
            >>> Rounds(21, 18).taken(5)
            (5, 'the first 5 of 21 rounds answer, as told')
            >>> Rounds(21).taken(None)
            (21, '')
        """
        # The user's word comes first; a remark is needed only where the answer differs from that of all rounds.
        if asked is not None:
            taken = self._asked(asked)
            return taken, f"{self._these(taken)}, as told" if self.best is not None or taken < self.size else ""
        # No best round, or the last one is the best: all rounds are the only answer there is.
        if self.best in (None, self.size):
            return self.size, ""
        # XGBClassifier and XGBRegressor predict with the best rounds, Booster.predict with all (seen in 1.7.6 to
        # 3.4.1).
        if self.stops:
            taken, other, by = self.best, "all", "the class of scikit-learn that the model names"
        else:
            taken, other, by = self.size, "best", "Booster.predict"
        flag = wording(f"iterations='{other}'", f"--iterations {other}")
        # XGBoost counts its rounds from 0, and this record from 1.
        best = f"best_iteration is {self.best - 1}, counted from 0"
        return taken, f"{best}: {self._these(taken)}, as for {by}; {flag} takes {self._other(other)}"

    def _asked(self, asked: int | str) -> int:
        if asked == "all":
            return self.size
        if asked == "best":
            if self.best is None:
                raise UnreadError("the model names no best round (best_iteration); ask for all, or for a number")
            return self.best
        # A bool is an int in Python, and True would ask for one round.
        rounds = asked if isinstance(asked, int) and not isinstance(asked, bool) else int(_digits(asked))
        if not 1 <= rounds <= self.size:
            raise UnreadError(f"{rounds} rounds are asked for, and the model has {number_of(self.size, 'round')}")
        return rounds

    def _these(self, taken: int) -> str:
        some = f"all {self.size}" if taken == self.size else f"the first {taken} of {self.size}"
        return f"{some} rounds answer"

    def _other(self, other: str) -> str:
        return f"all {self.size}" if other == "all" else f"the first {self.best}"


def _digits(asked: object) -> str:
    # `isdigit` alone is true of other scripts' digits, and nine digits are more rounds than any model has.
    if isinstance(asked, str) and asked.isascii() and asked.isdigit() and len(asked) < 10:
        return asked
    raise UnreadError(f"iterations are a number of rounds, all or best, not {shown(asked)}")
