r"""PMML: a `TreeModel` or a `MiningModel` of trees, the form in which programs hand models to one another.

Each member of the file is used, known to have no effect, or refused by name (`reference_tree.programs.pmml.members`):

1. Before anything is asked, values are treated: outliers, invalid values, missing ones (`fields`).
2. A node has a predicate, and a row goes to the first child whose predicate is true (`predicates`). The children
   are read as tests with branches (`children`), or as one with surrogates (`trees`).
3. A number that a tree predicts is rescaled (`targets_of`): it is brought into [min, max], multiplied by
   `rescaleFactor`, `rescaleConstant` is added, and it becomes a whole number by `castInteger`. For a tree this is done
   with the score of each node, once.
4. Several trees answer together, as an ensemble document:

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

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed, no_such
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import Rational, rational, shortened, simplest
from reference_tree.programs.documents import NOTES, TreeOrigin, document, ensemble, numbered, refuse_many
from reference_tree.programs.indented import text_of
from reference_tree.programs.pmml.fields import GOALS, OURS, ModelFields
from reference_tree.programs.pmml.members import MEMBERS, Element, parsed
from reference_tree.programs.pmml.predicates import DEEPEST
from reference_tree.programs.pmml.trees import TreeModel, math_context, silent_of
from reference_tree.programs.reader import GivenNames, ProgramReader
from reference_tree.programs.releases import newer
from reference_tree.tree import Program
from reference_tree.tree_document.members import weight_json

CASTS = ("round", "ceiling", "floor")
"""The ways to round a number to a whole one."""


class Rescaling(NamedTuple):
    """The steps that a predicted number goes through."""

    low: Rational | None = None
    high: Rational | None = None
    factor: Rational = 1
    constant: Rational = 0
    cast: str = ""

    @property
    def is_linear(self) -> bool:
        """Whether a number is only multiplied and shifted, so that it does not matter whether before a sum or after."""
        return self.low is None and self.high is None and not self.cast

    def scored(self, number: Rational) -> Rational:
        """The number that is answered.

        Example:
            >>> Rescaling(factor=2, constant=Fraction(1, 2)).scored(1), Rescaling(high=4, cast="round").scored(7)
            (Fraction(5, 2), 4)
        """
        # The order is that of the standard: bounds, factor, constant, cast [DMG2019].
        if self.low is not None:
            number = max(number, self.low)
        if self.high is not None:
            number = min(number, self.high)
        number = simplest(Fraction(number) * self.factor + self.constant)
        # Half a unit goes up.
        if self.cast == "round":
            return math.floor(number + Fraction(1, 2))
        return number if not self.cast else math.ceil(number) if self.cast == "ceiling" else math.floor(number)


def rescaling_of(model: Element) -> Rescaling:
    """The rescaling that the targets of a model state.

    A model within a model mostly predicts no field by name. Its target has no name then; one with a name has no effect.

    Args:
        model: the element of the model.

    Raises:
        InputError: a target is about another field than the model predicts, or has a rule that is not read.
    """
    # A target is about the field that the model predicts, or about nothing.
    goals = [each.attrib["name"] for each in model.fields_of("MiningSchema", "MiningField")
             if each.get("usageType") in GOALS]  # fmt: skip
    goal = goals[0] if goals else ""
    targets = list(model.fields_of("Targets", "Target"))
    if len(targets) > 1:
        raise InputError("it has several Targets; write a model for each")
    if not targets:
        return Rescaling()
    target = targets[0]
    # JPMML-Evaluator 1.7.7 passes over such a target, and others may not.
    if target.get("field") != goal:
        named = target.get("field") or "without a field"
        raise InputError(f"it has a Target {named}, and predicts {goal or 'a number without a name'}")
    numbers = {key: rational(target.attrib[key]) for key in ("min", "max", "rescaleFactor", "rescaleConstant")
               if key in target.attrib}  # fmt: skip
    if (cast := target.get("castInteger")) and cast not in CASTS:
        raise InputError(no_such("castInteger", cast, CASTS))
    found = Rescaling(
        numbers.get("min"), numbers.get("max"), numbers.get("rescaleFactor", 1), numbers.get("rescaleConstant", 0), cast
    )
    if model.attrib["functionName"] != "regression" and found != Rescaling():
        raise InputError("a Target rescales classes, which is not read")
    return found


VOTES = ("majorityVote", "weightedMajorityVote")
MEANS = ("average", "weightedAverage")
SUMS = ("sum", "weightedSum")
CHAIN = "modelChain"
METHODS = (*VOTES, *MEANS, *SUMS, CHAIN)
"""The ways to combine the models of segments that are read."""


class LinearTerm(NamedTuple):
    """A tree of a sum."""

    weight: Rational
    model: TreeModel
    of: int = 0
    """The place of the class whose score it adds to."""


class TreeSum(NamedTuple):
    """A sum of trees."""

    start: Rational
    terms: Sequence[LinearTerm]

    def scaled(self, factor: Rational, constant: Rational) -> TreeSum:
        """The sum, multiplied and shifted."""
        # A factor of the sum is a factor of each tree, and of the start.
        terms = [one._replace(weight=simplest(Fraction(one.weight) * factor)) for one in self.terms]
        return TreeSum(simplest(Fraction(self.start) * factor + constant), terms)


class Combined(NamedTuple):
    """The trees of a model, and how they answer together."""

    combine: str
    """The name of the rule of an ensemble document."""
    start: Sequence[Rational]
    terms: Sequence[LinearTerm]
    classes: Sequence[str] = ()
    in_floats: bool = False
    """Whether sums are float32."""

    def place(self, term: LinearTerm) -> dict[str, str]:
        """The class whose score a tree adds to, if there is a sum for each class."""
        return {"of": self.classes[term.of]} if self.combine == "softmax" else {}


def combined(model: Element, fields: ModelFields, classes: Sequence[str]) -> Combined:
    """The trees of a mining model.

    Args:
        model: the element.
        fields: its fields.
        classes: the classes of the target; none if a number is predicted.

    Raises:
        InputError: they are combined in a way that is not read.
    """
    # A chain and a sum are sums of trees; everything else votes or averages.
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

    # A linear target of a mean can be taken of each tree, after its own.
    def term(segment: Element, weight: Rational) -> LinearTerm:
        tree = _tree(segment, model.attrib["functionName"])
        own = rescaling_of(tree)
        return LinearTerm(weight, TreeModel(tree, fields, classes, lambda score: rescaling.scored(own.scored(score))))

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
        # A segment for some rows alone would be a tree above the trees.
        if [one.name for one in predicates] != ["True"]:
            raise InputError("a Segment is for some rows alone, which is not read; write each as a model of its own")
        weight = rational(each.get("weight", "1"))
        # A negative vote would not be a vote.
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


def _sum_of(model: Element, fields: ModelFields, outer: Collection[str] | None = None) -> TreeSum:
    """A model that predicts a number, as a sum of trees.

    Raises:
        InputError: it is none.
    """
    rescaling = rescaling_of(model)
    if model.name == "TreeModel":
        return TreeSum(0, [LinearTerm(1, TreeModel(model, fields, (), rescaling.scored, outer))])
    segmentation, method = _segmentation(model)
    if method not in (*SUMS, *MEANS) or model.attrib["functionName"] != "regression":
        raise InputError(f"trees of a sum are combined by {method}, which is not read")
    pairs = _weighted(segmentation, method)
    # A mean is a sum whose weights add up to 1.
    whole = sum(weight for _, weight in pairs) if method in MEANS else 1
    if not whole:
        raise InputError("the weights of the Segments are all 0")
    # A bound or a cast of a sum is no sum of bounded trees.
    if not rescaling.is_linear:
        raise InputError("a Target of several trees has min, max or castInteger, which is not read")
    names = fields.inner(model, outer)
    terms = [LinearTerm(simplest(Fraction(one) / whole), _number_tree(each, fields, names)) for each, one in pairs]
    return TreeSum(0, terms).scaled(rescaling.factor, rescaling.constant)


def _number_tree(segment: Element, fields: ModelFields, outer: Collection[str]) -> TreeModel:
    element = _tree(segment, "regression")
    return TreeModel(element, fields, (), rescaling_of(element).scored, outer)


# Chains.


def _chain(model: Element, segmentation: Element, fields: ModelFields, classes: Sequence[str]) -> Combined:
    """Sums of trees, and a regression model that makes probabilities of them."""
    # Sums first, and the model that makes probabilities of them at the end.
    *parts, (last, _) = _weighted(segmentation, CHAIN)
    regression = last.first("RegressionModel")
    if regression is None or not parts or model.attrib["functionName"] != "classification":
        raise InputError("a modelChain ends in no RegressionModel that makes probabilities of sums of trees")
    if rescaling_of(model).factor != 1:
        raise InputError("a Target rescales classes, which is not read")
    sums: dict[str, TreeSum] = {}
    in_floats = False
    # Each part hands a number to the last model, under the name of its output.
    for segment, _ in parts:
        inner = segment.first("MiningModel", "TreeModel")
        if inner is None or inner.attrib["functionName"] != "regression":
            raise InputError("a modelChain has a model besides sums of trees")
        fields.derive(inner.fields_of("LocalTransformations", "DerivedField"))
        in_floats = in_floats or math_context(inner) == "float"
        _outputs(inner, _sum_of(inner, fields), sums)
    return _probabilities(regression, sums, classes, fields.goal)._replace(in_floats=in_floats)


def _outputs(model: Element, found: TreeSum, sums: dict[str, TreeSum]) -> None:
    """The names under which further models know a sum: the prediction, and what outputs make of it."""
    for each in model.fields_of("Output", "OutputField"):
        name, feature = each.attrib["name"], each.get("feature", "predictedValue")
        if "segmentId" in each.attrib:
            raise InputError(f"the output {shortened(name)} is that of one Segment, which is not read")
        if each.get("dataType", "double") not in ("double", "float"):
            raise InputError(
                f"the output {shortened(name)} is a sum of trees as {each.get('dataType')}, which is not read"
            )
        # The sum itself, or a linear function of it.
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
    # Each side as a·x + b; a product of two sums would not be linear.
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


def _probabilities(regression: Element, sums: Mapping[str, TreeSum], classes: Sequence[str], goal: str) -> Combined:
    """The sums of the classes: those of a regression model, by the class of each of its tables."""
    method = regression.get("normalizationMethod", "none")
    if method not in ("logit", "softmax"):
        raise InputError(no_such("normalizationMethod that is read", method, ("logit", "softmax")))
    if regression.attrib["functionName"] != "classification":
        raise InputError("a modelChain ends in a RegressionModel of numbers, which is not read")
    schema = {each.attrib["name"]: each for each in regression.fields_of("MiningSchema", "MiningField")}
    # The last model answers for the whole chain, so it predicts the same field.
    if [name for name, each in schema.items() if each.get("usageType") in GOALS] != [goal]:
        raise InputError(f"the last model of a modelChain does not predict {shortened(goal)}")
    known = {name: one for name, one in sums.items() if name in schema}
    tables = {each.get("targetCategory"): _of_table(each, known) for each in regression.all("RegressionTable")}
    if set(tables) != set(classes) or len(tables) != len(regression.all("RegressionTable")):
        raise InputError(f"a RegressionModel has not one table for each class of {', '.join(classes)}")
    # Of two classes one sum is enough: the log odds of the second.
    if len(classes) == 2:
        return _of_two(tables, method, classes)
    if method != "softmax":
        raise InputError("three or more classes have probabilities by logit, which is not read")
    # softmax has a sum for each class.
    terms = [one._replace(of=place) for place, name in enumerate(classes) for one in tables[name].terms]
    return Combined("softmax", [tables[name].start for name in classes], terms, classes)


def _of_two(tables: Mapping[str, TreeSum], method: str, classes: Sequence[str]) -> Combined:
    """The log-odds of the second of two classes. By `logit` those of the first table count alone."""
    named, (first, second) = next(iter(tables)), classes
    # softmax of two sums is the logistic function of their difference.
    if method == "softmax":
        minus = tables[first].scaled(-1, 0)
        found = TreeSum(simplest(Fraction(tables[second].start) + minus.start), [*tables[second].terms, *minus.terms])
    else:
        rest = [one for name, one in tables.items() if name != named]
        if any(one.terms or one.start for one in rest):
            raise InputError("the second of two tables of a RegressionModel is not empty, which logit passes over")
        found = tables[named].scaled(1 if named == second else -1, 0)
    return Combined("logistic", [found.start], found.terms, classes)


def _of_table(table: Element, sums: Mapping[str, TreeSum]) -> TreeSum:
    start: Rational = rational(table.attrib["intercept"])
    terms: list[LinearTerm] = []
    for each in table.all("NumericPredictor"):
        name = each.attrib["name"]
        # A column of the rows beside the sums would be no sum of trees.
        if name not in sums:
            raise InputError(f"a RegressionModel is about {shortened(name)}, which is no sum of trees")
        scaled = sums[name].scaled(rational(each.attrib["coefficient"]), 0)
        start, terms = simplest(Fraction(start) + scaled.start), [*terms, *scaled.terms]
    return TreeSum(start, terms)


_HEAD = re.compile(r"(?s)\A\s*<(?:.*<)?(?:[\w.-]+:)?PMML")

_NAMING = {"Node": "score", "ScoreDistribution": "value", "RegressionTable": "targetCategory"}
"""The elements that name a class, and the attribute with its name."""

SHARES = "its counts are shares of 1: P(Y|X), and not how many rows there were"
"""The remark on a tree whose distributions hold shares in place of counts."""


def documents(value: Any, names: GivenNames) -> list[dict[str, Any]]:
    """The document of the model; PMML states all names, and mostly that of the target.

    Raises:
        InputError: it is no PMML, holds no model of trees or several, or uses a feature that is not read.
    """
    return [_File(parsed(text_of(value), names.ignored), names.target).document()]


READER = ProgramReader("pmml", "a tree model of PMML", documents, _HEAD, inventories=tuple(MEMBERS.values()))


class _File:
    """A file with one model of trees."""

    def __init__(self, root: Element, target: str) -> None:
        # One file, one model: of several nobody knows which one answers.
        models = root.all("TreeModel", "MiningModel")
        if len(models) != 1:
            raise InputError(
                "it holds no model of trees" if not models else "it holds several models; write each alone"
            )
        self.root, self.model = root, models[0]
        application = next(root.fields_of("Header", "Application"), None)
        self.program = "PMML" if application is None else application.attrib["name"]
        # This package writes exact decimals; the numbers of other programs are doubles or floats.
        self.fields = ModelFields(root, self.model, ours=self.program == OURS)
        self.goal = self.fields.goal or target
        if self.model.attrib["functionName"] not in ("regression", "classification"):
            raise InputError(f"its function is {self.model.attrib['functionName']}, which no tree has")
        self.is_number = self.model.attrib["functionName"] == "regression"
        self.notes = [*filter(None, [newer("PMML", root.attrib.get("version"))]), *self._outputs()]
        if (
            self.is_number
            and self.goal in self.fields.declared
            and self.fields.declared[self.goal].get("dataType") == "float"
        ):
            self.notes.append("the target is a float, and what is answered is not rounded to one")

    def document(self) -> dict[str, Any]:
        """The document of the tree or the ensemble."""
        classes = () if self.is_number else self._classes()
        # One tree is a tree document, several are an ensemble.
        # Targets of a single tree are taken of its scores.
        if self.model.name == "MiningModel":
            return self._ensemble(combined(self.model, self.fields, classes))
        scored = rescaling_of(self.model).scored
        tree = TreeModel(self.model, self.fields, classes, scored)
        tree.build()
        silent = silent_of([tree])
        if tree.tells_shares:
            self.notes.append(SHARES)
        nodes, attributes = tree.held(silent), self.fields.attributes()
        remarks = [("form", f"PMML {self.root.attrib.get('version')}")]
        if any(one.test is not None and one.test.surrogates for one in nodes.values()):
            remarks.append(("agreement", "not told"))
        goal = Attribute(self.goal, None if self.is_number else tuple(classes))
        return document(self._source(attributes, silent, remarks), goal, self._plain(attributes), nodes, 0)

    def _ensemble(self, model: Combined) -> dict[str, Any]:
        trees = [term.model for term in model.terms]
        if not trees:
            raise InputError("it holds no TreeModel with nodes")
        adds = model.combine in ("sum", "logistic", "softmax")
        # All trees are read before one is worked out, since they add categories to the fields.
        for tree in trees:
            tree.build()
        silent = silent_of(trees) | (frozenset({"counts", "errors"}) if adds else frozenset())
        refuse_many(sum(len(tree.found) for tree in trees))
        # P(Y|X) needs the counts or the shares of every leaf.
        if model.combine == "mean" and not self.is_number and "counts" in silent:
            raise InputError("the P(Y|X) of trees are averaged, and one tree states none")
        if any(tree.tells_shares for tree in trees) and not adds:
            self.notes.append(SHARES)
        attributes = self.fields.attributes()
        members = [
            ({"weight": weight_json(term.weight), **model.place(term)}, numbered(term.model.held(silent), 0))
            for term in model.terms
        ]
        source = self._source(attributes, silent, [("form", f"PMML {self.root.attrib.get('version')}")])
        if adds:
            source = source._replace(program=source.program._replace(sums="float32" if model.in_floats else "double"))
        goal = Attribute(self.goal, None if self.is_number else tuple(model.classes))
        return ensemble(source, goal, self._plain(attributes), model.combine, model.start, members)

    def _source(
        self, attributes: Sequence[Attribute], silent: frozenset[str], remarks: list[tuple[str, Any]]
    ) -> TreeOrigin:
        notes = [(NOTES, list(self.notes))] if self.notes else []
        return TreeOrigin(Program(self.program, None, self._numbers(attributes), silent), remarks=[*remarks, *notes])

    def _numbers(self, attributes: Sequence[Attribute]) -> Form:
        """The form in which the program held all values; `exact` if each attribute says it for itself."""
        # One form for all numbers is stated once, of the program.
        forms = {one.held for one in attributes if one.values is None}
        if self.program == OURS or len(forms) > 1:
            return "exact"
        return next(iter(forms), "double")

    def _plain(self, attributes: Sequence[Attribute]) -> list[Attribute]:
        """The attributes; if the program holds all numbers in one form, they need not say it."""
        if len({one.held for one in attributes if one.values is None}) > 1:
            return list(attributes)
        return [replace(one, held="written") for one in attributes]

    def _classes(self) -> tuple[str, ...]:
        """The classes: those that the dictionary lists, or those that nodes name.

        Raises:
            InputError: a node names one that is not listed.
        """
        goal = self.fields.declared.get(self.goal)
        listed_ones = [] if goal is None else self.fields.listed(self.goal)
        named: set[str] = set()
        # Nodes of inner regression trees have scores that are numbers, and name no class.
        pending = [self.model]
        while pending:
            each = pending.pop()
            key = _NAMING.get(each.name, "")
            named |= {each.attrib[key]} if key in each.attrib else set()
            pending += [one for one in each.inner if one.get("functionName", "classification") == "classification"]
        if strange := sorted(named - set(listed_ones)) if listed_ones else []:
            raise InputError(f"a node predicts {shortened(strange[0])}, which is no Value of {shortened(self.goal)}")
        return tuple(dict.fromkeys(listed_ones or sorted(named)))

    def _outputs(self) -> list[str]:
        """Remarks on outputs that are more than the prediction.

        Raises:
            InputError: there is no target, so that the outputs are the answer.
        """
        made = [each.attrib["name"] for each in self.model.fields_of("Output", "OutputField")
                if each.get("feature", "predictedValue") in ("transformedValue", "decision")
                and each.get("isFinalResult", "true") == "true"]  # fmt: skip
        if not made:
            return []
        if not self.fields.goal:
            raise InputError(f"it has no target, and answers with outputs that are computed from trees: {listed(made)}")
        return [f"outputs that are computed from the prediction are not read: {listed(made)}"]
