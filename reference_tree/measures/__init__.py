"""Measures: the impurity of a sample, and its decrease by a test."""
