#!/usr/bin/env bash
# catboost 1.2.10: a model that is saved as JSON and loaded again answers otherwise in the last digits.
#
# The file has every leaf with 17 digits, which name its double: Python's json reads back the numbers that get_leaf_values gives. The
# program reads them with an error of a unit in the last place, so that the loaded model has other leaves. Loaded from its binary form
# it has the same.
#
# Exit status 0: as described; otherwise both are now alike. Needs Python 3.11.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet catboost==1.2.10 numpy==2.4.6

"$folder/env/bin/python" - "$folder" <<'PYTHON'
import json
import sys

import numpy
from catboost import CatBoostRegressor

folder = sys.argv[1]
rows = numpy.arange(300.0).reshape(100, 3) % [7, 11, 13]
model = CatBoostRegressor(iterations=20, depth=3, verbose=0, allow_writing_files=False, random_seed=0).fit(rows, numpy.arange(100) / 3e3)
differ = {}
for form in ("json", "cbm"):
    model.save_model(f"{folder}/model.{form}", format=form)
    loaded = CatBoostRegressor().load_model(f"{folder}/model.{form}", format=form)
    differ[form] = int((loaded.get_leaf_values() != model.get_leaf_values()).sum())
    print(form, "differs in", differ[form], "of", len(model.get_leaf_values()), "leaves and in",
          int((loaded.predict(rows) != model.predict(rows)).sum()), "of", len(rows), "predictions")
with open(f"{folder}/model.json") as file:
    told = [value for tree in json.load(file)["oblivious_trees"] for value in tree["leaf_values"]]
same = told == model.get_leaf_values().tolist()
print("Python's json reads the same leaves:", same)
sys.exit(not (same and differ["json"] > 0 and differ["cbm"] == 0))
PYTHON
