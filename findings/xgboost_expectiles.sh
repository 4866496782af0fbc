#!/bin/bash
# XGBoost: of several expectiles of one model, only the first is the sum of its trees.
#
# With one expectile_alpha the prediction is the margin. With several, each further prediction is the one before it plus
# ln(1 + e^margin) plus about 1e-6, so that they never cross. Several quantiles of reg:quantileerror are the margins, and
# may cross. Exits with 1 if it is otherwise. Needs Python 3.12 or newer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$(command -v python3.13 || command -v python3.12 || command -v python3)
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check xgboost==3.4.1 numpy==2.5.5 scipy==1.18.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import xgboost as xgb

drawn = np.random.default_rng(0)
x = drawn.normal(size=(80, 2))
y = x[:, 0] + drawn.normal(size=80)
rows = xgb.DMatrix(x, y)
options = {"max_depth": 2, "nthread": 1}
print("XGBoost", xgb.__version__)
both = xgb.train({**options, "objective": "reg:expectileerror", "expectile_alpha": [0.3, 0.7]}, rows, 4)
margins, found = both.predict(rows, output_margin=True), both.predict(rows)
made = np.column_stack([margins[:, 0], margins[:, 0] + np.log1p(np.exp(margins[:, 1])) + 1e-6])
print("expectiles: margins", margins[0], "predicted", found[0], "made of the margins", made[0])
assert np.allclose(found, made, rtol=0, atol=2e-6), "several expectiles are made otherwise now"
assert not np.allclose(found[:, 1], margins[:, 1], atol=1e-2), "each expectile is its margin now"
one = xgb.train({**options, "objective": "reg:expectileerror", "expectile_alpha": 0.3}, rows, 4)
assert np.array_equal(one.predict(rows), one.predict(rows, output_margin=True)), "one expectile is no margin now"
pair = xgb.train({**options, "objective": "reg:quantileerror", "quantile_alpha": [0.3, 0.7]}, rows, 4)
assert np.array_equal(pair.predict(rows), pair.predict(rows, output_margin=True)), "quantiles are no margins now"
print("One expectile and several quantiles are margins; the second of two expectiles is the first + ln(1 + e^margin).")
PYTHON
