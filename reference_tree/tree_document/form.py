"""The form: the words that a tree document may hold.

The JSON Schema is `docs/schemas/tree-1.schema.json`. Every object is closed: a key that the schema does not know is
refused, and so is one that stands twice. A later version of the form that says more has another name, so that no reader
takes a tree for one that it understands in part.
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
"""And n/192 nodes; most are longer."""

STOPS = (
    "pure", "no-attributes", "no-candidates", "epsilon", "zero-gain", "max-depth", "min-samples-split",
    "min-samples-leaf", "min-child-weight", "min-impurity-decrease", "empty", "average", "pre-pruned", "collapsed",
    "pruned", "unknown",
)  # fmt: skip
"""Every reason that a leaf can give."""

RULES = ("fractions", "branch", "surrogates", "stay", "error")
"""Every rule for a row that does not answer."""

FOREIGN = "unknown"
"""The learner's name in somebody else's tree. Such a tree says its source, and need not say what reaches its nodes."""
