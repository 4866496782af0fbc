"""The report: what an audit finds in the trees of other programs, as they are installed here.

`python -m tools.report` runs every program that is installed on public tables, audits each tree by the profile that is
its dialect, with the command that anyone would use, and writes `docs/conformance/report.md`. The trees and the rows
stay in `build/report`, where the commands on the page find them.

| module | holds |
| --- | --- |
| `runs` | a tree, its rows, and the command that audits it |
| `programs` | who grows which trees |
| `peers` | learners written in Python alone |
| `boosters` | XGBoost and LightGBM |
| `page` | the page |
"""
