"""Ensembles: several trees whose predictions are combined."""
