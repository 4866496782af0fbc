"""Booster: a boosted ensemble in the form of XGBoost's models, which XGBoost itself loads.

1. `in_levels` numbers the nodes of a tree as XGBoost does: level by level, from left to right.
2. `model_of` is the model as JSON; numbers are rounded to float32 once, as XGBoost reads them.
3. `Booster` has what programs ask most of a booster of XGBoost. Anything else is refused by name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError
from reference_tree.data.held import next_single
from reference_tree.data.questions import Threshold
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.importance import split_importance
from reference_tree.exact.rounding import nearest_single
from reference_tree.measures.gradient_gain import gradient_gain
from reference_tree.tree import Tree

VERSION = (3, 1, 0)
"""The version of XGBoost whose form is written."""
NOBODY = 2**31 - 1
"""The parent of a root."""


class Penalties(NamedTuple):
    """The parameters that gains depend on."""

    reg_lambda: Any = 1
    reg_alpha: Any = 0


USUAL = Penalties()
"""XGBoost's own."""


def in_levels(tree: Tree) -> list[int]:
    """The nodes of a tree, level by level: their places in the order of XGBoost's numbers.

    Example:
        >>> import reference_tree as rt
        >>> tree = rt.CART(max_depth=2).grow(rt.textbook("iris"))
        >>> [node.branches for node in tree.nodes], in_levels(tree)
        ([(1, 2), (), (3, 4), (), ()], [0, 1, 2, 3, 4])
    """
    # The list grows while it is walked: breadth first, without a queue.
    found = [0]
    for place in found:
        found += tree.nodes[place].branches
    return found


def single(number: Any) -> float:
    """The float32 nearest to a number."""
    return nearest_single(float(number))


def gain_of(tree: Tree, place: int, penalties: Penalties) -> float:
    """The gain of the test of a node."""
    sides = [tree.nodes[branch].counts for branch in tree.nodes[place].branches]
    return float(gradient_gain(sides, *penalties))


def default_left(tree: Tree, place: int) -> bool:
    """Whether a row without a value goes to the left at a node."""
    return tree.nodes[place].missing.to == 0


def threshold_of(tree: Tree, place: int) -> float:
    """The threshold t of a test `< t`, as float32.

    Raises:
        InputError: the test is about categories.
    """
    test = tree.nodes[place].test
    if not isinstance(test, Threshold):
        raise InputError("a test of categories is not written in the form of XGBoost; save_model needs numbers")
    at = single(test.threshold)
    # XGBoost only knows `<`. Between a float32 and the next there is no value that it could hold.
    if not test.strict:  # `≤ t` is `<` the next float32
        return single(next_single(at)) if at <= test.threshold else at
    return at if at >= test.threshold else single(next_single(at))


def tree_of(tree: Tree, number: int, names: Sequence[str], penalties: Penalties) -> dict[str, Any]:
    """A tree as XGBoost's JSON has it.

    Args:
        tree: the tree, fitted to derivatives.
        number: its number in the ensemble.
        names: the attributes, in the order of the features.
        penalties: those that it was grown with.
    """
    # XGBoost stores arrays with an entry a node, in the order of its numbers.
    order, nodes = in_levels(tree), tree.nodes
    number_of = {place: found for found, place in enumerate(order)}
    # Members mean something else at a leaf: there the "threshold" is its value.
    inner = [nodes[place].test is not None for place in order]
    parents = {number_of[branch]: number_of[place] for place in order for branch in nodes[place].branches}

    def each(of_inner: Any, of_leaf: Any) -> list[Any]:
        return [of_inner(place) if asks else of_leaf(place) for place, asks in zip(order, inner, strict=True)]

    def value(place: int) -> float:
        return single(nodes[place].label)

    size = len(order)
    return {
        "base_weights": each(value, value),
        "categories": [], "categories_nodes": [], "categories_segments": [], "categories_sizes": [],
        "default_left": each(lambda place: int(default_left(tree, place)), lambda place: 0),
        "id": number,
        "left_children": each(lambda place: number_of[nodes[place].branches[0]], lambda place: -1),
        "loss_changes": each(lambda place: single(gain_of(tree, place, penalties)), lambda place: 0.0),
        "parents": [parents.get(found, NOBODY) for found in range(size)],
        "right_children": each(lambda place: number_of[nodes[place].branches[1]], lambda place: -1),
        "split_conditions": each(lambda place: threshold_of(tree, place), value),
        "split_indices": each(lambda place: names.index(nodes[place].test.attributes[0]), lambda place: 0),  # type: ignore[union-attr]
        "split_type": [0] * size,
        "sum_hessian": each(*2 * [lambda place: single(nodes[place].counts[2])]),
        "tree_param": {
            "num_deleted": "0", "num_feature": str(len(names)), "num_nodes": str(size), "size_leaf_vector": "1",
        },
    }  # fmt: skip


def start_of(ensemble: Ensemble) -> list[float]:
    """`base_score`: the start of the sums; of two classes, the probability of the second."""
    # A model states a probability for two classes, and the sums themselves otherwise.
    start = [float(margin) for margin in ensemble.start]
    return [1 / (1 + math.exp(-start[0]))] if ensemble.combine == "logistic" else start


OBJECTIVES: Mapping[str, str] = {"sum": "reg:squarederror", "logistic": "binary:logistic", "softmax": "multi:softprob"}
"""The rule of an ensemble → the objective of XGBoost."""


def model_of(
    ensemble: Ensemble, feature_names: Sequence[str] = (), penalties: Penalties = USUAL,
    attributes: Mapping[str, str] = {},
) -> dict[str, Any]:  # fmt: skip
    """The model of a boosted ensemble, as XGBoost's JSON has it.

    Args:
        ensemble: the ensemble, grown by gradient boosting.
        feature_names: the names of the features, if they have any.
        penalties: those that it was grown with.
        attributes: what else the model is to say of itself.

    Raises:
        InputError: a test is about categories, or the ensemble is none of gradient boosting.
    """
    # Three rules have an objective that XGBoost loads.
    if ensemble.combine not in OBJECTIVES:
        raise InputError(f"trees that are combined by {ensemble.combine} are no model of XGBoost")
    names = [attribute.name for attribute in ensemble.attributes]
    sums, objective = len(ensemble.start), OBJECTIVES[ensemble.combine]
    trees = [tree_of(member.tree, place, names, penalties) for place, member in enumerate(ensemble.members)]
    # Each objective has a group of its own.
    parameters = {"softmax_multiclass_param": {"num_class": str(sums)}} if sums > 1 else {
        "reg_loss_param": {"scale_pos_weight": "1"}}  # fmt: skip
    # The members that XGBoost needs to load a model.
    model = {
        "cats": {"enc": [], "feature_segments": [], "sorted_idx": []},
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
        "iteration_indptr": [*range(0, len(trees) + 1, sums)],
        "tree_info": [place % sums for place in range(len(trees))],
        "trees": trees,
    }
    learner = {
        "attributes": dict(attributes),
        "feature_names": list(feature_names),
        "feature_types": ["float"] * len(feature_names),
        "gradient_booster": {"model": model, "name": "gbtree"},
        "learner_model_param": {
            "base_score": "[" + ",".join(f"{score:.9E}" for score in start_of(ensemble)) + "]",
            "boost_from_average": "1",
            "num_class": str(sums if sums > 1 else 0),
            "num_feature": str(len(names)),
            "num_target": "1",
        },
        "objective": {"name": objective, **parameters},
    }
    return {"learner": learner, "version": list(VERSION)}


def best_of(attributes: Mapping[str, str]) -> tuple[int, float] | None:
    """The best round and its metric, from what a model says of itself."""
    if "best_iteration" not in attributes:
        return None
    return int(attributes["best_iteration"]), float(attributes.get("best_score", "nan"))


class Booster:
    """The trees in the form of XGBoost, as `get_booster` of an estimator gives them.

    Args:
        ensemble: the trees.
        feature_names: the names of the features, if they have any.
        penalties: those that it was grown with.
        attributes: what else a model says of itself.

    Example:
        >>> from reference_tree.estimators import XGBRegressor
        >>> model = XGBRegressor(n_estimators=1, max_depth=1).fit([[1], [2], [3], [4]], [1, 1, 5, 5])
        >>> print(model.get_booster().get_dump()[0], end="")
        0:[f0<3] yes=1,no=2,missing=2
                1:leaf=-0.400000006
                2:leaf=0.400000006
        >>> model.get_booster().predict
        Traceback (most recent call last):
        AttributeError: a booster of this package has no predict; XGBoost has it, and loads what save_model writes
    """

    def __init__(
        self, ensemble: Ensemble, feature_names: Sequence[str] = (), penalties: Penalties = USUAL,
        attributes: Mapping[str, str] = {},
    ) -> None:  # fmt: skip
        self._ensemble, self._penalties, self._attributes = ensemble, penalties, dict(attributes)
        self.feature_names = list(feature_names) or None

    def __getattr__(self, name: str) -> Any:
        # Whoever needs more saves the model, and loads it in XGBoost.
        message = f"a booster of this package has no {name}; XGBoost has it, and loads what save_model writes"
        raise AttributeError(message)

    @property
    def best_iteration(self) -> int:
        """The round of the best value of the metric that was watched.

        Raises:
            AttributeError: none was watched for early stopping.
        """
        if "best_iteration" not in self._attributes:
            raise AttributeError("best_iteration is there after early stopping; say early_stopping_rounds")
        return int(self._attributes["best_iteration"])

    def attributes(self) -> dict[str, str]:
        """The attributes of the model: name → text."""
        return dict(self._attributes)

    def num_boosted_rounds(self) -> int:
        """The number of rounds."""
        return len(self._ensemble.members) // len(self._ensemble.start)

    def num_features(self) -> int:
        """The number of features."""
        return len(self._ensemble.attributes)

    def _named(self) -> list[str]:
        return self.feature_names or [f"f{place}" for place in range(self.num_features())]

    def get_score(self, fmap: str = "", importance_type: str = "weight") -> dict[str, float]:
        """The importance of each feature that a test is about; see `split_importance`."""
        if fmap:
            raise InputError("fmap: a file of names is not read; the features have those of the columns")
        # XGBoost leaves out features that no test is about.
        counts = split_importance(self._ensemble, "weight", *self._penalties)
        found = split_importance(self._ensemble, importance_type, *self._penalties)
        names = self._named()
        return {
            name: float(value)
            for name, value, count in zip(names, found.values(), counts.values(), strict=True)
            if count
        }

    def get_fscore(self, fmap: str = "") -> dict[str, float]:
        """The number of tests about each feature."""
        return self.get_score(fmap, "weight")

    def get_dump(self, fmap: str = "", with_stats: bool = False, dump_format: str = "text") -> list[str]:
        """Each tree as text, as XGBoost writes it.

        Raises:
            InputError: another form than text is asked for.
        """
        if fmap or dump_format != "text":
            raise InputError(f"dump_format={dump_format!r} is not written; save_model writes JSON")
        return [self._text(member.tree, with_stats=with_stats) for member in self._ensemble.members]

    def _text(self, tree: Tree, *, with_stats: bool) -> str:
        names, known = self._named(), [attribute.name for attribute in self._ensemble.attributes]
        number_of = {place: number for number, place in enumerate(in_levels(tree))}
        # XGBoost numbers nodes by level, and prints them depth first.
        lines, pending = [], [(0, 0)]
        while pending:
            place, depth = pending.pop()
            node = tree.nodes[place]
            if node.test is None:
                line = f"leaf={single(node.label):.9g}"
            else:
                yes, no = (number_of[branch] for branch in node.branches)
                feature = names[known.index(node.test.attributes[0])]
                missing = yes if default_left(tree, place) else no
                line = f"[{feature}<{threshold_of(tree, place):.9g}] yes={yes},no={no},missing={missing}"
            # %.9g: nine digits tell any two float32s apart.
            if with_stats:
                gain = "" if node.test is None else f",gain={single(gain_of(tree, place, self._penalties)):.9g}"
                line += f"{gain},cover={single(node.counts[2]):.9g}"
            lines.append("\t" * depth + f"{number_of[place]}:{line}\n")
            pending += [(branch, depth + 1) for branch in reversed(node.branches)]
        return "".join(lines)

    def save_model(self, fname: str | PathLike[str]) -> None:
        """Write the model as a file of JSON that XGBoost loads.

        Raises:
            InputError: the name does not end in .json, or a test is about categories.
        """
        path = fspath(fname)
        if not path.endswith(".json"):
            raise InputError(f"{path}: a model is written as JSON; name the file .json")
        # Written only once it is whole: a refused model leaves no file behind.
        text = self.save_raw("json").decode()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def save_raw(self, raw_format: str = "json") -> bytearray:
        """The model as JSON.

        Raises:
            InputError: another form is asked for.
        """
        if raw_format != "json":
            raise InputError(f"raw_format={raw_format!r} is not written; say json")
        model = model_of(self._ensemble, self.feature_names or (), self._penalties, self._attributes)
        return bytearray(json.dumps(model).encode())


__all__ = ["Booster", "Penalties", "best_of", "in_levels", "model_of"]
