"""The checking of lines itself: it finds what is wrong, and looks at what it should."""

from __future__ import annotations

from tests.every import of_every
from tests.views.checked import contradictions, relations


@of_every(
    [
        ("C(t)   = 4·0.811278 + 1.4 ≈ 4.645112 bits", 1),
        ("R(/) = (5 + 5 − 5) / 10 = 1/2 = 0.5", 2),
        ("4.645112 > 4.2: the leaf costs more", 1),
        ("2.1 ≤ 2.5 + 0.1 and 2.1 ≤ 2.1 + 0.1: it becomes a leaf.", 2),
        ("U = 1 − (1/4)^(1/4) ≈ 0.292893", 1),
        ("√(2) ≈ 1.414214", 1),
        ("P(a|X) = 1/2·1 + 1/3·0\n         + 1/6·1\n       = 2/3\n       ≈ 0.666667", 2),
        ("2³ = 8", 1),
        ("g(D) − 3 = 4", 0),
    ]
)
def test_a_line_that_is_right(line: str, number: int) -> None:
    assert len(list(relations(line))) == number
    assert not contradictions(line)


@of_every(
    [
        "g = 0.997503 − 0.889377 ≈ 0.108125",
        "4·0.543678 ≈ 2.174713",
        "1/3 = 0.333333",
        "2.1 ≤ 1.9 + 0.1: no",
        "w = 0.25·1 = 1/3",
    ]
)
def test_a_line_that_is_wrong(line: str) -> None:
    assert len(contradictions(line)) == 1
