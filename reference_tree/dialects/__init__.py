"""Dialects: the differences of programs from the books, as rules that replace those of the books."""

from reference_tree.dialects import c45_programs, cart_programs, xgboost

__all__ = ["c45_programs", "cart_programs", "xgboost"]
