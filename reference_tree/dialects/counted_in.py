"""Rows that do not answer, counted in: the scores of SimpleCart and scikit-learn for questions with missing answers.

The textbooks judge a question by the rows that answer it. Weka's SimpleCart divides the others over the branches
(`spread`); scikit-learn sends all of them to one branch, the one that makes the question better
(`better_side`).

| rule | scored by | a row without an answer |
|:--|:--|:--|
| `spread` | all rows, divided by shares | goes down every branch, by shares |
| `better-side` | all rows, the unknown ones on one side | takes the branch of that side |
"""

from __future__ import annotations

from reference_tree.data.questions import Missing
from reference_tree.data.sample import Partition
from reference_tree.exact.rationals import Rational
from reference_tree.learners.missing_rules import (
    MISSING,
    Choice,
    ChosenTest,
    MissingRule,
    Weight,
    by_shares,
    to_the_larger_branch,
)
from reference_tree.splitting.candidate import large_enough
from reference_tree.splitting.default_side import sent
from reference_tree.splitting.missing_values import branch_shares


def spread(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """Judge by all rows: those that do not answer are divided over the branches, by the shares of those that do.

    This is the rule of Weka's SimpleCart. A question that few rows answer looks worse, since the same mixture is added
    to all branches.
    """
    shares = branch_shares([[weight(row)] for row in table.rows])
    rows = (
        tuple(cell + share * lost for cell, lost in zip(row, table.unknown, strict=True))
        for row, share in zip(table.rows, shares, strict=True)
    )
    return Partition(table.outcomes, tuple(rows), (0,) * len(table.unknown))


def better_side(table: Partition, choose: Choice, weight: Weight, minimum: Rational) -> Partition:
    """Judge by all rows: those that do not answer all take the branch that makes it better; on a tie, the last.

    A branch for which a side is too small is no choice; if there is no other, the question is barred. This is the rule
    of scikit-learn. It also tries to separate the rows that answer from those that do not, which is no question here.
    """
    joined = [sent(table, branch) for branch in reversed(range(len(table.rows)))]
    fit = [table for table in joined if large_enough(map(weight, table.rows), minimum)]
    return choose(fit) if fit else joined[0]


def to_the_better_side(chosen: ChosenTest) -> Missing:
    """To the branch for which the question was judged; if all rows answer, to the branch of most weight."""
    gained = [counted != known for counted, known in zip(chosen.counted.rows, chosen.table.rows, strict=True)]
    return Missing(to=gained.index(True)) if any(gained) else to_the_larger_branch(chosen)


MISSING |= {
    "spread": MissingRule(spread, by_shares),
    "better-side": MissingRule(better_side, to_the_better_side),
}
