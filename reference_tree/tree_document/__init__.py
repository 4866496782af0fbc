"""The tree document: one neutral JSON form for every tree, ours or foreign.

Nodes are a flat list in preorder, because a deep tree must not break a parser. Exact numbers are strings, of up to
`OWN_DIGITS` digits in a term. The JSON Schema is `docs/schemas/tree-1.schema.json`; a reader checks what a schema
cannot say (that branches lead to nodes, that a test fits its attribute).

| module | holds |
| --- | --- |
| `form` | the words of the form |
| `writing` | `to_json`: a tree as a document |
| `reading` | `from_json` and `read_tree`: a tree from a document, or what is wrong with it |
| `questions`, `answers` | the two halves of a node, each written and read in one place |
| `strict` | values of JSON that are what they ought to be |
"""

from reference_tree.tree_document.form import FORMAT, STOPS
from reference_tree.tree_document.questions import question_json, when
from reference_tree.tree_document.reading import from_json, read_tree
from reference_tree.tree_document.writing import to_json

__all__ = ["FORMAT", "STOPS", "from_json", "question_json", "read_tree", "to_json", "when"]
