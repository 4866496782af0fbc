"""Selection: rows that a tree has not seen, and the choice of options by its errors on them."""
