"""Models of CatBoost answer as CatBoost does, and nothing of their JSON is passed over."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.inventory import UnreadError
from reference_tree.programs.reading import predictor_of_file, read_foreign
from tests.every import of_every
from tests.programs.catboost.files import FOLDER, REFUSED, every_model


def model_of(kind: str) -> Any:
    return json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))


def outputs_of(path: Path) -> Iterator[Ensemble]:
    """The ensembles of a file, one for each output."""
    count = len(read_foreign(path))
    for place in range(count):
        model = predictor_of_file(path, output=str(place + 1) if count > 1 else None)
        assert isinstance(model, Ensemble)
        yield model


@every_model
def test_a_model_answers_as_catboost_does(path: Path) -> None:
    """The recorded answers are those of release 1.2.10; sums are equal to the last bit, and so are labels."""
    told = json.loads(path.with_suffix(".answers.json").read_text(encoding="utf-8"))
    for place, model in enumerate(outputs_of(path)):
        names = [attribute.name for attribute in model.attributes]
        for number, cells in enumerate(told["rows"]):
            row = dict(zip(names, cells, strict=True))
            if "labels" in told:
                assert model.predict(row) == told["labels"][number]
                ours, theirs = list(map(float, model.distribution(row).values())), told["shares"][number]
            else:
                ours, theirs = [float(model.predict(row))], [told["numbers"][number][place]]
            # CatBoost has a fast exponential function, which is off by a few units in the last place.
            assert ours == (theirs if model.combine == "sum" else pytest.approx(theirs, rel=4e-15))


def test_questions_of_a_level_are_the_bits_of_a_leaf() -> None:
    model = model_of("number")
    tree = model["oblivious_trees"][0]
    (document,) = read_foreign(model)
    nodes = document["trees"][0]["nodes"]
    first, last = (split["float_feature_index"] for split in tree["splits"])
    assert [nodes[k]["test"]["attribute"] for k in (0, 1, 4)] == [f"x{last}", f"x{first}", f"x{first}"]
    assert [float(eval_of(nodes[k]["value"])) for k in (2, 3, 5, 6)] == tree["leaf_values"]
    assert len(document["trees"]) == 4  # three trees, and the bias, which is added last


def eval_of(text: str) -> float:
    """The number of a text such as 1/3."""
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def test_a_model_says_how_it_held_its_numbers() -> None:
    (document,) = read_foreign(FOLDER / "number.json")
    assert document["program"] == {
        "name": "CatBoost", "version": "1.2.10", "numbers": "float32", "sums": "double",
        "silent": ["inner-labels", "counts"],
    }  # fmt: skip


def test_classes_and_features_can_be_named() -> None:
    (document,) = read_foreign(FOLDER / "shares.json", target="y", attributes=["a", "b", "c"], classes=["no", "yes"])
    assert document["target"] == {"name": "y", "kind": "categorical", "classes": ["no", "yes"]}
    assert [attribute["name"] for attribute in document["attributes"]] == ["a", "b", "c"]
    (document,) = read_foreign(FOLDER / "truth.json")
    assert document["target"]["classes"] == ["False", "True"]


@of_every(list(REFUSED))
def test_what_is_not_read_is_refused_by_name(kind: str) -> None:
    with pytest.raises(InputError, match=REFUSED[kind]) as refused:
        read_foreign(FOLDER / f"{kind}.json")
    assert "\n" not in str(refused.value)


@of_every(
    [
        ({"ctr_data": {}}, "a model of CatBoost has a member 'ctr_data'"),
        ({"trees": []}, "neither oblivious_trees nor trees, or both"),
        ({"oblivious_trees": [{"splits": [], "leaf_values": [1, 2]}]}, "0 splits has 2 leaf_values, and not 1"),
        ({"oblivious_trees": [{"leaf_values": [float("nan")]}]}, "no number that a double could hold"),
        ({"scale_and_bias": [1, [0, 0, 0]]}, "leaf_values, and not 12"),
        ({"scale_and_bias": [1, []]}, "is not a model of CatBoost"),
    ]
)
def test_members_that_do_not_fit_are_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    with pytest.raises(InputError, match=message):
        read_foreign(model_of("number") | change)


@of_every(
    [
        ({"split_type": "OneHotFeature"}, "a split is a 'OneHotFeature'"),
        ({"cat_feature_index": 0}, "tests of categories are not"),
        ({"float_feature_index": 9}, "'9' is absent"),
        ({"border": float("inf")}, "no number that a double could hold"),
    ]
)
def test_a_split_that_is_not_read_is_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    model = model_of("number")
    model["oblivious_trees"][0]["splits"][0] |= change
    with pytest.raises(InputError, match=message):
        read_foreign(model)


@of_every(
    [
        ({"nan_value_treatment": "AsMean"}, "missing values are treated 'AsMean'"),
        ({"flat_feature_index": 7}, "do not count them from 0"),
    ]
)
def test_a_feature_that_is_not_read_is_refused(case: tuple[dict[str, Any], str]) -> None:
    change, message = case
    model = model_of("number")
    for feature in model["features_info"]["float_features"][1:]:
        feature |= change
    with pytest.raises(InputError, match=message):
        read_foreign(model)


def test_a_nested_tree_of_any_depth_is_read_and_a_node_of_two_kinds_is_not() -> None:
    model = model_of("depthwise")
    split = next(iter(splits_of(model["trees"][0])))
    tree: dict[str, Any] = {"value": 1.0, "weight": 1}
    for _ in range(3000):
        tree = {"split": split, "left": {"value": 0, "weight": 0}, "right": tree}
    (document,) = read_foreign(model | {"trees": [tree]})
    assert len(document["trees"][0]["nodes"]) == 6001
    with pytest.raises(InputError, match="neither a value nor a split, or both"):
        read_foreign(model | {"trees": [{"split": split, "value": 1}]})
    with pytest.raises(InputError, match="a leaf has 2 numbers, and there are 1 sums"):
        read_foreign(model | {"trees": [{"value": [1, 2]}]})


def splits_of(tree: dict[str, Any]) -> Iterator[Any]:
    """The splits of a nested tree."""
    if "split" in tree:
        yield tree["split"]
        yield from splits_of(tree["left"])


def test_a_fitted_object_is_read_as_the_file_that_it_would_write() -> None:
    content = (FOLDER / "number.json").read_text(encoding="utf-8")

    class CatBoost:
        __module__ = "catboost.core"

        def save_model(self, path: str, **options: str) -> None:
            assert options == {"format": "json"}
            Path(path).write_text(content, encoding="utf-8")

    assert read_foreign(CatBoost()) == read_foreign(content)


@pytest.mark.oracles
def test_models_that_are_fitted_now_answer_alike() -> None:
    numpy: Any = pytest.importorskip("numpy")
    of: Any = pytest.importorskip("catboost")
    X, y = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    for seed in range(5):
        draws = numpy.random.default_rng(seed)
        rows = numpy.where(draws.random(X.shape) < 0.1, numpy.nan, X + draws.normal(0, 0.1, X.shape))
        quiet = {"verbose": 0, "allow_writing_files": False, "thread_count": 1, "random_seed": seed}
        model = of.CatBoostRegressor(iterations=40, depth=2 + seed, **quiet).fit(rows, y * 1.5)
        (document,) = read_foreign(model)
        from reference_tree import from_json

        ours = from_json(json.dumps(document))
        for row, answer in zip(rows.tolist()[::3], model.predict(rows[::3]).tolist(), strict=True):
            given = {f"x{place}": None if cell != cell else cell for place, cell in enumerate(row)}
            assert float(ours.predict(given)) == answer


def test_a_binary_model_is_told_from_json_and_has_its_way_out(tmp_path: Path) -> None:
    (tmp_path / "model.cbm").write_bytes(b"CBM1\0\0\0\0")
    with pytest.raises(InputError, match=r'save_model\("model.json", format="json"\) writes a model that is read'):
        read_foreign(tmp_path / "model.cbm")
    with pytest.raises(UnreadError, match="a model of CatBoost"):
        read_foreign({"features_info": {}, "model_info": {}})


@of_every([True, False])
def test_an_object_that_is_not_fitted_is_refused_in_a_line(can_be: bool) -> None:
    """A regressor before `fit`, and a pool of rows, which cannot be fitted at all."""
    held: dict[str, Any] = {"__module__": "catboost.core"} | ({"is_fitted": lambda self: False} if can_be else {})
    with pytest.raises(InputError, match="is no tree of a program that is read here"):
        read_foreign(type("Held", (), held)())
