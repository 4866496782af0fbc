"""`audit` of boosted models: recorded ones of XGBoost and LightGBM, faults planted in them, and what does not fit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, refused

TESTS = Path(__file__).parents[1]
XGBOOST, LIGHTGBM = (TESTS / "programs" / "recorded" / name for name in ("xgboost", "lightgbm"))
DATA = TESTS / "recorded" / "data"
PIMA = DATA / "pima.arff"


def changed(tmp_path: Path, tree: int, node: int, number: float) -> Path:
    """The model of pima with another threshold, or another leaf."""
    model = json.loads((XGBOOST / "pima.json").read_text(encoding="utf-8"))
    model["learner"]["gradient_booster"]["model"]["trees"][tree]["split_conditions"][node] = number
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    return path


def test_a_model_of_xgboost_whose_start_was_estimated(run: Run) -> None:
    status, out, err = run("audit", XGBOOST / "pima.json", PIMA)
    assert status == 0
    assert out.startswith("of 28 questions 28 proved optimal, 0 within rounding, 0 proved worse; 32 of 32 leaves add")
    assert "as the nodes of the model show: rate 0.3, reg_lambda 1; not stated, and assumed: gamma 0" in out
    assert "judged among the bins; among all gaps 0 of these questions are proved worse" in out
    assert "classes of the model have no names; they are taken for tested_negative, tested_positive" in err


@pytest.mark.slow
def test_a_moved_threshold_is_named_and_what_it_was(run: Run, tmp_path: Path) -> None:
    path = changed(tmp_path, 0, 0, 150.0)
    status, out, _ = run("audit", path, PIMA)
    assert status == 1
    first, path_line, rule, again = out.splitlines()[:4]
    was = "its branches have the rows of plas<128"
    assert first == f"tree 1, node 0 wrong-threshold: it asks plas<150, but {was}"
    assert path_line == "  / asks plas<150; 768 rows arrive"
    assert rule == "  rule threshold.position"
    assert "1 of 60 nodes is wrong; of 28 questions 27 proved optimal" in out
    assert again == f"  again: reference-tree audit {path} {PIMA} --round 1 --node 0"
    status, once_more, _ = run(*again.split()[2:])
    assert (status, once_more.splitlines()[0]) == (1, first)


def test_a_configuration_is_xgboosts(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"learner": {}}', encoding="utf-8")
    message = refused(run, "audit", LIGHTGBM / "iris.txt", DATA / "iris.arff", "--config", config)
    assert "--config is what XGBoost's save_config wrote, and this is a model of LightGBM; leave it out" in message


@pytest.mark.slow
def test_a_changed_leaf_is_named_and_nothing_else(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("audit", changed(tmp_path, 1, 7, -0.3681551), PIMA, "--jobs", "2")
    assert status == 1
    assert "tree 2, node 3 wrong-leaf: it adds -0.368155" in out.splitlines()[0]
    assert sum(line.startswith("tree") for line in out.splitlines()) == 1
    assert "1 of 60 nodes is wrong; of 28 questions" in out


@pytest.mark.slow
def test_for_programs_and_for_one_node(run: Run, tmp_path: Path) -> None:
    path = changed(tmp_path, 1, 7, -0.3681551)
    status, out, _ = run("audit", path, PIMA, "--format", "jsonl")
    found = [json.loads(line) for line in out.splitlines()]
    assert (status, len(found)) == (1, 60)
    assert (found[0]["tree"], found[0]["node"], found[0]["verdict"]) == (1, 3, "wrong-leaf")
    assert [one["verdict"] for one in found[1:] if "faults" in one] == []
    assert run("audit", path, PIMA, "--round", "1", "--node", "0")[:2] == (0, "tree 1, node 0 optimal\n")
    assert "there is no tree 9" in refused(run, "audit", path, PIMA, "--round", "9", "--node", "0").splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "data", "questions"), [("pima.txt", "pima", 20), ("pima.dump.json", "pima", 20), ("iris.txt", "iris", 60)]
)
def test_models_of_lightgbm_are_judged_among_their_cuts_and_among_all_gaps(
    run: Run, model: str, data: str, questions: int
) -> None:
    status, out, _ = run("audit", LIGHTGBM / model, DATA / f"{data}.arff", "--min-samples-leaf", "3")
    assert status == 0, out
    assert "0 proved worse; " in out
    assert re.search(r"judged among the bins; among all gaps [0-9]+ of these questions are proved worse", out)


@pytest.mark.slow
def test_a_dump_is_told_what_it_does_not_say(run: Run) -> None:
    dump = XGBOOST / "pima.dump.json"
    assert "a dump does not say what is made of its trees: say --option loss" in refused(run, "audit", dump, PIMA)
    base = json.loads((XGBOOST / "pima.json").read_text(encoding="utf-8"))["learner"]["learner_model_param"]
    options = ["--option", "loss", "logistic", "--option", "base_score", json.loads(base["base_score"])[0]]
    status, out, _ = run("audit", dump, PIMA, *options)
    assert (status, out[:39]) == (0, "of 28 questions 28 proved optimal, 0 wi")
    status, out, err = run("audit", dump, PIMA, *options[:3])  # from 0.5, where it did not start
    assert status == 1
    assert "base_score is not given, and 0.5 is assumed" in err


CONFIG: dict[str, Any] = {
    "eta": "0.300000012", "lambda": "1", "gamma": "0", "max_depth": "3", "min_child_weight": "1", "subsample": "1",
}  # fmt: skip


def config(tmp_path: Path, **changes: str) -> Path:
    """What `save_config` writes, as far as it is read."""
    booster = {"gbtree_train_param": {"tree_method": "hist"}, "tree_train_param": {**CONFIG, **changes}}
    learner = {
        "gradient_booster": booster,
        "objective": {"name": "binary:logistic", "reg_loss_param": {"scale_pos_weight": "1"}},
        "learner_model_param": {"base_score": "[3.4895834E-1]", "num_class": "0", "num_feature": "8"},
    }
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"learner": learner}), encoding="utf-8")
    return path


@pytest.mark.slow
def test_what_training_was_told_is_read_from_its_configuration(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("audit", XGBOOST / "pima.json", PIMA, "--config", config(tmp_path))
    assert status == 0
    assert "granted" not in out
    assert "not stated" not in out
    status, out, _ = run("audit", XGBOOST / "pima.json", PIMA, "--config", config(tmp_path, max_depth="2"))
    assert status == 1
    assert "split-too-far: it lies 2 questions deep, and max_depth is 2" in out
    message = refused(run, "audit", XGBOOST / "pima.json", PIMA, "--config", config(tmp_path, subsample="0.5"))
    assert "it was trained with subsample 0.5, which an audit cannot repeat" in message.splitlines()[-1]
    dump = run("audit", XGBOOST / "pima.dump.json", PIMA, "--config", config(tmp_path))
    assert (dump[0], dump[1][:34]) == (0, "of 28 questions 28 proved optimal,")


@pytest.mark.slow
def test_other_rows_are_wondered_at(run: Run, tmp_path: Path) -> None:
    lines = PIMA.read_text(encoding="utf-8").splitlines()
    fewer = tmp_path / "fewer.arff"
    fewer.write_text("\n".join(lines[:-300]) + "\n", encoding="utf-8")
    status, out, _ = run("audit", XGBOOST / "pima.json", fewer)
    assert status == 1
    assert "most of a tree is wrong: these may be other rows than it was trained on, " in out
    assert "other parameters, or the classes in another order" in out
    status, out, _ = run("audit", LIGHTGBM / "pima.txt", fewer)
    assert status == 1
    assert "tree 1, node 0 wrong-counts: it says that 768 rows arrive, and 468 do" in out


@pytest.mark.one_in(1, 3)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["iris"], "the model has 2 classes, and species has 3"),
        ([PIMA, "--without", "plas"], "there is no column 'plas'"),
        ([PIMA, "--learner", "cart"], "--learner does not apply to a boosted model"),
        ([PIMA, "--pruned"], "--pruned does not apply to a boosted model"),
        ([PIMA, "--option", "colour", "red"], "--option colour is no training parameter"),
        ([PIMA, "--option", "reg_lambda", "many"], "--option reg_lambda many: 'many' is not a number"),
        ([PIMA, "--option", "loss", "logistic"], "--option loss is for a dump; this model says it"),
        ([PIMA, "--config", PIMA], "is not JSON"),
        ([PIMA, "--config", "absent.json"], "absent.json: cannot be read: No such file or directory"),
        ([PIMA, "--jobs", "0"], "at least one process"),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, arguments: list[Any], message: str) -> None:
    status, out, err = run("audit", XGBOOST / "pima.json", *arguments)
    assert (status, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_model_that_was_cut_off_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text((XGBOOST / "pima.json").read_text(encoding="utf-8")[:2000], encoding="utf-8")
    assert "is not JSON" in refused(run, "audit", path, PIMA)
    assert "--config is for boosted models" in refused(run, "audit", XGBOOST.parent / "weka/j48-iris.txt", "iris",
                                                       "--config", path)  # fmt: skip
