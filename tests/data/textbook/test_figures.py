"""The figures that books print: play tennis, golf, loan, Li Hang, iris, and the small examples of the notes.

They are exact to six places; where a book prints another figure, a comment says so.
"""

from __future__ import annotations

import statistics
from math import isclose

from reference_tree.data.textbook import textbook
from tests.data.textbook.by_hand import (
    at_most,
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
    sse,
    target_of,
    weighted,
)
from tests.every import of_every

PLAY_TENNIS = ("outlook", "temperature", "humidity", "wind")


def test_play_tennis() -> None:
    rows = rows_of("play-tennis")
    labels = [row["play"] for row in rows]
    assert (round(entropy(labels), 6), round(gini(labels), 6)) == (0.940286, 0.459184)
    assert gains("play-tennis", rows, *PLAY_TENNIS) == [0.246750, 0.029223, 0.151836, 0.048127]
    assert figures(split_information, rows, *PLAY_TENNIS) == [1.577406, 1.556657, 1.0, 0.985228]
    ratios = [gain(rows, of(a), "play") / split_information(rows, of(a)) for a in PLAY_TENNIS]
    assert [round(ratio, 6) for ratio in ratios] == [0.156428, 0.018773, 0.151836, 0.048849]
    indexes = [weighted(gini, parted(rows, of(a), "play")) for a in PLAY_TENNIS]
    assert [round(index, 6) for index in indexes] == [0.342857, 0.440476, 0.367347, 0.428571]
    assert round(statistics.fmean(gain(rows, of(a), "play") for a in PLAY_TENNIS), 6) == 0.118984


def test_play_tennis_under_sunny() -> None:
    sunny = rows_of("play-tennis", lambda row: row["outlook"] == "sunny")
    assert gains("play-tennis", sunny, "humidity", "temperature", "wind") == [0.970951, 0.570951, 0.019973]


def test_play_tennis_in_two() -> None:
    rows = rows_of("play-tennis")
    tests = {(a, row[a]) for a in PLAY_TENNIS for row in rows}
    binary = {test: weighted(gini, parted(rows, equal(*test), "play")) for test in tests}
    assert min(binary, key=binary.__getitem__) == ("outlook", "overcast")
    assert round(min(binary.values()), 6) == 0.357143


def test_the_days_of_play_tennis() -> None:
    rows = rows_of("play-tennis-id")
    assert [row["day"] for row in rows] == [f"D{day}" for day in range(1, 15)]
    assert round(gain(rows, of("day"), "play") / split_information(rows, of("day")), 6) == 0.246966


def test_golf() -> None:
    rows = rows_of("golf")
    assert best_cuts("golf", rows, "temperature") == ([84.0], 0.113401)
    assert best_cuts("golf", rows, "humidity") == ([82.5], 0.102244)
    questions = {cut: at_most("humidity", cut) for cut in cuts(rows, "humidity")}
    ratios = {cut: gain(rows, q, "play") / split_information(rows, q) for cut, q in questions.items()}
    best = max(ratios.values())
    assert [float(cut) for cut, ratio in ratios.items() if isclose(ratio, best)] == [67.5, 95.5]
    sunny = rows_of("golf", lambda row: row["outlook"] == "sunny")
    assert best_cuts("golf", sunny, "humidity") == ([77.5], 0.970951)


def test_golf_is_play_tennis_with_numbers() -> None:
    golf, tennis = rows_of("golf"), rows_of("play-tennis")
    assert [row["play"] for row in golf] == [row["play"] for row in tennis]
    assert [row["outlook"] for row in golf] == [row["outlook"] for row in tennis]
    assert [row["windy"] == "true" for row in golf] == [row["wind"] == "strong" for row in tennis]


LOAN = ("年龄", "有工作", "有自己的房子", "信贷情况")


def test_loan() -> None:
    rows = rows_of("loan")
    assert round(entropy([row["类别"] for row in rows]), 6) == 0.970951
    assert gains("loan", rows, *LOAN) == [0.083007, 0.323650, 0.419973, 0.362990]
    ratios = [gain(rows, of(a), "类别") / split_information(rows, of(a)) for a in LOAN]
    assert [round(ratio, 6) for ratio in ratios] == [0.052372, 0.352447, 0.432538, 0.231854]
    houseless = [row for row in rows if row["有自己的房子"] == "否"]
    assert gains("loan", houseless, "年龄", "有工作", "信贷情况") == [0.251629, 0.918296, 0.473851]


@of_every(
    [
        ("年龄", "青年", 0.44),
        ("年龄", "中年", 0.48),
        ("年龄", "老年", 0.44),
        ("有工作", "是", 0.32),
        ("有自己的房子", "是", 0.266667),  # Li Hang prints 0.27
        ("信贷情况", "非常好", 0.363636),
        ("信贷情况", "好", 0.474074),
        ("信贷情况", "一般", 0.32),
    ]
)
def test_the_binary_gini_indexes_of_loan(attribute: str, value: str, index: float) -> None:
    assert round(weighted(gini, parted(rows_of("loan"), equal(attribute, value), "类别")), 6) == index


@of_every(
    [
        ("play-tennis-id", "day", "outlook", False),
        ("cats-id", "id", "ear", False),
        ("watermelon-2.0-id", "编号", "纹理", True),
        ("loan-id", "ID", "有自己的房子", True),
    ]
)
def test_the_ratio_does_not_always_cure_the_preference_for_numbers(
    name: str, number: str, best: str, is_cured: bool
) -> None:
    rows, target = rows_of(name), target_of(name)
    assert gain(rows, of(number), target) > gain(rows, of(best), target)
    ratios = [gain(rows, of(a), target) / split_information(rows, of(a)) for a in (number, best)]
    assert (ratios[1] > ratios[0]) == is_cured


def test_li_hang_5_2() -> None:
    rows = rows_of("li-hang-5.2")
    errors = {cut: sum(map(sse, parted(rows, at_most("x", cut), "y"))) for cut in cuts(rows, "x")}
    expected = [22.648, 17.7022, 12.1935, 7.3787, 3.3587, 5.074, 10.0525, 15.1778, 21.328]
    assert [round(error, 4) for error in errors.values()] == expected
    assert min(errors, key=errors.__getitem__) == 5.5
    for side, best in (([row for row in rows if row["x"] < 5.5], 3.5), ([row for row in rows if row["x"] > 5.5], 7.5)):
        below = {cut: sum(map(sse, parted(side, at_most("x", cut), "y"))) for cut in cuts(side, "x")}
        assert min(below, key=below.__getitem__) == best


def test_li_hang_8_1() -> None:
    rows = rows_of("li-hang-8.1")
    assert textbook("li-hang-8.1").schema.target.values == ("-1", "1")
    assert [row["x"] for row in rows] == list(range(10))
    errors = {}
    for cut in cuts(rows, "x"):
        wrong = sum((row["x"] <= cut) != (row["y"] == "1") for row in rows)
        errors[float(cut)] = min(wrong, 10 - wrong)
    assert [cut for cut, wrong in errors.items() if wrong == 3] == [2.5, 8.5]
    assert min(errors.values()) == 3


def test_li_hang_8_2() -> None:
    rows = [(float(row["x"]), float(row["y"])) for row in rows_of("li-hang-8.2")]
    residuals, splits, losses, scores = [y for _, y in rows], [], [], []
    for _ in range(6):
        found = []
        for cut in (place + 0.5 for place in range(1, 10)):
            sides = [
                [r for (x, _), r in zip(rows, residuals, strict=True) if (x < cut) == left] for left in (True, False)
            ]
            found.append((sum(map(sse, sides)), cut, [statistics.fmean(side) for side in sides]))
        loss, cut, means = min(found)
        scores.append([round(score, 4) for score, _, _ in found])
        residuals = [r - means[x > cut] for (x, _), r in zip(rows, residuals, strict=True)]
        splits.append(cut)
        losses.append(round(loss, 4))
        if len(splits) == 2:
            assert round(means[0], 4) == -0.5133  # Li Hang prints −0.52
    assert scores[0] == [15.7231, 12.0834, 8.3656, 5.7755, 3.9113, 1.9300, 8.0098, 11.7354, 15.7386]
    assert splits == [6.5, 3.5, 6.5, 4.5, 6.5, 2.5]
    assert losses == [1.9300, 0.8007, 0.4780, 0.3056, 0.2289, 0.1722]


def test_contact_lenses_are_every_combination() -> None:
    rows = rows_of("contact-lenses")
    attributes = ("age", "prescription", "astigmatism", "tears")
    assert len({tuple(row[a] for a in attributes) for row in rows}) == len(rows) == 3 * 2 * 2 * 2
    labels = [row["lenses"] for row in rows]
    assert [labels.count(label) for label in ("hard", "soft", "none")] == [4, 5, 15]


def test_contact_lenses_follow_cendrowskas_rules() -> None:
    for row in rows_of("contact-lenses"):
        if row["tears"] == "reduced":
            wanted = "none"
        elif row["astigmatism"] == "no":
            wanted = "none" if (row["age"], row["prescription"]) == ("presbyopic", "myope") else "soft"
        else:
            wanted = "hard" if row["prescription"] == "myope" or row["age"] == "young" else "none"
        assert row["lenses"] == wanted


def test_iris_is_fishers() -> None:
    rows = rows_of("iris")
    measured = ("sepal length", "sepal width", "petal length", "petal width")
    by_species = {
        species: [row for row in rows if row["species"] == species] for species in ("setosa", "versicolor", "virginica")
    }
    assert [len(some) for some in by_species.values()] == [50, 50, 50]
    means = {
        species: [float(sum(row[a] for row in some) / 50) for a in measured] for species, some in by_species.items()
    }
    assert means == {  # the UCI file has 3.418, 1.464 and 0.244 for setosa
        "setosa": [5.006, 3.428, 1.462, 0.246],
        "versicolor": [5.936, 2.770, 4.260, 1.326],
        "virginica": [6.588, 2.974, 5.552, 2.026],
    }
    assert [[float(rows[number - 1][a]) for a in measured] for number in (35, 38)] == [
        [4.9, 3.1, 1.5, 0.2],
        [4.9, 3.6, 1.4, 0.1],
    ]


def test_two_cuts_of_iris_tie() -> None:
    rows = rows_of("iris")
    found = {a: best_cuts("iris", rows, a) for a in ("petal length", "petal width")}
    assert found == {"petal length": ([2.45], 0.918296), "petal width": ([0.8], 0.918296)}


def test_visitor() -> None:
    rows = rows_of("visitor")
    assert split_information(rows, of("visitor")) == entropy([row["weather"] for row in rows]) == 1
    assert gain(rows, of("visitor"), "weather") == 1


def test_item_id() -> None:
    rows = rows_of("item-id")
    assert gain(rows, of("item_id"), "label") == 1
    assert split_information(rows, of("item_id")) == 3


def test_three_and_three() -> None:
    table = textbook("three-and-three")
    assert table.schema.attributes == ()
    assert entropy([row["animal"] for row in table.rows()]) == 1
