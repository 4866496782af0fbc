"""Checking: a program's answers held against the goldens, tie-aware, decision by decision.

| module | holds |
| --- | --- |
| `check` | the check of all cases, and its outcome |
| `answers` | the file of answers |
| `kinds` | what is judged in each kind of case |
| `walking` | an answered tree beside the learner, node by node |
| `nodes` | decisions and trees of an answer, put together |
| `questions` | which candidate a question of an answer is |
| `members` | predictions, prunings and draws, member by member |
| `quantities` | numbers, however they are written, and how far they are off |
| `mistakes` | what is wrong, and where |
"""
