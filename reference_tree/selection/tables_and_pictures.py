"""Tables and pictures: two kinds of data to try a learner on, one that suits trees and one that does not.

A column of a table means something by itself: an age, an income, a home. A pixel of a picture does not; the content of
the picture is in the relations between pixels. A tree tests one column at a time.

1. `customers` are rows of a table, with a class that follows from a few tests.
2. `bars` are pictures of a bar; the class is its direction: each pixel tells a little.
3. `bright` are pictures without a shape; the class is whether most pixels are lit, which a weighted sum tells at once.
4. `longest_lines` makes two columns from each picture that tell bars apart wherever they are.

Everything is drawn from a seed, the same on every platform, so that an experiment can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_tree.chance import Chance
from reference_tree.data.questions import Row
from reference_tree.data.table import Table

SIZE = 5
"""The width and the height of a picture in pixels."""


def customers(number: int, seed: int, wrong: int = 0) -> Table:
    """Customers who ask for a loan, and whether they get it.

    A customer who earns more than 60 gets it, and so does one who earns more than 30 and has a job and a home of their
    own. Age and day have no influence.

    Args:
        number: the number of rows.
        seed: the seed of the draws.
        wrong: the number of rows in a hundred, on average, that have the other class.

    Example:
        >>> for row in customers(3, seed=1).rows():
        ...     print(*row.values())
        23 40 no family Thu no
        45 88 no tenant Thu yes
        53 64 no family Thu yes

    Source:
        [N4 When to use decision trees: trees]
    """
    chance, rows = Chance(seed, b"customers"), []
    for _ in range(number):
        age, income = 18 + chance.below(60), 10 + chance.below(90)
        job, home = chance.choice(["no", "yes"]), chance.choice(["family", "own", "tenant"])
        day = chance.choice(["Mon", "Tue", "Wed", "Thu", "Fri"])
        gets_it = income > 60 or (income > 30 and job == "yes" and home == "own")
        # Every draw is made for every row, also where the label does not need it: the rows are the same for every share
        # of wrong labels. `!=` between truths is an exclusive or: a wrong label is the other one.
        label = "yes" if gets_it != (chance.below(100) < wrong) else "no"
        rows.append({"age": age, "income": income, "job": job, "home": home, "day": day, "loan": label})
    return Table.from_rows(rows, "loan", categorical=["job", "home", "day", "loan"], continuous=["age", "income"])


def bars(number: int, seed: int, flipped: int = 2) -> Table:
    """Pictures of a bar three pixels long, anywhere, with its direction as class.

    Args:
        number: the number of pictures.
        seed: the seed of the draws.
        flipped: the number of pixels that are drawn, one by one, and turned from dark to lit or back.

    Example:
        >>> (row,) = bars(1, seed=1, flipped=0).rows()
        >>> for line in pixels(row):
        ...     print("".join("·#"[pixel] for pixel in line))
        ·····
        ··#··
        ··#··
        ··#··
        ·····
        >>> row["bar"]
        'stands'

    Source:
        [N4 When to use decision trees: trees], [N4 When to use decision trees: neural networks]
    """
    chance = Chance(seed, b"bars")

    def drawn() -> tuple[list[list[int]], str]:
        # The place of a bar is drawn apart from its direction. A pixel that is drawn twice to be flipped is as it was
        # before.
        lies, start, line = chance.below(2) == 0, chance.below(SIZE - 2), chance.below(SIZE)
        lit = {(line, start + k) if lies else (start + k, line) for k in range(3)}
        picture = [[int((y, x) in lit) for x in range(SIZE)] for y in range(SIZE)]
        for _ in range(flipped):
            y, x = chance.below(SIZE), chance.below(SIZE)
            picture[y][x] = 1 - picture[y][x]
        return picture, "lies" if lies else "stands"

    return _table((drawn() for _ in range(number)), "bar")


def bright(number: int, seed: int) -> Table:
    """Pictures of pixels that are lit or dark at random, with the class whether most of them are lit.

    Args:
        number: the number of pictures.
        seed: the seed of the draws.

    Example:
        >>> (row,) = bright(1, seed=1).rows()
        >>> sum(map(sum, pixels(row))), row["bright"]
        (14, 'yes')

    Source:
        [N4 When to use decision trees: trees], [N4 When to use decision trees: neural networks]
    """
    chance = Chance(seed, b"bright")

    def drawn() -> tuple[list[list[int]], str]:
        picture = [[chance.below(2) for _ in range(SIZE)] for _ in range(SIZE)]
        # The number of pixels is odd, so there is no draw between lit and dark.
        return picture, "yes" if 2 * sum(map(sum, picture)) > SIZE * SIZE else "no"

    return _table((drawn() for _ in range(number)), "bright")


def longest_lines(pictures: Table) -> Table:
    """Two columns made from each picture: the largest number of lit pixels in one row, and in one column.

    They do not depend on where a bar is. A neural network for pictures learns to make such columns; a tree has to be
    given them.

    Args:
        pictures: a table of pixels.

    Example:
        >>> [list(row.values()) for row in longest_lines(bars(3, seed=1, flipped=0)).rows()]
        [[1, 3, 'stands'], [3, 1, 'lies'], [1, 3, 'stands']]

    Source:
        [N4 When to use decision trees: neural networks]
    """
    target = pictures.schema.target.name
    rows = [
        # The maximum over lines forgets where the bar is, and keeps what the class depends on.
        {"row": max(map(sum, lines)), "column": max(map(sum, zip(*lines, strict=True))), target: row[target]}
        for row in pictures.rows()
        for lines in [pixels(row)]
    ]
    return Table.from_rows(rows, target, categorical=[target], continuous=["row", "column"])


def pixels(row: Row) -> list[list[int]]:
    """The lines of a picture, from the top."""
    return [[int(str(row[f"p{y}{x}"])) for x in range(SIZE)] for y in range(SIZE)]


def _table(pictures: Iterator[tuple[list[list[int]], str]], target: str) -> Table:
    rows = [
        {**{f"p{y}{x}": cell for y, line in enumerate(lines) for x, cell in enumerate(line)}, target: label}
        for lines, label in pictures
    ]
    return Table.from_rows(rows, target, categorical=[target], continuous=[name for name in rows[0] if name != target])
