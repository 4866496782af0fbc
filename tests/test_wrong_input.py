"""Wrong Python input gets one line that says what is wrong, in Python's words; never an error from within."""

from __future__ import annotations

import datetime
import io
import traceback
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.pruning.error_based import ErrorBased
from reference_tree.pruning.error_limits import LIMITS

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

NAN, INF = float("nan"), float("inf")
days = rt.textbook("play-tennis")
tree: Any = rt.ID3().grow(days)
mixed = rt.Table.from_columns({"size": [1, 2, 3, 4], "colour": ["r", "g", "r", "b"], "y": ["n", "y", "n", "y"]})
num: Any = rt.CART().grow(rt.Table.from_columns({"size": [1, 2, 3, 4], "y": ["n", "n", "y", "y"]}))
cat: Any = rt.ID3().grow(rt.Table.from_columns({"colour": ["r", "g"], "y": ["n", "y"]}))
X: Any = [[1, "a"], [2, "b"]]
y: Any = ["n", "y"]
frame: Any = pd.DataFrame({"size": [1, 2], "y": ["n", "y"]})
model = rt.CARTClassifier().fit(X, y)
untyped: Any = rt


class Unfitted:
    """Who asks whether it is true asks for its length."""

    def __len__(self) -> int:
        raise AttributeError("estimators_")


WRONG: list[tuple[str, Callable[[], Any], str]] = [
    (
        "predict list of scalars",
        lambda: num.predict([1, "u"]),
        "row 1: 1 is no row; a row is a mapping of attribute to value; many are a sequence of",
    ),
    (
        "predict None",
        lambda: num.predict(None),
        "None is no row; a row is a mapping of attribute to value; many are a sequence of suc",
    ),
    (
        "predict int",
        lambda: num.predict(3),
        "3 is no row; a row is a mapping of attribute to value; many are a sequence of such, ",
    ),
    (
        "predict str",
        lambda: num.predict("size"),
        "'size' is no row; a row is a mapping of attribute to value; many are a sequence of s",
    ),
    (
        "predict 1-D",
        lambda: num.predict(np.array([1, 2])),
        "row 1: ",
    ),
    (
        "predict 2-D",
        lambda: num.predict(np.array([[1], [2]])),
        "row 1: array([1]) is no row; a row is a mapping of attribute to value; many are a se",
    ),
    (
        "predict 3-D",
        lambda: num.predict(np.zeros((2, 2, 2))),
        "row 1: array([[0., 0.],\\n       [0., 0.]]) is no row; a row is a mapping of attribut",
    ),
    (
        "predict list of lists",
        lambda: num.predict([[1], [2]]),
        "row 1: [1] is no row; a row is a mapping of attribute to value; many are a sequence ",
    ),
    (
        "predict strings as rows",
        lambda: num.predict(["size", "size"]),
        "row 1: 'size' is no row; a row is a mapping of attribute to value; many are a sequen",
    ),
    (
        "predict list with None",
        lambda: num.predict([{"size": 1}, None]),
        "row 2: None is no row; a row is a mapping of attribute to value; many are a sequence",
    ),
    (
        "predict a column mapping",
        lambda: num.predict({"size": [1, 2]}),
        "column size: '[1, 2]' is a list; make it a number, or a text for a category",
    ),
    ("predict object", lambda: num.predict({"size": object()}), "column size: '<object object at "),
    ("predict a text", lambda: num.predict({"size": "big"}), "'big' is not a number; the tree asks for size<=2.5"),
    (
        "predict complex",
        lambda: num.predict({"size": 1j}),
        "column size: '1j' is a complex; make it a number, or a text for a category",
    ),
    ("predict inf", lambda: num.predict({"size": INF}), "inf is not a finite number; the tree asks for size<=2.5"),
    (
        "predict Decimal inf",
        lambda: num.predict({"size": Decimal("inf")}),
        "'Infinity' is not a finite number; the tree asks for size<=2.5",
    ),
    (
        "predict nan",
        lambda: cat.predict({"colour": NAN}),
        "the value of colour is missing, and this tree has no rule for that",
    ),
    (
        "predict date",
        lambda: num.predict({"size": datetime.date(2026, 1, 2)}),
        "column size: '2026-01-02' is a date; make it a number, or a text for a category",
    ),
    (
        "predict category date",
        lambda: cat.predict({"colour": datetime.date(2026, 1, 2)}),
        "column colour: '2026-01-02' is a date; make it a number, or a text for a category",
    ),
    (
        "predict category list",
        lambda: cat.predict({"colour": ["r"]}),
        "column colour: \"['r']\" is a list; make it a number, or a text for a category",
    ),
    (
        "predict category bytes",
        lambda: cat.predict({"colour": b"r"}),
        "column colour: \"b'r'\" is a bytes; make it a number, or a text for a category",
    ),
    (
        "predict category dict",
        lambda: cat.predict({"colour": {}}),
        "column colour: '{}' is a dict; make it a number, or a text for a category",
    ),
    (
        "predict unseen",
        lambda: cat.predict({"colour": "x"}),
        "the value 'x' of colour was not seen in training; unseen='majority' answers",
    ),
    ("predict absent", lambda: cat.predict({}), "the row has no value for colour, which the tree asks for"),
    (
        "predict frame without",
        lambda: num.predict(pd.DataFrame({"sise": [1]})),
        "the row has no value for size, which the tree asks for",
    ),
    (
        "predict lazy",
        lambda: num.predict(pl.LazyFrame({"size": [1]})),
        "the frame is lazy, and has no cells yet; collect it first",
    ),
    (
        "predict frame text",
        lambda: num.predict(pd.DataFrame({"size": ["big"]})),
        "column size: row 1: 'big' is not a number; correct it, or make it None where it is missing",
    ),
    (
        "predict frame dates",
        lambda: num.predict(pd.DataFrame({"size": pd.to_datetime(["2026-01-02"])})),
        "column size: row 1: '2026-01-02 00:00:00' is a Timestamp; make it a number, or a tex",
    ),
    (
        "predict frame inf",
        lambda: num.predict(pd.DataFrame({"size": [INF]})),
        "column size: row 1: 'inf' is not a finite number; correct it, or make it None where ",
    ),
    (
        "predict bad unseen",
        lambda: num.predict({"size": 1}, unseen="x"),
        "there is no rule for unseen values 'x'; there are error, majority",
    ),
    (
        "distribution None",
        lambda: num.distribution(None),
        "None is no row; a row is a mapping of attribute to value; many are a sequence of suc",
    ),
    (
        "distribution scalar",
        lambda: num.distribution([3]),
        "row 1: 3 is no row; a row is a mapping of attribute to value; many are a sequence of",
    ),
    ("find", lambda: num.find(None), "the path None does not begin with /; the root is /"),
    ("read None", lambda: untyped.read(None), "None is no path, and no file that is open"),
    ("read int", lambda: untyped.read(3), "3 is no path, and no file that is open"),
    (
        "read frame",
        lambda: untyped.read(frame),
        "   size  y\\n0     1  n\\n1     2  y is no path, and no file that is open; Table.from_",
    ),
    ("read list", lambda: untyped.read([1]), "[1] is no path, and no file that is open"),
    ("read no file", lambda: untyped.read("nothing.csv"), "nothing.csv: there is no such file"),
    (
        "read target",
        lambda: untyped.read(io.StringIO("a,play\n1,2\n"), target="plya"),
        "the open file: there is no column 'plya' (did you mean play?); there are a, play",
    ),
    (
        "read target list",
        lambda: untyped.read(io.StringIO("a,play\n1,2\n"), target=["play"]),
        "the open file: there is no column \"['play']\" (did you mean play?); there are a, play",
    ),
    (
        "textbook",
        lambda: untyped.textbook("paly-tennis"),
        "there is no textbook data set 'paly-tennis' (did you mean play-tennis?); there are p",
    ),
    (
        "textbook None",
        lambda: untyped.textbook(None),
        "there is no textbook data set None; there are play-tennis, play-tennis-id, golf, wat",
    ),
    ("from_columns None", lambda: untyped.Table.from_columns(None), "None is no mapping of columns: name → cells"),
    (
        "from_columns list",
        lambda: untyped.Table.from_columns([[1, 2]]),
        "[[1, 2]] is no mapping of columns: name → cells",
    ),
    ("from_columns empty", lambda: untyped.Table.from_columns({}), "there are no rows; at least one is needed"),
    (
        "from_columns no rows",
        lambda: untyped.Table.from_columns({"a": [], "y": []}),
        "there are no rows; at least one is needed",
    ),
    ("from_columns scalar", lambda: untyped.Table.from_columns({"a": 5, "y": [1]}), "column a: 5 is no list of cells"),
    (
        "from_columns str",
        lambda: untyped.Table.from_columns({"a": "xy", "y": [1, 2]}),
        "column a: 'xy' is no list of cells",
    ),
    (
        "from_columns lengths",
        lambda: untyped.Table.from_columns({"a": [1, 2], "y": [1]}),
        "column y: has 1 cells where a has 2",
    ),
    (
        "from_columns inf",
        lambda: untyped.Table.from_columns({"a": [1, INF], "y": [1, 2]}),
        "column a: row 2: inf is not a finite number; a missing value is None",
    ),
    (
        "from_columns nan",
        lambda: untyped.Table.from_columns({"a": [1, 2], "y": [NAN, NAN]}),
        "column y: the target is missing in every row",
    ),
    (
        "from_columns unhashable",
        lambda: untyped.Table.from_columns({"a": [[1], [2]], "y": [1, 2]}),
        "column a: row 1: '[1]' is a list; make it a number, or a text for a category",
    ),
    (
        "from_columns dates",
        lambda: untyped.Table.from_columns({"a": [datetime.date(2026, 1, 2)] * 2, "y": [1, 2]}),
        "column a: row 1: '2026-01-02' is a date; make it a number, or a text for a category",
    ),
    (
        "from_columns complex",
        lambda: untyped.Table.from_columns({"a": [1j, 2], "y": [1, 2]}),
        "column a: row 1: '1j' is a complex; make it a number, or a text for a category",
    ),
    (
        "from_columns target",
        lambda: untyped.Table.from_columns({"size": [1, 2], "y": [1, 2]}, target="sise"),
        "there is no column 'sise' (did you mean size?); there are size, y",
    ),
    (
        "from_columns weights",
        lambda: untyped.Table.from_columns({"size": [1, 2], "y": [1, 2]}, weights="w"),
        "there is no column 'w'; there are size, y",
    ),
    (
        "from_columns weight values",
        lambda: untyped.Table.from_columns({"size": [1, 2], "w": [-1, 2], "y": [1, 2]}, weights="w"),
        "column w: row 1: a weight is a positive number",
    ),
    (
        "from_columns weight text",
        lambda: untyped.Table.from_columns({"size": [1, 2], "w": ["a", "b"], "y": [1, 2]}, weights="w"),
        "column w: row 1: 'a' is not a number; a weight is a positive number",
    ),
    (
        "from_columns frame",
        lambda: untyped.Table.from_columns(frame),
        "these columns are a frame; Table.from_frame reads it",
    ),
    ("from_rows None", lambda: untyped.Table.from_rows(None), "row 1: None is no mapping of column to value"),
    ("from_rows lists", lambda: untyped.Table.from_rows([[1, 2]]), "row 1: [1, 2] is no mapping of column to value"),
    (
        "from_frame dict",
        lambda: untyped.Table.from_frame({"a": [1]}),
        "{'a': [1]} is no frame; a frame has columns that can be asked for by name",
    ),
    (
        "from_frame array",
        lambda: untyped.Table.from_frame(np.zeros((2, 2))),
        "array([[0., 0.],\\n       [0., 0.]]) is no frame; a frame has columns that can be ask",
    ),
    ("from_frame empty", lambda: untyped.Table.from_frame(pd.DataFrame()), "there are no rows; at least one is needed"),
    (
        "from_frame target",
        lambda: untyped.Table.from_frame(frame, target="z"),
        "there is no column 'z'; there are size, y",
    ),
    (
        "criterion",
        lambda: untyped.CART(criterion=3),
        "criterion: there is no 3; there are auto, gini, entropy, mantaras, misclassification,",
    ),
    (
        "criterion list",
        lambda: untyped.CART(criterion=["gini"]),
        "criterion: there is no ['gini']; there are auto, gini, entropy, mantaras, misclassific",
    ),
    (
        "criterion word",
        lambda: untyped.CART(criterion="ginni"),
        "criterion: there is no 'ginni' (did you mean gini?); there are auto, gini, entropy, ",
    ),
    (
        "depth",
        lambda: untyped.CART(max_depth=1.5),
        "max_depth: it is a whole number from 0, or None, not 1.5",
    ),
    (
        "depth text",
        lambda: untyped.CART(max_depth="3"),
        "max_depth: it is a whole number from 0, or None, not '3'",
    ),
    ("min leaf", lambda: untyped.CART(min_samples_leaf="a"), "min_samples_leaf: 'a' is not a number"),
    ("min leaf nan", lambda: untyped.CART(min_samples_leaf=NAN), "min_samples_leaf: nan is not a finite number"),
    ("epsilon none", lambda: untyped.ID3(epsilon=None), "epsilon: None is not a number"),
    (
        "profile",
        lambda: untyped.C45.like("zhuo"),
        "there is no profile 'zhuo' of c45 (did you mean zhou?); there are zhou, li-hang, c45",
    ),
    (
        "profile None",
        lambda: untyped.C45.like(None),
        "there is no profile None of c45; there are zhou, li-hang, c45-r8, weka-j48",
    ),
    (
        "grow None",
        lambda: untyped.CART().grow(None),
        "None is no table; read, textbook and Table.from_columns make one",
    ),
    ("grow frame", lambda: untyped.CART().grow(frame), "a DataFrame is no table; Table.from_frame makes one"),
    (
        "grow name",
        lambda: untyped.CART().grow("iris"),
        "'iris' is no table; read, textbook and Table.from_columns make one",
    ),
    (
        "decide table",
        lambda: untyped.CART().decide(days),
        "<Table play-tennis: 14 rows; outlook,... is no sample; a table's is table.sample()",
    ),
    ("decide None", lambda: untyped.CART().decide(None), "None is no sample; table.sample() is one"),
    (
        "id3 numbers",
        lambda: untyped.ID3().grow(mixed),
        "the attribute size is continuous, which ID3 has no rule for; say ID3.like('zhou'), w",
    ),
    ("accuracy None", lambda: tree.accuracy(None), "None is no table; read, textbook and Table.from_columns make one"),
    ("accuracy frame", lambda: tree.accuracy(frame), "a DataFrame is no table; Table.from_frame makes one"),
    ("accuracy other target", lambda: tree.accuracy(mixed), "the tree predicts play, but the target is y"),
    ("mse of classes", lambda: tree.mean_squared_error(days), "the tree predicts a class, play: ask for its accuracy"),
    ("explain frame", lambda: untyped.explain(tree, frame), "a DataFrame is no table; Table.from_frame makes one"),
    (
        "explain other",
        lambda: untyped.explain(tree, mixed),
        "the tree was grown from a table with other columns or values",
    ),
    (
        "explain format",
        lambda: untyped.explain(tree, days, format="docx"),
        "there is no format 'docx'; there are text, markdown, html",
    ),
    (
        "explain decision",
        lambda: untyped.explain_decision(None),
        "None is no decision; a learner's decide makes one of a sample",
    ),
    (
        "explain node",
        lambda: untyped.explain(tree, days, node="/outlok=sunny"),
        "there is no node at '/outlok=sunny': after / comes outlook=overcast, outlook=rainy, ",
    ),
    (
        "explain_prediction None",
        lambda: untyped.explain_prediction(tree, None),
        "None is no row; a row is a mapping of attribute to value; many are a sequence of suc",
    ),
    (
        "explain_prediction list",
        lambda: untyped.explain_prediction(tree, [1]),
        "row 1: 1 is no row; a row is a mapping of attribute to value; many are a sequence of",
    ),
    *(
        (f"{name} {given}", lambda name=name, given=given: getattr(untyped, name)(given), message)
        for name in (
            "to_text",
            "to_rules",
            "to_dot",
            "to_mermaid",
            "to_svg",
            "to_python",
            "to_sql",
            "to_pmml",
            "to_json",
        )
        for given, message in (
            (None, "None is no tree; a learner's grow makes one of a table"),
            (days, "<Table play-tennis: 14 rows; outlook,... is no tree; a learner's grow makes one of a table"),
        )
    ),
    (
        "to_text ensemble",
        lambda: untyped.to_text(untyped.Bagging(trees=1).grow(days)),
        "<Ensemble for play: 1 tree, combined ... is no tree; members[0].tree is the first",
    ),
    ("explain None", lambda: untyped.explain(None, days), "None is no tree; a learner's grow makes one of a table"),
    (
        "explain_prediction no tree",
        lambda: untyped.explain_prediction(None, {}),
        "None is no tree; a learner's grow makes one of a table",
    ),
    (
        "explain_votes None",
        lambda: untyped.explain_votes(None, {}),
        "None is no ensemble; the grow of a Bagging makes one",
    ),
    ("from_json None", lambda: untyped.from_json(None), "None is no text of a document; read_tree and read_predictor"),
    ("from_json dict", lambda: untyped.from_json({}), "{} is no text of a document; read_tree and read_predictor read"),
    (
        "predictor_from_json",
        lambda: untyped.predictor_from_json(5),
        "5 is no text of a document; read_tree and read_predictor read a file",
    ),
    (
        "option",
        lambda: untyped.CART(depth=3),
        "there is no option 'depth' of cart (did you mean max_depth?); there are ",
    ),
    (
        "option of a dialect",
        lambda: untyped.CART.like("rpart", maxdepth=3),
        "there is no option 'maxdepth' of cart (did you mean max_depth?); there are ",
    ),
    (
        "option of an ensemble",
        lambda: untyped.Bagging(tree=3),
        "there is no option 'tree' of bagging (did you mean trees?)",
    ),
    ("entropy number", lambda: untyped.entropy(5), "the counts of a sample are several numbers, such as [9, 5], not 5"),
    ("gini number", lambda: untyped.gini(5), "the counts of a sample are several numbers, such as [9, 5], not 5"),
    ("from_json text", lambda: untyped.from_json("x"), "line 1, column 1: is not JSON: Expecting value"),
    ("read_tree", lambda: untyped.read_tree("no.json"), "no.json: cannot be read: No such file or directory"),
    ("read_tree None", lambda: untyped.read_tree(None), "None is no path of a tree document"),
    ("holdout", lambda: untyped.holdout(days, 1, 2), "the share of rows to hold out lies between 0 and 1, not at '2'"),
    (
        "holdout None",
        lambda: untyped.holdout(None, 1),
        "None is no table; read, textbook and Table.from_columns make one",
    ),
    ("holdout seed", lambda: untyped.holdout(days, "a"), "a seed is a whole number, not 'a'"),
    (
        "holdout share",
        lambda: untyped.holdout(days, 1, "a"),
        "the share of rows to hold out lies between 0 and 1: 'a' is not a number",
    ),
    ("folds", lambda: untyped.folds(days, 1, 1), "14 rows can be dealt into 2 to 14 folds, not into 1"),
    ("folds text", lambda: untyped.folds(days, "3", 1), "the number of folds is a whole one, not '3'"),
    ("folds float", lambda: untyped.folds(days, 3.0, 1), "the number of folds is a whole one, not 3.0"),
    (
        "cross_validate learner",
        lambda: untyped.cross_validate(untyped.CART(), days, untyped.folds(days, 3, 1)),
        "CART(epsilon=0, max_depth=None, min_s... makes no tree of a table; its grow does",
    ),
    (
        "cross_validate int",
        lambda: untyped.cross_validate(untyped.CART().grow, days, 3),
        "3 are no folds, which hold the numbers of rows; folds(table, k, seed) deals them",
    ),
    (
        "prune None",
        lambda: untyped.prune(None, "cost-function", alpha=1),
        "None is no tree; a learner's grow makes one of a table",
    ),
    (
        "prune method None",
        lambda: untyped.prune(tree, None),
        "there is no pruning method 'None'; there are cost-complexity, cost-function, ",
    ),
    ("entropy empty", lambda: untyped.entropy([]), "no count is positive: an empty sample has no distribution"),
    ("entropy negative", lambda: untyped.entropy([1, -1]), "a count is negative: 1, -1"),
    ("entropy text", lambda: untyped.entropy("ab"), "'ab' is a text, where numbers are counted"),
    ("entropy None", lambda: untyped.entropy(None), "None is given, where numbers are counted"),
    ("entropy list of text", lambda: untyped.entropy(["a"]), "'a' is a text, where numbers are counted"),
    ("entropy nan", lambda: untyped.entropy([NAN]), "a probability with a surprise is above 0 and at most 1, not nan"),
    (
        "gain flat",
        lambda: untyped.information_gain([1, 2]),
        "the sample partition is a table: a row of weights for each outcome",
    ),
    (
        "gain ragged",
        lambda: untyped.information_gain([[1, 2], [3]]),
        "the rows of the sample partition have different lengths",
    ),
    ("gini", lambda: untyped.gini([0, 0]), "no count is positive: an empty sample has no distribution"),
    (
        "variance list",
        lambda: untyped.variance([[1, 2], [6]]),
        "[1, 2] is given, where a number of a sample is summed up",
    ),
    (
        "fit lengths",
        lambda: untyped.CARTClassifier().fit(X, ["n"]),
        "X has 2 rows and y 1: inconsistent numbers of samples",
    ),
    ("fit None", lambda: untyped.CARTClassifier().fit(X, None), "requires y to be passed, but the target y is None"),
    (
        "fit X None",
        lambda: untyped.CARTClassifier().fit(None, y),
        "Expected 2D array, got None: rows are a frame, an array or a list of lists",
    ),
    (
        "fit 3-D",
        lambda: untyped.CARTClassifier().fit(np.zeros((2, 2, 2)), y),
        "Found array with dim 3, while dim <= 2 is required: a cell is a text or a number",
    ),
    (
        "fit 1-D",
        lambda: untyped.CARTClassifier().fit([1, 2], y),
        "Expected 2D array, got 1D array instead: rows are lists of cells. Reshape your data",
    ),
    (
        "fit strings",
        lambda: untyped.CARTClassifier().fit("ab", y),
        "Expected 2D array, got 'ab': rows are a frame, an array or a list of lists",
    ),
    (
        "fit int",
        lambda: untyped.CARTClassifier().fit(5, y),
        "Expected 2D array, got 5: rows are a frame, an array or a list of lists",
    ),
    (
        "fit ragged",
        lambda: untyped.CARTClassifier().fit([[1], [1, 2]], y),
        "the rows of X have different numbers of cells",
    ),
    (
        "fit dates",
        lambda: untyped.CARTClassifier().fit([[datetime.date(2026, 1, 2)]] * 2, y),
        "column x0: row 1: '2026-01-02' is a date; make it a number, or a text for a category",
    ),
    (
        "fit unhashable",
        lambda: untyped.CARTClassifier().fit([[[1]], [[2]]], y),
        "Found array with dim 3, while dim <= 2 is required: a cell is a text or a number",
    ),
    (
        "fit dict cells",
        lambda: untyped.CARTClassifier().fit([[{}], [{}]], y),
        "column x0: row 1: '{}' is a dict; make it a number, or a text for a category",
    ),
    (
        "fit inf",
        lambda: untyped.CARTClassifier().fit([[INF], [1]], y),
        "column x0: row 1: inf is not a finite number; a missing value is None",
    ),
    (
        "fit option",
        lambda: untyped.CARTClassifier(criterion=3).fit(X, y),
        "criterion: there is no 3; there are auto, gini, entropy, mantaras, misclassification,",
    ),
    (
        "fit regress text",
        lambda: untyped.CARTRegressor().fit(X, ["a", "b"]),
        "column y: row 1: 'a' is not a number; correct it, make it None where it is missing, ",
    ),
    (
        "fit weights",
        lambda: untyped.CARTClassifier().fit(X, y, ["a", "b"]),
        "column weight: row 1: 'a' is not a number; a weight is a positive number",
    ),
    (
        "fit weights neg",
        lambda: untyped.CARTClassifier().fit(X, y, [-1, 2]),
        "column weight: row 1: a weight is a positive number",
    ),
    (
        "not fitted",
        lambda: untyped.CARTClassifier().predict(X),
        "this CARTClassifier has not been fitted; call fit first",
    ),
    (
        "predict width",
        lambda: model.predict([[1]]),
        "X has 1 features, but CARTClassifier is expecting 2 features as input",
    ),
    (
        "predict type",
        lambda: model.predict([["x", "a"]]),
        "column x0: row 1: 'x' is not a number; correct it, or make it None where it is missing",
    ),
    (
        "model predict None",
        lambda: model.predict(None),
        "Expected 2D array, got None: rows are a frame, an array or a list of lists",
    ),
    ("score lengths", lambda: model.score(X, ["n"]), "X has 2 rows and y 1: inconsistent numbers of samples"),
    ("score unhashable", lambda: model.score(X, [["n"], {}]), "y has one class a row, not ['n']"),
    ("prune a list", lambda: untyped.prune(tree, ["error-based"]), "there is no pruning method \"['error-based']\""),
    (
        "ties",
        lambda: untyped.CART(ties={"/": "size"}),
        "ties: Ties(choose={...}, label={...}) overrides them, not {'/': 'size'}",
    ),
    ("seed of numpy", lambda: untyped.holdout(days, np.float64(1)), "a seed is a whole number, not np.float64(1.0)"),
    ("folds of numbers", lambda: untyped.splits(days, 3), "3 are no folds, which hold the numbers of rows; folds("),
    ("folds of floats", lambda: untyped.cross_validate(len, days, [[0.5], [1]]), "[[0.5], [1]] are no folds, which"),
    ("folds of texts", lambda: untyped.cross_validate(len, days, ["ab", "cd"]), "['ab', 'cd'] are no folds, which"),
    (
        "folds of scikit-learn",
        lambda: untyped.splits(days, [(np.array([0, 1]), np.array([2]))]),
        "[(array([0, 1]), array([2]))] are no folds, which hold the numbers of rows; folds(",
    ),
    ("an empty fold", lambda: untyped.cross_validate(len, days, [[], [1]]), "a fold has no rows; leave it out"),
    ("no tree", lambda: untyped.cross_validate(len, days, [[0], [1]]), "<built-in function len> makes no tree of a"),
    ("take beyond", lambda: days.take([14]), "there is no row 14; the rows are 0 to 13"),
    ("take negative", lambda: days.take([0, -1]), "there is no row -1; the rows are 0 to 13"),
    ("take a number", lambda: untyped.textbook("golf").take(3), "rows are taken by their numbers: 'int' object is not"),
    ("take halves", lambda: untyped.textbook("golf").take([0.5]), "rows are taken by their numbers: 'float' object "),
    (
        "a plane of a tree",
        lambda: untyped.to_plane(num, mixed, "size", "size"),
        "<Tree for y: 3 nodes, 2 leaves, grown... is no mapping of titles",
    ),
    ("separator", lambda: untyped.read(io.StringIO("a,y\n1,2\n"), separator=5), "the open file: 5 cannot separate "),
    ("answers", lambda: untyped.check([]), "[] is no file of answers, and no mapping of the ids of cases to answers"),
    ("no answers", lambda: untyped.check(None), "None is no file of answers, and no mapping of the ids of cases to "),
    (
        "expected failures",
        lambda: untyped.check({}, expected_failures=["c45/*"]),
        "'c45/*' is no pair of a pattern and a reason",
    ),
    (
        "expected of no case",
        lambda: untyped.check({}, expected_failures=[("c46/*", "new")]),
        "no case is named like 'c46/*'",
    ),
    ("n_estimators", lambda: untyped.BaggingClassifier(n_estimators=0).fit(X, y), "n_estimators: it is a whole number"),
    ("max_features", lambda: untyped.RandomForestClassifier(max_features="x").fit(X, y), "max_features: of the attrib"),
    ("random_state", lambda: untyped.RandomForestClassifier(random_state="x").fit(X, y), "random_state: a seed is a "),
    ("estimator", lambda: untyped.BaggingClassifier(model).fit(X, y), "estimator: the trees are grown by a learner of"),
    ("an estimator without a length", lambda: untyped.AdaBoostClassifier(Unfitted()).fit(X, y), "estimator: "),
    ("n_jobs", lambda: untyped.BaggingClassifier(n_jobs=0).fit(X, y), "at least one process grows trees, not 0"),
    (
        "learning_rate",
        lambda: untyped.XGBClassifier(learning_rate=-1).fit(X, y),
        "learning_rate: it is a number from 0",
    ),
    ("gamma", lambda: untyped.XGBClassifier(gamma="x").fit(X, y), "gamma: 'x' is not a number"),
    ("ccp_alpha", lambda: untyped.CARTClassifier(ccp_alpha=INF).fit(X, y), "ccp_alpha: inf is not a finite number"),
    ("alpha", lambda: untyped.ID3Classifier(alpha="x").fit(X, y), "alpha: 'x' is not a number"),
    ("a text of an estimator", lambda: untyped.to_text(model), "CARTClassifier() is no tree; its tree_ is one"),
    (
        "infinities alone",
        lambda: untyped.Table.from_frame(pd.DataFrame({"x": [INF, None, -INF], "y": ["a", "b", "a"]})),
        "column x: row 1: inf is not a finite number; a missing value is None",
    ),
    (
        "infinities alone in an array",
        lambda: untyped.CARTClassifier().fit(np.array([[INF], [INF]]), y),
        "column x0: row 1: inf is not a finite number; a missing value is None",
    ),
    (
        "grow a frame of Polars",
        lambda: untyped.ID3().grow(pl.DataFrame({"y": ["a"]})),
        "a DataFrame is no table; Table",
    ),
]


@pytest.mark.parametrize(("ask", "message"), [pytest.param(ask, said, id=name) for name, ask, said in WRONG])
def test_wrong_input_is_told_in_a_line(ask: Callable[[], Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        ask()
    assert str(refused.value).replace("\n", " ").startswith(message)
    last = traceback.extract_tb(refused.value.__traceback__)[-1]
    assert "reference_tree" in last.filename
    assert "raise " in (last.line or ""), "somebody saw it coming"
    assert "--" not in str(refused.value), "that is how a command line speaks"


def test_what_is_not_wrong() -> None:
    assert rt.holdout(days, np.int64(1)) == rt.holdout(days, 1)
    assert untyped.RandomForest(trees=np.int64(2), seed=np.int64(3)) == rt.RandomForest(trees=2, seed=3)
    found = rt.cross_validate(rt.ID3(max_depth=0).grow, days, rt.folds(days, 3, seed=1))
    parts: Any = [np.array(fold) for fold in rt.folds(days, 3, seed=1)]
    assert untyped.cross_validate(rt.ID3(max_depth=0).grow, days, iter(parts)) == found
    assert untyped.textbook("golf").without("windy") == rt.textbook("golf").without(["windy"])
    options: Any = {"limit": "table"}
    assert ErrorBased(**options) == ErrorBased(limit=LIMITS["table"])
    judged = untyped.check({"formula/entropy-pure": 0}, kinds="formula", needs="exact").judged
    assert {one.details.get("kind", "formula") for one in judged} == {"formula"}
    (wrong,) = untyped.check({"formula/entropy-pure": object()}).failed
    assert "is not a number" in str(wrong)
    text = "a,play\n1,2\n"
    assert rt.read(io.StringIO(text), categorical="play").schema.target.kind == "categorical"
    assert len(rt.Table.from_columns({"a": (n for n in range(2)), "y": [1, 2]})) == 2
    assert len(rt.Table.from_rows({"a": 1, "y": 2} for _ in range(2))) == 2
    assert (
        float(rt.entropy(np.array([9, 5])))
        == float(rt.entropy([9, 5]))
        == float(untyped.entropy({9: 9, 5: 5}.values()))
    )
    assert rt.entropy([np.int64(9), np.int64(5)]) == rt.entropy([9, 5])


@pytest.mark.parametrize(
    "view", ["to_text", "to_rules", "to_dot", "to_mermaid", "to_svg", "to_python", "to_sql", "to_pmml"]
)
def test_a_view_of_an_ensemble_says_where_its_trees_are(view: str) -> None:
    table = rt.textbook("golf")
    forest = rt.RandomForest(trees=2).grow(table)
    advice = (
        "combined by vote.* write one of them" if view in ("to_python", "to_sql") else r"members\[0\].tree is the first"
    )
    with pytest.raises(rt.InputError, match=advice):
        getattr(rt, view)(forest)
    with pytest.raises(rt.InputError, match=r"members\[0\].tree is the first of its trees"):
        rt.explain(forest, table)  # type: ignore[arg-type]
    assert getattr(rt, view)(forest.members[0].tree)
