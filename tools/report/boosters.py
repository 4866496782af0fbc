"""XGBoost and LightGBM: their trees, audited by the derivatives that they had."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reference_tree.auditing.boosting import BoostedAudit
from reference_tree.auditing.finding import Finding
from reference_tree.data.readers import read
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.boosters import BoosterParameters
from reference_tree.programs.reading import read_foreign
from reference_tree.tree_document import predictor_from_json
from tests.peers import xgboost_trees
from tests.peers.data_sets import DataSet
from tools.report.runs import BUILD, ROOT, table, written

TREES = 9
"""Of each model; three rounds of three classes."""
LOSSES = {"breast-cancer-wisconsin": "logistic", "diabetes": "squared_error", "wine": "softmax"}
XGBOOST = {"logistic": "binary:logistic", "squared_error": "reg:squarederror", "softmax": "multi:softprob"}
LIGHTGBM = {"logistic": "binary", "squared_error": "regression"}
COLUMNS = ("optimal", "within-rounding", "suboptimal", "not-a-candidate")

NOTES = """\
- **Rows that LightGBM does not count.** Its histograms hold no counts. It estimates those of a side by the share of its
  H, and holds the estimate against `min_data_in_leaf`. So a side may have fewer rows than that, and such a question is
  *not a candidate* here: the side is counted.
- **Cuts that LightGBM does not try.** It scans the bins from right to left, and stops where the estimate of the rows on
  the left falls below `min_data_in_leaf`. The estimates are rounded bin by bin, and can add up to more rows than there
  are. Then the left seems to have fewer rows than none, and the cuts that are still to come are not tried, even without
  a bound. The question that is *suboptimal* among its own bins was taken so: the better cut lies beyond that place.
- **Leaves** are right if the value may be a rounding of −η·G/(H + λ). Whether a leaf should be there is judged for
  XGBoost. LightGBM stops at a number of leaves, and there it is not judged.
- **Not audited**: LightGBM's softmax, whose second derivatives are K/(K−1)·p(1−p); models whose sums start at a number
  that is not rational, as XGBoost's estimate of a probability does (`base_score` is 0.5 here); categories; weights."""
"""What is to be known about these findings."""


@dataclass(frozen=True)
class Boosted:
    """What was found in a boosted model.

    Args:
        name: the program, its table and its objective.
        version: of the program.
        among: which questions it is judged among.
        trees: how many.
        splits: how many nodes that ask have each verdict of `COLUMNS`.
        leaves: how many leaves are right, and how many are not.
        first: the first finding, in a sentence; nothing where there is none.
    """

    name: str
    version: str
    among: str
    trees: int
    splits: Sequence[int]
    leaves: tuple[int, int]
    first: str = ""


def models() -> tuple[list[Boosted], dict[str, str]]:
    """What was found, and what did not run and why."""
    absent = {}
    if missing := xgboost_trees.absent():
        absent["XGBoost"] = missing
    if not importlib.util.find_spec("lightgbm"):
        absent["LightGBM"] = "there is no LightGBM: pip install lightgbm"
    found = [] if "XGBoost" in absent else list(_xgboost())
    return [*found, *([] if "LightGBM" in absent else _lightgbm())], absent


def _xgboost() -> Iterator[Boosted]:
    version = importlib.import_module("xgboost").__version__
    for name, loss in LOSSES.items():
        X, y = _arrays(table(name))
        classes = {"num_class": 3} if loss == "softmax" else {}
        rounds = TREES // classes.get("num_class", 1)
        options = {"objective": XGBOOST[loss], "max_depth": 3, "eta": 0.3, "lambda": 1, **classes}
        text = bytes(xgboost_trees.train(X, y, rounds, **options).save_raw("json")).decode()
        written(f"xgboost-{name}.json", text)
        told = BoosterParameters(loss=loss, max_depth=3, rate=Fraction(3, 10), reg_lambda=1, min_child_weight=1)
        yield _found(f"XGBoost, {name}, {loss}", version, "all gaps", text, table(name), told)


def _lightgbm() -> Iterator[Boosted]:
    lgb: Any = importlib.import_module("lightgbm")
    for name, loss in LOSSES.items():
        for least in (0, 20):
            if loss not in LIGHTGBM:
                continue
            data = table(name)
            X, y = _arrays(data)
            options = {
                "objective": LIGHTGBM[loss], "num_leaves": 6, "learning_rate": 0.5, "min_data_in_leaf": least,
                "boost_from_average": False, "feature_pre_filter": False, "deterministic": True, "force_col_wise": True,
                "num_threads": 1, "verbose": -1,
            }  # fmt: skip
            rows = lgb.Dataset(X, y, params=options, free_raw_data=False)
            text = lgb.train(options, rows, TREES).model_to_string()
            written(f"lightgbm-{name}-{least}.txt", text)
            told = BoosterParameters(
                loss=loss, rate=Fraction(1, 2), reg_lambda=0, min_child_weight=Fraction(1, 1000), epsilon=0,
                min_samples_leaf=least, max_depth=None, max_leaves=6, margins="double", gains="double",
                stated=Fraction(1, 2**17),
            )  # fmt: skip
            called = f"LightGBM, {name}, {loss}, min_data_in_leaf={least}"
            bins = _bins(rows, data)
            yield _found(called, lgb.__version__, "its own bins", text, data, told, bins)
            yield _found(called, lgb.__version__, "all gaps", text, data, told)


def _bins(rows: Any, data: DataSet) -> Mapping[str, Sequence[int]]:
    """The bin of each row by attribute, as LightGBM writes them."""
    path = ROOT / BUILD / "lightgbm-bins.txt"
    rows._dump_text(str(path))
    lines = [re.findall(r"\d+", line) for line in path.read_text(encoding="utf-8").splitlines()[-rows.num_data() :]]
    return {one.name: [int(line[place]) for line in lines] for place, one in enumerate(data.attributes)}


def _arrays(data: DataSet) -> tuple[Any, Any]:
    numpy: Any = importlib.import_module("numpy")
    whole = numpy.array(list(data.numbers()))
    return whole[:, :-1], whole[:, -1]


def _found(
    name: str, version: str, among: str, text: str, data: DataSet, told: BoosterParameters, bins: Any = None
) -> Boosted:
    names, classes = [one.name for one in data.attributes], list(data.target.values or ())
    documents = read_foreign(text, target=data.target.name, attributes=names, classes=classes)
    model = predictor_from_json(json.dumps(documents[0]))
    assert isinstance(model, Ensemble)
    findings = list(BoostedAudit(model, read(str(data.path)), told, bins=bins))
    asks = [one for one in findings if model.members[one.tree or 0].tree.nodes[one.number].test is not None]
    verdicts = Counter(one.verdict for one in asks)
    leaves = Counter(one.is_right for one in findings if one not in asks)
    first = next((one for one in findings if one.faults), None)
    return Boosted(
        name,
        version,
        among,
        len(model.members),
        [verdicts[verdict] for verdict in COLUMNS],
        (leaves[True], leaves[False]),
        "" if first is None else _told(first),
    )


def _told(finding: Finding) -> str:
    """A finding in words."""
    return (
        f"tree {(finding.tree or 0) + 1}, node {finding.number}, where {finding.rows} rows arrive and "
        f"`{finding.said}` stands: {finding.verdict}, {finding.faults[0].message}"
    )
