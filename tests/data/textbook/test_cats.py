"""The figures of Ng's cats, and which change of a row changes the root."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import product

import pytest

from tests.data.textbook.by_hand import (
    Row,
    at_most,
    best_cuts,
    gain,
    gains,
    of,
    parted,
    rows_of,
    split_information,
    weighted,
)

CATS = ("ear", "face", "whiskers")


def test_cats() -> None:
    rows = rows_of("cats")
    assert gains("cats", rows, *CATS) == [0.278072, 0.034852, 0.124511]
    at = {cut: round(gain(rows, at_most("weight", cut), "cat"), 6) for cut in (8, 9, 13)}
    assert at == {8: 0.236453, 9: 0.609987, 13: 0.395816}
    assert best_cuts("cats", rows, "weight")[0] == [9.0, pytest.approx(10.6)]
    assert rows_of("cats-categorical") == [{key: row[key] for key in (*CATS, "cat")} for row in rows]
    numbers = rows_of("cats-id")
    assert round(gain(numbers, of("id"), "cat") / split_information(numbers, of("id")), 4) == 0.3010


def test_the_tree_that_n4_draws() -> None:
    drawn = {
        "pointy": ("face", {"round": "yes", "not round": "no"}),
        "floppy": ("whiskers", {"present": "yes", "absent": "no"}),
    }
    for row in rows_of("cats-categorical"):
        attribute, leaf = drawn[row["ear"]]
        assert leaf[row[attribute]] == row["cat"]


def test_the_weight_of_cats() -> None:
    rows = rows_of("cats-regression")
    weights = [float(row["weight"]) for row in rows]
    variances = (statistics.pvariance, lambda values: statistics.variance(values) if len(values) > 1 else 0.0)
    assert [round(variance(weights), 4) for variance in variances] == [18.4564, 20.5071]
    parts = [[list(map(float, part)) for part in parted(rows, of(a), "weight")] for a in CATS]
    reductions = [[round(v(weights) - weighted(v, each), 4) for each in parts] for v in variances]
    assert reductions[0] == [9.1204, 1.5040, 6.5731]
    assert [round(reduction, 2) for reduction in reductions[1]] == [8.84, 0.64, 6.22]
    leaves = [list(map(float, part)) for part in parted(rows, lambda row: (row["ear"], row["face"]), "weight")]
    assert sorted(round(statistics.fmean(leaf), 2) for leaf in leaves) == [8.35, 9.2, 9.9, 17.67]


def winners(rows: Sequence[Row]) -> set[str]:
    found = gains("cats-categorical", rows, *CATS)
    return {attribute for attribute, score in zip(CATS, found, strict=True) if score == max(found)}


def test_one_other_cat_and_the_root_changes() -> None:
    cats, changed = rows_of("cats-categorical"), rows_of("cats-changed")
    assert [place for place, pair in enumerate(zip(cats, changed, strict=True), 1) if pair[0] != pair[1]] == [6]
    assert winners(cats) == {"ear"}
    assert winners(changed) == {"whiskers"}
    assert gains("cats-changed", changed, *CATS) == [0.124511, 0.034852, 0.278072]


def test_which_rows_change_the_root() -> None:
    cats = rows_of("cats-categorical")
    values = [sorted({row[attribute] for row in cats}) for attribute in CATS]
    lone = set()
    for place, others in product(range(len(cats)), product(*values)):
        other = {**cats[place], **dict(zip(CATS, others, strict=True))}
        found = winners([*cats[:place], other, *cats[place + 1 :]])
        if "ear" not in found:
            assert found == {"whiskers"}
            lone.add((place + 1, other["ear"], other["whiskers"]))
    assert lone == {(4, "pointy", "absent"), (6, "floppy", "present"), (8, "floppy", "present")}
