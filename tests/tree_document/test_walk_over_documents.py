"""Nothing of a document of our own is passed over: each member is used, kept, without effect, or refused by name.

A member is *kept* if the tree that is read is written with it again: an audit, a pruning or a derivation reads it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.programs.reading import predictor_of_file
from reference_tree.tree_document import predictor_from_json, to_json
from tests.programs.closed_world import Mutant, mutants
from tests.programs.recording import HERE

GOLF, IRIS = rt.textbook("golf"), rt.textbook("iris")
WITH_GAPS = rt.Table.from_columns(
    {"x": [1, 2, None, 4, 5, 6, 7, 8], "z": [1, 2, 3, 4, 5, 6, None, 9], "y": list("aabbabbb")}
)
TREES: dict[str, Any] = {
    "ID3": rt.ID3(max_depth=2).grow(rt.textbook("play-tennis")),
    "C4.5": rt.C45.like("c45-r8", max_depth=2).grow(GOLF),
    "C4.5 with gaps": rt.C45(max_depth=2).grow(WITH_GAPS),
    "CART": rt.CART(max_depth=2, loss={"no": {"yes": 5}}).grow(GOLF),
    "surrogates": rt.CART(max_depth=2, always_surrogates=True).grow(WITH_GAPS),
    "regression": rt.CART(max_depth=2).grow(rt.textbook("li-hang-5.2")),
    "absolute errors": rt.CART(max_depth=2, criterion="absolute_error").grow(rt.textbook("li-hang-5.2")),
    "oblique": rt.CART(max_depth=1, branching="linear", missing="error").grow(rt.textbook("watermelon-3.0a")),
    "optimal": rt.Optimal(max_depth=1).grow(rt.textbook("play-tennis")),
    "pruned": rt.prune(rt.CART().grow(IRIS), method="cost-complexity", alpha=0.02),
    "forest": rt.RandomForest(trees=2).grow(GOLF),
    "bagging": rt.Bagging(trees=2, base=rt.ID3(max_depth=1)).grow(rt.textbook("play-tennis")),
    "AdaBoost": rt.AdaBoost(trees=2, base=rt.CART(max_depth=1)).grow(rt.textbook("li-hang-8.1")),
    "boosting tree": rt.BoostingTree(trees=2).grow(rt.textbook("li-hang-8.2")),
    "gradient boosting": rt.GradientBoosting(trees=2, base=rt.GradientBoosting().base.but(max_depth=1)).grow(GOLF),
    "XGBoost": predictor_of_file(HERE / "xgboost-kinds" / "codes-3.4.1.json"),
    "rpart": predictor_of_file(HERE / "rpart" / "cars.rpart"),
}


def read(document: Any) -> Any:
    """What is read of a document; None if it is refused, in one line."""
    try:
        return predictor_from_json(json.dumps(document))
    except InputError as error:
        if "\n" in str(error):
            raise AssertionError("a refusal is one line") from error
        return None


EXCUSED = {
    r"removed learner\.profile": "a foreign tree has none",
    r"removed nodes\.test\.threshold": "of a linear test, whose branches state it, too",
}
"""What may be removed or changed without effect, by a pattern → the reason."""


def outcome(mutant: Mutant, plain: Any) -> str:
    """What becomes of a mutant."""
    found = read(mutant.value)
    if found is None:
        return "refused"
    if to_json(found) != to_json(plain):
        return "kept"
    changed = f"{mutant.how} {'.'.join(mutant.path)}"
    return "excused" if any(re.fullmatch(one, changed) for one in EXCUSED) else f"silent: {changed}"


@pytest.mark.parametrize("name", TREES)
def test_no_member_is_passed_over(name: str) -> None:
    document = json.loads(to_json(TREES[name]))
    plain = read(document)
    outcomes = Counter(outcome(mutant, plain) for mutant in mutants(document))
    assert not [one for one in outcomes if one.startswith("silent")]
    assert outcomes["refused"] > 10
    assert outcomes["kept"] > 10


@pytest.mark.parametrize("name", [name for name in TREES if name not in ("XGBoost", "rpart")])
def test_an_option_that_its_learner_does_not_have_is_refused_by_name(name: str) -> None:
    document = json.loads(to_json(TREES[name]))
    document["learner"]["options"]["max_dept"] = 3
    with pytest.raises(InputError, match=r"in the learner: there is no option 'max_dept'"):
        predictor_from_json(json.dumps(document))
