#!/usr/bin/env bash
# CatBoost 1.2.10: its own export to ONNX gives MultiClassOneVsAll shares by softmax, and for Poisson the sum without its exponential.
#
# `predict_proba` gives each class of MultiClassOneVsAll a logistic function of its own sum, so that the probabilities need not add up
# to 1; the file has post_transform SOFTMAX. `predict` of Poisson is e to the power of the sum; the file answers the sum, which is below
# 0 in places. Nothing warns of either.
#
# Exit status 0: as described; otherwise CatBoost now writes another model. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet catboost==1.2.10 onnx==1.19.1 onnxruntime==1.32.0 numpy==2.4.6 pandas==3.1.1

cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import sys

import numpy
import onnxruntime
from catboost import CatBoostClassifier, CatBoostRegressor

rows = numpy.arange(90, dtype=numpy.float32).reshape(-1, 1)
few = {"iterations": 5, "depth": 2, "verbose": 0, "allow_writing_files": False}


def asked(model):
    model.save_model("model.onnx", format="onnx")
    return onnxruntime.InferenceSession("model.onnx").run(None, {"features": rows})


model = CatBoostClassifier(loss_function="MultiClassOneVsAll", **few).fit(rows, numpy.arange(90) // 30)
own, sums = model.predict_proba(rows), model.predict(rows, prediction_type="RawFormulaVal")
shares = numpy.array([list(each.values()) for each in asked(model)[1]])
softmax = numpy.exp(sums) / numpy.exp(sums).sum(axis=1, keepdims=True)
print("MultiClassOneVsAll: CatBoost", own[0].tolist(), "ONNX", shares[0].tolist())
model = CatBoostRegressor(loss_function="Poisson", **few).fit(rows, numpy.arange(90) // 30)
here, there = model.predict(rows), asked(model)[0].ravel()
print("Poisson: CatBoost from", here.min(), "to", here.max(), "ONNX from", there.min(), "to", there.max())
lost = numpy.allclose(shares, softmax, atol=1e-5) and numpy.abs(shares - own).max() > 0.01
sys.exit(not (lost and numpy.allclose(numpy.exp(there), here, rtol=1e-5) and there.min() < 0))
PYTHON
