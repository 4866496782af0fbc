"""Linear tests: all divisions of points by a hyperplane, and the searches for a good one."""
