#!/usr/bin/env bash
# onnxruntime 1.32.0: of two classes that have a sum each, the label is 1 wherever the second sum is above 0, whatever the classes are called.
#
# A leaf of a TreeEnsembleClassifier may vote for both of two classes, such as 0.75 for the first and 0.25 for the second. The
# scores come out as voted, and the label is not that of the larger one; with the labels 10 and 20 it is 1, which is neither.
# The reference evaluator of the package onnx gives the class of the larger score.
#
# Exit status 0: as described; otherwise onnxruntime now answers with the class of the larger score. Needs Python 3.11.
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
from onnx.reference import ReferenceEvaluator


def model(labels):
    node = helper.make_node(
        "TreeEnsembleClassifier", ["X"], ["label", "scores"], domain="ai.onnx.ml", classlabels_int64s=labels,
        nodes_treeids=[0] * 3, nodes_nodeids=[0, 1, 2], nodes_featureids=[0] * 3, nodes_values=[1.0, 0.0, 0.0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0],
        class_treeids=[0] * 4, class_nodeids=[1, 1, 2, 2], class_ids=[0, 1, 0, 1], class_weights=[0.75, 0.25, 0.25, 0.75],
    )
    given = helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 1])
    made = [helper.make_tensor_value_info(n, t, None) for n, t in (("label", TensorProto.INT64), ("scores", TensorProto.FLOAT))]
    sets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(helper.make_graph([node], "g", [given], made), opset_imports=sets, ir_version=8)


rows, found = numpy.array([[0], [2]], numpy.float32), []
for labels in ([0, 1], [10, 20]):
    made = model(labels)
    answered, scores = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"X": rows})
    expected, _ = ReferenceEvaluator(made).run(None, {"X": rows})
    print("labels", labels, "scores", scores.tolist(), "onnxruntime", answered.tolist(), "onnx", expected.tolist())
    found.append(answered.tolist() == [1, 1] and expected.tolist() == labels)
sys.exit(not all(found))
PYTHON
