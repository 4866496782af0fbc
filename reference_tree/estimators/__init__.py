"""Estimators: the learners with the interface of scikit-learn, without importing it.

`fit`, `predict`, `predict_proba`, `score`, `get_params` and `set_params` are what pipelines, grid searches and
cross-validations ask for. A frame's columns keep their names, and its texts and categories are categories; arrays and
lists have columns `x0`, `x1`, ... A float is the decimal by which it is written. The tree is there as `tree_`, with all
that a tree can do.

`BaggingClassifier`, `RandomForestClassifier`, `AdaBoostClassifier`, `BoostingTreeRegressor` and their kin have an
ensemble as `tree_`, and so have `XGBClassifier` and `XGBRegressor`, with the parameters of XGBoost.

What has to be an array is one where numpy is loaded, and a list where it is not. Where scikit-learn is loaded, its own
classes describe an estimator to it.

Example:
    >>> rows, labels = [["sunny", 85], ["rain", 70], ["sunny", 90], ["rain", 65]], ["no", "yes", "no", "yes"]
    >>> model = CARTClassifier(max_depth=2).fit(rows, labels)
    >>> [str(answer) for answer in model.predict([["sunny", 60], ["rain", 99]])], model.score(rows, labels)
    (['no', 'yes'], 1.0)
    >>> model.tree_
    <Tree for y: 3 nodes, 2 leaves, grown by cart>
"""

from reference_tree.estimators.bagged import (
    BaggingClassifier,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from reference_tree.estimators.boosted import XGBClassifier, XGBRegressor
from reference_tree.estimators.classes import C45Classifier, CARTClassifier, CARTRegressor, Estimator, ID3Classifier
from reference_tree.estimators.rounds import AdaBoostClassifier, BoostingTreeRegressor

__all__ = [
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostingTreeRegressor",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Estimator",
    "ID3Classifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "XGBClassifier",
    "XGBRegressor",
]
