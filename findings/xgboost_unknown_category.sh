#!/bin/bash
# XGBoost: a number that is no known category takes the left side of a question, not the default side.
#
# A question about categories lists those that go right. A missing value takes the default side, which training chose. A
# category that training never saw, a negative number and one from 2^24 up could be expected to count as missing. They
# do not: they are not among the listed categories, and go left, also where the default side is the right one.
# Exits with 1 if it is otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check xgboost==3.2.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import json

import numpy as np
import xgboost as xgb

codes = np.array([[0], [1], [2], [3], [np.nan]] * 6)
y = np.array([0.0, 0, 5, 0, 0] * 6)  # rows without a category answer like the listed ones: the default side is right
kinds = {"feature_types": ["c"], "enable_categorical": True}
options = {"max_depth": 1, "max_cat_to_onehot": 1, "tree_method": "hist", "min_child_weight": 0, "nthread": 1}
booster = xgb.train(options, xgb.DMatrix(codes, y, **kinds), 1)
tree = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"][0]
asked = [0, 2, np.nan, 7, -0.5, -1, 2**24, 1e30, 0.7, 2.7]
found = booster.predict(xgb.DMatrix(np.array(asked, dtype=float).reshape(-1, 1), **kinds)).tolist()
print("XGBoost", xgb.__version__, "lists", tree["categories"], "for the right side; default_left", tree["default_left"][0])
for value, answer in zip(asked, found):
    print(f"{value:>12}: {answer:.4f}")
right, left, missing, *strange, cut, cut_too = found
assert tree["default_left"][0] == 0 and missing == right != left, "the default side is another one now"
assert strange == [left] * 5, "numbers that are no known category go elsewhere now"
assert (cut, cut_too) == (right, left), "numbers between two codes are no longer cut off"
print("Missing goes right by default; an unknown, a negative and a huge category go left; 0.7 is category 0.")
PYTHON
