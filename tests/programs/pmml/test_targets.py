"""Targets: what becomes of a predicted number, in the order of the specification."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.pmml.models import Rescaling
from reference_tree.programs.reading import read_foreign
from tests.programs.pmml_mutations import CHAIN, NUMBERS
from tests.programs.recording import HERE


@pytest.mark.parametrize(
    ("rescaling", "number", "expected"),
    [
        (Rescaling(low=1, factor=2), 0, 2),
        (Rescaling(high=3, constant=Fraction(1, 4)), 7, Fraction(13, 4)),
        (Rescaling(factor=-2, cast="round"), Fraction(5, 4), -2),
        (Rescaling(cast="round"), Fraction(5, 2), 3),
        (Rescaling(cast="round"), Fraction(-5, 2), -2),
        (Rescaling(cast="ceiling"), Fraction(1, 10), 1),
        (Rescaling(cast="floor"), Fraction(-1, 10), -1),
    ],
)
def test_a_number_is_bounded_scaled_shifted_and_made_whole(
    rescaling: Rescaling, number: object, expected: object
) -> None:
    assert rescaling.scored(number) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('castInteger="floor"', 'castInteger="up"', "there is no castInteger 'up'"),
        ('Target field="y"', 'Target field="z"', "it has a Target z, and predicts y"),
        ("</Targets>", '<Target field="y"/></Targets>', "several Targets"),
        (
            'castInteger="floor"/>',
            '><TargetValue defaultValue="3"/></Target>',
            "a TargetValue has a member 'defaultValue'",
        ),
    ],
)
def test_other_targets_are_refused(old: str, new: str, message: str) -> None:
    assert old in NUMBERS
    with pytest.raises(InputError, match=message):
        read_foreign(NUMBERS.replace(old, new))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('Target field="z"', "has a Target z, and predicts y"),
        ("Target", "has a Target without a field, and predicts y"),
    ],
)
def test_a_sum_has_the_target_of_its_own_field(written: str, message: str) -> None:
    """JPMML-Evaluator passes over a Target of another field, so that the sum starts elsewhere."""
    text = (HERE / "pmml" / "gbr_c.pmml").read_text(encoding="utf-8")
    assert '<Target field="y"' in text
    with pytest.raises(InputError, match=message):
        read_foreign(text.replace('Target field="y"', written))


def test_a_model_that_predicts_no_field_has_a_target_without_a_name() -> None:
    """So do JPMML-Evaluator 1.7.7 and sklearn2pmml: a Target with a name has no effect there."""
    for inner in ("sum", "out"):
        with pytest.raises(InputError, match=f"has a Target {inner}, and predicts a number without a name"):
            read_foreign(CHAIN.replace("<Target rescaleFactor", f'<Target field="{inner}" rescaleFactor'))
