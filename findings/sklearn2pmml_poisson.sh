#!/usr/bin/env bash
# sklearn2pmml 0.133.1: a HistGradientBoostingRegressor with loss="poisson" or "gamma" is written without its link.
#
# scikit-learn 1.9.0 predicts e^F for these losses, where F is the sum of the trees. The file that is written says F: its
# model is the sum alone, with no output that raises it to e. So JPMML-Evaluator answers ln 3.86 = 1.35 where scikit-learn
# answers 3.86. The loss "squared_error", which has no link, agrees.
#
# Exit status 0: as described; otherwise sklearn2pmml now writes another file. Needs Python 3.11 and Java 11 or later.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet "sklearn2pmml==0.133.1" "scikit-learn==1.9.0" "jpmml_evaluator==0.16.0" pandas jpype1

cat > "$folder/ask.py" <<'PYTHON'
import math
import sys
from importlib.metadata import version

from jpmml_evaluator import make_evaluator
from pandas import DataFrame, Series
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn2pmml import sklearn2pmml
from sklearn2pmml.pipeline import PMMLPipeline

print("sklearn2pmml", version("sklearn2pmml"), "scikit-learn", version("scikit-learn"))
table, target = DataFrame({"x": [float(n) for n in range(40)]}), Series([n % 7 + 1.0 for n in range(40)], name="y")
found = []
for loss in ("squared_error", "poisson", "gamma"):
    model = PMMLPipeline([("model", HistGradientBoostingRegressor(loss=loss, max_iter=5))]).fit(table, target)
    sklearn2pmml(model, sys.argv[1])
    here, there = model.predict(table)[0], make_evaluator(sys.argv[1]).evaluate({"x": 0.0})["y"]
    print(f"{loss}: scikit-learn predicts {here:.6f}, the file {there:.6f}; the logarithm is {math.log(here):.6f}")
    found.append(math.isclose(here, there) if loss == "squared_error" else math.isclose(math.log(here), there))
sys.exit(not all(found))
PYTHON
"$folder/env/bin/python" "$folder/ask.py" "$folder/model.pmml"
