"""Data: the single path from a file to the sample partition."""
