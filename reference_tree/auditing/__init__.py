"""Auditing: whether any tree is one that a learner could have grown from its data, node by node.

| module | holds |
| --- | --- |
| `audit` | `audit`: what was found in a tree, or in those of an ensemble |
| `claims` | what a tree says that it was grown by, and from |
| `walk` | the walk down a tree, node by node |
| `finding` | everything that may be found at a node, in one table; faults and regrets |
| `stated` | what is stated of a node, in one record, and how near its numbers have to be |
| `excuses` | why a node is no fault although its learner would not make it |
| `hypotheses` | what a program leaves out about its training, inferred and supposed |
| `explaining` | the search for hypotheses under which every node is right |
| `repruning` | a tree compared with what pruning leaves of the tree that is grown anew |
| `matching` | names and classes in another form than those of the table |
| `judge` | the one judge of a node |
| `judging` | it asks a learner, which decides exactly |
| `parting` | whether two tests divide the rows alike, and the rows that a node says its branches have |
| `order` | which leaf should have been split first, under a cap on leaves |
| `surrogates` | whether the surrogates of a node are those that its learner would list |
| `rounded` | the rows as they are given, and as a program saw them |
| `printed_thresholds` | the thresholds that a program may have had where it printed others |
| `adaboost` | the weights that rows had in the rounds of AdaBoost |
| `boosting` | boosted trees of other programs, whose derivatives are enclosed |
| `boosted_judging` | the judge of a node of such a tree: it asks the bounds of its derivatives |
| `boosted_trees` | the walk down such a tree |
| `boosted_nodes` | what follows for its tests from these bounds |
| `program_derivatives` | what such a program had: margins and derivatives, enclosed |
| `reducing` | the smallest rows on which a tree is wrong |
| `report` | findings for a person, and for programs |

What is true of one program alone stands in its folder, and is asked by `reference_tree.programs.practices`.
"""

from reference_tree.auditing.audit import Audit, audit
from reference_tree.auditing.finding import VERDICTS, Fault, Finding, Regret
from reference_tree.auditing.parting import parts_like
from reference_tree.auditing.reducing import Reduced, reduce

__all__ = ["VERDICTS", "Audit", "Fault", "Finding", "Reduced", "Regret", "audit", "parts_like", "reduce"]
