"""What a student who works a page again by hand needs to find there, said once and in the same figures everywhere."""

from __future__ import annotations

import re
from itertools import pairwise

import reference_tree as rt
from reference_tree.data.textbook import textbook
from reference_tree.views.derivation.explain import explain


def block(page: str, head: str) -> list[str]:
    """The lines from one that begins so to the next blank one."""
    lines = page.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head))
    return lines[start : lines.index("", start)]


# Ties.


def test_a_tie_of_ratios_is_told_below_the_ranking() -> None:
    table = textbook("watermelon-3.0")
    said = explain(rt.C45().grow(table), table, node="/含糖率>0.126/密度>0.3815").splitlines()
    assert sum(line.endswith("exact tie") for line in said) == 1
    told = " ".join(said[next(n for n, line in enumerate(said) if line.startswith("Split on")) :])
    expected = "Split on 纹理, tied exactly with 含糖率<=0.2045; the next best, 密度<=0.6365, is behind by 0.175015."
    assert told == expected


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
    head, *rows = block(page.partition("密度: the 14 cuts\n\n")[2], "   at")
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
