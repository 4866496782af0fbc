"""C4.5 as release 8 of Quinlan's program has it: what J48 does not share."""

from __future__ import annotations

from tests.learners.decisions import names
from tests.programs.test_c45_options import J48, R8, table


def test_a_split_information_of_a_thousandth_is_too_little_for_release_8() -> None:
    def of(weight: int) -> list[str]:
        rows = table({"a": list("pq"), "w": [2, weight], "y": list("ny")}, weights="w")
        return names(R8.decide(rows.sample())) or [c.barred or "" for c in R8.decide(rows.sample()).candidates]

    assert of(20_000) == ["a"]  # 0.00147 bits
    assert of(40_000) == ["split-information"]  # 0.00079
    rows = table({"a": list("pq"), "w": [2, 40_000], "y": list("ny")}, weights="w")
    assert names(J48.decide(rows.sample())) == ["a"]
