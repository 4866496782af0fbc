"""Data: the only way in, from a file to the sample partition."""
