#!/usr/bin/env bash
# onnxruntime 1.32.0: what a forest answers for a row depends on how many rows are asked about at once, and on the number of threads.
#
# The votes of 22 trees are float32, and eleven against eleven is a tie that their roundings break. With two threads the trees of a batch of
# more than fifty rows are added up in another order than those of twenty. So the same row has another probability, and another label.
# With one thread all batches agree.
#
# Exit status 0: as described; otherwise answers no longer depend on the batch. Needs Python 3.11.
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
from sklearn.ensemble import RandomForestClassifier

draws = numpy.random.default_rng(0)
rows = draws.normal(size=(2000, 4)).astype(numpy.float32)
classes = (rows[:, 0] + draws.normal(size=2000) > 0).astype(int)
made = to_onnx(RandomForestClassifier(22, random_state=0).fit(rows[:500], classes[:500]), rows[:1], options={"zipmap": False})
differ = {}
for threads in (1, 2):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(made.SerializeToString(), options)
    label, shares = session.run(None, {"X": rows})
    parts = [session.run(None, {"X": rows[place : place + 20]}) for place in range(0, len(rows), 20)]
    labels, others = (numpy.concatenate([part[k] for part in parts]) for k in (0, 1))
    differ[threads] = int((label != labels).sum()), int((shares != others).any(axis=1).sum())
    print(threads, "threads: of 2000 rows", differ[threads][0], "labels and", differ[threads][1], "probabilities depend on the batch")
sys.exit(not (differ[1] == (0, 0) and differ[2][0] > 0 and differ[2][1] > 0))
PYTHON
