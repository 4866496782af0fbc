"""Files are written whole or not at all, and a tree or an ensemble that is saved can be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.data.errors import InputError
from reference_tree.data.questions import Missing
from reference_tree.tree_document.files import deliver_all


def test_several_files_are_written_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("old", encoding="utf-8")
    for other in (f"{tmp_path}/no/b.txt", str(tmp_path), f"{tmp_path}/./a.txt"):
        with pytest.raises(InputError):
            deliver_all({str(first): "new", other: "new"})
        assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
        assert first.read_text(encoding="utf-8") == "old"
    deliver_all({str(first): "new", str(second): "newer"})
    assert (first.read_text(encoding="utf-8"), second.read_text(encoding="utf-8")) == ("new", "newer")


def test_a_tree_and_an_ensemble_are_saved_and_read(tmp_path: Path) -> None:
    days = rt.textbook("play-tennis")
    tree, forest = rt.ID3().grow(days), rt.RandomForest(trees=2).grow(days)
    tree.save(tmp_path / "tree.json")
    assert (tmp_path / "tree.json").read_text(encoding="utf-8") == rt.to_json(tree)
    assert rt.read_tree(tmp_path / "tree.json") == tree
    forest.save(str(tmp_path / "forest.JSON"))
    assert rt.read_predictor(tmp_path / "forest.JSON") == forest


def test_what_cannot_be_saved_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text("old", encoding="utf-8")
    tree = rt.ID3().grow(rt.textbook("play-tennis"))
    broken = rt.Tree(
        tree.target, tree.attributes, (replace(tree.root, missing=Missing((1, 0, 0), to=1)), *tree.nodes[1:])
    )
    with pytest.raises(rt.TreeError):
        broken.save(path)
    assert path.read_text(encoding="utf-8") == "old"
    for wrong, fault in (
        (tmp_path / "tree.svg", "a JSON document, not as .svg"),
        (None, "None is no path"),
        (tmp_path, "cannot be written"),
    ):
        with pytest.raises(InputError, match=fault):
            tree.save(wrong)  # type: ignore[arg-type]
