"""Models in ONNX and what onnxruntime answers: `python tests/programs/onnx/record.py FOLDER`.

It needs onnx 1.19, onnxruntime, skl2onnx, onnxmltools, scikit-learn, lightgbm, xgboost and numpy. What is written are
`KIND.onnx` and `KIND.answers.json`: the rows, the numbers or the scores of the classes, and the labels.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def converted() -> Iterator[tuple[str, Any]]:
    """Models of other programs, converted."""
    numpy: Any = importlib.import_module("numpy")
    to_onnx: Any = importlib.import_module("skl2onnx").to_onnx
    mltools: Any = importlib.import_module("onnxmltools")
    types: Any = importlib.import_module("onnxmltools.convert.common.data_types")
    trees, of = importlib.import_module("sklearn.tree"), importlib.import_module("sklearn.ensemble")
    lgb, xgb = importlib.import_module("lightgbm"), importlib.import_module("xgboost")
    X, y = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    X = X[:, :3].astype(numpy.float32)
    two, number, names = (y == 1).astype(int), X[:, 0], numpy.array(["a", "b", "c"])[y]
    holes = X.copy()
    holes[::7, 1] = numpy.nan
    shape = {"max_depth": 2, "random_state": 0}
    fitted = {
        "tree-classes": trees.DecisionTreeClassifier(**shape).fit(X, y),
        "tree-two-classes": trees.DecisionTreeClassifier(**shape).fit(X, two),
        "tree-number": trees.DecisionTreeRegressor(**shape).fit(X, number),
        "tree-two-numbers": trees.DecisionTreeRegressor(**shape).fit(X, X[:, :2]),
        "forest-classes": of.RandomForestClassifier(3, **shape).fit(X, y),
        "forest-two-classes": of.RandomForestClassifier(3, **shape).fit(X, two),
        # Ten trees of pure leaves: five votes against five are a tie, which the roundings of float32 break.
        "forest-ties": of.RandomForestClassifier(10, max_features=1, random_state=1).fit(X[50:130], two[50:130]),
        "forest-names": of.RandomForestClassifier(3, **shape).fit(X, names),
        "forest-number": of.RandomForestRegressor(3, **shape).fit(X, number),
        "extra-trees": of.ExtraTreesRegressor(3, **shape).fit(X, number),
        "boosting-classes": of.GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, y),
        "boosting-two-classes": of.GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, two),
        "boosting-number": of.GradientBoostingRegressor(n_estimators=3, max_depth=2).fit(X, number),
        "ada": of.AdaBoostClassifier(n_estimators=2, random_state=0).fit(X, y),
    }
    for kind, model in fitted.items():
        yield kind, to_onnx(model, X[:1])
    yield "forest-array", to_onnx(fitted["forest-classes"], X[:1], options={"zipmap": False})
    given = [("x", types.FloatTensorType([None, 3]))]
    small = {"n_estimators": 3, "max_depth": 2}
    for kind, model in {
        "xgboost-number": xgb.XGBRegressor(**small).fit(holes, number),
        "xgboost-classes": xgb.XGBClassifier(**small).fit(holes, y),
        "xgboost-two-classes": xgb.XGBClassifier(**small).fit(holes, two),
        "xgboost-forest": xgb.XGBRFRegressor(**small).fit(holes, number),
        "xgboost-poisson": xgb.XGBRegressor(objective="count:poisson", **small).fit(holes, y),
    }.items():
        yield kind, mltools.convert_xgboost(model, initial_types=given)
    few = {"n_estimators": 3, "num_leaves": 4, "verbose": -1}
    for kind, model in {
        "lightgbm-number": lgb.LGBMRegressor(**few).fit(holes, number),
        "lightgbm-classes": lgb.LGBMClassifier(**few).fit(holes, y),
        "lightgbm-two-classes": lgb.LGBMClassifier(**few).fit(holes, two),
        "lightgbm-each-class": lgb.LGBMClassifier(objective="multiclassova", **few).fit(holes, y),
        "lightgbm-poisson": lgb.LGBMRegressor(objective="poisson", **few).fit(holes, y),
        "lightgbm-gamma": lgb.LGBMRegressor(objective="gamma", **few).fit(holes, y + 1),
    }.items():
        yield kind, mltools.convert_lightgbm(model, initial_types=given)
    codes = numpy.column_stack([X[:, :2], numpy.arange(len(X)) % 6]).astype(numpy.float32)
    by_code = {"min_data_in_leaf": 1, "min_data_per_group": 1, "cat_smooth": 0}
    model = lgb.LGBMRegressor(**few, **by_code).fit(codes, codes[:, 2] % 3, categorical_feature=[2])
    yield "lightgbm-codes", mltools.convert_lightgbm(model, initial_types=given)


def written() -> Iterator[tuple[str, Any]]:
    """Models that the package onnx writes: what the standard allows, and converters do not write."""
    onnx: Any = importlib.import_module("onnx")
    make, types = onnx.helper, onnx.TensorProto
    shape: dict[str, Any] = {
        "nodes_treeids": [0, 0, 0, 1, 1, 1], "nodes_nodeids": [0, 1, 2] * 2, "nodes_featureids": [0, 0, 0, 1, 0, 0],
        "nodes_truenodeids": [1, 0, 0] * 2, "nodes_falsenodeids": [2, 0, 0] * 2,
    }  # fmt: skip
    values = [0.3, 0.0, 0.0, 0.7, 0.0, 0.0]
    targets: dict[str, Any] = {
        "target_treeids": [0, 0, 1, 1], "target_nodeids": [1, 2] * 2, "target_ids": [0] * 4, "n_targets": 1,
    }  # fmt: skip
    leaves = [0.1, 0.2, 0.4, 0.8]

    def model(kind: int, **attributes: Any) -> Any:
        node = make.make_node(
            "TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", **shape, **targets, **attributes
        )
        given, answer = (make.make_tensor_value_info(n, t, None) for n, t in (("X", kind), ("Y", types.FLOAT)))
        sets = [make.make_opsetid("", 18), make.make_opsetid("ai.onnx.ml", 3)]
        return make.make_model(make.make_graph([node], "trees", [given], [answer]), opset_imports=sets, ir_version=8)

    lists = {"nodes_values": values, "target_weights": leaves}
    modes = ["BRANCH_GT", "LEAF", "LEAF", "BRANCH_GTE", "LEAF", "LEAF"]
    gaps = {"nodes_missing_value_tracks_true": [1, 0, 0, 0, 0, 0]}
    yield "written-greater", model(types.FLOAT, nodes_modes=modes, base_values=[0.3], **lists, **gaps)
    tensors = {
        f"{name}_as_tensor": make.make_tensor(name, types.DOUBLE, [len(each)], each) for name, each in lists.items()
    }
    modes = ["BRANCH_LT", "LEAF", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"]
    yield "written-doubles", model(types.DOUBLE, nodes_modes=modes, **tensors)
    modes_of = {"LEQ": 0, "LT": 1, "GTE": 2, "GT": 3}
    for form, kind in (("written-newer", types.FLOAT), ("written-newer-doubles", types.DOUBLE)):
        # Three trees: two of which the second has a test below the first, and one that is a leaf.
        node = make.make_node(
            "TreeEnsemble", ["X"], ["Y"], domain="ai.onnx.ml", n_targets=1, tree_roots=[0, 1, 3],
            nodes_featureids=[0, 1, 0, 0], nodes_modes=make.make_tensor(
                "m", types.UINT8, [4], [modes_of[each] for each in ("LEQ", "GT", "LT", "LEQ")]
            ),
            nodes_splits=make.make_tensor("s", kind, [4], [0.3, 0.7, 0.25, 0.0]), nodes_truenodeids=[0, 2, 3, 5],
            nodes_trueleafs=[1, 0, 1, 1], nodes_falsenodeids=[1, 2, 4, 5], nodes_falseleafs=[1, 1, 1, 1],
            nodes_missing_value_tracks_true=[1, 0, 0, 0], leaf_targetids=[0] * 6,
            leaf_weights=make.make_tensor("w", kind, [6], [0.1, 0.2, 0.4, 0.8, 1.6, 3.2]),
        )  # fmt: skip
        given, answer = (make.make_tensor_value_info(n, kind, [None, size]) for n, size in (("X", 2), ("Y", 1)))
        sets = [make.make_opsetid("", 18), make.make_opsetid("ai.onnx.ml", 5)]
        graph = make.make_graph([node], "trees", [given], [answer])
        yield form, make.make_model(graph, opset_imports=sets, ir_version=9)
    yield "written-double-rows", model(types.DOUBLE, nodes_modes=modes, base_values=[0.3], **lists)


def main(folder: Path) -> None:
    """Write the models and their answers."""
    numpy: Any = importlib.import_module("numpy")
    runtime: Any = importlib.import_module("onnxruntime")
    X, _ = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    for kind, model in [*converted(), *written()]:
        (folder / f"{kind}.onnx").write_bytes(model.SerializeToString())
        session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        (given,) = session.get_inputs()
        rows = X[::5, :3].astype(numpy.float32).astype(numpy.float64)
        if kind.startswith("written"):
            rows = numpy.array([[0.3, 0.7], [0.30000001192092896, 0.699999988079071], [0.2, 0.9], [numpy.nan] * 2])
        else:
            rows[::4, 1] = numpy.nan
        answers = session.run(None, {given.name: rows.astype(numpy.float32 if "float)" in given.type else float)})
        told: dict[str, Any] = {"rows": [[None if v != v else v for v in row] for row in rows.tolist()]}
        if len(answers) == 1:
            told["numbers"] = answers[0].tolist()
        else:
            told["labels"] = list(map(str, answers[0].tolist()))
            told["scores"] = [list(row.values() if isinstance(row, dict) else row.tolist()) for row in answers[1]]
        (folder / f"{kind}.answers.json").write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
