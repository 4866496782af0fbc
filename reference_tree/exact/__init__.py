"""Exact numbers: compared without rounding, and rounded only once, when printed."""
