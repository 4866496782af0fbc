"""Documents of ensembles: what is written is read again, is valid, and is refused where a part is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from reference_tree.data.errors import InputError
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.bagging import Bagging
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.ensembles.gradient_boosting import GradientBoosting
from reference_tree.ensembles.random_forest import RandomForest
from reference_tree.exact.log_sums import log
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.tree import Grower, Tree
from reference_tree.tree_document import from_json, predictor_from_json, read_predictor, to_json
from tests.every import of_every
from tests.tree_document.documents import SCHEMA

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
OWN = json.loads((FOLDER / "ensemble-1.schema.json").read_text(encoding="utf-8"))
KNOWN: Registry[Any] = Registry().with_resources(
    [(name["$id"], Resource.from_contents(name)) for name in (SCHEMA, OWN)]
)
VALIDATOR = jsonschema.Draft202012Validator(OWN, registry=KNOWN)


def weighing(ensemble: Ensemble, *weights: Any) -> Ensemble:
    """The same with other weights."""
    members = zip(ensemble.members, weights, strict=True)
    return replace(ensemble, members=tuple(member._replace(weight=weight) for member, weight in members))


BAG = Bagging(base=ID3(), trees=2, seed=1).grow(textbook("play-tennis"))
ENSEMBLES = {
    "votes": BAG,
    "means": Bagging(trees=2).grow(textbook("iris").predicting("sepal length")),
    "medians": Bagging(base=CART(criterion="absolute_error", max_depth=2), trees=2).grow(
        textbook("iris").predicting("sepal length")
    ),
    "forest": RandomForest(base=C45.like("c45-r8"), trees=2).grow(textbook("golf")),
    "fractions": weighing(BAG, Fraction(1, 3), 2),
    "logarithms": weighing(BAG, Fraction(1, 2) * log(Fraction(7, 3), math.e), log(12, math.e) + Fraction(1, 2)),
    "foreign": replace(BAG, grower=Grower("unknown", source={"program": "another"})),
    "without draws": Bagging(base=ID3(), trees=2, resample=False).grow(textbook("play-tennis")),
    "with costs": Bagging(base=CART(priors={"no": 1, "yes": 3}), trees=2).grow(textbook("play-tennis")),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ENSEMBLES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    ensemble = ENSEMBLES[name]
    written = to_json(ensemble)
    VALIDATOR.validate(json.loads(written))
    found = predictor_from_json(written)
    assert isinstance(found, Ensemble)
    assert to_json(found) == written
    (tmp_path / "e.json").write_text(written, encoding="utf-8")
    assert read_predictor(tmp_path / "e.json") == found
    if name == "foreign":
        assert [m.tree.nodes for m in found.members] == [m.tree.nodes for m in ensemble.members]
        assert found.members[0].tree.grower == found.grower
    else:
        assert found == ensemble


def test_each_node_is_a_line_as_in_the_document_of_its_tree() -> None:
    lines = to_json(BAG).splitlines()
    for member in BAG.members:
        alone = to_json(member.tree).splitlines()
        start = alone.index(' "nodes": [') + 1
        nodes = [line.strip().rstrip(",") for line in alone[start:-1]]
        assert set(nodes) <= {line.strip().rstrip(",") for line in lines}


def test_a_tree_is_read_where_either_may_stand() -> None:
    tree = ID3().grow(textbook("play-tennis"))
    assert predictor_from_json(to_json(tree)) == tree
    with pytest.raises(InputError, match="holds an ensemble"):
        from_json(to_json(BAG))


DOCUMENT = json.loads(to_json(ENSEMBLES["logarithms"]))


def changed(way: tuple[Any, ...], value: Any) -> str:
    """The document with a part of it in another way."""
    whole = deepcopy(DOCUMENT)
    inner = whole
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = value
    return json.dumps(whole)


@of_every(
    [
        (("combine",), "votes", "in the document: there is no rule 'votes'"),
        (("trees",), [], "in the document: a list is empty"),
        (("combine",), "logistic", "in tree 1, node 0: 'n' is absent"),
        (("start",), [], "in the document: a list is empty"),
        (("learner", "options", "trees"), 0, "in the learner: these are not the options of bagging: trees: it is"),
        (("learner", "options", "base", "name"), "id4", "in the learner: .* there is no learner 'id4'"),
        (("trees", 1, "weight"), True, "in tree 2: "),
        (("trees", 1, "weight"), "one", "in tree 2: "),
        (("trees", 1, "weight"), {"base": "10", "terms": {}}, "in tree 2: a logarithm is to the base 2 or e"),
        (("trees", 1, "weight"), {"base": "2", "terms": {"1": "1"}}, "in tree 2: the logarithms are of whole numbers"),
        (("trees", 1, "weight"), {"base": "2", "terms": []}, "in tree 2: .* is no object"),
        (("trees", 0, "drawn", 3), -1, "in tree 1: a row is drawn '-1' times"),
        (("trees", 0, "drawn", 3), True, "in tree 1: a row is drawn 'True' times"),
        (("trees", 0, "drawn"), [1], "in the trees: what was drawn for each is drawn from tables of different length"),
        (("trees", 0, "weight"), "-1", "in the trees: a tree counts less than nothing"),
        (("trees", 0, "weight"), {"base": "e", "terms": {"3": "1", "4": "-1"}}, "in the trees: a tree counts less"),
        (("trees", 0, "weight"), {"base": "2", "terms": {"3": "1"}}, "in the trees: logarithms to base .* do not mix"),
        (("trees", 0, "of"), "perhaps", "in tree 1: play has no value 'perhaps'"),
        (("trees", 0, "nodes"), [], "in tree 1: a list is empty"),
        (("trees", 0, "weigth"), "1", "in tree 1: there is no key 'weigth' here"),
        (("trees", 1, "nodes", 0, "id"), 1, "in tree 2, node 0: the id is '1'"),
        (("trees", 1, "nodes", 0, "branches", 0, "to"), 2, "in tree 2: node 2 is out of preorder"),
    ]
)
def test_a_wrong_part_is_named(way: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"is not an ensemble document: {message}"):
        predictor_from_json(changed(way, value))


@of_every([["0"], ["0", "0", "0", "0"], None])
def test_a_start_of_other_classes_is_refused(start: list[str] | None) -> None:
    three = Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "c"]})
    document = json.loads(to_json(GradientBoosting(trees=1).grow(three)))
    del document["start"]
    given = document if start is None else {**document, "start": start}
    with pytest.raises(InputError, match="is not an ensemble document: in the trees: softmax starts from 3 numbers"):
        predictor_from_json(json.dumps(given))


def test_of_the_trees_one_counts_for_something() -> None:
    document = json.loads(to_json(weighing(BAG, 0, Fraction(1, 2))))
    assert predictor_from_json(json.dumps(document)).predict(textbook("play-tennis"))
    document["trees"][1]["weight"] = "0"
    with pytest.raises(InputError, match="or none of them counts"):
        predictor_from_json(json.dumps(document))


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of the document that is none of a node."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in steps:
        if key != "nodes":
            yield (*way, key)
            yield from places(inner, (*way, key))


def read_or_refused(content: str) -> Ensemble | str:
    """The ensemble, or the message of the error."""
    try:
        found = predictor_from_json(content)
    except InputError as error:
        return str(error)
    assert not isinstance(found, Tree)
    return found


@pytest.mark.one_in(5, 10)
@pytest.mark.parametrize("value", [None, True, -1, 10**30, "", "x", [], [[]], {}, {"is": "x"}], ids=str)
def test_whatever_stands_anywhere_is_refused_in_a_line_or_can_be_asked(value: Any) -> None:
    for way in places(DOCUMENT):
        found = read_or_refused(changed(way, value))
        if isinstance(found, str):
            assert "\n" not in found
        else:
            assert predictor_from_json(to_json(found)) == found
