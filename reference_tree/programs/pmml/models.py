r"""The models of several trees in PMML: a `MiningModel` as an ensemble document.

| `multipleModelMethod` | read as |
|:--|:--|
| `majorityVote`, `weightedMajorityVote` | votes |
| `average`, `weightedAverage` | the mean of numbers, or of P(Y\|X) |
| `sum`, `weightedSum` | a sum |
| `modelChain` | sums of trees, and a regression model that makes probabilities of them by `logit` or `softmax` |

Whatever lies between the trees and the probabilities is linear: a rescaled target, an output with `+` and `*`, the
coefficient of a regression. So it is a weight of each tree, and a start of the sum. Other steps are refused by name.

Source:
    [DMG2019]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError, no_such
from reference_tree.exact.rationals import Rational, rational, shortened, simplest
from reference_tree.programs.pmml.fields import GOALS, Fields
from reference_tree.programs.pmml.predicates import DEEPEST
from reference_tree.programs.pmml.targets import rescaling_of
from reference_tree.programs.pmml.trees import TreeModel, math_context
from reference_tree.programs.pmml.xml import Element

VOTES = ("majorityVote", "weightedMajorityVote")
MEANS = ("average", "weightedAverage")
SUMS = ("sum", "weightedSum")
CHAIN = "modelChain"
METHODS = (*VOTES, *MEANS, *SUMS, CHAIN)
"""The ways to combine the models of segments that are read."""


class Term(NamedTuple):
    """A tree of a sum."""

    weight: Rational
    model: TreeModel
    of: int = 0
    """The place of the class whose score it adds to."""


class Sum(NamedTuple):
    """A sum of trees."""

    start: Rational
    terms: Sequence[Term]

    def scaled(self, factor: Rational, constant: Rational) -> Sum:
        """The sum, multiplied and shifted."""
        terms = [one._replace(weight=simplest(Fraction(one.weight) * factor)) for one in self.terms]
        return Sum(simplest(Fraction(self.start) * factor + constant), terms)


class Combined(NamedTuple):
    """The trees of a model, and how they answer together."""

    combine: str
    """The name of the rule of an ensemble document."""
    start: Sequence[Rational]
    terms: Sequence[Term]
    classes: Sequence[str] = ()
    in_floats: bool = False
    """Whether sums are float32."""

    def place(self, term: Term) -> dict[str, str]:
        """The class whose score a tree adds to, if there is a sum for each class."""
        return {"of": self.classes[term.of]} if self.combine == "softmax" else {}


def combined(model: Element, fields: Fields, classes: Sequence[str]) -> Combined:
    """The trees of a mining model.

    Args:
        model: the element.
        fields: its fields.
        classes: the classes of the target; none if a number is predicted.

    Raises:
        InputError: they are combined in a way that is not read.
    """
    segmentation, method = _segmentation(model)
    if method == CHAIN:
        return _chain(model, segmentation, fields, classes)
    if method in SUMS:
        found = _sum_of(model, fields)
        return Combined("sum", [found.start], found.terms, in_floats=math_context(model) == "float")
    rescaling = rescaling_of(model)
    if not rescaling.is_linear:
        raise InputError("a Target of several trees has min, max or castInteger, which is not read")
    if method in VOTES and not classes:
        raise InputError(f"numbers are combined by {method}, which is not read")
    if method in MEANS and math_context(model) == "float":
        raise InputError("trees are averaged in float32 (x-mathContext), which is not read")

    def term(segment: Element, weight: Rational) -> Term:
        tree = _tree(segment, model.attrib["functionName"])
        own = rescaling_of(tree)
        return Term(weight, TreeModel(tree, fields, classes, lambda score: rescaling.scored(own.scored(score))))

    terms = [term(segment, weight) for segment, weight in _weighted(segmentation, method)]
    return Combined("vote" if method in VOTES else "mean", (), terms, classes)


def _segmentation(model: Element) -> tuple[Element, str]:
    found = model.first("Segmentation")
    if found is None:
        raise InputError("a MiningModel has no Segmentation")
    if (method := found.attrib["multipleModelMethod"]) not in METHODS:
        raise InputError(no_such("way to combine models that is read", method, METHODS))
    return found, method


def _weighted(segmentation: Element, method: str) -> list[tuple[Element, Rational]]:
    """The segments with their weights, which have an effect in some methods."""
    segments = segmentation.all("Segment")
    if not segments:
        raise InputError("a Segmentation has no Segment")
    found = []
    for each in segments:
        predicates = each.all("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False")
        if [one.name for one in predicates] != ["True"]:
            raise InputError("a Segment is for some rows alone, which is not read; write each as a model of its own")
        weight = rational(each.get("weight", "1"))
        if weight < 0:
            raise InputError("the weight of a Segment is negative")
        found.append((each, weight if method.startswith("weighted") else 1))
    return found


def _tree(segment: Element, function: str) -> Element:
    """The tree of a segment, which predicts what the model around it does."""
    found = segment.first("TreeModel")
    if found is None:
        raise InputError("a Segment holds no TreeModel")
    if found.attrib["functionName"] != function:
        raise InputError(f"a tree of a model of {function} has the function {found.attrib['functionName']}")
    return found


def _sum_of(model: Element, fields: Fields, outer: Collection[str] | None = None) -> Sum:
    """A model that predicts a number, as a sum of trees.

    Raises:
        InputError: it is none.
    """
    rescaling = rescaling_of(model)
    if model.name == "TreeModel":
        return Sum(0, [Term(1, TreeModel(model, fields, (), rescaling.scored, outer))])
    segmentation, method = _segmentation(model)
    if method not in (*SUMS, *MEANS) or model.attrib["functionName"] != "regression":
        raise InputError(f"trees of a sum are combined by {method}, which is not read")
    pairs = _weighted(segmentation, method)
    whole = sum(weight for _, weight in pairs) if method in MEANS else 1
    if not whole:
        raise InputError("the weights of the Segments are all 0")
    if not rescaling.is_linear:
        raise InputError("a Target of several trees has min, max or castInteger, which is not read")
    names = fields.inner(model, outer)
    terms = [Term(simplest(Fraction(one) / whole), _number_tree(each, fields, names)) for each, one in pairs]
    return Sum(0, terms).scaled(rescaling.factor, rescaling.constant)


def _number_tree(segment: Element, fields: Fields, outer: Collection[str]) -> TreeModel:
    element = _tree(segment, "regression")
    return TreeModel(element, fields, (), rescaling_of(element).scored, outer)


# Chains.


def _chain(model: Element, segmentation: Element, fields: Fields, classes: Sequence[str]) -> Combined:
    """Sums of trees, and a regression model that makes probabilities of them."""
    *parts, (last, _) = _weighted(segmentation, CHAIN)
    regression = last.first("RegressionModel")
    if regression is None or not parts or model.attrib["functionName"] != "classification":
        raise InputError("a modelChain ends in no RegressionModel that makes probabilities of sums of trees")
    if rescaling_of(model).factor != 1:
        raise InputError("a Target rescales classes, which is not read")
    sums: dict[str, Sum] = {}
    in_floats = False
    for segment, _ in parts:
        inner = segment.first("MiningModel", "TreeModel")
        if inner is None or inner.attrib["functionName"] != "regression":
            raise InputError("a modelChain has a model besides sums of trees")
        fields.derive(inner.fields_of("LocalTransformations", "DerivedField"))
        in_floats = in_floats or math_context(inner) == "float"
        _outputs(inner, _sum_of(inner, fields), sums)
    return _probabilities(regression, sums, classes, fields.goal)._replace(in_floats=in_floats)


def _outputs(model: Element, found: Sum, sums: dict[str, Sum]) -> None:
    """The names under which further models know a sum: the prediction, and what outputs make of it."""
    for each in model.fields_of("Output", "OutputField"):
        name, feature = each.attrib["name"], each.get("feature", "predictedValue")
        if "segmentId" in each.attrib:
            raise InputError(f"the output {shortened(name)} is that of one Segment, which is not read")
        if each.get("dataType", "double") not in ("double", "float"):
            raise InputError(
                f"the output {shortened(name)} is a sum of trees as {each.get('dataType')}, which is not read"
            )
        if feature == "predictedValue":
            sums[name] = found
        elif feature == "transformedValue":
            expressions = each.all("Apply", "FieldRef", "Constant")
            if len(expressions) != 1:
                raise InputError(f"the output {shortened(name)} is made in a way that is not read")
            slope, shift, of = _linear(expressions[0], DEEPEST)
            if of not in sums:
                raise InputError(f"the output {shortened(name)} is made of {shortened(of)}, which is no sum of trees")
            sums[name] = sums[of].scaled(slope, shift)


def _linear(expression: Element, deepest: int) -> tuple[Rational, Rational, str]:
    """An expression as a·x + b: a, b and the name of x, which is empty if a is 0.

    Raises:
        InputError: it is none.
    """
    if expression.name == "Constant":
        return 0, rational(expression.text.strip()), ""
    if expression.name == "FieldRef":
        return 1, 0, expression.attrib["field"]
    how, parts = expression.attrib["function"], expression.inner
    unread = InputError(f"an output is made by {shortened(how)} in a way that is not read")
    if how not in ("+", "-", "*", "/") or len(parts) != 2 or not deepest:
        raise unread
    (a, b, one), (c, d, other) = (_linear(part, deepest - 1) for part in parts)
    if how in ("+", "-"):
        if one and other:
            raise unread
        sign = 1 if how == "+" else -1
        return a + sign * c, b + sign * d, one or other
    if how == "*" and not (one and other):
        return simplest(Fraction(a) * d + Fraction(b) * c), simplest(Fraction(b) * d), one or other
    if how == "/" and not other and d:
        return simplest(Fraction(a) / d), simplest(Fraction(b) / d), one
    raise unread


def _probabilities(regression: Element, sums: Mapping[str, Sum], classes: Sequence[str], goal: str) -> Combined:
    """The sums of the classes: those of a regression model, by the class of each of its tables."""
    method = regression.get("normalizationMethod", "none")
    if method not in ("logit", "softmax"):
        raise InputError(no_such("normalizationMethod that is read", method, ("logit", "softmax")))
    if regression.attrib["functionName"] != "classification":
        raise InputError("a modelChain ends in a RegressionModel of numbers, which is not read")
    schema = {each.attrib["name"]: each for each in regression.fields_of("MiningSchema", "MiningField")}
    if [name for name, each in schema.items() if each.get("usageType") in GOALS] != [goal]:
        raise InputError(f"the last model of a modelChain does not predict {shortened(goal)}")
    known = {name: one for name, one in sums.items() if name in schema}
    tables = {each.get("targetCategory"): _of_table(each, known) for each in regression.all("RegressionTable")}
    if set(tables) != set(classes) or len(tables) != len(regression.all("RegressionTable")):
        raise InputError(f"a RegressionModel has not one table for each class of {', '.join(classes)}")
    if len(classes) == 2:
        return _of_two(tables, method, classes)
    if method != "softmax":
        raise InputError("three or more classes have probabilities by logit, which is not read")
    terms = [one._replace(of=place) for place, name in enumerate(classes) for one in tables[name].terms]
    return Combined("softmax", [tables[name].start for name in classes], terms, classes)


def _of_two(tables: Mapping[str, Sum], method: str, classes: Sequence[str]) -> Combined:
    """The log-odds of the second of two classes. By `logit` those of the first table count alone."""
    named, (first, second) = next(iter(tables)), classes
    if method == "softmax":
        minus = tables[first].scaled(-1, 0)
        found = Sum(simplest(Fraction(tables[second].start) + minus.start), [*tables[second].terms, *minus.terms])
    else:
        rest = [one for name, one in tables.items() if name != named]
        if any(one.terms or one.start for one in rest):
            raise InputError("the second of two tables of a RegressionModel is not empty, which logit passes over")
        found = tables[named].scaled(1 if named == second else -1, 0)
    return Combined("logistic", [found.start], found.terms, classes)


def _of_table(table: Element, sums: Mapping[str, Sum]) -> Sum:
    start: Rational = rational(table.attrib["intercept"])
    terms: list[Term] = []
    for each in table.all("NumericPredictor"):
        name = each.attrib["name"]
        if name not in sums:
            raise InputError(f"a RegressionModel is about {shortened(name)}, which is no sum of trees")
        scaled = sums[name].scaled(rational(each.attrib["coefficient"]), 0)
        start, terms = simplest(Fraction(start) + scaled.start), [*terms, *scaled.terms]
    return Sum(start, terms)
