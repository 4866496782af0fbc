"""Selection: rows that a tree has not seen, and the choice of its options by them."""
