#!/usr/bin/env bash
# XGBoost 3.4.1 puts the quantiles of each row in order; 3.2.0 does not. One file, two answers.
#
# A model of reg:quantileerror with three alphas is trained and saved by 3.2.0. Its quantiles cross in some rows. 3.4.1
# loads the file and predicts the same margins, but sorts them in each row: what is predicted for an alpha may come from
# the trees of another one. The file says nothing of it; the release that predicts decides.
#
# Needs a Python of 3.12 or later, as XGBoost 3.3 does; it is looked for on the PATH and among those of pyenv.
# Exits with 1 if that is no longer so, and with 2 if there is no such Python.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

later=
for python in python3 python3.12 python3.13 python3.14 python3.15 "$HOME"/.pyenv/versions/*/bin/python3; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then later=$python; fi
done
[ -n "$later" ] || { echo "NOT SHOWN: there is no Python of 3.12 or later here"; exit 2; }

cat >"$folder/shown.py" <<'PY'
import sys
from pathlib import Path
import numpy
import xgboost

file = sys.argv[1]
rows = numpy.arange(24.0)[:, None]
targets = numpy.array([(7 * number * number) % 23 for number in range(24)], float)
data = xgboost.DMatrix(rows, targets)
old = xgboost.__version__ == "3.2.0"
if not Path(file).exists():
    alphas = {"objective": "reg:quantileerror", "quantile_alpha": [0.4, 0.5, 0.6]}
    xgboost.train({**alphas, "lambda": 0, "eta": 1, "nthread": 1}, data, 5).save_model(file)
booster = xgboost.Booster(model_file=file)
margins, found = booster.predict(data, output_margin=True), booster.predict(data)
crossed = [row for row in range(24) if list(margins[row]) != sorted(margins[row])]
print("XGBoost", xgboost.__version__, "Python", sys.version.split()[0], "numpy", numpy.__version__)
row = min(crossed, key=lambda row: numpy.diff(margins[row]).min())
print("  rows whose margins cross:", len(crossed), "of 24; in row", row, "they are", margins[row].round(3).tolist())
print("  predicted for this row:", found[row].round(3).tolist())
is_so = bool(crossed) and numpy.array_equal(found, margins if old else numpy.sort(margins, axis=1))
sys.exit(0 if is_so else 1)
PY

for version in 3.2.0 3.4.1; do
    "$later" -m venv "$folder/$version"
    "$folder/$version/bin/pip" -q install "xgboost-cpu==$version" numpy==2.4.6 scipy==1.17.1
    "$folder/$version/bin/python" "$folder/shown.py" "$folder/model.json"
done
