"""Treatments in documents: written and read back as they are, and refused if they make no sense."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference_tree.tree_document.reading import from_json
from reference_tree.tree_document.treatments import MEMBERS, read_treatment, treatment_json
from reference_tree.tree_document.writing import to_json
from tests.data.test_treatment import AGE, document

WHOLE: dict[str, Any] = {
    **AGE,
    "not_valid": ["7"],
    "valid": ["1/3", "2"],
    "whole": True,
    "required": True,
    "form": "double",
}


def test_a_treatment_is_written_as_it_is_read() -> None:
    treatment = read_treatment(WHOLE, is_number=True)
    assert treatment_json(treatment) == WHOLE
    assert WHOLE.keys() == set(MEMBERS)
    tree = from_json(json.dumps(document(AGE)))
    again = from_json(to_json(tree))
    assert to_json(again) == to_json(tree)
    assert [one.treatment for one in again.attributes] == [one.treatment for one in tree.attributes]
    assert again.attributes[0].treatment == read_treatment(AGE, is_number=True)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"colour": "red"}, "colour"),
        ({"invalid": "never"}, "invalid values are error, missing, value, keep"),
        ({"instead": "3"}, "which are not replaced"),
        ({"form": "binary"}, "there is no form"),
        ({"outliers": {"rule": "far"}}, "outliers are missing or nearest"),
        ({"outliers": {"rule": "nearest", "low": "5", "high": "2"}}, "above the high one"),
        ({"intervals": [{"gt": "1", "ge": "2"}]}, "one low and one high bound"),
        ({"missing": "many"}, "not a number"),
        ({"missing": 3}, "text"),
    ],
)
def test_what_makes_no_sense_is_refused(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_treatment(entry, is_number=True)


def test_categories_have_no_outliers() -> None:
    with pytest.raises(ValueError, match="categories have no outliers"):
        read_treatment({"outliers": {"rule": "missing"}}, is_number=False)
