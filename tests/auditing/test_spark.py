"""Models that Spark MLlib and XGBoost fitted, audited on the table of Spark that they were grown from."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.tree_document import predictor_from_json
from tests.peers.boosted_faults import CASES, XGB, trained
from tests.stores.databases import stored
from tests.views.trees.engines import started

PAGE = Path(__file__).parents[2] / "docs" / "stores.md"
BLOCK = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.oracles
@pytest.mark.spark
def test_models_are_audited_where_spark_has_the_rows() -> None:
    with started("spark", parts=4) as server:
        spark = server.session  # type: ignore[union-attr]
        (found,) = (block for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if "pyspark" in block[0])
        code, says = found
        names: dict[str, Any] = {"spark": spark, "rt": rt}
        with redirect_stdout(StringIO()) as printed:
            exec(code, names)  # the block of the page
        assert printed.getvalue() == says
        forests = import_module("pyspark.ml.classification")
        forest = forests.RandomForestClassifier(numTrees=2, maxDepth=2, bootstrap=False, seed=1)
        judged = rt.audit(forest.fit(names["features"]), names["orders"])
        assert judged.is_right, str(judged)
        assert "not stated and not judged" in str(judged)
        with pytest.raises(rt.InputError, match="rows that were drawn for each of its trees"):
            rt.audit(forest.copy({forest.bootstrap: True}).fit(names["features"]), names["orders"])

        pytest.importorskip("xgboost")
        model = trained(next(one for one in CASES if one.program == XGB), 1, rows=100, rounds=2)
        read: Any = predictor_from_json(json.dumps(model.document))
        there, memory = (rt.audit(read, data) for data in (stored(model.table, spark), model.table))
        assert [(one.tree, one.number, one.verdict) for one in there.findings] == [
            (one.tree, one.number, one.verdict) for one in memory.findings
        ]
        views = sorted(row[1] for row in spark.sql("SHOW VIEWS").collect())
        assert views == ["cells", "orders"], "temporary tables are removed"
