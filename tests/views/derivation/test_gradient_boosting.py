"""Gradient boosting: what the derivation of a tree says, held against the tree and against Li Hang's figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import exp
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.views.derivation.blocks import Scope
from reference_tree.views.derivation.ensembles import explained_round
from reference_tree.views.derivation.writers.pages import markdown
from reference_tree.views.derivation.writers.text import write
from tests.every import of_every
from tests.views.calculator import check


def page(data: str, number: int, node: str | None = None, trees: int = 2, **options: Any) -> str:
    learner = rt.GradientBoosting(base=rt.GradientTree(**options), trees=trees)
    table = rt.textbook(data)
    return "\n".join(write(explained_round(learner.grow(table), table, number, Scope(node, every=False))))


STUMPS: Mapping[str, Any] = {"max_depth": 1, "reg_lambda": 0, "rate": 1, "grid": None}


def test_the_second_round_of_table_8_2() -> None:
    text = page("li-hang-8.2", 2, "/", **STUMPS)
    cuts = re.findall(r"^x<=(\S+) +\S+ +\S+ +\S+ +\S+ +- +(\S+)", text, re.MULTILINE)
    assert cuts[0][0] == "3.5"
    assert len(cuts) == 9
    assert [float(gain) for _, gain in cuts] == sorted((float(gain) for _, gain in cuts), reverse=True)
    # 1.9300 is what the first tree left, and 0.8007 what the second one leaves.
    assert float(cuts[0][1]) == pytest.approx(1.930008 - 0.800675, abs=1e-6)
    assert "x<=3.5 has the largest gain, and is chosen." in text


def test_rational_figures_are_worked_out() -> None:
    text = page("li-hang-5.2", 1, **STUMPS)
    assert re.search(r"gain\(x<=5.5\) += .* ≈? ?24\.27364", text)
    assert re.search(r"^w += .*", text, re.MULTILINE)


def test_irrational_figures_are_rounded_and_worked_out_from_what_is_printed() -> None:
    text = page("play-tennis", 2, "/", max_depth=1)
    assert re.search(r"humidity=high +1\.2163\d+ +1\.6766\d+", text)
    assert check(text) == 5


def table_of(text: str, title: str) -> list[list[str]]:
    """The cells of a table, its head first."""
    found = re.search(rf"^{title}.*\n\n((?:.+\n)+)", text, re.MULTILINE)
    lines = [] if found is None else found[1].replace("−", "-").splitlines()
    return [re.split(r" {2,}", line.strip()) for line in lines]


LOSSES: Mapping[str, Callable[[list[float], float], tuple[float, float]]] = {
    "li-hang-8.2": lambda f, y: (f[0] - y, 1),
    "play-tennis": lambda f, y: ((p := 1 / (1 + exp(-f[0]))) - y, p * (1 - p)),
    "iris": lambda f, y: ((p := exp(f[0]) / sum(map(exp, f))) - y, 2 * p * (1 - p)),
}
"""Both derivatives of each loss, after Chen and Guestrin's notes on XGBoost: of iris for the first class."""


@pytest.mark.one_in(1, 4)
@pytest.mark.parametrize("node", ["/", "/0", "/1"])
@pytest.mark.parametrize("name", LOSSES)
def test_the_table_of_a_node_leads_from_the_margins_to_the_derivatives_and_their_sums(name: str, node: str) -> None:
    text = page(name, 4 if name == "iris" else 2, node, max_depth=1)
    head, *rows, last = table_of(text, "The rows, and the sums of n·g and n·h")
    assert last[0] == "sum"
    assert head[0] == "rows"
    classes, both = {"no": 0, "yes": 1, "setosa": 1, "versicolor": 0, "virginica": 0}, [Fraction(0), Fraction(0)]
    for _, n, y, *margins, g, h in rows:
        if "p" in head:
            p = float(margins.pop())
            assert f"{1 / (1 + exp(-float(margins[0]))):.6f}" == f"{p:.6f}"
            assert (f"{p - classes[y]:.6f}", f"{p * (1 - p):.6f}") == (f"{float(g):.6f}", f"{float(h):.6f}")
        derived = LOSSES[name](list(map(float, margins)), float(classes.get(y, y)))
        for place, (found, printed) in enumerate(zip(derived, (g, h), strict=True)):
            assert f"{found:.{len(printed.partition('.')[2])}f}" == printed
            both[place] += Fraction(n) * Fraction(printed)
    assert last[1] == str(sum(int(row[1]) for row in rows)) == re.search(r"   (\d+) rows", text)[1]  # type: ignore[index]
    for total, printed in zip(both, last[2:], strict=True):
        assert round(total, len(printed.partition(".")[2])) == Fraction(printed)
    for _, *sums, gain in [[*line[:5], line[6]] for line in table_of(text, "The test")[1:]]:
        g_l, h_l, g_r, h_r = map(Fraction, sums)
        after = g_l**2 / (h_l + 1) + g_r**2 / (h_r + 1) - (g_l + g_r) ** 2 / (h_l + h_r + 1)
        assert round(after, len(gain.partition(".")[2])) == Fraction(gain)


@of_every(
    [
        ({"max_depth": 0}, "its children would lie deeper than 0"),
        ({"min_child_weight": 20}, "every test leaves a side with an H below 20"),
        ({"gamma": 1000}, "the test that stood here gains less than γ = 1000"),
        ({"epsilon": Fraction(1000)}, "no test gains more than 1000"),
        ({"min_samples_leaf": 6}, "every test leaves a side with a weight below 6"),
        ({"min_samples_split": 11}, "its weight is below 11"),
    ]
)
def test_why_a_leaf_is_one(options: Mapping[str, Any], reason: str) -> None:
    assert reason in page("li-hang-8.2", 1, **options)


@pytest.mark.slow
def test_of_a_large_tree_only_the_root_is_worked_out() -> None:
    learner = rt.GradientBoosting(base=rt.GradientTree(max_depth=9), trees=1)
    table = rt.textbook("iris").predicting("petal width")
    ensemble = learner.grow(table)
    few, every = (
        "\n".join(write(explained_round(ensemble, table, 1, Scope(every=each)))).count("\nThe tests")
        for each in (False, True)
    )
    inner = sum(1 for node in ensemble.members[0].tree.nodes if node.test is not None)
    assert few == 1 < inner <= every


def test_a_side_for_rows_without_a_value_is_said() -> None:
    table = rt.Table.from_columns({"x": [1, 2, None, 4], "y": [1, 1, 5, 5]}, continuous=["y"])
    learner = rt.GradientBoosting(trees=1)
    text = "\n".join(write(explained_round(learner.grow(table), table, 1)))
    assert re.search(r"x<=3 .* right", text)


def test_the_penalty_of_absolute_values_has_its_letter() -> None:
    table = rt.textbook("li-hang-8.2")
    ensemble = rt.GradientBoosting(trees=1, base=rt.GradientTree(reg_alpha=1)).grow(table)
    page = "\n".join(markdown(explained_round(ensemble, table, 1)))
    assert r"$\lambda = 1, \eta = 0.3, \alpha = 1$" in page
    assert "in every formula, α moves G towards 0" in page
    # By hand: G_L of the first six rows is 6.422, H_L is 6, and G_L is moved by 1.
    assert r"&= \frac{\left(6.422 - 1\right)^2}{6 + 1} \approx 4.199726" in page
