"""The curves: every point is where the measure is, by mathematics of their own."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.selection.overfitting import Point
from reference_tree.views.plots.curves import HELD_OUT, TRAINING, entropy_curve, gain_curve, validation_curve
from tests.every import of_every
from tests.oracles import float_gain
from tests.strategies import fractions

SVG = "{http://www.w3.org/2000/svg}"


def points(path: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split() for point in re.split("[ML]", path.get("d", ""))[1:])]


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def scale(root: ElementTree.Element, anchor: str) -> tuple[float, float]:
    """How the numbers of an axis are placed, from its labels: number = a·place + b."""
    place = "x" if anchor == "middle" else "y"
    found = []
    for text in root.iter(f"{SVG}text"):
        is_tick = (
            re.fullmatch(r"-?[\d.]+", text.text or "")
            and text.get("text-anchor") == anchor
            and not text.get("font-weight")
        )
        if is_tick and text.get("font-style") is None:
            found.append((float(text.get(place, "")) - (4 if place == "y" else 0), float(text.text or "")))
    (p, low), (q, high) = found[0], found[-1]
    a = (high - low) / (q - p)
    return a, low - a * p


@pytest.mark.covers("N3 figure: entropy", "N4 figure: entropy")
def test_the_curve_of_the_entropy_runs_through_its_values() -> None:
    root = parsed(entropy_curve())
    (curve,) = root.iter(f"{SVG}path")
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    for x, y in points(curve):
        p, h = ax * x + bx, ay * y + by
        expected = 0 if p < 1e-9 or p > 1 - 1e-9 else -p * math.log2(p) - (1 - p) * math.log2(1 - p)
        assert h == pytest.approx(expected, abs=5e-4)
    assert len(points(curve)) > 50
    assert points(curve)[0][0] + points(curve)[-1][0] == pytest.approx(2 * points(curve)[len(points(curve)) // 2][0])


def test_the_gini_value_beside_it() -> None:
    root = parsed(entropy_curve(with_gini=True))
    _, curve = root.iter(f"{SVG}path")
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    for x, y in points(curve):
        assert ay * y + by == pytest.approx(2 * (ax * x + bx) * (1 - ax * x - bx), abs=2e-4)
    assert curve.get("stroke-dasharray"), "it differs by more than its colour"


def test_the_share_of_mistakes_beside_both() -> None:
    root = parsed(entropy_curve(with_gini=True, with_error=True))
    *_, curve = root.iter(f"{SVG}path")
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    for x, y in points(curve):
        assert ay * y + by == pytest.approx(min(ax * x + bx, 1 - ax * x - bx), abs=3e-4)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=2, max_size=4))
def test_the_gain_is_the_distance_from_the_curve_down_to_the_average(split: list[tuple[int, int]]) -> None:
    root = parsed(entropy_curve(split=split))
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    (drop,) = [one for one in root.iter(f"{SVG}line") if one.get("stroke-width") == "3"]
    top, bottom = (ay * float(drop.get(name, "")) + by for name in ("y1", "y2"))
    assert top - bottom == pytest.approx(float_gain([list(part) for part in split]), abs=2e-3)
    assert top >= bottom - 1e-9
    whole = [sum(column) for column in zip(*split, strict=True)]
    assert ax * float(drop.get("x1", "")) + bx == pytest.approx(whole[0] / sum(whole), abs=1e-3)


@of_every([[[3, 2]], [[3, 2], [0, 0]], [[3, 2, 1], [0, 4, 1]], [[-1, 2], [3, 4]]])
def test_what_is_no_split_of_two_classes_is_refused(split: list[list[int]]) -> None:
    with pytest.raises(InputError, match="two classes"):
        entropy_curve(split=split)


@pytest.mark.covers("N3 figure: cut points")
@of_every([("golf", "temperature"), ("cats", "weight"), ("iris", "petal length")])
def test_the_gain_of_every_cut_is_where_it_belongs(name: str, attribute: str) -> None:
    table = textbook(name)
    root = parsed(gain_curve(table, attribute))
    (curve,) = root.iter(f"{SVG}path")
    (ax, bx), (ay, by) = scale(root, "middle"), scale(root, "end")
    target, classes = table.schema.target.name, table.schema.target.domain
    rows = [(float(row[attribute]), row[target]) for row in table.rows()]  # type: ignore[arg-type]
    steps = points(curve)[1:-1]
    values = sorted({value for value, _ in rows})
    places = [ax * x + bx for x, _ in (*steps[::2], steps[-1])]
    assert places == pytest.approx(values, abs=0.01 * (values[-1] - values[0])), "a step from each value to the next"
    assert [x for x, _ in steps[1:-1:2]] == [x for x, _ in steps[2::2]]
    assert len(steps) == 2 * (len({value for value, _ in rows}) - 1)
    for (left, gain), (right, same) in zip(steps[::2], steps[1::2], strict=True):
        assert gain == same
        cut = ax * (left + right) / 2 + bx
        sides = [
            [sum(label == c and (value > cut) == above for value, label in rows) for c in classes] for above in (0, 1)
        ]
        assert ay * gain + by == pytest.approx(float_gain(sides), abs=1e-3)


@of_every([("golf", "temperature", ["84"]), ("golf", "humidity", ["82.5"]), ("cats", "weight", ["9", "10.6"])])
def test_the_best_cuts_are_named(name: str, attribute: str, best: list[str]) -> None:
    root = parsed(gain_curve(textbook(name), attribute))
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("font-weight") == "bold"] == best
    described = root.find(f"{SVG}desc")
    assert described is not None
    assert all(f"{attribute}<={threshold}" in str(described.text) for threshold in best)
    assert ("exactly equal" in str(described.text)) == (len(best) > 1)


def test_the_discs_are_the_rows() -> None:
    root = parsed(gain_curve(textbook("golf"), "temperature"))
    titles = [str(title.text) for disc in root.iter(f"{SVG}circle") for title in disc]
    assert sum(int(title.rpartition(" ")[2]) for title in titles) == 14
    assert "75: yes 2" in titles


def test_weights_and_strange_names() -> None:
    cells: dict[str, list[Any]] = {"a <&>\n": [1, 1, 2], "y": ["<no>", 'y"es"' * 9, "<no>"], "w": ["0.5", "1/3", "100"]}
    root = parsed(gain_curve(Table.from_columns(cells, target="y", weights="w", continuous=["w"]), "a <&>\n"))
    titles = [str(title.text) for disc in root.iter(f"{SVG}circle") for title in disc]
    assert "1: <no> 0.5" in titles
    radii = [float(disc.get("r", "")) for disc in root.iter(f"{SVG}circle") if len(disc)]
    assert max(radii) <= 10


def test_an_attribute_that_tells_nothing_has_a_curve_too() -> None:
    root = parsed(gain_curve(Table.from_columns({"x": [1, 1, 2, 2], "y": ["n", "p", "n", "p"]}), "x"))
    assert root.find(f"{SVG}title") is not None


def test_everything_has_the_colour_of_the_text() -> None:
    for text in (entropy_curve(with_gini=True), gain_curve(textbook("iris"), "petal length")):
        drawn = re.sub("<style>.*</style>", "", text)
        assert "#" not in drawn
        assert set(re.findall(r'(?:fill|stroke)="(\w+)"', drawn)) == {"currentColor", "none"}


def test_the_same_text_for_any_order_of_the_rows() -> None:
    rows = list(textbook("golf").rows())
    assert gain_curve(Table.from_rows(rows), "humidity") == gain_curve(Table.from_rows(rows[::-1]), "humidity")


@of_every([("outlook", "categorical"), ("wind", "no attribute 'wind'"), ("same", "fewer than two values")])
def test_what_has_no_curve_is_refused(attribute: str, complaint: str) -> None:
    table = Table.from_columns({"outlook": ["a", "b"], "same": [3, 3], "play": ["n", "p"]})
    with pytest.raises(InputError, match=complaint):
        gain_curve(table, attribute)


# Errors over an option.


POINTS = [
    Point(0, Fraction(1, 2), Fraction(1, 2)),
    Point(1, Fraction(1, 5), Fraction(1, 4)),
    Point(3, Fraction(0), Fraction(2, 5)),
]

some_points = st.lists(
    st.builds(Point, st.integers(-5, 9), fractions(0, 1, max_denominator=40), fractions(0, 1, max_denominator=40)),
    min_size=2,
    max_size=8,
    unique_by=lambda point: point.value,
)


@pytest.mark.slow
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


@of_every([[], POINTS[:1], [POINTS[0], POINTS[0]]])
def test_one_place_is_no_curve(few: list[Point]) -> None:
    with pytest.raises(InputError, match="a curve needs points at two values"):
        validation_curve(few, "alpha")


def test_the_text_is_the_same_every_time() -> None:
    assert validation_curve(POINTS, "alpha") == validation_curve(list(POINTS), "alpha")
