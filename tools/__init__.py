"""The workshop: what guards the form of the project, measures it, and records what others rely on.

`tests/` tests the product; docs/workshop.md lists the commands.
"""
