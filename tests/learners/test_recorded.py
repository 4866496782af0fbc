"""Descriptions of options: everything that tells of an option reads it off its one description."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, get_args, get_type_hints

import pytest

import reference_tree as rt
from reference_tree.cli import main
from reference_tree.cli.arguments import parser
from reference_tree.cli.options import flag
from reference_tree.data.errors import InputError, option
from reference_tree.ensembles.registry import ENSEMBLES, RECORDED
from reference_tree.learners import registry
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.gradient_tree import GradientTree
from reference_tree.learners.id3 import ID3
from reference_tree.learners.optimal import Optimal
from reference_tree.learners.options import Options, Profile
from reference_tree.learners.recorded import NUMBER, Conflict, Domain, Recorded, described, number, whole, word
from reference_tree.programs.boosters import BoosterParameters
from reference_tree.pruning.error_limits import LIMITS
from reference_tree.pruning.method import methods
from reference_tree.pruning.prune import LimitName, MethodName, RiskName
from reference_tree.pruning.record import perform
from reference_tree.pruning.risks import RISKS
from reference_tree.views.trees.languages import DIALECTS, DialectName
from tests.every import of_every


@dataclass(frozen=True, kw_only=True)
class Invented(ID3):
    """ID3 with an option that nobody has: everything that tells of options reads it off this one description."""

    name: ClassVar[str] = "invented"
    spells_dialects = True
    widest: ClassVar[type[Options] | None] = None
    profiles: ClassVar[dict[str, Profile]] = {}

    patience: int = described(3, whole(1, 9), "how long it waits. It never does", unit="days", flag=True)


def test_an_option_costs_one_description(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The flag, its help, the check, the member of a document, the docstring and the row of the page follow from it."""
    monkeypatch.setattr(registry, "LEARNERS", known := {**registry.LEARNERS, "invented": Invented})
    for module in ("cli.options", "cli.learning"):
        monkeypatch.setattr(f"reference_tree.{module}.LEARNERS", known)
    parser.cache_clear()
    try:
        run = ["grow", "play-tennis", "--learner", "invented", "--format", "json", "--patience"]
        assert main([*run, "5"]) == 0
        assert json.loads(capsys.readouterr().out)["learner"]["options"]["patience"] == 5
        assert main([*run, "10"]) == 2
        assert "--patience 10: it is a whole number from 1 to 9, not 10" in capsys.readouterr().err
        with pytest.raises(SystemExit):
            main(["grow", "--help"])
        assert "--patience DAYS how long it waits (default: 3)" in " ".join(capsys.readouterr().out.split())
    finally:
        parser.cache_clear()
    assert Invented.of(Invented(patience=2).grower().options) == Invented(patience=2)
    assert "\n    patience: how long it waits. It never does.\n" in str(Invented.__doc__)
    row = Invented.of_dialects()["patience"]  # of the page of options
    assert (row.words, row.domain.listed, row.usual) == (
        "how long it waits. It never does",
        "a whole number from 1 to 9",
        3,
    )


@pytest.mark.parametrize("learner", [*registry.LEARNERS.values(), *registry.FITTED.values(), *ENSEMBLES.values()])
def test_an_option_has_one_range_by_every_way_of_giving_it(
    learner: type[Recorded], capsys: pytest.CaptureFixture[str]
) -> None:
    """In Python, in a document, by its flag and by its name."""
    is_ensemble = learner in ENSEMBLES.values()
    grower = "gradient" if learner is GradientTree else learner.name
    kind = ["--ensemble" if is_ensemble or learner is GradientTree else "--learner", grower]
    for name, one in learner.options().items():
        if one.domain.form != "number":
            continue
        below = "-0.000001"
        try:
            one.domain.read(below)
        except ValueError:
            assert name != "base_score"
        else:
            assert name == "base_score"
            continue
        with pytest.raises(ValueError, match=f"{option(name)}: it is a number "):
            learner(**{name: Fraction(below)})
        with pytest.raises(ValueError, match=f"{name}: it is a number "):
            learner.read({**learner().written(), name: below})
        ways = [["--ensemble-option" if is_ensemble else "--option", name, below]]
        for way in [*ways, [f"{flag(name)}={below}"]] if one.flag else ways:
            with suppress(SystemExit):
                assert main(["grow", "cats-regression", *kind, *way]) == 2
            assert "it is a number " in capsys.readouterr().err


@of_every([C45, CART, ID3, Optimal, GradientTree, *ENSEMBLES.values()])
def test_the_docstring_of_a_class_lists_its_options(learner: type[Recorded]) -> None:
    for name, one in learner.options().items():
        assert f"\n    {name}: {one.words.split()[0]}" in str(learner.__doc__)
    assert str(learner.__doc__).count("Args:") == 1


@of_every([CART, Optimal, GradientTree, *ENSEMBLES.values()])
def test_types_know_the_words_of_an_option(learner: type[Recorded]) -> None:
    """A type checker and the check at run time take the same words."""
    hints = get_type_hints(learner)
    for name, one in learner.options().items():
        if not isinstance(one.domain.values, str):
            assert set(_literals(hints[name])) == set(one.domain.values), name


def _literals(hint: Any) -> list[str]:
    """The words of a Literal, or of a union of some."""
    return [word for part in get_args(hint) for word in ([part] if isinstance(part, str) else _literals(part))]


def test_types_know_the_names_of_prunings_and_of_dialects_of_sql() -> None:
    assert set(get_args(MethodName)) == set(methods())
    assert set(get_args(LimitName)) == set(LIMITS)
    assert set(get_args(RiskName)) == set(RISKS)
    assert set(get_args(DialectName)) == set(DIALECTS)


@dataclass(frozen=True, kw_only=True)
class Pair(Recorded):
    """Two numbers."""

    name: ClassVar[str] = "pair"
    conflicts = (
        Conflict(("low", "high"), lambda pair: pair.low > pair.high, lambda pair: f"{pair.low} is above {pair.high}"),
    )

    low: int = described(0, whole(0), "the lower number")
    high: int = described(9, whole(0), "the higher number", after="name_of")
    name_of: str = described("both", word("both", "none"), "what they are called")


def test_options_that_exclude_each_other_are_refused_when_they_are_given() -> None:
    assert Pair(low=9).high == 9
    with pytest.raises(InputError, match="9 is above 1"):
        Pair(low=9, high=1)
    with pytest.raises(InputError, match="twoing compares two sides; say branching='subset'"):
        CART(criterion="twoing", branching="multiway")
    with pytest.raises(InputError, match="search='oc1' is for linear tests; say branching='linear', too"):
        CART(search="oc1")


def test_a_restated_option_says_what_differs_and_inherits_the_rest() -> None:
    plain, cart = Options.options()["min_samples_split"], CART.options()["min_samples_split"]
    assert (plain.default, cart.default) == (0, 2)
    assert cart == plain._replace(default=2)
    assert list(Pair.options()) == ["low", "name_of", "high"]


def test_a_default_is_a_value_of_its_domain() -> None:
    with pytest.raises(ValueError, match="it is a whole number from 1, not 0"):
        described(0, whole(1), "how often")
    assert number(or_none=True).read(None) is None
    assert NUMBER.read("1/3") * 3 == 1


BASE: dict[str, Any] = {"name": "cart", "profile": None, "options": dict(CART().grower().options)}
STRANGE: list[Any] = [
    None, True, 0, -1, 2, 1.5, float("nan"), "", "x", "1/2", "1/0", "12", [], {}, [1], ["x"], [[1]], {"a": 1}, (1, 2),
    {"a": "12"}, {"a": []}, {"a": {"b": "1"}}, {"at": 1}, {"at": {"/": 1}}, {"at": {"/": {"choose": 1, "other": 2}}},
    {"at": []}, {1: 2}, {"name": 1, "options": []}, 10**400, object(),
]  # fmt: skip
WRONG: list[Any] = [None, 1, [], {}, "x", {"x": 1}]
STRANGE += [{**BASE, name: strange} for name in BASE for strange in WRONG]


@of_every(
    {
        id(option.domain): option.domain
        for kinds in (
            *(learner.of_dialects().items() for learner in RECORDED.values()),
            *(method.options.items() for method in methods().values()),
            BoosterParameters.options().items(),
        )
        for _, option in kinds
    }.values()
)
def test_a_domain_refuses_what_is_no_value_with_a_value_error_alone(domain: Domain) -> None:
    """So that another error is a mistake of the program, and is not taken for a value that an option cannot have."""
    for value in STRANGE:
        for way in (domain.check, domain.read):
            with suppress(ValueError):
                way(value)


def test_an_error_of_the_program_is_not_taken_for_a_wrong_option(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, written = rt.CART().grow(rt.textbook("golf")), dict(rt.CART().grower().options)

    def mistaken(*_: Any, **__: Any) -> Any:
        raise KeyError("a mistake of the program")

    monkeypatch.setattr(rt.CART, "__post_init__", mistaken)
    with pytest.raises(KeyError, match="a mistake of the program"):
        rt.CART.of(written)
    monkeypatch.setattr("reference_tree.pruning.cost_function.rational", mistaken)
    with pytest.raises(KeyError, match="a mistake of the program"):
        perform(tree, {"method": "cost-function", "alpha": "1"})


BY_ERRORS = {"method": "error-based", "profile": None, "confidence": "1/4", "limit": "table", "raising": True}


@of_every(
    [
        ({"method": "cost-function"}, "the option 'alpha' is absent"),
        ({"method": "cost-function", "alpha": [1]}, "the option 'alpha' cannot be"),
        ({"method": "error-based", "profile": None, "confidence": "x", "limit": "table", "raising": True}, "x"),
        (
            {"method": "error-based", "profile": None, "confidence": "1/4", "limit": {}, "raising": True},
            "the option 'limit' cannot be {}",
        ),
        ({"method": "error-based", "profile": None, "confidence": "1/4", "limit": "tables", "raising": True}, "tables"),
        ({"method": "reduced-error", "order": True, "on_equal": "prune"}, "no order True"),
        ({"method": "cost-complexity", "profile": "cart-1984", "alpha": 3}, "the option 'alpha' cannot be 3"),
        ({"method": "cost-complexity", "profile": "nobody", "alpha": "3"}, "nobody"),
        ({"method": "cost-complexity", "profile": None, "risk": "nothing", "alpha": "3"}, "nothing|None"),
        ({"method": "critical-value", "critical_value": "1", "measure": "nothing"}, "nothing"),
        ({"method": "minimum-error", "m": None}, "the option 'm' cannot be None"),
    ]
)
def test_a_record_of_a_pruning_that_cannot_be_is_one_line(record: dict[str, Any], told: str) -> None:
    tree = rt.CART().grow(rt.textbook("golf"))
    with pytest.raises(rt.InputError, match=told):
        perform(tree, record, rt.textbook("golf"))
