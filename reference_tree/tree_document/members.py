"""Members in the document of an ensemble: the weight of a tree, the rows drawn for it, and the class that it adds to.

A weight is an exact number. If it is a sum of logarithms, as the weights of AdaBoost are, its terms are stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import e
from typing import Any, NamedTuple

from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Member
from reference_tree.exact.log_sums import LogSum
from reference_tree.exact.rationals import exact_text, shortened, simplest
from reference_tree.exact.reals import Number
from reference_tree.tree_document.strict import closed, items, known, number, text

MEMBER_KEYS = ("drawn", "of")
"""The keys that a document may have for a tree besides its weight and its nodes."""


class MemberFields(NamedTuple):
    """The fields of a tree in a document besides its nodes: the other parts of a `Member`."""

    weight: Number
    drawn: tuple[int, ...] | None
    of: str | None


def member_json(member: Member) -> dict[str, object]:
    """A member as it appears in a document, without its nodes.

    Example:
        >>> from reference_tree.tree import Tree
        >>> member_json(Member(Tree(Attribute("y"), (), ()), 2, (1, 0, 2)))
        {'weight': '2', 'drawn': [1, 0, 2]}
    """
    drawn = {} if member.drawn is None else {"drawn": list(member.drawn)}
    return {"weight": weight_json(member.weight), **drawn, **({} if member.of is None else {"of": member.of})}


def read_member(entry: Mapping[str, Any], target: Attribute) -> MemberFields:
    """The fields of a member in a document besides its nodes.

    Raises:
        ValueError: a member cannot have one of the values.
    """
    drawn = tuple(map(_times, items(entry["drawn"]))) if "drawn" in entry else None
    of = known([entry["of"]], target)[0] if "of" in entry else None
    return MemberFields(read_weight(entry["weight"]), drawn, of)


def _times(entry: object) -> int:
    if type(entry) is not int or entry < 0:
        raise ValueError(f"a row is drawn {shortened(str(entry))} times")
    return entry


def weight_json(weight: Number) -> object:
    """The weight of a tree as it appears in a document.

    Example:
        >>> from reference_tree.exact.log_sums import log
        >>> weight_json(Fraction(1, 2)), weight_json(Fraction(1, 2) * log(Fraction(7, 3)))
        ('1/2', {'base': '2', 'terms': {'7': '1/2', '3': '-1/2'}})
    """
    if not isinstance(weight, LogSum):
        return exact_text(weight)
    constant = {"constant": exact_text(simplest(weight.constant))} if weight.constant else {}
    terms = {str(n): exact_text(simplest(c)) for n, c in weight.terms.items()}
    return {"base": "e" if weight.base == e else str(weight.base), "terms": terms, **constant}


def read_weight(entry: object) -> Number:
    """The weight of a tree.

    Raises:
        ValueError: the entry is neither an exact number nor a sum of logarithms.

    Example:
        >>> read_weight({"base": "e", "terms": {"7": "1/2", "3": "-1/2"}})
        1/2·ln(7) - 1/2·ln(3)
    """
    if not isinstance(entry, dict):
        return number(entry)
    fields = closed(entry, ["base", "terms"], ["constant"])
    base = {"e": e, "2": 2}.get(text(fields["base"]))
    if base is None:
        raise ValueError(f"a logarithm is to the base 2 or e, not {shortened(fields['base'])}")
    terms = {number(n): Fraction(number(c)) for n, c in closed(fields["terms"], [], fields["terms"]).items()}
    if any(not isinstance(n, int) or n < 2 for n in terms):
        raise ValueError("the logarithms are of whole numbers from 2")
    return LogSum(terms, number(fields.get("constant", "0")), base)
