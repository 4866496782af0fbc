"""Formulas stand where Markdown sees them, and how wide they are is known before a browser shows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_a_formula_in_a_list_is_indented_by_four_blanks() -> None:
    pages = [page for page in (ROOT / "docs").rglob("*.md") if (ROOT / "docs" / "tools") not in page.parents]
    files = [*(ROOT / "reference_tree").rglob("*.py"), *pages]
    astray = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in re.findall(r"^ {1,3}\$\$.*", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert not astray


@pytest.fixture(scope="module")
def wide() -> Callable[[str], float]:
    """How wide a formula is, in em."""
    katex = pytest.importorskip("docs.tools.katex")
    if not (katex.TOOLS / "node_modules" / "katex").exists():
        pytest.skip("KaTeX is not installed")
    return lambda tex: katex.typeset(tex, True)[1]


def test_a_space_is_as_wide_as_tex_says(wide: Callable[[str], float]) -> None:
    assert wide(r"a\qquad b") - wide("a") - wide("b") == pytest.approx(2)


def test_a_fraction_is_as_wide_as_its_wider_part(wide: Callable[[str], float]) -> None:
    below = wide("a + b + c + d + e + f")
    assert below < wide(r"\frac{1}{a + b + c + d + e + f}") < below + 0.5


def test_lines_of_a_formula_stand_one_above_the_other(wide: Callable[[str], float]) -> None:
    one = r"\begin{aligned} H &= 0.940286 \end{aligned}"
    assert wide(one.replace(r" \end", r" \\ &= 0.9 \end")) == pytest.approx(wide(one))


def test_every_letter_of_a_word_and_every_digit_counts(wide: Callable[[str], float]) -> None:
    assert wide("123456") == pytest.approx(6 * wide("1"))
    assert wide(r"\text{温度湿度}") == pytest.approx(4)
