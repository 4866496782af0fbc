"""Check my tree, in Chinese: what `check` shows, its own words translated and those of the data kept.

A sentence that the package writes of a fault, or of a text that it cannot read, is turned by its pattern (`SENTENCES`);
one that has none stays in English, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from typing import Any, Final

from docs.assets.playground import check
from docs.assets.playground.check import State, decoded
from docs.assets.playground.check_audit import TABLE, TREE
from docs.assets.playground.chinese import TITLES, by_pattern, translated, turned
from reference_tree.data.errors import InputError

__all__ = ["State", "decoded", "edit", "page", "view"]

WORDS: Final[Mapping[str, str]] = {
    # of the form
    "Try: ": "试一试：",
    "a wrong tree": "一棵错误的树",
    "a right tree": "一棵正确的树",
    "a tied tree": "一棵有并列的树",
    "a tree that rpart printed": "rpart 输出的树",
    "a tree drawn by hand": "手画的树",
    "1. The table that the tree was grown from": "1. 生成这棵树的数据",
    "2. The tree, as a program printed it or as you write it": "2. 树：程序的输出，或者自己写的",
    "Table ": "数据 ",
    "a table of your own": "自己的数据",
    "Paste it with its line of names ": "粘贴数据，第一行是列名 ",
    "or choose a file ": "或选择文件 ",
    "Column that is predicted ": "要预测的列 ",
    "The text ": "文本 ",
    "Judged by the rules of ": "检验所依据的算法 ",
    "as the program has it": "按该程序的规则",
    "The optimal tree": "最优树",
    " it was pruned, or stopped early": " 这棵树经过剪枝，或提前停止",
    "Options ": "选项 ",
    "Check it": "检验",
    "Build one by hand": "自己建一棵",
    "Copy the link": "复制链接",
    "Tree ": "第几棵树 ",
    "The tree": "树",
    "Every node": "全部结点",
    "Python is starting: about 8 MB, once …": "正在启动 Python：约 8 MB，只下载一次……",
    "Working …": "计算中……",
    "The link is copied.": "链接已复制。",
    "The link cannot hold the table: it is too long, or not checked yet. Send the file, too.": (
        "链接放不下这张表：它太长，或还没有检查。请把文件一并发送。"
    ),
    "Python could not be loaded.": "无法加载 Python。",
    "What you see is as it was before.": "下面仍是之前的结果。",
    "rows,playground,check_audit,check_edit,check": "rows,playground,check_audit,check_edit,check,chinese,check_zh",
    # of the findings
    "This tree is right.": "这棵树正确。",
    "This tree is wrong.": "这棵树有错误。",
    "right": "正确",
    "tied": "并列",
    "wrong": "错误",
    "follows": "后果",
    "excused": "不计",
    "At ": "结点 ",
    ": ": "：",
    "It asks ": "它的划分是 ",
    "It answers ": "它的回答是 ",
    "; rows that arrive: ": "；到达的样本数：",
    "The rule: ": "规则：",
    "Better: ": "更好的划分：",
    ", in place of ": "，而不是 ",
    ". This loses ": "。每个样本损失 ",
    " for each row, ": "，共损失 ",
    " in all": "",
    "; among ": "；在 ",
    " questions it has rank ": " 个划分中它名列第 ",
    "It follows from the fault at ": "这是以下结点错误的后果：",
    "Exactly as good: ": "完全一样好的划分：",
    "What each question would be worth here (": "各个划分在这里的值（",
    "):": "）：",
    "Ask here ": "改为划分 ",
    "Answer here ": "改为回答 ",
    "taken": "采用",
    "an exact tie": "并列",
    "its gain is below the average": "信息增益低于平均",
    "no gain is left": "没有增益",
    "too few rows in a branch": "分支的样本太少",
    "gain": "信息增益",
    "ratio": "增益率",
    "gini decrease": "基尼值的减少",
    "variance reduction": "方差的减少",
    # of the verdicts
    "divides its rows otherwise than the counts of its branches state": "分出的样本与各分支的计数不符",
    "has other counts than the rows that arrive": "计数与到达的样本不符",
    "has a test that the learner may not use there": "采用了算法在这里不允许的划分",
    "has a test with a lower score than the best one": "采用的划分不如最优的划分",
    "has a test, where a rule makes it a leaf": "按规则这里应是叶结点，它却继续划分",
    "is a leaf, where no rule makes it one": "没有停止的理由，它却是叶结点",
    "has another prediction than that of its rows": "回答与其样本的多数类不符",
    "sends rows with a missing value elsewhere than its learner would": "缺失值样本的去向与算法不符",
    "is a leaf, but not for the reason that it says": "是叶结点，但理由与所写的不符",
    "This node ": "该结点",
}
"""What the page says in English, in Chinese."""

MEASURES: Final = {
    "gain": "信息增益",
    "ratio": "增益率",
    "gini_decrease": "基尼值的减少",
    "variance_reduction": "方差的减少",
}
SENTENCES: Final[Mapping[str, str]] = {
    # of faults
    r"(.+) has (\w+) ([\d.-]+), and (.+) has ([\d.-]+)": r"\1 的\2是 \3，而 \4 的是 \5",
    r"no rule stops here, and (.+) has (\w+) ([\d.-]+)": r"没有停止的理由：\1 的\2是 \3",
    r"(.+) may not compete \(average\); (.+) has (\w+) ([\d.-]+)": r"\1 的信息增益低于平均；\2 的\3是 \4",
    r"(.+) may not compete \([^)]*\); (.+) has (\w+) ([\d.-]+)": r"\1 不能参加比较；\2 的\3是 \4",
    r"(.+): [^;]*; (.+) has (\w+) ([\d.-]+)": r"\1 在这里不允许；\2 的\3是 \4",
    r"it predicts (.+); of (.+) the prediction is (.+)": r"它回答 \1；样本是 \2，应回答 \3",
    r"it predicts (.+); no row arrives, and the node above has (.+)": r"它回答 \1；没有样本到达，应随父结点：\2",
    r"it predicts (.+); its rows give (.+)": r"它回答 \1；样本的值是 \2",
    r"it says that (.+) arrive, and (.+) do": r"它写的是 \1，而到达的是 \2",
    r"it is a leaf by the rule .*": r"按停止的规则，这里应是叶结点",
    # of what is assumed
    r"the tree does not say which learner .* one of (\w+)": r"这棵树没有写明算法，按 \1 检验",
    r"the tree does not name (.+), which the learner may ask .*": r"树中没有 \1，但算法也可以用它划分",
    # of texts that cannot be read
    r"there is no tree yet: paste one": r"还没有树：请粘贴一棵",
    r"this is a tree; it belongs into the other field": r"这是一棵树，请放到另一栏",
    r"(.+) is no branch of a tree": r"\1 不是树的分支",
    r"the branches beside it are about another attribute": r"并列的分支用的是另一个属性",
    r"the text ends before it says what lies below this branch": r"文本不完整：这个分支下面没有内容",
    r"the line stands below a leaf, or a level is passed over": r"这一行在叶结点之下，或者跳过了一层",
    r"a test of a number has two branches, .*": r"连续属性的划分应有小于与大于两个分支",
    r"the branches are not those of one test": r"这些分支不属于同一个划分",
    r"a leaf predicts (.+), and there are (.+)": r"叶结点回答 \1，而类别只有 \2",
    r"(.+) is tested, and is not among the attributes that are given": r"\1 不是数据的属性",
    r"the tree goes on below; print it with a larger max_depth": r"树没有输出完整：请增大 max_depth",
    r"(.+) is no prediction of .+": r"\1 不是叶结点的回答",
    r".*the text is not whole": r"文本不完整",
    r"is no tree of a program that is read here, .*": r"不是可以读取的程序输出，第一行也不是划分",
    r"the tree asks for (.+), and has no branch for (.+)": r"\1 的划分没有 \2 这个分支",
    r"there is no (?:column|attribute) (.+?); there are (.+)": r"没有 \1 这一列；有 \2",
    r"the row has (\d+) values? for (\d+) columns; .*": r"这一行有 \1 个值，而列有 \2 个",
    r"(.+) is no option of .*": r"没有 \1 这个选项",
    r"is not JSON: .*": r"不是合法的 JSON",
    r"there is no question (.+) at this node": r"这个结点没有 \1 这个划分",
}
"""Sentences of the package as patterns, in Chinese."""

RULES: Final[Mapping[str, str]] = {
    "measure.information-gain": "按信息增益选择划分，取最大者。",
    "measure.gain-ratio": "在信息增益不低于平均的属性中，取增益率最大者。",
    "measure.gini": "取基尼值减少最多的划分。",
    "measure.variance": "取方差减少最多的划分。",
    "c45.average": "只有信息增益不低于平均的属性才参加增益率的比较。",
    "c45.threshold": "连续属性取信息增益最大的划分点；增益率只用于属性之间的比较。",
    "ties.split": "几个划分完全相等时，哪一个都正确；本程序取表中的第一个属性。",
    "ties.class": "几类一样多时，取次序在前的一类。",
    "candidate": "划分至少要分出两个非空的分支。",
    "zero-gain": "信息增益为零的划分，默认仍可采用。",
    "stop.pure": "样本同属一类时停止。",
    "stop.max-depth": "达到最大深度时停止。",
    "stop.min-samples-split": "样本数少于可划分的最少样本数时停止。",
    "bound.min-samples-leaf": "分支的样本数不得少于规定的最少样本数。",
    "empty-branch": "空的分支回答其父结点的多数类。",
}
"""The sentence of a rule."""

_SAID: Final = re.compile(r"<p class=said>(.*?)</p>", re.DOTALL)
_RULE: Final = re.compile(r"(<code>([\w.-]+)</code></a>)\. <span class=sentence>(.*?)</span>", re.DOTALL)
_DATA: Final = re.compile(
    r"(<script.*?</script>|<textarea.*?</textarea>"
    r'|<span class="name">.*?</span>|<select (?:data-edit|name="target").*?</select>)',
    re.DOTALL,
)
"""What holds the words of the data, and stays."""
_STOP: Final = re.compile(r"(?<=>)\.(?=\s*<)|(?<=[\d\u4e00-\u9fff])\.(?=</)")


_WORDS: Final = {**{escape(title): words for title, words in TITLES.items()}, **WORDS}


def page(wheel: str, rules: Mapping[str, str]) -> str:
    """What stands on the page in Chinese."""
    return chinese(check.page(wheel, rules))


def view(state: State, rules: str = "{}") -> dict[str, Any]:
    """What `check.view` shows.

    Raises:
        InputError: the table or the tree cannot be read.
    """
    try:
        found = check.view(state, rules)
    except InputError as error:
        raise InputError(told(error)) from None
    return {**found, "html": {name: chinese(piece) for name, piece in found["html"].items()}}


def edit(state: State, what: str) -> str:
    """The text of a tree in which one node is changed, as `check.edit` has it.

    Raises:
        InputError: there is no such question.
    """
    try:
        return check.edit(state, what)
    except InputError as error:
        raise InputError(told(error)) from None


def told(error: InputError) -> str:
    """An error in one line in Chinese: where it is, and what it is."""
    named = {TREE: "树", TABLE: "数据"}.get(str(error.path), str(error.path or ""))
    line = "" if error.line is None else f"第 {error.line} 行"
    place = "，".join(part for part in (named, line) if part)
    return f"{place}{'：' if place else ''}{sentence(error.message)}"


def sentence(english: str) -> str:
    """A sentence of the package in Chinese; as it is, if it has no pattern.

    Example:
        >>> sentence("wind has gain 0.1, and outlook has 0.2")
        'wind 的信息增益是 0.1，而 outlook 的是 0.2'
    """
    plain = re.sub(r"^is not a [^:]*: ", "", english)
    found = by_pattern(plain, SENTENCES, MEASURES)
    return english if found == plain else found


def chinese(html: str) -> str:
    """A piece of the page in Chinese, which lies one folder deeper."""

    def turn(part: str, keep: Callable[[str], str]) -> str:
        def rule(found: re.Match[str]) -> str:
            words = RULES.get(found[2])
            said = escape(words) if words else f'<span lang="en">{found[3]}</span>'
            return f"{found[1]}。{keep(f'<span class=sentence>{said}</span>')}"

        def said(found: re.Match[str]) -> str:
            english = unescape(found[1])
            words = sentence(english)
            return keep(f"<p class=said{' lang=en' * (words == english)}>{escape(words)}</p>")

        return translated(_SAID.sub(said, _RULE.sub(rule, part)), _WORDS)

    return _STOP.sub("。", turned(html, _DATA, turn))
