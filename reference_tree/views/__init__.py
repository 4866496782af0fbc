"""Views: what people see of a tree, of its decisions, and of its errors.

| folder | what it shows |
| --- | --- |
| `trees` | a tree: text, rules, Graphviz, Mermaid, a drawing in SVG |
| `derivation` | how a tree was decided and pruned, with the arithmetic: text for a terminal, or Markdown with TeX |
| `plots` | curves, and the regions of a tree in the plane, in SVG |

`names` makes names safe for where they stand, and `figures` says in words what reaches a node.
"""
