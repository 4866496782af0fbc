"""What a student who works a page again by hand needs to find there, once and in the same figures everywhere."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.textbook import textbook
from reference_tree.pruning.cost_complexity import cost_complexity
from reference_tree.pruning.error_based import ErrorBased, error_based
from reference_tree.pruning.error_limits import LIMITS
from reference_tree.views.derivation.ensembles import explained_round
from reference_tree.views.derivation.error_pruning import estimates, preface
from reference_tree.views.derivation.explain import explain
from reference_tree.views.derivation.numerals import decimal_of
from reference_tree.views.derivation.writers.text import write
from tests.every import of_every
from tests.views.calculator import check


def block(page: str, head: str) -> list[str]:
    """The lines from one that begins so to the next blank one."""
    lines = page.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head))
    return lines[start : lines.index("", start)]


# Ties.


def test_a_tie_of_ratios_is_told_below_the_ranking() -> None:
    table = textbook("watermelon-3.0")
    lines = explain(rt.C45().grow(table), table, node="/含糖率>0.126/密度>0.3815").splitlines()
    assert sum(line.endswith("exact tie") for line in lines) == 1
    sentence = " ".join(lines[next(n for n, line in enumerate(lines) if line.startswith("Split on")) :])
    expected = "Split on 纹理, tied exactly with 含糖率<=0.2045; the next best, 密度<=0.6365, is behind by 0.175015."
    assert sentence == expected


def test_a_node_with_a_tie_has_no_margin_in_the_table_of_nodes() -> None:
    table = textbook("cats")
    root, _, below, _, last, *_ = block(explain(rt.CART().grow(table), table), "/  ")
    assert root.endswith("tied; 0.119048 to the next")
    assert below.endswith("tied; 0.055556 to the next")
    assert last.endswith("  tied")


def test_the_table_of_nodes_says_what_a_margin_is() -> None:
    table = textbook("play-tennis")
    page = explain(rt.ID3().grow(table), table)
    assert "The nodes; rows as no, yes; gain, and its margin over the next best, in bits\n" in page


# One symbol, one figure.


def test_cuts_are_listed_by_what_is_left_after_the_charge_under_its_symbol() -> None:
    table = textbook("watermelon-3.0")
    page = explain(rt.C45.like("c45-r8").grow(table), table, node="/")
    head, *rows = block(page.partition("密度: the 14 cuts; g' is the gain of these rows, less c(D, A)\n\n")[2], "   at")
    assert head.endswith("g'")
    best = next(row for row in rows if row.endswith("the best by g'"))
    assert "0.038477" in best
    (net,) = re.findall(r"g'\(D, 密度<=0.36\) .* ≈ (\S+) bits", page)
    assert net == "0.038477"
    assert "-" not in "".join(rows).replace("− ", "")  # one sign for minus


def test_what_a_heading_says_of_numbers_is_what_the_formulas_come_to() -> None:
    for name in ("li-hang-5.2", "cats-regression"):
        table = textbook(name)
        page = explain(rt.CART().grow(table), table, every=True)
        found = 0
        for line, rule in pairwise(page.splitlines()):
            if rule.startswith("──") and "sse" in line:
                mean, sse = re.search(r"mean (\S+), sse (\S+)", line).groups()  # type: ignore[union-attr]
                below = page.split(line)[1].split("──\n", 1)[1].split("\n/")[0]
                if "SSE(D) = " in below:
                    assert re.search(r"^SSE\(D\) = .* [=≈] (\S+)$", below, re.M)[1] == sse  # type: ignore[index]
                    assert re.search(r"^ȳ\(D\)   = .* [=≈] (\S+)$", below, re.M)[1] == mean  # type: ignore[index]
                    found += 1
        assert found > 3


def test_the_table_of_nodes_has_the_figures_of_the_headings() -> None:
    table = textbook("li-hang-5.2")
    page = explain(rt.CART().grow(table), table)
    assert "10, 6.618, 27.63236" in page
    assert "/   10 rows: mean 6.618, sse 27.63236\n" in page


# Every symbol is named, with its unit.


def legend(page: str) -> str:
    """What the letters mean, without the breaks of lines."""
    return re.sub(r"\s+", " ", page.partition("\n\nThe nodes")[0])


def test_the_letters_of_a_share_are_named() -> None:
    table = textbook("play-tennis")
    meanings = legend(explain(rt.ID3().grow(table), table))
    assert "the rows of class k, and their share; a class without a row adds 0 to a sum" in meanings
    assert "D, D_i, |D| the rows at a node" in meanings
    assert "the entropy of their classes, in bits" in meanings


@pytest.mark.slow
def test_the_legend_says_what_the_gain_is_divided_by_where_answers_are_missing() -> None:
    table = textbook("watermelon-2.0a")
    zhou, release8 = (explain(rt.C45.like(name).grow(table), table) for name in ("zhou", "c45-r8"))
    assert "H_色泽(D̃) " in zhou
    assert "H_A(D̃) takes the place of H_A(D) in the ratio where values are missing" in legend(zhou)
    assert "+ 3/17·log2(17/3) ≈" in release8
    assert "H_A(D) has one more part where values are missing: the rows without a known value" in legend(release8)


@pytest.mark.slow
def test_the_legend_says_how_far_below_the_average_an_attribute_may_not_win() -> None:
    table = textbook("watermelon-3.0")
    zhou, release8 = (explain(rt.C45.like(name).grow(table), table) for name in ("zhou", "c45-r8"))
    assert "an attribute whose gain is below it may not win" in legend(zhou)
    assert "are below ḡ: they" in zhou
    assert "an attribute whose gain is more than 0.001 below it may not win" in legend(release8)
    assert "are below ḡ − 0.001: they" in release8


@pytest.mark.slow
def test_what_a_column_is_called_is_said_beside_its_formula() -> None:
    called: dict[Any, str] = {
        "gini": "the Gini decrease",
        "misclassification": "the error decrease",
        "squared_error": "the variance reduction",
        "variance_n_minus_1": "the variance reduction",
        "absolute_error": "the error reduction",
    }
    for criterion, name in called.items():
        of_numbers = criterion in ("squared_error", "variance_n_minus_1", "absolute_error")
        table = textbook("li-hang-5.2" if of_numbers else "cats")
        page = explain(rt.CART(criterion=criterion).grow(table), table)
        assert f" {name}:" in legend(page), criterion
        assert f"  {name.removeprefix('the ')}\n" in page, criterion


# The steps of a pruning.


def pruned_by_costs(name: str) -> str:
    table = textbook(name)
    tree = cost_complexity(rt.CART().grow(table), Fraction(1, 10))
    return explain(tree, table)


def test_the_weakest_link_is_told_in_the_digits_of_its_line() -> None:
    page = pruned_by_costs("li-hang-5.2")
    rounds = re.split(r"\nround \d+ .*\n", page)[1:]
    assert len(rounds) == 8
    for one in rounds:
        least = min(map(Fraction, re.findall(r"^g\(.* [=≈] ([\d.]+)$", one, re.M)))
        match = re.search(r"The least is (?:\S+ [=≈] |above the price of a leaf, )([\d.]+)", one)
        assert match is not None, one
        assert Fraction(match[1]) == least


def test_the_risk_of_every_node_is_worked_out() -> None:
    page = pruned_by_costs("li-hang-5.2")
    risks = re.findall(r"^R\(/.*$", page, re.M)
    assert len(risks) == 9
    assert all("/10 " in line or "/ 10 " in line for line in risks), risks


# Ensembles.


ENSEMBLES: dict[str, tuple[Any, str]] = {
    "sum": (rt.BoostingTree(trees=3), "li-hang-8.2"),
    "short": (rt.BoostingTree(trees=2), "cats-regression"),
    "mean": (rt.Bagging(base=rt.CART(), trees=3), "cats-regression"),
    "weights": (rt.GradientBoosting(trees=3), "li-hang-8.2"),
    "logistic": (rt.GradientBoosting(trees=3), "play-tennis"),
    "softmax": (rt.GradientBoosting(trees=2), "contact-lenses"),
}


@of_every(ENSEMBLES)
def test_the_sum_of_the_trees_is_worked_out(name: str) -> None:
    learner, data = ENSEMBLES[name]
    table = textbook(data)
    ensemble = learner.grow(table)
    row = next(table.rows())
    page = rt.explain_votes(ensemble, row)
    sums = [line for line in page.splitlines() if re.match(r"(ŷ|F|F\(\S+\)) +=", line) and "Σ" not in line]
    assert len(sums) == (3 if name == "softmax" else 1)
    assert check("\n".join(sums)) >= len(sums)
    found = ensemble.combined(ensemble.ends(row))
    expected = [found] if not isinstance(found, dict) else list(found.values())[-len(sums) :]
    for line, value in zip(sums, expected, strict=True):
        assert float(line.split(" ")[-1].replace("−", "-")) == pytest.approx(float(value), abs=1e-6)
    for answer, of in zip(re.findall(r"^ *\d+(?:, for \S+)? +(\S+) +1 ", page, re.M), ensemble.members, strict=True):
        assert answer == decimal_of(Fraction(of.tree.predict(row)))
        assert any(answer.removeprefix("-")[:-1] in line for line in sums), "the figures of the table are added up"


@pytest.mark.parametrize("combine", ["vote", "mean"])
def test_what_is_counted_is_said_before_it_is_counted(combine: Any) -> None:
    table = textbook("play-tennis")
    forest = rt.RandomForest(base=rt.ID3(), trees=2, combine=combine).grow(table)
    page = rt.explain_votes(forest, next(table.rows()))
    assert "row   outlook=sunny, temperature=hot, humidity=high, wind=weak\n" in page
    assert ("v(c) = Σ_b α_b·[h_b(x) = c]" in page) is (combine == "vote")
    assert ("P(c|x) = Σ_b α_b·P_b(c|x) / Σ_b α_b" in page) is (combine == "mean")


def round_of(learner: Any, data: str, number: int = 1) -> str:
    table = textbook(data)
    return "\n".join(write(explained_round(learner.grow(table), table, number)))


def test_the_letters_of_gradient_boosting_are_named_and_have_their_values() -> None:
    page = round_of(rt.GradientBoosting(trees=1), "li-hang-8.2")
    unwrapped = re.sub(r"\s+", " ", page)
    for letters in ("g = F − y ", "h = 1 ", "G, H ", "G_L, H_L and G_R, H_R ", "λ = 1, η = 0.3 "):
        assert letters in unwrapped
        assert unwrapped.index(letters) < unwrapped.index("The tests")
    # By hand: the sums of F − y, F being the mean 7.307, over the six rows to the left of the cut.
    first = [Fraction(y) for y in ("5.56", "5.7", "5.91", "6.4", "6.8", "7.05")]
    assert re.search(rf"x<=6.5 +{float(sum(Fraction('7.307') - y for y in first))}\d* +6 ", page)


def test_questions_of_gradient_boosting_that_may_not_compete_are_counted() -> None:
    page = round_of(rt.GradientBoosting(trees=1), "li-hang-8.1")
    # By hand: h is 0.6·0.4 for each row, so that a side needs five of the ten rows for an H of 1.
    assert "8 other tests leave a side with an H below 1, and may not compete (min-child-weight).\n" in page
    assert re.search(r"^x<=4\.5 .*   the best$", page, re.M)


def test_the_weights_of_adaboost_are_those_that_the_tree_counts() -> None:
    page = round_of(rt.AdaBoost(trees=2), "li-hang-8.1", 2)
    assert "\n10·w_m " in page
    weights = re.findall(r"^ +\d+ +\d+ +-?1 +-?1 +(\S+) ", page, re.M)
    assert len(weights) == 10
    match = re.search(r"a weight of 10: -1 (\S+), 1 (\S+)\n", page)
    assert match is not None
    assert sum(map(Fraction, match.groups())) == 10
    assert float(10 * sum(map(Fraction, weights))) == pytest.approx(10, abs=1e-4)


# Sentences.


@pytest.mark.slow
def test_less_than_one_error_is_worked_out_once() -> None:
    table, rules = textbook("watermelon-2.0a"), ErrorBased(limit=LIMITS["normal"])
    tree = rt.C45().grow(table)
    decided = estimates(tree, error_based(tree, table, rules), rules)
    page = "\n".join(line for one in decided for line in write(one.blocks))
    worked_out = [line for line in page.splitlines() if " − 1 − " in line]
    assert len(worked_out) > 4
    assert all(line.startswith("N·U(") for line in worked_out)


def test_the_binomial_coefficient_is_named() -> None:
    table = textbook("watermelon-2.0")
    page = "\n".join(write(preface(error_based(rt.C45().grow(table), table), ErrorBased())))
    assert "C(N, k) is the number of ways to take k of N rows" in re.sub(r"\s+", " ", page)


def test_on_the_way_of_a_row_a_node_of_numbers_says_how_many_once() -> None:
    table = textbook("cats-regression")
    page = rt.explain_prediction(rt.CART().grow(table), next(table.rows()))
    assert "/   10 rows: mean 11.54, sse 184.564\n" in page
    headings = re.findall(r"^/.*rows?: .*$", page, re.M)
    assert all(re.search(r"rows?: mean \S+, sse \S+$", line) for line in headings), headings


# A table of questions leads to its own last column.


def rows_of(page: str, title: str) -> list[list[str]]:
    """The cells of the table of questions about an attribute, without its head."""
    _, *rows = page.partition(f"\n{title}: the ")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()
    return [re.split(r" {2,}", row.strip()) for row in rows]


@pytest.mark.parametrize("node", ["/", "/1"])
def test_where_answers_are_missing_the_counts_of_a_line_and_its_share_give_its_gain(node: str) -> None:
    """The Gini decrease of the counts, by the definition, times ρ; 23 lines showed less than their own counts."""
    table = textbook("watermelon-2.0a")
    page = explain(rt.CART().grow(table), table, node=node)
    found = 0
    for attribute in ("色泽", "根蒂", "敲声", "纹理", "脐部"):
        if f"\n{attribute}: the " not in page:
            continue
        for _, *figures in rows_of(page, attribute):
            *counts, after = map(Fraction, figures[: 6 if "ρ times" in page.split(f"\n{attribute}: ")[1][:90] else 5])
            share = counts.pop() if len(counts) == 5 else 1
            first, second = counts[:2], counts[2:]
            both = [a + b for a, b in zip(first, second, strict=True)]
            left = (sum(side) / sum(both) * (1 - sum((n / sum(side)) ** 2 for n in side)) for side in (first, second))
            decrease = 1 - sum((n / sum(both)) ** 2 for n in both) - sum(left)
            assert round(share * decrease, 6) == round(after, 6), figures
            found += share < 1
    assert found > 5


# One question, one spelling.


@of_every(["text", "markdown", "html"])
def test_a_set_of_one_value_is_spelled_as_this_value_everywhere(format: Any) -> None:
    table = textbook("loan")
    tree = rt.CART().grow(table)
    page = re.sub(' data-path="[^"]*"', "", explain(tree, table, format=format))  # which programs read
    assert "有自己的房子=否" in page
    assert not re.search(r" in \{\w+\}", page)
    row = next(iter(table.rows()))
    assert not re.search(r" in \{\w+\}", rt.explain_prediction(tree, row, format=format))


def test_a_node_is_found_by_the_path_that_is_printed() -> None:
    table = textbook("loan")
    tree = rt.CART().grow(table)
    paths = re.findall(r"^(/\S*)   \d+ rows?: ", explain(tree, table), re.MULTILINE)
    assert [tree.find(path) for path in paths] == list(range(len(tree.nodes)))
    assert paths[-1] == "/有自己的房子≠否"
    assert tree.find("/有自己的房子 not in {否}") == len(tree.nodes) - 1


def test_a_line_is_printed_in_its_own_figures() -> None:
    table = textbook("watermelon-3.0a")
    tree = rt.CART(branching="linear", search="cart-lc").grow(table)
    page = explain(tree, table)
    assert "Split on 328*密度-1143*含糖率<=-11.6785: nothing else competes." in page
    assert set(re.findall(r"-11\.\d*", page)) == {"-11.6785"}


def test_long_coefficients_are_rounded_and_the_line_is_told_in_full() -> None:
    table = textbook("watermelon-3.0a")
    tree = rt.CART(branching="linear", search="lda").grow(table)
    page = explain(tree, table, node="/")
    assert "Split on 1883*密度+9495*含糖率<=2779: nothing else competes." in page
    assert "In full, without rounding, the test is 3765976*密度+18988387*含糖率<=5557935.07." in page


# A line that was searched for.


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(
    ("name", "node"),
    [("watermelon-3.0a", "/"), pytest.param("iris", "/1", marks=pytest.mark.slow), ("cats", "/")],
)
def test_the_steps_of_the_search_for_a_line_lead_to_it(name: str, node: str) -> None:
    table = textbook(name)
    page = explain(rt.CART(branching="linear", search="cart-lc", max_depth=2).grow(table), table, node=node)
    steps = re.sub(
        r"(?<=\S)\n {4}(?=\S)", "   ", page.partition("\nThe search: ")[2].partition("\n\n")[2].partition("\n\n")[0]
    )
    _, *rows = [re.split(r" {3,}", line.strip()) for line in steps.splitlines()]
    assert rows[0][0] == "the best cut"
    last = rows[0]
    for step, line, score, *fate in rows[1:]:
        if costs := re.match(r"costs ([\d.]+)", "".join(fate)):
            places = len(costs[1].partition(".")[2])
            assert round(Fraction(last[2]) - Fraction(score), places) == Fraction(costs[1])
        else:
            assert bool(fate) == (Fraction(score) > Fraction(last[2]))
        last = [step, line, score] if fate and ("taken" in fate[0] or "left out" in fate[0]) else last
    assert f"Split on {last[1]}: nothing else competes." in page
