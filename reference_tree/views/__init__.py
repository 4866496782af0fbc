"""Views: the presentation of a tree, of its decisions, and of its errors.

| folder | what it shows |
| --- | --- |
| `trees` | a tree: text, rules, Graphviz, Mermaid, a drawing in SVG |
| `derivation` | how a tree was decided and pruned, with the arithmetic: text for a terminal, or Markdown with TeX |
| `plots` | curves, and the regions of a tree in the plane, in SVG |

`wording` makes names safe for each output format, and describes in words the rows that reach a node.
"""
