"""Splitting: the questions that a node can choose among."""
