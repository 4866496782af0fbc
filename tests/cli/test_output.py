"""Output: printed or written whole, and nothing lost when it cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reference_tree.cli import learning, main, output
from tests.cli.running import Run, refused


def test_a_failure_leaves_the_old_output_as_it_was(run: Run, weather: Path, tmp_path: Path) -> None:
    output = tmp_path / "tree.txt"
    output.write_text("old", encoding="utf-8")
    refused(run, "grow", tmp_path / "nothing.csv", "--output", output)
    assert output.read_text(encoding="utf-8") == "old"
    assert run("grow", weather, "--output", output)[0] == 0
    assert output.read_text(encoding="utf-8") != "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tree.txt", "weather.csv"]
    assert "cannot be written" in refused(run, "grow", weather, "--output", tmp_path / "no" / "tree.txt")


def test_a_failed_write_leaves_nothing_behind(run: Run, weather: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "Is a directory" in refused(run, "grow", weather, "--output", tmp_path / "folder")
    assert "folder" in refused(run, "golden", "--to", weather)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "weather.csv"]


@pytest.mark.skipif(os.name == "nt", reason="needs links, pipes and modes")
def test_output_goes_where_a_link_leads_and_through_a_pipe(run: Run, weather: Path, tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "tree.txt", tmp_path / "link.txt", tmp_path / "pipe"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    assert run("grow", weather, "--output", link)[0] == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("outlook")
    assert target.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert run("grow", weather, "--output", pipe)[0] == 0
        assert reader.stdout is not None
        assert reader.stdout.read() == target.read_text(encoding="utf-8")
    assert pipe.is_fifo()


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_that_leads_nowhere_is_refused_or_made(run: Run, weather: Path, tmp_path: Path) -> None:
    """Python resolves a link to itself from 3.13 on, and raises before."""
    (tmp_path / "itself").symlink_to(tmp_path / "itself")
    (tmp_path / "there").symlink_to(tmp_path / "back")
    (tmp_path / "back").symlink_to(tmp_path / "there")
    for name in ("itself", "there"):
        assert f"{name}: cannot be written: " in refused(run, "grow", weather, "-o", tmp_path / name)
        assert (tmp_path / name).is_symlink()
    (tmp_path / "new").symlink_to(tmp_path / "tree.txt")
    assert run("grow", weather, "-o", tmp_path / "new")[0] == 0
    assert (tmp_path / "tree.txt").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("redirection", "says"), [(">/dev/full", "standard output"), (">&-", "--output")])
def test_output_that_cannot_be_printed_is_one_line(redirection: str, says: str) -> None:
    command = f'"{sys.executable}" -m reference_tree grow play-tennis {redirection}'
    done = subprocess.run(
        command, shell=True, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert says in done.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f'"{sys.executable}" -m reference_tree explain contact-lenses | head -n 1'
    if os.name == "nt":
        pytest.skip("needs a POSIX shell")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_an_interruption_while_the_package_is_loaded_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell lets its background ignore it
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'reference_tree.data.table':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "reference_tree", "grow", "play-tennis"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# Progress.


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks at standard error, and sees every node."""
    monkeypatch.setattr(output, "is_watched", lambda: True)
    monkeypatch.setattr(output, "_STEP", 1)


@pytest.mark.usefixtures("terminal")
def test_a_terminal_sees_progress_and_then_nothing_of_it(run: Run) -> None:
    status, out, err = run("grow", "play-tennis")
    assert status == 0
    assert err == "".join(f"\r{count} nodes" for count in range(1, 9)) + "\r\x1b[K"
    assert "8 nodes" not in out


@pytest.mark.usefixtures("terminal")
def test_a_terminal_sees_the_nodes_that_are_explained(run: Run) -> None:
    _, out, err = run("explain", "play-tennis")
    shown = "".join(f"\r{count} nodes" for count in range(1, 9)) + "\r\x1b[K"
    assert err == shown * 2  # grown, then explained
    assert out == run("explain", "play-tennis")[1]
    assert "8 nodes" not in out


@pytest.mark.usefixtures("terminal")
def test_who_waits_is_told_what_is_strange_before_the_nodes_and_once(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("x,name\n" + "".join(f"{place % 4},n{place}\n" for place in range(20)), encoding="utf-8")
    err = run("grow", table, "--learner", "cart")[2]
    assert err.count("look like names of the rows") == 1
    assert 0 < err.index("look like names of the rows") < err.index("1 nodes")


@pytest.mark.usefixtures("terminal")
def test_an_error_wipes_the_progress_away(run: Run) -> None:
    status, _, err = run("grow", "play-tennis", "--label", "/outlook=foggy", "no")
    assert status == 2
    assert "nodes\r\x1b[Kreference-tree: play-tennis: there is no node" in err


@pytest.mark.usefixtures("terminal")
def test_whoever_waits_for_many_trees_sees_how_far_they_are(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    run("grow", "play-tennis", "--output", tree)
    err = run("prune", tree, "play-tennis", "--method", "cost-complexity", "--folds", "3")[2]
    assert err == "".join(f"\rtree {number} of 4" for number in range(1, 5)) + "\r\x1b[K"
    assert "\rtree 3 of 3\r\x1b[K" in run("score", "play-tennis", "--learner", "id3", "--folds", "3")[2]
    cases = ("id3/play-tennis", "id3/watermelon-2.0")
    assert run("golden", *cases, "--to", tmp_path)[2] == "\rcase 1 of 2\rcase 2 of 2\r\x1b[K"


@pytest.mark.usefixtures("terminal")
def test_a_terminal_sees_what_is_read(run: Run, tmp_path: Path) -> None:
    file, tree = tmp_path / "a.csv", tmp_path / "tree.json"
    file.write_text("wind,play\nweak,yes\nstrong,no\n", encoding="utf-8")
    seen = f"\rreading {file}\r\x1b[K"
    assert run("grow", file, "--output", tree)[2].startswith(seen)
    assert run("predict", tree, file)[2].startswith(seen)


def test_a_terminal_gets_no_control_characters(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("wind,play\nweak\x1b[2J,yes\nstrong,no\n", encoding="utf-8")
    assert "'weak\x1b[2J'" in run("grow", file, "--format", "sql")[1], "a program that reads it needs it as it is"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["grow", str(file), "--format", "sql"]) == 0
    shown = capsys.readouterr().out
    assert "'weak\\x1b[2J' THEN\n" in shown
    assert "\x1b" not in shown


def test_remarks_stand_before_the_work_begins(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.csv"
    file.write_text("name,age,y\n" + "".join(f"n{n},{n % 7},{'ab'[n % 2]}\n" for n in range(20)), "utf-8")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(learning, "grow", interrupted)
    status, _, err = run("grow", file)
    assert status == 130
    assert "column name: 20 values in 20 rows look like names of the rows" in err
    assert "no learner is named: --learner cart, as age is a number" in err


def test_memory_that_does_not_suffice_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(learning, "grow", exhausted)
    assert "the memory does not suffice" in refused(run, "grow", "play-tennis")


def test_a_file_that_cannot_be_read_has_one_line_and_no_remarks(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1,2,3\n4,5\n", "utf-8")
    status, _, err = run("grow", file)
    assert (status, err.count("\n")) == (2, 1)
    file = tmp_path / "a.csv"
    file.write_text("name,age,y\n" + "".join(f"n{n},{n if n else '-'},{'ab'[n % 2]}\n" for n in range(20)), "utf-8")
    assert run("grow", file)[2].count("\n") == 3, "three remarks"
    assert "no node" in refused(run, "grow", file, "--label", "/name=x", "a")
    assert "cannot be written" in refused(run, "grow", file, "--output", tmp_path / "no" / "a.txt")
    assert run("grow", "play-tennis") == (0, run("grow", "play-tennis")[1], ""), "what was kept is forgotten"


def test_a_file_sees_no_progress(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_STEP", 1)
    assert run("grow", "play-tennis")[2] == ""
    assert run("explain", "play-tennis")[2] == ""
