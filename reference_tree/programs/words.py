"""Words: the options of scikit-learn, rpart and Weka, by the names that they have there.

`WORDS` is the record. An audit and the commands read options by it (`ours`, `with_words`), and the page has it as a
table (`page_table`). A word that has no counterpart is answered with a sentence that says what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, listed
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.learners.decision import Learner
from reference_tree.learners.options import Options
from reference_tree.programs.boosters import PARAMETERS
from reference_tree.tree import Tree
from reference_tree.tree_document.form import FOREIGN


class Word(NamedTuple):
    """A word of another program."""

    program: str
    ours: str = ""
    """The option that means the same; empty if none does."""
    says: str = ""
    """What to do instead."""


PRUNED = "it prunes after growing: an audit finds its value by itself; `prune --method {method}` takes it"

WORDS: Mapping[str, Word] = {
    "maxdepth": Word("rpart", "max_depth"),
    "minsplit": Word("rpart", "min_samples_split"),
    "minbucket": Word("rpart", "min_samples_leaf"),
    "prior": Word("rpart", "priors"),
    "maxsurrogate": Word("rpart", "max_surrogates"),
    "maxDepth": Word("Spark", "max_depth"),
    "minInstancesPerNode": Word("Spark", "min_samples_leaf"),
    "minNumObj": Word("Weka", "min_samples_leaf"),
    "max_leaf_nodes": Word("scikit-learn", "max_leaves"),
    "random_state": Word("scikit-learn", says="it decides ties and draws: an audit allows every tie; leave it out"),
    "class_weight": Word("scikit-learn", "class_weight"),
    "ccp_alpha": Word("scikit-learn", "pruned", PRUNED.format(method="cost-complexity --profile scikit-learn --alpha")),
    "cp": Word("rpart", "pruned", PRUNED.format(method="cost-complexity --profile rpart --alpha")),
    "confidenceFactor": Word("Weka", "pruned", PRUNED.format(method="error-based --confidence")),
    "splitter": Word("scikit-learn", says="an audit takes the best splits; random ones are read from the model object"),
    "min_weight_fraction_leaf": Word("scikit-learn", "min_weight_fraction_leaf"),
    "method": Word("rpart", says="the kind of the target decides it: say --categorical or --continuous with its name"),
    "xval": Word("rpart", says="it changes no tree; leave it out"),
    "usesurrogate": Word("rpart", says="say missing=surrogates for 2, missing=stay for 0"),
    "parms": Word("rpart", says="say criterion=entropy for split='information', priors and loss by their names"),
}
"""Word → the program and what it is here."""

OF_AN_AUDIT = ("max_leaves", "pruned", "class_weight", "min_weight_fraction_leaf")
"""The options that an audit has, and no learner."""


_INSTEAD = {
    "class_weight": "give rows weights (weights), or classes priors",
    "min_weight_fraction_leaf": "say min_samples_leaf, which is a weight",
}
"""What to say of a tree of this package instead."""


def ours(name: str, known: Mapping[str, object] | None = None) -> str:
    """Our name of an option; the same name if no program has another word for it.

    Args:
        name: the name that is given.
        known: our own options, which come first.

    Example:
        >>> ours("maxdepth"), ours("epsilon")
        ('max_depth', 'epsilon')
        >>> ours("xval")
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: xval is a word of rpart: it changes no tree; leave it out
    """
    if name not in WORDS or (known is not None and name in known):
        return name
    word = WORDS[name]
    if not word.ours:
        raise InputError(f"{name} is a word of {word.program}: {word.says}")
    return word.ours


def refusal(name: str) -> str:
    """Why a learner that grows a tree has no option of this name, if another program has; empty otherwise."""
    if (word := WORDS.get(name)) is None or word.ours not in ("", *OF_AN_AUDIT):
        return ""
    says = word.says or f"it is {word.ours} of an audit, and no option of a learner"
    return f"is a word of {word.program}: {says}"


def first_of(tree: Tree | Ensemble) -> Tree:
    """The tree, or the first one of an ensemble."""
    return tree if isinstance(tree, Tree) else tree.members[0].tree


def with_words(learner: Learner, given: Mapping[str, Any]) -> tuple[Learner, dict[str, Any]]:
    """The learner with the options that are given, and those that are no options of a learner.

    Raises:
        InputError: there is no such option, or it cannot have this value.

    Example:
        >>> import reference_tree as rt
        >>> learner, further = with_words(rt.CART(), {"maxdepth": 2, "cp": 0.01})
        >>> learner.max_depth, further
        (2, {'pruned': True})
    """
    if not isinstance(learner, Options):
        raise InputError(f"{', '.join(given)}: these are options of a learner, and this one has none")
    known, own, further = type(learner).of_dialects(), dict[str, Any](), dict[str, Any]()
    for word, value in given.items():
        name = ours(word, known)
        if name == "pruned":
            further[name] = further.get(name, False) or bool(value)
        elif name in OF_AN_AUDIT:
            further[name] = value
        elif name not in known:
            raise InputError(f"{word} is no option of {learner.grower().name}, and no word of another program")
        else:
            own[name] = value
    try:
        return learner.but(**own), further
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def with_told(tree: Tree | Ensemble, told: Mapping[str, Any]) -> Tree | Ensemble:
    """The tree, as if its program told of its training what is given.

    Raises:
        InputError: the tree is none of another program.
    """
    if not told or not isinstance(tree, Tree):
        return tree
    if tree.grower.name != FOREIGN:
        instead = "; ".join(dict.fromkeys(_INSTEAD[name] for name in told))
        raise InputError(f"{tree.grower.name} has no {listed(list(told))}; {instead}")
    options = dict(tree.grower.options)
    options[PARAMETERS] = {**options.get(PARAMETERS, {}), **told}
    return replace(tree, grower=replace(tree.grower, options=options))


def page_table() -> str:
    """The words, as a table of Markdown."""
    lines = [
        f"| `{name}` | {word.program} | {f'`{word.ours}`' if word.ours else ''} | {word.says} |"
        for name, word in WORDS.items()
    ]
    return "\n".join(["| word | program | here | what to do |", "|:--|:--|:--|:--|", *lines])
