"""scikit-learn: its objects and prints as they are read, its draws and its numbers."""
