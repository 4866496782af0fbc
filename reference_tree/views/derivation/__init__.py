"""The derivation: how a tree was decided and pruned, with the figures inserted into the formulas.

The formulas that decide are evaluated on worked numbers, so a derivation shows the computation itself.

| module | holds |
| --- | --- |
| `explain` | the whole explanation of a tree, a decision or a discretization |
| `nodes` | the derivation of one node after another, as the learner counts it (`worked_nodes`) |
| `formulas` | the formulas that lead to each score |
| `remarks` | the sentences: which candidates may not compete, which wins, why a leaf is one |
| `prunings` | the decisions of a pruning, by `cost_pruning`, `validation_pruning` and `error_pruning` |
| `prediction` | the path of a row down a tree |
| `ensembles` | one tree of an ensemble, the rows and the result of a round of boosting, the votes of all trees |
| `blocks` | the building blocks of all of these |
| `writers` | the ways of writing blocks: text, and pages in Markdown or HTML |
| `numerals`, `notation` | numbers and formulas, as text and in TeX |
"""
