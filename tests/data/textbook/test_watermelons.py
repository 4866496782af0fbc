"""The figures that Zhou prints of his melons.

They are exact to six places; where he prints another figure, a comment says so.
"""

from __future__ import annotations

from math import isclose
from typing import TypeAlias

import pytest

from reference_tree.data.textbook import textbook
from tests.data.textbook.by_hand import (
    Row,
    best_cuts,
    cuts,
    entropy,
    equal,
    figures,
    gain,
    gains,
    gini,
    of,
    parted,
    rows_of,
    split_information,
    weighted,
)
from tests.every import of_every

MELON = ("色泽", "根蒂", "敲声", "纹理", "脐部", "触感")


def test_watermelon_2() -> None:
    rows = rows_of("watermelon-2.0")
    assert round(entropy([row["好瓜"] for row in rows]), 6) == 0.997503
    # Zhou prints 0.109 for 色泽
    assert gains("watermelon-2.0", rows, *MELON) == [0.108125, 0.142675, 0.140781, 0.380592, 0.289159, 0.006046]
    assert figures(split_information, rows, "色泽", "触感") == [1.579863, 0.873981]
    assert round(weighted(gini, parted(rows, of("纹理"), "好瓜")), 6) == 0.277124
    assert round(weighted(gini, parted(rows, equal("色泽", "浅白"), "好瓜")), 6) == 0.437255
    clear = [row for row in rows if row["纹理"] == "清晰"]
    assert gains("watermelon-2.0", clear, "根蒂", "脐部", "触感") == [0.458106] * 3


def test_watermelon_numbers() -> None:
    rows = rows_of("watermelon-2.0-id")
    assert [row["编号"] for row in rows] == [str(number) for number in range(1, 18)]
    assert figures(split_information, rows, "编号") == [4.087463]  # Zhou prints 4.088


@pytest.mark.parametrize(
    ("half", "numbers"),
    [
        ("watermelon-2.0-train", [1, 2, 3, 6, 7, 10, 14, 15, 16, 17]),
        ("watermelon-2.0-validation", [4, 5, 8, 9, 11, 12, 13]),
    ],
)
def test_the_halves_of_watermelon_2(half: str, numbers: list[int]) -> None:
    whole = rows_of("watermelon-2.0")
    assert rows_of(half) == [whole[number - 1] for number in numbers]
    assert textbook(half).schema.attributes == textbook("watermelon-2.0").schema.attributes


def test_the_root_of_the_training_half_ties() -> None:
    found = gains("watermelon-2.0-train", rows_of("watermelon-2.0-train"), *MELON)
    assert [a for a, score in zip(MELON, found, strict=True) if score == max(found)] == ["色泽", "脐部"]


Figure: TypeAlias = "str | tuple[str, dict[str, Figure]]"  # a class, or an attribute and what stands below its values


def figure_4_5(
    node_1: Figure | None = None,
    node_2: Figure = ("色泽", {"青绿": "是", "乌黑": "是", "浅白": "否"}),
    node_3: Figure | None = None,
    node_5: Figure | None = None,
    node_6: Figure = ("纹理", {"稍糊": "是", "清晰": "否", "模糊": "是"}),
) -> Figure:
    """Zhou's figure 4.5, the tree of the training half, or what is left of it when nodes are replaced."""
    node_5 = node_5 or ("色泽", {"青绿": "是", "乌黑": node_6, "浅白": "是"})
    node_3 = node_3 or ("根蒂", {"稍蜷": node_5, "蜷缩": "否", "硬挺": "是"})
    return node_1 or ("脐部", {"凹陷": node_2, "稍凹": node_3, "平坦": "否"})


def leaf(figure: Figure, row: Row) -> str:
    while not isinstance(figure, str):
        figure = figure[1][row[figure[0]]]
    return figure


def accuracy(figure: Figure, half: str = "watermelon-2.0-validation") -> float:
    """In percent."""
    right = [bool(leaf(figure, row) == row["好瓜"]) for row in rows_of(half)]
    return round(100 * right.count(True) / len(right), 1)


def test_figure_4_5_fits_the_training_half() -> None:
    assert accuracy(figure_4_5(), "watermelon-2.0-train") == 100


@of_every(
    [
        ("是", 42.9),
        (("脐部", {"凹陷": "是", "稍凹": "是", "平坦": "否"}), 71.4),
        (("脐部", {"凹陷": figure_4_5()[1]["凹陷"], "稍凹": "是", "平坦": "否"}), 57.1),  # type: ignore[index]
        (("脐部", {"凹陷": "是", "稍凹": ("根蒂", {"稍蜷": "是", "蜷缩": "否", "硬挺": "是"}), "平坦": "否"}), 71.4),
    ]
)
def test_pre_pruning_on_the_halves(figure: Figure, percent: float) -> None:
    assert accuracy(figure) == percent


@of_every(
    [
        (figure_4_5(), 42.9),
        (figure_4_5(node_6="是"), 57.1),
        (figure_4_5(node_5="是"), 57.1),
        (figure_4_5(node_6="是", node_2="是"), 71.4),
        (figure_4_5(node_2="是", node_3="是"), 71.4),
        (figure_4_5(node_1="是"), 42.9),
    ]
)
def test_post_pruning_on_the_halves(figure: Figure, percent: float) -> None:
    assert accuracy(figure) == percent


def test_watermelon_3() -> None:
    rows = rows_of("watermelon-3.0")
    assert best_cuts("watermelon-3.0", rows, "密度") == ([0.3815], 0.262439)  # Zhou prints 0.381
    assert best_cuts("watermelon-3.0", rows, "含糖率") == ([0.126], 0.349294)
    without_numbers = [{k: row[k] for k in (*MELON, "好瓜")} for row in rows]
    assert without_numbers == rows_of("watermelon-2.0")
    assert [{k: row[k] for k in ("密度", "含糖率", "好瓜")} for row in rows] == rows_of("watermelon-3.0a")
    assert any(isclose(cut, 0.2045) for cut in cuts(rows, "含糖率"))  # Zhou prints 0.204 and 0.205


def test_watermelon_with_missing_values() -> None:
    rows = rows_of("watermelon-2.0a")
    known = {a: [row for row in rows if row[a] is not None] for a in MELON}
    assert round(entropy([row["好瓜"] for row in known["色泽"]]), 6) == 0.985228
    assert gains("watermelon-2.0a", known["色泽"], "色泽") == [0.305958]
    whole = [round(len(known[a]) / 17 * gain(known[a], of(a), "好瓜"), 6) for a in MELON]
    assert whole == [0.251966, 0.171178, 0.144803, 0.423560, 0.288825, 0.005713]
    texture = [row["纹理"] for row in known["纹理"]]
    assert [texture.count(value) for value in ("清晰", "稍糊", "模糊")] == [7, 5, 3]
    assert [number for number, row in enumerate(rows, 1) if row["纹理"] is None] == [8, 10]


def test_the_missing_values_hide_those_of_watermelon_2() -> None:
    for hidden, whole in zip(rows_of("watermelon-2.0a"), rows_of("watermelon-2.0"), strict=True):
        assert all(hidden[a] in (None, whole[a]) for a in (*MELON, "好瓜"))
