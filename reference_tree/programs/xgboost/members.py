"""The members of XGBoost's JSON: of a model, of the configuration that `save_config` writes, and of a dump.

Seen in files of the releases 1.7.6 to 3.4.1. Where a release holds a member in another place, both places are listed:
the weights of DART stand in a booster around the trees (to 3.2), beside them (3.3), or among them (3.4).
"""

from __future__ import annotations

from collections.abc import Iterable

from reference_tree.programs.inventory import Inventory

_TRAINED = "it tells how the trees were grown, and an answer needs the trees alone"
_TWICE = "it follows from other members"
_NAME = "the name of the group"

# One array for each member, with an entry a node.
TREE = Inventory(
    "a tree of XGBoost",
    {
        **dict.fromkeys(("left_children", "right_children", "split_indices", "split_conditions", "default_left")),
        **dict.fromkeys(("split_type", "categories", "categories_nodes", "categories_segments", "categories_sizes")),
        **dict.fromkeys(("base_weights", "sum_hessian", "loss_changes", "leaf_weights")),
        # Two of its numbers are checked against the arrays.
        "tree_param": Inventory(
            "the parameters of a tree", {"size_leaf_vector": None, "num_nodes": None},
            {"num_deleted": _TWICE, "num_feature": _TWICE}, needed=("size_leaf_vector", "num_nodes"),
        ),
    },
    {"id": "its number", "parents": _TWICE, "leaf_child_counts": _TWICE},
    needed=(
        "left_children", "right_children", "split_indices", "split_conditions", "default_left", "split_type",
        "categories", "categories_nodes", "categories_segments", "categories_sizes", "base_weights", "sum_hessian",
        "loss_changes", "tree_param",
    ),
)  # fmt: skip

# weight_drop stands here since 3.4.
FOREST = Inventory(
    "the trees of a booster",
    {
        "trees": TREE, "tree_info": None, "iteration_indptr": None, "weight_drop": None,
        "gbtree_model_param": Inventory(
            "the parameters of the trees", {"num_parallel_tree": None, "num_trees": None},
            at={"size_leaf_vector": (["0", "1"], "train it with multi_strategy one_output_per_tree")},
            needed=("num_trees",),
        ),
        "cats": Inventory(
            "the categories of a frame",
            {
                "enc": Inventory("the categories of a column", {"values": None, "offsets": None}, {"type": _TWICE}),
                "feature_segments": None, "sorted_idx": None,
            },
            needed=("enc", "feature_segments", "sorted_idx"),
        ),
    },
)  # fmt: skip

# A DART booster to 3.2 holds a gbtree, and its weights beside it.
WRAPPED = Inventory("the booster in a DART booster", {"name": None, "model": FOREST})

BOOSTER = Inventory("a booster of XGBoost", {"name": None, "model": FOREST, "gbtree": WRAPPED, "weight_drop": None})


def _group(what: str, used: Iterable[str], others: Iterable[str], *, why: str = _TRAINED) -> Inventory:
    return Inventory(what, dict.fromkeys(used), dict.fromkeys(others, why))


_LAMBDARANK = (
    "lambdarank_bias_norm", "lambdarank_normalization", "lambdarank_num_pair_per_sample", "lambdarank_pair_method",
    "lambdarank_score_normalization", "lambdarank_unbiased", "ndcg_exp_gain",
)  # fmt: skip
# Each objective has a group of its own; of some a member is used: the shares of quantiles name the outputs.
OBJECTIVE = Inventory(
    "the objective",
    {
        "name": None,
        "quantile_loss_param": _group("the parameters of the quantile error", ["quantile_alpha"], []),
        "expectile_loss_param": _group("the parameters of the expectile error", ["expectile_alpha"], []),
        "reg_loss_param": _group("the parameters of a loss", ["scale_pos_weight"], []),
        "poisson_regression_param": _group("the parameters of Poisson regression", [], ["max_delta_step"]),
        "tweedie_regression_param": _group("the parameters of Tweedie regression", [], ["tweedie_variance_power"]),
        "pseudo_huber_param": _group("the parameters of the Huber error", [], ["huber_slope"]),
        "softmax_multiclass_param": _group("the parameters of softmax", [], ["num_class"], why=_TWICE),
        "lambdarank_param": _group("the parameters of ranking", [], _LAMBDARANK),
        "lambda_rank_param": _group("the parameters of ranking, to 1.7", [], ["fix_list_weight", "num_pairsample"]),
        "aft_loss_param": _group(
            "the parameters of failure times", [], ["aft_loss_distribution", "aft_loss_distribution_scale"]
        ),
    },
    {"ti+": _TRAINED, "tj-": _TRAINED},
)

INTERCEPT = Inventory(
    "the parameters of a model",
    dict.fromkeys(("base_score", "num_class", "num_feature", "num_target")),
    {"boost_from_average": _TRAINED},
    needed=("base_score", "num_class", "num_feature"),
)

# The configuration.

_TREE_PARAMETERS = _group(
    "the parameters of growing",
    (
        "eta", "lambda", "gamma", "alpha", "max_depth", "max_leaves", "min_child_weight", "max_delta_step", "subsample",
        "colsample_bytree", "colsample_bylevel", "colsample_bynode", "monotone_constraints", "interaction_constraints",
    ),
    (
        "learning_rate", "reg_lambda", "reg_alpha", "min_split_loss", "cache_opt", "grow_policy", "max_bin",
        "max_cat_threshold", "max_cat_to_onehot", "refresh_leaf", "sampling_method", "sketch_ratio", "sparse_threshold",
    ),
)  # fmt: skip
# The parameters of growing stand under each step once more.
_STEPS = Inventory(
    "a step of growing", {"train_param": _TREE_PARAMETERS},
    {"name": _NAME, "hist_train_param": _TRAINED, "colmaker_train_param": _TRAINED, "linear_train_param": _TRAINED},
)  # fmt: skip
_UPDATERS = Inventory(
    "the steps of growing",
    {
        **_STEPS.used,
        # Each release has other steps; their names decide nothing.
        **dict.fromkeys(("grow_colmaker", "grow_histmaker", "grow_quantile_histmaker", "grow_gpu_hist"), _STEPS),
        **dict.fromkeys(("grow_gpu_approx", "grow_local_histmaker", "prune", "refresh", "sync"), _STEPS),
    },
    _STEPS.no_effect,
)
_TREES = {
    "tree_train_param": _TREE_PARAMETERS,
    "gbtree_train_param": _group(
        "the parameters of boosting", ["tree_method"], ["predictor", "process_type", "updater", "updater_seq"]
    ),
    "gbtree_model_param": _group(
        "the parameters of the trees of a configuration", ["num_parallel_tree"], ["num_trees", "size_leaf_vector"]
    ),
    "updater": _UPDATERS,
}
_DART = {
    "dart_train_param": "a model that dropped trees has their weights, and an audit says that it cannot repeat this"
}

# save_config writes everything but the trees.
CONFIGURATION = Inventory(
    "a configuration of XGBoost",
    {
        "learner": Inventory(
            "the learner of a configuration",
            {
                "gradient_booster": Inventory(
                    "the booster of a configuration",
                    {
                        **_TREES,
                        "gbtree": Inventory(
                            "the DART booster of a configuration",
                            _TREES,
                            {"name": _NAME, "specified_updater": _TRAINED},
                        ),
                    },
                    {"name": _NAME, "specified_updater": _TRAINED, "gblinear_train_param": _TRAINED, **_DART},
                ),
                "objective": OBJECTIVE,
                "learner_model_param": INTERCEPT,
            },
            {"generic_param": _TRAINED, "learner_train_param": _TWICE, "metrics": "how the training was watched"},
        )
    },
    {"version": "a configuration is read for its parameters, whose names are checked"},
)

# save_model writes two members at the top: the release, and the learner.
MODEL = Inventory(
    "a model of XGBoost",
    {
        "version": None,
        "learner": Inventory(
            "the learner of a model",
            {
                "attributes": None, "feature_names": None, "feature_types": None, "gradient_booster": BOOSTER,
                "learner_model_param": INTERCEPT, "objective": OBJECTIVE,
            },
            needed=(
                "attributes", "feature_names", "feature_types", "gradient_booster", "learner_model_param", "objective"
            ),
        ),
    },
    needed=("version", "learner"),
)  # fmt: skip

# A node of a dump holds its children, so the inventory holds itself.
_dumped: dict[str, Inventory | None] = dict.fromkeys(
    ("nodeid", "split", "split_condition", "yes", "no", "missing", "leaf")
)
DUMPED = Inventory(
    "a node of a dump", _dumped,
    {"depth": _TWICE, "gain": "a dump states no parameters, so it is not judged", "cover": "likewise"},
)  # fmt: skip
_dumped["children"] = DUMPED
