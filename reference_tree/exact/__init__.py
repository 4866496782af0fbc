"""Exact numbers: compared without rounding, rounded once when printed."""
