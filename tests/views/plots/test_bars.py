"""The bars are as long as the scores, and every row is held out once."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.ensembles.importance import impurity_importance
from reference_tree.selection.cross_validation import folds
from reference_tree.views.plots.bars import MOST, PANEL, candidate_bars, fold_rows, importance_bars
from tests.every import of_every
from tests.oracles import float_gain

SVG = "{http://www.w3.org/2000/svg}"


def test_a_bar_is_as_long_as_the_gain() -> None:
    table = rt.textbook("play-tennis")
    root = ElementTree.fromstring(candidate_bars(rt.ID3().decide(table.sample())))
    rows = list(table.rows())
    gains = []
    for name in ("outlook", "humidity", "wind", "temperature"):  # Quinlan's order of the gains
        values = sorted({str(row[name]) for row in rows})
        gains.append(
            float_gain([[sum(r[name] == v and r["play"] == c for r in rows) for c in ("no", "yes")] for v in values])
        )
    lengths = [float(rect.get("width", "")) for rect in root.iter(f"{SVG}rect")]
    assert lengths == pytest.approx([gain / gains[0] * lengths[0] for gain in gains], abs=0.02)
    bold = [text.text for text in root.iter(f"{SVG}text") if text.get("font-weight")]
    assert bold == ["outlook", f"{gains[0]:.6f}"]


def test_the_average_bars_what_lies_below_it() -> None:
    root = ElementTree.fromstring(candidate_bars(rt.C45().decide(rt.textbook("golf").sample())))
    (average,) = [float(one.get("x1", "")) for one in root.iter(f"{SVG}line") if one.get("stroke-dasharray")]
    gains = list(root.iter(f"{SVG}rect"))[:4]
    for rect in gains:
        reaches = float(rect.get("x", "")) + float(rect.get("width", "")) >= average
        assert reaches == (rect.get("stroke-dasharray") is None), "an outline is what gains less than the average"
    middle = sum(float(rect.get("width", "")) for rect in gains) / 4
    assert average == pytest.approx(float(gains[0].get("x", "")) + middle, abs=0.02)


def test_all_that_are_exactly_equal_are_dark() -> None:
    decision = rt.CART().decide(rt.textbook("iris").sample())
    root = ElementTree.fromstring(candidate_bars(decision))
    rects = list(root.iter(f"{SVG}rect"))
    assert len(decision.candidates) > MOST >= len(rects) == 4, "the best of each attribute"
    assert [rect.get("fill-opacity") for rect in rects[:3]] == ["0.8", "0.8", "0.25"]
    assert (root.findtext(f"{SVG}desc") or "").endswith("Best: petal length<=2.45 and petal width<=0.8, exactly equal.")


def test_what_makes_things_worse_has_no_bar() -> None:
    table = rt.Table.from_columns({"a": ["p", "q", "p", "q"], "y": [0, 0, 1, 1]}, continuous=["y"])
    root = ElementTree.fromstring(candidate_bars(rt.CART(criterion="variance_n_minus_1").decide(table.sample())))
    assert [rect.get("width") for rect in root.iter(f"{SVG}rect")] == ["0"]
    assert "-0.166667" in [text.text for text in root.iter(f"{SVG}text")]


@pytest.mark.slow
def test_of_very_many_winners_some_are_drawn() -> None:
    numbers = {f"x{k}": list(range(30)) for k in range(40)}
    table = rt.Table.from_columns({**numbers, "y": ["n"] * 15 + ["p"] * 15})
    decision = rt.CART().decide(table.sample())
    root = ElementTree.fromstring(candidate_bars(decision))
    assert len(decision.winners) == 40 > len(list(root.iter(f"{SVG}rect"))) == 2 * MOST


def test_a_pure_node_has_nothing_to_draw() -> None:
    pure = rt.Table.from_columns({"a": ["x", "z"], "y": ["n", "n"]}).sample()
    with pytest.raises(InputError, match="no test has a score"):
        candidate_bars(rt.ID3().decide(pure))


@of_every([("play-tennis", 7), ("iris", 5), ("cats-regression", 3)])
def test_every_row_is_held_out_in_one_line(name: str, k: int) -> None:
    table = rt.textbook(name)
    held_out = folds(table, k, seed=1)
    root = ElementTree.fromstring(fold_rows(table, held_out))
    cells = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill-opacity")]
    assert len(cells) == k * len(table)
    found = [
        [row for row in range(len(table)) if cells[fold * len(table) + row].get("fill-opacity") == "1"]
        for fold in range(k)
    ]
    assert found == [list(fold) for fold in held_out]


def test_a_bar_is_as_long_as_the_importance() -> None:
    root = ElementTree.fromstring(importance_bars({"b": Fraction(1, 4), "a": Fraction(1, 2), "worse": Fraction(-1, 8)}))
    assert [float(rect.get("width", "")) for rect in root.iter(f"{SVG}rect")] == [PANEL, PANEL / 2, 0]
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words == ["importance", "a", "0.500000", "b", "0.250000", "worse", "-0.125000"]
    assert root.findtext(f"{SVG}desc") == "a 0.500000; b 0.250000; worse -0.125000."


def test_nothing_is_owed_to_any_attribute() -> None:
    stump = rt.ID3(max_depth=0).grow(rt.textbook("play-tennis"))
    root = ElementTree.fromstring(importance_bars(impurity_importance(stump)))
    assert {rect.get("width") for rect in root.iter(f"{SVG}rect")} == {"0"}


def test_one_fold_is_no_plural() -> None:
    days = rt.textbook("play-tennis")
    assert "<title>1 fold of 14 rows</title>" in fold_rows(days, folds(days, 3, seed=1)[:1])
