"""C4.5 by the book: held against it row by row, with missing values and weights, and the figures that books print."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.questions import Threshold
from reference_tree.data.table import Table
from reference_tree.data.textbook import textbook
from reference_tree.exact.rounding import decimal
from reference_tree.learners.c45 import C45, above_average, everyone
from reference_tree.splitting.continuous_bisection import cuts
from tests import oracles
from tests.c45_by_the_book import Book, Options, Release8
from tests.laws import LearnerLaws
from tests.learners.decisions import assert_as_in, at, names, question_of, scores
from tests.strategies import fractions, tables_with_gaps


class TestLaws(LearnerLaws):
    def learner(self) -> C45:
        return C45()


class TestLawsOfThePlainRatio(LearnerLaws):
    def learner(self) -> C45:
        return C45.like("li-hang", epsilon=Fraction(1, 20), max_depth=3)


# ------------------------------------------------------------------------------------------- by the book, row by row


def learner_of(options: Options) -> C45:
    fields = options._asdict()
    return C45(contenders=above_average if fields.pop("average") else everyone, **fields)


def assert_by_the_book(table: Table, options: Options = Options()) -> None:  # noqa: B008  (a tuple)
    assert_as_in(Book(table, options), learner_of(options), table)


options = st.builds(
    Options,
    st.booleans(),
    st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    st.one_of(st.none(), st.integers(0, 3)),
    st.integers(0, 4),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(3, 2), Fraction(2)]),
)


@given(tables_with_gaps())
def test_by_the_book(table: Table) -> None:
    assert_by_the_book(table)


@given(tables_with_gaps(), options)
def test_by_the_book_with_bounds(table: Table, options: Options) -> None:
    assert_by_the_book(table, options)


@pytest.mark.one_in(4)
@pytest.mark.covers("N0 EN §3.2", "N1 §1.5", "N1 §1.5 step 3", "N2 §2.2")
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize(
    "name",
    [
        "golf", "loan", "loan-id", "play-tennis", "play-tennis-id", "watermelon-2.0", "watermelon-2.0a",
        "watermelon-3.0", "watermelon-3.0a", "cats", "cats-id", "contact-lenses", "li-hang-8.1", "visitor",
    ],
)  # fmt: skip
def test_textbook_tables_by_the_book(name: str, average: bool) -> None:
    assert_by_the_book(textbook(name), Options(average))


@given(tables_with_gaps(rows=6), st.integers(-3, 3), fractions(Fraction(1, 9), 9))
def test_another_scale_moves_the_thresholds_and_nothing_else(table: Table, shift: int, factor: Fraction) -> None:
    numbers = [attribute.name for attribute in table.schema.attributes if attribute.kind == "continuous"]
    rows = [{**row, "w": weight} for row, weight in zip(table.rows(), table.weighted(), strict=True)]
    scaled = [{k: factor * v + shift if k in numbers and v is not None else v for k, v in r.items()} for r in rows]  # type: ignore[operator]
    other = Table.from_rows(scaled, "y", weights="w", categorical=["*"], continuous=numbers)
    tree, its = C45().grow(table), C45().grow(other)
    for node, same in zip(tree.nodes, its.nodes, strict=True):
        assert (same.counts, same.label, same.stop, same.missing) == (node.counts, node.label, node.stop, node.missing)
        if isinstance(node.test, Threshold):
            assert isinstance(same.test, Threshold)
            assert same.test.threshold == factor * node.test.threshold + shift


# ------------------------------------------------------------------------------- release 8, as its program proceeds


def assert_as_release_8(table: Table, minimum: int = 2) -> None:
    """The same tree, node by node: questions, thresholds, counts, labels, and what has been collapsed."""
    tree = C45.like("c45-r8", min_samples_leaf=minimum).grow(table)
    tree.check(table)
    pending = [(0, Release8(table, minimum).root())]
    for number, node in enumerate(tree.nodes):
        found, expected = pending.pop()
        assert found == number
        assert (node.counts, node.label) == (expected.counts, expected.label)
        assert (node.test and question_of(node.test)) == expected.question
        pending += reversed(list(zip(node.branches, expected.below, strict=True)))
    assert not pending


@given(tables_with_gaps(rows=14), st.integers(1, 3))
def test_release_8(table: Table, minimum: int) -> None:
    assert_as_release_8(table, minimum)


@pytest.mark.one_in(3, 9)
@pytest.mark.parametrize("minimum", [1, 2, 3])
@pytest.mark.parametrize(
    "name",
    [
        "golf", "loan", "loan-id", "play-tennis", "play-tennis-id", "watermelon-2.0", "watermelon-2.0a",
        "watermelon-3.0", "watermelon-3.0a", "cats", "cats-id", "contact-lenses", "li-hang-8.1", "visitor",
    ],
)  # fmt: skip
def test_textbook_tables_as_release_8(name: str, minimum: int) -> None:
    assert_as_release_8(textbook(name), minimum)


# --------------------------------------------------------------------------------------------- the figures of the books


def test_play_tennis() -> None:
    decision = at("play-tennis")
    assert scores(decision, "gain") == {
        "outlook": "0.246750", "temperature": "0.029223", "humidity": "0.151836", "wind": "0.048127",
    }  # fmt: skip
    assert scores(decision, "split_information") == {
        "outlook": "1.577406", "temperature": "1.556657", "humidity": "1.000000", "wind": "0.985228",
    }  # fmt: skip
    assert scores(decision, "ratio") == {
        "outlook": "0.156428", "temperature": "0.018773", "humidity": "0.151836", "wind": "0.048849",
    }  # fmt: skip
    assert decimal(decision.evidence["average"]) == "0.118984"
    assert [c.test.attribute for c in decision.candidates if c.barred == "average"] == ["temperature", "wind"]


def test_golf() -> None:
    gains = scores(at("golf"), "gain")
    assert gains == {
        "outlook": "0.246750", "temperature<=84": "0.113401", "humidity<=82.5": "0.102244", "windy": "0.048127",
    }  # fmt: skip
    assert scores(at("golf", "/outlook=sunny"), "gain")["humidity<=77.5"] == "0.970951"
    assert names(at("golf")) == ["outlook"]
    assert names(at("golf", learner=C45.like("li-hang"))) == ["temperature<=84"]


@pytest.mark.covers("N2 §4.1 choice")
def test_the_gain_chooses_the_cut_and_not_the_ratio() -> None:
    """Golf: by the ratio, the humidity would be cut at either end."""
    ratios = {
        test.name: oracles.float_ratio([[int(cell) for cell in row] for row in table.rows])
        for test, table in cuts(textbook("golf").sample(), "humidity")
    }
    best = max(ratios.values())
    assert [name for name, ratio in ratios.items() if best - ratio < 1e-9] == ["humidity<=67.5", "humidity<=95.5"]
    assert "humidity<=82.5" in scores(at("golf"), "gain")


def test_loan() -> None:
    for learner in (C45(), C45.like("li-hang")):
        decision = at("loan", learner=learner)
        assert scores(decision, "gain") == {
            "年龄": "0.083007", "有工作": "0.323650", "有自己的房子": "0.419973", "信贷情况": "0.362990",
        }  # fmt: skip
        assert scores(decision, "ratio") == {
            "年龄": "0.052372", "有工作": "0.352447", "有自己的房子": "0.432538", "信贷情况": "0.231854",
        }  # fmt: skip
        assert names(decision) == ["有自己的房子"]
        below = at("loan", "/有自己的房子=否", learner)
        assert scores(below, "gain") == {"年龄": "0.251629", "有工作": "0.918296", "信贷情况": "0.473851"}
        assert below.winners[0].scores["ratio"] == 1


def test_watermelon_3() -> None:
    decision = at("watermelon-3.0")
    gains = scores(decision, "gain")
    assert (gains["密度<=0.3815"], gains["含糖率<=0.126"]) == ("0.262439", "0.349294")
    assert gains["纹理"] == "0.380592"  # the largest gain, but not the largest ratio
    assert names(decision) == ["含糖率<=0.126"]


def test_watermelon_2_with_missing_values() -> None:
    decision = at("watermelon-2.0a")
    assert scores(decision, "gain") == {
        "色泽": "0.251966", "根蒂": "0.171178", "敲声": "0.144803",
        "纹理": "0.423560", "脐部": "0.288825", "触感": "0.005713",
    }  # fmt: skip
    assert names(decision) == ["纹理"]
    domain = textbook("watermelon-2.0a").schema.attribute("纹理").domain
    assert dict(zip(domain, decision.missing.shares, strict=True)) == {
        "清晰": Fraction(7, 15), "稍糊": Fraction(5, 15), "模糊": Fraction(3, 15),
    }  # fmt: skip
    tree = C45().grow(textbook("watermelon-2.0a"))
    parts = [tree.nodes[number].counts for number in tree.nodes[0].branches]
    # 8 is good and 10 is bad: what each branch has beyond its known melons is its share, of both classes.
    for part, known, share in zip(parts, ((3, 0), (1, 6), (4, 1)), decision.missing.shares, strict=True):
        assert part == tuple(count + share for count in known)


def test_the_cats_tie_two_cuts_of_the_weight() -> None:
    assert names(at("cats")) == ["weight<=9", "weight<=10.6"]
    assert scores(at("cats"), "gain")["weight<=9"] == "0.609987"
