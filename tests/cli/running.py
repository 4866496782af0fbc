"""How a command is run in a test, and what it is run on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Run: TypeAlias = Callable[..., tuple[int, str, str]]
"""A command's arguments → its exit status, standard output and standard error."""

WEATHER = """outlook,windy,play
sunny,false,no
sunny,true,no
overcast,false,yes
rainy,false,yes
rainy,true,no
overcast,true,yes
"""


def refused(run: Run, *arguments: object) -> str:
    """The line with which a command is refused; before it there may be remarks on what was read."""
    status, out, err = run(*arguments)
    assert status == 2, err
    assert out == ""
    assert err.endswith("\n")
    assert "Traceback" not in err
    *remarks, line = err.splitlines(keepends=True)
    assert all(remark.startswith("reference-tree: ") for remark in remarks)
    return line
