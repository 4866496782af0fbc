#!/usr/bin/env bash
# skl2onnx 1.20.0: a tree that learned where rows without a value go is converted to one that sends them all to the same side.
#
# scikit-learn 1.9.1 learns the side of missing values at each node. The converter writes nodes_missing_value_tracks_true 0 for every
# node, so that onnxruntime sends such a row to the right, and answers otherwise. It neither warns nor refuses; rows without gaps agree.
#
# Exit status 0: as described; otherwise skl2onnx now writes the sides, or refuses. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet skl2onnx==1.20.0 onnx==1.19.1 onnxruntime==1.32.0 scikit-learn==1.9.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PYTHON'
import sys

import numpy
import onnxruntime
from skl2onnx import to_onnx
from sklearn.tree import DecisionTreeRegressor

rows = numpy.array([[1.0], [2.0], [numpy.nan], [4.0], [5.0], [numpy.nan]], dtype=numpy.float32)
model = DecisionTreeRegressor(max_depth=1).fit(rows, [0, 0, 0, 9, 9, 0])
made = to_onnx(model, rows[:1])
there = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"X": rows})[0].ravel()
print("missing values of scikit-learn go to the left:", model.tree_.missing_go_to_left.tolist())
print("scikit-learn", model.predict(rows).tolist(), "converted", there.tolist())
known = ~numpy.isnan(rows.ravel())
sys.exit(not ((model.predict(rows) == there)[known].all() and (model.predict(rows) != there)[~known].all()))
PYTHON
