# Grows trees with rpart, and writes each as the lines on the page of foreign trees do, and what it answers beside it.
# Arguments: the file with these lines, a folder with the rows, the options of rpart, and the names of the tables.
arguments <- commandArgs(trailingOnly = TRUE)
source(arguments[1])
library(rpart)
for (name in arguments[-(1:3)]) {
  at <- file.path(arguments[2], name)
  rows <- read.table(paste0(at, ".tsv"), sep = "\t", header = TRUE, na.strings = "?", check.names = FALSE,
                     quote = "", comment.char = "", colClasses = "character")
  levels <- readLines(paste0(at, ".levels"))
  for (i in seq_along(levels)) {
    rows[[i]] <- if (nzchar(levels[i])) factor(rows[[i]], strsplit(levels[i], "\t")[[1]]) else as.numeric(rows[[i]])
  }
  target <- names(rows)[length(rows)]
  options <- eval(parse(text = sprintf("list(%s)", arguments[3])))
  fit <- do.call(rpart, c(list(as.formula(paste0("`", target, "` ~ .")), rows), options))
  write_rpart(fit, paste0(at, ".rpart"))
  classes <- fit$method == "class"
  said <- if (classes) as.character(predict(fit, rows, type = "class")) else sprintf("%.17g", predict(fit, rows))
  writeLines(said, paste0(at, ".answers"))
}
cat(format(packageVersion("rpart")), "on R", format(getRversion()), "\n")
