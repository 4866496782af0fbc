"""The learner in JavaScript: it passes every case it claims, and a fault planted in it is noticed where it is.

It was written from the pages and the goldens alone, so that it shows what another language needs: nothing but data.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import reference_tree as rt
from reference_tree.conformance.cases import cases
from reference_tree.conformance.goldens import prompt
from tests.checking.answering import kept

FOLDER = Path(__file__).parents[2] / "docs/examples/javascript"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not here")


def answers(folder: Path, *names: str) -> dict[str, Any]:
    """What the program answers to cases, to all of them if none is named."""
    assert NODE is not None
    told = "\n".join(json.dumps(prompt(kept(name))) for name in names or cases())
    command = [NODE, str(folder / "run.mjs")]
    run = subprocess.run(command, input=told, capture_output=True, check=True, encoding="utf-8", timeout=60)
    return {line["id"]: line["answer"] for line in map(json.loads, run.stdout.splitlines())}


@pytest.mark.slow
def test_it_passes_every_case_it_claims() -> None:
    given = answers(FOLDER)
    checked = rt.check(given)
    assert checked.passed, str(checked)
    claimed = Counter(cases()[name].kind for name in given)
    assert claimed.keys() == {"formula", "split", "tree", "predict", "prune", "attribution"}
    assert claimed["formula"] >= 29
    assert claimed["tree"] >= 50
    assert claimed["prune"] >= 10
    assert claimed["attribution"] >= 30


FAULTS = [  # in which file, what stands there, what is put there instead, a case that notices it, the verdict
    ("measures.mjs", "(weight / (weight + weigh[kind](unknown))) *", "", "id3/watermelon-2.0a", "wrong-gain"),
    ("learner.mjs", "row.weight * shares[branch]", "shares[branch]", "id3/two-answers-missing", "wrong-counts"),
    ("learner.mjs", 'this.options.contenders !== "above-average"', "true", "c45/loan-by-id", "not-a-candidate"),
    ("learner.mjs", "isAtLeast(most, this.epsilon)", "true", "id3/play-tennis-epsilon", "split-too-far"),
    ("learner.mjs", "depth >= this.opt", "depth > this.opt", "id3/play-tennis-one-level", "split-too-far"),
    ("learner.mjs", "...above, prior: true", '...above, label: "", prior: true', "id3/watermelon-2.0", "wrong-leaf"),
    ("learner.mjs", "value <= t ? 0 : 1", "value <= t + 1 ? 0 : 1", "c45/watermelon-3.0", "wrong-table"),
    ("trees.mjs", "price : 0", "price : price", "prune/watermelon-2.0-cost-function", "wrong-pruned"),
    ("attributions.mjs", "cover: cover?.map(number)", "cover: cover?.map(() => 1)", "attribution/and", "wrong-values"),
    ("attributions.mjs", "every((name) => name in row)", "every(() => true)", "attribution/surrogates", "wrong-values"),
    ("trees.mjs", "share: share * number(part)", "share: 1", "predict/watermelon-2.0a", "wrong-share"),
]


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("file", "right", "wrong", "name", "verdict"), FAULTS, ids=lambda value: value[:24])
def test_a_planted_fault_is_noticed(tmp_path: Path, file: str, right: str, wrong: str, name: str, verdict: str) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (tmp_path / file).write_text(text.replace(right, wrong), encoding="utf-8")
    (found,) = rt.check({name: answers(tmp_path, name)[name]}).failed
    assert verdict in [mistake["verdict"] for mistake in found.details["mistakes"]], str(found)
