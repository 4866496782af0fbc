"""Dialects: the differences between programs and the textbooks, as rules that replace a rule of the textbook."""

from reference_tree.dialects import c45_programs, cart_programs, xgboost

__all__ = ["c45_programs", "cart_programs", "xgboost"]
