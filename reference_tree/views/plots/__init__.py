"""Plots: curves and planes as standalone drawings in SVG."""
