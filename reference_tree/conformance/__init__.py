"""Conformance: test vectors for other implementations, written by the program that is read."""
