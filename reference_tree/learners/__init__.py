"""Learners: a learner is one pure decision, and growing a tree is a short loop over it."""
