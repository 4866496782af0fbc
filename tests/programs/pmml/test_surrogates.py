"""Surrogates in PMML: one question with stand-ins where a rule says what is left, otherwise field by field."""

from __future__ import annotations

import pytest

from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of
from tests.programs.pmml.test_files import model, simple


def surrogate(*predicates: str) -> str:
    return f'<CompoundPredicate booleanOperator="surrogate">{"".join(predicates)}</CompoundPredicate>'


LOW = surrogate(simple("x", "lessThan", "1"), simple("sky", "equal", "sunny"))
HIGH = surrogate(simple("x", "greaterOrEqual", "1"), simple("sky", "notEqual", "sunny"))


@pytest.mark.parametrize(
    ("attrib", "above", "left", "is_one"),
    [
        ('missingValueStrategy="lastPrediction"', "", "yes", True),
        ('missingValueStrategy="defaultChild"', 'defaultChild="b"', "no", True),
        ('missingValueStrategy="none" noTrueChildStrategy="returnLastPrediction"', "", "yes", True),
        ('missingValueStrategy="nullPrediction"', "", None, False),
        ('missingValueStrategy="defaultChild"', "", None, False),
    ],
)
def test_a_surrogate_stands_in(attrib: str, above: str, left: str | None, is_one: bool) -> None:
    (document,) = read_foreign(model(LOW, HIGH, attrib, above=above))
    assert ("surrogates" in document["nodes"][0]) == is_one
    tree = tree_of(document)
    for x, sky, label in ((0, "grey", "no"), (1, "sunny", "yes"), (None, "sunny", "no"), (None, "grey", "yes")):
        assert tree.predict({"x": x, "sky": sky}) == label
    if left is None:
        with pytest.raises(ValueError, match="missing"):
            tree.predict({"x": None, "sky": None})
    else:
        assert tree.predict({"x": None, "sky": None}) == left
