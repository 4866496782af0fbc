"""Class probabilities: three estimates, and a tree that gives them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.measures.class_probability import LeafCounts, estimates, laplace, m_estimate, relative_frequency
from reference_tree.pruning.minimum_error import laplace_error, m_error
from tests.every import of_every
from tests.strategies import fractions

DAYS = rt.textbook("play-tennis")
counts = st.lists(st.integers(0, 20), min_size=2, max_size=5)


@given(counts, counts, fractions(Fraction(1, 9), 30, max_denominator=9))
def test_the_probabilities_of_all_classes_add_up_to_1(leaf: list[int], more: list[int], m: Fraction) -> None:
    whole = [a + b + 1 for a, b in zip(leaf, [*more, *leaf], strict=False)]
    prior = [Fraction(n, sum(whole)) for n in whole]
    for name, one in estimates().items():
        if any(leaf) or name != "relative-frequency":
            found = [one.of(LeafCounts(n, sum(leaf), len(leaf), p, m)) for n, p in zip(leaf, prior, strict=True)]
            assert sum(found) == 1
            assert all(0 <= p <= 1 for p in found)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(2, 6))
def test_laplace_is_an_m_estimate_with_a_row_of_each_class(right: int, wrong: int, classes: int) -> None:
    rows = right + wrong
    assert laplace(right, rows, classes) == m_estimate(right, rows, Fraction(1, classes), classes)
    assert laplace_error(rows, right, classes) == 1 - laplace(right, rows, classes)


@given(st.integers(0, 20), st.integers(0, 20), fractions(0, 1, max_denominator=9), st.integers(1, 9))
def test_an_m_estimate_lies_between_the_share_and_the_prior(right: int, wrong: int, prior: Fraction, m: int) -> None:
    rows = right + wrong
    found = m_estimate(right, rows, prior, m)
    assert m_error(rows, right, prior, m) == 1 - found
    if rows:
        low, high = sorted([relative_frequency(right, rows), prior])
        assert low <= found <= high


def test_a_tree_estimates_its_leaves() -> None:
    tree = rt.ID3().grow(DAYS)
    row = {"outlook": "overcast"}  # four days, all yes
    assert tree.distribution(row, estimate="relative-frequency") == tree.distribution(row) == {"no": 0, "yes": 1}
    assert tree.distribution(row, estimate="laplace") == {"no": Fraction(1, 6), "yes": Fraction(5, 6)}
    assert tree.distribution(row, estimate="m-estimate", m=3.5)["yes"] == (
        4 + Fraction(7, 2) * Fraction(9, 14)
    ) / Fraction(15, 2)
    assert tree.distribution([row, row], estimate="laplace")[1]["no"] == Fraction(1, 6)


def test_a_leaf_without_rows_has_the_prior() -> None:
    tree = rt.ID3().grow(rt.textbook("watermelon-2.0"))
    empty = next(number for number, node in enumerate(tree.nodes) if node.stop == "empty")
    say: Any = tree._estimating("m-estimate", 1)
    assert say(((empty, Fraction(1)),)) == tree.shares(((0, Fraction(1)),))


def test_rows_divided_over_leaves_have_a_mixture() -> None:
    table = rt.textbook("golf")
    tree = rt.C45().grow(table)
    row = {"outlook": None, "humidity": 70, "temperature": 70, "windy": "false"}
    found = tree.distribution(row, estimate="laplace")
    values = table.schema.attribute("outlook").domain
    parts = [tree.distribution({**row, "outlook": value}, estimate="laplace") for value in values]
    shares = tree.root.missing.shares
    assert found["yes"] == sum(share * part["yes"] for share, part in zip(shares, parts, strict=True))
    assert sum(found.values()) == 1


def test_priors_of_the_learner_are_those_of_the_estimate() -> None:
    tree = rt.CART(priors={"no": Fraction(1, 2), "yes": Fraction(1, 2)}, max_depth=0).grow(DAYS)
    assert tree.distribution({}, estimate="m-estimate") == {"no": Fraction(1, 2), "yes": Fraction(1, 2)}


@of_every([
    ({"estimate": "laplac"}, "did you mean laplace"), ({"estimate": "m-estimate", "m": 0}, "a number above 0, not 0"),
    ({"estimate": "m-estimate", "m": "many"}, "m: 'many' is not a number"),
])  # fmt: skip
def test_what_is_no_estimate_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(rt.InputError, match=message):
        rt.ID3().grow(DAYS).distribution({"outlook": "overcast"}, **asked)
    forest = rt.RandomForest(trees=2).grow(DAYS)
    with pytest.raises(rt.InputError, match="no leaf of its own"):
        forest.distribution(DAYS, estimate="laplace")


def test_the_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rt.ID3().grow(DAYS).save(file := str(tmp_path / "tree.json"))
    run = ["predict", file, "play-tennis", "--exact"]
    assert main([*run, "--proba", "--estimate", "m-estimate", "--m", "1/2"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == ["no,yes", "89/98,9/98", "89/98,9/98", "5/126,121/126"]
    assert main([*run, "--estimate", "laplace"]) == 2
    assert "say --proba, too" in capsys.readouterr().err
    assert main([*run, "--proba", "--m", "2"]) == 2
    assert "--m is for an m-estimate" in capsys.readouterr().err
