"""Words that the package writes, in Chinese: those of its drawings, and whatever a page adds to them.

The pages in Chinese use it while the site is built, and the worker of a page that comes alive in a reader's browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)
SAID = re.compile(r"(?<=>)[^<>]+(?=<)")
"""What stands between two tags."""

PIECE = re.compile(
    r'<svg.*?</svg>|<code>.*?</code>|(?<=\s)(?:aria-label|placeholder|title|data-(?:modules|starting|working|copied|unheld|failed|kept|stopped|writing))="[^"]*"|(?:\A|(?<=>))[^<>]+',
    re.DOTALL,
)
"""A drawing, a question, and what may hold words: an attribute, or what stands between two tags."""

KEPT = re.compile(r"\x00(\d+)\x00")
"""The number of what is kept."""

DRAWN = {
    "A decision tree for": "决策树，目标为",
    "no row": "无样本",
    "a tie": "并列",
    "The gain of each candidate test": "各个划分的信息增益",
    "The gain ratio of each candidate test": "各个划分的增益率",
    "The gini decrease of each candidate test": "各个划分使基尼值减少多少",
    "The variance reduction of each candidate test": "各个划分使方差减少多少",
    "The gradient gain of each candidate test": "各个划分的梯度增益",
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
    "rounds of boosting": "轮提升",
    "node": "结点",
    "right": "正确",
    "tied": "并列",
    "wrong": "错误",
    "follows": "后果",
    "excused": "不计",
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
    "Cross-validated error of each pruning": "各个剪枝的交叉验证错误率",
    "the sequence of prunings, from the smallest α to the largest": "剪枝序列，α 从小到大",
    "cross-validated error": "交叉验证错误率",
    "The least error is": "最小的错误率是",
    ", of": "，树有",
    "; the band reaches to": "；灰色带上至",
    ", and the smallest tree within it has": "，其中最小的树有",
    "from": "从",
    "the tree of": "起，树有",
}
"""Words that the drawings of the package write, in Chinese."""

TITLES = {
    "Play tennis": "打网球",
    "Play tennis with the days as an attribute": "打网球，日期作为属性",
    "Golf": "高尔夫",
    "Watermelon 2.0 (西瓜数据集 2.0)": "西瓜数据集 2.0",
    "Watermelon 2.0 with the numbers as an attribute": "西瓜数据集 2.0，编号作为属性",
    "Watermelon 2.0, training half": "西瓜数据集 2.0，训练集",
    "Watermelon 2.0, validation half": "西瓜数据集 2.0，验证集",
    "Watermelon 2.0α (西瓜数据集 2.0α)": "西瓜数据集 2.0α",
    "Watermelon 3.0 (西瓜数据集 3.0)": "西瓜数据集 3.0",
    "Watermelon 3.0α (西瓜数据集 3.0α)": "西瓜数据集 3.0α",
    "Loan applications (贷款申请样本)": "贷款申请数据",
    "Loan applications with the numbers as an attribute": "贷款申请数据，编号作为属性",
    "Cats": "猫",
    "Cats without their weight": "猫，不用体重",
    "Cats without their weight, with numbers as an attribute": "猫，不用体重，编号作为属性",
    "Cats: their weight as the target": "猫，体重作为目标",
    "Cats, one of them changed": "猫，其中一只改变",
    "Li Hang's exercise 5.2": "李航，习题 5.2",
    "Li Hang's table 8.1": "李航，例 8.1",
    "Li Hang's table 8.2": "李航，例 8.2",
    "Contact lenses": "隐形眼镜",
    "Iris": "鸢尾花",
    "The visitor and the weather": "访客与天气",
    "A column of item numbers": "编号列",
    "Three cats and three dogs": "三只猫和三只狗",
}
"""Titles of the textbook tables, in Chinese."""

RULES = {"always": "总是", "if": "若", "and": "且", "then": "则", "of": "／", "more rules": "条规则"}
"""Words of the rules that describe a drawn tree."""


def translated(html: str, words: Mapping[str, str]) -> str:
    """A piece of a page in Chinese by its words; what stands in `<code>` is the data's, and stays."""

    def said(piece: re.Match[str]) -> str:
        if piece[0].startswith("<svg"):
            return in_chinese(piece[0])
        return piece[0] if piece[0].startswith("<code") else replaced(piece[0], words)

    return PIECE.sub(said, html)


def by_pattern(english: str, sentences: Mapping[str, str], named: Mapping[str, str]) -> str:
    r"""A sentence of the package in Chinese, by the first pattern that it has; as it is, if it has none.

    Args:
        english: the sentence.
        sentences: the patterns, with their groups in Chinese: `(.+) is best` → `\1 最优`.
        named: what a group says, if it is a word of the package and none of the data.
    """
    for pattern, words in sentences.items():
        if found := re.fullmatch(pattern, english, re.DOTALL):
            return re.sub(r"\\(\d)", lambda place: named.get(found[int(place[1])], found[int(place[1])]), words)
    return english


def turned(
    html: str,
    data: re.Pattern[str],
    turn: Callable[[str, Callable[[str], str]], str],
    of_data: Callable[[str], str] = str,
) -> str:
    """A piece of a page, which lies one folder deeper, in Chinese.

    Args:
        html: the piece.
        data: a group around what holds the words of the data.
        turn: turns a part between these; it is given a function that keeps what shall not be turned again.
        of_data: turns a part with words of the data.
    """
    kept: list[str] = []

    def keep(said: str) -> str:
        kept.append(said)
        return f"\x00{len(kept) - 1}\x00"

    parts = [of_data(part) if place % 2 else turn(part, keep) for place, part in enumerate(data.split(html))]
    return KEPT.sub(lambda number: kept[int(number[1])], "".join(parts)).replace('="../', '="../../')


def in_chinese(text: str) -> str:
    """A text whose drawings say in Chinese what the package writes into them."""
    return DRAWING.sub(lambda drawing: SAID.sub(lambda said: _drawn(said[0]), drawing[0]), text)


def _drawn(said: str) -> str:
    return replaced(said, DRAWN | RULES if said.startswith(("if ", "always ")) else DRAWN)


def replaced(text: str, words: Mapping[str, str]) -> str:
    """A text with its words in another language, the longest first."""
    return any_of(tuple(words)).sub(lambda found: words[found[0]], text)


@cache
def any_of(words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for any of some words, the longest first."""
    return re.compile("|".join(map(whole, sorted(words, key=len, reverse=True))))


def whole(word: str) -> str:
    """A pattern for a word that is no part of a longer one."""
    before, after = (r"\b" if character.isascii() and character.isalnum() else "" for character in (word[0], word[-1]))
    return before + re.escape(word) + after
