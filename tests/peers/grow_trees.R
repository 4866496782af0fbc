# Grows trees with rpart and writes what its objects hold, with every digit.
#
# Each line of the standard input is a job, its parts separated by tabs: a file, the kinds of its columns (0: numbers,
# k: the numbers 0 to k - 1 of k categories; the target comes last), and the arguments of rpart. Each line of the
# standard output is a tree in JSON. It lists the rows of the object's `frame`, which is in preorder:
#
#   id          rpart's number of the node; its children are 2 id and 2 id + 1
#   n, dev, yval, counts (of each class; empty in regression)
#   splits      the primary split and then its surrogates; a leaf has none. Each has the number of its variable, and
#               either `point`, with `below` saying on which side (-1 left, 1 right) smaller numbers go, or the `sides`
#               of the categories (0: there was none); and, a surrogate, its agreement
#
# and the node at which each row of the file comes to rest; 0 for a row that rpart leaves out because nothing of it is
# known.
suppressPackageStartupMessages(library(rpart))

numbers <- function(values) paste0("[", paste(sprintf("%.17g", values), collapse = ", "), "]")

split_json <- function(fit, row) {
  split <- fit$splits[row, ]
  variable <- as.integer(sub("V", "", rownames(fit$splits)[row])) - 1L
  where <- if (abs(split["ncat"]) < 2) {
    sprintf('"point": %.17g, "below": %d', split["index"], as.integer(split["ncat"]))
  } else {
    sprintf('"sides": %s', numbers(fit$csplit[split["index"], seq_len(split["ncat"])] - 2))
  }
  sprintf('{"variable": %d, %s, "agreement": %.17g}', variable, where, split["improve"])
}

node_json <- function(fit, row, first) {
  frame <- fit$frame[row, ]
  leaf <- frame$var == "<leaf>"
  rows <- if (leaf) integer() else c(first, first + frame$ncompete + seq_len(frame$nsurrogate))
  splits <- vapply(rows, function(row) split_json(fit, row), "")
  classes <- length(attr(fit, "ylevels"))
  counts <- if (classes) frame$yval2[1, 1 + seq_len(classes)] else numeric()
  sprintf(
    '{"id": %s, "n": %.17g, "dev": %.17g, "yval": %.17g, "counts": %s, "splits": [%s]}',
    rownames(frame), frame$wt, frame$dev, frame$yval, numbers(counts), paste(splits, collapse = ", ")
  )
}

tree_json <- function(fit, rows) {
  frame <- fit$frame
  asked <- ifelse(frame$var == "<leaf>", 0, 1 + frame$ncompete + frame$nsurrogate)
  first <- 1 + cumsum(c(0, asked))
  nodes <- vapply(seq_len(nrow(frame)), function(row) node_json(fit, row, first[row]), "")
  rest <- rep(0, rows)
  rest[as.integer(names(fit$where))] <- as.numeric(rownames(frame))[fit$where]
  sprintf(
    '{"version": "%s", "R": "%s", "nodes": [%s], "rest": %s}',
    packageVersion("rpart"), getRversion(), paste(nodes, collapse = ", "), numbers(rest)
  )
}

grow <- function(job) {
  parts <- strsplit(job, "\t", fixed = TRUE)[[1]]
  table <- read.csv(parts[1], header = FALSE, na.strings = "?", colClasses = "numeric")
  kinds <- as.integer(strsplit(parts[2], ",", fixed = TRUE)[[1]])
  for (column in which(kinds > 0)) {
    table[[column]] <- factor(table[[column]], levels = seq_len(kinds[column]) - 1)
  }
  target <- names(table)[length(table)]
  arguments <- eval(parse(text = sprintf("list(%s)", parts[3])))
  tree_json(do.call(rpart, c(list(as.formula(paste(target, "~ .")), data = table), arguments)), nrow(table))
}

input <- file("stdin")
for (job in readLines(input)) writeLines(grow(job))
close(input)
