"""Derivations by family: prunings, ensembles, votes, paths of rows, linear tests, intervals, random tables.

A case is a function that gives the pages of derivations, each with the table whose figures it may take as given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random
from typing import Any, TypeAlias

import reference_tree as rt
from reference_tree.data.textbook import textbook
from reference_tree.ensembles.registry import ensemble_learner_of
from reference_tree.pruning.choosing_alpha import choose
from reference_tree.pruning.error_based import ErrorBased
from reference_tree.pruning.pre_pruning import PrePruning
from reference_tree.pruning.record import perform
from reference_tree.routing import rows_reaching
from reference_tree.selection.cross_validation import folds
from reference_tree.tree import Tree
from reference_tree.views.derivation.blocks import digits_of, heading, path_of
from reference_tree.views.derivation.ensembles import explained_round
from reference_tree.views.derivation.explain import explain, explain_discretization
from reference_tree.views.derivation.prunings import derive_pruning
from reference_tree.views.derivation.writers import page
from tests.views.pruned import BEST_FIRST, BOTTOM_UP, RECORDS, TRAINING, VALIDATION, ZHOU

MIDDLE = 20
"""The number of rows up to which all pairs may be the two middle ones, of which a median is the mean."""
Derivation: TypeAlias = Iterator[tuple[str, rt.Table]]
Case: TypeAlias = Callable[[], Derivation]


def random_table(seed: int, rows: int = 12, *, number: bool = False, gaps: bool = True) -> rt.Table:
    """Categories, numbers, fractions, dates as text; with gaps, weights and three classes, or a number to predict."""
    drawn = Random(seed)

    def column(cell: Callable[[], Any]) -> list[Any]:
        missing = drawn.choice([0, 0, 20]) * gaps
        return [None if drawn.randrange(100) < missing else cell() for _ in range(rows)]

    weights = seed % 3 == 1
    columns = {
        "a": column(lambda: drawn.choice("pqr")),
        "b": column(lambda: drawn.choice(["yes", "no"])),
        "x": column(lambda: drawn.randrange(6)),
        "z": column(lambda: Fraction(drawn.randrange(40), 8)),
        "d": column(lambda: f"2026-01-0{drawn.randrange(1, 5)}"),
        **({"w": [drawn.choice([1, 1, 2, Fraction(1, 2)]) for _ in range(rows)]} if weights else {}),
        "y": [drawn.randrange(1, 9) if number else drawn.choice("klm"[: 2 + seed % 2]) for _ in range(rows)],
    }
    continuous = ["x", "z", *["y"] * number]
    return rt.Table.from_columns(
        columns, weights="w" if weights else None, continuous=continuous, categorical=["a", "b", *["y"] * (not number)]
    )


def nodes_of(tree: Tree) -> str:
    """The rows at each node of the tree that a pruning begins with."""
    return page((heading(tree, number) for number in range(len(tree.nodes))), "text")


def held_out(tree: Tree, held: rt.Table) -> str:
    """What a reader counts in the rows that are held out: the errors of each node as a leaf, and of the tree."""
    name, weights = tree.target.name, held.weighted()

    def error(row: int, answer: Any) -> Fraction:
        truth = list(held.rows())[row][name]
        wrong = Fraction(truth != answer) if isinstance(answer, str) else (Fraction(truth) - Fraction(answer)) ** 2  # type: ignore[arg-type]
        return wrong * Fraction(weights[row])

    seen = tree.seen(held)
    places = list(rows_reaching(tree.nodes, seen))
    errors = [
        sum(Fraction(at.shares.get(row, 1)) * error(row, tree.nodes[at.number].label) for row in at.rows)
        for at in places
    ]
    below = [
        sum(
            Fraction(at.shares.get(row, 1)) * error(row, tree.nodes[at.number].label)
            for at in places
            if path_of(tree, at.number).startswith(path_of(tree, top))
            for row in at.ending
        )
        for top in range(len(tree.nodes))
    ]
    return f"\n{' '.join(map(str, [*errors, *below]))}\n"


def sums_of(tree: Tree, table: rt.Table) -> str:
    """What a reader adds up in the numbers of the rows at a node, of those that answer a question, and of a median."""
    if tree.target.values is not None:
        return ""
    rows, weights = list(table.rows()), [Fraction(weight) for weight in table.weighted()]
    numbers = [Fraction(row[table.schema.target.name]) for row in rows]  # type: ignore[arg-type]
    found = {*numbers, *map(Fraction, range(3, len(rows)))}
    found |= {(a + b) / n for a in numbers for b in numbers for n in (1, 2)} if len(rows) <= MIDDLE else set()
    for at in rows_reaching(tree.nodes, table):
        for name in ("", *(one.name for one in table.schema.attributes)):
            here = [row for row in at.rows if not name or rows[row][name] is not None]
            shares = [weights[row] * Fraction(at.shares.get(row, 1)) for row in here]
            found |= {
                sum((w * numbers[row] ** k for w, row in zip(shares, here, strict=True)), Fraction(0)) for k in range(3)
            }
    return f"\n{' '.join(str(abs(one)) for one in found)}\n"


def grown(learner: Any, *tables: rt.Table) -> Derivation:
    """A tree, worked out."""
    for table in tables:
        tree = learner.grow(table)
        yield sums_of(tree, table) + explain(tree, table, every=True), table


def pruned(learner: Any, record: Mapping[str, Any], *tables: rt.Table, held: rt.Table | None = None) -> Derivation:
    """A pruning, worked out."""
    for table in tables:
        tree = learner.grow(table)
        act = perform(tree, record, table, held)
        errors = "" if held is None else held_out(tree, held)
        yield (
            nodes_of(tree) + errors + page(derive_pruning(act), "text", digits_of(tree)),
            held or table,
        )


def chosen(learner: Any, *tables: rt.Table, **options: Any) -> Derivation:
    """The choice of α by cross-validation, fold by fold, and the pruning by it."""
    for table in tables:
        choice = choose(learner.grow, table, folds(table, 3, seed=1), **options)
        alpha = choice.path.steps[choice.chosen].alpha
        record = {"method": "cost-complexity", "profile": "cart-1984", "alpha": str(alpha), **options}
        record.pop("standard_errors", None)
        tree = learner.grow(table)
        yield (
            nodes_of(tree) + page(derive_pruning(perform(tree, record, table), choice), "text", digits_of(tree)),
            table,
        )


def pre_pruned(learner: Any, table: rt.Table, held: rt.Table, *ties: str) -> Derivation:
    """A tree that validation rows stopped."""
    for on_equal in ties:
        tree = PrePruning(learner, on_equal).grow(table, held)  # type: ignore[arg-type]
        yield sums_of(tree, table) + explain(tree, table, validation=held, every=True), table


def rounds(learner: Any, *tables: rt.Table, votes: int = 2) -> Derivation:
    """The rounds of an ensemble, and its prediction for some rows."""
    for table in tables:
        ensemble = learner.grow(table)
        decided = ensemble_learner_of(ensemble.grower).decided(ensemble, table)
        for number, (_, rows) in enumerate(decided, 1):
            sums = sums_of(ensemble.members[number - 1].tree, rows) if isinstance(rows, rt.Table) else ""
            digits = digits_of(ensemble.members[number - 1].tree)
            yield sums + page(explained_round(ensemble, table, number), "text", digits), table
        for row in islice(table.rows(), votes):
            yield rt.explain_votes(ensemble, row, unseen="majority"), table


def paths(learner: Any, *tables: rt.Table) -> Derivation:
    """The paths of the rows of a table, and of the same rows with a value less."""
    for table in tables:
        tree = learner.grow(table)
        for number, row in enumerate(table.rows()):
            names = [one.name for one in table.schema.attributes]
            gone = {names[number % len(names)]: None, names[(number + 1) % len(names)]: None}
            for asked in (row, {**row, **gone}):
                yield nodes_of(tree) + rt.explain_prediction(tree, asked, unseen="majority"), table


def intervals(how: str, *tables: rt.Table) -> Derivation:
    """The intervals of the numbers of a table."""
    for table in tables:
        for one in table.schema.attributes:
            if one.kind == "continuous":
                yield explain_discretization(table, one.name, how), table


GOLF, TENNIS, CATS, LOAN = map(textbook, ("golf", "play-tennis", "cats", "loan"))
MELON, LENSES, GAPS = map(textbook, ("watermelon-3.0", "contact-lenses", "watermelon-2.0a"))
NUMBERS = tuple(map(textbook, ("li-hang-5.2", "li-hang-8.2", "cats-regression")))
HEAVY = textbook("cats").predicting("weight")
HELD = tuple(textbook(name) for name in ("watermelon-2.0-train",))
WHOLE = tuple(random_table(seed, gaps=False) for seed in range(3))
CLASSES = tuple(map(random_table, range(3)))
AMOUNTS = tuple(random_table(seed, number=True) for seed in range(3))


def named(record: Mapping[str, Any]) -> str:
    return "-".join(str(value).replace("/", "-") for value in record.values())


METHODS: dict[str, dict[str, Any]] = {named(record): record for record in RECORDS}
MORE_METHODS: dict[str, dict[str, Any]] = {
    named(record): record
    for record in (
        {"method": "error-based", "profile": "weka-j48", "confidence": "1/4", "limit": "normal", "raising": True},
        {"method": "error-based", "profile": "c45-r8", "confidence": "1/7", "limit": "table", "raising": True},
        {"method": "critical-value", "critical_value": "1/9", "measure": "gain_ratio"},
        {"method": "cost-function", "alpha": "1/3"},
    )
}
SPREAD: dict[str, Any] = {"method": "cost-complexity", "profile": "cart-1984", "alpha": "1/7"}
BASES: dict[str, Any] = {"id3": rt.ID3(), "c45": rt.C45(), "cart": rt.CART()}
STUMP = rt.GradientTree(max_depth=1)

FAMILIES: dict[str, dict[str, Case]] = {
    "prunings": {
        **{
            name: partial(pruned, ZHOU, record, TRAINING, held=VALIDATION)
            for name, record in METHODS.items()
            if record.get("profile") != "rpart"
        },
        **{
            f"c45-{name}": partial(pruned, rt.C45(), record, GOLF, GAPS, *CLASSES)
            for name, record in (METHODS | MORE_METHODS).items()
            if record["method"] not in ("reduced-error", "critical-value") and record.get("profile") != "rpart"
        },
        "binomial": partial(
            pruned,
            rt.C45(),
            {"method": "error-based", **ErrorBased(confidence=Fraction(1, 10), raising=False).options()},
            GOLF,
            LENSES,
            MELON,
        ),
        "c45-critical-value": partial(
            pruned,
            rt.C45(),
            {"method": "critical-value", "critical_value": "1/9", "measure": "ratio"},
            GOLF,
            GAPS,
            *CLASSES,
        ),
        "cart-critical-value": partial(
            pruned,
            rt.CART(),
            {"method": "critical-value", "critical_value": "1/9", "measure": "gini_decrease"},
            GOLF,
            MELON,
            *CLASSES,
        ),
        "numbers": partial(pruned, rt.CART(), SPREAD, *NUMBERS, HEAVY, *AMOUNTS),
        "numbers-rpart": partial(pruned, rt.CART(), {**SPREAD, "profile": "rpart"}, *NUMBERS, HEAVY, *AMOUNTS),
        **{
            f"numbers-held-out-{record['order']}": partial(pruned, rt.CART(), record, NUMBERS[1], held=NUMBERS[0])
            for record in (BOTTOM_UP, BEST_FIRST)
        },
        **{
            f"random-held-out-{record['order']}-{seed}": partial(
                pruned,
                rt.CART(),
                record,
                random_table(seed, 16, number=seed > 2),
                held=random_table(seed, number=seed > 2),
            )
            for record in (BOTTOM_UP, BEST_FIRST)
            for seed in (1, 2, 3, 4)
        },
        "costs": partial(pruned, rt.CART(priors={"yes": Fraction(1, 3), "no": Fraction(2, 3)}), SPREAD, GOLF, TENNIS),
        "scikit-learn": partial(
            pruned, rt.CART.like("scikit-learn"), {**SPREAD, "profile": "scikit-learn"}, NUMBERS[0], textbook("iris")
        ),
        "pre-pruning": partial(pre_pruned, rt.ID3(), TRAINING, VALIDATION, "stop", "split"),
        "pre-pruning-numbers": partial(pre_pruned, rt.CART(), NUMBERS[1], NUMBERS[0], "stop", "split"),
        "pre-pruning-random": partial(pre_pruned, rt.C45(), random_table(1), random_table(1, 7), "stop", "split"),
    },
    "selection": {
        "gini": partial(chosen, rt.CART(), MELON, TENNIS, *CLASSES, risk="gini"),
        "errors": partial(chosen, rt.CART(), GOLF, MELON, GAPS, *CLASSES, standard_errors=Fraction(1, 2)),
        "entropy": partial(chosen, rt.C45(), MELON, TENNIS, *CLASSES, risk="entropy"),
        "rpart": partial(chosen, rt.CART.like("rpart"), MELON, textbook("iris"), profile="rpart"),
        "numbers": partial(chosen, rt.CART(), *NUMBERS, *AMOUNTS),
    },
    "ensembles": {
        "bagging": partial(rounds, rt.Bagging(trees=2, base=rt.ID3()), TENNIS, LENSES),
        "bagging-numbers": partial(rounds, rt.Bagging(trees=2, base=rt.CART()), *NUMBERS, *AMOUNTS),
        "bagging-random": partial(rounds, rt.Bagging(trees=2, base=rt.C45(), combine="mean"), GAPS, *CLASSES),
        **{
            f"forest-{name}": partial(
                rounds,
                rt.RandomForest(trees=2, base=base, seed=3),
                *([TENNIS] if name == "id3" else [GOLF, GAPS, *CLASSES]),
            )
            for name, base in BASES.items()
        },
        "forest-numbers": partial(rounds, rt.RandomForest(trees=2, base=rt.CART(), seed=3), HEAVY, *AMOUNTS),
        "adaboost": partial(rounds, rt.AdaBoost(trees=4), textbook("li-hang-8.1"), TENNIS, *CLASSES[::2]),
        "adaboost-samme": partial(rounds, rt.AdaBoost(trees=4, algorithm="samme"), LENSES, TENNIS, *CLASSES),
        "adaboost-rate": partial(rounds, rt.AdaBoost(trees=3, rate=Fraction(1, 2)), textbook("li-hang-8.1")),
        "adaboost-resample": partial(rounds, rt.AdaBoost(trees=3, resample=True), textbook("li-hang-8.1"), LOAN),
        "boosting-tree": partial(rounds, rt.BoostingTree(trees=3), *NUMBERS, *AMOUNTS),
        "boosting-tree-deep": partial(rounds, rt.BoostingTree(trees=2, base=rt.CART(max_depth=2)), *NUMBERS, *AMOUNTS),
        "gradient": partial(rounds, rt.GradientBoosting(trees=3), *NUMBERS, *AMOUNTS),
        "gradient-plain": partial(
            rounds,
            rt.GradientBoosting(trees=2, base=rt.GradientTree(max_depth=1, reg_lambda=0, rate=1, grid=None)),
            *NUMBERS,
        ),
        "gradient-alpha": partial(rounds, rt.GradientBoosting(trees=2, base=rt.GradientTree(reg_alpha=1)), *NUMBERS),
        "gradient-two": partial(rounds, rt.GradientBoosting(trees=3), TENNIS, GAPS, LOAN, CLASSES[0], CLASSES[2]),
        "gradient-classes": partial(rounds, rt.GradientBoosting(trees=2), LENSES, CLASSES[1], random_table(7)),
        "gradient-subsample": partial(
            rounds, rt.GradientBoosting(trees=2, subsample=Fraction(1, 2), seed=2), TENNIS, NUMBERS[0]
        ),
    },
    "linear": {
        **{
            search: partial(
                grown, rt.CART(branching="linear", search=search, max_depth=2), textbook("watermelon-3.0a"), CATS, LOAN
            )
            for search in ("cart-lc", "oc1", "lda", "exhaustive")
        },
        "numbers": partial(grown, rt.CART(branching="linear", search="cart-lc", max_depth=1), *NUMBERS, HEAVY),
        "random": partial(grown, rt.CART(branching="linear", search="cart-lc", max_depth=1), *WHOLE),
    },
    "paths": {
        **{name: partial(paths, base, TENNIS) for name, base in BASES.items() if name != "id3"},
        "c45-gaps": partial(paths, rt.C45(), GAPS, GOLF, *CLASSES),
        "cart-gaps": partial(paths, rt.CART(), GAPS, GOLF, *CLASSES),
        "fractions": partial(paths, rt.CART(missing="fractions"), GAPS, GOLF, *CLASSES),
        "numbers": partial(paths, rt.CART(missing="fractions"), *NUMBERS, HEAVY, *AMOUNTS),
        "linear": partial(
            paths, rt.CART(branching="linear", search="cart-lc", max_depth=2), textbook("watermelon-3.0a"), CATS
        ),
        "costs": partial(
            paths,
            rt.CART(
                missing="fractions",
                priors={"yes": Fraction(1, 3), "no": Fraction(2, 3)},
                loss={"yes": {"no": 3}, "no": {"yes": 1}},
            ),
            GOLF,
        ),
    },
    "intervals": {
        how.partition(":")[0]: partial(intervals, how, GOLF, MELON, textbook("iris"), *CLASSES[::2])
        for how in ("entropy", "equal-width:3", "1, 5/2")
    },
    "random": {
        **{
            f"{name}-{seed}": partial(grown, learner, random_table(seed, 14))
            for name, learner in {
                "c45": rt.C45(),
                "c45-r8": rt.C45.like("c45-r8"),
                "weka-j48": rt.C45.like("weka-j48"),
                "cart": rt.CART(),
                "cart-fractions": rt.CART(missing="fractions"),
                "cart-better-side": rt.CART(missing="better-side"),
                "cart-entropy": rt.CART(criterion="entropy"),
                "cart-twoing": rt.CART(criterion="twoing"),
            }.items()
            for seed in range(6)
        },
        **{
            f"numbers-{criterion}-{seed}": partial(
                grown, rt.CART(criterion=criterion), random_table(seed, 12, number=True)
            )
            for criterion in ("squared_error", "variance_n_minus_1", "absolute_error")
            for seed in range(4)
        },
    },
}
