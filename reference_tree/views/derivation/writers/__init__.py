"""The writers of a derivation: each turns the same blocks into lines.

| module | writes |
| --- | --- |
| `text` | text for a terminal |
| `markdown`, `html` | pages, with equations and tables from `typeset`, and formulas for browsers from `mathml` |
"""
