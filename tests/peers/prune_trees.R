# Grows trees with rpart and writes the table of their prunings, `cptable`, with every digit.
#
# Jobs come as for grow_trees.R: each line of the standard input is a file, the kinds of its columns and the arguments of
# rpart, separated by tabs. Each line of the standard output is JSON: the version, and the rows of the table, of the
# smallest tree first, each as its `CP`, `nsplit`, `rel error` and, where there are folds (`xval`), `xerror` and `xstd`.
suppressPackageStartupMessages(library(rpart))

prune <- function(job) {
  parts <- strsplit(job, "\t", fixed = TRUE)[[1]]
  table <- read.csv(parts[1], header = FALSE, na.strings = "?", colClasses = "numeric")
  kinds <- as.integer(strsplit(parts[2], ",", fixed = TRUE)[[1]])
  for (column in which(kinds > 0)) {
    table[[column]] <- factor(table[[column]], levels = seq_len(kinds[column]) - 1)
  }
  target <- names(table)[length(table)]
  arguments <- eval(parse(text = sprintf("list(%s)", parts[3])))
  fit <- do.call(rpart, c(list(as.formula(paste(target, "~ .")), data = table), arguments))
  rows <- apply(fit$cptable, 1, function(row) sprintf("[%s]", paste(sprintf("%.17g", row), collapse = ", ")))
  sprintf('{"version": "%s", "R": "%s", "rows": [%s]}', packageVersion("rpart"), getRversion(), paste(rows, collapse = ", "))
}

input <- file("stdin")
for (job in readLines(input)) writeLines(prune(job))
close(input)
