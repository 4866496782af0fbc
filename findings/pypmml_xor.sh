#!/usr/bin/env bash
# pypmml 1.5.8 (PMML4S): a CompoundPredicate with booleanOperator="xor" is never true.
#
# PMML: `xor` is true if an odd number of its predicates is true. Here x > 2.5 xor m = b, for four rows, of which two have
# exactly one true part. `or` and `and` of the same two predicates are right. JPMML-Evaluator 1.7.7 answers 0 1 1 0.
#
# Exit status 0: as described; otherwise pypmml now answers in another way. Needs Python 3 and Java 11 or later.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet "pypmml==1.5.8" "setuptools<81"

cat > "$folder/ask.py" <<'PYTHON'
import sys
from importlib.metadata import version

from pypmml import Model

DOCUMENT = """<?xml version="1.0"?><PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/>
<DataDictionary><DataField name="y" optype="continuous" dataType="double"/>
<DataField name="x" optype="continuous" dataType="double"/>
<DataField name="m" optype="categorical" dataType="string"><Value value="a"/><Value value="b"/></DataField></DataDictionary>
<TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction"><MiningSchema>
<MiningField name="y" usageType="target"/><MiningField name="x"/><MiningField name="m"/></MiningSchema>
<Node score="0"><True/><Node score="1"><CompoundPredicate booleanOperator="{}">
<SimplePredicate field="x" operator="greaterThan" value="2.5"/><SimplePredicate field="m" operator="equal" value="b"/>
</CompoundPredicate></Node></Node></TreeModel></PMML>"""
ROWS = [{"x": x, "m": m} for x in (0.0, 9.0) for m in "ab"]

print("pypmml", version("pypmml"))
found = {}
for operator, expected in (("and", [0, 0, 0, 1]), ("or", [0, 1, 1, 1]), ("xor", [0, 1, 1, 0])):
    with open(sys.argv[1], "w") as file:
        file.write(DOCUMENT.format(operator))
    model = Model.fromFile(sys.argv[1])
    found[operator] = [int(model.predict(row)["predicted_y"]) for row in ROWS]
    print(operator, "answers", found[operator], "by the specification", expected)
sys.exit(found != {"and": [0, 0, 0, 1], "or": [0, 1, 1, 1], "xor": [0, 0, 0, 0]})
PYTHON
"$folder/env/bin/python" "$folder/ask.py" "$folder/model.pmml"
