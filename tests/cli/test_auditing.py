"""`audit`: a line and the status 0 where all is right, 1 for a fault, 2 for what is no tree."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import reference_tree as rt
from tests.cli.running import Run, refused


@pytest.fixture
def iris(run: Run, tmp_path: Path) -> Path:
    """A tree of iris."""
    path = tmp_path / "iris.json"
    run("grow", "iris", "--learner", "cart", "-o", path)
    return path


def rewritten(path: Path, **changes: Any) -> Path:
    """The document with something else at its root."""
    document = json.loads(path.read_text(encoding="utf-8"))
    document["nodes"][0].update(changes)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_tree_that_is_right(run: Run, iris: Path) -> None:
    assert run("audit", iris, "iris") == (0, "17 nodes are right, 3 of them by a tie; cart\n", "")


def test_a_fault_is_told_with_the_command_that_repeats_it(run: Run, iris: Path) -> None:
    rewritten(iris, label="virginica", counts={"setosa": "50", "versicolor": "49", "virginica": "50"}).read_text()
    document = json.loads(iris.read_text(encoding="utf-8"))
    document["nodes"][0].pop("tied", None)
    iris.write_text(json.dumps(document), encoding="utf-8")
    status, out, err = run("audit", iris, "iris")
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        "node 0 wrong-counts: it says that setosa 50, versicolor 49, virginica 50 arrive, "
        "and setosa 50, versicolor 50, virginica 50 do",
        "  / asks petal length<=2.45; 150 rows arrive",
        "  rule counts",
        f"  again: reference-tree audit {iris} iris --node 0",
        "1 of 17 nodes is wrong; cart",
    ]
    assert run("audit", iris, "iris", "--node", "0")[:2] == (1, "\n".join(out.splitlines()[:-1]) + "\n")
    assert run("audit", iris, "iris", "--node", "/petal length<=2.45")[:2] == (0, "node 1 optimal\n")


def test_the_command_that_repeats_a_finding_reads_the_rows_as_they_were_read(run: Run, tmp_path: Path) -> None:
    rows = tmp_path / "some rows.csv"
    rows.write_text("7;b;1,5;no;1\n7;a;-1;no;1\n8;b;2,5;yes;2\n9;a;-;yes;1\n", encoding="utf-8")
    grown = ["--target", "c4", "--na=-", "--na=-1", "--decimal", ",", "--separator", ";", "--no-header"]
    grown += ["--categorical", "c1", "--weights", "c5", "--without", "c2"]
    tree = tmp_path / "tree.json"
    assert run("grow", rows, *grown, "--learner", "cart", "-o", tree)[0] == 0
    rewritten(tree, label="yes", counts={"no": "1", "yes": "4"})
    options = [
        *grown,
        "--learner",
        "cart",
        "--min-samples-leaf",
        "1/2",
        "--option",
        "losses",
        "labels-only",
        "--pruned",
    ]
    status, out, _ = run("audit", tree, rows, *options)
    assert status == 1
    again = next(line for line in out.splitlines() if line.startswith("  again: "))
    once_more = run(*shlex.split(again)[2:])
    assert (once_more[0], once_more[1].splitlines()) == (1, out.splitlines()[:-1])
    for option in (*grown, "--pruned", "1/2", "losses"):
        assert option in shlex.split(again)


def test_for_programs(run: Run, iris: Path, tmp_path: Path) -> None:
    lines = run("audit", iris, "iris", "--format", "jsonl")[1].splitlines()
    assert [json.loads(line)["node"] for line in lines] == [*range(17)]
    assert run("audit", iris, "iris", "-o", tmp_path / "found.xml")[:2] == (0, "")
    assert 'tests="17" failures="0"' in (tmp_path / "found.xml").read_text(encoding="utf-8")


def test_another_learner_is_said_or_known_by_the_program(run: Run, iris: Path) -> None:
    status, out, _ = run("audit", iris, "iris", "--learner", "cart", "--max-depth", "1")
    assert status == 1
    assert out.endswith("1 of 17 nodes is wrong, from which 6 follow; cart, max_depth 1\n")
    document = json.loads(iris.read_text(encoding="utf-8"))
    document["learner"] = {"name": "unknown"}
    iris.write_text(json.dumps(document), encoding="utf-8")
    assert "say --learner" in refused(run, "audit", iris, "iris")
    document["program"] = {"name": "scikit-learn", "numbers": "float32"}
    iris.write_text(json.dumps(document), encoding="utf-8")
    status, out, err = run("audit", iris, "iris")
    assert (status, out) == (
        0,
        "17 nodes are right, 3 of them by a tie; cart, profile scikit-learn; "
        "judged on the values as scikit-learn held them, rounded to float32\n",
    )
    assert "no learner is named: --learner cart --profile scikit-learn, as for scikit-learn" in err


def test_a_forest_and_one_of_its_trees(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "forest.json"
    run("grow", "iris", "--ensemble", "forest", "--trees", "3", "--learner", "cart", "-o", path)
    status, out, _ = run("audit", path, "iris")
    assert status == 0
    assert "3 trees, cart" in out
    assert run("audit", path, "iris", "--round", "2", "--node", "/")[1].startswith("tree 2, node 0 optimal")
    assert "there is no tree 9" in refused(run, "audit", path, "iris", "--round", "9", "--node", "0")


def test_columns_that_a_foreign_tree_does_not_name_may_be_asked(run: Run, tmp_path: Path) -> None:
    tree = json.loads(rt.to_json(rt.CART().grow(rt.textbook("iris").without(["petal length", "petal width"]))))
    tree |= {"learner": {"name": "unknown"}}
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    status, out, err = run("audit", path, "iris", "--learner", "cart", "--node", "0")
    assert status == 1
    assert "the tree does not name petal length, petal width" in err
    assert "best: petal length<=2.45" in out
    without = ["--without", "petal length", "--without", "petal width"]
    assert run("audit", path, "iris", "--learner", "cart", *without)[0] == 0


def test_bad_input(run: Run, iris: Path, tmp_path: Path) -> None:
    assert "the tree predicts species" in refused(run, "audit", iris, "iris", "--target", "x")
    said = refused(run, "audit", iris, "iris", "--node", "99")
    assert said.startswith(f"reference-tree: {iris}: there is no node 99; the last is ")
    for named, said in [
        ("-1", "the path '-1' does not begin with /"),
        ("/x", "there is no node at '/x': after / comes"),
    ]:
        for more in ([], ["--reduce", tmp_path / "smaller"]):
            assert f"{iris}: {said}" in refused(run, "audit", iris, "iris", f"--node={named}", *more)
    rows = tmp_path / "rows.csv"
    rows.write_text("a,species\n1,setosa\n", encoding="utf-8")
    assert "there is no column 'sepal length'" in refused(run, "audit", iris, rows)


TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("tree", "data", "arguments", "found"),
    [
        ("weka/j48-iris.txt", "iris", ["--pruned"], "9 nodes are right, 2 excused; c45, profile weka-j48;"),
        ("weka/j48-unpruned-contact-lenses.txt", "contact-lenses", [], "7 nodes are right, 1 excused; c45"),
        ("weka/id3-contact-lenses.txt", "contact-lenses", ["--learner", "id3"], "15 nodes are right; id3;"),
        (
            "rpart/weather-numeric.rpart", "weather-numeric",
            ["--min-samples-split", "2", "--min-samples-leaf", "1", "--profile", "rpart", "--pruned"], "nodes are right"
        ),
    ],
)  # fmt: skip
def test_what_other_programs_wrote(run: Run, tree: str, data: str, arguments: list[str], found: str) -> None:
    file, rows = TESTS / "programs" / "recorded" / tree, TESTS / "recorded" / "data" / f"{data}.arff"
    status, out, _ = run("audit", file, rows, *arguments)
    assert found in out
    assert status == 0


# Files that mean no good.

HEAD: dict[str, Any] = {
    "format": "reference-tree/tree/1",
    "target": {"name": "species", "kind": "categorical", "classes": ["a", "b"]},
    "attributes": [{"name": "x", "kind": "continuous"}],
    "learner": {"name": "unknown"},
}


def leaf(number: int) -> dict[str, Any]:
    return {"id": number, "label": "a", "stop": "unknown"}


def asks(number: int, left: int, right: int, threshold: str = "1") -> dict[str, Any]:
    branches = [{"when": {"le": threshold}, "to": left}, {"when": {"gt": threshold}, "to": right}]
    test = {"kind": "threshold", "attribute": "x", "threshold": threshold}
    return {"id": number, "label": "a", "test": test, "branches": branches}


def written(*nodes: Any) -> bytes:
    return json.dumps({**HEAD, "nodes": nodes}).encode()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "a cycle": (written(asks(0, 1, 2), asks(1, 0, 2), leaf(2)), "a branch leads to no node behind this one"),
    "itself": (written(asks(0, 0, 1), leaf(1)), "a branch leads to no node behind this one"),
    "a child listed twice": (written(asks(0, 1, 1), leaf(1)), "node 1 is out of preorder"),
    "a child of two": (written(asks(0, 1, 2), asks(1, 2, 3), leaf(2), leaf(3)), "out of preorder"),
    "deep lists": (b"[" * 1_000_000, "it is nested too deeply"),
    "deep objects": (b'{"a":' * 200_000, "it is nested too deeply"),
    "1e999999": (
        written(asks(0, 1, 2, "1e999999"), leaf(1), leaf(2)),
        "'1e999999' has more than 100000 digits or an exponent beyond 400",
    ),
    "a bare 1e999999": (written(leaf(0)).replace(b'"id": 0', b'"id": 1e999999'), "the id is 'inf'"),
    "a long number": (written(asks(0, 1, 2, "1" * 2_000_000), leaf(1), leaf(2)), "more than 100000 digits"),
    "invalid UTF-8": (written(leaf(0))[:-3] + b"\xff\xfe", "is not UTF-8 at byte"),
    "a million nodes": (b'{"nodes": [' + b'{"id":0},' * 1_000_000 + b"{}]}", "its format is not"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "a million nodes")) for name in HOSTILE]
)
def test_a_hostile_file_is_refused_in_one_line(run: Run, tmp_path: Path, name: str) -> None:
    content, message = HOSTILE[name]
    path = tmp_path / "hostile.json"
    path.write_bytes(content)
    printed = refused(run, "audit", path, "iris", "--learner", "cart")
    assert message in printed
    assert len(printed) < 400 + len(str(path))


@pytest.mark.slow
def test_a_million_nodes_are_refused_within_seconds(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "million.json"
    nodes = b",".join(b'{"id":%d,"label":"a","stop":"pure"}' % number for number in range(1_000_000))
    path.write_bytes(json.dumps(HEAD).encode()[:-1] + b', "nodes": [' + nodes + b"]}")
    started = process_time()
    printed = refused(run, "audit", path, "iris", "--learner", "cart")
    assert "has 1000000 nodes, of which no more than 349525 are read" in printed
    assert process_time() - started < 20


def test_the_smallest_rows_are_written_and_show_the_same(run: Run, tmp_path: Path) -> None:
    tree, small = tmp_path / "tree.json", tmp_path / "small"
    run(
        "grow",
        "iris",
        "--learner",
        "cart",
        "--without",
        "petal length",
        "--without",
        "petal width",
        "--max-depth",
        1,
        "-o",
        tree,
    )
    document = json.loads(tree.read_text(encoding="utf-8"))
    document["learner"] = {"name": "unknown", "profile": None, "options": {}}
    tree.write_text(json.dumps(document), encoding="utf-8")
    status, out, _ = run("audit", tree, "iris", "--learner", "cart", "--max-depth", 1, "--reduce", small)
    assert status == 1
    assert out.startswith("node 0 suboptimal: ")
    assert out.endswith(f"3 rows, 1 attribute: {small / 'table.csv'}\n")
    assert (small / "table.csv").read_text(encoding="utf-8").splitlines() == [
        "sepal length,species", "5.1,versicolor", "5.7,versicolor", "6.3,virginica",
    ]  # fmt: skip
    (again,) = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("  again: ")]
    assert run(*shlex.split(again)[1:])[:2] == (1, "".join(out.splitlines(keepends=True)[:-1]))


def test_reduced_columns_that_a_csv_file_does_not_declare_are_written_as_arff(run: Run, tmp_path: Path) -> None:
    rows, tree, small = tmp_path / "rows.csv", tmp_path / "tree.json", tmp_path / "small"
    rows.write_text("zip,x,y,w\n" + "10,a,no,2\n10,b,no,1\n20,a,yes,1\n20,b,yes,3\n", encoding="utf-8")
    read = ["--target", "y", "--weights", "w", "--categorical", "zip"]
    run("grow", rows, *read, "--learner", "id3", "--without", "zip", "-o", tree)
    document = json.loads(tree.read_text(encoding="utf-8"))
    document["learner"] = {"name": "unknown", "profile": None, "options": {}}
    tree.write_text(json.dumps(document), encoding="utf-8")
    status, out, _ = run("audit", tree, rows, *read, "--learner", "id3", "--reduce", small)
    assert (status, (small / "table.arff").exists()) == (1, True)
    (again,) = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("  again: ")]
    assert run(*shlex.split(again)[1:])[0] == 1


def test_what_cannot_be_reduced_is_one_line(run: Run, iris: Path, tmp_path: Path) -> None:
    assert "iris: no node is wrong" in refused(run, "audit", iris, "iris", "--reduce", tmp_path / "small")
    assert not (tmp_path / "small").exists()
    forest = tmp_path / "forest.json"
    run("grow", "play-tennis", "--ensemble", "forest", "--trees", 2, "-o", forest)
    assert "--reduce takes one tree" in refused(run, "audit", forest, "play-tennis", "--reduce", tmp_path / "small")
