"""Data sets: what is written is what other programs make of the same table, and reads back as it is."""

from __future__ import annotations

import io
import shlex
from collections import Counter
from pathlib import Path

import pytest

import reference_tree as rt
from reference_tree.cli.datasets import unsaid
from reference_tree.splitting.discretization import discretize
from reference_tree.splitting.discretizers import bins_of
from reference_tree.splitting.one_hot_encoding import one_hot
from reference_tree.views.derivation.explain import explain_discretization
from tests.cli.running import Run, refused


def test_what_cannot_be_divided_into_bins_is_said_as_it_is(run: Run) -> None:
    twice = ("--discretize", "petal width", "1", "--discretize", "petal width", "2")
    assert "--discretize petal width is given twice" in refused(run, "data", "iris", *twice)
    assert "and y is a number; name the cuts" in refused(run, "data", "li-hang-5.2", "--discretize", "x", "entropy")


def test_data_lists_every_data_set_with_its_provenance(run: Run) -> None:
    out = run("data")[1]
    assert "play-tennis:" in out
    assert "Quinlan" in out
    assert "watermelon-3.0a:" in out
    assert run("data", "loan")[1].startswith("loan:")


def test_a_textbook_is_described_as_it_is_read(run: Run) -> None:
    out = run("data", "golf", "--target", "windy", "--without", "outlook")[1]
    assert out.splitlines()[:2] == ["golf: Golf", "  14 rows; temperature, humidity, play → windy"]
    for option in (["--weights", "humidity"], ["--na", "x"], ["--separator", ";"], ["--no-header"]):
        assert f"{option[0]} is for files" in refused(run, "data", "golf", *option)


def test_a_file_is_described_by_its_columns(run: Run, weather: Path) -> None:
    assert run("data", weather) == (0, f"{weather}:\n  6 rows; outlook, windy → play\n", "")


def test_one_hot_columns_are_those_of_pandas(run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    plain = pandas.read_csv(io.StringIO(run("data", "play-tennis", "--format", "csv")[1]))
    status, out, err = run("data", "play-tennis", "--one-hot")
    assert status == 0
    assert "read it with --categorical '*'" in err
    attributes = list(plain.columns[:-1])
    theirs = pandas.get_dummies(plain, columns=attributes, prefix_sep="=", dtype=int)
    ours = pandas.read_csv(io.StringIO(out))
    assert list(ours.columns) == [*theirs.columns[1:], "play"]
    assert ours[theirs.columns].equals(theirs)


def test_intervals_are_those_of_pandas(run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    plain = pandas.read_csv(io.StringIO(run("data", "golf", "--format", "csv")[1]))
    out = run("data", "golf", "--discretize", "temperature", "70,75", "--discretize", "humidity", "equal-width:2")[1]
    ours = pandas.read_csv(io.StringIO(out))
    inf = float("inf")
    temperature = pandas.cut(plain["temperature"], [-inf, 70, 75, inf], labels=["(-inf, 70]", "(70, 75]", "(75, inf)"])
    humidity = pandas.cut(plain["humidity"], [-inf, 80.5, inf], labels=["(-inf, 80.5]", "(80.5, inf)"])
    assert list(ours["temperature"]) == list(temperature)
    assert list(ours["humidity"]) == list(humidity)
    assert list(ours["outlook"]) == list(plain["outlook"])


def test_columns_that_look_like_numbers_are_named_where_others_are_numbers(run: Run) -> None:
    err = run("data", "cats", "--one-hot", "ear")[2]
    assert "read it with --categorical ear=floppy --categorical ear=pointy\n" in err


@pytest.mark.parametrize("form", ["csv", "arff"])
def test_a_division_holds_every_row_once_and_reads_back(run: Run, tmp_path: Path, form: str) -> None:
    files = [tmp_path / f"{part}.{form}" for part in ("training", "validation")]
    status, out, err = run("data", "iris", "--holdout", "0.3", "--seed", "1", "--output", *files)
    assert (status, out, err) == (0, "", "")
    parts = [rt.read(file) for file in files]
    assert [Counter(row["species"] for row in part.rows()) for part in parts] == [
        dict.fromkeys(["setosa", "versicolor", "virginica"], rows) for rows in (35, 15)
    ]
    together = Counter(tuple(row.items()) for part in parts for row in part.rows())
    assert together == Counter(tuple(row.items()) for row in rt.textbook("iris").rows())
    other = [tmp_path / f"{part}-2.{form}" for part in ("training", "validation")]
    run("data", "iris", "--holdout", "0.3", "--seed", "2", "-o", *other)
    assert other[0].read_bytes() != files[0].read_bytes()
    run("data", "iris", "--holdout", "0.3", "--seed", "1", "-o", *other)
    assert [file.read_bytes() for file in other] == [file.read_bytes() for file in files]


def test_the_rows_held_out_do_not_say_where_to_cut(run: Run, tmp_path: Path) -> None:
    """The training rows end before 100; were it all rows, the cut of equal width would be another."""
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    table = "x,y\n" + "".join(f"{x},{'ab'[x % 2]}\n" for x in range(9)) + "1000,a\n"
    (tmp_path / "table.csv").write_text(table, encoding="utf-8")
    for seed in range(10):
        assert run("data", tmp_path / "table.csv", "--holdout", "0.3", "--seed", seed, "-o", *files)[0] == 0
        numbers = [int(line.split(",")[0]) for line in files[0].read_text(encoding="utf-8").splitlines()[1:]]
        if 1000 not in numbers:
            break
    cut = f"{(max(numbers) + min(numbers)) / 2:g}"
    bins = ["--discretize", "x", "equal-width:2"]
    assert run("data", tmp_path / "table.csv", "--holdout", "0.3", "--seed", seed, *bins, "-o", *files)[0] == 0
    assert f"(-inf, {cut}]" in files[0].read_text(encoding="utf-8")
    assert f'"({cut}, inf)",a' in files[1].read_text(encoding="utf-8")  # where the 1000 is


def test_what_a_csv_file_does_not_say_is_told_and_reads_back_with_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "hot.csv"
    status, _, err = run("data", "watermelon-2.0a", "--one-hot", "-o", file)
    assert status == 0
    assert err.count("\n") == 1
    flags = [flag for flag in shlex.split(err.split("read it with ")[1]) if flag != "--categorical"]
    table = one_hot(rt.textbook("watermelon-2.0a"))
    back = rt.read(file, categorical=flags)
    assert back.schema == table.schema
    assert list(back.rows()) == list(table.rows())


def test_an_order_that_is_lost_is_told_and_an_arff_file_keeps_it(run: Run, tmp_path: Path) -> None:
    bins = ["--discretize", "temperature", "Cold (-inf, 70); Mild [70, 75]; Hot (75, inf)"]
    status, _, err = run("data", "golf", *bins, "-o", tmp_path / "golf.csv")
    assert status == 0
    assert "does not keep the values of temperature, or their order; an .arff file does" in err
    assert run("data", "golf", *bins, "-o", tmp_path / "golf.arff") == (0, "", "")
    golf = rt.textbook("golf")
    words = discretize(golf, "temperature", bins_of(golf, "temperature", bins[-1])[0])
    assert rt.read(tmp_path / "golf.arff").schema == words.schema
    assert list(rt.read(tmp_path / "golf.arff").rows()) == list(words.rows())


def test_weights_have_a_column_and_the_flag_that_reads_it() -> None:
    table = rt.Table.from_columns({"w": [1, 2], "x": ["a", "b"], "y": ["no", "yes"]}, weights="w")
    assert unsaid(table) == "read it with --weights weight"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--one-hot"], "no table is named"),
        (["--target", "play"], "no table is named"),
        (["--no-header"], "no table is named"),
        (["cats", "--holdout", "0.3"], "name both"),
        (["cats", "--holdout", "0.3", "-o", "one.csv"], "name both"),
        (["cats", "-o", "a.csv", "b.csv"], "--holdout"),
        (["cats", "-o", "a", "b"], "--holdout"),
        (["cats", "--holdout", "0.3", "-o", "a.csv", "a.csv"], "twice"),
        (["cats", "--holdout", "0.3", "-o", "a.csv", "./a.csv"], "twice"),
        (["cats", "--holdout", "0.3", "-o", "a.csv", "a.arff"], "two forms"),
        (["cats", "-o", "cats.json"], "csv, tsv, arff, not as json"),
        (["cats", "--holdout", "1", "-o", "a.csv", "b.csv"], "between 0 and 1"),
        (["cats", "--holdout", "1/100", "-o", "a.csv", "b.csv"], "without rows"),
        (["cats", "--seed", "1"], "--holdout"),
        (["cats", "--no-stratified"], "--holdout"),
        (["cats", "--format", "svg"], "svg"),
        (["caats", "--one-hot"], "caats"),
        (["cats", "--discretize", "weight", "many"], "takes cuts as in 70,75"),
        (["cats", "--discretize", "weight", "9,8"], "not ascending"),
        (["cats", "--discretize", "weight", "A (0, 1); B (0, 1)"], "weight"),
        (["cats", "--discretize", "weight", "equal-width:0"], "2 bins or more"),
        (["cats", "--discretize", "weight", "equal-width:1000000"], "equal-width:K"),
        (["cats", "--discretize", "ear", "entropy"], "categorical"),
        (["cats", "--discretize", "nothing", "entropy"], "nothing"),
        (["cats", "--one-hot", "weight"], "continuous"),
    ],
)
def test_what_is_refused_writes_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in refused(run, "data", *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("format", "tells"), [("markdown", r"\frac{\log_2(N - 1)"), ("html", "<mfrac>")])
def test_a_page_has_its_formulas(run: Run, format: str, tells: str) -> None:
    out = run("explain", "golf", "--discretize", "temperature", "entropy", "--format", format)[1]
    assert tells in out
    assert "log2" not in out


@pytest.mark.slow
def test_the_command_says_what_goes_with_it(run: Run) -> None:
    how = ("--discretize", "petal length", "entropy")
    assert run("explain", "iris", *how)[1] == explain_discretization(rt.textbook("iris"), "petal length", "entropy")
    every, digits = run("explain", "iris", *how, "--all")[1], run("explain", "iris", *how, "--digits", "2")[1]
    assert "the 42 cuts; each side" in every
    assert "≈ 0.92 bits" in digits
    assert "--learner is for growing" in refused(run, "explain", "iris", *how, "--learner", "c45")
    for other in ("--predict", "--node"):
        assert f"and {other} a tree; leave one out" in refused(run, "explain", "iris", *how, other, "/")
    assert "is categorical" in refused(run, "explain", "golf", "--discretize", "outlook", "entropy")


def test_a_hyphen_is_standard_output(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("data", "golf", "--format", "csv", "-o", "-")[1] == run("data", "golf", "--format", "csv")[1]
    assert run("data", "golf", "-o", "-")[1].startswith("outlook,")
    assert not (tmp_path / "-").exists()


def test_a_remark_is_one_line_whatever_a_column_is_called(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text('"a\nb",y\n' + "red,no\nblue,yes\ngreen,no\n" * 4, encoding="utf-8")
    _, _, err = run("data", data, "--holdout", "0.1", "--output", tmp_path / "rest.csv", tmp_path / "drawn.csv")
    assert r"does not keep the values of a\nb" in err
    assert all(line.startswith("reference-tree: ") for line in err.splitlines())


def test_nan_says_how_to_name_missing_values(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,y\n1,no\nnan,yes\n", encoding="utf-8")
    assert "a missing value is ?, or what --na TEXT names" in refused(run, "grow", data)
    assert run("grow", data, "--na", "nan")[0] == 0
