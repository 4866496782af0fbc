"""LightGBM: its models and dumps as they are read."""
