"""What others rely on: it is recorded, a change is told in the changelog, and what 0.1.0 wrote is read for ever."""

from __future__ import annotations

import json
import warnings
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import reference_tree as rt
from reference_tree import _offered
from reference_tree.checking.check import judged_answer
from reference_tree.cli import main
from reference_tree.conformance.archive import archive
from reference_tree.conformance.cases import case
from reference_tree.conformance.given import case_of
from reference_tree.conformance.goldens import document
from reference_tree.data import errors
from reference_tree.data.errors import Deprecated
from tests.every import of_every
from tools import surface

ROOT = Path(__file__).parents[1]
OLD = ROOT / "tests" / "recorded" / "0.1.0"
DOCUMENTS = sorted((OLD / "documents").glob("*.json"))
GOLDENS = sorted((OLD / "goldens").glob("*.json"))


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return surface.surface(tmp_path_factory.mktemp("surface"))


@pytest.mark.parametrize("part", surface.PART)
def test_the_surface_is_the_recorded_one(now: dict[str, list[str]], part: str) -> None:
    was = surface.recorded()[part]
    changed = [f"+ {line}" for line in now[part] if line not in set(was)]
    changed += [f"- {line}" for line in was if line not in set(now[part])]
    told = "run `python -m tools.surface`, and name in [Unreleased] of CHANGELOG.md what it prints"
    assert now[part] == was, "\n".join([told, *changed])


def test_the_changelog_names_what_is_not_as_it_was_released() -> None:
    untold = surface.untold(surface.recorded(), surface.recorded(surface.RELEASED), surface.unreleased())
    assert not untold, "\n".join(["name these in backticks in [Unreleased] of CHANGELOG.md:", *untold])


BEFORE = {part: ["a", "audit --node"] for part in surface.PART}
PLANTED = [
    ("names", "rt.reduce(tree, table)", "`rt.reduce` is new"),
    ("names", "rt.Table.take(rows)", "`rt.Table.*` has changed"),
    ("commands", "audit --reduce", "`audit --reduce` writes them"),
    ("commands", "audit --reduce", "by `--reduce`"),
    ("commands", "bug --seconds", "`bug` writes a report"),
    ("cases", "stops/loan", "`cases stops/*`"),
    ("formats", "tree-1 node.leaf required", "`tree-1 node.leaf`"),
    ("rules", "verdict wrong-leaf audit", "`verdict wrong-leaf`"),
    ("pages", "/frozen/", "`/frozen/`"),
]


@of_every(PLANTED)
def test_a_line_that_is_new_or_gone_has_to_be_named(part: str, line: str, told: str) -> None:
    after = {**BEFORE, part: [*BEFORE[part], line]}
    assert surface.untold(after, BEFORE, "`rt.red`, `--red`, `audit`ed, `stops`, `tree-1 node.leaf.x`") == [
        f"+ {part} {line}"
    ]
    assert surface.untold(BEFORE, after, "") == [f"- {part} {line}"]
    assert surface.untold(after, BEFORE, told) == surface.untold(BEFORE, after, told) == []


def test_a_new_anchor_need_not_be_named_but_one_that_goes() -> None:
    after = {**BEFORE, "pages": [*BEFORE["pages"], "/cli/#new"]}
    assert surface.untold(after, BEFORE, "") == []
    assert surface.untold(BEFORE, after, "") == ["- pages /cli/#new"]


def test_there_are_seven_questions() -> None:
    """total, partition, ordered, points, split and against, with the schema; the target is what is counted."""
    assert [line.partition("(")[0] for line in surface.door()] == [
        f"Sample.{name}" for name in ("schema", "target", "total", "partition", "ordered", "points", "split", "against")
    ]


# What 0.1.0 wrote.


@of_every(DOCUMENTS)
def test_a_document_of_0_1_0_is_read_and_answers_as_it_did(document: Path) -> None:
    """The answers are those that the package printed when it wrote the document."""
    predictor = rt.read_predictor(document)
    table = rt.textbook(document.stem.partition(".")[2])
    answers = document.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    found = predictor.predict(list(table.rows()))
    if table.schema.target.values is not None:
        assert found == answers
    else:
        assert [float(one) for one in found] == pytest.approx([float(one) for one in answers], rel=1e-11)
    assert rt.predictor_from_json(rt.to_json(predictor)) == predictor


@of_every(GOLDENS)
def test_a_golden_of_0_1_0_is_read_and_its_answer_is_right(golden: Path) -> None:
    given = json.loads(golden.read_text(encoding="utf-8"))
    assert judged_answer(case_of(given), given["expected"]).status == "passed"


def test_every_kind_of_golden_and_document_is_kept() -> None:
    assert {golden.stem for golden in GOLDENS} == {
        "bins", "draws", "ensemble", "formula", "predict", "prune", "rounds", "split", "tree",
    }  # fmt: skip
    assert {one.stem.partition(".")[0] for one in DOCUMENTS} == {
        "id3", "c45", "cart", "forest", "adaboost", "bagging", "gradient", "boosting-tree",
    }  # fmt: skip


def test_an_archive_has_what_that_of_0_1_0_had() -> None:
    old = ZipFile(OLD / "goldens.zip")
    ids = [one["id"] for one in json.loads(old.read("manifest.json"))["cases"]]
    now = ZipFile(BytesIO(archive([document(case(one)) for one in ids])))
    assert now.namelist() == old.namelist()
    was, is_now = (json.loads(one.read("manifest.json")) for one in (old, now))
    assert was["format"] == is_now["format"]
    assert set(was) <= set(is_now)
    for before, after in zip(was["cases"], is_now["cases"], strict=True):
        assert set(before) <= set(after)


# What goes.


def test_a_former_name_works_and_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_offered.RENAMED, "regrow", ("ID3", "2.0"))
    with pytest.warns(Deprecated, match=r"^rt\.regrow is deprecated and goes with version 2\.0; use rt\.ID3$") as found:
        assert rt.regrow is rt.ID3  # type: ignore[attr-defined]
    assert found[0].filename == __file__
    with pytest.raises(AttributeError, match="has no attribute 'regroow'"):
        rt.regroow  # type: ignore[attr-defined]  # noqa: B018


def test_a_command_says_what_goes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "reference_tree.cli.commands.check_options", lambda _: errors.deprecated("--old", "--new", "2.0")
    )
    assert main(["grow", "play-tennis", "--learner", "id3"]) == 0
    assert capsys.readouterr().err == ("reference-tree: --old is deprecated and goes with version 2.0; use --new\n")


def test_nothing_that_is_deprecated_outlives_its_version() -> None:
    major, minor = map(int, rt.__version__.split(".")[:2])
    for name, (now, gone) in _offered.RENAMED.items():
        assert now in _offered.__all__
        assert name not in _offered.__all__
        assert tuple(map(int, gone.split("."))) > (major, minor), f"rt.{name} was to go"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(getattr(rt, name) is not None for name in _offered.__all__)
