"""The fields of PMML: types, derived fields, and what is refused about the values of a field."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of
from tests.programs.pmml_mutations import CLASSES, NUMBERS


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('outliers="asExtremeValues" lowValue="2" highValue="70"', 'outliers="asExtremeValues"', "no lowValue and"),
        ('name="sex" invalidValueTreatment', 'name="sex" outliers="asMissingValues" lowValue="1" invalidValueTreatment',
         "has categories, which have no outliers"),
        ('invalidValueTreatment="asValue" invalidValueReplacement="40"', 'invalidValueTreatment="asValue"', "by what"),
        ('missingValueReplacement="30"', 'missingValueReplacement="old"', "'old', which is no number"),
        ('missingValueTreatment="asMean"', 'missingValueTreatment="returnInvalid"', "are replaced, and called invalid"),
        ('name="fare" usageType="active"', 'name="fare" optype="categorical"', "and categorical in the MiningSchema"),
        ('closure="closedOpen"', 'closure="open"', "there is no closure 'open'"),
        ('dataType="float"', 'dataType="dateTime"', "is of type dateTime, which is not read"),
        ('optype="categorical" dataType="string">\n<Value value="dies"',
         'optype="continuous" dataType="double"><Value value="dies"',
         "does not suit a model of function classification"),
        ('<Value value="male"/>', '<Value value="male" property="rare"/>', "there is no property of a Value 'rare'"),
    ],
)  # fmt: skip
def test_a_field_with_another_rule_is_refused(old: str, new: str, message: str) -> None:
    assert old in CLASSES
    with pytest.raises(InputError, match=message):
        read_foreign(CLASSES.replace(old, new))


def test_a_derived_field_may_be_a_double_as_a_float() -> None:
    derived = (
        '<DerivedField name="float(age)" optype="continuous" dataType="float"><FieldRef field="age"/></DerivedField>'
    )
    text = NUMBERS.replace("<TransformationDictionary>", f"<TransformationDictionary>{derived}")
    text = text.replace(
        'field="age" operator="lessOrEqual" value="13"', 'field="float(age)" operator="lessOrEqual" value="13.1"'
    )
    (document,) = read_foreign(text)
    age = next(one for one in document["attributes"] if one["name"] == "age")
    assert age.get("floats", document["program"]["numbers"]) == "float32"
    assert age["treatment"]["form"] == "double"
    tree = tree_of(document)
    row = {"sex": "female", "fare": 7}
    assert (
        tree.predict({**row, "age": 13.1})
        == tree.predict({**row, "age": 13.1000001})
        != tree.predict({**row, "age": 13.2})
    )


@pytest.mark.parametrize(
    ("derived", "message"),
    [
        ('<DerivedField name="d" optype="continuous" dataType="double"><Apply function="+"/></DerivedField>',
         "member 'Apply'"),
        ('<DerivedField name="d" optype="continuous" dataType="integer"><FieldRef field="age"/></DerivedField>',
         "makes a integer of a double"),
        ('<DerivedField name="d" optype="categorical" dataType="string"><FieldRef field="age"/></DerivedField>',
         "is categorical"),
    ],
)  # fmt: skip
def test_other_derived_fields_are_refused(derived: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_foreign(NUMBERS.replace("<TransformationDictionary>", f"<TransformationDictionary>{derived}"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<MiningField name="fare"', '<MiningField name="age"/><MiningField name="fare"', "two MiningFields 'age'"),
        ('<DataField name="fare"', '<DataField name="age" optype="continuous" dataType="float"/><DataField name="fare"',
         "there are two DataFields 'age'"),
        ("<TreeModel ", '<TransformationDictionary><DerivedField name="fare" optype="continuous" dataType="double">'
         '<FieldRef field="age"/></DerivedField></TransformationDictionary><TreeModel ',
         "'fare' is a DataField and a DerivedField"),
    ],
)  # fmt: skip
def test_a_name_stands_for_one_field(old: str, new: str, message: str) -> None:
    """Of a name that is there twice JPMML-Evaluator 1.7.7 refuses the file, or takes the DataField."""
    assert old in CLASSES
    with pytest.raises(InputError, match=message):
        read_foreign(CLASSES.replace(old, new))
