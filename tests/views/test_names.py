"""Names: whatever the data calls its columns and values, it neither breaks a view nor gets lost."""

from __future__ import annotations

import html
import time
import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.views.names import (
    cut_short,
    dot_name,
    fill,
    markdown_name,
    one_line,
    padded,
    tex_name,
    width,
    xml_name,
)

names = st.text(max_size=12)
plain = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), max_size=12)


def test_a_long_name_is_cut_in_one_pass() -> None:
    before = time.process_time()
    assert cut_short("纹" * 200_000, 9) == "纹纹纹纹…"
    assert cut_short("e\N{COMBINING ACUTE ACCENT}" * 5, 4) == "e\N{COMBINING ACUTE ACCENT}" * 3 + "…"
    assert time.process_time() - before < 2


@given(names)
def test_one_line_is_one_printable_line(name: str) -> None:
    assert one_line(name).isprintable()
    assert len(one_line(name).splitlines()) <= 1


@given(plain)
def test_a_printable_name_stays_as_it_is(name: str) -> None:
    assert one_line(name) == name


@given(names)
def test_xml_reads_the_name_back(name: str) -> None:
    element = ElementTree.fromstring(f'<text title="{xml_name(name)}">{xml_name(name)}</text>')
    assert (element.text or "") == element.get("title") == one_line(name)


@given(names)
def test_markdown_has_no_bare_character_of_its_own(name: str) -> None:
    written = markdown_name(name)
    bare = html.unescape("".join(c for i, c in enumerate(written) if c != "\\" or written[i - 1 : i] == "\\"))
    for special in "`*_[]|":
        assert written.count(special) == written.count("\\" + special)
    assert "$" not in written
    assert "<" not in written
    assert len(bare) >= len(name.replace("\\", ""))


@given(names)
def test_the_group_of_a_tex_name_closes_at_its_end(name: str) -> None:
    depth, group = 0, tex_name(name).removeprefix(r"\text")
    for i, character in enumerate(group):
        if group[i - 1 : i] != "\\":
            depth += {"{": 1, "}": -1}.get(character, 0)
        assert (depth > 0) == (i < len(group) - 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a--b", r"\text{a-{}-b}"),
        ("50 % of $1 & #2", r"\text{50 \% of \$1 \& \#2}"),
        ("a|b <c>", r"\text{a\textbar{}b \textless{}c\textgreater{}}"),
        ("x^2~{y}", r"\text{x\textasciicircum{}2\textasciitilde{}\{y\}}"),
    ],
)
def test_tex_names(name: str, expected: str) -> None:
    assert tex_name(name) == expected


@given(names)
def test_a_quoted_string_of_dot_ends_where_it_should(name: str) -> None:
    written = dot_name(name)
    unescaped = written.replace("\\\\", "").replace('\\"', "")
    assert '"' not in unescaped
    assert "\\" not in unescaped


@given(st.text(alphabet=st.sampled_from("a纹é\u0301，x "), max_size=20))
def test_width_counts_columns(text: str) -> None:
    narrow = [c for c in text if unicodedata.east_asian_width(c) not in ("W", "F") and not unicodedata.combining(c)]
    wide = [c for c in text if c in "纹，"]
    assert width(text) == len(narrow) + 2 * len(wide)


@given(st.lists(st.text(alphabet="ab纹", min_size=1, max_size=9), max_size=15), st.integers(4, 30))
def test_fill_loses_nothing_and_overflows_by_single_pieces_only(pieces: list[str], room: int) -> None:
    lines = list(fill(pieces, room))
    assert " ".join(lines).split() == pieces
    assert all(width(line) <= room or " " not in line for line in lines)


@given(st.text(alphabet="a纹", max_size=8))
def test_padded_is_as_wide_as_it_is_told(text: str) -> None:
    assert width(padded(text, 20, left=True)) == width(padded(text, 20, left=False)) == 20
    assert padded(text, 20, left=True).startswith(text)
    assert padded(text, 20, left=False).endswith(text)
