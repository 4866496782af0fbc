"""Linear tests: all ways to divide points by a hyperplane, and how one of them is searched for."""
