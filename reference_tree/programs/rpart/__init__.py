"""rpart, R's program for CART: its tables and prints as they are read, and its rules."""
