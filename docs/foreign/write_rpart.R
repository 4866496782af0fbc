write_rpart <- function(fit, file) {
  part <- function(name, x) {
    n <- sapply(x, is.numeric); x[n] <- lapply(x[n], sprintf, fmt = "%.17g")
    cat("#", name, "\n"); write.csv(x, row.names = FALSE)
  }
  classes <- attr(fit$terms, "dataClasses")
  levels <- c(setNames(list(attr(fit, "ylevels")), names(classes)[1]), attr(fit, "xlevels"))
  sink(file); on.exit(sink())
  part("program", data.frame(rpart = format(packageVersion("rpart")), fit$method, fit$control$usesurrogate))
  part("columns", data.frame(names(classes), classes))
  part("levels", data.frame(value = as.character(unlist(levels)), column = rep(names(levels), lengths(levels))))
  part("frame", data.frame(node = rownames(fit$frame), as.list(fit$frame)))
  if (length(fit$splits)) part("splits", data.frame(variable = rownames(fit$splits), fit$splits))
  if (length(fit$csplit)) part("csplit", as.data.frame(fit$csplit))
}
