"""Formulas as MathML: what each piece of TeX becomes, and that nothing is read by half."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.views.derivation.writers.mathml import aligned, mathml
from reference_tree.views.wording import one_line, tex_name
from tests.every import of_every


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("12.5", "<mn>12.5</mn>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\tilde D_i", '<msub><mover accent="true"><mi>D</mi><mo stretchy="false">~</mo></mover><mi>i</mi></msub>'),
        ("N_{tc}", "<msub><mi>N</mi><mrow><mi>t</mi><mi>c</mi></mrow></msub>"),
        (r"\alpha'_k", "<msubsup><mi>α</mi><mi>k</mi><mo>′</mo></msubsup>"),
        ("x^12", "<msup><mi>x</mi><mn>1</mn></msup><mn>2</mn>"),
        (r"\sum_i x", '<munder><mo movablelimits="true">∑</mo><mi>i</mi></munder><mi>x</mi>'),
        (r"\mathrm{SSE}", '<mi mathvariant="normal">SSE</mi>'),
        (r"\text{ a_b}".replace("_", r"\_"), "<mtext>&#160;a_b</mtext>"),
        ("5 - 3", "<mn>5</mn><mo>−</mo><mn>3</mn>"),
        ("5 + -3", '<mn>5</mn><mo>+</mo><mo form="prefix">−</mo><mn>3</mn>'),
        ("(x) - 3", '<mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo><mo>−</mo><mn>3</mn>'),
        (
            r"\left(1\right)^2",
            '<msup><mrow><mo form="prefix" stretchy="true">(</mo><mn>1</mn>'
            '<mo form="postfix" stretchy="true">)</mo></mrow><mn>2</mn></msup>',
        ),
        (r"\sqrt{x y}", "<msqrt><mrow><mi>x</mi><mi>y</mi></mrow></msqrt>"),
    ],
)
def test_written_by_hand(tex: str, expected: str) -> None:
    assert mathml(tex) == f"<math>{expected}</math>"


@of_every([r"\foo", "{x", "x}", r"\left(x", r"\text{x", "é", r"\frac{1}", "x_", "x & y"])
def test_what_is_not_written_here_is_not_read(tex: str) -> None:
    with pytest.raises(ValueError, match="TeX"):
        mathml(tex)


@given(st.text())
def test_a_name_comes_out_as_it_went_in(name: str) -> None:
    (found,) = fromstring(mathml(tex_name(name)))
    assert found.tag == "mtext"
    assert (found.text or "").replace("\N{NO-BREAK SPACE}", " ") == one_line(name).replace("\N{NO-BREAK SPACE}", " ")


def test_rows_stand_below_one_another() -> None:
    table = fromstring(aligned([("x", "= 1"), ("", r"\quad + 2")]))
    assert [["".join(side.itertext()) for side in row] for row in table[0]] == [["x", "=1"], ["", "+2"]]
