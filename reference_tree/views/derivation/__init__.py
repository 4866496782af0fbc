"""The derivation: how a tree was decided, and how it was pruned, with the figures put into the formulas.

| module | holds |
| --- | --- |
| `explain` | the whole explanation of a tree |
| `nodes` | the derivation of one node after another |
| `formulas` | the formulas that lead to each score |
| `remarks` | the sentences: who may not compete, who wins, why a leaf is one |
| `prunings` | the decisions of a pruning, by `cost_pruning` and `error_pruning` |
| `prediction`, `ensembles` | the way of a row down a tree; the rounds and votes of an ensemble |
| `blocks` | what all of these are made of |
| `writers` | the ways of writing blocks: text, Markdown, HTML |
| `notation` | numbers and formulas, for both |
"""
