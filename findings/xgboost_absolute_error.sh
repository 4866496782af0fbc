#!/usr/bin/env bash
# XGBoost 3.4.1: reg:absoluteerror does not approach the median, however many rounds there are.
#
# Five equal rows have the targets 0, 0, 0, 0 and 100. Their median, 0, has the least absolute error, and 3.2.0 predicts
# it from the start. In 3.4.1 the loss is smoothed at a scale that the residuals of each round set; it is least at 2.817,
# where the model stays. reg:quantileerror with alpha 1/2 starts at the median, and each round leads away from it.
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
import json
import sys
import numpy
import xgboost

ROUNDS = (1, 10, 100, 1000)
targets = numpy.array([0.0, 0.0, 0.0, 0.0, 100.0])
data = xgboost.DMatrix(numpy.zeros((5, 1)), targets)


def trained(objective, rounds):
    """The start of the sums, and the prediction for all rows."""
    alpha = {"quantile_alpha": 0.5} if objective == "reg:quantileerror" else {}
    parameters = {"objective": objective, "lambda": 0, "nthread": 1, "verbosity": 0, **alpha}
    booster = xgboost.train(parameters, data, rounds)
    start = json.loads(booster.save_config())["learner"]["learner_model_param"]["base_score"]
    return float(start.strip("[]")), float(booster.predict(data)[0])


print("XGBoost", xgboost.__version__, "Python", sys.version.split()[0], "numpy", numpy.__version__)
starts, ends = {}, {}
for name in ("reg:absoluteerror", "reg:quantileerror"):
    starts[name] = trained(name, 1)[0]
    ends[name] = [trained(name, rounds)[1] for rounds in ROUNDS]
    shown = [round(end, 3) for end in ends[name]]
    print(" ", name, "starts at", round(starts[name], 3), "and predicts after", ROUNDS, "rounds", shown)
if xgboost.__version__ == "3.2.0":
    is_so = {*starts.values(), *sum(ends.values(), [])} == {0.0}
else:
    is_so = abs(ends["reg:absoluteerror"][-1] - 2.817) < 0.01
    is_so &= starts["reg:quantileerror"] == 0 and ends["reg:quantileerror"][-1] > 0.04
sys.exit(0 if is_so else 1)
PY

for version in 3.2.0 3.4.1; do
    "$later" -m venv "$folder/$version"
    "$folder/$version/bin/pip" -q install "xgboost-cpu==$version" numpy==2.4.6 scipy==1.17.1
    "$folder/$version/bin/python" "$folder/shown.py"
done
