"""Dialects: what programs do differently from the books, as rules that replace a rule of the book."""

from reference_tree.dialects import c45_programs, cart_programs, xgboost

__all__ = ["c45_programs", "cart_programs", "xgboost"]
