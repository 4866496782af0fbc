"""Programs that live with other versions of packages, each in an interpreter of its own, which a variable names.

`PEERS` has Orange3, as in the report; `EVALUATORS` has pypmml, jpmml_evaluator, sklearn2pmml and nyoka.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache, partial

from tests.peers.seen.record import RELEASES, says


@cache
def _asked(variable: str, code: str) -> str:
    """What a program in Python prints, run by the interpreter that a variable names; nothing if there is none."""
    python = os.environ.get(variable)
    if python is None:
        return ""
    run = subprocess.run([python, "-W", "ignore", "-c", code], capture_output=True, encoding="utf-8", check=False)
    return run.stdout.strip() or run.stderr


def _release(variable: str, package: str) -> Callable[[], str | None]:
    code = f"import importlib.metadata as m\ntry: print(m.version('{package}'))\nexcept m.PackageNotFoundError: print()"
    return lambda: _asked(variable, code) or None


def _release_of_jpmml() -> str | None:
    """That of the evaluator itself, by the name of the archive that the package brings along."""
    code = "import jpmml_evaluator as j, pathlib, re\n" + (
        "print(*re.findall(r'pmml-evaluator-([\\d.]+)\\.jar', ' '.join(map(str, "
        "pathlib.Path(j.__file__).parent.rglob('*.jar')))))"
    )
    return next(iter(_asked("EVALUATORS", code).split()), None)


for _variable, _package in (
    ("PEERS", "Orange3"),
    ("EVALUATORS", "pypmml"),
    ("EVALUATORS", "sklearn2pmml"),
    ("EVALUATORS", "nyoka"),
):
    RELEASES[_package.removesuffix("3")] = _release(_variable, _package)
RELEASES["JPMML-Evaluator"] = _release_of_jpmml


def _is_true(variable: str, code: str) -> bool:
    return _asked(variable, code).splitlines()[-1:] == ["True"]


def _asks(program: str, variable: str, name: str, code: str, *sentences: str) -> None:
    says(program, *sentences, run=name)(partial(_is_true, variable, code))


_asks(
    "Orange",
    "PEERS",
    "values are sorted, numbers by their value",
    """
import pathlib, tempfile, Orange
path = pathlib.Path(tempfile.mkdtemp()) / "t.tab"
path.write_text("d\\te\\ty\\nd\\tz p\\td\\n\\t\\tclass\\n10\\tp\\tb\\n9\\tz\\ta\\n")
domain = Orange.data.Table(str(path)).domain
print([v.values for v in domain.variables] == [("9", "10"), ("z", "p"), ("a", "b")])
""",
    "decisions: | Orange | as its header lists them; otherwise sorted, numbers by their value: `9` before `10` (seen",
)

PMML = '''
DOCUMENT = """<?xml version="1.0"?><PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/>
<DataDictionary><DataField name="y" optype="continuous" dataType="double"/>
<DataField name="x" optype="continuous" dataType="double">
<Interval closure="closedClosed" leftMargin="0" rightMargin="10"/></DataField>
<DataField name="u" optype="continuous" dataType="double">
<Interval closure="closedClosed" leftMargin="0" rightMargin="10"/></DataField>
</DataDictionary><TreeModel functionName="regression" {model}><MiningSchema><MiningField name="y" usageType="target"/>
<MiningField name="x" {field}/><MiningField name="u"/></MiningSchema>
<Node id="r" score="9" recordCount="3"><True/><Node id="a" score="0" recordCount="1">{first}</Node>
<Node id="b" score="1" recordCount="2">
<SimplePredicate field="x" operator="greaterThan" value="5"/></Node></Node></TreeModel></PMML>"""
LOW = '<SimplePredicate field="x" operator="lessOrEqual" value="5"/>'
XOR = '<CompoundPredicate booleanOperator="xor">' + LOW + "<False/></CompoundPredicate>"
'''

_PYPMML = (
    PMML
    + """
import pathlib, tempfile
from pypmml import Model
def answer(row, first=LOW, field="", model=""):
    path = pathlib.Path(tempfile.mkdtemp()) / "t.pmml"
    path.write_text(DOCUMENT.format(first=first, field=field, model=model))
    try:
        found = Model.fromFile(str(path)).predict(row).get("predicted_y")
        return None if found is None or found != found else found
    except Exception as error:
        return None
"""
)
_JPMML = (
    PMML
    + """
import pathlib, tempfile
from jpmml_evaluator import make_evaluator
def answer(row, first=LOW, field="", model=""):
    path = pathlib.Path(tempfile.mkdtemp()) / "t.pmml"
    path.write_text(DOCUMENT.format(first=first, field=field, model=model))
    try:
        return make_evaluator(str(path)).evaluate(row).get("y")
    except Exception as error:
        return None
"""
)
ORDER = """
extremes = 'outliers="asExtremeValues" lowValue="6" highValue="8"'
gaps = 'outliers="asMissingValues" lowValue="0" highValue="6" missingValueReplacement="1"'
print(answer({"x": 1, "u": 1}) == 0 and answer({"x": 1, "u": 1}, field=extremes) == 1       # an outlier is the bound
      and answer({"x": 99, "u": 1}, field='invalidValueTreatment="asMissing" missingValueReplacement="1"') == 0
      and answer({"x": 7, "u": 1}, field=gaps) == 0
      and answer({"x": None, "u": 1}, field='missingValueReplacement="1" ' + extremes) == 0)  # and is not treated again
"""
ORDERED = "foreign: JPMML-Evaluator 1.7.7 and PMML4S (pypmml 1.5.8) keep this order; what replaces a value"

_asks("pypmml", "EVALUATORS", "outliers and then gaps in pypmml", _PYPMML + ORDER, ORDERED)
_asks("JPMML-Evaluator", "EVALUATORS", "outliers and then gaps in JPMML", _JPMML + ORDER, ORDERED)
_asks(
    "pypmml",
    "EVALUATORS",
    "xor is never true",
    _PYPMML + 'print(answer({"x": 1, "u": 1}) == 0 and answer({"x": 1, "u": 1}, first=XOR) != 0)',
    "foreign: in pypmml 1.5.8 `xor` is never true (`findings/pypmml_xor.sh`).",
)
_asks(
    "pypmml",
    "EVALUATORS",
    "any invalid value refuses a row",
    _PYPMML + 'print(answer({"x": 1, "u": 1}) == 0 and answer({"x": 1, "u": 99}) is None)',
    "foreign: an invalid value of any field refuses the row, as in PMML4S;",
)
_asks(
    "JPMML-Evaluator",
    "EVALUATORS",
    "an invalid value refuses where it is asked for",
    _JPMML + 'print(answer({"x": 1, "u": 99}) == 0 and answer({"x": 99, "u": 1}) is None)',
    "foreign: JPMML-Evaluator answers if no question of the path asks for the field.",
)
_asks(
    "JPMML-Evaluator",
    "EVALUATORS",
    "aggregateNodes is refused",
    _JPMML
    + """
print(answer({"x": None, "u": 1}, model='missingValueStrategy="lastPrediction"') == 9
      and answer({"x": None, "u": 1}, model='missingValueStrategy="aggregateNodes"') is None)""",
    "foreign: Evaluators differ: JPMML-Evaluator 1.7.7 refuses `aggregateNodes`",
)
WRITTEN = """
import pathlib, re, tempfile
from sklearn.tree import DecisionTreeClassifier
path = pathlib.Path(tempfile.mkdtemp()) / "t.pmml"
tree, x, y = DecisionTreeClassifier(max_depth=1), [[0], [1], [2], [3], [4]], [0, 0, 1, 1, 0]
"""
SHARES = """
print(max(float(found) for found in re.findall('<ScoreDistribution[^>]* recordCount="([^"]*)"', path.read_text())) <= 1)
"""
_asks(
    "nyoka",
    "EVALUATORS",
    "nyoka writes shares",
    WRITTEN
    + """
from sklearn.pipeline import Pipeline
from nyoka import skl_to_pmml
skl_to_pmml(Pipeline([("tree", tree.fit(x, y))]), ["x"], "y", str(path))"""
    + SHARES,
    "foreign: nyoka and sklearn2pmml write the share of each class where its count should stand.",
)
_asks(
    "sklearn2pmml",
    "EVALUATORS",
    "sklearn2pmml writes shares",
    WRITTEN
    + """
from sklearn2pmml import sklearn2pmml
from sklearn2pmml.pipeline import PMMLPipeline
import pandas
line = PMMLPipeline([("tree", tree)]).fit(pandas.DataFrame(x, columns=["x"]), pandas.Series(y, name="y"))
sklearn2pmml(line, str(path))"""
    + SHARES,
    "foreign: nyoka and sklearn2pmml write the share of each class where its count should stand.",
    "foreign: as in the *compact* trees that sklearn2pmml writes.",
)
