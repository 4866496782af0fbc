"""The page of the report: it is well-formed, names its versions, and its sums agree; and how it is written."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reference_tree.auditing.finding import VERDICTS
from reference_tree.data.readers import read
from tests.peers import rpart, scikit_learn
from tools.report.boosters import Boosted
from tools.report.page import PAGE, page
from tools.report.peers import PEERS, chefboost_nodes, imodels_nodes, listed_nodes
from tools.report.programs import LEFT_OUT, PROGRAMS, RPART, Program
from tools.report.r_packages import PACKAGES, c50_nodes, tree_nodes
from tools.report.runs import GAPS, ROOT, Run, audited, rows_of, table
from tools.report.spark import SPARK

TEXT = PAGE.read_text(encoding="utf-8")
PLAY = ROOT / "tests" / "recorded" / "weka-j48" / "weather-nominal.unpruned.json"


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a page, each as its rows of cells, the head first."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.splitlines()]
        found.append([rows[0], *rows[2:]])
    return found


def test_every_table_has_as_many_cells_in_each_row() -> None:
    assert len(tables(TEXT)) >= 10
    for rows in tables(TEXT):
        assert {len(row) for row in rows} == {len(rows[0])}


def test_each_program_has_its_version_and_its_sums() -> None:
    """Of each program the verdicts add up to its nodes, and its nodes are those of its trees."""
    head, *rows = tables(TEXT)[0]
    assert head[3] == "nodes"
    assert head[4:] == [one for one in ("optimal", "tied", "excused", *VERDICTS[3:]) if one in head]
    assert all(any(row[place] != "0" for row in rows) for place in range(4, len(head)))
    wrong = len(set(head) & set(VERDICTS[3:]))
    names = [re.sub(r"\[(.+)\]\(.*\)", r"\1", row[0]) for row in rows]
    assert names == [program.name for program in (*PROGRAMS, *PACKAGES, SPARK, *PEERS)]
    for name, row in zip(names, rows, strict=True):
        assert re.match(r"\d+\.\d+", row[1]), row
        assert int(row[3]) == sum(map(int, row[4:]))
        own = TEXT.split(f"\n## {name}\n")[1].split("\n## ")[0]
        heads, *trees = tables(own)[0]
        assert len(trees) == int(row[2])
        assert sum(int(tree[heads.index("nodes")]) for tree in trees) == int(row[3])
        told = sum(int(tree[heads.index("wrong")]) for tree in trees) if "wrong" in heads else 0
        assert told == sum(map(int, row[len(row) - wrong :]))


def test_boosters_are_there_with_their_versions() -> None:
    own = TEXT.split("\n## Boosted trees\n")[1].split("\n## ")[0]
    _, *rows = tables(own)[0]
    assert {row[0].split(",")[0] for row in rows} == {"XGBoost", "LightGBM"}
    assert all(re.match(r"\d+\.\d+", row[1]) for row in rows)
    assert {row[2] for row in rows} == {"all gaps", "its own bins"}


def test_the_page_names_no_path_of_a_machine() -> None:
    assert not re.search(r"(?<![\w.])/(?:home|root|tmp|usr|work)/", TEXT)


def test_what_is_said_of_a_right_tree_and_of_a_wrong_one() -> None:
    """The same tree, held against the learner that grew it and against another one."""
    data, tree = rows_of("weather-nominal"), PLAY.relative_to(ROOT)
    learners = ["--learner", "c45", "--profile", "weka-j48"], ["--learner", "id3", "--max-depth", "1"]
    right, wrong = (audited(Run("J48", "3.6.14", "-U", tree, data, options)) for options in learners)
    assert (right.nodes, right.wrong, right.first) == (8, 0, "")
    assert wrong.wrong > 0
    assert wrong.rules == {"stop.max-depth": 2}
    assert "--max-depth 1 --node" in wrong.command
    program = Program("J48", "`--learner id3`.", lambda: iter(()), lambda: None, "It is another learner.")
    boosted = Boosted("XGBoost, iris", "3.2.0", "all gaps", 1, (1, 0, 0, 0), (2, 0), "tree 1")
    text = page([(program, [right, wrong])], [boosted], {"Id3": "there is no Java"}, LEFT_OUT)
    for told in (wrong.first, wrong.command, "3.6.14", "It is another learner.", "Id3 did not run: there is no Java."):
        assert told in text
    refused = audited(Run("J48", "3.6.14", "-U", tree, rows_of("iris"), learners[0]))
    assert refused.nodes == 0
    assert refused.refused in page([(program, [refused])], [], {}, [])


@pytest.mark.slow
def test_a_command_on_the_page_can_be_run() -> None:
    """The finding that it repeats is there again."""
    data, tree = rows_of("weather-nominal"), PLAY.relative_to(ROOT)
    found = audited(Run("J48", "3.6.14", "-U", tree, data, ["--learner", "id3", "--max-depth", "1"]))
    command = [sys.executable, "-m", "reference_tree", *found.command.split()[1:]]
    again = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", cwd=ROOT)
    assert again.returncode == 1
    assert "split-too-far" in again.stdout


def test_the_wines_with_gaps_lack_every_tenth_cell() -> None:
    data = table(GAPS)
    lost = sum(cell is None for row in data.rows for cell in row)
    assert lost == len(data.rows) * len(data.attributes) // 10
    assert all(row[-1] is not None for row in data.rows)
    assert len(read(str(data.path))) == 178


def test_the_function_that_chefboost_writes_is_read() -> None:
    text = (
        "def findDecision(obj):\n   if obj[0] == 'sunny':\n      if obj[2]>70.5:\n         return 'no'\n"
        "      elif obj[2]<=70.5:\n         return 'yes'\n      else:\n         return 'no'\n"
        "   elif obj[0] == 'overcast':\n      return 'yes'\n   else:\n      return 'yes'\n"
    )
    nodes = chefboost_nodes(text, table("weather-numeric").attributes)
    answers: Mapping[Any, Any] = {node: held.answer for node, held in nodes.items()}
    root, inner = nodes[0].test, nodes[1].test
    assert root is not None
    assert inner is not None
    assert [(branch.when, branch.to) for branch in root.branches] == [({"is": "sunny"}, 1), ({"is": "overcast"}, 2)]
    assert [(branch.when, answers[branch.to]) for branch in inner.branches] == [
        ({"le": "70.5"}, {"label": "yes"}),
        ({"gt": "70.5"}, {"label": "no"}),
    ]


def test_the_xml_of_imodels_is_read() -> None:
    text = '<T><x2 feature="2.5" flag="l">0</x2><x2 feature="2.5" flag="r">1</x2></T>'
    nodes = imodels_nodes(text, ["a", "b"], table("iris").attributes)
    answers: Mapping[Any, Any] = {node: held.answer for node, held in nodes.items()}
    assert nodes[0].test is not None
    assert [(dict(branch.when), answers[branch.to]["label"]) for branch in nodes[0].test.branches] == [
        ({"lt": "2.5"}, "a"),
        ({"ge": "2.5"}, "b"),
    ]


def test_what_numpy_ml_holds_is_read() -> None:
    nodes = listed_nodes([[2, "2.5", 1, 2], [0], [1]], ["a", "b"], table("iris").attributes)
    answers: Mapping[Any, Any] = {node: held.answer for node, held in nodes.items()}
    assert nodes[0].test is not None
    assert nodes[0].test.form["attribute"] == table("iris").attributes[2].name
    assert [(dict(branch.when), answers[branch.to]["label"]) for branch in nodes[0].test.branches] == [
        ({"le": "2.5"}, "a"),
        ({"gt": "2.5"}, "b"),
    ]


def answers_of(nodes: Mapping[Any, Any], node: int) -> list[tuple[dict[str, Any], Any]]:
    """The conditions of a node's branches, and what is below them: a label, or nothing."""
    return [(dict(branch.when), nodes[branch.to].answer.get("label")) for branch in nodes[node].test.branches]


def test_the_frame_of_tree_is_read() -> None:
    lines = ["1\toutlook".replace("outlook", "V1") + "\t:ac\t:b\t1", "2\tV3\t<77.5\t>77.5\t0"]
    lines += ["4\t<leaf>\t\t\t0", "5\t<leaf>\t\t\t1", "3\t<leaf>\t\t\t0"]
    nodes = tree_nodes(lines, table("weather-numeric"))
    assert answers_of(nodes, 1) == [({"in": ["sunny", "rainy"]}, None), ({"not_in": ["sunny", "rainy"]}, "yes")]
    assert answers_of(nodes, 2) == [({"lt": "77.5"}, "yes"), ({"ge": "77.5"}, "no")]


def test_the_text_of_c50_is_read() -> None:
    text = """type="3" class="0" freq="9,5" att="V1" forks="3" elts="N/A" elts="0","2" elts="1"
type="0" class="0"
type="0" class="0" freq="5,5"
type="2" class="0" freq="4,0" att="V3" forks="3" cut="77.500001"
type="0" class="0"
type="0" class="0" freq="2,0"
type="0" class="1" freq="2,0\""""
    nodes = c50_nodes(text.splitlines(), table("weather-numeric"))
    assert answers_of(nodes, 0) == [({"is": "sunny"}, "yes"), ({"is": "overcast"}, None), ({"is": "rainy"}, "yes")]
    assert answers_of(nodes, 3) == [({"le": "77.5"}, "yes"), ({"gt": "77.5"}, "no")]


def test_what_orange_holds_is_read() -> None:
    data = table("weather-numeric")
    nodes = listed_nodes([[0, "0.0", 1, 2, 3], [0], [1], [1, "70.5", 4, 5], [0], [1]], ["yes", "no"], data.attributes)
    assert answers_of(nodes, 0) == [({"is": "sunny"}, "yes"), ({"is": "overcast"}, "no"), ({"is": "rainy"}, None)]
    assert answers_of(nodes, 3) == [({"le": "70.5"}, "yes"), ({"gt": "70.5"}, "no")]


@pytest.mark.oracles
@pytest.mark.parametrize("name", ["scikit-learn", "rpart"])
def test_the_trees_are_right_live(name: str) -> None:
    if missing := {"scikit-learn": scikit_learn, "rpart": rpart}[name].absent():
        pytest.skip(missing)
    (program,) = (one for one in PROGRAMS if one.name == name)
    grown = list(program.grow())
    assert {run.data for run in grown} >= {"iris", "wine"}
    assert [audited(run).wrong for run in grown if run.data in ("iris", "wine", GAPS)].count(0) >= 3
    assert name != "rpart" or {run.setting for run in grown} == {RPART}
    assert all((ROOT / run.tree).exists() for run in grown)
    assert Path(grown[0].tree).parts[:2] == ("build", "report")
