"""Splitting: the questions among which a node can choose."""
