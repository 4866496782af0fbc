"""The names that `import reference_tree as rt` offers: those that a reader needs most, in one place."""

from reference_tree.attribution.attributions import Attributions, shapley_interaction_values, shapley_values
from reference_tree.attribution.importances import importances
from reference_tree.auditing import Audit, Finding, Reduced, audit, parts_like, reduce
from reference_tree.auditing.attributions import AttributionAudit, audit_attributions
from reference_tree.checking.check import check
from reference_tree.data.errors import InputError
from reference_tree.data.readers import read
from reference_tree.data.schema import Attribute
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.adaboost import AdaBoost
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.boosting_tree import BoostingTree
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.estimators import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    BoostingTreeRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    RandomForestClassifier,
    RandomForestRegressor,
    XGBClassifier,
    XGBRegressor,
)
from reference_tree.functions.counterfactuals import Counterfactual, counterfactual
from reference_tree.functions.equivalence import Equivalence, equivalent
from reference_tree.functions.fingerprints import fingerprint
from reference_tree.functions.questions import (
    Monotonicity,
    OutputRange,
    Unreachable,
    depends_on,
    interactions,
    is_monotonic,
    output_range,
    unreachable,
)
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.id3 import ID3
from reference_tree.learners.optimal import Optimal
from reference_tree.learners.place import Ties
from reference_tree.measures.conditional_entropy import conditional_entropy, joint_entropy
from reference_tree.measures.contingency import Contingency
from reference_tree.measures.entropy import entropy, self_information
from reference_tree.measures.gain_ratio import gain_ratio, split_information
from reference_tree.measures.gini_index import gini, gini_decrease, gini_index
from reference_tree.measures.information_gain import information_gain, mutual_information
from reference_tree.measures.values import variance, variance_reduction
from reference_tree.measures.variance import moments
from reference_tree.programs.reading import read_foreign
from reference_tree.pruning.prune import prune
from reference_tree.selection.cross_validation import cross_validate, folds, select, splits
from reference_tree.selection.holdout import holdout
from reference_tree.stores.sql import sql
from reference_tree.tree import Node, Tree, TreeError
from reference_tree.tree_document import from_json, predictor_from_json, read_predictor, read_tree, to_json
from reference_tree.views.derivation.ensembles import explain_votes
from reference_tree.views.derivation.explain import explain, explain_decision
from reference_tree.views.derivation.prediction import explain_prediction
from reference_tree.views.plots.plane import to_plane
from reference_tree.views.trees.code import to_python, to_sql
from reference_tree.views.trees.pmml import to_pmml
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_dot, to_mermaid, to_rules, to_text

RENAMED: dict[str, tuple[str, str]] = {}
"""Former names that still work, and warn: name → its name today, and the version that will not have the former one."""

__all__ = [
    "C45",
    "CART",
    "ID3",
    "AdaBoost",
    "AdaBoostClassifier",
    "Attribute",
    "AttributionAudit",
    "Attributions",
    "Audit",
    "Bagging",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostingTree",
    "BoostingTreeRegressor",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Contingency",
    "Counterfactual",
    "Ensemble",
    "Equivalence",
    "Finding",
    "GradientBoosting",
    "GradientTree",
    "ID3Classifier",
    "InputError",
    "Monotonicity",
    "Node",
    "Optimal",
    "OutputRange",
    "RandomForest",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Reduced",
    "Table",
    "Ties",
    "Tree",
    "TreeError",
    "Unreachable",
    "XGBClassifier",
    "XGBRegressor",
    "audit",
    "audit_attributions",
    "check",
    "conditional_entropy",
    "counterfactual",
    "cross_validate",
    "depends_on",
    "entropy",
    "equivalent",
    "explain",
    "explain_decision",
    "explain_prediction",
    "explain_votes",
    "fingerprint",
    "folds",
    "from_json",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "gini_index",
    "holdout",
    "importances",
    "information_gain",
    "interactions",
    "is_monotonic",
    "joint_entropy",
    "moments",
    "mutual_information",
    "output_range",
    "parts_like",
    "predictor_from_json",
    "prune",
    "read",
    "read_foreign",
    "read_predictor",
    "read_tree",
    "reduce",
    "select",
    "self_information",
    "shapley_interaction_values",
    "shapley_values",
    "split_information",
    "splits",
    "sql",
    "textbook",
    "to_dot",
    "to_json",
    "to_mermaid",
    "to_plane",
    "to_pmml",
    "to_python",
    "to_rules",
    "to_sql",
    "to_svg",
    "to_text",
    "unreachable",
    "variance",
    "variance_reduction",
]
