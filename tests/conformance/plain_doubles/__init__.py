"""A small learner in plain doubles, into which classic faults can be planted: what the suite of goldens is measured by.

It shares nothing with the package: it reads the prompt of a golden as JSON, and answers as any other program would.

1. `planting` plants a fault; `formulas` are the measures, and `rows` what they are taken of.
2. `growing` is ID3, extended ID3, C4.5 and CART, `slanted` are weighted sums, `standing_in` finds surrogates,
   `searching` is the best of all trees, and `programs` what programs do otherwise; `trees` are those that are given,
   `predicting` asks one, and `pruning`, `estimating` and `pre_pruning` prune it.
3. `bagging` are bags and forests, `boosting` the rounds of AdaBoost and of a boosting tree, `gradients` is gradient
   boosting, and `drawing` the generator of draws.
4. `answering` answers a golden.
5. `faults` are the faults, each with the cases that are about it; `table` holds all against all.
"""
