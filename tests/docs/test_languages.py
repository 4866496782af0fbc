"""Each part of a page says in which language it is."""

from __future__ import annotations

import pytest

marked = pytest.importorskip("docs.tools.languages", reason="the site needs Markdown").marked


@pytest.mark.parametrize(
    ("page", "language", "expected"),
    [
        ("<p>a 熵, a 信息增益</p>", "en", '<p>a <span lang="zh">熵</span>, a <span lang="zh">信息增益</span></p>'),
        ("<td>样本, 样例</td>", "en", '<td><span lang="zh">样本</span>, <span lang="zh">样例</span></td>'),
        ("<p>《机器学习》，周志华</p>", "en", '<p><span lang="zh">《机器学习》，周志华</span></p>'),
        ("<code>纹理=清晰</code>", "en", '<code><span lang="zh">纹理</span>=<span lang="zh">清晰</span></code>'),
        ("<svg><desc>熵</desc>熵</svg>", "en", '<svg><desc>熵</desc><tspan lang="zh">熵</tspan></svg>'),
        ('<p title="熵">H</p><!-- 熵 -->', "en", '<p title="熵">H</p><!-- 熵 -->'),
        ("<option>熵</option><b>熵</b>", "en", '<option>熵</option><b><span lang="zh">熵</span></b>'),
        ('<b lang="zh">熵<b>熵</b>熵</b>熵', "en", '<b lang="zh">熵<b>熵</b>熵</b><span lang="zh">熵</span>'),
        ("<p>用 gain ratio 选择，C4.5 与 x</p>", "zh", '<p>用 <span lang="en">gain ratio</span> 选择，C4.5 与 x</p>'),
        ("<code>grow 熵</code> 熵", "zh", '<code lang="en">grow <span lang="zh">熵</span></code> 熵'),
        ("<tex-math>log 熵</tex-math>log", "zh", '<tex-math>log 熵</tex-math><span lang="en">log</span>'),
        ("<p>a < b 熵</p>", "en", '<p>a < b <span lang="zh">熵</span></p>'),
    ],
)  # fmt: skip
def test_words_of_another_language_say_so(page: str, language: str, expected: str) -> None:
    assert marked(page, language) == expected
