"""A tree as PMML 4.4, an exchange format for models: a `TreeModel`.

1. Every node has its predicate, its answer and the distribution of its classes; a row goes to the child whose predicate
   is true.
2. A missing value makes a predicate unknown. Surrogates then follow the test, in a compound that tries them in turn.
   If the remaining rows take one branch, `True` comes last for that branch, and `False` for the others.
3. For a row whose predicates all stay unknown, PMML has one rule for the whole tree: the row goes down every branch
   (`weightedConfidence`), stays (`lastPrediction`), or has no answer (`nullPrediction`).
4. A value that a test does not mention is treated as a missing one.

Fields of numbers are of type `double`. A threshold is written so that a program that reads it and the rows as doubles
answers as the tree does, however the tree holds its numbers: exactly if that is short, and the nearest double is the
one to compare with, otherwise as that double. Other numbers are rounded to 17 digits if no short decimal is exact. A
tree that PMML cannot express is refused: linear tests, and rows that are divided by another rule.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from xml.sax.saxutils import quoteattr

from reference_tree.data.errors import InputError
from reference_tree.data.held import Form
from reference_tree.data.linear_tests import Linear
from reference_tree.data.outcomes import Outcome
from reference_tree.data.questions import Multiway, SeenSubset, Test
from reference_tree.data.schema import Attribute
from reference_tree.data.treatment import Treatment
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.predictor import check_plain
from reference_tree.tree import Tree, check_tree
from reference_tree.views.trees.languages import cut

STRATEGIES = {
    "fractions": "weightedConfidence",
    "aggregate": "aggregateNodes",
    "stay": "lastPrediction",
    "error": "nullPrediction",
}
"""PMML's names for the rules for rows without an answer."""

COMPARED = {"is": "equal", "le": "lessOrEqual", "gt": "greaterThan", "lt": "lessThan", "ge": "greaterOrEqual"}
"""PMML's names for the relations."""

DEEPEST = 40
"""The deepest level that is indented further."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_pmml(tree: Tree) -> str:
    r"""A tree as a PMML document.

    Raises:
        InputError: PMML cannot express the tree, or a name has a character that XML has not.

    Example:
        >>> from reference_tree.data.table import Table
        >>> from reference_tree.learners.cart import CART
        >>> table = Table.from_columns({"x": [3, 8, 9], "y": [2, 5, 6]})
        >>> _, nodes = to_pmml(CART(missing="error", max_depth=1).grow(table)).split("</MiningSchema>\n")
        >>> print(nodes, end="")
        <Node id="0" score="4.3333333333333333" recordCount="3"><True/>
         <Node id="1" score="2" recordCount="1"><SimplePredicate field="x" operator="lessOrEqual" value="5.5"/></Node>
         <Node id="2" score="5.5" recordCount="2"><SimplePredicate field="x" operator="greaterThan" value="5.5"/></Node>
        </Node>
        </TreeModel>
        </PMML>

    Source:
        [DMG2019 TreeModel]
    """
    check_tree(tree)
    check_plain(tree, "PMML as it is written here", _is_closed)
    tests = [test for node in tree.nodes for test in (node.test, *(one.test for one in node.missing.surrogates))]
    # PMML declares only the fields that the model reads.
    names = {name for test in tests if test is not None for name in test.attributes}
    used = [attribute for attribute in tree.attributes if attribute.name in names]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _tag("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4"),
        _tag("Header", _tag("Application", "", name="reference_tree")),
        _tag("DataDictionary", numberOfFields=str(len(used) + 1)),
        *map(_field, (*used, tree.target)),
        "</DataDictionary>",
        _tag(
            "TreeModel",
            functionName="regression" if tree.target.values is None else "classification",
            **_strategy(tree),
            splitCharacteristic="multiSplit" if any(len(node.branches) > 2 for node in tree.nodes) else "binarySplit",
        ),
        "<MiningSchema>",
        *(
            _tag(
                "MiningField", "", name=each.name, invalidValueTreatment="returnInvalid" if _is_closed(each) else "asIs"
            )
            for each in used
        ),
        _tag("MiningField", "", name=tree.target.name, usageType="target"),
        "</MiningSchema>",
        *_nodes(tree),
        "</TreeModel>",
        "</PMML>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _is_closed(attribute: Attribute) -> bool:
    """Whether a category that is not listed is refused, and nothing else is done with values."""
    return attribute.values is not None and attribute.treatment == Treatment(valid=attribute.values)


def _field(attribute: Attribute) -> str:
    if attribute.values is None:
        return _tag("DataField", "", name=attribute.name, optype="continuous", dataType="double")
    values = "".join(_tag("Value", "", value=value) for value in attribute.values)
    return _tag("DataField", values, name=attribute.name, optype="categorical", dataType="string")


# Trees that are refused.


def _strategy(tree: Tree) -> dict[str, str]:
    """The one rule of all nodes for rows without an answer, and for rows that no child takes."""
    inner = [(node.missing, node.test) for node in tree.nodes if node.test is not None]
    if any(isinstance(test, Linear) for _, test in inner):
        raise InputError("PMML has no linear tests; write the tree as python, sql or json")
    # A default child is stated node by node. Any other rule is one attribute of the whole model, so all nodes have to
    # share it.
    rules = list(
        dict.fromkeys(
            missing.rule if missing.shares else "stay" if missing.stays else "error"
            for missing, _ in inner
            if missing.to is None
        )
    ) or ["error"]
    if len(rules) > 1:
        raise InputError(
            f"PMML has one rule for missing values in all of a tree, and this one has {' and '.join(rules)}"
        )
    if rules == ["stay"] and tree.unstated:
        raise InputError(f"a row may end at node {min(tree.unstated)}, an inner one, whose prediction is not stated")
    if rules == ["fractions"]:
        _check_shares(tree)
    silent = any(isinstance(test, SeenSubset) and test.unseen and missing.to is None for missing, test in inner)
    if silent and (rules[0] in ("fractions", "aggregate") or any(isinstance(test, Multiway) for _, test in inner)):
        raise InputError("PMML cannot say of a value in a test that it counts as missing; write the tree as json")
    stays = silent and rules == ["stay"]
    return {
        "missingValueStrategy": STRATEGIES[rules[0]],
        "noTrueChildStrategy": "returnLastPrediction" if stays else "returnNullPrediction",
    }


def _check_shares(tree: Tree) -> None:
    """Refuse rows that are not divided as the training rows were, or not answered by the largest share."""
    if tree.target.values is None or tree.costs is not None:
        raise InputError("PMML divides rows only where the prediction is the most likely class; write the tree as json")
    for node in tree.nodes:
        weights = [tree.nodes[branch].weight for branch in node.branches if node.missing.shares]
        if any(share * sum(weights) != weight for share, weight in zip(node.missing.shares, weights, strict=True)):
            raise InputError(
                "PMML divides rows by the weights of the branches, and this tree does not; write it as json"
            )


# Nodes.


def _nodes(tree: Tree) -> Iterator[str]:
    """The elements of all nodes, nested; a loop, since a tree may be deep."""
    depths = tree.depths()
    pending: list[tuple[int, int | None]] = [(0, 0)]
    while pending:
        depth, number = pending.pop()
        indent = " " * min(depth, DEEPEST)
        if number is None:
            yield f"{indent}</Node>"
            continue
        node, content = tree.nodes[number], "".join((_reached(tree, number), *_distribution(tree, number)))
        score = node.label if isinstance(node.label, str) else _number(node.label)
        opening = _tag("Node", id=str(number), score=score, recordCount=_number(node.weight))
        yield f"{indent}{opening}{content}{'' if node.branches else '</Node>'}"
        if node.branches:
            pending.append((depth, None))
            pending += [(depths[branch], branch) for branch in reversed(node.branches)]


def _distribution(tree: Tree, number: int) -> Iterator[str]:
    """The weight of each class, and P(Y|X)."""
    if tree.target.values is None or not any(any(node.counts) for node in tree.nodes):
        return
    for (value, share), reached in zip(tree.shares(((number, 1),)).items(), tree.nodes[number].counts, strict=True):
        written = _number(share)
        figures = {"recordCount": _number(reached), "confidence": written, "probability": written}
        yield _tag("ScoreDistribution", "", value=value, **figures)


def _reached(tree: Tree, number: int) -> str:
    """The predicate by which a row comes to a node from the one above it."""
    above, branch = tree.parents[number]
    node = tree.nodes[above] if above >= 0 else None
    if node is None or node.test is None:
        return "<True/>"
    tests = [(node.test, branch), *((one.test, one.branches.index(branch)) for one in node.missing.surrogates)]
    found = [] if node.missing.to is None else ["<True/>" if node.missing.to == branch else "<False/>"]
    for test, outcome in reversed(tests):
        form: Form = next((each.held for each in tree.attributes if each.name == test.attribute), "written")
        condition = _condition(test, test.outcomes[outcome], form)
        if isinstance(test, SeenSubset) and test.unseen and found:
            unseen = _among(test.attribute, test.unseen)
            condition = _compound("or", [condition, _compound("and", [unseen, _compound("surrogate", found)])])
        found = [condition, *found]
    return _compound("surrogate", found)


# Predicates.


def _condition(test: Test, outcome: Outcome, form: Form) -> str:
    if outcome.relation == "in":
        return _among(test.attribute, outcome.value)
    if outcome.relation == "not_in":
        return _compound("and", [_compared(test.attribute, "notEqual", value) for value in outcome.value])
    value = outcome.value
    if not isinstance(value, str):  # a threshold for doubles
        written, double = _number(value), cut(outcome, form)
        value = written if math.isinf(double) or float(written) == double else repr(double)
    return _compared(test.attribute, COMPARED[outcome.relation], value)


def _among(attribute: str, values: Sequence[str]) -> str:
    return _compound("or", [_compared(attribute, "equal", value) for value in values])


def _compared(attribute: str, relation: str, value: str) -> str:
    return _tag("SimplePredicate", "", field=attribute, operator=relation, value=value)


def _compound(operator: str, predicates: Sequence[str]) -> str:
    """A compound of predicates; a single one is not wrapped."""
    together = "".join(predicates)
    return together if len(predicates) == 1 else _tag("CompoundPredicate", together, booleanOperator=operator)


# Text.


def _number(value: Rational) -> str:
    """A number as a decimal: exact if that is short."""
    written = decimal_text(value)
    if "/" not in written and len(written) <= DEEPEST:
        return written
    with localcontext(prec=17, Emin=MIN_EMIN, Emax=MAX_EMAX):
        return str(Decimal(value.numerator) / value.denominator)


def _tag(name: str, content: str | None = None, /, **attributes: str) -> str:
    """An element, or only its opening tag if there is no content yet."""
    written = "".join(f" {key}={_quoted(value)}" for key, value in attributes.items())
    end = ">" if content is None else f">{content}</{name}>" if content else "/>"
    return f"<{name}{written}{end}"


def _quoted(text: str) -> str:
    if strange := _NO_XML.search(text):
        raise InputError(f"{text!r} holds {strange[0]!r}, which XML has no way to write; rename it, or write json")
    return quoteattr(text)
