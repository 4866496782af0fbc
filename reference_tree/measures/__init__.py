"""Measures: how mixed a sample is, and how much a question would unmix it."""
