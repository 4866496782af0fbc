"""R: rpart, of Debian's package `r-cran-rpart`, and randomForest. Each run is an expression of R that is TRUE.

`full` is a tree of which nothing is held back: nodes of two rows are split, and nothing is pruned. All expressions are
worked out by one process.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache, partial

from tests.peers.seen.record import RELEASES, says

BEFORE = r"""
library(rpart)
C <- function(...) rpart.control(minsplit = 2, minbucket = 1, cp = -1, xval = 0, ...)
full <- function(f, d, ...) rpart(f, d, control = C(), ...)
cut <- function(...) full(...)$splits[1, "index"]
rows <- function(...) full(...)$frame$n
near <- function(x, y) isTRUE(all.equal(as.numeric(x), as.numeric(y)))
ab <- function(a, b) factor(rep(c("a", "b"), c(a, b)))
ten <- data.frame(x = 1:10, y = ab(5, 5))
xor <- data.frame(a = c(0, 0, 1, 1), b = c(0, 1, 0, 1), y = factor(c("n", "y", "y", "n")))
"""
RUNS: dict[str, str] = {}
"""The expressions: name → code."""


@cache
def _found() -> dict[str, str]:
    """What each expression is, or the error."""
    asked = "".join(f'cat(tryCatch({{ {code} }}, error = conditionMessage), "\\f")\n' for code in RUNS.values())
    command = ["Rscript", "--vanilla", "-"]
    run = subprocess.run(command, input=BEFORE + asked, capture_output=True, check=True, encoding="utf-8")
    return dict(zip(RUNS, (part.strip() for part in run.stdout.split("\f")), strict=False))


def _is_true(name: str) -> bool:
    return _found()[name] == "TRUE"


def _in_r(program: str, name: str, code: str, *sentences: str) -> None:
    RUNS[name] = code
    says(program, *sentences, run=name)(partial(_is_true, name))


def _installed(name: str) -> Callable[[], str | None]:
    @cache
    def found() -> str | None:
        if not shutil.which("Rscript"):
            return None
        code = f'cat(suppressWarnings(packageDescription("{name}")$Version))'
        return (
            subprocess.run(["Rscript", "-e", code], capture_output=True, encoding="utf-8", check=False).stdout or None
        )

    return found


RELEASES["rpart"] = _installed("rpart")
RELEASES["R's randomForest"] = _installed("randomForest")
_rpart, _random_forest = partial(_in_r, "rpart"), partial(_in_r, "R's randomForest")

# What rpart grows.

_rpart(
    "the entropy of a pure branch is 0, and natural",
    'near(full(y ~ x, ten, parms = list(split = "information"))$splits[1, "improve"], 10 * log(2))',
    "decisions: | rpart | 0, tested for |",
    'measures/entropy_more: asked for with `split = "information"`; the default is Gini',
)
_rpart(
    "Gini is the default",
    'near(full(y ~ x, ten)$splits[1, "improve"], 5) && full(y ~ x, ten)$parms$split == 1',
    "decisions: | rpart | Gini, or information; the sum of squares for numbers |",
)
_rpart(
    "the order is that of the levels",
    'd <- data.frame(x = factor(c("b", "a", "B")), y = 1:3); '
    'identical(attr(full(y ~ x, d), "xlevels")$x, sort(unique(c("b", "a", "B"))))',
    "decisions: | rpart | the levels of an R factor, which `factor()` sorts by the rules of the locale |",
)
_rpart(
    "of equals the first attribute and the lowest threshold",
    'd <- data.frame(b = 1:4, a = 1:4, y = ab(2, 2)); e <- data.frame(x = 1:5, y = factor(c("a", "b", "b", "b", '
    '"a"))); '
    'rownames(full(y ~ ., d)$splits)[1] == "b" && cut(y ~ x, e) == 1.5',
    "decisions: | rpart | first attribute, lowest threshold; an improvement below 10⁻¹⁰ of the largest is dropped |",
    "learners/cart_more: | rpart | midpoints, $<$ | first attribute, lowest cut |",
)
_rpart(
    "an improvement below 10⁻¹⁰ of the largest is dropped",
    'd <- data.frame(x = 1:40, y = factor(rep(c("a", "b", "c"), c(10, 10, 20)))); '
    "leaves <- function(v) { d$w <- rep(c(1, v, 1), c(10, 10, 20)); "
    "eval(substitute(nrow(rpart(y ~ x, d, weights = w, control = C())$frame))) }; leaves(1e-13) == 3 && leaves(1e-8) "
    "== 5",
    "decisions: an improvement below 10⁻¹⁰ of the largest is dropped",
)
_rpart(
    "of equal classes the first level",
    'd <- data.frame(x = 1, y = factor(c("q", "p"), levels = c("q", "p"))); full(y ~ x, d)$frame$yval == 1',
    "decisions: | rpart | the first level |",
)
_rpart(
    "7 rows in a branch, 20 in a node that is split",
    "n <- function(a, b) rpart(y ~ x, data.frame(x = seq_len(a + b), y = ab(a, b)))$frame$n; "
    "identical(n(7, 13), c(20L, 7L, 13L)) && identical(n(7, 12), 19L) && n(6, 14)[2] == 7",
    "decisions: | `stop.min-samples-split`{#stop.min-samples-split} |",
    "decisions: | `stop.min-samples-leaf`{#stop.min-samples-leaf} |",
    "decisions: | rpart | both branches have at least 7 rows |",
    "decisions: | rpart | the root has depth 0; a leaf below `minsplit` = 20 |",
    "learners/cart_more: | stops | 20 to split, 7 in a branch |",
)
_rpart(
    "the root has depth 0",
    "nrow(rpart(y ~ x, ten, control = C(maxdepth = 1))$frame) == 3",
    "decisions: | `stop.max-depth`{#stop.max-depth} |",
    "decisions: | rpart | the root has depth 0;",
)
_rpart(
    "the middle, and below it",
    'cut(y ~ x, ten) == 5.5 && predict(full(y ~ x, ten), data.frame(x = 5.5), type = "class") == "b"',
    "decisions: | rpart | midpoint, `<` |",
    "foreign: | rpart | double | `<` | which categories of a question no row had |",
)
_rpart(
    "64-bit floats",
    "nrow(full(y ~ x, data.frame(x = c(1, 1 + 2^-40), y = c(0, 1)))$frame) == 3",
    "decisions: | J48, rpart | 64-bit floats |",
    "measures/entropy_more: | rpart | natural | 64-bit floats |",
    "measures/variance_more: rpart and scikit-learn divide by $n$, as this page does, and add up in 64-bit floats.",
)
_rpart(
    "sets of categories",
    'd <- data.frame(x = factor(rep(c("r", "g", "b"), each = 5)), y = factor(rep(c("n", "y", "n"), each = 5))); '
    "nrow(full(y ~ x, d)$frame) == 3 && full(y ~ x, d)$csplit[1, 1] == full(y ~ x, d)$csplit[1, 3]",
    "learners/cart_more: | `subset` | $2^{q-1} - 1$ | Breiman et al., rpart, SimpleCart |",
    "decisions: | rpart | subsets and thresholds |",
    "learners/id3_more: scikit-learn and rpart have no ID3: all their questions have two answers.",
    "splitting/one_hot_encoding: | CART, rpart | no: [subsets](binary_subsets.md) of the values |",
    "splitting/multiway: used by rpart, scikit-learn and XGBoost.",
)
_rpart(
    "an attribute is asked again",
    'd <- data.frame(x = 1:6, y = factor(c("a", "a", "b", "b", "a", "a"))); '
    'identical(full(y ~ x, d)$frame$var == "x", c(TRUE, FALSE, TRUE, FALSE, FALSE)) && all(rows(y ~ x, d) > 0)',
    "decisions: | rpart, scikit-learn, XGBoost | again: their questions have two answers |",
    "decisions: | rpart, scikit-learn, XGBoost | make no empty branches |",
)
_rpart(
    "what gains nothing is not asked",
    "nrow(full(y ~ ., xor)$frame) == 1",
    "decisions: | J48, Id3, rpart | do not |",
    "decisions: | `stop.zero-gain`{#stop.zero-gain} |",
    "dialects/cart_programs: rpart stops (`zero_gain`",
    "decisions: | C4.5, J48, rpart, scikit-learn, XGBoost | a greedy search alone |",
    "pruning/pre_pruning_more: none of them asks a validation set while it grows",
)
_rpart(
    "a row without a class is left out",
    'd <- data.frame(x = 1:6, y = factor(c("a", "a", NA, "b", "b", "b"))); rows(y ~ x, d)[1] == 5',
    "decisions: | J48, Id3, rpart | left out |",
)
_rpart(
    "a row of which only the target is known is left out",
    "d <- data.frame(x = c(1:6, NA), y = ab(3, 4)); rows(y ~ x, d)[1] == 6",
    "dialects/cart_programs: rpart leaves out rows in which all values but the target are missing",
)
_rpart(
    "the column decides between classes and numbers",
    'full(y ~ x, ten)$method == "class" && full(y ~ x, data.frame(x = 1:4, y = 1:4))$method == "anova"',
    "decisions: | rpart | follows the column: a factor is classified, numbers are fitted |",
)
_rpart(
    "the squared error is divided by n",
    "f <- full(y ~ x, data.frame(x = 1:4, y = c(0, 0, 2, 2))); "
    'f$frame$dev[1] == 4 && any(grepl("mean=1, MSE=1", capture.output(summary(f))))',
    "decisions: | rpart, scikit-learn | squared error, that is $n$ |",
    "learners/cart_more: CART divides by $n$, and so do rpart and scikit-learn",
)
_rpart(
    "a minimum bars cuts of the order, and no other set is tried",
    # In the order of the shares both cuts leave a branch of one row; {p, r} against {q} gains, and has two.
    "d <- data.frame(x = factor(rep(c('p', 'q', 'r'), c(1, 8, 1)))); "
    "d$y <- factor(c('a', rep(c('a', 'b'), c(5, 3)), 'b')); "
    "nodes <- function(least) nrow(rpart(y ~ x, d, control = rpart.control(2, least, -1, xval = 0))$frame); "
    "nodes(2) == 1 && nodes(1) > 1",
    "dialects/cart_programs: rpart and SimpleCart do not look for it",
    "splitting/ordered_subsets: rpart and SimpleCart take the short cut also where a minimum bars some cuts of the",
)
_rpart(
    "one bound gives the other",
    "rpart.control(minbucket = 5)$minsplit == 15 && rpart.control(minsplit = 10)$minbucket == round(10 / 3)",
    "auditing: - **rpart links its bounds.**",
)
_rpart(
    "rows are counted, whatever they weigh",
    "w <- rep(0.1, 10); nrow(rpart(y ~ x, ten, weights = w, control = rpart.control(10, 5, -1, xval = 0))$frame) == 3",
    "auditing: The least numbers of rows of scikit-learn and rpart count rows whatever they weigh",
)

# Missing values.

GAP = "g <- data.frame(x = c(1:10, NA), z = rep(5, 11), y = ab(4, 7)); "
"""Of the last row nothing is known that says where it goes, and more rows go right."""

_rpart(
    "a surrogate says where a row goes",
    "g <- data.frame(x = c(1:10, NA), z = c(1:10, 1), y = ab(4, 7)); f <- full(y ~ x + z, g); "
    'rownames(f$splits)[f$splits[, "adj"] > 0][1] == "z" && f$frame$n[2] == 5',
    "decisions: | rpart | sends the row where a surrogate split does, else with the majority |",
    "decisions: | rpart | surrogates; with `usesurrogate=0` the row stays at the node |",
    "splitting/missing_values_more: | rpart | by the known rows | where a surrogate split sends it, else with the",
)
_rpart(
    "without a surrogate a row goes with the majority, or stays",
    GAP + "at <- function(use) rpart(y ~ x + z, g, control = C(usesurrogate = use))$where[[11]]; "
    "at(2) == 3 && at(1) == 1 && at(0) == 1",
    "decisions: | rpart | surrogates, then the majority; without surrogates the row stays at that node |",
    "learners/cart_more: | surrogates, then the larger side |",
)
_rpart(
    "of equal sides neither is taken",
    "g <- data.frame(x = c(1:10, NA), z = rep(5, 11), y = ab(5, 6)); full(y ~ x + z, g)$where[[11]] == 1",
    "splitting/surrogates: the larger side; if both are equal, the row stays |",
)
_rpart(
    "a gap of the surrogate counts against it",
    'd <- data.frame(x = 1:10, z = c(1:4, NA, 6:10), y = ab(5, 5)); f <- full(y ~ ., d)$splits; near(f[3, "improve"], '
    "0.9)",
    "splitting/surrogates: rpart counts all rows that answer the first question",
    "splitting/surrogates: | all rows that answer the first | 5 |",
)
_rpart(
    "five surrogates, of which none is useless",
    "z <- data.frame(ten, b = 1:10, c = 1:10, d = 1:10, e = 1:10, f = 1:10, g = 1:10); "
    "f <- rpart(y ~ ., z, control = C(maxcompete = 0)); u <- full(y ~ ., data.frame(ten, z = rep(1:2, 5))); "
    'f$frame$nsurrogate[1] == 5 && all(u$splits[u$splits[, "count"] == 0, "adj"] > 0)',
    r"splitting/surrogates: | rpart | a threshold with at least two rows on either side; a set that errs at least",
)
_rpart(
    "a set without an error is no surrogate, and one with two is",
    "sets <- function(wrong) { z <- rep(c('p', 'q'), each = 10); z[seq_len(wrong)] <- 'q'; "
    "rpart(y ~ x + z, data.frame(x = 1:20, z = factor(z), y = ab(10, 10)), control = C())$frame$nsurrogate[1] }; "
    "sets(0) == 0 && sets(2) == 1",
    "splitting/surrogates: That rpart requires errors of a set of values was found by experiment",
)
_rpart(
    "a set does not answer for a value that it never met",
    "z <- factor(c(rep(c('p', 'q', 'p'), c(9, 9, 1)), 'q', 'r'), levels = c('p', 'q', 'r')); z[1] <- 'q'; "
    "d <- data.frame(x = c(1:20, NA), z = z, w = c(rep(1, 8), 3, 3, rep(3, 8), 1, 1, 1), y = ab(9, 12)); d$w[2] <- 3; "
    "f <- rpart(y ~ x + z + w, d, control = C(maxdepth = 1, maxcompete = 0)); "
    "identical(rownames(f$splits), c('x', 'z', 'w')) && f$where[[21]] == 2",
    "decisions: | rpart | of a set: the next surrogate is asked; of a threshold: the gap ends at the next value of",
    "splitting/surrogates: rpart treats it as missing, and asks the next surrogate.",
)
_rpart(
    "the gap of a surrogate ends at a value of any row",
    'd <- data.frame(x = c(1:6, NA), z = c(1, 2, 2, 6, 6, 7, 3), y = factor(c("n", "n", "n", "p", "p", "p", "n"))); '
    "f <- rpart(y ~ x + z, d, cost = c(1, 5), control = C(maxdepth = 1, maxcompete = 0)); near(f$splits[2, 'index'], "
    "2.5)",
    "decisions: rpart goes upwards through the values of all rows and keeps the first place of largest agreement",
)
_rpart(
    "of equally common sides a category goes right",
    # t is on both sides twice; which class comes first makes the other side the left one.
    'z <- factor(rep(c("p", "t", "q"), c(4, 4, 4)), levels = c("p", "q", "t")); '
    "right <- function(y) { d <- data.frame(x = 1:12, z = z, y = y); "
    "f <- rpart(y ~ x + z, d, control = C(maxdepth = 1, maxcompete = 0)); f$csplit[f$splits[2, 'index'], 3] }; "
    'right(ab(6, 6)) == 3 && right(factor(rep(c("b", "a"), each = 6))) == 3',
    "decisions: a category that is equally common in both goes with the branch that rpart calls right",
)

# What rpart prunes, and prints.

_rpart(
    "under priors a share is weighed by the prior over the rows of the class",
    "d <- data.frame(x = rep(1:2, c(4, 6)), y = factor(c('a', 'a', 'a', 'b', 'a', 'b', 'b', 'b', 'b', 'b'))); "
    "p <- predict(full(y ~ x, d, parms = list(prior = c(0.5, 0.5))), data.frame(x = 1))[1]; "
    "near(p, (3 / 4) / (3 / 4 + 1 / 6))",
    "decisions: | Breiman et al., rpart | the same |",
)

_rpart(
    "cp is a share of the risk of the root, and T counts splits",
    'd <- data.frame(x = 1:6, y = factor(c("a", "a", "b", "b", "b", "a"))); t <- full(y ~ x, d)$cptable; '
    'near(t[1:2, "CP"], c(2, 1) / 3) && near(t[1:3, "nsplit"], 0:2) && near(t[1:3, "rel error"], c(1, 1 / 3, 0))',
    r"decisions: | rpart | loss or squared error in units of the root's; \|T\| counts splits; one pass |",
    "decisions: | rpart, scikit-learn | cost-complexity, [another risk](#cost.R) |",
    "pruning/risks: | rpart | the loss, or the squared error, relative to the root's: `cp` |",
    "pruning/cost_function_more: | CART, rpart, scikit-learn | [cost-complexity](cost_complexity.md): other risks,",
    "pruning/reduced_error_more: | rpart, scikit-learn | do not have it; they prune by [cost and",
    "pruning/cost_complexity_more: rpart calls the price `cp`, measures risk relative to that of the root",
    "dialects/c45_programs: | CART, rpart, scikit-learn | no; cost-complexity pruning with α = 0 does the like |",
)
_rpart(
    "every growing yields the sequence, and cross-validates it in tenths",
    'f <- rpart(Species ~ ., iris); f$control$xval == 10 && all(c("CP", "xerror", "xstd") %in% colnames(f$cptable))',
    "pruning/choosing_alpha: rpart does all this with every tree it grows.",
    "pruning/one_pass: rpart finds all its prunings while it grows the tree",
    "selection/cross_validation_more: | rpart | ten (`xval`), unstratified unless the groups are given;",
)
_rpart(
    "one pass departs from the book",
    # Of 7 rows of a left behind 3 cuts, one is saved by the first two and three by the last.
    "set.seed(1); found <- FALSE; for (i in 1:300) { d <- data.frame(x = 1:30, y = factor(sample(c('a', 'b'), 30, "
    "TRUE))); "
    "f <- full(y ~ x, d); t <- f$cptable; n <- nrow(t) - 1; if (n < 2) next; "
    "errors <- t[, 'rel error']; splits <- t[, 'nsplit']; "
    "for (k in 2:n) { slope <- (errors[1] - errors[k]) / splits[k]; if (slope > t[1, 'CP'] + 1e-9) found <- TRUE } }; "
    "found",
    "decisions: rpart computes its complexities in one pass, and sometimes gets [another",
    "pruning/one_pass: Between 3/2 and 5/3 rpart's tree is one leaf, which costs more than the whole tree.",
    "pruning/cost_complexity_more: and finds the sequence [in one pass](one_pass.md), which is not always the same.",
)
_rpart(
    "a row that stays has no part in a complexity",
    # The root answers a, and is wrong of the row that stays: with that, its price were (6 - 1)/6.
    "d <- data.frame(x = c(1:11, NA), z = 0, y = ab(6, 6)); f <- rpart(y ~ x + z, d, control = C(usesurrogate = 0)); "
    "near(f$frame$complexity[1], 1)",
    "decisions: Rows that stay at a node because they have no answer count there (in rpart's convention they do not).",
    "pruning/risks: rpart's complexities leave them out.",
)
_rpart(
    "losses alter the priors, whatever the number of classes",
    "d <- data.frame(x = 1:9, y = factor(c('a', 'a', 'b', 'a', 'b', 'c', 'c', 'b', 'c'))); n <- table(d$y); "
    "L <- matrix(c(0, 1, 1, 5, 0, 1, 2, 1, 0), 3, byrow = TRUE); p <- n * rowSums(L) / sum(n * rowSums(L)); "
    "one <- full(y ~ x, d, parms = list(loss = L)); two <- full(y ~ x, d, parms = list(prior = as.numeric(p))); "
    "near(one$splits[, 'index'], two$splits[, 'index'])",
    "learners/cart_more: Breiman et al. for two classes; rpart always |",
)
_rpart(
    "a print has seven digits and no surrogates",
    "d <- data.frame(x = 1:10 / 3, z = 1:10 / 3, y = ab(5, 5)); t <- capture.output(print(full(y ~ ., d))); "
    "!any(grepl('z', sub('yval.*', '', t[-(1:3)]))) && any(grepl('x< 1.833333 ', t, fixed = TRUE)) && "
    "sum(full(y ~ ., d)$splits[, 'count'] == 0) == 1",
    "auditing: rpart prints no surrogates; where rows have gaps, they are searched anew.",
    "foreign: it has seven digits, and no surrogates.",
    "foreign: | printed by rpart | as printed | `<` | what inner nodes hold; surrogates; where a row without a value",
)
_rpart(
    "dates are numbers",
    "cut(y ~ x, data.frame(x = as.Date('2024-05-01') + 0:3, y = ab(2, 2))) == 19845.5 && "
    "cut(y ~ x, data.frame(x = as.POSIXct(c(0, 1, 2, 3), origin = '1970-01-01', tz = 'UTC'), y = ab(2, 2))) == 1.5",
    "foreign: To rpart a Date is the number of days since 1970-01-01, and a POSIXct time that of seconds.",
)
_rpart(
    "a logical response is a number",
    "full(y ~ x, data.frame(x = 1:4, y = c(TRUE, TRUE, FALSE, TRUE)))$method == 'anova'",
    'foreign: A logical response (`TRUE`, `FALSE`) is fitted as a number, 1 or 0, unless `method = "class"` is said.',
)
_rpart(
    "under priors the printed loss is no count",
    "d <- data.frame(x = 1:10, y = ab(3, 7)); t <- capture.output(print(full(y ~ x, d, parms = list(prior = c(0.55, "
    "0.45))))); "
    "loss <- as.numeric(strsplit(trimws(grep('root', t, value = TRUE)), ' +')[[1]][4]); loss != round(loss)",
    "foreign: Under priors or losses rpart's `loss` is no count, which its probabilities show.",
)

# R itself, and randomForest.


@cache
def _release_of_r() -> str | None:
    if not shutil.which("Rscript"):
        return None
    return subprocess.run(
        ["Rscript", "-e", "cat(format(getRversion()))"], capture_output=True, encoding="utf-8", check=True
    ).stdout


RELEASES["R"] = _release_of_r
_in_r(
    "rpart",
    "losses_of_nodes",
    """local({
        fit <- rpart(y ~ x, ten, parms = list(loss = matrix(c(0, 5, 3, 0), 2)), control = C())
        fit$frame$dev[1] == 15 && near(fit$frame$yval2[1, 4:5], c(0.5, 0.5))
    })""",
    "auditing: Where the probabilities of a print are shares of the rows, and `loss` is no number of rows",
)
_in_r(
    "R",
    "a sample rejects",
    "identical(RNGkind()[c(1, 3)], c('Mersenne-Twister', 'Rejection'))",
    "chance: | R | the Mersenne Twister; since version 3.6 `sample` rejects; before, it rounded, so old results need",
)

FOREST = "library(randomForest); set.seed(1); x <- as.data.frame(matrix(runif(200), 20)); "
"""Twenty rows of ten numbers."""

_random_forest(
    "a third of the attributes for numbers, the root of their number for classes",
    "suppressPackageStartupMessages({ " + FOREST + "}); randomForest(x, ab(10, 10), ntree = 1)$mtry == 3 && "
    "randomForest(x[, 1:8], runif(20), ntree = 1)$mtry == 2",
    r"decisions: | R's randomForest | $\lfloor\sqrt n\rfloor$ for classes, $\lfloor n/3\rfloor$ for numbers |",
    r"ensembles/random_forest_more: | R's randomForest | with replacement | $\lfloor\sqrt n\rfloor$, or $n/3$ for",
)
_random_forest(
    "constant attributes are drawn like others for numbers, and passed over for classes",
    FOREST + "x[, -1] <- 0; leaves <- function(y) randomForest(x, y, ntree = 60, mtry = 1)$forest$ndbigtree == 1; "
    "any(leaves(1:20 + 0)) && !any(leaves(ab(10, 10)))",
    "decisions: | R's randomForest | for classes, goes on until a drawn attribute is not constant; for numbers, the",
    "ensembles/random_forest_more: | for classes, drawing goes on until one is not; for numbers, it is drawn like",
)
_random_forest(
    "trees vote, and a tie is drawn",
    FOREST + "f <- randomForest(x, ab(10, 10), ntree = 2, nodesize = 1); "
    "v <- predict(f, x, type = 'vote', norm.votes = FALSE); "
    "tied <- which(v[, 1] == 1); p <- replicate(40, as.character(predict(f, x[tied[1], ]))); length(unique(p)) == 2",
    "ensembles/ensemble: | R's randomForest | the trees vote, and ties are broken at random |",
)
_random_forest(
    "importance by both measures, in standard errors",
    FOREST + "f <- randomForest(x, ab(10, 10), ntree = 30, importance = TRUE); "
    "all(c('MeanDecreaseAccuracy', 'MeanDecreaseGini') %in% colnames(importance(f))) && "
    "!near(importance(f)[, 'MeanDecreaseAccuracy'], importance(f, scale = FALSE)[, 'MeanDecreaseAccuracy'])",
    "ensembles/importance: | R's randomForest | both; by permutation tree by tree, out of the bag, by default divided",
)
