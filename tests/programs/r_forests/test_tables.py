"""Forests and boosted trees of R answer as R does, and nothing of their tables is passed over."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.reading import predictor_of_file, read_foreign
from tests.every import of_every
from tests.programs.closed_world import documents
from tests.programs.r_forests.files import FOLDER, REFUSED, every_forest


def text_of(kind: str) -> str:
    return (FOLDER / f"{kind}.txt").read_text(encoding="utf-8")


def rows_of(path: Path) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """The rows that R was asked about, and its answers."""
    with open(path.with_suffix(".answers"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            given = {name: None if cell == "NA" else cell for name, cell in row.items() if name != "answer"}
            shares = [name for name in given if name.startswith("P.")]
            answers = [row[name] for name in shares] if shares else [row["answer"]]
            yield {name: cell for name, cell in given.items() if name not in shares}, answers


@every_forest
def test_a_forest_answers_as_r_does(path: Path) -> None:
    """The answers of ranger 0.14.1, randomForest 4.7.1.1 and gbm 2.1.8.1; sums of gbm are equal to the last bit."""
    model: Any = predictor_of_file(path)
    asked = 0
    for row, answers in rows_of(path):
        asked += 1
        if path.stem.endswith("classes"):
            assert [model.predict(row)] == answers
            continue
        theirs = list(map(float, answers))
        is_shared = path.stem in ("ranger-shares", "gbm-bernoulli", "gbm-adaboost")
        ours = (
            list(map(float, model.distribution(row).values()))[-len(theirs) :]
            if is_shared
            else [float(model.predict(row))]
        )
        is_a_sum = path.stem.startswith("gbm") and model.combine == "sum"
        assert ours == (theirs if is_a_sum else pytest.approx(theirs, rel=1e-14, abs=1e-16))
    assert asked == 30


def test_a_row_without_a_value_has_a_number_of_its_own_in_gbm_and_none_in_ranger() -> None:
    (document,) = read_foreign(FOLDER / "gbm-gaussian.txt")
    root = document["trees"][0]["nodes"][0]
    assert root["missing"] == {"rule": "stay"}
    assert "value" in root
    model: Any = predictor_of_file(FOLDER / "ranger-number.txt")
    with pytest.raises(InputError, match="is missing"):
        model.predict({"Petal.Length": None, "Sepal.Width": 3})


def test_a_forest_says_how_it_held_its_numbers() -> None:
    (document,) = read_foreign(FOLDER / "gbm-poisson.txt", target="is")
    program = {"name": "gbm", "version": "2.1.8.1", "numbers": "double", "sums": "double", "silent": ["counts"]}
    assert (document["program"], document["target"]["name"], document["combine"]) == (program, "is", "exp")
    (document,) = read_foreign(FOLDER / "ranger-shares.txt")
    assert document["target"]["classes"] == ["a b", "c-d", "e"]


NUMBERED = """# forest
"package","version","kind","start","corrected","equal"
"randomForest","4.7.1.1","classification","0",FALSE,TRUE
# columns
"column","factor"
"a",FALSE
# classes
"class"
"0"
"1"
# tree 1
"node","left.daughter","right.daughter","split.var","split.point","status","prediction"
"1","2","3","1","0.5","1","0"
"2","0","0","0","0","-1","1"
"3","0","0","0","0","-1","2"
"""


def test_classes_of_randomforest_that_are_numbers(tmp_path: Path) -> None:
    """R answers 0 and 1 for `randomForest(factor(c(0, 0, 1, 1)) ~ a)`: a leaf counts its class from 1."""
    (tmp_path / "forest.txt").write_text(NUMBERED, encoding="utf-8")
    model: Any = predictor_of_file(tmp_path / "forest.txt")
    assert [model.predict({"a": a}) for a in ("0.5", "0.6")] == ["0", "1"]


def test_classes_that_are_one_column_in_r_are_refused() -> None:
    text = text_of("ranger-shares").replace('"c-d"', '"a.b"', 1)
    with pytest.raises(InputError, match="two of its classes have one name as columns"):
        read_foreign(text)


@of_every(list(REFUSED))
def test_what_is_not_read_is_refused_by_name(kind: str) -> None:
    with pytest.raises(InputError, match=REFUSED[kind]) as refused:
        read_foreign(FOLDER / f"refused-{kind}.txt")
    assert "\n" not in str(refused.value)


@of_every(
    [
        ("# tree 2", "# tree 7", "and not trees from 1 on"),
        ("# tree 2", "# colour", "and not trees from 1 on"),
        ("# tree 2", "# tree 1", "a table occurs twice"),
        ("# columns", "# column", "'columns' is absent"),
        ('"ranger","0', '"party","0', "it is of party"),
        ("Regression", "Survival", "its kind is 'Survival', which is not read"),
        ('"1","0","1","2"', '"1","0","1","1"', "reached by two branches|is not whole"),
        ('Petal.Length",FALSE', 'Petal.Length",TRUE', "such as model.matrix makes of a factor"),
        ('"Petal.Length",FALSE\n', "", "a node tests feature 1"),
    ]
)
def test_tables_that_do_not_fit_are_refused(case: tuple[str, str, str]) -> None:
    old, new, message = case
    text = text_of("ranger-number")
    if old == '"1","0","1","2"':
        old, new = re.search(r'"1","?0"?,"?1"?,"?2"?', text)[0], '"1",0,1,1'  # type: ignore[index]
    assert old in text
    with pytest.raises(InputError, match=message):
        read_foreign(text.replace(old, new, 1))


def test_a_newer_release_has_a_remark() -> None:
    with pytest.warns(UserWarning, match=r"ranger 9.0.1 is newer than 0.14.1"):
        read_foreign(text_of("ranger-number").replace('"0.14.1"', '"9.0.1"'))


@pytest.mark.oracles
def test_the_lines_of_the_page_write_what_is_recorded(tmp_path: Path) -> None:
    """R grows the same trees again, as it is seeded; another release of a package may grow others."""
    if shutil.which("Rscript") is None:
        pytest.skip("there is no R here")
    page = (Path(__file__).parents[3] / "docs" / "foreign.md").read_text(encoding="utf-8")
    (block,) = [each for each in re.findall(r"```r\n(.*?)```", page, re.DOTALL) if "write_forest <- " in each]
    (tmp_path / "lines.R").write_text(textwrap.dedent(block), encoding="utf-8")
    script = Path(__file__).with_name("grow.R")
    done = subprocess.run(
        ["Rscript", "--vanilla", script, tmp_path / "lines.R", tmp_path], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(done.stderr.decode().strip().splitlines()[-1])
    for path in sorted(tmp_path.glob("*.txt")):
        if path.name.startswith("refused"):
            assert documents(path.read_text(encoding="utf-8")) is None
        else:
            test_a_forest_answers_as_r_does(path)
