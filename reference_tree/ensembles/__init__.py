"""Ensembles: several trees that answer together."""
