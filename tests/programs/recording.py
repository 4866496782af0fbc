"""What the programs write of trees that they grow from the recorded rows, and what they answer on the same rows.

`python -m tests.programs.recording` runs every program that is installed and writes its files anew, in
`tests/programs/recorded/PROGRAM`: the model as the page of foreign trees has it written, and beside it
`NAME.answers.json` with the version of the program, the data, its answer for each row, and where it says so the leaf of
each tree.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reference_tree.programs.reading import read_foreign
from tests.peers.data_sets import FOLDER, DataSet, data_set
from tests.programs.ways import KINDS, decimals, fitted

HERE = Path(__file__).parent / "recorded"
JAR = Path("/usr/share/java/weka.jar")
PAGE = Path(__file__).parents[2] / "docs" / "foreign.md"

WEKA = {
    "j48-iris": ("J48", "iris", ""),
    "j48-vote": ("J48", "vote", ""),
    "j48-unpruned-contact-lenses": ("J48", "contact-lenses", "-U"),
    "j48-binary-soybean": ("J48", "soybean", "-U -B"),
    "j48-one-leaf": ("J48", "iris", "-M 200"),
    "j48-pima": ("J48", "pima", ""),
    "rep-tree-iris": ("REPTree", "iris", ""),
    "rep-tree-cpu": ("REPTree", "cpu", ""),
    "simple-cart-contact-lenses": ("SimpleCart", "contact-lenses", "-U -H -M 1"),
    "simple-cart-pima": ("SimpleCart", "pima", ""),
    "id3-contact-lenses": ("Id3", "contact-lenses", ""),
}
"""Name → learner, data, options."""
PRINTS = {
    "weka-3.9-j48-iris": ("J48", "iris", "-C 0.1 -k"),
    "weka-3.9-j48-weather": ("J48", "weather-numeric", "-U -B -O -no-cv"),
    "weka-3.9-rep-tree-cpu": ("REPTree", "cpu", "-L 3 -num-decimal-places 4 -no-cv"),
    "weka-3.9-rep-tree-iris": ("REPTree", "iris", "-P -no-cv"),
    "weka-3.6-simple-cart-iris": ("SimpleCart", "iris", "-i -k"),
    "weka-3.6-id3-contact-lenses": ("Id3", "contact-lenses", "-x 3"),
    "weka-3.6-j48-vote": ("J48", "vote", "-R -N 4"),
}
"""Whole printouts of releases 3.6.14 and 3.9.7, evaluations included: name → learner, data, options."""
JARS = {"3.6": JAR, "3.9": Path(os.environ.get("WEKA_3_9", "weka-3.9.jar"))}
RPART = ("labor", "vote", "iris", "cars", "weather-numeric", "credit-g")
BOOSTED = {
    "iris": ("multi:softprob", "multiclass"),
    "pima": ("binary:logistic", "binary"),
    "labor": ("binary:logistic", "binary"),
    "cars": ("reg:squarederror", "regression"),
    "vote": ("binary:logistic", "binary"),
}
"""Data → the objective of XGBoost, and of LightGBM."""


def write(program: str, name: str, text: str, answers: Any) -> None:
    """The files of a model."""
    (HERE / program).mkdir(parents=True, exist_ok=True)
    (HERE / program / name).write_text(text, encoding="utf-8")
    beside = HERE / program / f"{name.partition('.')[0]}.answers.json"
    beside.write_text(json.dumps(answers) + "\n", encoding="utf-8")


def frame(data: DataSet) -> tuple[Any, Any]:
    """The rows as a frame of pandas, categories as such, and the target as codes or numbers."""
    pandas: Any = importlib.import_module("pandas")
    *columns, target = zip(*data.numbers(), strict=True)
    found = {}
    for attribute, column in zip(data.attributes, columns, strict=True):
        if attribute.values is None:
            found[attribute.name] = column
        else:
            codes = [-1 if code != code else int(code) for code in column]
            found[attribute.name] = pandas.Categorical.from_codes(codes, list(attribute.values))
    return pandas.DataFrame(found), target


def xgboost() -> None:
    """Models and dumps."""
    xgb: Any = importlib.import_module("xgboost")
    for name, (objective, _) in BOOSTED.items():
        data = data_set(name)
        X, y = frame(data)
        rows = xgb.DMatrix(X, y, enable_categorical=True)
        options = {"objective": objective, "max_depth": 3, "nthread": 1, "tree_method": "hist", "max_cat_to_onehot": 1}
        if objective.startswith("multi"):
            options["num_class"] = len(data.target.domain)
        booster = xgb.train(options, rows, 4)
        record = {
            "program": "XGBoost", "version": xgb.__version__, "data": name,
            "answers": [str(each) if each.ndim == 0 else list(map(str, each)) for each in booster.predict(rows)],
            "leaves": booster.predict(rows, pred_leaf=True).astype(int).tolist(),
        }  # fmt: skip
        write("xgboost", f"{name}.json", bytes(booster.save_raw("json")).decode() + "\n", record)
        dump = ",\n".join(booster.get_dump(dump_format="json"))
        (HERE / "xgboost" / f"{name}.dump.json").write_text(f"[\n{dump}\n]\n", encoding="utf-8")


def lightgbm() -> None:
    """Models as text and as JSON."""
    lgb: Any = importlib.import_module("lightgbm")
    for name, (_, objective) in BOOSTED.items():
        data = data_set(name)
        X, y = frame(data)
        options = {"objective": objective, "num_leaves": 6, "min_data_in_leaf": 3, "num_threads": 1, "verbose": -1,
                   "deterministic": True, "min_data_per_group": 1, "cat_smooth": 0, "max_cat_to_onehot": 1}  # fmt: skip
        if objective == "multiclass":
            options["num_class"] = len(data.target.domain)
        X.columns = [re.sub(r"\W", "_", column) for column in X.columns]
        booster = lgb.train(options, lgb.Dataset(X, list(y)), 4)
        record = {
            "program": "LightGBM", "version": lgb.__version__, "data": name, "columns": list(X.columns),
            "answers": [repr(float(e)) if e.ndim == 0 else [repr(float(p)) for p in e] for e in booster.predict(X)],
            "leaves": booster.predict(X, pred_leaf=True).astype(int).tolist(),
        }  # fmt: skip
        write("lightgbm", f"{name}.txt", booster.model_to_string(), record)
        text = json.dumps(booster.dump_model(), indent=0)
        (HERE / "lightgbm" / f"{name}.dump.json").write_text(text + "\n", encoding="utf-8")


def held() -> None:
    """Models of tables of decimals, as the programs write them; those of scikit-learn as documents."""
    for seed, kind in enumerate(KINDS):
        rows, target = decimals(seed, kind)
        for name, found in fitted(rows, target):
            (document,) = read_foreign(found.model, classes=found.classes)
            text, ends = json.dumps(document), "json"
            if name.startswith("xgboost"):
                text = bytes(found.model.get_booster().save_raw("json")).decode()
            elif name == "lightgbm":
                text, ends = found.model.booster_.model_to_string(), "txt"
            by = document["program"]
            record = {"program": by["name"], "version": by.get("version"), "seed": seed, "kind": kind,
                      "classes": found.classes, "answers": found.answers}  # fmt: skip
            write("held", f"{name}-{kind.replace(' ', '-')}.{ends}", text + "\n", record)


def weka() -> None:
    """Printouts, and the predictions of a second run."""
    version = run(["java", "-cp", str(JAR), "weka.core.Version"]).splitlines()[0]
    for name, (learner, data, options) in WEKA.items():
        path = str(FOLDER / f"{data}.arff")
        command = ["java", "-cp", str(JAR), f"weka.classifiers.trees.{learner}", *options.split(), "-t", path]
        printed = run([*command, "-no-cv"])
        answers = [found[1] for found in re.finditer(r"(?m)^ +\d+ +\S+ +(\S+)", run([*command, "-T", path, "-p", "0"]))]
        record = {"program": f"Weka {learner}", "version": version, "data": data, "answers": answers}
        write("weka", f"{name}.txt", printed, record)


def weka_prints() -> None:
    """Whole printouts of two releases; that of release 3.9 is where the variable `WEKA_3_9` says."""
    for name, (learner, data, options) in PRINTS.items():
        jar, path = JARS[name.split("-")[1]], str(FOLDER / f"{data}.arff")
        command = ["java", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", str(jar)]
        if jar.exists():
            printed = run([*command, f"weka.classifiers.trees.{learner}", "-t", path, *options.split()])
            (HERE / "prints" / f"{name}.txt").write_text(printed, encoding="utf-8")


def rpart_kinds() -> None:
    """Trees of columns and responses of every class in R."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "snippet.R"
        lines.write_text(snippet(), encoding="utf-8")
        script = str(Path(__file__).parent / "grow_rpart_kinds.R")
        run(["Rscript", "--vanilla", script, str(lines), str(HERE / "rpart-kinds")])


def snippet() -> str:
    """The lines of R on the page."""
    found = re.search(r"(?ms)^    ```r\n(.*?)^    ```$", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return textwrap.dedent(found[1])


def rpart() -> None:
    """Tables, and the predictions of `predict`."""
    with tempfile.TemporaryDirectory() as folder:
        version = grow_rpart(list(map(data_set, RPART)), Path(folder), "minsplit = 4, cp = 0")
        for name in RPART:
            text = (Path(folder) / f"{name}.rpart").read_text(encoding="utf-8")
            answers = (Path(folder) / f"{name}.answers").read_text(encoding="utf-8").splitlines()
            record = {"program": "rpart", "version": version, "data": name, "answers": answers}
            write("rpart", f"{name}.rpart", text, record)


def grow_rpart(tables: Sequence[DataSet], folder: Path, options: str) -> str:
    """Trees of rpart as `NAME.rpart` in a folder, and what each answers as `NAME.answers`; the version of the program.

    Args:
        tables: the rows.
        folder: where all of it is written, the rows included.
        options: of rpart, as R has them.
    """
    (folder / "snippet.R").write_text(snippet(), encoding="utf-8")
    for data in tables:
        lines = [
            [*(each.name for each in data.attributes), data.target.name],
            *(["?" if cell is None else cell for cell in row] for row in data.rows),
        ]
        quoted = ("\t".join(row) for row in lines)
        (folder / f"{data.name}.tsv").write_text("\n".join(quoted) + "\n", encoding="utf-8")
        columns = (*data.attributes, data.target)
        kinds = ["" if each.values is None else "\t".join(each.values) for each in columns]
        (folder / f"{data.name}.levels").write_text("\n".join(kinds) + "\n", encoding="utf-8")
    script, names = str(Path(__file__).parent / "grow_rpart.R"), [data.name for data in tables]
    return run(["Rscript", "--vanilla", script, str(folder / "snippet.R"), str(folder), options, *names]).strip()


def run(command: Sequence[str]) -> str:
    """What a command prints."""
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


def programs() -> Iterator[Any]:
    """Those that are installed."""
    yield from (each for each in (xgboost, lightgbm) if importlib.util.find_spec(each.__name__))
    if importlib.util.find_spec("sklearn"):
        yield held
    if JAR.exists() and shutil.which("java"):
        yield from (weka, weka_prints)
    if shutil.which("Rscript"):
        yield from (rpart, rpart_kinds)


if __name__ == "__main__":
    for program in programs():
        program()
