"""The package as it is shipped: from an archive, and on a Python that is too old."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_it_runs_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in (ROOT / "reference_tree").rglob("*"):
            if path.suffix in (".py", ".toml", ".csv", ".json"):
                file.write(path, path.relative_to(ROOT))
    command = [sys.executable, "-S", "-m", "reference_tree", "golden", "id3/cats"]
    run = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(archive)}, capture_output=True, check=True)
    assert run.stdout == (ROOT / "tests" / "goldens" / "id3" / "cats.json").read_bytes()


def test_what_it_offers_is_imported_when_it_is_asked_for() -> None:
    script = (
        "import sys, reference_tree as rt\n"
        "assert 'reference_tree.views.derivation.explain' not in sys.modules\n"
        "assert 'Bagging' in dir(rt) and not hasattr(rt, 'Baging')\n"
        "assert all(getattr(rt, name) is not None for name in rt.__all__)\n"
        "from reference_tree import *\n"
        "assert ID3 is rt.ID3 and hasattr(rt.Tree, '_repr_svg_')\n"
        "assert rt.views.trees.svg.to_svg is to_svg\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("arguments", "status", "kind"), [(["-m"], 1, "reference_tree needs"), ([], 1, "ImportError: reference_tree needs")]
)
def test_an_old_python_is_told_in_a_line(arguments: list[str], status: int, kind: str) -> None:
    script = f"import sys; sys.version_info = (3, 10, 0); sys.argv = {arguments}; import reference_tree"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == status
    assert run.stderr.splitlines()[-1] == f"{kind} Python 3.11 or newer"
