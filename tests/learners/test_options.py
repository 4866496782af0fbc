"""Options: what a field takes is what a document gives back, and nothing else is taken."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.cli import main
from reference_tree.data.errors import InputError
from reference_tree.exact.rationals import Rational
from reference_tree.learners.id3 import ID3
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.place import Ties
from reference_tree.learners.recorded import AMOUNT, NUMBER, described, rule, whole, word
from reference_tree.learners.registry import LEARNERS
from tests.every import of_every
from tests.strategies import fractions


def up() -> None:
    """A rule."""


def down() -> None:
    """Another rule."""


RULES = {"up": up, "down": down}


@dataclass(frozen=True, kw_only=True)
class Toy(Options):
    name: ClassVar[str] = "toy"
    profiles: ClassVar[dict[str, Profile]] = {}

    size: Rational = described(Fraction(1, 3), NUMBER, "the size")
    times: int = described(2, whole(1), "how often")
    way: Any = described(up, rule(RULES), "the way")
    word: str = described("one", word("one", "two"), "the word")


Toy.profiles["upside"] = Profile(Toy, {"way": down, "size": 3})

toys = st.builds(
    lambda *, dialect, **options: Toy.like(dialect, **options) if dialect else Toy(**options),
    dialect=st.none() | st.just("upside"),
    epsilon=fractions(0, max_denominator=50),
    max_depth=st.none() | st.integers(0, 99),
    size=fractions(max_denominator=50) | st.integers(),
    times=st.integers(1, 99),
    way=st.sampled_from([up, down]),
    word=st.sampled_from(["one", "two"]),
    ties=st.just(Ties()) | st.just(Ties(choose={"/": "x"}, label={"/0": "no"})),
)


@given(toys)
def test_a_learner_comes_back_from_what_is_written_of_it(toy: Toy) -> None:
    grower = toy.grower()
    assert Toy.of(grower.options, grower.profile) == toy


def test_every_option_is_written_and_ties_stand_last() -> None:
    options = Toy(max_depth=2, way=down).grower().options
    assert options == {
        "epsilon": "0",
        "max_depth": 2,
        "min_samples_split": "0",
        "min_samples_leaf": "0",
        "size": "1/3",
        "times": 2,
        "way": "down",
        "word": "one",
        "ties": {"split": "first", "class": "first", "at": {}},
    }
    assert list(options)[-1] == "ties"


def test_a_profile_sets_what_nobody_set_otherwise() -> None:
    for size in (3, 5):
        found, plain = Toy.like("upside", size=size), Toy(way=down, size=size)
        assert found.grower().options == plain.grower().options
        assert (found.profile, plain.profile) == ("upside", None)
    assert Toy.like("upside").size == 3


def test_only_a_profile_itself_says_that_it_set_the_options() -> None:
    """A learner that carries the name of a dialect has its options, or says which it has instead."""
    with pytest.raises(TypeError, match="profile"):
        Toy(profile="upside")
    with pytest.raises(InputError, match="these are not the options of toy: there is no profile 'down'"):
        Toy.of(Toy().grower().options, "down")


@of_every([(one, profile) for one in LEARNERS.values() for profile in (None, *one.profiles)])
def test_a_copy_keeps_the_dialect(learner: type[Options], profile: str | None) -> None:
    dialect = learner() if profile is None else learner.like(profile)
    copied = replace(dialect, max_depth=3)
    assert (copied.profile, copied.max_depth, type(copied)) == (profile, 3, type(dialect))
    assert copied.grower().profile == profile


def test_an_unknown_profile() -> None:
    with pytest.raises(InputError, match="there is no profile 'down' of toy; there are upside"):
        Toy.like("down")


def test_a_float_is_the_exact_value_it_has() -> None:
    assert Toy(epsilon=0.1).epsilon == Fraction(0.1)  # type: ignore[arg-type]


@of_every(
    [
        {"max_depth": -1},
        {"max_depth": 1.0},
        {"max_depth": True},
        {"times": 0},
        {"times": None},
        {"times": 2.0},
        {"way": print},
        {"word": "three"},
        {"size": "many"},
    ]
)
def test_what_an_option_cannot_have_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"whole number|a rule is one of|there is no|not a number|many"):
        Toy(**given)


@dataclass(frozen=True, kw_only=True)
class Newer(Toy):
    """The same learner, once it has another option."""

    spare: Rational = described(0, AMOUNT, "what is spared", since="2026-11-26")


def test_an_option_that_came_later_is_told_where_it_is_used() -> None:
    before, after = Toy(size=2).grower().options, Newer(size=2).grower().options
    assert after == before
    assert Newer.of(before) == Newer(size=2)
    written = Newer(spare=Fraction(1, 2)).grower().options
    assert written == {**Toy().grower().options, "spare": "0.5"}
    assert Newer.of(written) == Newer(spare=Fraction(1, 2))
    with pytest.raises(InputError, match="there is no option 'spare'"):
        Toy.of(written)


@of_every(
    [
        ({"epsilon": "many"}, "many"),
        ({"epsilon": 0.5}, "0.5 is not the text of a number"),
        ({"way": "sideways"}, "there is no 'sideways'; there are up, down"),
        ({"word": "three"}, "there is no 'three'; there are one, two"),
        ({"max_depth": "2"}, "max_depth: it is a whole number from 0, or None, not '2'"),
        ({"colour": "red"}, "there is no option 'colour'"),
        ({"ties": {}}, "at"),
        ({"ties": {"at": {}, "spilt": "first"}}, "ties have no member 'spilt'"),
        ({"ties": {"at": {"/": {"chose": "x"}}}}, "ties have no member 'chose'"),
        ({"ties": {"at": {}, "split": "last"}}, "the rule of split is first, not 'last'"),
    ]
)
def test_what_no_learner_wrote_is_refused(changed: dict[str, Any], message: str) -> None:
    options = {**Toy().grower().options, **changed}
    with pytest.raises(InputError, match=rf"these are not the options of toy: .*({message})"):
        Toy.of(options)


def test_an_option_that_is_absent_is_not_guessed() -> None:
    options = dict(Toy().grower().options)
    del options["size"]
    with pytest.raises(InputError, match="these are not the options of toy: the option 'size' is absent"):
        Toy.of(options)


def test_what_a_tree_records_of_its_learner_is_a_mapping_like_any_other() -> None:
    recorded = ID3(max_depth=2).grower().options
    assert recorded == ID3(max_depth=2).written() != ID3().written()
    assert repr(recorded) == repr(dict(recorded))
    assert len(recorded) == len(list(recorded))
    assert recorded["max_depth"] == 2
    assert ID3(max_depth=2).grower() == ID3(max_depth=2).grower() != ID3().grower()


@pytest.mark.parametrize(
    "options",
    [
        ("c45", "slack", "-1"), ("c45", "cut_gap", "-1"), ("optimal", "alpha", "-1"),
        ("cart", "priors", '{"no":-1,"yes":1}'), ("cart", "loss", '{"no":{"yes":-1}}'),
        ("cart", "loss", '{"no":{"no":5,"yes":1}}'),
    ],
)  # fmt: skip
def test_a_negative_amount_is_refused_in_a_line(
    options: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    learner, name, value = options
    assert (
        main(["grow", "golf" if learner != "optimal" else "loan", "--learner", learner, "--option", name, value]) == 2
    )
    assert capsys.readouterr().err.count("\n") == 1


USES = """
import reference_tree as rt
table = rt.textbook("play-tennis")
tree = rt.ID3().grow(table)
rt.audit(tree, table, rt.ID3())
rt.CART(criterion="gini", branching="linear", missing="branch")
tree.save("tree.json")
import sqlite3
stored = rt.sql(sqlite3.connect("days.db"), "SELECT * FROM days")
tree.check(stored)
tree.predict(stored)
rt.explain(rt.prune(tree, "reduced-error", stored, validation=stored, order="best-first"), stored)
rt.to_sql(tree, "mysql")
rt.select(rt.CART(), table, max_depth=[1, 2])
"""
WRONG_USES = (
    'rt.CART(criterion="ginni")',
    'rt.CART(branching="x")',
    "tree.save(3)",
    'rt.prune(tree, "reduced-eror")',
    'rt.prune(tree, "error-based", limit="normall")',
    'rt.to_sql(tree, "mysq")',
)


@pytest.mark.slow
def test_mypy_takes_right_uses_and_refuses_wrong_ones(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path, root = tmp_path / "uses.py", Path(__file__).parents[2]
    path.write_text(USES + "\n".join(WRONG_USES) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(path)]
    found = {**os.environ, "MYPYPATH": str(root)}
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env=found)
    lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
    first = USES.count("\n") + 1
    assert lines == list(range(first, first + len(WRONG_USES))), done.stdout + done.stderr
