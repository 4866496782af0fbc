"""The members of LightGBM's files: the keys of its text, the parameters at its end, and the members of its JSON.

Seen in files of the releases 2.3.1 to 4.7.0. The text says nothing of the release that wrote it but the version of its
form, v2 to v4.
"""

from __future__ import annotations

from reference_tree.programs.inventory import Inventory

FORMS = ("v2", "v3", "v4")
"""The versions of the form of a model that were tried, oldest first."""

_TRAINED = "it tells how the trees were grown, and an answer needs the trees alone"
_TWICE = "it follows from other members"
_LINEAR = "its leaves are linear functions; train it with linear_tree off"
_WHERE = "where a tree stands in the text"

_linear = dict.fromkeys(("leaf_const", "num_features", "leaf_features", "leaf_coeff"), _LINEAR)

# The first lines, up to the first tree.
HEAD = Inventory(
    "the head of a model",
    {
        **dict.fromkeys(("version", "num_class", "num_tree_per_iteration", "max_feature_idx", "objective")),
        **dict.fromkeys(("feature_names", "feature_infos")),
    },
    {"label_index": "the column of the target in a file", "tree_sizes": _WHERE, "monotone_constraints": _TRAINED},
)  # fmt: skip
"""The keys of the first lines of a text."""

# One line a member, with an entry a node; the categories of all nodes stand in two lists.
TREE = Inventory(
    "a tree",
    dict.fromkeys((
        "num_leaves", "num_cat", "split_feature", "split_gain", "threshold", "decision_type", "left_child",
        "right_child", "leaf_value", "leaf_weight", "leaf_count", "internal_value", "internal_weight", "internal_count",
        "cat_boundaries", "cat_threshold", "shrinkage",
    )),
    {},
    {"is_linear": (["0"], _LINEAR)},
    _linear,
)  # fmt: skip
"""The keys of a tree in a text."""

# They change no answer: an audit reads how the trees were grown.
AUDITED = (
    "learning_rate", "lambda_l2", "min_gain_to_split", "max_depth", "min_sum_hessian_in_leaf", "min_data_in_leaf",
    "num_leaves", "cat_l2", "boost_from_average", "boosting", "data_sample_strategy", "bagging_freq",
    "feature_fraction", "feature_fraction_bynode", "extra_trees", "lambda_l1", "max_delta_step", "path_smooth",
    "linear_tree", "use_quantized_grad", "is_unbalance", "scale_pos_weight", "reg_sqrt", "monotone_constraints",
    "interaction_constraints", "feature_contri", "forcedsplits_filename", "zero_as_missing", "weight_column",
    "cegb_penalty_split", "cegb_penalty_feature_lazy", "cegb_penalty_feature_coupled", "sigmoid",
)  # fmt: skip
"""The parameters that an audit goes by."""

OTHERS = (
    "alpha", "auc_mu_weights", "bagging_by_query", "bagging_fraction", "bagging_seed", "bin_construct_sample_cnt",
    "cat_smooth", "categorical_feature", "cegb_tradeoff", "convert_model", "convert_model_language", "data",
    "data_random_seed", "data_seed", "deterministic", "device_type", "drop_rate", "drop_seed",
    "early_stopping_min_delta", "early_stopping_round", "enable_bundle", "eval_at", "extra_seed", "fair_c",
    "feature_fraction_seed", "feature_pre_filter", "first_metric_only", "force_col_wise", "force_row_wise",
    "forcedbins_filename", "gpu_device_id", "gpu_device_id_list", "gpu_platform_id", "gpu_use_dp", "group_column",
    "header", "histogram_pool_size", "ignore_column", "initscore_filename", "input_model", "is_enable_sparse",
    "is_provide_training_metric", "label_column", "label_gain", "lambdamart_norm", "lambdarank_norm",
    "lambdarank_position_bias_regularization", "lambdarank_truncation_level", "linear_lambda", "local_listen_port",
    "machine_list_filename", "machines", "max_bin", "max_bin_by_feature", "max_cat_threshold", "max_cat_to_onehot",
    "max_conflict_rate", "max_drop", "max_position", "metric", "metric_freq", "min_data_in_bin", "min_data_per_group",
    "monotone_constraints_method", "monotone_penalty", "multi_error_top_k", "neg_bagging_fraction", "num_class",
    "num_gpu", "num_grad_quant_bins", "num_iteration_predict", "num_iterations", "num_machines", "num_threads",
    "objective", "objective_seed", "other_rate", "output_model", "output_result", "parser_config_file",
    "poisson_max_delta_step", "pos_bagging_fraction", "pre_partition", "precise_float_parser", "pred_early_stop",
    "pred_early_stop_freq", "pred_early_stop_margin", "predict_contrib", "predict_disable_shape_check",
    "predict_leaf_index", "predict_raw_score", "quant_train_renew_leaf", "refit_decay_rate",
    "saved_feature_importance_type", "save_binary", "seed", "skip_drop", "snapshot_freq", "sparse_threshold",
    "start_iteration_predict", "stochastic_rounding", "time_out", "top_k", "top_rate", "tree_learner",
    "tweedie_variance_power", "two_round", "uniform_drop", "use_missing", "use_two_round_loading", "valid",
    "valid_data_initscores", "verbosity", "xgboost_dart_mode",
)  # fmt: skip
PARAMETERS = Inventory("the parameters of a model", dict.fromkeys(AUDITED), dict.fromkeys(OTHERS, _TRAINED))
"""The parameters at the end of a text."""

_node: dict[str, Inventory | None] = dict.fromkeys((
    "split_feature", "split_gain", "threshold", "default_left", "missing_type", "internal_value", "internal_weight",
    "internal_count", "leaf_value", "leaf_weight", "leaf_count",
))  # fmt: skip
NODE = Inventory(
    "a node",
    _node,
    {"split_index": "its number", "leaf_index": "its number"},
    {"decision_type": (["<=", "=="], "a threshold is asked by <=, and categories by ==")},
    _linear,
)
_node |= {"left_child": NODE, "right_child": NODE}

INFO = Inventory("what is known of a feature", {"values": None}, {"min_value": _TRAINED, "max_value": _TRAINED})

JSON = Inventory(
    "a model in JSON",
    {
        **dict.fromkeys(("version", "num_class", "num_tree_per_iteration", "max_feature_idx", "objective")),
        **dict.fromkeys(("average_output", "feature_names", "feature_infos", "pandas_categorical")),
        "tree_info": Inventory(
            "a tree in JSON",
            {"num_leaves": None, "shrinkage": None, "tree_structure": NODE},
            {"tree_index": "its number", "num_cat": _TWICE},
        ),
    },
    {
        "name": "`tree`, by which a model is recognised",
        "label_index": "the column of the target in a file",
        "monotone_constraints": _TRAINED,
        "feature_importances": _TWICE,
    },
    needed=("average_output", "feature_infos", "pandas_categorical"),
)
"""The members of what `dump_model` gives."""
