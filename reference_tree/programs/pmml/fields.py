"""The fields of PMML: attributes with their types, and the treatment of their values before anything is asked.

The `DataDictionary` lists the values of a field: valid, invalid, or standing for a missing one. The `MiningSchema` of
the model says what becomes of outliers, of invalid values and of missing ones, in this order. A derived field is read
if it is another name of a field, perhaps as float32, or indicates a category.

Source:
    [DMG2019]
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from reference_tree.data.errors import InputError, no_such
from reference_tree.data.held import LARGEST_SINGLE, Form
from reference_tree.data.schema import Attribute
from reference_tree.data.treatment import Invalid, Outliers, Treatment, ValueRange
from reference_tree.exact.rationals import Rational, is_number, rational, shortened, simplest
from reference_tree.programs.documents import double_of, single
from reference_tree.programs.pmml.members import Element
from reference_tree.programs.pmml.predicates import Value

NUMBERS = ("double", "float", "integer")
"""The types whose values are compared as numbers."""
TYPES = (*NUMBERS, "string", "boolean")
"""The types that are read."""
OPTYPES = ("continuous", "categorical", "ordinal")
"""The types of operations."""
GOALS = ("target", "predicted")
"""The usages of the field that is predicted."""
IGNORED = ("supplementary", "group", "order", "frequencyWeight", "analysisWeight")
"""The usages of fields that no prediction needs."""
OURS = "reference_tree"
"""The program whose decimals are exact."""

_TREATED = ("outliers", "invalidValueTreatment", "invalidValueReplacement", "missingValueReplacement",
            "missingValueTreatment", "lowValue", "highValue", "optype")  # fmt: skip
_INVALID: Mapping[str, Invalid] = {"returnInvalid": "error", "asMissing": "missing", "asValue": "value",
                                 "asIs": "keep"}  # fmt: skip
_FILLED = ("asIs", "asMean", "asMode", "asMedian", "asValue")
"""The origins of a replacement of missing values; the replacement itself is stated."""
_CLOSURES = {"openOpen": (True, True), "openClosed": (True, False), "closedOpen": (False, True),
             "closedClosed": (False, False)}  # fmt: skip


class Derived(NamedTuple):
    """A derived field."""

    field: str
    """The field that it is made of."""
    indicates: str | None = None
    """The category for which it is 1; for all others it is 0. None: it has the value of the field."""
    single: bool = False
    """Whether its values are float32."""


class ModelFields:
    """The fields of a model.

    Args:
        root: the file.
        model: the model, whose mining schema says how values are treated.
        ours: whether this package wrote the file, with exact decimals.
    """

    def __init__(self, root: Element, model: Element, *, ours: bool) -> None:
        # What a field is stands in the dictionary; what becomes of its values, in the schema of the model.
        self.declared = _by_name(root.fields_of("DataDictionary", "DataField"))
        self.mining = _by_name(model.fields_of("MiningSchema", "MiningField"))
        self.ours = ours
        self._singles: set[str] = set()  # the fields of doubles that are compared as float32
        # Derived fields of the file come before those of the model, which may be made of them.
        derived = root.fields_of("TransformationDictionary", "DerivedField")
        self.derived: dict[str, Derived] = {}
        self.derive([*derived, *model.fields_of("LocalTransformations", "DerivedField")])
        self.closed: set[str] = set()
        """The fields of categories whose other values have no answer at some node."""
        self._asked: dict[str, dict[Value, None]] = {}
        # `target` since 4.2, `predicted` before; a file may use either.
        goals = [name for name, each in self.mining.items() if each.get("usageType") in GOALS]
        if len(goals) > 1:
            raise InputError(f"it predicts {' and '.join(goals)}; write a model for each")
        self.goal = goals[0] if goals else ""
        if self.goal:
            self._check_goal(model.attrib["functionName"])
        for each in self.mining.values():
            if (usage := each.get("usageType", "active")) not in ("active", *GOALS, *IGNORED):
                raise InputError(no_such("usage", usage, ("active", *GOALS, *IGNORED)))

    def _check_goal(self, function: str) -> None:
        """Refuse a target that the dictionary does not list, or has as something else than the model predicts."""
        # Without its type nobody knows whether the target is a number.
        if self.goal not in self.declared:
            raise InputError(f"the target {shortened(self.goal)} is no DataField")
        kind, continuous = self._kind(self.goal), self.declared[self.goal].attrib["optype"] == "continuous"
        if continuous != (function == "regression"):
            raise InputError(f"the target {shortened(self.goal)} does not suit a model of function {function}")
        # A continuous text would be compared by size.
        if continuous and kind not in NUMBERS:
            raise InputError(f"the target {shortened(self.goal)} is a number, and of type {kind}")
        if kind in NUMBERS and not all(map(is_number, self.listed(self.goal))):
            raise InputError(
                f"the target {shortened(self.goal)} is of type {kind}, and has classes that are no numbers"
            )

    def derive(self, elements: Iterable[Element]) -> None:
        """Take derived fields in, each after those that it is made of.

        Raises:
            InputError: one is made in a way that is not read.
        """
        for each in elements:
            name, reference, indicator = each.attrib["name"], each.first("FieldRef"), each.first("NormDiscrete")
            kind = each.attrib["dataType"]
            if name in self.declared:
                raise InputError(f"{shortened(name)} is a DataField and a DerivedField; rename one of them")
            if kind not in TYPES:
                raise InputError(f"the derived field {shortened(name)} is of type {kind}, which is not read")
            if each.attrib["optype"] != self._optype_of(each):
                raise InputError(f"the derived field {shortened(name)} is {each.attrib['optype']}, which is not read")
            # One-hot encoding: 1 for the category, 0 for all others. A test of it is one of the category.
            if indicator is not None:
                self.derived[name] = Derived(indicator.attrib["field"], indicator.attrib["value"])
            elif reference is None:
                raise InputError(f"the derived field {shortened(name)} is made in a way that is not read")
            else:
                self.derived[name] = self._renamed(name, reference.attrib["field"], kind)

    def _optype_of(self, derived: Element) -> str:
        """The type of operations of a derived field: an indicator is a number, another name has that of its field."""
        reference = derived.first("FieldRef")
        if reference is None:
            return "continuous"
        field = self.derived.get(reference.attrib["field"], Derived(reference.attrib["field"])).field
        return self.declared[field].attrib["optype"] if field in self.declared else "continuous"

    def _renamed(self, name: str, field: str, kind: str) -> Derived:
        """A derived field with the values of another one; float32, if a double becomes a float."""
        # Names of names are followed to the field itself.
        before = self.derived.get(field, Derived(field))
        was = "float" if before.single else self._kind(before.field)
        if before.indicates is not None or kind == was or (kind == "double" and was in ("float", "integer")):
            return before
        # The cast is kept: it decides on which side of a threshold a value lies.
        if kind == "float" and was in ("double", "integer"):
            return before._replace(single=True)
        raise InputError(f"the derived field {shortened(name)} makes a {kind} of a {was}, which is not read")

    def of(self, name: str) -> tuple[str, Value | None]:
        """The field behind a name, and the category that it indicates with 1, if it does.

        Raises:
            InputError: there is no such field.
        """
        # A predicate may name a field, or any name that was derived from it.
        found = self.derived.get(name, Derived(name))
        if found.field not in self.declared:
            raise InputError(f"{shortened(name)} is tested, which is no DataField")
        if found.field not in self.mining:
            raise InputError(f"{shortened(name)} is tested, which is not in the MiningSchema")
        if (usage := self.mining[found.field].get("usageType", "active")) != "active":
            raise InputError(f"{shortened(name)} is tested, whose usageType is {usage}")
        if found.single:
            self._singles.add(found.field)
        return found.field, found.indicates

    def inner(self, model: Element, outer: Collection[str] | None = None) -> set[str]:
        """The fields in the mining schema of a model within the model.

        Args:
            model: the inner model.
            outer: the fields of the model around it; None: those of the outermost.

        Raises:
            InputError: it treats a field in another way than the outermost does, or has others than the model around.
        """
        if model.first("MiningSchema") is None:
            raise InputError(f"a {model.name} has no MiningSchema")
        schema = _by_name(model.fields_of("MiningSchema", "MiningField")).values()
        names = {each.attrib["name"] for each in schema if each.get("usageType", "active") == "active"}
        # A tree can only ask what the model around it was given.
        if strange := sorted(names - {*(self.mining if outer is None else outer), *self.derived}):
            raise InputError(
                f"a {model.name} has a MiningField {shortened(strange[0])}, which is none of the model around"
            )
        for each in schema:
            above = self.mining.get(each.attrib["name"])
            # Values are treated once, by the outermost schema; an inner one may repeat it, and not change it.
            for key in _TREATED:
                if key in each.attrib and (above is None or above.get(key) != each.get(key)):
                    raise InputError(f"one tree has {key} of {shortened(each.attrib['name'])}, and the model has not")
        return names

    # Values.

    def _kind(self, name: str) -> str:
        if name not in self.declared:
            raise InputError(f"{shortened(name)} is used, which is no DataField")
        kind = self.declared[name].attrib["dataType"]
        if kind not in TYPES:
            raise InputError(f"{shortened(name)} is of type {kind}, which is not read; write it as a number or a text")
        return kind

    def is_number(self, name: str) -> bool:
        """Whether a field holds numbers that are compared by size."""
        # Numbers of an optype other than continuous are names of categories.
        optype = self.declared[name].attrib["optype"]
        if optype not in OPTYPES:
            raise InputError(no_such("optype", optype, OPTYPES))
        stated = self.mining[name].get("optype", optype) if name in self.mining else optype
        if stated != optype:
            raise InputError(f"{shortened(name)} is {optype} in the DataDictionary and {stated} in the MiningSchema")
        if optype == "continuous" and self._kind(name) not in NUMBERS:
            raise InputError(f"{shortened(name)} is continuous and of type {self._kind(name)}")
        return optype == "continuous"

    def value(self, name: str, text: str) -> Value:
        """The value of a field that a text stands for; it is noted that it is asked for.

        Raises:
            InputError: the text is no number, where the field holds numbers.
        """
        # Categories are remembered: those that only a predicate names belong to the domain, too.
        if self.is_number(name):
            return self._number(name, text)
        found = self._category(name, text)
        self._asked.setdefault(name, {})[found] = None
        return found

    def _category(self, name: str, text: str) -> str:
        """The name of a category; of numbers the one that is listed, or the shortest: 1.0 is 1."""
        if self._kind(name) not in NUMBERS:
            return text
        if not is_number(text):
            raise InputError(f"{shortened(name)} is of type {self._kind(name)}, and {shortened(text)} is no number")
        # Two texts of one number are one category.
        number = rational(text)
        listed = [each.attrib["value"] for each in self.declared[name].all("Value")]
        same = (each for each in listed if is_number(each) and rational(each) == number)
        return next(same, str(number) if number.denominator == 1 else text)

    def _number(self, name: str, text: str) -> Rational:
        """A number as the type of its field holds it."""
        # This package writes decimals that are exact; others write digits of a double or a float.
        if self.ours:
            return rational(text)
        near = double_of(text)
        if self._kind(name) == "integer" and not near.is_integer():
            raise InputError(f"{shortened(name)} is of type integer, and is compared with {shortened(text)}")
        return simplest(Fraction(single(near) if self.held(name) == "float32" else near))

    def held(self, name: str) -> Form:
        """The form of the numbers of a field when they are compared."""
        if self.ours:
            return "exact"
        # A double that some derived field makes a float is compared as one.
        return "float32" if self._kind(name) == "float" or name in self._singles else "double"

    def largest(self, name: str) -> Rational:
        """The largest number that a field can hold."""
        return int(LARGEST_SINGLE if self.held(name) == "float32" else sys.float_info.max)

    # Attributes.

    def listed(self, name: str) -> list[str]:
        """The valid categories that the dictionary lists."""
        return [each.attrib["value"] for each in self.declared[name].all("Value") if _property(each) == "valid"]

    def domain(self, name: str) -> tuple[str, ...]:
        """The categories of a field: those listed, and those that tests name."""
        texts = [str(value) for value in self._asked.get(name, {})]
        return tuple(dict.fromkeys([*self.listed(name), *texts]))

    def is_open(self, name: str) -> bool:
        """Whether a field may have a category that is in no list."""
        # A closed field has an answer for its listed values alone, so others are refused.
        if self.ours or name in self.closed:
            return False
        return not self.listed(name) or self.mining[name].get("invalidValueTreatment") == "asIs"

    def is_filled(self, name: str) -> bool:
        """Whether a missing value is replaced or refused, so that no test meets one."""
        mining = self.mining[name]
        return "missingValueReplacement" in mining.attrib or mining.get("missingValueTreatment") == "returnInvalid"

    def attributes(self) -> list[Attribute]:
        """The attributes in the order of the dictionary, with the treatment of their values."""
        return [
            self._attribute(name) for name in self.declared
            if name in self.mining and name != self.goal and self.mining[name].get("usageType") not in IGNORED
        ]  # fmt: skip

    def _attribute(self, name: str) -> Attribute:
        # A treatment that changes nothing is not stated.
        treatment = self._treatment(name)
        treated = None if treatment == Treatment() else treatment
        if self.is_number(name):
            form: Form = "written" if self.ours else self.held(name)
            return Attribute(name, held=form, treatment=treated)
        # A replacement may be a category that no node names.
        more = [] if treated is None else [treated.instead, treated.missing]
        values = [*self.domain(name), *(one for one in more if isinstance(one, str))]
        return Attribute(name, tuple(dict.fromkeys(values)), treatment=treated)

    def _treatment(self, name: str) -> Treatment:
        mining, number = self.mining[name], self.is_number(name)
        by_property: dict[str, list[Value]] = {"valid": [], "invalid": [], "missing": []}
        # The dictionary calls each listed value valid, invalid or missing.
        for each in self.declared[name].all("Value"):
            by_property[_property(each)].append(self._read(name, each.attrib["value"]))
        rule = mining.get("invalidValueTreatment", "returnInvalid")
        if rule not in _INVALID:
            raise InputError(no_such("treatment of invalid values", rule, _INVALID))
        intervals = [_interval(each, name) for each in self.declared[name].all("Interval")]
        # An interval and a list of valid values beside it could contradict one another.
        if intervals and (by_property["valid"] or not number):
            raise InputError(f"{shortened(name)} has an Interval besides valid values or categories, which is not read")
        if rule == "asIs" and "invalidValueReplacement" in mining.attrib:
            raise InputError(f"invalid values of {shortened(name)} are kept and replaced, which is not read")
        # First outliers, then invalid values, then missing ones [DMG2019].
        found = Treatment(
            absent=tuple(one for one in by_property["missing"] if not number or one != "NaN"),
            outliers=self._outliers(name),
        )
        if (rule != "asIs" or found.outliers is not None) and (
            by_property["valid"] or by_property["invalid"] or intervals
        ):
            found = replace(
                found, valid=tuple(by_property["valid"]), intervals=tuple(intervals),
                not_valid=tuple(by_property["invalid"]), invalid=_INVALID[rule], instead=self._instead(name, rule),
            )  # fmt: skip
        elif name in self.closed:
            found = replace(found, valid=tuple(self.domain(name)))
        # A number with a fraction is an invalid integer.
        if number and rule != "asIs" and self._kind(name) == "integer":
            found = replace(found, whole=True, invalid=_INVALID[rule], instead=self._instead(name, rule))
        found = self._filled(name, found)
        if number and self.held(name) == "float32" and self._kind(name) != "float" and found != Treatment():
            return replace(found, form="double")
        return found

    def _instead(self, name: str, rule: str) -> Value | None:
        """The value that replaces an invalid one, if that is the rule."""
        # Only this rule names a value.
        if rule != "asValue":
            return None
        if (found := self._replacement(name, "invalidValueReplacement")) is None:
            raise InputError(f"invalid values of {shortened(name)} are replaced, and it is not said by what")
        return found

    def _filled(self, name: str, found: Treatment) -> Treatment:
        """A treatment with what becomes of missing values."""
        rule, instead = self.mining[name].get("missingValueTreatment", "asIs"), "missingValueReplacement"
        if rule not in (*_FILLED, "returnInvalid"):
            raise InputError(no_such("treatment of missing values", rule, (*_FILLED, "returnInvalid")))
        value = self._replacement(name, instead)
        # A missing value then refuses the row.
        if rule == "returnInvalid":
            if value is not None:
                raise InputError(f"missing values of {shortened(name)} are replaced, and called invalid")
            return replace(found, required=True)
        return replace(found, missing=value)

    def _replacement(self, name: str, key: str) -> Value | None:
        if key not in self.mining[name].attrib:
            return None
        found = self._read(name, self.mining[name].attrib[key])
        if isinstance(found, str) and self.is_number(name):
            raise InputError(f"the {key} of {shortened(name)} is {shortened(found)}, which is no number")
        return found

    def _read(self, name: str, text: str) -> Value:
        """A value in the dictionary or the schema; among numbers a text may stand for a missing or an invalid one."""
        if not self.is_number(name):
            return self._category(name, text)
        return self._exact(name, text) if is_number(text) else text

    def _exact(self, name: str, text: str) -> Rational:
        if self.ours:
            return rational(text)
        near = double_of(text)
        return simplest(Fraction(single(near) if self._kind(name) == "float" else near))

    def _outliers(self, name: str) -> Outliers | None:
        mining = self.mining[name]
        rule = mining.get("outliers", "asIs")
        if rule not in ("asIs", "asMissingValues", "asExtremeValues"):
            raise InputError(no_such("treatment of outliers", rule, ("asIs", "asMissingValues", "asExtremeValues")))
        if rule == "asIs":
            return None
        if not self.is_number(name):
            raise InputError(f"{shortened(name)} has categories, which have no outliers")
        # One bound may be absent, and both may not.
        low, high = (self._exact(name, mining.attrib[key]) if key in mining.attrib else None
                     for key in ("lowValue", "highValue"))  # fmt: skip
        if low is None and high is None:
            raise InputError(f"outliers of {shortened(name)} are treated, and there is no lowValue and no highValue")
        return Outliers(low, high, rule == "asMissingValues")


def _by_name(fields: Iterable[Element]) -> dict[str, Element]:
    """Fields by their names.

    Raises:
        InputError: a name is there twice.
    """
    found: dict[str, Element] = {}
    for each in fields:
        # The second of two fields of one name would hide the first.
        if (name := each.attrib["name"]) in found:
            raise InputError(f"there are two {each.name}s {shortened(name)}")
        found[name] = each
    return found


def _property(value: Element) -> str:
    found = value.get("property", "valid")
    if found not in ("valid", "invalid", "missing"):
        raise InputError(no_such("property of a Value", found, ("valid", "invalid", "missing")))
    return found


def _interval(element: Element, name: str) -> ValueRange:
    """An interval of valid numbers; the bounds are doubles."""
    closure = element.attrib["closure"]
    if closure not in _CLOSURES:
        raise InputError(no_such("closure", closure, _CLOSURES))
    # An open end excludes its margin.
    above, below = _CLOSURES[closure]
    low, high = (simplest(Fraction(double_of(element.attrib[key]))) if key in element.attrib else None
                 for key in ("leftMargin", "rightMargin"))  # fmt: skip
    if low is None and high is None:
        raise InputError(f"an Interval of {shortened(name)} has no margins")
    return ValueRange(low, high, above=above, below=below)
