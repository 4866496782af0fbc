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
| `gain` | the gain of its question |
| `cover` | the weight of its rows, where `n` counts them and their weights differ |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.exact.reals import Number
from reference_tree.programs.documents import Held, Source, document, ensemble, item, numbered, preorder, refuse_many
from reference_tree.tree_document.members import weight_json

STATED = "stated"
"""The key of the options of a document under which a model states more of its nodes."""

STATEMENTS = ("h", "weight", "value", "gain", "cover")
"""The names of what is stated of a node."""


Numbers = Mapping[str, Sequence[Fraction | None]]
"""What is stated of the nodes of a tree: one of `STATEMENTS` → the number of each node, None where nothing is said."""


class Grown(NamedTuple):
    """A tree of a model."""

    nodes: Mapping[Any, Held]
    """The nodes by the program's own numbers; the root is 0."""
    of: int = 0
    """The place of the class that it adds to."""
    weight: Number = 1
    """The factor of its answer."""
    stated: Mapping[str, Mapping[Any, float]] = {}
    """What the program states of the nodes: one of `STATEMENTS` → node → number."""


class Rule(NamedTuple):
    """The function that turns the sums into an answer."""

    combine: str
    """The name of the rule (`reference_tree.ensembles.ensemble.COMBINATIONS`): `sum`, `logistic`, ..."""
    start: Sequence[Number]
    """The start of each sum."""
    classes: int = 0
    """The number of classes; 0 where a number is predicted."""


def documents(
    source: Source,
    target: str,
    attributes: Sequence[Attribute],
    trees: Sequence[Grown],
    rule: Rule | Mapping[str, Rule] | None,
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
    refuse_many(sum(len(tree.nodes) for tree in trees))
    if rule is None:
        return [document(source, Attribute(target), attributes, tree.nodes, 0) for tree in trees]
    if isinstance(rule, Rule):
        return [_ensemble(source, target, attributes, trees, rule, classes)]
    outputs = [[tree._replace(of=0) for tree in trees if tree.of == place] for place in range(len(rule))]
    if sum(map(len, outputs)) != len(trees) or not all(outputs):
        raise InputError(f"a tree adds to none of its {len(rule)} outputs, or one of them has no tree")
    return [
        _ensemble(source, f"{target} {name}", attributes, members, of_output, classes)
        for (name, of_output), members in zip(rule.items(), outputs, strict=True)
    ]


def _ensemble(
    source: Source,
    target: str,
    attributes: Sequence[Attribute],
    trees: Sequence[Grown],
    rule: Rule,
    classes: Sequence[str],
) -> dict[str, Any]:
    names = tuple(classes) or tuple(map(str, range(rule.classes)))
    if len(names) != rule.classes:
        raise InputError(f"the model has {rule.classes} classes, and {len(names)} names are given")
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
    if any(tree.stated for tree in trees):
        source = source._replace(remarks=[*source.remarks, (STATED, list(map(_stated, trees)))])
    return ensemble(source, Attribute(target, names or None), attributes, rule.combine, rule.start, members)


def _stated(tree: Grown) -> dict[str, list[str | None]]:
    """What is stated of the nodes of a tree, in preorder."""
    order = list(preorder(tree.nodes, 0))
    return {
        name: [repr(float(numbers[node])) if node in numbers else None for node in order]
        for name, numbers in tree.stated.items()
    }


def statements_of(model: Ensemble) -> list[Numbers]:
    """What a model states of the nodes of each tree.

    Raises:
        InputError: the statements have another form than they should.
    """
    trees = [member.tree for member in model.members]
    stated = model.grower.options.get(STATED, [{}] * len(trees))
    wrong = InputError("what its program stated of the nodes is not a list of numbers for each tree")
    if not isinstance(stated, list) or len(stated) != len(trees):
        raise wrong
    found: list[Numbers] = []
    for tree, numbers in zip(trees, stated, strict=True):
        if not isinstance(numbers, dict) or any(not isinstance(one, list) for one in numbers.values()):
            raise wrong
        if numbers.keys() - set(STATEMENTS) or any(len(one) != len(tree.nodes) for one in numbers.values()):
            raise wrong
        try:
            found.append({name: [_number(text) for text in texts] for name, texts in numbers.items()})
        except (TypeError, ValueError, ArithmeticError):
            raise wrong from None
    return found


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
