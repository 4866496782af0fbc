#!/usr/bin/env bash
# onnxmltools 1.16.0: of two objectives the link is lost: reg:logistic of XGBoost answers the sum, multiclassova of LightGBM shares by softmax.
#
# XGBoost 3.2.0 predicts the logistic function of the sum for reg:logistic, and the converted model base_score plus the sum, below 0 in
# places. LightGBM 4.7.0 gives each class of multiclassova a logistic function of its own, so that they need not add up to 1; the
# converted model has SOFTMAX. Nothing warns of either.
#
# Exit status 0: as described; otherwise onnxmltools now writes another model. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet xgboost-cpu==3.2.0 lightgbm==4.7.0 onnxmltools==1.16.0 onnx==1.19.1 pandas \
  onnxconverter-common==1.16.0 skl2onnx==1.20.0 onnxruntime==1.32.0 scikit-learn==1.9.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PYTHON'
import sys

import numpy
import onnxruntime
from lightgbm import LGBMClassifier
from onnxmltools import convert_lightgbm, convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from xgboost import XGBRegressor

rows = numpy.arange(90, dtype=numpy.float32).reshape(-1, 1)
given = [("x", FloatTensorType([None, 1]))]


def asked(made):
    return onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"x": rows})


model = XGBRegressor(n_estimators=3, max_depth=2, objective="reg:logistic").fit(rows, rows.ravel() > 60)
here, there = model.predict(rows), asked(convert_xgboost(model, initial_types=given))[0].ravel()
print("reg:logistic: XGBoost from", here.min(), "to", here.max(), "converted from", there.min(), "to", there.max())
model = LGBMClassifier(n_estimators=5, objective="multiclassova", verbose=-1).fit(rows, numpy.arange(90) // 30)
own = model.predict_proba(rows, raw_score=True)
shares = numpy.array([list(each.values()) for each in asked(convert_lightgbm(model, initial_types=given, zipmap=True))[1]])
softmax = numpy.exp(own) / numpy.exp(own).sum(axis=1, keepdims=True)
booster = model.booster_.predict(rows)
print("multiclassova: LightGBM", booster[0].tolist(), "converted", shares[0].tolist())
lost = there.min() < 0 < here.min() and numpy.allclose(shares, softmax, atol=1e-5) and not numpy.allclose(shares, booster, atol=1e-3)
sys.exit(not lost)
PYTHON
