"""Pruning: what is taken back from a tree that has grown too far."""
