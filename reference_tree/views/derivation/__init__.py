"""The derivation: the decisions and the pruning of a tree, with the figures put into the formulas.

| module | holds |
| --- | --- |
| `explain` | the whole explanation of a tree, or of a decision |
| `nodes` | the derivation of one node after another, as the learner counts it (`worked_nodes`) |
| `formulas` | the formulas that lead to each score |
| `remarks` | the sentences: which candidates are barred, which one wins, why a node is a leaf |
| `prunings` | the decisions of a pruning, by `cost_pruning`, `validation_pruning` and `error_pruning` |
| `prediction` | the path of a row down a tree |
| `ensembles` | one tree of an ensemble, and the votes of all; `boosting`: the rounds of boosting |
| `blocks` | the blocks of all of these |
| `writers` | the writers of blocks: text, and pages in Markdown or HTML |
| `numerals`, `notation` | numbers and formulas, as text and in TeX |
"""
