#!/usr/bin/env bash
# shap 0.51: interventional values are rounded to float32, although they are doubles; path-dependent ones are not.
#
# In shap/cext/tree_shap.h the weights (memoized_weights) and what a leaf gives (pos_lst, neg_lst) are arrays of float. Of a tree that
# says whether three bits are all 1, against the row 0, 0, 0, each bit has 1/3; shap says 0.3333333432674408. The values of 100
# trees of XGBoost are off by 1e-8, which is far more than doubles are, and far less than a wrong branch.
#
# Exits with 1 if that is no longer so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/third.py" <<'PY'
import sys
from itertools import product

import numpy
import shap
from sklearn.tree import DecisionTreeRegressor

X = numpy.array([*product((0.0, 1.0), repeat=3)])
tree = DecisionTreeRegressor(random_state=0).fit(X, X.min(axis=1))
explainer = shap.TreeExplainer(tree, X[:1], feature_perturbation="interventional")
values = explainer.shap_values(X[-1:])[0].tolist()
print(f"shap {shap.__version__}, numpy {numpy.__version__}: of three bits that are all 1, against 0, 0, 0")
print("  interventional values:", values)
print("  1/3 as a float32:     ", float(numpy.float32(1 / 3)))
sys.exit(0 if set(values) == {float(numpy.float32(1 / 3))} else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install "shap==0.51.0" "scikit-learn==1.9.1" "numpy==2.4.6"
"$folder/venv/bin/python" "$folder/third.py"
