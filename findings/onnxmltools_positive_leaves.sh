#!/usr/bin/env bash
# onnxmltools 1.16.0, onnxruntime 1.32.0: a classifier of XGBoost whose leaves are all positive becomes one that predicts the other class.
#
# Two classes, of which the second has more rows in every leaf: each leaf is above 0, and XGBoost 3.2.0 predicts the second class
# everywhere, with probabilities above one half. The converted model has the same probabilities, and its label is the first class:
# if no leaf is negative, onnxruntime compares the sum, and not its logistic function, with 0.5.
#
# Exit status 0: as described; otherwise the label now follows from the probability. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet xgboost-cpu==3.2.0 onnxmltools==1.16.0 onnx==1.19.1 onnxconverter-common==1.16.0 \
  skl2onnx==1.20.0 onnxruntime==1.32.0 scikit-learn==1.9.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PYTHON'
import sys

import numpy
import onnxruntime
from onnxmltools import convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from xgboost import XGBClassifier

rows = numpy.arange(40, dtype=numpy.float32).reshape(-1, 1)
classes = numpy.array([0, 1, 1, 1] * 5 + [1] * 20)
model = XGBClassifier(n_estimators=2, max_depth=1, learning_rate=0.1, base_score=0.5).fit(rows, classes)
made = convert_xgboost(model, initial_types=[("x", FloatTensorType([None, 1]))])
label, shares = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"x": rows})
print("XGBoost predicts", sorted(set(model.predict(rows).tolist())), "with", sorted(set(model.predict_proba(rows)[:, 1].tolist())))
print("onnxruntime predicts", sorted(set(label.tolist())), "with", sorted(set(shares[:, 1].tolist())))
same = numpy.allclose(shares, model.predict_proba(rows), atol=1e-6)
sys.exit(not (same and set(model.predict(rows)) == {1} and set(label) == {0}))
PYTHON
