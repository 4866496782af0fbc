"""CART as Spark's trees have it: the bins whose ends are its thresholds."""

from __future__ import annotations

import reference_tree as rt
from reference_tree.programs.spark.profile import bin_ends


def test_bins_end_where_their_weights_are_nearest_to_equal() -> None:
    table = rt.Table.from_columns({"x": [1, 2, 3, 4], "w": [1, 5, 1, 1], "y": [*"aaba"]}, "y", weights="w")
    sample = table.sample()
    ends = {most: list(bin_ends(sample.ordered("x"), sample.target.weight, most)) for most in (2, 3, 4)}
    assert ends == {2: [2.5], 3: [1.5, 2.5], 4: [1.5, 2.5, 3.5]}
