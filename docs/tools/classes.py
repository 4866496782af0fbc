"""The look of the marks of the site: its style sheet for them is written from the colours and shapes of the package.

A class is a blue disc, an orange square, a violet triangle, ... by its place in the order of the classes: in the trees
and plots that the package draws, and in whatever the pages draw with HTML. A style sheet of the site takes its colours
from here, by name: `--k0`, `--k1`, ... for the classes; `--right`, `--wrong` and `--gold`, a tie, for verdicts.

`python -m docs.tools.classes` writes the style sheet; a test compares it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from reference_tree.views.plots.classes import COLOURS, outline

STYLE = Path(__file__).parents[1] / "assets" / "classes.css"

LIGHT = {"right": "#17704a", "wrong": "#c62828", "gold": "#8a6508", "gold-ground": "#f6c34433"}
DARK = {"right": "#8fd6b0", "wrong": "#ff8a80", "gold": "#f2c14e", "gold-ground": "#f2c14e26"}
"""The colours of verdicts, on a light and on a dark page; those of classes are the same on both."""

HEAD = """\
/* The colour and the shape of each class, and the colours of verdicts: written by docs/tools/classes.py. */
"""


def legend(names: Sequence[str]) -> str:
    """The marks of some classes with their names, in the order of the classes; a place without a name is left out."""
    marks = (f"<li>{mark(k)}{escape(name)}</li>" for k, name in enumerate(names) if name)
    return f'<ul class="classes">{"".join(marks)}</ul>'


def mark(k: int) -> str:
    """The mark of the class at a place, for a text that names it."""
    return f'<i class="k{k}"></i>'


def style() -> str:
    """The style sheet."""
    named = {f"k{k}": colour for k, colour in enumerate(COLOURS)}
    marks = (f"i.k{k} {{ background: var(--k{k}); {_shape(k)} }}\n" for k in range(len(COLOURS)))
    return "".join(
        [
            HEAD,
            f":root {{ {_declared(named | LIGHT)} }}\n",
            f'[data-md-color-scheme="slate"] {{ {_declared(DARK)} }}\n',
            *marks,
        ]
    )


def _declared(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _shape(k: int) -> str:
    """The shape within the square of an element, which the disc fills."""
    corners = outline(k)
    if not corners:
        return "border-radius: 50%;"
    # The points of a triangle would reach beyond its square, and are drawn nearer.
    scale = 500 / min(1155, max(abs(part) for corner in corners for part in corner))
    edges = [[min(100, max(0, round((500 + part * scale) / 10))) for part in corner] for corner in corners]
    places = (f"{x}% {y}%" for x, y in edges)
    return f"border-radius: 0; clip-path: polygon({', '.join(places)});"


if __name__ == "__main__":
    STYLE.write_text(style(), encoding="utf-8")
