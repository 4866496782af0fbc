"""Models of treelite and what they answer: `python tests/programs/treelite/record.py FOLDER MODEL ...`.

It needs treelite, scikit-learn and numpy. Each MODEL is a file of XGBoost (`.json`) or LightGBM (`.txt`), beside the
models of scikit-learn that are fitted here. What is written are `KIND.json`, as `dump_as_json` has it, and
`KIND.answers.json`: the rows, and what `treelite.gtil.predict` answers.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main(folder: Path, others: list[Path]) -> None:
    """Write the models and their answers."""
    numpy: Any = importlib.import_module("numpy")
    treelite: Any = importlib.import_module("treelite")
    gtil: Any = importlib.import_module("treelite.gtil")
    of: Any = importlib.import_module("sklearn.ensemble")
    X, y = importlib.import_module("sklearn.datasets").load_iris(return_X_y=True)
    X = X[:, :3]
    holes = X.copy()
    holes[::7, 1] = numpy.nan
    fitted = {
        "forest-classes": of.RandomForestClassifier(3, max_depth=3, random_state=0).fit(holes, y),
        "forest-two-classes": of.RandomForestClassifier(2, max_depth=2, random_state=0).fit(X, y == 1),
        "forest-number": of.RandomForestRegressor(3, max_depth=2, random_state=0).fit(holes, X[:, 0]),
        "boosting-classes": of.GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, y),
        "boosting-two-classes": of.GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, y == 1),
        "boosting-number": of.GradientBoostingRegressor(n_estimators=3, max_depth=2).fit(X, X[:, 0]),
    }
    models = {kind: treelite.sklearn.import_model(model) for kind, model in fitted.items()}
    for path in others:
        frontend = treelite.frontend
        is_text = path.suffix == ".txt"
        models[path.stem] = (
            frontend.load_lightgbm_model(path)
            if is_text
            else frontend.load_xgboost_model(path, allow_unknown_field=True)
        )
    for kind, model in models.items():
        dumped = model.dump_as_json(pretty_print=False)
        told = json.loads(dumped)
        size, form = told["num_feature"], told["threshold_type"]
        rows = holes[::7] if size == 3 else numpy.column_stack([numpy.arange(-3, 9, 0.5), numpy.linspace(-2, 2, 24)])
        if kind not in ("forest-classes", "forest-number") and size == 3:
            rows = X[::7]
        if size == 2:
            rows[::5, 1] = numpy.nan
        answers = gtil.predict(model, rows.astype(form))
        (folder / f"{kind}.json").write_text(dumped + "\n", encoding="utf-8")
        written = [[None if cell != cell else cell for cell in row] for row in rows.tolist()]
        told_answers = json.dumps({"rows": written, "answers": answers[:, 0, :].tolist()})
        (folder / f"{kind}.answers.json").write_text(told_answers + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), list(map(Path, sys.argv[2:])))
