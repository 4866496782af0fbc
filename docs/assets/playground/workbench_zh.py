"""The playground in Chinese: what `workbench` shows, its own words translated and those of the data kept.

What the package says of a table is turned by its pattern (`SENTENCES`); the derivation keeps its formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from typing import Any, Final

from docs.assets.playground import workbench, workbench_page
from docs.assets.playground.chinese import TITLES, by_pattern, in_chinese, translated, turned
from docs.assets.playground.six_trees_zh import WORDS as PARTED
from docs.assets.playground.workbench import State, take
from reference_tree.data.errors import InputError

__all__ = ["State", "decoded", "page", "take", "view"]

WORDS: Final[Mapping[str, str]] = {
    # of the form
    "Table ": "数据 ",
    "Predict ": "目标列 ",
    "Learner and dialect ": "算法与版本 ",
    "Maximum depth ": "最大深度 ",
    "Rows in a branch, at least ": "分支的最少样本数 ",
    "Leave out ": "不用的列 ",
    "day, id": "编号",
    "Hold out a share of the rows ": "留出样本的比例 ",
    "Other options ": "其他选项 ",
    "Prune it, set another tree beside it, grow an ensemble": "剪枝、对照、集成",
    "Prune ": "剪枝 ",
    "α, the price of a leaf ": "α，每个叶结点的代价 ",
    "Beside it ": "对照 ",
    "An ensemble ": "集成 ",
    "Trees ": "树的棵数 ",
    "Size of the tree ": "树的大小 ",
    "as drawn": "原大",
    "fits": "适合宽度",
    "not at all": "不剪枝",
    "nothing": "无",
    "none": "无",
    "your own": "自己的数据",
    "reduced error, on the rows held out": "降低错误剪枝（用留出的样本）",
    "cost-complexity, at the price α of a leaf": "代价复杂度剪枝（叶结点的代价 α）",
    "error-based, by upper limits": "基于错误率上限的剪枝（C4.5）",
    "bagging": "装袋",
    "random forest": "随机森林",
    "boosting tree, of numbers": "提升树（回归）",
    "The optimal tree": "最优树",
    "Optimal tree": "最优树",
    "A table of your own: paste it here, choose a file, or drop one anywhere": (
        "自己的数据：粘贴在这里，选择文件，或把文件拖到页面任意处"
    ),
    "Use it": "使用",
    "a file": "文件",
    "Try: ": "试一试：",
    "three attributes tie": "三个属性并列",
    "a tie that floats break": "浮点数破坏的并列",
    "ask for humidity first": "先按湿度划分",
    "golf as J48 has it": "J48 的树",
    "a tree of numbers": "回归树",
    "pruned against rows held out": "用留出的样本剪枝",
    "C4.5 beside CART": "C4.5 与 CART 对照",
    "Stop": "停止",
    "Undo": "撤销",
    "Redo": "重做",
    "Copy the link": "复制链接",
    "This table is too long for an address.": "这张表太长，地址里放不下。",
    "This tab keeps it; a link to this page will not hold it.": "它保存在本标签页中，链接不含它。",
    "This table is too long for an address,": "这张表太长，地址里放不下，",
    "and this browser has no room to keep it: save it before you leave the page.": (
        "浏览器也存不下：离开之前请先保存。"
    ),
    "Without JavaScript this page shows how ID3 grows the tree of play tennis, and stays so.": (
        "没有 JavaScript 时，本页只显示 ID3 为打网球数据生成的树。"
    ),
    "The table": "数据",
    "The tree": "树",
    "Worksheet (HTML)": "推导（HTML）",
    "Drawing (SVG)": "图（SVG）",
    "Golden (JSON)": "标准结果（JSON）",
    "Table (CSV)": "数据（CSV）",
    "Start over": "重新开始",
    # of the script
    "Python is starting: about 8 MB, once …": "正在启动 Python：约 8 MB，只下载一次……",
    "Working …": "计算中……",
    "Python could not be loaded.": "无法加载 Python。",
    "What you see is as it was before.": "下面仍是之前的结果。",
    "The link is copied.": "链接已复制。",
    "The link cannot hold the table: it is too long. Send the file.": "表太长，链接放不下它。请把文件一并发送。",
    "Stopped. Change something, and Python starts anew.": "已停止。改动任何一处，Python 会重新启动。",
    "Writing …": "正在写出……",
    workbench_page.MODULES: f"{workbench_page.MODULES},chinese,six_trees_zh,workbench_page,workbench_zh",
    # of the table and the tree
    "copy row": "复制样本",
    "delete row": "删除样本",
    "numbers; read it as categories": "连续值；改作离散值",
    "categories; read it as numbers": "离散值；改作连续值",
    " is ": " 是",
    " more rows are used and not shown.": " 个样本参与计算，没有显示。",
    "A row to be predicted: ": "要预测的样本：",
    "training rows: ": "训练样本：",
    "rows held out: ": "留出的样本：",
    "mean squared error ": "均方误差 ",
    " right": " 个判对",
    " of ": " / ",
    "; ": "；",
    # of a node
    "At ": "结点 ",
    ": ": "：",
    " rows": " 个样本",
    " row": " 个样本",
    "A leaf: ": "叶结点：",
    "The derivation below says why.": "理由见下面的推导。",
    "Questions about ": "划分属性：",
    "an exact tie": "并列",
    "taken": "采用",
    "its gain is below the average": "信息增益低于平均",
    "no gain is left": "没有增益",
    "too few rows in a branch": "分支的样本太少",
    "gain": "信息增益",
    "gain ratio": "增益率",
    "ratio": "增益率",
    "gini decrease": "基尼值的减少",
    "variance reduction": "方差的减少",
    "Your choice.": "你的选择。",
    "Take it back": "取消",
    "Your choice：no worse, by an exact tie.": "你的选择：完全并列，并不差。",
    # of pruning, of two learners, of ensembles
    "Pruned: ": "剪枝：",
    " leaves before, ": " 个叶结点，剪后 ",
    " after.": " 个。",
    "The pruned tree": "剪枝后的树",
    "Beside it: ": "对照：",
    "They part at ": "两棵树在以下结点分开：",
    **dict(
        zip(
            workbench.JUDGED.values(),
            (
                "ID3 比较信息增益，每个取值一个分支。",
                "C4.5 在信息增益不低于平均的属性中比较增益率，每个取值一个分支。",
                "CART 比较不纯度的减少，每次分成两支。",
            ),
            strict=True,
        )
    ),
    "An ensemble: ": "集成：",
    "its weight": "权重",
    "together, training rows": "合起来，训练样本",
    "together, rows held out": "合起来，留出的样本",
    " (a tie)": "（并列）",
    # of the derivation
    "chosen": "采用",
    "behind by": "落后",
    "ahead by": "领先",
    "exact tie": "并列",
    "excluded": "不参加比较",
    "the best by gain": "信息增益最大",
    "the best": "最优",
    "the rows at a node": "结点的样本",
    "the information gain of": "信息增益，属性",
    "the gain ratio": "增益率",
    " bits": " 比特",
}
"""What the page says in English, in Chinese."""

SENTENCES: Final[Mapping[str, str]] = {
    # of a node
    r"(.+) is best, by ([\d.]+) in ([\w ]+)\.": r"\1 最优，\3领先 \2。",
    r"(.+) tie exactly in ([\w ]+)\. So they do in floats: (.+)\.": r"\1 的\2完全相等；用浮点数也相等：\3。",
    r"(.+) tie exactly in ([\w ]+)\. Floats would have taken (.+): (.+)\.": r"\1 的\2完全相等。浮点数会选 \3：\4。",
    r"(.+) tie exactly in ([\w ]+)\. ?": r"\1 的\2完全相等。",
    r"(.+) has ([\d.]+) (less|more) ([\w ]+) than (.+)\. ": r"\1 的\4比 \5 \3 \2。",
    r"(.+) has ([\d.]+) (less|more) ([\w ]+) than (.+), and may not compete: .+": (
        r"\1 的\4比 \5 \3 \2，而且不能参加比较。"
    ),
    r"The tree asks (.+) here\. What follows is how the learner compares the questions; it would ask (.+)\.": (
        r"这里的划分是 \1。下面是算法对各个划分的比较；它会选 \2。"
    ),
    r"Split on (.+), with a margin of ([\d.]+) bits over the next best, (.+)\.": (
        r"按 \1 划分，比第二名 \3 多 \2 比特。"
    ),
    r"Split on (.+), with a margin of ([\d./]+) over the next best, (.+)\.": r"按 \1 划分，比第二名 \3 多 \2。",
    r"Split on (.+), tied exactly with (\d+) others; the next best, (.+), is behind by ([\d.]+) bits\.": (
        r"按 \1 划分，另有 \2 个与它完全并列；其后的 \3 落后 \4 比特。"
    ),
    r"Split on (.+), tied exactly with (.+)\.": r"按 \1 划分，与它完全并列的有 \2。",
    # of the table
    r"column (.+): its two values, (.+), are read as classes \(.*\)": (
        r"列 \1：两个取值 \2 作为类别（点 \1 上方的 abc 可改作连续值）"
    ),
    r"column (.+): its cells number the rows; .*": r"列 \1：各行的编号，对学习没有用处（可写入“不用的列”）",
    r"column (.+): some numbers begin with 0, .*": (
        r"列 \1：有以 0 开头的数，像是编码（点 \1 上方的 123 可改作离散值）"
    ),
    r"column (.+): '(.+)' among numbers, (.+), is read as a missing value .*": (
        r"列 \1：数值中的 \2 作为缺失值（点 \1 上方的 123 可改作离散值）"
    ),
    r"column (.+): (.+), (?:once|\d+ times), stands apart from the other numbers .*": (
        r"列 \1：\2 与其他数相差很大；若表示缺失，请清空该格"
    ),
    r"column (.+): (\d+) dates are read as categories .*": (
        r"列 \1：\2 个日期作为离散值（点 \1 上方的 abc 可改作连续值）"
    ),
    r"column (.+): its cells look like numbers with a unit, .*": r"列 \1：像是带单位的数，作为离散值",
    r"column (.+): .* look like names of the rows; .*": (
        r"列 \1：几乎每行取值都不同，像是名称，对学习没有用处（可写入“不用的列”）"
    ),
    r"most names of the columns are numbers: .*": r"列名大多是数：如果第一行就是样本，请在上面加一行列名",
    r"(.+) is no node of this tree that asks anything": r"树中没有可以改变划分的结点 \1",
    # of what cannot be done
    r"reduced-error pruning asks rows that are held out: .*": r"降低错误剪枝需要留出的样本：请填写留出的比例，如 0.3",
    r"α is a number such as 0.01 or 1/50, not (.+)": r"α 应是数，如 0.01 或 1/50，而不是 \1",
    r"an ensemble here has 1 to (\d+) trees, not (.+)": r"树的棵数应在 1 到 \1 之间，而不是 \2",
    r"(.+) is a class, and a boosting tree is for numbers; .*": r"\1 是类别，提升树用于回归；分类请用 AdaBoost",
    r"the target (.+) is continuous, and this learner predicts classes; .*": (
        r"目标列 \1 是连续值，而这个算法用于分类；可点 \1 上方的 123"
    ),
    r".*the row has (\d+) values? for (\d+) columns.*": r"有一行是 \1 个值，而列有 \2 个",
    r"rows held out: (.+)": r"留出的样本：\1",
}
"""Sentences of the package as patterns, in Chinese."""

DERIVED: Final[Mapping[str, str]] = {
    # of the symbols
    "the rows at a node; those with outcome i of a test A; their number or weight": (
        "结点的样本；其中测试 A 取第 i 个结果的样本；样本数或权重"
    ),
    "the rows of class k, and their share; a class without a row adds 0 to a sum": (
        "第 k 类的样本，及其所占的比例；没有样本的类在和中为 0"
    ),
    "the share of the i-th outcome": "第 i 个分支的样本所占的比例",
    "the entropy of their classes, in bits": "类别的信息熵，单位为比特",
    "the conditional entropy: the mean entropy of the outcomes of A": "条件熵：A 的各分支信息熵的加权平均",
    "the information gain of A: the reduction of the entropy": "A 的信息增益：信息熵减少多少",
    "the split information: the entropy of the outcomes themselves": "固有值：分支本身的熵",
    "the average gain of the m attributes that can be tested; an attribute whose gain is below it may not win": (
        "m 个可用属性的平均信息增益；低于它的属性不参加比较"
    ),
    r"the average gain of the m .* whose gain is more than ([\d.]+) below it may not win": (
        r"m 个可用属性的平均信息增益；比它低 \1 以上的属性不参加比较"
    ),
    "the penalty for the choice of the cut among N": "从 N 个划分点中选择一个的惩罚",
    "the gain less the penalty, in place of the gain": "信息增益减去惩罚，代替信息增益",
    "how often two of them, drawn at random with replacement, have different classes": (
        "有放回地随机取两个样本，类别不同的概率"
    ),
    "the Gini decrease: the reduction of the Gini value by the test": "基尼值的减少：测试使基尼值减少多少",
    "the mean of the numbers y of n rows": "n 个样本的目标值 y 的均值",
    "the sum of their squared distances from it": "它们与均值之差的平方和",
    "the same per row: their variance": "平均到每个样本，即方差",
    "the sum that is left when each part has its own mean": "各部分取自己的均值时剩下的平方和",
    "the variance reduction: the decrease of the variance by the test": "方差的减少：测试使方差减少多少",
    "the rows of D with a known value; those with the i-th outcome": "D 中取值已知的样本；其中取第 i 个结果的样本",
    "the share of the rows with a known value, by weight": "取值已知的样本所占的比例（按权重）",
    "the shares of class k and of the i-th outcome among D̃; .*": (
        "D̃ 中第 k 类、第 i 个分支所占的比例；D̃ 的各个量由这些比例计算"
    ),
    "where values are missing: times the share of the rows with a known value": (
        "有缺失值时，乘以取值已知的样本所占的比例"
    ),
    r"takes the place of H_A\(D\) in the ratio where values are missing": "有缺失值时，在增益率中代替 H_A(D)",
    "has one more part where values are missing: the rows without a known value": ("有缺失值时多一项：取值未知的样本"),
    r"rounded to (\d+) decimals, or more where a result needs them; what decides is exact": (
        r"舍入到 \1 位小数，必要时更多；作决定的是精确值"
    ),
    # of the choice
    r"Of the (\d+) cuts of (.+), (\d+) are no candidates: a branch is too small \(min-samples-leaf\)\.": (
        r"\2 的 \1 个划分点中，有 \3 个不参加比较：分支的样本太少（min-samples-leaf）。"
    ),
    r"Of the (\d+) cuts of (.+), (\d+) are no candidates: [\w ]+gain \(zero-gain\)\.": (
        r"\2 的 \1 个划分点中，有 \3 个不参加比较：没有增益（zero-gain）。"
    ),
    r"Rows without an outcome of (.+) \((\S+) rows?\) go down every branch, by the shares r̃_i: (.+)\.": (
        r"\1 缺失的样本（\2 个）按比例 r̃_i 进入每个分支：\3。"
    ),
    r"Split on (.+): nothing else competes\.": r"按 \1 划分：没有其他划分参加比较。",
    r"Split on (.+), with a margin of ([\d./]+)(?: bits)? over the next best, (.+), which are exactly equal\.": (
        r"按 \1 划分，比并列第二的 \3 多 \2。"
    ),
    r"The gains of (.+) and (.+) are below (ḡ.*): they may not win\.": (r"\1 与 \2 的信息增益低于 \3，不参加比较。"),
    r"The gain of (.+) is below (ḡ.*): it may not win\.": r"\1 的信息增益低于 \2，不参加比较。",
    r"(.+): the (\d+) ways to part the values": r"\1：把取值分成两部分的 \2 种方式",
    r"Leaf: (.+), because it has (\S+) rows, and a split needs (\S+) \(min-samples-split\)\.": (
        r"叶结点：\1，因为有 \2 个样本，而划分至少要 \3 个（min-samples-split）。"
    ),
    r"Leaf: (.+), because all rows have one class \(pure\)\.": r"叶结点：\1，因为样本全部属于同一类（pure）。",
    r"Leaf: (.+), because no row arrives, and the majority of the node above stands \(empty\)\.": (
        r"叶结点：\1，因为没有样本，取父结点的多数类（empty）。"
    ),
    r"Leaf: (.+), because every attribute has been used on the way \(no-attributes\)\.": (
        r"叶结点：\1，因为属性已全部用完（no-attributes）。"
    ),
    r"Leaf: (.+), because no attribute separates its rows \(no-candidates\)\.": (
        r"叶结点：\1，因为没有属性能把样本分开（no-candidates）。"
    ),
    r"Leaf: (.+), because its children would lie at depth (\d+), and (\d+) is the deepest allowed \(max-depth\)\.": (
        r"叶结点：\1，因为子结点的深度将是 \2，而最大深度是 \3（max-depth）。"
    ),
    r"Leaf: (.+), because every split leaves a branch of less than (\S+) \(min-samples-leaf\)\.": (
        r"叶结点：\1，因为每个划分都有分支少于 \2（min-samples-leaf）。"
    ),
    r"Leaf: (.+), because the best ([\w ]+) falls short: (.+) \(epsilon\)\.": (
        r"叶结点：\1，因为最大的\2小于阈值：\3（epsilon）。"
    ),
    r"Leaf: (.+), because the best .+, weighed by .+, falls short: (.+) \(min-impurity-decrease\)\.": (
        r"叶结点：\1，因为最优的划分按样本比例加权后小于阈值：\2（min-impurity-decrease）。"
    ),
    r"(.+) and (.+) are equally common, and (.+) is the first in class order\.": r"\1 与 \2 一样多，取排在前面的 \3。",
}
"""Sentences of a derivation as patterns, in Chinese."""

_SAID: Final = {**DERIVED, **{re.escape(title): words for title, words in TITLES.items()}, **SENTENCES}

_MEASURES: Final = {"less": "少", "more": "多", **{name: WORDS[name] for name in ("gain", "ratio", "gini decrease")}}
_MEASURES["variance reduction"] = WORDS["variance reduction"]

_DATA: Final = re.compile(
    r'(<script.*?</script>|<textarea.*?</textarea>|<svg.*?</svg>|<math.*?</math>|<span class="name">.*?</span>'
    r'|<select (?:data-ask-one|name="target").*?</select>|<option value="[^"/]*/[^"]*">.*?</option>'
    r"|<strong>(?!Your choice).*?</strong>|(?<=<th scope=col>)[^<]*(?= ?<button)|<code>.*?</code>)",
    re.DOTALL,
)
"""What holds the words of the data, and stays."""

_PIECE: Final = re.compile(r"(?<=>)[^<>\x00]+(?=<)")


def page(wheel: str) -> str:
    """What stands on the page in Chinese."""
    return chinese(workbench_page.page(wheel))


def view(state: State) -> dict[str, Any]:
    """What `workbench.view` shows.

    Raises:
        InputError: as there.
    """
    try:
        found = workbench.view(state)
    except InputError as error:
        raise InputError(sentence(str(error))) from None
    return {**found, "html": {name: chinese(piece) for name, piece in found["html"].items()}}


def decoded(state: State, content: Any) -> dict[str, str]:
    """The text of a reader's file, as `playground.decoded` has it."""
    found = workbench.decoded(state, content)
    said = re.sub(r"^.* is not in UTF-8, and read as ([\w-]+).*$", r"文件不是 UTF-8 编码，按 \1 读取", found["said"])
    return {**found, "said": said}


def sentence(english: str) -> str:
    """A sentence of the package in Chinese; as it is, if it has no pattern.

    Example:
        >>> sentence("outlook is best, by 0.094914 in gain.")
        'outlook 最优，信息增益领先 0.094914。'
    """
    leaf, tied, classes = english.partition("); ") if english.startswith("Leaf: ") else (english, "", "")
    if tied:
        return sentence(f"{leaf}).").removesuffix("。") + f"；{sentence(classes)}"
    return by_pattern(english, _SAID, _MEASURES)


def chinese(html: str) -> str:
    """A piece of the page in Chinese, which lies one folder deeper."""

    def turn(part: str, keep: Callable[[str], str]) -> str:
        def said(found: re.Match[str]) -> str:
            english = unescape(found[0])
            words = sentence(english)
            return found[0] if words == english else keep(escape(words))

        return translated(_PIECE.sub(said, part), {**PARTED, **WORDS})

    return turned(html, _DATA, turn, lambda part: in_chinese(part) if part.startswith("<svg") else part)
