"""Spark MLlib: the nodes of its saved models as they are read."""
