"""Right trees of other programs, audited without any option: how many nodes are judged, and how many are blamed.

`python -m tests.auditing.right_trees [PROGRAM ...] [--tables N]` trains scikit-learn, rpart, J48, XGBoost, LightGBM and
Spark on random tables, with bounds, prunings, weights of classes and gaps, and prints a table. No audit is told an
option. A node that is blamed is a false alarm, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.writers import to_arff
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json

JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))


class Right(NamedTuple):
    """A tree that a program trained, and the rows it was trained on."""

    program: str
    options: str
    form: str
    """An object, a print, or a file."""
    table: rt.Table
    tree: Any
    """An object, or the text."""


class Count(NamedTuple):
    """What an audit of some trees found."""

    trees: int = 0
    nodes: int = 0
    blamed: int = 0

    def plus(self, nodes: int, blamed: int) -> Count:
        """The count with a further tree."""
        return Count(self.trees + 1, self.nodes + nodes, self.blamed + blamed)


def made(seed: int, rows: int = 0, *, gaps: bool = False, categories: bool = True, numeric: bool = False) -> rt.Table:
    """A random table whose target depends on its attributes, with noise."""
    chance = Random(seed)
    rows = rows or chance.choice([60, 120, 300, 500])
    columns: dict[str, list[Any]] = {
        "a": [chance.randrange(40) for _ in range(rows)],
        "b": [chance.randrange(200) / 4 for _ in range(rows)],
        "c": [chance.randrange(12) for _ in range(rows)],
    }
    if categories:
        columns["k"] = [chance.choice("uvwx") for _ in range(rows)]
        columns["m"] = [chance.choice("st") for _ in range(rows)]
    else:
        columns["d"] = [chance.randrange(1000) / 8 for _ in range(rows)]
    classes = chance.choice(["pq", "pqr"])
    score = [
        a / 40 + (b > 25) + (c % 3) / 3 + chance.random() for a, b, c in zip(*map(columns.get, "abc"), strict=True)
    ]
    target = (
        [round(one * 8) for one in score] if numeric else [classes[min(int(one), len(classes) - 1)] for one in score]
    )
    if gaps:
        columns = {
            name: [None if chance.random() < 0.06 else one for one in column] for name, column in columns.items()
        }
    return rt.Table.from_columns(
        {**columns, "y": target}, "y", categorical=[] if numeric else ["y"], continuous=["y"] if numeric else []
    )


# scikit-learn.


def number(value: Any) -> float:
    """A cell that holds a number."""
    return float(value)


SKLEARN: tuple[Mapping[str, Any], ...] = (
    {}, {"max_depth": 3}, {"max_depth": 5}, {"min_samples_leaf": 7}, {"min_samples_leaf": 20},
    {"min_samples_split": 25},
    {"ccp_alpha": 0.005}, {"ccp_alpha": 0.02}, {"max_leaf_nodes": 8}, {"min_impurity_decrease": 0.004},
    {"max_depth": 4, "min_samples_leaf": 6}, {"max_depth": 5, "min_samples_split": 30},
)  # fmt: skip


def _of_classes(labels: Collection[str]) -> tuple[dict[str, Any], ...]:
    """Options of trees of classes."""
    heavier = {label: 2 if label == "q" else 1 for label in sorted(labels)}
    return (
        {"class_weight": "balanced", "max_depth": 4}, {"criterion": "entropy"},
        {"criterion": "entropy", "max_depth": 4}, {"class_weight": heavier}, {"class_weight": heavier, "max_depth": 4},
    )  # fmt: skip


def of_sklearn(seeds: Sequence[int]) -> Iterator[Right]:
    """Trees of scikit-learn, as objects and as prints."""
    trees = importlib.import_module("sklearn.tree")
    for seed in seeds:
        for numeric in (False, True):
            table = made(seed, categories=False, numeric=numeric)
            names = [one.name for one in table.schema.attributes]
            rows = [[number(row[name]) for name in names] for row in table.rows()]
            labels = [row["y"] if not numeric else number(row["y"]) for row in table.rows()]
            kind = trees.DecisionTreeRegressor if numeric else trees.DecisionTreeClassifier
            further = () if numeric else _of_classes({str(label) for label in labels})
            for options in (*SKLEARN, *further):
                model = kind(random_state=0, **options).fit(rows, labels)
                said = " ".join(f"{name}={value}" for name, value in options.items()) or "default"
                yield Right("scikit-learn", said, "object", table, model)
                shown = trees.export_text(model, feature_names=names, decimals=17, max_depth=1000)
                yield Right("scikit-learn", said, "print", table, shown)
                if not numeric:
                    shown = trees.export_text(
                        model, feature_names=names, decimals=17, max_depth=1000, show_weights=True
                    )
                    yield Right("scikit-learn", said, "print with weights", table, shown)


# rpart.

RPART = (
    "", "control=rpart.control(cp=0)", "control=rpart.control(cp=0.03)", "control=rpart.control(minsplit=6)",
    "control=rpart.control(minbucket=20)", "control=rpart.control(minsplit=10, cp=0.002)",
    "control=rpart.control(maxdepth=2)", "control=rpart.control(maxdepth=3, cp=0)",
)  # fmt: skip
OF_CLASSES = (
    "parms=list(split='information')",
    "parms=list(prior=rep(1/K, K))",
    "parms=list(prior=rep(1/K, K)), control=rpart.control(cp=0)",
)

WRITE = """
library(rpart)
write_rpart <- function(fit, file) {
  part <- function(name, x) {
    n <- sapply(x, is.numeric); x[n] <- lapply(x[n], sprintf, fmt = "%.17g")
    cat("#", name, "\\n"); write.csv(x, row.names = FALSE)
  }
  classes <- attr(fit$terms, "dataClasses")
  levels <- c(setNames(list(attr(fit, "ylevels")), names(classes)[1]), attr(fit, "xlevels"))
  sink(file); on.exit(sink())
  part("program", data.frame(rpart = format(packageVersion("rpart")), fit$method, fit$control$usesurrogate))
  part("columns", data.frame(names(classes), classes))
  part("levels", data.frame(value = as.character(unlist(levels)), column = rep(names(levels), lengths(levels))))
  part("frame", data.frame(node = rownames(fit$frame), as.list(fit$frame)))
  if (length(fit$splits)) part("splits", data.frame(variable = rownames(fit$splits), fit$splits))
  if (length(fit$csplit)) part("csplit", as.data.frame(fit$csplit))
}
grown <- function(data, kind, call, file) {
  d <- read.csv(data, stringsAsFactors = TRUE)
  K <- if (kind == "class") nlevels(d$y) else 0
  fit <- eval(parse(text = paste0("rpart(y ~ ., d, method = kind", if (call == "") "" else paste0(", ", call), ")")))
  sink(paste0(file, ".txt")); print(fit, digits = 15); sink()
  write_rpart(fit, paste0(file, ".rpart"))
}
"""


def of_rpart(seeds: Sequence[int]) -> Iterator[Right]:
    """Trees of rpart, as prints and as tables; some rows have gaps."""
    with tempfile.TemporaryDirectory() as name:
        folder, script, jobs = Path(name), [WRITE], []
        for seed in seeds:
            for gaps in (False, True):
                for numeric in (False, True):
                    table = made(seed, gaps=gaps, numeric=numeric)
                    data = folder / f"{seed}-{gaps}-{numeric}.csv"
                    data.write_text(as_csv(table), encoding="utf-8")
                    for place, call in enumerate((*RPART, *(() if numeric else OF_CLASSES))):
                        file = folder / f"{data.stem}-{place}"
                        script.append(f'grown("{data}", "{"anova" if numeric else "class"}", "{call}", "{file}")')
                        jobs.append((call or "default", gaps, table, file))
        (folder / "all.R").write_text("\n".join(script), encoding="utf-8")
        subprocess.run(["Rscript", "--vanilla", str(folder / "all.R")], check=True, capture_output=True)
        for call, gaps, table, file in jobs:
            said = f"{call}{', gaps' if gaps else ''}"
            yield Right("rpart", said, "print", table, file.with_name(f"{file.name}.txt").read_text(encoding="utf-8"))
            yield Right(
                "rpart", said, "tables", table, file.with_name(f"{file.name}.rpart").read_text(encoding="utf-8")
            )


def as_csv(table: rt.Table) -> str:
    """The table as R reads it."""
    names = [*(one.name for one in table.schema.attributes), "y"]

    def cell(value: Any) -> str:
        return "NA" if value is None else value if isinstance(value, str) else repr(float(value))

    lines = [",".join(cell(row[name]) for name in names) for row in table.rows()]
    return "\n".join([",".join(names), *lines]) + "\n"


# J48.

J48 = ("", "-U", "-R", "-S", "-B", "-C 0.1", "-M 5", "-A", "-C 0.1 -M 4", "-B -S", "-R -N 5")


def of_j48(seeds: Sequence[int]) -> Iterator[Right]:
    """Trees of J48, with all that it prints, and with the tree alone."""
    with tempfile.TemporaryDirectory() as name:
        for seed in seeds:
            for gaps in (False, True):
                table = made(seed, gaps=gaps)
                data = Path(name) / f"{seed}-{gaps}.arff"
                data.write_text(to_arff(table), encoding="utf-8")
                for options in J48:
                    words = [
                        "java",
                        "-cp",
                        str(JAR),
                        "weka.classifiers.trees.J48",
                        "-t",
                        str(data),
                        "-no-cv",
                        *options.split(),
                    ]
                    text = subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout
                    said = f"{options or 'default'}{', gaps' if gaps else ''}"
                    yield Right("J48", said, "output", table, text)
                    yield Right("J48", said, "print", table, text[text.index("J48 ") :])


# Boosting programs.

XGBOOST: tuple[dict[str, float], ...] = (
    {}, {"max_depth": 3, "learning_rate": 0.1}, {"gamma": 1.0, "reg_lambda": 3.0}, {"min_child_weight": 5},
)  # fmt: skip
SPARK: tuple[Mapping[str, Any], ...] = (
    {},
    {"maxDepth": 3},
    {"minInstancesPerNode": 8},
    {"minInfoGain": 0.01},
    {"impurity": "entropy"},
)


def of_xgboost(seeds: Sequence[int]) -> Iterator[Right]:
    """Models of XGBoost, as objects."""
    program = importlib.import_module("xgboost")
    for seed in seeds:
        for options in XGBOOST:
            yield from _boosted(
                "XGBoost", program.XGBClassifier, program.XGBRegressor, seed, {"n_estimators": 5, **options}
            )


def of_lightgbm(seeds: Sequence[int]) -> Iterator[Right]:
    """Models of LightGBM, as objects."""
    program = importlib.import_module("lightgbm")
    for seed in seeds:
        for options in ({}, {"num_leaves": 8}, {"min_child_samples": 5}, {"max_depth": 3}):
            more = {"n_estimators": 5, "verbose": -1, "n_jobs": 1, **options}
            yield from _boosted("LightGBM", program.LGBMClassifier, program.LGBMRegressor, seed, more)


def _boosted(name: str, classifier: Any, regressor: Any, seed: int, options: Mapping[str, Any]) -> Iterator[Right]:
    numpy = importlib.import_module("numpy")
    for numeric in (False, True):
        table = made(seed, categories=False, numeric=numeric)
        names = [one.name for one in table.schema.attributes]
        rows = numpy.array([[number(row[one]) for one in names] for row in table.rows()])
        domain = list(table.schema.target.values or ())
        labels = [number(row["y"]) if numeric else domain.index(str(row["y"])) for row in table.rows()]
        own = table if numeric else _numbered(table, domain)
        said = " ".join(f"{key}={value}" for key, value in options.items() if key not in ("verbose", "n_jobs"))
        yield Right(name, said, "object", own, (regressor if numeric else classifier)(**options).fit(rows, labels))


def _numbered(table: rt.Table, domain: Sequence[str]) -> rt.Table:
    """The table with the numbers of its classes."""
    rows = list(table.rows())
    columns = {one.name: [row[one.name] for row in rows] for one in table.schema.attributes}
    return rt.Table.from_columns(
        {**columns, "y": [str(domain.index(row["y"])) for row in rows]}, "y", categorical=["y"]
    )


def of_spark(seeds: Sequence[int]) -> Iterator[Right]:
    """Trees of Spark, as objects."""
    sql, learners = importlib.import_module("pyspark.sql"), importlib.import_module("pyspark.ml.classification")
    features = importlib.import_module("pyspark.ml.feature")
    session = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        for seed in seeds:
            table = made(seed, categories=False)
            names, domain = [one.name for one in table.schema.attributes], list(table.schema.target.values or ())
            own = _numbered(table, domain)
            rows = [(*(number(row[one]) for one in names), float(domain.index(str(row["y"])))) for row in table.rows()]
            frame = features.VectorAssembler(inputCols=names, outputCol="features").transform(
                session.createDataFrame(rows, [*names, "label"])
            )
            for options in SPARK:
                said = " ".join(f"{key}={value}" for key, value in options.items()) or "default"
                yield Right("Spark", said, "object", own, learners.DecisionTreeClassifier(**options).fit(frame))
    finally:
        session.stop()


PROGRAMS: Mapping[str, Callable[[Sequence[int]], Iterator[Right]]] = {
    "scikit-learn": of_sklearn,
    "rpart": of_rpart,
    "J48": of_j48,
    "XGBoost": of_xgboost,
    "LightGBM": of_lightgbm,
    "Spark": of_spark,
}


def absent(program: str) -> str | None:
    """What a program needs and is not installed."""
    if program == "J48":
        return None if JAR.exists() and shutil.which("java") else f"there is no {JAR}, or no java"
    if program == "rpart":
        return None if shutil.which("Rscript") else "there is no Rscript"
    module = {"scikit-learn": "sklearn", "Spark": "pyspark"}.get(program, program.lower())
    try:
        importlib.import_module(module)
    except ImportError:
        return f"there is no {module}"
    return None


def audited(right: Right) -> Any:
    """The audit of a tree, which is told nothing."""
    if not isinstance(right.tree, str):
        return rt.audit(right.tree, right.table)
    schema = right.table.schema
    (document,) = read_foreign(
        right.tree, target=schema.target.name, attributes=schema.attributes, classes=schema.target.values or ()
    )
    return rt.audit(predictor_from_json(json.dumps(document)), right.table)


def counted(rights: Iterator[Right], tell: Callable[[str], object] = print) -> dict[tuple[str, str, str], Count]:
    """The count of the trees of each program, form and options."""
    found: dict[tuple[str, str, str], Count] = {}
    for right in rights:
        key = (right.program, right.form, right.options)
        try:
            audit = audited(right)
            nodes, blamed = len(audit.findings), len(audit.wrong)
        except InputError as error:
            nodes, blamed, audit = 0, 1, f"refused: {error}"
        if blamed:
            tell(f"blamed: {' '.join(key)}: {str(audit)[:700]}")
        found[key] = found.get(key, Count()).plus(nodes, blamed)
    return found


def lines(found: Mapping[tuple[str, str, str], Count]) -> Iterator[str]:
    """The table of counts, by program and form."""
    yield f"{'program':14}{'form':20}{'trees':>8}{'nodes':>9}{'false alarms':>14}"
    for program, form in dict.fromkeys(key[:2] for key in found):
        own = [count for key, count in found.items() if key[:2] == (program, form)]
        trees, nodes, blamed = (sum(column) for column in zip(*own, strict=True))
        yield f"{program:14}{form:20}{trees:8}{nodes:9}{blamed:14}"
    trees, nodes, blamed = (sum(column) for column in zip(*found.values(), strict=True))
    yield f"{'all':34}{trees:8}{nodes:9}{blamed:14}"


def main(words: Sequence[str]) -> int:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args(words)
    warnings.simplefilter("ignore")
    found: dict[tuple[str, str, str], Count] = {}
    for program in options.programs or PROGRAMS:
        if why := absent(program):
            print(f"{program.upper()} IS NOT TRIED: {why}")
            continue
        found |= counted(PROGRAMS[program](range(options.first, options.first + options.tables)))
    print("\n".join(lines(found)))
    return int(any(count.blamed for count in found.values()))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
