"""Mending: the one cut that has the stated counts is found, and none where there is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import reference_tree as rt
from reference_tree.auditing.judging import shares_of
from reference_tree.auditing.mending import fit, mended
from reference_tree.auditing.parting import parts_like
from reference_tree.data.questions import Missing, Subset, Threshold
from reference_tree.data.sample import Counts

TABLE = rt.Table.from_columns({"x": [1, 2, 2, None, 5, 8, 9], "y": [*"nnynyny"]})
CUTS = [Threshold("x", t) for t in (1, 3, 6, 8)]


def alike(stated: Counts, found: Counts) -> bool:
    return tuple(stated) == tuple(found)


@given(st.sampled_from(CUTS), st.sampled_from(CUTS), st.sampled_from([0, 1]))
def test_the_cut_that_was_is_found_again(was: Threshold, now: Threshold, to: int) -> None:
    sample, missing = TABLE.sample(), Missing(to=to)
    stated = [part.total() for part in sample.split(was, missing)]
    found = mended(now, sample, missing, stated, alike)
    assert found is not None
    assert parts_like(found, was, sample)


@given(st.sampled_from(CUTS), st.sampled_from(CUTS))
def test_rows_that_are_divided_go_by_the_shares_of_the_cut_that_was(was: Threshold, now: Threshold) -> None:
    sample = TABLE.sample()
    stated = [part.total() for part in sample.split(was, Missing(shares=shares_of(sample, was)))]
    found = mended(now, sample, Missing(shares=shares_of(sample, now)), stated, alike)
    assert found is not None
    assert parts_like(found, was, sample)


def test_no_cut_has_other_counts() -> None:
    sample = TABLE.sample()
    assert mended(CUTS[0], sample, Missing(to=0), [(2, 2), (2, 1)], alike) is None
    assert mended(Subset("x", ("a",)), sample, Missing(), [(2, 2), (2, 1)], alike) is None


def test_so_many_may_differ() -> None:
    assert not fit([(1, 0), (0, 1)], [(1, 0), (0, 2)], alike)
    assert fit([(1, 0), (0, 1)], [(1, 0), (0, 2)], alike, but=1)
