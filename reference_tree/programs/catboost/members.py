"""The members of a model of CatBoost: used, without effect on an answer, or refused by name."""

from __future__ import annotations

from reference_tree.programs.inventory import Inventory

_TRAINED = "it tells how the trees were grown, and an answer needs the trees alone"
_TEXT = "it is a text for its user"
CODES = "train with the categories as numbers, such as one column for each"
"""The way out of categories."""

SPLIT = Inventory(
    "a split", dict.fromkeys(("split_type", "float_feature_index", "border")),
    {"split_index": "it counts the borders of all features"},
    refused=dict.fromkeys(
        ("cat_feature_index", "value", "ctr_target_border_idx"), f"tests of categories are not; {CODES}"
    ),
    needed=("split_type",),
)  # fmt: skip
"""A test of a number."""

# A node that is not a leaf holds the two below it, so the inventory holds itself.
_nested: dict[str, Inventory | None] = {"split": SPLIT, "value": None}
NODE = Inventory("a node of CatBoost", _nested, {"weight": _TRAINED})
_nested |= {"left": NODE, "right": NODE}

MODEL = Inventory(
    "a model of CatBoost",
    {
        "oblivious_trees": Inventory(
            "a symmetric tree", {"splits": SPLIT, "leaf_values": None}, {"leaf_weights": _TRAINED},
            needed=("leaf_values",),
        ),
        "trees": NODE,
        "scale_and_bias": None,
        "features_info": Inventory(
            "the features",
            {
                "float_features": Inventory(
                    "a feature",
                    dict.fromkeys(("feature_id", "feature_index", "flat_feature_index", "nan_value_treatment")),
                    {"borders": "the splits have them", "has_nans": "nan_value_treatment says what follows"},
                    needed=("feature_index", "flat_feature_index", "nan_value_treatment"),
                ),
            },
            at={name: ([[]], f"they are not read; {CODES}") for name in (
                "categorical_features", "text_features", "embedding_features",
            )},
            needed=("float_features",),
        ),
        "model_info": Inventory(
            "what is told of a model",
            {
                "params": Inventory(
                    "the parameters",
                    {"loss_function": Inventory("the loss", {"type": None}, {"params": _TRAINED}, needed=("type",))},
                    dict.fromkeys(
                        (
                            "boosting_options", "cat_feature_params", "data_processing_options", "detailed_profile",
                            "flat_params", "metrics", "pool_metainfo_options", "random_seed", "system_options",
                            "task_type", "tree_learner_options",
                        ),
                        _TRAINED,
                    ) | dict.fromkeys(("logging_level", "metadata"), _TEXT),
                    needed=("loss_function",),
                ),
                "class_params": Inventory(
                    "the classes", dict.fromkeys(("class_names", "class_to_label")),
                    {"class_label_type": "the names are texts here", "classes_count": "the leaves say how many"},
                    needed=("class_names", "class_to_label"),
                ),
                "catboost_version_info": None,
            },
            {**dict.fromkeys(("model_guid", "train_finish_time"), _TEXT),
             **dict.fromkeys(("output_options", "training"), _TRAINED)},
            {"binclass_probability_threshold": (["0.5"], "set_probability_threshold(0.5) takes it back")},
            needed=("params",),
        ),
    },
    refused={"ctr_data": f"it is of tests of categories; {CODES}"},
    needed=("scale_and_bias", "features_info", "model_info"),
)  # fmt: skip
"""A model, with its trees."""
