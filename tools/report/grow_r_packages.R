# Grows trees with packages of R, and writes what their objects hold.
#
# Each line of the standard input is a job, its parts separated by tabs: a package, a file, and the kinds of its columns,
# as those of tests/peers/grow_trees.R. The output is `# VERSION` for each job, and then its tree: of tree, the rows of
# `frame` (node, variable, cuts, class); of C50, its own text. What they are told stands in `learners`.
learners <- list(
  tree = function(formula, d, criterion) {
    fit <- tree::tree(formula, d, split = criterion,
      control = tree::tree.control(nrow(d), mincut = 1, minsize = 2, mindev = 0))
    f <- fit$frame
    paste(rownames(f), f$var, f$splits[, 1], f$splits[, 2], f$yval, sep = "\t")
  },
  C50 = function(formula, d, criterion) {
    control <- C50::C5.0Control(subset = FALSE, noGlobalPruning = TRUE, CF = 1, minCases = 2)
    strsplit(C50::C5.0(formula, d, control = control)$tree, "\n")[[1]]
  }
)

input <- file("stdin")
for (job in readLines(input)) {
  parts <- strsplit(job, "\t", fixed = TRUE)[[1]]
  d <- read.csv(parts[2], header = FALSE, na.strings = "?", colClasses = "numeric")
  kinds <- as.integer(strsplit(parts[3], ",", fixed = TRUE)[[1]])
  for (column in which(kinds > 0)) d[[column]] <- factor(d[[column]], levels = seq_len(kinds[column]) - 1)
  formula <- as.formula(paste(names(d)[length(d)], "~ ."))
  cat("#", format(packageVersion(parts[1])), "on R", format(getRversion()), "\n")
  cat(learners[[parts[1]]](formula, d, parts[4]), sep = "\n")
}
close(input)
