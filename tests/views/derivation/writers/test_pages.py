"""What pages have in common: equations in lines, and tables as cells, whatever marks a page has."""

from __future__ import annotations

from reference_tree.exact.worked import work
from reference_tree.measures.entropy import entropy
from reference_tree.views.derivation.blocks import (
    DecisionTable,
    Equation,
    Legend,
    PartitionTable,
    Ranked,
    Ranking,
    Symbol,
)
from reference_tree.views.derivation.numerals import USUAL, NumberFormat
from reference_tree.views.derivation.writers.pages import LINE, Marks, PageTable, aligned, table_of

MARKS = Marks(lambda name: f"<{name}>", lambda tex: f"[{tex}]")
H = Symbol("H", "H")


def test_an_equation_has_its_sign_on_the_left_of_what_follows() -> None:
    assert list(aligned(Equation(H, entropy(work([1, 1])), "bits"), USUAL)) == [
        ("H", r"= \frac{1}{2} \log_2 \frac{2}{1} + \frac{1}{2} \log_2 \frac{2}{1} = 1 \text{ bit}")
    ]


def test_a_long_sum_is_broken_before_its_signs_and_ends_in_its_value() -> None:
    first, *others = aligned(Equation(H, entropy(work([1] * 30))), NumberFormat(exact=True))
    assert first[0] == "H"
    assert others[-1] == ("", r"= \log_2 5 + \log_2 3 + 1 \text{ exactly}")
    assert all(left == "" and right.startswith(r"\quad + ") for left, right in others[:-1])
    assert others[-2][1].endswith(r"\approx 4.906891")
    assert len(others) > LINE // 30


def test_tables_are_cells_with_the_marks_of_the_page() -> None:
    assert table_of(Legend(((H, "x"),)), MARKS, USUAL) == PageTable(["", "is"], [["[H]", "<x>"]], "ll")
    ranking = Ranking(H, (Ranked("a", "0.5", "chosen"),))
    assert table_of(ranking, MARKS, USUAL) == PageTable(["[A]", "[H]", ""], [["<a>", "0.5", "<chosen>"]], "lrl")
    assert table_of(DecisionTable("t", ("n",), "l", [("/",)]), MARKS, USUAL) == PageTable(["<n>"], [["</>"]], "l")
    parts = PartitionTable("a", ("n", "y"), ("u", "v"), ((2, 0), (0, 0)), H, (entropy(work([2, 0])), None), (), (1, 0))
    assert table_of(parts, MARKS, USUAL) == PageTable(
        ["<a>", "<n>", "<y>", "[H]"],
        [["<u>", "2", "0", "[0]"], ["<v>", "0", "0", "-"], ["?", "1", "0", ""]],
        "lrrl",
    )


def test_a_symbol_above_a_column_is_a_formula() -> None:
    block = DecisionTable("Rounds", ("row", Symbol("w_2", "w_{2}")), "lr", [("a_b", "1")])
    assert table_of(block, MARKS, USUAL) == PageTable(["<row>", "[w_{2}]"], [["<a_b>", "<1>"]], "lr")
