"""Mutation: which small changes of the code no test notices. Not run with the tests; see CONTRIBUTING.md."""
