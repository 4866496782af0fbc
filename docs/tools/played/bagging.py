"""Trees that are grown from rows drawn with replacement, and their votes: all, and those that have not seen a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import reference_tree as rt
from docs.tools.played.figure import Play, dot, says, slot
from docs.tools.played.gain import Columns, Rows
from reference_tree.ensembles.bagging import draws_of
from reference_tree.ensembles.ensemble import Ensemble

MOST = 9
"""So many trees there is room for."""


def bagging(columns: Columns, rows: Rows, seed: int, trees: int, most: int = 0, language: str = "en") -> str:
    """The figure.

    Args:
        columns: the columns with their values, the class last, of which there are two.
        rows: the cells of the table.
        seed: the seed of the draws.
        trees: how many trees are shown.
        most: of how many attributes a node may ask, as in a random forest; 0: of all.
        language: the language of the words.
    """
    play, target = Play("bagging", language), len(columns) - 1
    named = {name: [str(values.index(row[place])) for row in rows] for place, (name, values) in enumerate(columns)}
    table = rt.Table.from_columns(named, categorical="*")
    options = {"base": rt.ID3(), "trees": trees, "seed": seed}
    grown = rt.RandomForest(attributes=most, **options) if most else rt.Bagging(**options)  # type: ignore[arg-type]
    ensemble = grown.grow(table)
    said = [[int(str(label)) for label in _said(ensemble, table, b)] for b in range(trees)]
    drawn, truth = draws_of(ensemble, table), [columns[target][1].index(row[target]) for row in rows]
    outside = [[b for b in range(trees) if not drawn[b][i]] for i in range(len(rows))]
    shown = [_Votes(truth[i], [said[b][i] for b in range(trees)], outside[i]) for i in range(len(rows))]
    heads = "".join(
        f'<th scope="col" data-mark="h{b}" class="{"tree" if b < trees else "later"}">{b + 1}</th>' for b in range(MOST)
    )
    body = "".join(
        f'<tr><th scope="row">{i + 1}</th><td>{dot(f"y{i}", truth[i])}</td>'
        f"{''.join(_cell(i, b, one, drawn) for b in range(MOST))}{one.drawn(i)}</tr>"
        for i, one in enumerate(shown)
    )
    root = ensemble.members[-1].tree.nodes[0].test
    told = [
        play.say("drawn", tree=trees, drawn=sum(map(bool, drawn[-1])), rows=len(rows), asks=root.name if root else "–"),
        play.say(
            "votes",
            wrong=sum(one.wrong(one.every) for one in shown),
            rows=len(rows),
            out=sum(one.wrong(one.outside) for one in shown),
            judged=sum(one.answer(one.outside) >= 0 for one in shown),
        ),
    ]
    words = {name: escape(play.words[name]) for name in ("row", "class", "all_votes", "out_votes")}
    state = {"columns": [list(one) for one in columns], "rows": rows, "seed": seed, "trees": trees, "most": most}
    return play.figure(
        state,
        f'<p class="label">{slot("seed", play.say("seed", seed=seed))}</p><table class="slots draws"><thead><tr>',
        f'<th scope="col" aria-label="{words["row"]}"></th><th scope="col" aria-label="{words["class"]}"></th>{heads}',
        f'<th scope="col">{words["all_votes"]}</th><th scope="col">{words["out_votes"]}</th></tr></thead>',
        f"<tbody>{body}</tbody></table>",
        says(" ".join(told)),
        play.tools(
            *(play.button(name, name) for name in ("next", "back", "all")),
            play.button("seed", "new_seed"),
            *(_most(play, k, k == most) for k in range(1, target + 1) if most),
        ),
        classes=columns[-1][1],
    )


def ten_cats(most: int = 0, language: str = "en") -> str:
    """Ten cats and dogs, and three trees."""
    table = rt.textbook("cats").without(["weight"])
    columns = [(one.name, one.domain) for one in (*table.schema.attributes, table.schema.target)]
    rows = [[str(row[name]) for name, _ in columns] for row in table.rows()]
    return bagging(columns, rows, 1, 3, most, language)


class _Votes:
    """What the trees say of a row."""

    def __init__(self, truth: int, every: Sequence[int], outside: Sequence[int]) -> None:
        self.truth, self.every, self.outside = truth, every, [every[b] for b in outside]

    @staticmethod
    def answer(votes: Sequence[int]) -> int:
        """The class of most votes, of equals the first; without a vote -1."""
        return int(votes.count(1) > votes.count(0)) if votes else -1

    def wrong(self, votes: Sequence[int]) -> bool:
        """Whether the class of most votes is not the class of the row."""
        return self.answer(votes) not in {-1, self.truth}

    def drawn(self, i: int) -> str:
        """The votes of all trees, and of those that have not seen the row."""
        return "".join(self._counted(name, i, votes) for name, votes in (("v", self.every), ("o", self.outside)))

    def _counted(self, name: str, i: int, votes: Sequence[int]) -> str:
        text = f"{votes.count(0)}:{votes.count(1)}" if votes else "–"
        mark = "votes wrong" if self.wrong(votes) else "votes"
        return (
            f'<td data-mark="{name}m{i}" class="{mark}">{slot(f"{name}{i}", text)} '
            f"{dot(f'{name}d{i}', self.answer(votes))}</td>"
        )


def _said(ensemble: Ensemble, table: rt.Table, number: int) -> Iterator[object]:
    tree = ensemble.members[number].tree
    return map(tree.answer, tree.ends_of(table, "majority"))


def _cell(i: int, b: int, votes: _Votes, drawn: Sequence[Sequence[int]]) -> str:
    if b >= len(drawn):
        k, times, mark = -1, "", "later"
    else:
        k, times = votes.every[b], str(drawn[b][i] or "")
        mark = ("in" if times else "out") + (" wrong" if k != votes.truth else "")
    return f'<td data-mark="c{i}.{b}" class="{mark}">{slot(f"n{i}.{b}", times)}{dot(f"d{i}.{b}", k)}</td>'


def _most(play: Play, k: int, is_on: bool) -> str:
    return (
        f'<button type="button" disabled data-does="most {k}" data-mark="k{k}" class="{"on" if is_on else ""}"'
        f' aria-pressed="{str(is_on).lower()}">{escape(play.say("most", most=k))}</button>'
    )
