"""One table, six trees, in Chinese: what `six_trees` shows, its own words translated and those of the data kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from docs.assets.playground import six_trees
from docs.assets.playground.chinese import translated
from docs.assets.playground.playground import State

RULES: Final[Mapping[str, str]] = {
    "contenders": "周志华与 Quinlan 只让信息增益不低于平均的属性比较增益率（Quinlan 的程序允许少 0.001），"
    "李航让所有属性都参加比较。",
    "penalty": "Quinlan 的程序从连续属性的信息增益中减去一个罚项，划分点越多罚得越重；书上没有。",
    "threshold": "书上的划分点取两个值的中点，Quinlan 与 Weka 的程序取数据中不大于中点的最大值。"
    "这些样本的去向相同，落在两者之间的新样本可能不同。",
    "split_information": "有缺失值时，Quinlan 的程序把缺失算作划分的又一个分支。",
    "min_samples_split": "可以划分的最少样本数各不相同：1984 年的 CART 不划分五个样本的结点，"
    "rpart 不划分十九个样本的结点，scikit-learn 两个样本也划分。",
    "min_samples_leaf": "若有一边少于七个样本，rpart 不考虑这个划分；"
    "若不足两个分支各有两个样本，Quinlan 的程序不考虑这个划分。",
    "branching": "CART 问取值是否属于任意一个子集，scikit-learn 只问是否某一个值。",
    "missing": "有缺失值时，1984 年的 CART 改用替代划分，scikit-learn 把两边都试一遍。",
}
"""Option → what the dialects do."""

WORDS: Final[Mapping[str, str]] = {
    # of the table
    "Change a cell, and all that follows changes with it. The address "
    "holds what you changed.": "改动任何一个数据，下面的一切随之改变。改动保存在地址中。",
    "The table": "数据",
    "Take the changes back": "撤销改动",
    "row": "样本",
    "Python is starting: about 8 MB, once …": "正在启动 Python：约 8 MB，只下载一次……",
    "Python could not be loaded.": "无法加载 Python。",
    "The trees are as they were before.": "六棵树保持原样。",
    "rows,playground,six_trees": "rows,playground,six_trees,chinese,six_trees_zh",
    # of the trees
    "The six trees": "六棵树",
    **{
        f"The eight dialects grow {english} from these rows.": f"八种方法从这些样本生成{chinese}。"
        for english, chinese in zip(
            six_trees.NUMBERS[1:], ("同一棵树", *(f"{number}棵不同的树" for number in "两三四五六七八")), strict=True
        )
    },
    "The dialects": "八种方法",
    "tree": "树",
    "Tree": "树",
    "dialect": "方法",
    "first question": "根结点的划分",
    "leaves": "叶结点数",
    "depth": "深度",
    "wrong on these rows": "训练样本判错",
    "none": "无",
    "ID3 with cuts, Zhou 2016": "ID3（连续值二分），周志华 2016",
    "C4.5 by Zhou 2016": "C4.5，周志华 2016",
    "C4.5 by Li Hang 2019": "C4.5，李航 2019",
    "C4.5, release 8": "C4.5 程序第 8 版",
    "J48 of Weka": "Weka 的 J48",
    "CART, Breiman et al. 1984": "CART，Breiman 等 1984",
    "rpart of R": "R 的 rpart",
    # of where they part
    "Where they part": "在哪里分开",
    " and ": " 与 ",
    ": ": "：",
    "; ": "；",
    "Both ask the same questions of these rows.": "对这些样本，两者的划分完全相同。",
    "At ": "在结点 ",
    " the first asks for ": " 处，前者的划分是 ",
    " the first stops, the second asks for ": " 处，前者停止，后者的划分是 ",
    ", the second asks for ": "，后者的划分是 ",
    ", the second stops. ": "，后者停止。",
    ". The rule: ": "。规则：",
    "The rule: ": "规则：",
    " So would another rule alone: ": "单独由另一条规则也会造成：",
    ". No rule alone": "。没有一条规则",
    "No rule alone": "没有一条规则",
    " parts them here; several do together.": "能单独造成这里的差别，是几条规则合起来造成的。",
    ". The two dialects set it otherwise.": "。两种方法的设定不同。",
    **{f". {six_trees.RULES[option][1]}": f"。{chinese}" for option, chinese in RULES.items()},
    # of the two roots
    "asks": "划分",
    "branches": "分支数",
    "because of": "依据",
    "next best": "第二名",
    "nothing": "不划分",
    "none competes": "没有参加比较的",
    "gain": "信息增益",
    "ratio": "增益率",
    "gini decrease": "基尼值的减少",
}
"""What the page says in English, in Chinese."""


def page(wheel: str) -> str:
    """What stands on the page in Chinese."""
    return chinese(six_trees.page(wheel))


def view(state: State) -> dict[str, Any]:
    """What a changed cell may change, as `six_trees.view` has it.

    Raises:
        InputError: a cell cannot be read, or a dialect has no rule for the table.
    """
    pieces = six_trees.view(state)["html"]
    return {"html": {name: chinese(piece) for name, piece in pieces.items()}}


def chinese(html: str) -> str:
    """A piece of the page in Chinese, which lies one folder deeper; what a reader asks of the data stays as it is."""
    return translated(html, WORDS).replace('="../', '="../../')
