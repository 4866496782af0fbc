"""Measures: the impurity of a sample, and how much a question reduces it."""
