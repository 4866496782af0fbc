#!/usr/bin/env bash
# onnxruntime 1.32.0: a TreeEnsembleRegressor of one target answers the plain sum, whether its post_transform is LOGISTIC, SOFTMAX or NONE.
#
# The standard lets post_transform be one of five words. Of one target only PROBIT has an effect, which is computed; with two targets the
# logistic function is taken of each. Nothing warns that it is passed over.
#
# Exit status 0: as described; otherwise onnxruntime now takes the function, or refuses. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet onnxruntime==1.32.0 onnx==1.19.1 numpy==2.4.6

"$folder/env/bin/python" - <<'PYTHON'
import sys

import numpy
import onnxruntime
from onnx import TensorProto, helper


def asked(transform, targets):
    node = helper.make_node(
        "TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", n_targets=targets, post_transform=transform,
        nodes_treeids=[0] * 3, nodes_nodeids=[0, 1, 2], nodes_featureids=[0] * 3, nodes_values=[1.0, 0.0, 0.0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0],
        target_treeids=[0, 0] * targets, target_nodeids=[1, 2] * targets, target_weights=[0.25, 0.75] * targets,
        target_ids=[k for k in range(targets) for _ in (1, 2)],
    )
    given, made = (helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in "XY")
    sets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(helper.make_graph([node], "g", [given], [made]), opset_imports=sets, ir_version=8)
    rows = numpy.array([[0], [2]], numpy.float32)
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"X": rows})[0].tolist()


found = {(word, size): asked(word, size) for word in ("NONE", "LOGISTIC", "SOFTMAX") for size in (1, 2)}
for (word, size), answers in found.items():
    print(word, "of", size, "target" if size == 1 else "targets:", answers)
same = found["NONE", 1] == found["LOGISTIC", 1] == found["SOFTMAX", 1] == [[0.25], [0.75]]
sys.exit(not (same and found["LOGISTIC", 2] != found["NONE", 2]))
PYTHON
