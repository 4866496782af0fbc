#!/bin/bash
# XGBoost 2.1 saves a model with categories as JSON that is no JSON: it has NaN in it.
#
# A question about categories has no threshold, and the releases 1.7.6, 2.0.3, 2.1.4 write NaN in its place ("split_conditions").
# Parsers that follow RFC 8259 refuse the file; Python's json reads it. 3.2 writes 1e-45. Exits with 1 if it is otherwise.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check xgboost==2.1.4 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import json

import numpy as np
import xgboost as xgb


def refuse(name):
    raise ValueError(f"{name} is not JSON")


codes = np.array([[0], [1], [2], [3]] * 6, dtype=float)
rows = xgb.DMatrix(codes, np.array([0.0, 0, 5, 0] * 6), feature_types=["c"], enable_categorical=True)
booster = xgb.train({"max_depth": 1, "max_cat_to_onehot": 1, "tree_method": "hist", "nthread": 1}, rows, 1)
text = bytes(booster.save_raw("json")).decode()
tree = json.loads(text)["learner"]["gradient_booster"]["model"]["trees"][0]
print("XGBoost", xgb.__version__, "split_conditions", tree["split_conditions"])
try:
    json.loads(text, parse_constant=refuse)
except ValueError as error:
    print("a strict parser:", error)
else:
    raise SystemExit("the file is JSON now")
PYTHON
