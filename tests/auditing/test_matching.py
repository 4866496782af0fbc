"""Names and classes in another form are matched where the match is unique, and refused with the way out otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.auditing.matching import matched_classes, matched_names, plain
from reference_tree.cli import main
from tests.auditing.test_hypotheses import DEPTH_3
from tests.every import of_every


@of_every(["petal width (cm)", "Petal.Width", "petal_width", "PETAL WIDTH", "petal-width [mm]"])
def test_forms_of_one_name_are_one(name: str) -> None:
    assert plain(name) == "petalwidth"


@of_every([("stalk", ["petal width"], "is no column"), ("a.b", ["a b", "a_b"], "matches several")])
def test_a_name_without_a_unique_match_is_refused(name: str, known: list[str], message: str) -> None:
    with pytest.raises(rt.InputError, match=message) as refusal:
        matched_names([name], known)
    assert "attributes=[...]" in refusal.value.message


@of_every([(["3"], ["a", "b"]), (["0"], ["b", "a"]), (["5"], ["0", "1"])])
def test_classes_without_a_unique_match_are_refused(found: list[str], known: list[str]) -> None:
    with pytest.raises(rt.InputError, match="in the order of its program"):
        matched_classes(found, known)


def test_own_names_are_left_alone() -> None:
    assert matched_names(["a"], ["a", "A"]) == {}
    assert matched_classes(["1"], ["0", "1"]) == {}
    assert matched_classes(["x"], ["0", "1"]) == {}


def test_a_print_with_units_and_numbers_of_classes_is_audited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DEPTH_3.replace("petal length", "Petal.Length (cm)").replace("petal width", "petal_width")
    for number, label in enumerate(("setosa", "versicolor", "virginica")):
        text = text.replace(label, str(number))
    file = tmp_path / "tree.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["audit", str(file), "iris"]) == 0
    said = capsys.readouterr().err
    assert "Petal.Length (cm) and petal length, petal_width and petal width, class 0 and setosa" in said
