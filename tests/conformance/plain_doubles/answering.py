"""Answering a golden: from its prompt to an answer in the shape of what is expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.conformance.plain_doubles import bagging, boosting, drawing, formulas, gradients, predicting, pruning, trees
from tests.conformance.plain_doubles.growing import Learner
from tests.conformance.plain_doubles.programs import learner_of
from tests.conformance.plain_doubles.rows import Data, Node, Question, number

USUAL: Mapping[str, Mapping[str, Any]] = {
    "c45": {
        "branching": "multiway", "branch_minimum": "every", "cut_minimum": "same", "cut_gap": "0", "penalty": "none",
        "cut_gain": "any", "zero_gain": "splits", "split_information": "of-known", "least_split_information": "0",
        "threshold": "midpoint", "slack": "0", "missing": "fractions", "collapse": "never",
    },
    "cart": {"losses": "altered-priors", "search": "exhaustive"},
}  # fmt: skip
"""The options that have to be as they usually are, unless C4.5 is that of a program: this learner knows no others."""

UNKNOWN: Mapping[str, Any] = {"rate": "1", "class_start": "even"}
"""The options of boosting that it does not know, each with what does nothing."""

OF_GRADIENTS: Mapping[str, Sequence[Any]] = {
    "min_samples_split": ("0",), "min_samples_leaf": ("0",), "reg_alpha": ("0",), "grid": (48, None),
    "threshold": ("at-most", "below"),
}  # fmt: skip
"""The values of options of a gradient tree that it knows, the usual one first."""

OF_CART: Mapping[str, Sequence[Any]] = {
    "cuts": (None,), "merge_leaves": (False,), "subsets": ("best", "ordered"), "losses": ("altered-priors",),
    "missing": ("surrogates", "fractions", "branch", "stay", "better-side", "given"),
}  # fmt: skip
"""Those of CART."""

PRUNED: Mapping[str, Mapping[str, Any]] = {
    "cost-complexity": {"profile": ("cart-1984",)},
    "error-based": {"limit": ("table", "binomial")},
}
"""The values of options of pruning that it knows, where it does not know all."""

MOST_VALUES = 10
"""Of an attribute whose subsets are tried: with more it takes too long."""


def claims(golden: Mapping[str, Any]) -> bool:
    """Whether this learner says that it can answer a golden."""
    if golden["kind"] == "formula":
        return golden["formula"] in FORMULAS
    if golden["kind"] not in KINDS or golden["kind"] == "draws":
        return str(golden["kind"]) == "draws"
    learner = golden["learner"]
    if any(learner["options"].get(key, value) != value for key, value in UNKNOWN.items()):
        return False
    if learner["name"] == "gradient" and not knows_loss(learner["options"]["loss"], golden["data"]):
        return False
    if golden["kind"] in ("rounds", "ensemble"):
        learner = learner["options"]["base"]
    if learner["name"] == "optimal":
        return True
    if learner["name"] == "gradient-tree":
        return all(learner["options"].get(key, values[0]) in values for key, values in OF_GRADIENTS.items())
    if learner["name"] not in ("id3", "c45", "cart"):
        return False
    name, options = learner["name"], learner["options"]
    is_program = options.get("contenders") == "near-average"
    if not is_program and any(options[key] != value for key, value in USUAL.get(name, {}).items()):
        return False
    if golden["kind"] == "prune" and not knows(golden["pruning"], golden["data"]):
        return False
    if golden["kind"] in ("prune", "predict") and any(options.get(key) for key in ("priors", "loss")):
        return False
    if golden["kind"] == "predict":
        options = {**options, "missing": "given"}  # in the tree
    if name == "cart" and any(options.get(key, values[0]) not in values for key, values in OF_CART.items()):
        return False
    return name != "cart" or knows_questions(golden["data"], options, golden.get("rows", []))


def knows_loss(loss: str, data: Mapping[str, Any]) -> bool:
    """Whether this learner knows a loss of gradient boosting: the one that the target has by itself."""
    (target,) = [column for column in data["columns"] if column["name"] == data["target"]]
    own = {0: "squared_error", 2: "logistic"}.get(len(target.get("values", ())), "softmax")
    return loss in ("auto", own)


def knows(pruning: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether this learner knows a way of pruning; numbers it prunes by cost-complexity alone."""
    (target,) = [column for column in data["columns"] if column["name"] == data["target"]]
    known = PRUNED.get(pruning["method"], {})
    return ("values" in target or pruning["method"] == "cost-complexity") and all(
        pruning[key] in values for key, values in known.items()
    )


def knows_questions(data: Mapping[str, Any], options: Mapping[str, Any], rows: Sequence[Sequence[str]]) -> bool:
    """Whether this learner can ask what CART asks: no program's surrogates, no long sums, and not too many sets."""
    names = [column["name"] for column in data["columns"] if column["name"] != data["target"]]
    places = [place for place, column in enumerate(data["columns"]) if column["name"] in names]
    has_gaps = any(row[place] == "" for row in (*data["rows"], *rows) for place in places)
    has_sets = any(len(column.get("values") or ()) > MOST_VALUES for column in data["columns"])
    has_many = any(len(column.get("values") or ()) > 2 for column in data["columns"])
    return (
        not (options["branching"] == "linear" and (len(names) > 2 or has_many))
        and not (has_gaps and options["missing"] == "surrogates" and options["agreement"] != "both-known")
        and not (has_sets and options["branching"] == "subset")
    )


def answer(golden: Mapping[str, Any]) -> Any:
    """The answer to a golden that this learner claims."""
    return KINDS[golden["kind"]](golden)


def grown(golden: Mapping[str, Any]) -> tuple[Learner, list[Node]]:
    """The tree that is asked for."""
    learner = learner_of(golden["learner"]["name"], golden["learner"]["options"], Data.read(golden["data"]))
    return learner, learner.grow()


def nodes_json(nodes: Sequence[Node], classes: Sequence[str] | None) -> list[dict[str, Any]]:
    """The nodes as a tree document has them."""
    return [node_json(place, node, classes) for place, node in enumerate(nodes)]


def node_json(place: int, node: Node, classes: Sequence[str] | None) -> dict[str, Any]:
    """A node as a tree document has it."""
    if classes is not None:
        found: dict[str, Any] = {
            "id": place,
            "counts": dict(zip(classes, node.total, strict=True)),
            "label": node.label,
        }
    else:
        found = {"id": place, "n": node.total[0], "mean": node.label}
        if len(node.total) > 1:  # it was grown here: whichever of the two its criterion asks for
            found["median"] = node.label
    if node.asks is None:
        return {**found, "stop": node.stop, **({"prior": True} if node.prior else {})}
    branches = [
        {"when": outcome, "to": to, **({} if node.shares is None else {"share": node.shares[which]})}
        for which, (outcome, to) in enumerate(zip(node.asks.outcomes, node.branches, strict=True))
    ]
    found |= {"test": node.asks.test, "branches": branches}
    if node.missing is not None:
        rule = "surrogates" if node.surrogates else node.missing["rule"]
        to = {"to": node.branches[node.missing["to"]]} if "to" in node.missing else {}
        found["missing"] = {"rule": rule, **to}
    if node.surrogates:
        found["surrogates"] = [surrogate_json(node, asks, means) for asks, means in node.surrogates]
    return found


def surrogate_json(node: Node, asks: Question, means: Sequence[int]) -> dict[str, Any]:
    """A question that stands in, as a tree document has it."""
    ways = zip(asks.outcomes, means, strict=True)
    branches = [{"when": outcome, "to": node.branches[place]} for outcome, place in ways]
    return {"test": asks.test, "branches": branches, "agreement": asks.scores["agreement"]}


def decided(golden: Mapping[str, Any]) -> Any:
    """A split or a tree."""
    learner, nodes = grown(golden)
    decisions = [node.decision for node in nodes]
    if golden["kind"] == "split":
        return {"decisions": decisions[:1]}
    return {"decisions": decisions, "tree": nodes_json(nodes, learner.classes)}


def predicted(golden: Mapping[str, Any]) -> Any:
    """What a tree that is given says of some rows."""
    data = Data.read(golden["data"])
    classes = data.domains[data.target]
    nodes = trees.read(golden["tree"], classes)
    rows = [data.row(data.domains, row) for row in golden["rows"]]
    return {"predictions": [predicting.answer(nodes, row, classes) for row in rows]}


def pruned(golden: Mapping[str, Any]) -> Any:
    """A pruning of a tree that is given."""
    return pruning.pruned(golden, nodes_json)


def in_rounds(golden: Mapping[str, Any]) -> Any:
    """The rounds of boosting."""
    is_by_weights = golden["learner"]["name"] == "adaboost"
    return (boosting.rounds if is_by_weights else boosting.residual_rounds)(golden, nodes_json)


def together(golden: Mapping[str, Any]) -> Any:
    """An ensemble, and what it answers."""
    if golden["learner"]["name"] == "gradient":
        return gradients.ensemble(golden)
    return bagging.ensemble(golden, nodes_json)


def measured(golden: Mapping[str, Any]) -> float:
    """A measure of counts."""
    return FORMULAS[golden["formula"]](*map(read, golden["arguments"]))


def read(argument: Any) -> Any:
    """Counts in doubles."""
    return [read(one) for one in argument] if isinstance(argument, list) else (
        number(argument) if isinstance(argument, str) else argument
    )  # fmt: skip


def against_the_rest(table: list[list[float]], place: int) -> list[list[float]]:
    """One branch, and all others together."""
    return [table[place], formulas.columns([row for n, row in enumerate(table) if n != place])]


def of_known(table: list[list[float]], unknown: list[float]) -> float:
    """ρ times the gain on what is known."""
    known = sum(map(sum, table))
    return known / (known + sum(unknown)) * formulas.gain(table)


FORMULAS: Mapping[str, Callable[..., float]] = {
    "measures.entropy.entropy": formulas.entropy,
    "measures.entropy.entropy_of_proportion": lambda p: formulas.entropy([p, 1 - p]),
    "measures.conditional_entropy.conditional_entropy": lambda t: formulas.remaining(formulas.entropy, t),
    "measures.information_gain.information_gain": formulas.gain,
    "measures.gain_ratio.split_information": formulas.split_information,
    "measures.gain_ratio.gain_ratio": formulas.gain_ratio,
    "measures.gini_index.gini": formulas.gini,
    "measures.gini_index.gini_index": lambda t: formulas.remaining(formulas.gini, t),
    "measures.gini_index.binary_gini_index": lambda t, n: formulas.remaining(formulas.gini, against_the_rest(t, n)),
    "measures.gini_index.gini_decrease": lambda t: formulas.decrease(formulas.gini, t),
    "measures.variance.mean": formulas.mean,
    "measures.variance.variance": formulas.variance,
    "measures.variance.sample_variance": lambda row: formulas.variance(row, unbiased=True),
    "measures.variance.variance_reduction": formulas.variance_reduction,
    "measures.variance.split_error": lambda t: sum(map(formulas.squared_error, t)),
    "measures.absolute_error.absolute_deviation": formulas.absolute_deviation,
    "splitting.missing_values.gain_with_missing": of_known,
}
"""The formulas that this learner knows, by the names that goldens have for them."""

KINDS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "formula": measured, "split": decided, "tree": decided, "predict": predicted, "prune": pruned,
    "rounds": in_rounds, "ensemble": together, "draws": drawing.drawn,
}  # fmt: skip
"""How each kind of golden is answered."""
