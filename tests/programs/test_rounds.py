"""Which rounds answer, and what is remarked of it."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.boosted import Rounds
from tests.every import of_every


@of_every(
    [
        (Rounds(21), None, 21, ""),
        (Rounds(21), "all", 21, ""),
        (Rounds(21), 21, 21, ""),
        (Rounds(21), 3, 3, "the first 3 of 21 rounds answer, as told"),
        (Rounds(21, 21), None, 21, ""),
        (Rounds(21, 18, stops=True), None, 18, "the first 18 of 21 rounds answer, as for the class of scikit-learn"),
        (
            Rounds(21, 18),
            None,
            21,
            "all 21 rounds answer, as for Booster.predict; iterations='best' takes the first 18",
        ),
        (Rounds(21, 18), "best", 18, "the first 18 of 21 rounds answer, as told"),
        (Rounds(21, 18), "all", 21, "all 21 rounds answer, as told"),
    ]
)
def test_the_rounds_that_answer(rounds: Rounds, asked: int | str | None, taken: int, remark: str) -> None:
    found, said = rounds.taken(asked)
    assert found == taken
    assert remark in said
    assert bool(remark) == bool(said)


@of_every(
    [(0, "0 rounds"), (22, "22 rounds"), ("best", "names no best round"), ("1.5", "a number of rounds"), ("", "''")]
)
def test_other_rounds_are_refused(asked: int | str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rounds(21).taken(asked)
