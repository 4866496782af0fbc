"""Releases of other programs: which are newer than the newest that was tried."""

from __future__ import annotations

import pytest

from reference_tree.programs.releases import TRIED, newer, numbers_of


@pytest.mark.parametrize("program", TRIED)
def test_what_was_tried_is_not_newer_and_the_next_one_is(program: str) -> None:
    numbers = numbers_of(TRIED[program])
    assert numbers is not None
    assert newer(program, TRIED[program]) is None
    *first, last = numbers
    for later in ([*first, last + 1], [first[0] + 1, 0], [*numbers, 1], [first[0], first[1] + 10]):
        release = ".".join(map(str, later))
        remark = newer(program, release)
        assert remark is not None
        assert remark.startswith(f"{program} {release} is newer than {TRIED[program]}, ")


@pytest.mark.parametrize("release", [None, "", "4.0", "v4", "unknown"])
def test_nothing_is_said_of_a_release_that_is_older_or_not_known(release: str | None) -> None:
    assert newer("LightGBM", release) is None
