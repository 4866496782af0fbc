"""Other programs as oracles: what Weka, R's rpart and scikit-learn grow on the same rows.

1. `data_sets` are the rows: files of `tests/recorded/data`, which every program reads in the same decimals. `sources`
   makes these files from the packages that carry the data.
2. `weka`, `rpart` and `scikit_learn` run a program and turn its tree into a tree document (`documents`).
3. `recordings` lists which program grew which tree under which setting. Each tree stands in `tests/recorded`; a test
   holds it against its rows always, and against the program itself where that is installed.
"""
