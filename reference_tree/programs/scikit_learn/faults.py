"""What releases of scikit-learn are known to do wrong while they train, and what of it an audit cannot repeat.

A tree of such a release may differ from the one that its rows and its options give. The node is named, and the remark
tells why it may be so.

| releases | what they do |
|:--|:--|
| 1.3 to 1.8 | leave some rows on the wrong side of a test, where rows at the node have no value (in 1.8 seldom) |
| 1.3 to 1.7 | add up the weights of equal numbers wrongly where they look for a weighted median (`absolute_error`) |
| 1.6 to 1.8 | draw a threshold from the wrong interval, where rows at the node have no value |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reference_tree.data.errors import InputError
from reference_tree.data.sample import Data
from reference_tree.data.table import is_in_memory
from reference_tree.programs.scikit_learn.members import numbered
from reference_tree.tree import Tree

MEDIANS, GAPS = (1, 8), (1, 9)
"""The releases in which the second fault, and the two about rows without a value, were mended."""


def known_faults(tree: Tree, table: Data, told: Mapping[str, Any]) -> Iterator[str]:
    """The remarks on what the release that grew a tree is known to do wrong with rows like these.

    Args:
        tree: the tree.
        table: its rows.
        told: what its document states of the training.

    Raises:
        InputError: what it did depends on an order of the rows that it does not keep.
    """
    program = tree.program
    release = None if program is None else numbered(program.version)
    if program is None or release is None or not is_in_memory(table) or release >= GAPS:
        return
    has_gaps = any(None in table.columns[attribute.name] for attribute in tree.attributes)
    draws = told.get("draws")
    if has_gaps and isinstance(draws, dict) and draws.get("thresholds"):
        raise InputError(
            f"scikit-learn {program.version} drew its thresholds among rows without a value in a way that an audit "
            "cannot repeat; from 1.9 it can"
        )
    if has_gaps:
        yield _remark("1.9 left some rows on the wrong side of a test, where rows at the node have no value")
    if release < MEDIANS and told.get("criterion") == "absolute_error" and len(set(table.weighted())) > 1:
        yield _remark("1.8 added up the weights of equal numbers wrongly where it looked for their median")


def _remark(what: str) -> str:
    return f"scikit-learn before {what}: what is found wrong may be so for that"
