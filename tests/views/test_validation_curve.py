"""The validation curve: every point is where its errors are."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.selection.overfitting import Point
from reference_tree.views.validation_curve import HELD_OUT, TRAINING, validation_curve
from tests.views.test_curves import SVG, parsed, points, scale

POINTS = [
    Point(0, Fraction(1, 2), Fraction(1, 2)),
    Point(1, Fraction(1, 5), Fraction(1, 4)),
    Point(3, Fraction(0), Fraction(2, 5)),
]

some_points = st.lists(
    st.builds(
        Point, st.integers(-5, 9), st.fractions(0, 1, max_denominator=40), st.fractions(0, 1, max_denominator=40)
    ),
    min_size=2,
    max_size=8,
    unique_by=lambda point: point.value,
)


@given(some_points)
def test_both_curves_run_through_their_points(given_points: list[Point]) -> None:
    root = parsed(validation_curve(given_points, "maximum depth"))
    held_out, training = root.iter(f"{SVG}path")
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    for curve, errors in ((held_out, "held_out"), (training, "training")):
        found = [(ax * x + bx, ay * y + by) for x, y in points(curve)]
        assert [x for x, _ in found] == pytest.approx([float(p.value) for p in given_points], abs=0.02)
        assert [y for _, y in found] == pytest.approx([float(getattr(p, errors)) for p in given_points], abs=1e-3)
    assert training.get("stroke-dasharray"), "it differs by more than its colour"
    assert not held_out.get("stroke-dasharray")


def test_a_marked_value_is_ringed_and_written() -> None:
    root = parsed(validation_curve(POINTS, "maximum depth", marked=[1]))
    (ring,) = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == "none"]
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    assert ax * float(ring.get("cx", "")) + bx == pytest.approx(1, abs=0.01)
    assert ay * float(ring.get("cy", "")) + by == pytest.approx(0.25, abs=1e-3)
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("font-weight")] == ["1"]


def test_it_says_what_there_is_to_see() -> None:
    root = parsed(validation_curve(POINTS, "maximum\ndepth & more", measure="mean squared error"))
    described = root.findtext(f"{SVG}desc") or ""
    assert "3 values of maximum\\ndepth & more" in described
    assert "is 0.250000, at 1" in described
    assert root.findtext(f"{SVG}title") == "Mean squared error over maximum\\ndepth & more"
    written = [text.text for text in root.iter(f"{SVG}text")]
    assert HELD_OUT in written
    assert TRAINING in written


def test_no_error_at_all_is_a_flat_line() -> None:
    flat = [Point(0, Fraction(0), Fraction(0)), Point(1, Fraction(0), Fraction(0))]
    held_out, _ = parsed(validation_curve(flat, "alpha")).iter(f"{SVG}path")
    assert len({y for _, y in points(held_out)}) == 1


@pytest.mark.parametrize("few", [[], POINTS[:1], [POINTS[0], POINTS[0]]])
def test_one_place_is_no_curve(few: list[Point]) -> None:
    with pytest.raises(InputError, match="a curve needs points at two values"):
        validation_curve(few, "alpha")


def test_the_text_is_the_same_every_time() -> None:
    assert validation_curve(POINTS, "alpha") == validation_curve(list(POINTS), "alpha")
