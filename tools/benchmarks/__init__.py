"""Benchmarks: how long trees take to grow, here and elsewhere. Not run with the tests."""
