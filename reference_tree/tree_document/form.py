"""The form: the constants of a tree document.

The JSON Schema is `docs/schemas/tree-1.schema.json`. Every object is closed: a key that the schema does not know is
refused, and so is one that occurs twice. A later version of the form with more keys has another name, so that no
reader understands only a part of a tree.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.learners.stopping.bounds import rules

FORMAT = "reference-tree/tree/1"
"""The name of the form of a tree."""

ENSEMBLE_FORMAT = "reference-tree/ensemble/1"
"""The name of the form of an ensemble."""

LARGEST = 1 << 26
"""The most bytes of a file that are read, if no other limit is given."""

BYTES_A_PART = 32
"""A document of n bytes may have n/32 objects and lists, which take ten times the memory of their text."""

BYTES_A_NODE = 192
"""A document of n bytes may have n/192 nodes; most nodes are longer."""

ROUNDED = Fraction(1, 2**44)
"""The error allowed for shares, agreements and weights that a program held in doubles and a document states."""

STOPS = tuple(rules())
"""Every reason that a leaf can state."""

RULES = ("fractions", "aggregate", "branch", "surrogates", "stay", "error")
"""Every rule for a row without an outcome of the test."""

FOREIGN = "unknown"
"""The learner's name in a foreign tree. Such a tree states its source, and may leave out the counts of its nodes."""
