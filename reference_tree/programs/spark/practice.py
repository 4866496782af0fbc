"""Spark as it trains: what an audit of its trees has to know."""

from __future__ import annotations

from reference_tree.data.sample import SizedData
from reference_tree.learners.decision import Learner
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.programs.practice import Practice, Told, by_rows
from reference_tree.programs.spark.bins import between_bins, with_bins
from reference_tree.tree import Tree


def _bounded(learner: Learner, tree: Tree, told: Told, table: SizedData, own: SizedData) -> Learner:
    """The learner that cuts between bins, and whose bounds count rows."""
    if isinstance(learner, ProgramCART):
        learner = between_bins(learner, told, own)
    return by_rows(learner, SPARK.program, table)


SPARK = Practice("Spark MLlib", "cart", "spark", held=with_bins, bounded=_bounded)
