"""The readers of the package: what a program wrote, read, answers rows as the program does."""
