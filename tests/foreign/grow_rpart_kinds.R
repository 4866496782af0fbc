# Grows trees with rpart from columns and responses of every class, and writes each as the lines on the page of foreign
# trees do, as `print` shows it, and what it answers beside it.
# Arguments: the file with these lines, and a folder.
arguments <- commandArgs(trailingOnly = TRUE)
source(arguments[1])
library(rpart)
at <- function(name) file.path(arguments[2], name)
record <- function(name, fit, rows) {
  write_rpart(fit, at(paste0(name, ".rpart")))
  sink(at(paste0(name, ".txt"))); print(fit); sink()
  said <- if (fit$method == "class") as.character(predict(fit, rows, type = "class")) else sprintf("%.17g", predict(fit, rows))
  writeLines(said, at(paste0(name, ".answers")))
}
fully <- rpart.control(minsplit = 2, minbucket = 1, cp = 0)
days <- data.frame(day = as.Date("2024-04-28") + 0:7, late = c(TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, TRUE))
days$class <- factor(ifelse(days$late, "p", "q")); days$count <- 1:8; days$is <- days$late
days$level <- factor(c("lo", "lo", "mid", "mid", "hi", "hi", "hi", "hi"), levels = c("lo", "mid", "hi"), ordered = TRUE)
days$word <- as.character(days$level)
days$time <- as.POSIXct("2024-05-01 10:30:00", tz = "UTC") + 3600 * (0:7); days$since <- days$day - as.Date("2024-01-01")
written <- days; written$time <- format(days$time, "%Y-%m-%d %H:%M:%S"); written$since <- as.numeric(days$since)
write.csv(written, at("days.csv"), row.names = FALSE)
record("date", rpart(class ~ day, days, control = fully), days)
record("logical-response", rpart(late ~ day, days, control = fully), days)
record("time", rpart(class ~ time, days, control = fully), days)
record("difference-of-times", rpart(class ~ since, days, control = fully), days)
record("ordered", rpart(class ~ level, days, control = fully), days)
record("mixed", rpart(count ~ is + day + word, days, control = fully), days)
record("poisson", rpart(count ~ day, days, method = "poisson", control = fully), days)
record("integer-classes", rpart(count ~ day, days, method = "class", control = fully), days)
record("logical-classes", rpart(late ~ count, days, method = "class", control = fully), days)
record("word-response", rpart(word ~ count, days, control = fully), days)
record("ordered-response", rpart(level ~ count, days, control = fully), days)
record("priors", rpart(class ~ count, days, parms = list(prior = c(.2, .8)), weights = c(1, 2, 1, 2, 1, 1, 1, 1),
                       control = rpart.control(minsplit = 2, minbucket = 2, cp = 0)), days)
record("losses", rpart(class ~ count, days, parms = list(loss = matrix(c(0, 3, 1, 0), 2)), control = fully), days)
record("costs", rpart(class ~ count + day, days, cost = c(1, 2), control = fully), days)
record("one-leaf", rpart(class ~ count, days, control = rpart.control(minsplit = 100)), days)
options(digits = 3)
record("three-digits", rpart(class ~ day, days, control = fully), days)
