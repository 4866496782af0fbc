"""Forests and boosted trees of R: ranger, randomForest and gbm, as lines of R write their tables."""
