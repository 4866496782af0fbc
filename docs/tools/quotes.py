"""A page in another language shows what the blocks of its English counterpart print, with the words translated.

So a figure, a table or a picture is computed by one block, in whichever language it is read. A translation changes no
number: that is checked whenever a block is quoted, and a word that the block no longer prints is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from docs.tools.blocks import DOCS, Block, blocks, run
from docs.tools.lesson import beside, figure, folded

NUMBER = re.compile(r"\d+")
DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)
SAID = re.compile(r"(?<=>)[^<>]+(?=<)")
"""What stands between two tags."""

STOP = re.compile(r"(?<=[\u4e00-\u9fff])([.,:;])(?: +|$)|([.,:;。，：；]) +(?=[\u4e00-\u9fff])", re.MULTILINE)
WIDE = dict(zip(".,:;", "。，：；", strict=True))
"""Signs beside a Chinese word, and how they are printed there."""

DRAWN = {
    "A decision tree for": "决策树，目标为",
    "no row": "无样本",
    "a tie": "并列",
    "The gain of each question": "各个划分的信息增益",
    "The gain ratio of each question": "各个划分的增益率",
    "The gini decrease of each question": "各个划分使基尼值减少多少",
    "The variance reduction of each question": "各个划分使方差减少多少",
    "The gradient gain of each question": "各个划分的梯度增益",
    "Best": "最优",
    "gain": "信息增益",
    "gain ratio": "增益率",
    "gini decrease": "基尼值的减少",
    "variance reduction": "方差的减少",
    "gradient gain": "梯度增益",
    "mean": "均值",
    "sse": "平方误差",
    "adds": "加",
    "average": "平均",
    "p, the proportion of one class": "一类样本所占的比例 p",
    "entropy in bits": "熵（比特）",
    "entropy in bits, Gini value": "熵（比特）、基尼值",
    "information gain in bits": "信息增益（比特）",
    "α, the price of a leaf": "α，一个叶结点的代价",
    "leaf": "个叶",
    "leaves": "个叶",
    "Error rate over": "错误率随以下选项的变化：",
    "maximum depth": "最大深度",
    "number of training rows": "训练样本数",
    "error rate": "错误率",
    "rows held out": "留出的样本",
    "training rows": "训练样本",
    "values of": "个取值，选项为",
    "the least error on rows held out is": "留出的样本上最小的错误率是",
    ", at": "，在",
    "where that on training rows is": "此处训练样本的错误率是",
    "fold of": "折，样本数为",
    "folds of": "折，样本数为",
    " rows": "",
    "fold": "折",
    "row": "样本",
    "wrong in this round": "本轮判错",
    "wrong, of weight": "个判错，权重",
    "The loss after": "平方误差：",
    "loss": "平方误差",
    "and": "和",
    "rounds of AdaBoost": "轮提升",
    "node": "结点",
    "regions": "个区域",
    "How trees divide the plane of": "各决策树对平面的划分：",
    "Entropy of a sample of two classes": "两类样本集的信息熵",
    "Entropy and Gini value of a sample of two classes": "两类样本集的信息熵与基尼值",
    "0 where all rows have one class, at": "样本同属一类时为 0，即",
    "largest where both are equally common, at": "两类一样多时最大，即",
    "bit": "比特",
    "and a Gini value of": "基尼值为",
    "The whole has an entropy of": "全体的熵为",
    "bits at": "比特，在",
    "its": "划分出的",
    "parts leave": "个子集剩下",
    "on average, below the curve; the distance is the gain": "的平均，在曲线下方；距离是信息增益",
    "Information gain of": "信息增益，属性",
    "at each cut": "的各个划分点",
    "cuts; the best is": "个划分点；最优的是",
    "with a gain of": "信息增益为",
    "bits": "比特",
    "The cost of each pruning over the price of a leaf": "各个剪枝的代价随叶结点代价的变化",
    "Cheapest is from": "代价最小的剪枝：从",
    "from": "从",
    "the tree of": "起，树有",
}
"""Words that the drawings of the package write, in Chinese."""

RULES = {"always": "总是", "if": "若", "and": "且", "then": "则", "of": "／", "more rules": "条规则"}
"""Words of the rules that describe a drawn tree."""

answer = partial(folded, "success answer", "答案")
"""What an exercise of a Chinese page comes to, folded, and left out of print."""


class English:
    """The blocks of an English page, which run when one of them, or one below it, is quoted.

    `page["tree"]` is what is called `tree` there, as far as the blocks have run.
    """

    def __init__(self, page: str) -> None:
        """Read a page, such as `measures/entropy`."""
        self._blocks = list(blocks(DOCS / f"{page}.md"))
        self._printed: dict[int, str] = {}
        self._sessions: dict[str, dict[str, Any]] = {}

    def __getitem__(self, name: str) -> Any:
        """What a name of the page stands for."""
        return next(names[name] for names in self._sessions.values() if name in names)

    def quote(self, mark: str, words: Mapping[str, str] | None = None) -> str:
        """What a block prints.

        Args:
            mark: some of its code that stands in no other block of the page.
            words: what it says in English, and how it is said here.
        """
        found = [block for block in self._blocks if mark in block.code]
        if len(found) != 1:
            raise ValueError(f"{len(found)} blocks have {mark!r}, and one is meant")
        printed = self._run(found[0])
        said = translated(in_chinese(printed), words or {})
        if NUMBER.findall(said) != NUMBER.findall(printed):
            raise ValueError("a translation changes no number")
        return said if found[0].options.get("result") == "text" else _punctuated(said)

    def _run(self, wanted: Block) -> str:
        """What a block prints, after those above it that it may lean on."""
        session = wanted.options.get("session")
        for block in self._blocks[: self._blocks.index(wanted) + 1]:
            if block.line not in self._printed and (
                block is wanted or (session and block.options.get("session") == session)
            ):
                names: dict[str, Any] = {"__name__": "page"}
                self._printed[block.line] = run(block, self._sessions.setdefault(session, names) if session else names)
        return self._printed[wanted.line]


def translated(text: str, words: Mapping[str, str]) -> str:
    """A text with its words in another language, the longest first."""
    if missing := [word for word in words if not re.search(_whole(word), text)]:
        raise ValueError(f"the block does not say {missing}")
    return _replaced(text, words) if words else text


def in_chinese(text: str) -> str:
    """A text whose drawings say in Chinese what the package writes into them."""
    return DRAWING.sub(lambda drawing: SAID.sub(lambda said: _drawn(said[0]), drawing[0]), text)


def _drawn(said: str) -> str:
    return _replaced(said, DRAWN | RULES if said.startswith(("if ", "always ")) else DRAWN)


def picture(drawing: str, caption: str) -> str:
    """A drawing and the words below it."""
    return figure(in_chinese(drawing), caption)


def pictures(drawings: Mapping[str, str]) -> str:
    """Drawings side by side where there is room, each with its title below."""
    return in_chinese(beside(drawings))


def _punctuated(text: str) -> str:
    """Prose with Chinese signs; code and drawings stay as they are."""
    parts = re.split(r"(<svg.*?</svg>|```.*?```|\$\$.*?\$\$)", text, flags=re.DOTALL)
    return "".join(part if number % 2 else STOP.sub(_wide, part) for number, part in enumerate(parts))


def _wide(sign: re.Match[str]) -> str:
    found = sign[1] or sign[2]
    return WIDE.get(found, found)


def _replaced(text: str, words: Mapping[str, str]) -> str:
    pattern = "|".join(map(_whole, sorted(words, key=len, reverse=True)))
    return re.sub(pattern, lambda found: words[found[0]], text)


def _whole(word: str) -> str:
    """A pattern for a word that is no part of a longer one."""
    before, after = (r"\b" if character.isascii() and character.isalnum() else "" for character in (word[0], word[-1]))
    return before + re.escape(word) + after
