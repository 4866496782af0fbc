"""Readers of foreign trees: what other programs write, as tree documents.

| module | reads |
| --- | --- |
| `scikit_learn` | fitted trees and forests, by what their objects hold |
| `documents` | (what all readers share) |
"""
