"""Matching: names and classes that a print has in another form than the table.

`petal width (cm)`, `Petal.Width` and `petal_width` are one name: case, signs between words and a unit in brackets make
no difference. A program that was given numbers for classes prints `0`, `1`, `2`, which are the classes in the order of
their names. Columns without names are `f0`, `x0` or `Column_0`, which say the place. A match is taken only if it is
unique, and it is said.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from reference_tree.data.errors import InputError, listed
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree
from reference_tree.tree_document import predictor_from_json
from reference_tree.tree_document.writing import to_json


def plain(name: str) -> str:
    """A name without case, signs between words, and a unit in brackets.

    Example:
        >>> plain("petal width (cm)"), plain("Petal.Width"), plain("petal_width")
        ('petalwidth', 'petalwidth', 'petalwidth')
    """
    # Units in brackets, signs and case differ between programs; letters and digits do not.
    without_unit = re.sub(r"\s*[(\[][^()\[\]]*[)\]]\s*$", "", name)
    return re.sub(r"[\W_]+", "", without_unit).casefold() or name


def matched_names(found: Collection[str], known: Collection[str]) -> dict[str, str]:
    """The names of a tree that a table has in another form: name → that of the table.

    Raises:
        InputError: a name matches none, or several.

    Example:
        >>> matched_names(["petal width (cm)", "x"], ["x", "Petal.Width"])
        {'petal width (cm)': 'Petal.Width'}
    """
    # A name is matched only if it fits one column, and no other name of the tree has that column.
    times = Counter(map(plain, known))
    by = {plain(name): name for name in known}
    pairs = {}
    for name in found:
        if name in known:
            continue
        if times[plain(name)] != 1 or by[plain(name)] in found:
            there = "matches several columns" if times[plain(name)] > 1 else "is no column of the table"
            raise InputError(
                f"the tree asks {name}, which {there} ({listed(list(known))}); rename the column, or read the tree by "
                "read_foreign with attributes=[...]"
            )
        pairs[name] = by[plain(name)]
    return pairs


def matched_classes(found: Collection[str], known: Sequence[str]) -> dict[str, str]:
    """The classes of a tree that are numbers of those of the table: number → class.

    Raises:
        InputError: they are no such numbers, or the classes do not stand in the order of their names.

    Example:
        >>> matched_classes(["0", "2"], ["setosa", "versicolor", "virginica"])
        {'0': 'setosa', '2': 'virginica'}
    """
    if set(found) <= set(known) or not all(label.isdecimal() for label in found):  # the reader refuses other classes
        return {}
    # Programs number classes from 0 in the order of their names; in another order a number could mean two classes.
    places = {str(place): label for place, label in enumerate(known)}
    if not set(found) <= set(places) or list(known) != sorted(known) or any(label.isdigit() for label in known):
        raise InputError(
            f"the tree predicts {listed(sorted(set(found) - set(known)))}, and the table has the classes "
            f"{listed(list(known))}; read the tree by read_foreign with classes=[...], in the order of its program"
        )
    return {label: places[label] for label in found}


def matched_places(found: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """The names of a model that another has at the same places: name → that of the other.

    Args:
        found: the names of the model, in their order.
        known: those of the other model.

    Returns:
        Nothing, if a name is common to both, or neither model numbers its columns from 0.

    Example:
        >>> matched_places(["f0", "f1"], ["Column_0", "Column_1", "Column_2"])
        {'f0': 'Column_0', 'f1': 'Column_1'}
        >>> matched_places(["x0", "x1"], ["petal width", "petal length"])
        {'x0': 'petal width', 'x1': 'petal length'}
    """
    numbered = [are_numbered(names) for names in (found, known)]
    # Names that somebody gave are trusted before places; they stand for places only if there are as many of them.
    if set(found) & set(known) or not any(numbered) or (not all(numbered) and len(found) != len(known)):
        return {}
    return dict(zip(found, known, strict=False))


def are_numbered(names: Sequence[str]) -> bool:
    """Whether names are those of columns without names: one word and the place.

    Example:
        >>> are_numbered(["f0", "f1"]), are_numbered(["x1", "x2"])
        (True, False)
    """
    word = names[0][:-1] if names else ""
    return word.rstrip("_").isalpha() and list(names) == [f"{word}{place}" for place in range(len(names))]


Model = TypeVar("Model", bound=Tree | Ensemble)


def renamed(model: Model, names: Mapping[str, str], classes: Mapping[str, str], domain: Sequence[str] = ()) -> Model:
    """A tree or an ensemble under other names.

    Args:
        model: the tree or the ensemble.
        names: name of an attribute → new name.
        classes: class → new class.
        domain: all new classes, in their order, if any is new.
    """
    # Names stand in many parts of a tree. In its document they are plain members, and reading it checks the result.
    document = json.loads(to_json(model))
    for attribute in document["attributes"]:
        attribute["name"] = names.get(attribute["name"], attribute["name"])
    if classes:
        document["target"]["classes"] = list(domain)
    for tree in document.get("trees", [document]):
        for node in tree["nodes"]:
            _rename(node, names, classes)
    read = predictor_from_json(json.dumps(document))
    assert isinstance(read, type(model))
    return read


# A node, with the tests of its surrogates, its prediction, its ties and its counts.
def _rename(node: dict[str, Any], names: Mapping[str, str], classes: Mapping[str, str]) -> None:
    for test in (node.get("test"), *(one.get("test") for one in node.get("surrogates", []))):
        if test and "attribute" in test:
            test["attribute"] = names.get(test["attribute"], test["attribute"])
    if "label" in node:
        node["label"] = classes.get(node["label"], node["label"])
    if "tied" in node:
        node["tied"] = [classes.get(label, label) for label in node["tied"]]
    if "counts" in node:
        node["counts"] = {classes.get(label, label): count for label, count in node["counts"].items()}


def said(names: Mapping[str, str], classes: Mapping[str, str]) -> str:
    """What was matched, in words.

    Example:
        >>> said({"Petal.Width": "petal width"}, {"0": "setosa"})
        'taken as the same: Petal.Width and petal width, class 0 and setosa'
    """
    pairs = [f"{one} and {other}" for one, other in names.items()]
    pairs += [f"class {one} and {other}" for one, other in classes.items()]
    return f"taken as the same: {', '.join(pairs)}"
