"""Who grows which trees, and by which learner and profile each is audited."""

from __future__ import annotations

import importlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference_tree.programs.reading import read_foreign
from tests.peers import rpart, scikit_learn, weka
from tests.programs.recording import grow_rpart
from tests.programs.recording import run as output_of
from tools.report.runs import GAPS, ROOT, TEXTBOOK, Run, answered, documents_written, rows_of, table, written

NUMERIC = ("iris", "wine", "breast-cancer-wisconsin")
MIXED = ("weather-nominal", "weather-numeric", "contact-lenses", *TEXTBOOK)
MISSING = ("vote", "labor", "soybean", GAPS)


@dataclass(frozen=True)
class Program:
    """A program.

    Args:
        name: what it is called.
        dialect: by which learner and profile it is audited, and what has to be known about that.
        grow: its trees.
        absent: what is not installed; none if all is.
        because: what is known about what is found in its trees.
    """

    name: str
    dialect: str
    grow: Callable[[], Iterator[Run]]
    absent: Callable[[], str | None]
    because: str = ""


def _scikit_learn() -> Iterator[Run]:
    trees: Any = importlib.import_module("sklearn.tree")
    version = importlib.import_module("sklearn").__version__
    jobs = [(name, criterion) for name in (*NUMERIC, GAPS) for criterion in ("gini", "entropy")]
    for name, criterion in [*jobs, ("diabetes", "squared_error")]:
        data = table(name)
        kind = "DecisionTreeRegressor" if data.target.values is None else "DecisionTreeClassifier"
        *columns, target = zip(*data.numbers(), strict=True)
        X = list(map(list, zip(*columns, strict=True)))
        model = getattr(trees, kind)(criterion=criterion, random_state=0).fit(X, target)
        names = [attribute.name for attribute in data.attributes]
        found = read_foreign(model, target=data.target.name, attributes=names, classes=data.target.values or ())
        (path,) = documents_written(f"scikit-learn-{name}-{criterion}", found)
        options = ["--learner", "cart", "--profile", "scikit-learn", "--criterion", criterion]
        yield Run("scikit-learn", version, f"criterion={criterion}", path, rows_of(name), options)


RPART = "cp = -1, minsplit = 2, minbucket = 1, xval = 0, maxcompete = 0, maxdepth = 30"
"""A full tree: what does not pay is not taken back."""


def _rpart() -> Iterator[Run]:
    names = (*MIXED, *NUMERIC, "diabetes", "vote", "labor", GAPS)
    with tempfile.TemporaryDirectory() as folder:
        version = grow_rpart(list(map(table, names)), Path(folder), RPART)
        texts = {name: (Path(folder) / f"{name}.rpart").read_text(encoding="utf-8") for name in names}
    options = ["--learner", "cart", "--profile", "rpart", "--min-samples-split", "2", "--min-samples-leaf", "1"]
    for name in names:
        path = written(f"rpart-{name}.rpart", texts[name])
        yield Run("rpart", version, RPART, path, answered(name), options)


def _weka(learner: str, settings: str, names: Sequence[str], *options: str) -> Callable[[], Iterator[Run]]:
    """The trees of one of Weka's learners."""

    def grown() -> Iterator[Run]:
        version = output_of(["java", "-cp", str(weka.JAR), "weka.core.Version"]).splitlines()[0]
        for name in names:
            rows = rows_of(name)
            arguments = [f"weka.classifiers.trees.{learner}", *settings.split(), "-no-cv", "-t", str(ROOT / rows)]
            printed = output_of(["java", "-cp", str(weka.JAR), *arguments])
            setting = f"-{learner.lower()}{settings.replace(' ', '')}"
            path = written(f"weka{setting}-{name}.txt", printed)
            yield Run(f"Weka {learner}", version, settings or "no options", path, rows, options)

    return grown


def _no_java() -> str | None:
    if not weka.JAR.exists():
        return f"there is no {weka.JAR}: install Debian's package weka, or set WEKA_JAR"
    return None if shutil.which("java") else "there is no Java"


def _both(*grown: Callable[[], Iterator[Run]]) -> Callable[[], Iterator[Run]]:
    return lambda: (run for one in grown for run in one())


WEKA_TABLES = (*MIXED, *NUMERIC, *MISSING)
J48 = ("--learner", "c45", "--profile", "weka-j48")
SIMPLE_CART = (
    "--learner", "cart", "--profile", "cart-1984", "--missing", "spread", "--min-samples-split", "2",
    "--min-samples-leaf", "0", "--option", "threshold", "below", "--option", "zero_gain", "stops",
)  # fmt: skip
REP_TREE_TABLES = (*MIXED, "iris", "wine", "vote", "labor", "soybean")
"""It prints thresholds with two digits: only where the values have no more, the tree is what is printed."""
REP_TREE = (
    "--learner", "cart", "--profile", "cart-1984", "--criterion", "entropy", "--branching", "multiway", "--missing",
    "spread", "--min-samples-split", "0", "--min-samples-leaf", "0", "--option", "threshold", "below", "--option",
    "zero_gain", "stops",
)  # fmt: skip

PROGRAMS = (
    Program(
        "scikit-learn",
        "`--learner cart --profile scikit-learn`. Values are judged as float32, which is how it holds them.",
        _scikit_learn,
        scikit_learn.absent,
    ),
    Program(
        "rpart",
        "`--learner cart --profile rpart`, surrogates included. The trees are full, and nothing is taken back. rpart "
        "leaves out the rows of which it knows nothing but the target, and so does the audit.",
        _rpart,
        rpart.absent,
    ),
    Program(
        "Weka J48",
        "`--learner c45 --profile weka-j48`, for trees unpruned and with `-B`. What C4.5 takes back in the end (it "
        "collapses a split that makes no fewer mistakes) is excused.",
        _both(
            _weka("J48", "-U", WEKA_TABLES, *J48),
            _weka("J48", "-U -B", MIXED, *J48, "--branching", "one-vs-rest"),
        ),
        _no_java,
    ),
    Program(
        "Weka Id3",
        "`--learner id3`. Its leaves without rows answer nothing, and are not told.",
        _weka("Id3", "", ("weather-nominal", "contact-lenses", "play-tennis"), "--learner", "id3"),
        _no_java,
    ),
    Program(
        "Weka SimpleCart",
        "`--learner cart --profile cart-1984` with the bounds of the program: it asks `<`, spreads rows without a "
        "value, and a branch needs a row.",
        _weka("SimpleCart", "-U -H -M 1", WEKA_TABLES, *SIMPLE_CART),
        _no_java,
        "In the votes every gain is exactly 0 there. In doubles some are about 10⁻¹⁷, and SimpleCart goes on as long "
        "as rows last.",
    ),
    Program(
        "Weka REPTree",
        "`--learner cart`, as it has no profile, with options that do what REPTree does: gain in bits, a branch for "
        "every value, `<`, rows without a value spread, no pruning and no least size (`-P -M 0 -V 0`).",
        _weka("REPTree", "-P -M 0 -V 0", REP_TREE_TABLES, *REP_TREE),
        _no_java,
    ),
)
"""Those that grow one tree."""

LEFT_OUT = (
    ("The order of splits", "where a program grows the best leaf first under a cap on leaves, the order is not judged"),
    (
        "What pruning does",
        "J48, SimpleCart, REPTree and rpart are run without it. Pruned trees can be audited as grown ones "
        "(`--pruned`), but then any leaf is excused",
    ),
    (
        "What a printed tree does not say",
        "Weka prints no answers of inner nodes, weights with two digits, and thresholds of REPTree with two digits, so "
        "that breast cancer and the wines with gaps, whose values have more, are left out for REPTree",
    ),
    (
        "REPTree's least size",
        "with `-M 1` or more it looks for two branches that are large enough after it has chosen the attribute, and "
        "makes a leaf if there are none. No option here does that",
    ),
    ("Forests and bags", "the draws of a program are those of its own generator; its trees are audited one by one, if "
     "the weights of the rows are given"),
)  # fmt: skip
"""What is not audited, and why."""
