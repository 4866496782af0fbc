"""What the source documents contain, and what in the package answers to it."""
