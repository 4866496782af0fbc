"""Selection: rows that a tree has not seen, and what they say about the options it was grown under."""
