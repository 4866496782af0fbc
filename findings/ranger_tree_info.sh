#!/usr/bin/env bash
# ranger 0.14.1: treeInfo names the classes at the leaves wrongly where the rows do not begin with the first class.
#
# The flowers of iris from the last to the first: the tree of one split is right, and predict gives every setosa its class. treeInfo
# calls that leaf virginica. It takes the order in which the classes occur for the order of the levels. The probabilities of a forest with
# probability = TRUE have the right names.
#
# Needs R with ranger 0.14.1. Exits with 1 if that is no longer so, and with 2 if there is no R, or no ranger.
set -eu
command -v Rscript >/dev/null || { echo "NOT SHOWN: there is no R here"; exit 2; }
Rscript --vanilla -e 'if (!requireNamespace("ranger", quietly = TRUE)) quit(status = 2)' ||
    { echo "NOT SHOWN: R has no ranger here"; exit 2; }
Rscript --vanilla - <<'R'
library(ranger)
rows <- iris[150:1, ]
fit <- ranger(Species ~ Petal.Length, rows, num.trees = 1, max.depth = 1, replace = FALSE, sample.fraction = 1, seed = 1)
told <- treeInfo(fit, 1)
small <- rows[rows$Petal.Length <= told$splitval[1], ]
said <- unique(as.character(predict(fit, small)$predictions))
named <- as.character(told$prediction[told$nodeID == told$leftChild[1]])
cat("ranger", format(packageVersion("ranger")), "\n")
cat("petals of at most", told$splitval[1], "are predicted", said, "and treeInfo calls their leaf", named, "\n")
quit(status = !(said == "setosa" && all(small$Species == "setosa") && named == "virginica"))
R
