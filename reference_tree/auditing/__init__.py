"""Auditing: whether any tree is one that a learner could have grown from its data, node by node.

| module | holds |
| --- | --- |
| `audit` | `audit`: what was found in a tree, or in those of an ensemble |
| `claims` | what a tree says that it was grown by, and from |
| `walk` | the walk down a tree, node by node |
| `finding` | everything that may be found at a node, in one table; faults and regrets |
| `stated` | what is stated of a node, in one record, and how near its numbers have to be |
| `excuses` | why a node is no fault although its learner would not make it |
| `judging` | the one judge: a node held against what the learner decides |
| `known_or_missing` | the questions of scikit-learn whether a row has a value at all |
| `parting` | whether two questions divide the rows alike |
| `order` | which leaf should have been split first, under a cap on leaves |
| `surrogates` | whether the surrogates of a node are those that its learner would list |
| `mending` | the rows that a node says its branches have |
| `rounded` | the rows as they are given, and as a program saw them |
| `boosting` | boosted trees of other programs, whose derivatives are enclosed |
| `boosted_nodes` | the nodes of one such tree |
| `boosters` | the parameters of a boosting program |
| `program_derivatives` | what such a program had: margins and derivatives, enclosed |
| `reducing` | the smallest rows on which a tree is wrong |
| `report` | findings for a person, and for programs |
"""

from reference_tree.auditing.audit import Audit, audit
from reference_tree.auditing.finding import VERDICTS, Fault, Finding, Regret
from reference_tree.auditing.parting import parts_like
from reference_tree.auditing.reducing import Reduced, reduce

__all__ = ["VERDICTS", "Audit", "Fault", "Finding", "Reduced", "Regret", "audit", "parts_like", "reduce"]
