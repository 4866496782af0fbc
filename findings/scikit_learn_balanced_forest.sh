#!/usr/bin/env bash
# scikit-learn 1.9.1: class_weight="balanced" counts rows in a tree, and adds up their weights in a forest.
#
# The same rows, weights of rows and weights of classes: a DecisionTreeClassifier and a forest of one tree that draws no
# rows and offers every feature. In the tree the classes weigh 3 and 1.5, so they are not balanced; in the forest they
# weigh 2 and 2. With bootstrap, the weights of classes do not reach the trees at all: they are the chance of the draw,
# so every tree counts whole rows.
#
# Exits with 1 if that is no longer so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install scikit-learn==1.9.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import sys
import numpy
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

X, y, weights = [[1], [2], [3]], [*"npp"], [2, 1, 1]


def of_classes(tree):
    """The weight of each class at the root."""
    return (tree.tree_.value[0, 0] * tree.tree_.weighted_n_node_samples[0]).round(12).tolist()


tree = DecisionTreeClassifier(class_weight="balanced").fit(X, y, sample_weight=weights)
options = {"n_estimators": 1, "max_features": None, "class_weight": "balanced", "random_state": 0}
forest = RandomForestClassifier(bootstrap=False, **options).fit(X, y, sample_weight=weights)
drawing = RandomForestClassifier(bootstrap=True, **options).fit(X, y, sample_weight=weights)
print("scikit-learn", sklearn.__version__, "numpy", numpy.__version__)
print("weights of the classes n and p at the root, with class_weight='balanced' and rows that weigh 2, 1, 1")
print("  a tree:                      ", of_classes(tree))
print("  a forest that draws no rows: ", of_classes(forest.estimators_[0]))
print("  a forest that draws rows:    ", of_classes(drawing.estimators_[0]))
is_so = of_classes(tree) == [3, 1.5] and of_classes(forest.estimators_[0]) == [2, 2]
is_so &= all(float(one).is_integer() for one in of_classes(drawing.estimators_[0]))
sys.exit(0 if is_so else 1)
PY
