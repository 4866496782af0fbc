"""Checking: a program's answers are compared with the goldens, decision by decision; ties are allowed for.

| module | holds |
| --- | --- |
| `check` | the check of all cases, its outcome, and the file of answers |
| `kinds` | the judgement of each kind of case; predictions, prunings and draws, member by member |
| `walking` | the comparison of an answered tree with the learner, node by node |
| `nodes` | decisions and trees of an answer, put together |
| `questions` | the candidate that a test of an answer means |
| `quantities` | numbers, however they are written, and how far they are off |
| `mistakes` | mistakes and their places |
"""
