# Forests and boosted trees of R, and what they answer: Rscript grow.R LINES FOLDER, where LINES has the lines of the page.
suppressMessages({library(randomForest); library(ranger); library(gbm)})
arguments <- commandArgs(TRUE)
source(arguments[1])
digits <- function(x) vapply(x, sprintf, "", fmt = "%.17g")
told <- function(name, fit, rows, answers) {
  write_forest(fit, file.path(arguments[2], paste0(name, ".txt")))
  sink(file.path(arguments[2], paste0(name, ".answers"))); on.exit(sink())
  table <- as.data.frame(answers)
  names(table) <- if (is.null(colnames(answers))) "answer" else paste0("P.", colnames(answers))
  for (i in seq_along(table)) if (is.numeric(table[[i]])) table[[i]] <- digits(table[[i]])
  write.csv(cbind(as.data.frame(lapply(rows, digits)), table), row.names = FALSE)
}
set.seed(1)
flowers <- iris[150:1, ]
rows <- flowers[seq(1, 150, 5), 1:4]
holes <- flowers; holes$Petal.Width[seq(1, 150, 7)] <- NA
two <- flowers; two$Species <- NULL; two$is <- as.integer(flowers$Species == "versicolor")
odd <- flowers; levels(odd$Species) <- c("a b", "c-d", "e")
of <- function(fit, ...) predict(fit, rows, ...)
# Odd numbers of trees, so that two classes have equally many votes less often.
few <- list(num.trees = 3, max.depth = 3, seed = 1, num.threads = 1)
grow <- function(...) do.call(ranger, c(list(...), few))
told("ranger-number", f <- grow(Sepal.Length ~ Petal.Length + Sepal.Width, flowers), rows[c(3, 2)], of(f)$predictions)
told("ranger-classes", f <- grow(Species ~ ., flowers), rows, as.character(of(f)$predictions))
told("ranger-shares", f <- grow(Species ~ ., odd, probability = TRUE), rows, of(f)$predictions)
told("ranger-extra-trees", f <- grow(Sepal.Length ~ Petal.Length, flowers, splitrule = "extratrees"), rows[3], of(f)$predictions)
told("random-forest-number", f <- randomForest(Sepal.Length ~ Petal.Length + Sepal.Width, flowers, ntree = 3, maxnodes = 5),
     rows[c(3, 2)], unname(of(f)))
told("random-forest-classes", f <- randomForest(Species ~ ., flowers, ntree = 5, maxnodes = 5), rows, as.character(of(f)))
gaps <- rows; gaps$Petal.Width[c(1, 5, 9)] <- NA
boosted <- function(formula, data, distribution, type) {
  fit <- gbm(formula, data = data, distribution = distribution, n.trees = 4, interaction.depth = 3, shrinkage = 0.3)
  told(paste0("gbm-", if (is.list(distribution)) distribution$name else distribution), fit, gaps[names(gaps) %in% fit$var.names],
       predict(fit, gaps, n.trees = 4, type = type))
}
boosted(Sepal.Length ~ . - Species, holes, "gaussian", "link")
boosted(Sepal.Length ~ . - Species, flowers, "laplace", "link")
boosted(Sepal.Length ~ . - Species, flowers, "tdist", "link")
boosted(Sepal.Length ~ . - Species, flowers, list(name = "quantile", alpha = 0.8), "link")
boosted(is ~ ., two, "bernoulli", "response")
boosted(is ~ ., two, "adaboost", "response")
boosted(is ~ ., two, "poisson", "response")
write_forest(ranger(Sepal.Length ~ Species, flowers, num.trees = 1, respect.unordered.factors = "partition"),
             file.path(arguments[2], "refused-partition.txt"))
write_forest(ranger(Sepal.Length ~ Species, flowers, num.trees = 1, respect.unordered.factors = "order"),
             file.path(arguments[2], "refused-order.txt"))
write_forest(randomForest(Sepal.Length ~ Species, flowers, ntree = 1), file.path(arguments[2], "refused-factor.txt"))
write_forest(randomForest(Sepal.Length ~ Petal.Width, flowers, ntree = 1, maxnodes = 3, corr.bias = TRUE),
             file.path(arguments[2], "refused-corrected.txt"))
write_forest(randomForest(Species ~ Petal.Width, flowers, ntree = 1, cutoff = c(0.2, 0.3, 0.5)),
             file.path(arguments[2], "refused-cutoff.txt"))
write_forest(gbm(Species ~ ., data = flowers, distribution = "multinomial", n.trees = 2), file.path(arguments[2], "refused-multinomial.txt"))
