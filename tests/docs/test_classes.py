"""One class, one colour, one shape: in the style sheets, in the figures, and on every page that was built."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.tools.classes import DARK, LIGHT, STYLE, legend, style
from reference_tree.views.plots.attributions import DOWN, UP
from reference_tree.views.plots.classes import COLOURS, SHAPES, mark
from tests.docs.test_browser import SITE
from tests.docs.test_played import FIRST, KINDS
from tests.every import of_every
from tests.views.plots.test_classes import contrast

ASSETS = STYLE.parent
COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})\b", re.IGNORECASE)
OWNERS = {"classes.css", "site.css"}
"""The style sheets that say a colour; all others take theirs by name."""

DRAWN = re.compile(r"<(?P<tag>path|circle|rect|polygon)\b(?P<look>[^>]*)")
GROUND = {"#fff", UP, DOWN}
"""What else a drawing of the package is filled with: the shape in a bar, and what raises and lowers an answer."""


def steps_of(drawn: str) -> str:
    """The steps of an outline, without where they lead."""
    return re.sub(r"[^A-Za-z]", "", drawn)


OUTLINES = {
    colour: steps_of(re.findall(r' d="([^"]*)"', mark(code, 0, 0, 1) + ' d="a"')[0])
    for code, colour in enumerate(COLOURS)
}
"""Colour → the steps of its shape; `a` is the disc."""


def strays(html: str) -> Iterator[str]:
    """What is wrong with the drawings of a page."""
    for drawing in re.findall(r"<svg\b.*?</svg>", html, re.DOTALL):
        filled, named = set[str](), set[str]()
        for found in DRAWN.finditer(drawing):
            look = dict(re.findall(r'([\w-]+)="([^"]*)"', found["look"]))
            fill = look.get("fill", "none")
            if not fill.startswith("#"):
                continue
            if fill not in {*COLOURS, *GROUND}:
                yield f"{fill} is the colour of nothing"
            elif fill in COLOURS:
                filled.add(fill)
                if found["tag"] in {"path", "circle"}:
                    named.add(fill)
                    steps = "a" if found["tag"] == "circle" else steps_of(look["d"])
                    if steps != OUTLINES[fill]:
                        yield f"{fill} has the shape of another class"
        yield from (f"{fill} stands in no legend" for fill in filled - named)


def test_the_style_sheet_is_the_one_of_the_package() -> None:
    assert STYLE.read_text(encoding="utf-8") == style()


def test_no_other_style_sheet_says_a_colour() -> None:
    sheets = [path for path in ASSETS.rglob("*.css") if not {"katex", "pyodide"} & {*path.parts}]
    assert {path.name for path in sheets} > OWNERS
    for path in sheets:
        if path.name not in OWNERS:
            told = re.sub(r"mask: [^;]*", "", path.read_text(encoding="utf-8"))
            assert not COLOUR.findall(told), path.name
    scripts = [*(ASSETS / "play").glob("*.mjs"), *(ASSETS / "playground").glob("*.*s")]
    assert not [path.name for path in scripts if COLOUR.findall(path.read_text(encoding="utf-8"))]


def test_verdicts_are_read_on_their_ground() -> None:
    for colours, ground in ((LIGHT, "#fdfdfb"), (DARK, "#141a17")):
        assert all(contrast(colours[name], ground) >= 4.5 for name in ("right", "wrong", "gold"))


def test_the_readme_shows_the_marks() -> None:
    picture = (ASSETS / "play-tennis.svg").read_text(encoding="utf-8")
    assert not list(strays(picture))
    assert {colour for colour in COLOURS if colour in picture} == {*COLOURS[:2]}


def test_a_stray_is_found() -> None:
    square = '<path d="M1 1H8V8H1Z" fill="{}"/>'
    assert list(strays(f"<svg>{square.format('#0072b2')}</svg>")) == ["#0072b2 is the colour of nothing"]
    assert list(strays(f"<svg>{square.format(COLOURS[0])}</svg>")) == [f"{COLOURS[0]} has the shape of another class"]
    assert list(strays(f'<svg><rect fill="{COLOURS[1]}"/></svg>')) == [f"{COLOURS[1]} stands in no legend"]
    assert not list(strays(f'<svg><rect fill="{COLOURS[1]}"/>{square.format(COLOURS[1])}</svg>'))
    assert len(set(OUTLINES.values())) == len(SHAPES) - 1, "the wedge is the triangle upside down"


def named(html: str) -> dict[str, int]:
    """The classes of a figure and their places, as its legend has them."""
    said = re.findall(r'<i class="k(\d)"></i>(?:</span> )?([^<]+)</(?:li|th)>', html)
    return {name: int(k) for k, name in said}


@of_every(list(KINDS))
def test_a_figure_names_the_classes_that_it_shows(kind: str) -> None:
    html = KINDS[kind].built(FIRST[kind])
    shown = {int(k) for k in re.findall(r'<i class="k(\d)"', html)}
    assert shown <= {*named(html).values()}


def test_a_class_has_the_same_place_in_every_figure() -> None:
    places: dict[str, int] = {}
    for kind, (built, _, _) in KINDS.items():
        for name, place in named(built(FIRST[kind])).items():
            assert places.setdefault(name, place) == place, f"{name} in {kind}"
    assert places["no"] == 0
    assert places["yes"] == 1


def test_a_legend_leaves_out_a_place_without_a_name() -> None:
    assert legend(["", "b"]) == '<ul class="classes"><li><i class="k1"></i>b</li></ul>'


@pytest.mark.site
def test_no_page_has_a_stray() -> None:
    if not (SITE / "index.html").exists():
        (pytest.fail if os.environ.get("SITE") == "required" else pytest.skip)("the site is not built")
    found: dict[Path, list[str]] = {}
    for page in SITE.rglob("index.html"):
        html = page.read_text(encoding="utf-8")
        if wrong := sorted({*strays(html)}):
            found[page.relative_to(SITE)] = wrong
        assert "classes.css" in html
    assert not found
