"""The cost of a tree over the price of a leaf, and the error that chooses the price.

1. `cost_lines`: R_α of each pruning of a sequence over α. Each is a line: it begins at its risk, and rises with its
   leaves. The lowest line at each price is the tree to take; together they are the lower envelope, drawn heavy.
2. `choice_curve`: the cross-validated error of each of these trees, with its standard error as a whisker. The band
   reaches from the least error one standard error up; the smallest tree within it is ringed.
"""

from __future__ import annotations

from fractions import Fraction

from reference_tree.data.errors import InputError
from reference_tree.exact.radicals import root
from reference_tree.exact.rounding import decimal
from reference_tree.pruning.choosing_alpha import Choice
from reference_tree.pruning.cost_complexity import Path
from reference_tree.views.figures import leaves_text
from reference_tree.views.plots.axes import FAINT, Axis, disc, drawing, element, frame, label, line, near, path, ticks

WIDTH, HEIGHT, TOP, LEFT = 420, 236, 24, 64
"""The rectangle between the axes, and where it lies."""


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
    envelope = [(alpha, risk + alpha * leaves) for alpha, leaves, risk in trees]
    envelope.append((right, trees[-1][2] + right * trees[-1][1]))
    top = envelope[-1][1] * Fraction(9, 8)
    x = Axis("α, the price of a leaf", 0, right, LEFT, LEFT + WIDTH, ticks(0, right, 7))
    y = Axis("R(T) + α |T|", 0, top, TOP + HEIGHT, TOP, ticks(0, top, 6))
    parts = [*frame(x, y, TOP + HEIGHT)]
    for _, leaves, risk in trees:
        end = min(right, (top - risk) / leaves)
        reached = risk + end * leaves
        parts.append(line(x.at(0), y.at(risk), x.at(end), y.at(reached), stroke_opacity="0.55"))
        if end == right:
            parts.append(label(leaves_text(leaves), LEFT + WIDTH + 6, y.at(reached) + 4, "start"))
        else:
            parts.append(label(str(leaves), x.at(end), TOP - 6, font_style="italic"))
    parts.append(path(((x.at(a), y.at(cost)) for a, cost in envelope), stroke_width=3))
    parts += [disc(x.at(a), y.at(cost), 4) for a, cost in envelope[1:-1]]
    said = "; ".join(f"from {decimal(alpha)} the tree of {leaves_text(leaves)}" for alpha, leaves, _ in trees)
    title = "The cost of each pruning over the price of a leaf"
    return drawing(LEFT + WIDTH + 70, TOP + HEIGHT + 56, title, f"Cheapest is {said}.", parts)


def choice_curve(choice: Choice) -> str:
    """The cross-validated error of each tree of a sequence with its standard error, and the band, as SVG.

    The trees stand at equal distances, from the smallest price to the largest: prices lie too unevenly for a scale.

    Args:
        choice: what cross-validation said of a sequence of two trees at least.

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
            label(leaves_text(step.leaves), at, floor + 18),
            label(f"α {decimal(step.alpha, 4)}", at, floor + 53),
        ]
    ring = found[choice.chosen]
    parts.append(disc(x.at(choice.chosen), y.at(ring[1]), 8, fill="none", stroke_width=2))
    said = f"The least error is {decimal(least)}, of {leaves_text(found[choice.best][0].leaves)}"
    smallest = f"the smallest tree within it has {leaves_text(ring[0].leaves)}"
    described = f"{said}; the band reaches to {decimal(bound)}, and {smallest}."
    return drawing(LEFT + WIDTH + 24, floor + 88, "Cross-validated error of each pruning", described, parts)
