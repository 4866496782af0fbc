#!/usr/bin/env bash
# scikit-learn 1.4 to 1.9: the keys of HistGradientBoostingClassifier's class_weight are the places of the classes.
#
# Every other classifier looks up the labels themselves. Here the labels are replaced by 0, 1, ... first. With the labels
# 1 and 2, class_weight={1: 9} gives the nine-fold weight to class 2, without a word; with the labels "a" and "b",
# class_weight={"a": 9, "b": 1} is an error, and {0: 9, 1: 1} is what works.
#
# Exits with 1 if that is no longer so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/weigh.py" <<'PY'
import sys

import numpy
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

X, y, weights = [[0.0]] * 4, [1, 1, 2, 2], {1: 9}
histogram = HistGradientBoostingClassifier(max_iter=1, class_weight=weights).fit(X, y)
tree = DecisionTreeClassifier(class_weight=weights).fit(X, y)
shares = [model.predict_proba(X[:1])[0].round(3).tolist() for model in (tree, histogram)]
print(f"scikit-learn {sklearn.__version__}, numpy {numpy.__version__}: two rows of class 1, two of class 2; class_weight={weights}")
print("  shares of the classes 1 and 2, a tree:               ", shares[0])
print("  shares of the classes 1 and 2, HistGradientBoosting: ", shares[1])
is_so = shares == [[0.9, 0.1], [0.1, 0.9]]
try:
    HistGradientBoostingClassifier(max_iter=1, class_weight={"a": 9, "b": 1}).fit(X, [*"aabb"])
    is_so = False
except ValueError as error:
    print("  class_weight={'a': 9, 'b': 1}:", error)
sys.exit(0 if is_so else 1)
PY
while read -r version numpy; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" -q install "scikit-learn==$version" "numpy==$numpy"
  "$folder/$version/bin/python" "$folder/weigh.py"
done <<'RELEASES'
1.6.1 2.2.6
1.9.1 2.4.6
RELEASES
