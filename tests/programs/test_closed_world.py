"""Nothing of a file is passed over: each member is used, listed as without effect, or the file is refused.

`python -m tests.programs.test_closed_world` prints the table of all formats; a mutant that is silent is printed, too.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reference_tree.programs.inventory import Inventory
from reference_tree.programs.lightgbm.members import AUDITED, HEAD, INFO, JSON, PARAMETERS, TREE
from reference_tree.programs.releases import numbers_of
from reference_tree.programs.xgboost.members import DUMPED, MODEL
from tests.programs.closed_world import (
    Mutant,
    Row,
    documents,
    effect,
    in_a_child,
    judged,
    mutants,
    mutants_of_lines,
    table,
)
from tests.programs.documents import ensemble_of
from tests.programs.recording import HERE
from tests.programs.test_kinds_of_booster import answers, near, recorded


class Format(NamedTuple):
    """A format, and files of it."""

    name: str
    files: Sequence[Path]
    load: Callable[[str], Any]
    """The value of a text that a mutant is made of."""
    mutants: Callable[[Any], Iterator[Mutant]]
    says: Callable[[Sequence[str]], str | None]
    """What the inventories say of a member."""
    excused: Mapping[str, str] = {}
    """What may be removed or changed without effect though it is used, by a pattern → the reason."""


def _of(folder: str, ends: str) -> list[Path]:
    found = [
        path for path in sorted((HERE / folder).iterdir()) if path.name.endswith(ends) and "answers" not in path.name
    ]
    return [path for path in found if ".dump" not in path.name or ".dump" in ends]


def _of_json(path: Sequence[str]) -> str | None:
    """What the inventories of LightGBM's JSON say of a member; what is known of a feature stands under its name."""
    return effect(INFO, path[2:]) if path[0] == "feature_infos" and len(path) > 2 else effect(JSON, path)


def _of_lines(path: Sequence[str]) -> str | None:
    """What the inventories of LightGBM's text say of a key; what stands below the trees is the importance."""
    inventory: Mapping[str, Inventory] = {"head": HEAD, "tree": TREE, "parameters": PARAMETERS}
    return "no effect" if path[0] == "tail" else effect(inventory[path[0]], path[1:])


_TREES = r"learner\.gradient_booster\.(gbtree\.)?model"
_ARRAYS = "default_left|base_weights|loss_changes|sum_hessian|split_indices|right_children|split_type"
OF_XGBOOST = {
    r"added learner\.attributes\.a_new_member": "a text that a user sets",
    r"(removed|renamed|changed) learner\.attributes\.(?!best_iteration|scikit_learn).*": "texts that a user sets",
    r"(removed|renamed) learner\.attributes\.best_iteration": "the best round is the last one, so all rounds answer",
    r"removed learner\.objective\.\w+_param(\.\w+)?": "it was trained so, or with the default value",
    r"changed learner\.objective\.expectile_loss_param\.expectile_alpha": "it was trained so",
    rf"changed {_TREES}\.gbtree_model_param\.size_leaf_vector": "0 and 1 both say that a leaf is a number",
    rf"changed {_TREES}\.trees\.tree_param\.size_leaf_vector": "0 and 1 both say that a leaf is a number",
    rf"removed {_TREES}\.gbtree_model_param\.size_leaf_vector": "a leaf is a number",
    rf"changed {_TREES}\.trees\.({_ARRAYS})": "the root is a leaf, which has neither question nor statement",
    r"removed learner\.learner_model_param\.num_target": "there is one target, as in files before 1.6",
    rf"removed {_TREES}\.gbtree_model_param\.num_parallel_tree": "the rounds are stated, or have one tree, as to 1.5",
    r"changed learner\.learner_model_param\.num_class": "0 classes and 1 class are both a number",
}
OF_DUMPS = {"changed nodeid": "of the root, to which no branch leads"}
OF_TEXT = {
    r"removed parameters\..*": "an audit takes the default value of a parameter that is not stated",
    r"changed parameters\.max_depth": "-1 and 0 are both no bound",
    r"(changed|removed) tree\.shrinkage": "the parameters state the rate, too",
    r"changed head\.feature_infos": "the least number of a feature",
}
OF_JSON = {
    r"removed feature_infos\.\w+(\.\w+)?": "a feature without categories is a number",
    r"changed feature_infos\.\w+\.values": "the largest code says how many there are",
    r"(changed|removed) tree_info\.shrinkage": "of the first tree, whose leaves hold the start",
}

FORMATS = (
    Format(
        "XGBoost, a model", _of("xgboost-kinds", ".json"), json.loads, mutants,
        lambda path: effect(MODEL, path), OF_XGBOOST,
    ),
    Format(
        "XGBoost, a dump", _of("xgboost", ".dump.json"), json.loads, mutants,
        lambda path: effect(DUMPED, path), OF_DUMPS,
    ),
    Format("LightGBM, a text", _of("lightgbm-kinds", ".txt"), str, mutants_of_lines, _of_lines, OF_TEXT),
    Format("LightGBM, JSON", _of("lightgbm-kinds", ".dump.json"), json.loads, mutants, _of_json, OF_JSON),
)  # fmt: skip


def tried(form: Format, path: Path) -> Iterator[tuple[Mutant, str]]:
    """The mutants of a file, and what becomes of each."""
    value = form.load(path.read_text(encoding="utf-8"))
    plain = documents(value)
    for mutant in form.mutants(value) if plain is not None else ():
        yield mutant, judged(mutant, plain, form.says, form.excused)


CASES = [pytest.param(form, path, id=f"{form.name} {path.name}") for form in FORMATS for path in form.files]


@pytest.mark.one_in(20)
@pytest.mark.parametrize(("form", "path"), CASES)
def test_nothing_is_passed_over(form: Format, path: Path) -> None:
    silent = [(mutant.how, ".".join(mutant.path)) for mutant, outcome in tried(form, path) if outcome == "silent"]
    assert not silent


def asked_of_xgboost(value: Any, rows: Any, *, categorical: bool) -> Any:
    """What XGBoost answers, from a model as JSON."""
    numpy, xgb = importlib.import_module("numpy"), importlib.import_module("xgboost")
    kinds = {"feature_types": ["q", "q", "q", "c"], "enable_categorical": True} if categorical else {}
    matrix = xgb.DMatrix(numpy.array(rows, dtype=float), **kinds)
    return (
        xgb.Booster(model_file=bytearray(json.dumps(value).encode())).predict(matrix, validate_features=False).tolist()
    )


def asked_of_lightgbm(value: Any, rows: Any, *, categorical: bool) -> Any:
    """What LightGBM answers, from a model as text."""
    numpy, lgb = importlib.import_module("numpy"), importlib.import_module("lightgbm")
    return lgb.Booster(model_str=value).predict(numpy.array(rows, dtype=float), num_threads=1).tolist()


ALIVE = (
    ("xgboost", FORMATS[0], asked_of_xgboost, 3e-6, ("dart", "codes", "targets")),
    ("lightgbm", FORMATS[2], asked_of_lightgbm, 1e-12, ("root", "ova", "codes")),
)


def _written_by(program: str, name: str, form: Format) -> Path:
    """The file of the newest release that is not newer than the one installed; the oldest if all are newer."""
    parts = ((path, *path.stem.rpartition("-")) for path in form.files)
    files = {numbers_of(release) or (): path for path, kind, _, release in parts if kind == name}
    installed = numbers_of(importlib.import_module(program).__version__) or ()
    return files[max([release for release in files if release <= installed], default=min(files))]


@pytest.mark.oracles
@pytest.mark.parametrize(
    ("program", "form", "ask", "most", "name"),
    [pytest.param(*first, name, id=f"{first[0]} {name}") for *first, names in ALIVE for name in names],
)
def test_an_answer_changes_as_that_of_the_program(program: str, form: Format, ask: Any, most: float, name: str) -> None:
    pytest.importorskip(program)
    path = _written_by(program, name, form)
    rows, compared = recorded(path)["rows"], 0
    for mutant, outcome in tried(form, path):
        theirs = None
        if outcome != "refused" and (mutant.path[0] not in ("tail", "parameters") or mutant.path[1] in AUDITED):
            run = partial(ask, mutant.value, rows, categorical=name == "codes")
            theirs = in_a_child(run)
        if theirs not in (None, "ended"):
            models = list(map(ensemble_of, documents(mutant.value)))
            called = [attribute.name for attribute in models[0].attributes]
            found = [answers(model, [dict(zip(called, row, strict=False)) for row in rows]) for model in models]
            ours = found[0] if len(found) == 1 else [list(each) for each in zip(*found, strict=True)]
            assert all(near(ours, theirs, most)), (mutant.how, mutant.path)
            compared += 1
    assert compared >= 15


def main() -> None:
    """Print the table, and what is silent."""
    rows = []
    for form in FORMATS:
        outcomes: Counter[str] = Counter()
        members = set[tuple[str, ...]]()
        for path in form.files:
            for mutant, outcome in tried(form, path):
                outcomes[outcome] += 1
                members.add(mutant.path)
                if outcome == "silent":
                    print(path.name, outcome, mutant.how, ".".join(mutant.path))
        rows.append(Row(form.name, len(form.files), len(members), outcomes))
    print(table(rows))


if __name__ == "__main__":
    main()
