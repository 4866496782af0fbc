#!/usr/bin/env bash
# scikit-learn 1.9.1: export_text of a classifier with two targets prints the number of a target in place of a class.
#
# Three rows have the class 2 by the first target, and the classes 0, 0 and 1 by the second. At each leaf the text says
# `class: 1`, or `class: 0`: it is the target whose first class has the largest share there, not a class. predict says
# 2, which no line of the text does. The text looks like one of a single target, so that no reader can tell.
#
# Exits with 1 if that is no longer so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1

cat >"$folder/shown.py" <<'PY'
import sys

import numpy
import sklearn
from sklearn.tree import DecisionTreeClassifier, export_text

rows = numpy.array([[1.0], [2.0], [3.0], [4.0]])
targets = numpy.array([[2, 0], [2, 0], [2, 1], [0, 1]])
model = DecisionTreeClassifier(random_state=0, max_depth=1).fit(rows, targets)
text, predicted = export_text(model), model.predict(rows).tolist()
print("scikit-learn", sklearn.__version__, "Python", sys.version.split()[0])
print("targets  ", targets.tolist())
print("predicted", predicted)
print(text)
said = {line.rpartition("class: ")[2] for line in text.split("\n") if "class: " in line}
print("classes of the first target that are predicted:", sorted({row[0] for row in predicted}), "; that the text has:", sorted(said))
sys.exit(0 if any(row[0] == 2 for row in predicted) and "2" not in said else 1)
PY
"$folder/env/bin/python" "$folder/shown.py"
