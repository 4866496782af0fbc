"""Stopping rules: the reasons for a node to be a leaf, each with its record."""
