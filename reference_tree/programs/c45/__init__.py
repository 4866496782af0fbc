"""C4.5, Quinlan's program: its prints as they are read, its rules, and those of Weka's J48, which follows it."""
