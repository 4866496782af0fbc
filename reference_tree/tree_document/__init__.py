"""The tree document: one neutral JSON form for every tree, ours or foreign, and one for ensembles of trees.

Nodes are a flat list in preorder, because a deep tree must not break a parser. Exact numbers are strings, of up to
`OWN_DIGITS` digits in a term. The JSON Schema is `docs/schemas/tree-1.schema.json`; the reader also checks what a
schema cannot express (that branches lead to nodes, that a test fits its attribute). The document of an ensemble has the
nodes of each tree as in the tree's own document, with the weight of the tree and the rows that were drawn for it; its
schema is `docs/schemas/ensemble-1.schema.json`.

| module | holds |
| --- | --- |
| `form` | the constants of the form |
| `writing` | `to_json`: a tree or an ensemble as a document |
| `reading` | `from_json` and `read_tree`: a tree from a document, or its error; `read_predictor`: either predictor |
| `files` | `save`: a tree or an ensemble written to a file, whole or not at all |
| `members` | the fields of a tree in an ensemble, besides its nodes |
| `nodes` | the prediction and the test of a node, each written and read in one place |
| `silence` | the facts that a program does not state |
| `strict` | JSON values, checked for type and form |
"""

from reference_tree.tree_document.files import save
from reference_tree.tree_document.form import ENSEMBLE_FORMAT, FORMAT, STOPS
from reference_tree.tree_document.nodes import question_json, when
from reference_tree.tree_document.reading import from_json, predictor_from_json, read_predictor, read_tree
from reference_tree.tree_document.writing import to_json

__all__ = [
    "ENSEMBLE_FORMAT",
    "FORMAT",
    "STOPS",
    "from_json",
    "predictor_from_json",
    "question_json",
    "read_predictor",
    "read_tree",
    "save",
    "to_json",
    "when",
]
