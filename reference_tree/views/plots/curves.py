"""Curves: the drawings with which the sources explain entropy, cuts and overfitting.

1. `entropy_curve`: the entropy of a sample of two classes over the proportion of one of them. It is 0 at both ends,
   where the sample is pure, and 1 bit in the middle. A split is drawn below it, with its gain.
2. `gain_curve`: the information gain of a continuous attribute at every place to cut it. It only changes at a value,
   so it is drawn as steps; below it are the values themselves, a row for each class.
3. `validation_curve`: two errors over an option that is varied, on the training rows and on rows held out. On the left
   a tree is too simple for either; on the right it overfits: the error on its own rows still falls, and the other
   rises. This drawing over the number of training rows is a learning curve.
4. `cost_lines`: R_α of each pruning of a sequence over α, the price of a leaf. Each is a line: it begins at its risk,
   and rises with its leaves. The lowest line at each price is the tree to choose; together they are the lower
   envelope, drawn heavy.
5. `choice_curve`: the cross-validated error of each of these trees, with its standard error as a whisker. The band
   reaches from the least error one standard error up; the smallest tree within it is ringed.

All are computed exactly, and rounded when they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TypeAlias

from reference_tree.data.errors import InputError, number_of
from reference_tree.data.sample import Sample
from reference_tree.data.table import Table
from reference_tree.exact.log_sums import Number
from reference_tree.exact.radicals import root
from reference_tree.exact.rationals import Rational, decimal_text
from reference_tree.exact.rounding import decimal
from reference_tree.measures.conditional_entropy import conditional_entropy
from reference_tree.measures.entropy import entropy, entropy_of_proportion
from reference_tree.measures.gini_index import gini
from reference_tree.measures.information_gain import information_gain
from reference_tree.measures.misclassification import misclassification_error
from reference_tree.pruning.choosing_alpha import Choice
from reference_tree.pruning.cost_complexity import Path
from reference_tree.selection.overfitting import Point
from reference_tree.splitting.continuous_bisection import Cut, best_cuts, cuts
from reference_tree.views.plots.axes import (
    FAINT,
    Axis,
    axis_of,
    disc,
    drawing,
    element,
    frame,
    label,
    line,
    near,
    path,
    ticks,
)
from reference_tree.views.wording import one_line, width

Measure: TypeAlias = Callable[[Fraction], Number]

STEPS = 64
"""The number of segments of the entropy curve."""

LANE = 22
"""The height of the row of one class."""

HALF = Fraction(1, 2)
_QUARTERS = (0, HALF / 2, HALF, Fraction(3, 4), 1)

TRAINING, HELD_OUT = "training rows", "rows held out"
"""The names of the two curves of errors."""

_DASHED: Mapping[str, str] = {"stroke_dasharray": "6 4"}
_DOTTED: Mapping[str, str] = {"stroke_dasharray": "1 4", "stroke_linecap": "round"}


def entropy_curve(
    *, with_gini: bool = False, with_error: bool = False, split: Sequence[Sequence[Rational]] | None = None
) -> str:
    """The entropy of a sample of two classes over the proportion p of one of them, as SVG.

    Args:
        with_gini: whether to draw the Gini value as well, for comparison.
        with_error: whether to draw the error rate of the majority class as well.
        split: for each part of a split, the weights of both classes. A part is a point of the curve. The mean entropy
            after the split lies between these points, and the curve above it. The distance is the gain, which is never
            negative, since the curve is concave.

    Raises:
        InputError: a part has no weight, or another number of classes.

    Example:
        >>> entropy_curve().startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        True

    Source:
        [N3 figure: entropy], [N4 figure: entropy]
    """
    others: dict[str, tuple[Measure, Mapping[str, str], int]] = {}
    if with_gini:
        others["Gini value"] = (lambda p: gini([p, 1 - p])), _DASHED, -6
    if with_error:
        others["error"] = (lambda p: misclassification_error([p, 1 - p])), _DOTTED, 34
    x = Axis("p, the proportion of one class", 0, 1, 56, 404, _QUARTERS)
    y = Axis(", ".join(["entropy in bits", *others]), 0, 1, 260, 24, _QUARTERS)
    parts = [*frame(x, y, 260), *_curve(x, y, "H(p)" if split is None else "", entropy_of_proportion)]
    for name, (measure, look, under) in others.items():
        parts += _curve(x, y, f"{name.split()[0]}(p)", measure, under, **look)
    title = " and ".join(["Entropy", *others]) + " of a sample of two classes"
    description = (
        "0 where all rows have one class, at p = 0 and p = 1; largest where both are equally common, at p = 1/2: 1 bit"
    )
    description += f", and {_listed(f'{name} of 1/2' for name in others)}." if others else "."
    if split is not None:
        drawn, summary = _chord(x, y, split)
        parts, description = [*parts, *drawn], summary
    return drawing(420, 310, title, description, parts)


def _listed(items: Iterable[str]) -> str:
    return " and ".join(f"a {item}" if item[0] != "e" else f"an {item}" for item in items)


def _curve(x: Axis, y: Axis, name: str, measure: Measure, under: int = 18, **attributes: object) -> Iterator[str]:
    """A measure over the proportion of one class, its name under the maximum."""
    # The curve of the entropy is vertical at both ends: p = t²(3 - 2t) puts more points there.
    proportions = [t * t * (3 - 2 * t) for t in (Fraction(i, STEPS) for i in range(STEPS + 1))]
    yield path(((x.at(p), y.at(measure(p))) for p in proportions), stroke_width=2, **attributes)
    if name:
        yield label(name, x.at(HALF), y.at(measure(HALF)) + under, font_style="italic")


def _chord(x: Axis, y: Axis, split: Sequence[Sequence[Rational]]) -> tuple[list[str], str]:
    """The parts of a split on the entropy curve, and its gain as the distance from the chord between them."""
    if any(len(part) != 2 or min(part) < 0 or not sum(part) for part in split) or len(split) < 2:
        parts_of_two = "at least two parts, each of them with the weights of two classes"
        raise InputError(f"a split has {parts_of_two}, as in 3,2 and 0,4")
    # The parts are points of the entropy curve. Their weighted mean lies on the chord between two of them, or inside
    # the polygon of more; the curve is concave, and its height above that point is the gain.
    places = sorted((Fraction(part[0]) / sum(part), entropy(part)) for part in split)
    whole = [sum(column) for column in zip(*split, strict=True)]
    p, before, left = Fraction(whole[0]) / sum(whole), entropy(whole), conditional_entropy(split)
    corners = [(x.at(q), y.at(h)) for q, h in places]
    parts = [path([*corners, corners[0]], stroke_dasharray="2 3")]
    parts += [disc(across, down, 4) for across, down in corners]
    at, high, low, gain = x.at(p), y.at(before), y.at(left), decimal(before - left)
    parts += [
        disc(at, high, 4, fill="none", stroke_width=2),
        line(at, high, at, low, stroke_width=3),
        disc(at, low, 3),
        label(f"gain {gain}", at + 8, (high + low) / 2 + 12, "start", font_weight="bold"),
    ]
    text = f"The whole has an entropy of {decimal(before)} bits at p = {decimal_text(p)}, its {len(split)} parts leave "
    return parts, text + f"{decimal(left)} on average, below the curve; the distance is the gain, {gain}."


def gain_curve(table: Table, attribute: str) -> str:
    """The information gain of a continuous attribute at every place to cut it, as SVG.

    Args:
        table: the data.
        attribute: the name of a continuous attribute with at least two values.

    Raises:
        InputError: there is no such attribute, or nothing to cut.

    Source:
        [N3 figure: cut points], [N4 figure: weight splits]
    """
    sample, target = table.sample(), table.schema.target
    if target.values is None:
        raise InputError(f"the target {target.name} is a number, and information is gained about classes")
    if attribute == target.name:
        raise InputError(f"{attribute} is the target; a curve of cuts needs a continuous attribute")
    classes = target.domain
    left = 56 + max(0, min(12, max(map(width, classes))) - 3) * 6
    x = axis_of(table, attribute, left, left + 460, 8)
    values, found = sample.ordered(attribute).values, list(cuts(sample, attribute))
    winners = best_cuts(sample, attribute)
    gain = decimal(information_gain(winners[0].table.rows))
    top = Fraction(gain) * Fraction(9, 8) or Fraction(1)
    y = Axis("information gain in bits", 0, top, 230, 24, ticks(0, top, 5))
    bottom = 250 + LANE * len(classes)
    shapes = [*_steps(x, y, values, found), *_winners(x, y, winners, bottom), *_lanes(x, sample, attribute)]
    best = "the best is" if len(winners) == 1 else "the best, exactly equal, are"
    places = " and ".join(one_line(cut.test.name) for cut in winners)
    described = f"{len(found)} cuts; {best} {places}, with a gain of {gain} bits."
    title = f"Information gain of {one_line(attribute)} at each cut"
    return drawing(x.end + 16, bottom + 50, title, described, [*frame(x, y, bottom), *shapes])


def _steps(x: Axis, y: Axis, values: Sequence[Rational], found: Sequence[Cut]) -> Iterator[str]:
    """The gain between each two neighbouring values, and a ring at the midpoint."""
    gains = [y.at(information_gain(cut.table.rows)) for cut in found]
    corners = [(x.at(end), gain) for ends, gain in zip(pairwise(values), gains, strict=True) for end in ends]
    yield path([(corners[0][0], y.at(0)), *corners, (corners[-1][0], y.at(0))], stroke_width=1.5)
    for cut, gain in zip(found, gains, strict=True):
        yield disc(x.at(cut.test.threshold), gain, 3, fill_opacity=FAINT)


def _winners(x: Axis, y: Axis, winners: Sequence[Cut], bottom: int) -> Iterator[str]:
    """The best cuts: a disc, a line down to the axis, and the threshold above."""
    for cut in winners:
        place, gain = x.at(cut.test.threshold), y.at(information_gain(cut.table.rows))
        yield line(place, gain, place, bottom, stroke_dasharray="2 3")
        yield disc(place, gain, 4.5)
        yield label(decimal_text(cut.test.threshold), place, decimal(gain - 10, 2), font_weight="bold")


def _lanes(x: Axis, sample: Sample, attribute: str) -> Iterator[str]:
    """The values in the sample, a row for each class; the area of a disc is the weight of the rows with that value."""
    values, rows, _ = sample.ordered(attribute)
    area = min(Fraction(12), Fraction((LANE // 2 - 1) ** 2) / max(map(max, rows)))
    for code, name in enumerate(map(one_line, sample.schema.target.domain)):
        height = 250 + LANE * code + LANE // 2
        yield label(name if width(name) <= 12 else name[:10] + "…", x.start - 8, height + 4, "end")
        for value, row in zip(values, rows, strict=True):
            if weight := row[code]:
                title = f"{decimal_text(value)}: {name} {decimal_text(weight)}"
                radius = Fraction(isqrt(int(10000 * area * weight)), 100)
                yield disc(x.at(value), height, radius, title, fill_opacity="0.6", stroke="none")


def validation_curve(
    points: Sequence[Point], option: str, *, measure: str = "error rate", marked: Collection[Rational] = ()
) -> str:
    """Both errors over an option, as SVG.

    Args:
        points: at least two, their values ascending or descending.
        option: the name of the option that is varied: `maximum depth`.
        measure: the name of the error measure.
        marked: values of the option to be marked, such as the one that cross-validation chose.

    Raises:
        InputError: there are fewer than two points, or all have the same value.

    Example:
        >>> points = [Point(0, Fraction(1, 2), Fraction(1, 2)), Point(1, Fraction(0), Fraction(1, 3))]
        >>> validation_curve(points, "maximum depth").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        True

    Source:
        [N3 Overfitting], [N4 Putting it together: cross-validation]
    """
    low, high = min((p.value for p in points), default=0), max((p.value for p in points), default=0)
    if low == high:
        raise InputError("a curve needs points at two values at least")
    top = max(max(p.training, p.held_out) for p in points) * Fraction(9, 8) or Fraction(1)
    x = Axis(one_line(option), low, high, 64, 484, ticks(low, high, 11))
    y = Axis(measure, 0, top, 250, 24, ticks(0, top, 5))
    parts = [*frame(x, y, 250), *_marks(x, y, points, marked)]
    for errors, dashes in (("held_out", {}), ("training", _DASHED)):
        places = [(x.at(point.value), y.at(getattr(point, errors))) for point in points]
        parts += [path(places, stroke_width=2, **dashes), *(disc(*place, 3, stroke="none") for place in places)]
    for start, name, dashes in ((x.start, HELD_OUT, {}), (x.start + 180, TRAINING, _DASHED)):
        parts.append(line(start, 312, start + 36, 312, stroke_width=2, **dashes))
        parts.append(label(name, start + 44, 316, "start"))
    # The first of the least errors, as everywhere on exact ties.
    best = min(points, key=lambda point: point.held_out)
    values = number_of(len(points), "value")
    described = (
        f"{values} of {one_line(option)}; the least error on {HELD_OUT} is {decimal(best.held_out)}, "
        f"at {decimal_text(best.value)}, where that on {TRAINING} is {decimal(best.training)}."
    )
    return drawing(x.end + 24, 328, f"{measure.capitalize()} over {one_line(option)}", described, parts)


def _marks(x: Axis, y: Axis, points: Sequence[Point], marked: Collection[Rational]) -> Iterator[str]:
    for point in points:
        if point.value in marked:
            place, error = x.at(point.value), y.at(point.held_out)
            yield line(place, error, place, y.start, stroke_dasharray="2 3")
            yield disc(place, error, 7, fill="none")
            yield label(decimal_text(point.value), place, error - 12, font_weight="bold")


# The price of a leaf.

WIDTH, HEIGHT, TOP, LEFT = 420, 236, 24, 64
"""The size of the rectangle between the axes, and its position."""


def cost_lines(sequence: Path) -> str:
    """R_α of each tree of a sequence over α, and their lower envelope, as SVG.

    Args:
        sequence: the prunings of a tree, of two trees at least.

    Raises:
        InputError: there is only one tree.

    Example:
        >>> import reference_tree as rt
        >>> from reference_tree.pruning.cost_complexity import pruning_path
        >>> cost_lines(pruning_path(rt.ID3().grow(rt.textbook("loan")))).count("<path")
        1

    Source:
        [Breiman1984 §3.3], [LiHang2019 §5.5.2]
    """
    trees = [(near(step.alpha), step.leaves, near(step.risk)) for step in sequence.steps]
    if len(trees) < 2:
        raise InputError("the sequence has a single tree, which is the best at every price")
    right = trees[-1][0] * Fraction(5, 4)
    # The cost of a tree is a line over α: it starts at its risk and rises by its leaves. From its own α on a tree is
    # the cheapest, until the next one is.
    envelope = [(alpha, risk + alpha * leaves) for alpha, leaves, risk in trees]
    envelope.append((right, trees[-1][2] + right * trees[-1][1]))
    top = envelope[-1][1] * Fraction(9, 8)
    x = Axis("α, the price of a leaf", 0, right, LEFT, LEFT + WIDTH, ticks(0, right, 7))
    y = Axis("R(T) + α |T|", 0, top, TOP + HEIGHT, TOP, ticks(0, top, 6))
    parts = [*frame(x, y, TOP + HEIGHT)]
    for _, leaves, risk in trees:
        # A line ends at the right edge or at the top, whichever it meets first.
        end = min(right, (top - risk) / leaves)
        reached = risk + end * leaves
        parts.append(line(x.at(0), y.at(risk), x.at(end), y.at(reached), stroke_opacity="0.55"))
        if end == right:
            parts.append(label(number_of(leaves, "leaf"), LEFT + WIDTH + 6, y.at(reached) + 4, "start"))
        else:
            parts.append(label(str(leaves), x.at(end), TOP - 6, font_style="italic"))
    parts.append(path(((x.at(a), y.at(cost)) for a, cost in envelope), stroke_width=3))
    parts += [disc(x.at(a), y.at(cost), 4) for a, cost in envelope[1:-1]]
    cheapest = "; ".join(f"from {decimal(alpha)} the tree of {number_of(leaves, 'leaf')}" for alpha, leaves, _ in trees)
    title = "The cost of each pruning over the price of a leaf"
    return drawing(LEFT + WIDTH + 70, TOP + HEIGHT + 56, title, f"Cheapest is {cheapest}.", parts)


def choice_curve(choice: Choice) -> str:
    """The cross-validated error of each tree of a sequence with its standard error, and the band, as SVG.

    The trees stand at equal distances, from the smallest price to the largest: prices are too uneven for a scale.

    Args:
        choice: the result of cross-validation for a sequence of two trees at least.

    Raises:
        InputError: there is only one tree.

    Source:
        [Breiman1984 §3.4]
    """
    found = [(step, risk, near(root(square))) for step, risk, square in choice.estimates]
    if len(found) < 2:
        raise InputError("the sequence has a single tree, so there is nothing to choose")
    least = found[choice.best][1]
    bound = least + choice.standard_errors * found[choice.best][2]
    top = max(risk + error for _, risk, error in found) * Fraction(17, 16) or Fraction(1)
    half, along = Fraction(1, 2), "the sequence of prunings, from the smallest α to the largest"
    x = Axis(along, -half, len(found) - half, LEFT, LEFT + WIDTH, ())
    y = Axis("cross-validated error", 0, top, TOP + HEIGHT, TOP, ticks(0, top, 6))
    floor, band = TOP + HEIGHT, {"y": y.at(bound), "height": y.at(least) - y.at(bound)}
    parts = [
        element("rect", x=LEFT, width=WIDTH, fill_opacity=FAINT, stroke="none", **band),
        *frame(x, y, floor + 34),
        line(LEFT, y.at(least), LEFT + WIDTH, y.at(least), stroke_dasharray="2 3"),
        path(((x.at(k), y.at(risk)) for k, (_, risk, _) in enumerate(found)), stroke_width=1.5),
    ]
    for k, (step, risk, error) in enumerate(found):
        at, ends = x.at(k), (y.at(max(Fraction(0), risk - error)), y.at(risk + error))
        parts += [line(at, ends[0], at, ends[1]), *(line(at - 5, end, at + 5, end) for end in ends)]  # a whisker
        parts += [
            disc(at, y.at(risk), 3.5, stroke="none"),
            label(number_of(step.leaves, "leaf"), at, floor + 18),
            label(f"α {decimal(step.alpha, 4)}", at, floor + 53),
        ]
    ring = found[choice.chosen]
    parts.append(disc(x.at(choice.chosen), y.at(ring[1]), 8, fill="none", stroke_width=2))
    best = f"The least error is {decimal(least)}, of {number_of(found[choice.best][0].leaves, 'leaf')}"
    smallest = f"the smallest tree within it has {number_of(ring[0].leaves, 'leaf')}"
    described = f"{best}; the band reaches to {decimal(bound)}, and {smallest}."
    return drawing(LEFT + WIDTH + 24, floor + 88, "Cross-validated error of each pruning", described, parts)
