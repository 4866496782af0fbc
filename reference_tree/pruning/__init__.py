"""Pruning: methods that cut back a tree that has grown too far."""
