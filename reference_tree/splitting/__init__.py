"""Splitting: the tests among which a node can choose."""
