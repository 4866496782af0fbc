#!/usr/bin/env bash
# rpart 4.1.19: with `minbucket = 0` a tree of numbers is often not split at all, while `minbucket = 1` splits it.
#
# With 0, rpart also tries the branch that gets no rows. The sum of its deviations is 0 but for rounding, and is divided
# by its weight of 0. An infinite improvement becomes the scale by which all others are found too small (`bsplit.c`:
# `improve > iscale * 1e-10`), so that no split is left. Classes are compared by shares, and are split.
#
# Needs R with rpart, which many systems bring along with R.
# Exits with 1 if that is no longer so, and with 2 if there is no R, or no rpart.
set -eu
command -v Rscript >/dev/null || { echo "NOT SHOWN: there is no R here"; exit 2; }
Rscript --vanilla -e 'if (!requireNamespace("rpart", quietly = TRUE)) quit(status = 2)' ||
    { echo "NOT SHOWN: R has no rpart here"; exit 2; }
Rscript --vanilla - <<'R'
library(rpart)
rows <- data.frame(x = factor(c("a", "d")), y = c(0.1, 0.5))
nodes <- function(minbucket) {
  control <- rpart.control(cp = 0, minsplit = 2, minbucket = minbucket, xval = 0)
  nrow(rpart(y ~ x, rows, method = "anova", control = control)$frame)
}
cat("rpart", format(packageVersion("rpart")), "\n")
cat("minbucket = 0:", nodes(0), "node\nminbucket = 1:", nodes(1), "nodes\n")
quit(status = !(nodes(0) == 1 && nodes(1) == 3))
R
