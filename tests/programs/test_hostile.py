"""Files that are broken, or mean harm: a line that says what is wrong, within seconds, and no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reader import readers
from reference_tree.programs.reading import predictor_of_file, read_foreign
from reference_tree.tree_document.form import LARGEST
from tests.every import of_every
from tests.programs.recording import HERE

RECORDED = sorted(
    each
    for program in ("xgboost", "lightgbm", "weka", "rpart")
    for each in (HERE / program).iterdir()
    if "answers" not in each.name and not each.name.startswith("id3")  # behind whose tree nothing stands to be missed
)


def refused(text: str | bytes, program: str | None = None) -> str:
    """The error message about a text, which is one line."""
    with pytest.raises(InputError) as caught:
        read_foreign(text, program=program)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def xgboost(**changes: Any) -> str:
    """A model of one tree of three nodes."""
    tree: dict[str, Any] = {
        "left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
        "split_conditions": [0.5, 1.0, 2.0], "default_left": [1, 0, 0], "categories": [], "categories_nodes": [],
        "categories_segments": [], "categories_sizes": [], "split_type": [0, 0, 0], "base_weights": [0, 1.0, 2.0],
        "sum_hessian": [2.0, 1.0, 1.0], "loss_changes": [1.0, 0, 0],
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
    } | changes  # fmt: skip
    forest = {
        "cats": {"enc": [], "feature_segments": [], "sorted_idx": []},
        "iteration_indptr": [0, 1],
        "gbtree_model_param": {"num_trees": "1", "num_parallel_tree": "1"},
    }
    booster = {"name": "gbtree", "model": {"trees": [tree], "tree_info": [0], **forest}}
    settings = {"base_score": "[5E-1]", "num_class": "0", "num_feature": "1"}
    learner = {"gradient_booster": booster, "learner_model_param": settings, "objective": {"name": "reg:squarederror"}}
    learner |= {"attributes": {}, "feature_names": [], "feature_types": []}
    return json.dumps({"learner": learner, "version": [3, 2, 0]})


def test_the_small_model_is_read() -> None:
    assert len(read_foreign(xgboost())[0]["trees"][0]["nodes"]) == 3


@of_every(
    [
        ({"left_children": [0, -1, -1]}, "node 0 is reached by two branches, or lies below itself"),
        ({"left_children": [2, -1, -1]}, "node 2 is reached by two branches"),
        ({"left_children": [9, -1, -1]}, "a branch leads to node 9, and there is none"),
        (
            {"left_children": [1, -1, -1, -1], "right_children": [2, -1, -1, -1]},
            "a tree has 4 nodes, and num_nodes says",
        ),
        ({"split_conditions": [0.5]}, "one of its lists is too short"),
        ({"split_indices": [7, 0, 0]}, "a node tests feature 7, and there are 1"),
        ({"split_indices": [-1, 0, 0]}, "a node tests feature -1, and there are 1"),
        ({"split_conditions": ["x", 1, 2]}, "'x' is no number that a double could hold"),
        ({"split_conditions": [1e39, 1, 2]}, "no number that a float32 could hold"),
        ({"split_conditions": [True, 1, 2]}, "True is no number"),
        ({"left_children": None}, "is not a model of XGBoost"),
        ({"default_left": 3}, "is not a model of XGBoost"),
        ({"split_type": [1, 0, 0]}, "is not a model of XGBoost: '0' is absent"),
    ]
)
def test_a_broken_model_of_xgboost_is_refused(changes: dict[str, Any], message: str) -> None:
    assert message in refused(xgboost(**changes))


def test_numbers_that_no_float_holds_are_refused() -> None:
    assert "inf is no number" in refused(xgboost().replace("0.5,", "1e999999,", 1))
    assert "nan is no number" in refused(xgboost().replace("0.5,", "NaN,", 1))
    assert "digit" in refused(xgboost().replace("0.5,", "9" * 5000 + ",", 1))
    claimed = xgboost().replace('"num_feature": "1"', '"num_feature": "999999999999"')
    assert "features or categories are claimed" in refused(claimed)


@of_every(["[", '{"a":', '[{"nodeid": 0, "children":['])
def test_deep_nesting_is_refused(opening: str) -> None:
    assert "nested too deeply" in refused(opening * 100_000)


@of_every(list(product(RECORDED, [0.1, 0.5, 0.9])))
def test_a_file_that_is_cut_off_is_refused(cut: tuple[Path, float]) -> None:
    path, part = cut
    content = path.read_text(encoding="utf-8")
    end = {"weka": content.find("Size of the")}.get(path.parent.name, len(content))
    if path.parent.name == "lightgbm" and path.suffix == ".txt":
        end = content.find("end of trees")
    refused(content[: int(part * end)], path.parent.name)


NOTHING = ["", " \n", "{}", "[]", "[1]", "{\n", "null", "x", "\0", "Decision Tree:\n", "[[]]\n", "<a/>"]


@of_every(list(product([each for each in readers() if each != "scikit_learn"], NOTHING)))
def test_what_is_nothing_is_refused(given: tuple[str, str]) -> None:
    program, text = given
    refused(text, program)


def test_what_no_reader_knows_is_refused() -> None:
    assert "is no tree of a program that is read here" in refused("{}")
    assert "there is no reader 'xgbost' (did you mean xgboost?)" in refused("{}", "xgbost")
    assert "is empty" in refused(b"")
    assert "is not UTF-8 at byte 2" in refused(b'{"\xff": 1}\n')


def test_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(b'{"learner": {"gradient_booster": 3}}')
    with pytest.raises(InputError, match=r"model\.json: is not a model of XGBoost"):
        predictor_of_file(tmp_path / "model.json")
    (tmp_path / "latin.txt").write_bytes(b"J48 pruned tree\n\xe9")
    with pytest.raises(InputError, match=r"latin\.txt: is not UTF-8 at byte 16"):
        read_foreign(tmp_path / "latin.txt")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_foreign(tmp_path / "nothing.txt")


def _model_of(size: int) -> str:
    lists = {
        "left_children": [2 * n + 1 if 2 * n + 2 < size else -1 for n in range(size)],
        "right_children": [2 * n + 2 if 2 * n + 2 < size else -1 for n in range(size)],
    }
    lists |= {key: [0] * size for key in ("split_indices", "split_conditions", "default_left")}
    return xgboost(**lists)


def _printed(size: int) -> str:
    lines = "".join(f"|   x <= {n}: a (1.0)\n" for n in range(size))
    return f"J48 pruned tree\n---\n\nx <= 1\n{lines}\nSize of the tree : \t{size}\n"


def _deep(size: int) -> str:
    lines = "".join(f"{'|' * min(n, 60)}x <= {n}\n" for n in range(size))
    return f"J48 pruned tree\n---\n\n{lines}\nSize of the tree : \t{size}\n"


def _dump(size: int) -> str:
    return "[" + '{"nodeid":0,"leaf":1},' * size + '{"nodeid":0,"leaf":1}]'


def _pmml(size: int) -> str:
    return '<PMML version="4.4"><TreeModel functionName="classification">' + "<Node><True/>" * size


MILLION: dict[str, Callable[[int], str]] = {
    "xgboost": _model_of, "weka": _printed, "deep weka": _deep, "many trees": _dump, "deep pmml": _pmml,
    "spark": lambda size: '{"id":0,"leftChild":-1,"split":{"leftCategoriesOrThreshold":[]}}\n' * size,
    "rpart": lambda size: "# program\na,b,c\n1,class,2\n# columns\na,b\ny,numeric\n# levels\nvalue,column\n"
    + "# frame\nnode,var,n,ncompete,nsurrogate\n" + "1,<leaf>,1,0,0\n" * size,
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", MILLION)
def test_a_million_nodes_are_refused_within_seconds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_text(MILLION[kind](1_000_000), encoding="utf-8")
    code = (
        "import pathlib, resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "import reference_tree as rt\n"
        "try: rt.read_foreign(pathlib.Path(sys.argv[1]))\n"
        "except rt.InputError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_utime, file=sys.stderr)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, encoding="utf-8", check=True, timeout=120
    )
    assert len(run.stdout.splitlines()) == 1
    assert str(path) in run.stdout
    assert float(run.stderr.splitlines()[-1]) < 30


@pytest.mark.slow
def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    before = time.process_time()
    with pytest.raises(InputError, match=f"has more than {LARGEST} bytes"):
        read_foreign(path)
    assert time.process_time() - before < 5


BOMB = '<!DOCTYPE PMML [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><PMML>&b;</PMML>'
OUTSIDE = '<!DOCTYPE PMML [<!ENTITY a SYSTEM "file:///etc/passwd">]><PMML>&a;</PMML>'
BARE = '<?xml version="1.0"?>\n<!DOCTYPE PMML SYSTEM "http://example.org/pmml.dtd">\n<PMML/>'


@of_every([BOMB, OUTSIDE, BARE])
def test_a_document_type_is_refused_before_it_is_read(text: str) -> None:
    assert "it declares a document type" in refused(text)
    assert "it declares a document type" in refused(text.encode("utf-8"))
    assert "UTF-8" in refused(text.encode("utf-16"))
