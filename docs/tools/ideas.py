"""What a page of Learn shows before its formula, where there is no figure to play with: a drawing for each idea."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import reference_tree as rt
from docs.assets.playground.chinese import in_chinese
from docs.tools.lesson import beside, figure
from docs.tools.played.figure import LANGUAGES
from reference_tree.data.questions import Multiway
from reference_tree.exact.rounding import decimal
from reference_tree.learners.decision import Learner
from reference_tree.learners.growing import grow
from reference_tree.measures.gini_index import gini
from reference_tree.pruning.error_limits import table as limit
from reference_tree.selection.cross_validation import folds
from reference_tree.views.plots.axes import FAINT, Axis, disc, drawing, element, label, line, near
from reference_tree.views.plots.bars import fold_rows
from reference_tree.views.plots.plane import to_plane


class Idea(NamedTuple):
    """A drawing, or several side by side, with what is said below each in English and in Chinese."""

    draw: Callable[[str], list[str]]
    """The drawings, in a language."""
    said: list[tuple[str, str]]


def idea(name: str, language: str = "en") -> str:
    """The drawing of an idea, by the name of its page."""
    one, place = IDEAS[name], LANGUAGES.index(language)
    drawn = dict(zip((said[place] for said in one.said), one.draw(language), strict=True))
    html = beside(drawn) if len(drawn) > 1 else "".join(figure(drawing, said) for said, drawing in drawn.items())
    return in_chinese(html) if language == "zh" else html


def _tree(learner: Learner, table: rt.Table, bounded: Learner | None = None) -> str:
    return rt.to_svg(grow(learner, table), pruned=grow(bounded, table) if bounded else None)


def _tennis(*depths: int | None) -> list[str]:
    return [_tree(rt.ID3(max_depth=depth), rt.textbook("play-tennis")) for depth in depths]


def _melons(language: str, suffix: str = "") -> rt.Table:
    """Zhou's table in the words of a language."""
    return rt.textbook(f"watermelon-2.0{suffix}" + "-en" * (language == "en"))


def _two_draws(counts: tuple[int, int]) -> str:
    """All pairs of draws as a square; those that differ in class are dark."""
    side, start = 168, 24
    first = Fraction(side * counts[0], sum(counts))
    parts = [element("rect", x=start, y=start, width=side, height=side, fill="none")]
    for x, y, width, height in ((first, 0, side - first, first), (0, first, first, side - first)):
        parts.append(
            element("rect", x=start + x, y=start + y, width=width, height=height, fill_opacity=FAINT, stroke="none")
        )
        parts.append(label(f"{counts[0]} × {counts[1]}", start + x + width / 2, start + y + height / 2 + 4))
    for at, count in ((first / 2, counts[0]), (first + (side - first) / 2, counts[1])):
        parts += [label(str(count), start + at, start - 6), label(str(count), start - 12, start + at + 4)]
    words = f"{2 * counts[0] * counts[1]} of {sum(counts) ** 2} pairs: {gini(counts)}"
    return drawing(start + side + 16, start + side + 10, "two draws", words, parts)


def _numbers(table: rt.Table, name: str) -> str:
    """The targets of the rows on a line, of all and of each answer, with their means as strokes."""
    attribute, target = table.schema.attribute(name), table.schema.target.name
    rows = [(str(row[name]), Fraction(str(row[target]))) for row in table.rows()]
    axis = Axis("", min(y for _, y in rows), max(y for _, y in rows), 90, 300, ())
    parts, values = [], ["", *Multiway.on(attribute).values]
    for place, value in enumerate(values):
        some, height = [y for is_value, y in rows if value in ("", is_value)], 20 + 30 * place
        mean = sum(some) / len(some)
        parts += [line(90, height, 300, height, stroke_opacity=FAINT), label(value or target, 76, height + 4, "end")]
        parts += [disc(axis.at(y), height, 4, fill_opacity=FAINT * 2) for y in some]
        parts += [line(axis.at(mean), height - 11, axis.at(mean), height + 11, stroke_width=3)]
    return drawing(316, 10 + 30 * len(values), "deviations from the mean", f"by {name}", parts)


def _limits() -> str:
    """The error rate to be expected of leaves that made no error, by their rows."""
    return drawing(320, 140, "the limit U", "the fewer rows, the higher", list(_bars()))


def _bars() -> Iterator[str]:
    for place, rows in enumerate((1, 2, 4, 8, 16)):
        rate, y = near(limit(0, rows, Fraction(1, 4))) / rows, 12 + 25 * place
        yield label(f"0/{rows}", 46, y + 9, "end")
        yield element("rect", x=56, y=y, width=rate * 200, height=12, fill_opacity=FAINT * 2, stroke="none")
        yield label(decimal(rate, 3), 62 + rate * 200, y + 10, "start")


def _plane(language: str) -> list[str]:
    table = rt.textbook("watermelon-3.0a" + "-en" * (language == "en"))
    x, y = (attribute.name for attribute in table.schema.attributes)
    return [to_plane({"": rt.CART(max_depth=depth).grow(table)}, table, x, y) for depth in (None, 1)]


def _folded(count: int, shown: int, _: str) -> list[str]:
    cats = rt.textbook("cats")
    return [fold_rows(cats, folds(cats, count, seed=1)[:shown])]


IDEAS: Mapping[str, Idea] = {
    "conditional_entropy": Idea(
        lambda _: _tennis(1),
        [("One question, three branches. Each has an entropy of its own", "一个属性，三个分支，各有自己的信息熵")],
    ),
    "id3": Idea(
        lambda _: _tennis(1, None),
        [("the first question", "第一次划分"), ("then the same in each branch", "在每个分支中重复")],
    ),
    "c45": Idea(
        lambda _: [_tree(rt.C45(), rt.textbook("golf"))],
        [("The outlook has a branch for each value, the humidity is cut in two", "天气按取值分支，湿度一分为二")],
    ),
    "gini_index": Idea(
        lambda _: [_two_draws((9, 5))],
        [
            (
                "Nine days and five: across the first draw, down the second. The dark pairs differ in class",
                "九天与五天：横向是第一次抽取，纵向是第二次；深色的是类别不同的组合",
            )
        ],
    ),
    "variance": Idea(
        lambda _: [_numbers(rt.textbook("cats-regression"), "ear")],
        [
            (
                "Ten weights and their mean; below, those of each kind of ears. The deviations become smaller",
                "十个体重及其均值；下面按耳朵分开：偏离变小了",
            )
        ],
    ),
    "stopping": Idea(
        lambda language: [_tree(rt.ID3(), _melons(language), rt.ID3(min_samples_split=6))],
        [("At least six rows for a split: what is faint is not grown", "划分至少要六个样本：颜色浅的部分不再生长")],
    ),
    "pre_pruning": Idea(
        lambda language: [_tree(rt.ID3(max_depth=1), _melons(language, "-train"), rt.ID3(max_depth=0))],
        [
            (
                "A leaf, or this split? The held-out rows are asked before anything grows below",
                "作为叶结点，还是这样划分？先问验证样本，再继续生长",
            )
        ],
    ),
    "cost_function": Idea(
        lambda _: _tennis(None, 0),
        [
            ("five leaves: nothing is uncertain, the price is 5α", "五个叶结点：没有不确定性，代价 5α"),
            ("one leaf: all fourteen days are uncertain, the price is α", "一个叶结点：十四天都不确定，代价 α"),
        ],
    ),
    "error_based": Idea(
        lambda _: [_limits()],
        [
            (
                "Leaves that made no error on 1 to 16 rows, and the error rate that is expected of them",
                "在 1 至 16 个样本上没有判错的叶结点，以及估计的错误率",
            )
        ],
    ),
    "overfitting": Idea(
        _plane,
        [
            ("grown to the end: no training row is wrong", "完全生长：训练样本全部判对"),
            ("one question: some rows are wrong", "只划分一次：有样本判错"),
        ],
    ),
    "holdout": Idea(
        partial(_folded, 3, 1),
        [
            (
                "Ten animals: full colour is what judges the tree, faint is what it is grown from",
                "十只动物：颜色深的用来评价，颜色浅的用来生成树",
            )
        ],
    ),
    "cross_validation": Idea(
        partial(_folded, 5, 5),
        [("Five folds of ten animals: each animal is held out once", "十只动物分成五份：每只恰好留出一次")],
    ),
}
"""Each drawing by the name of its page."""
