"""The form: the words that a tree document may hold.

The JSON Schema is `docs/schemas/tree-1.schema.json`. Every object is closed: a key that the schema does not have is
refused, and so is a repeated key. A later version of the form with more content has another name, so no reader accepts
a tree that it understands only in part.
"""

from __future__ import annotations

FORMAT = "reference-tree/tree/1"
"""The name of the form of a tree."""

ENSEMBLE_FORMAT = "reference-tree/ensemble/1"
"""The name of the form of an ensemble."""

LARGEST = 1 << 26
"""The most bytes of a file that is read, if no other limit is given."""

BYTES_A_PART = 32
"""A document of n bytes may have n/32 objects and lists, which take ten times the memory of their text."""

BYTES_A_NODE = 192
"""A document of n bytes may have n/192 nodes; most nodes are longer."""

STOPS = (
    "pure", "no-attributes", "no-candidates", "epsilon", "zero-gain", "max-depth", "min-samples-split",
    "min-samples-leaf", "min-child-weight", "min-impurity-decrease", "empty", "average", "pre-pruned", "collapsed",
    "pruned", "unknown",
)  # fmt: skip
"""Every reason of a leaf."""

RULES = ("fractions", "branch", "surrogates", "stay", "error")
"""Every rule for a row that does not answer."""

FOREIGN = "unknown"
"""The learner's name in the tree of another program. Such a tree states its source, and need not have counts."""
