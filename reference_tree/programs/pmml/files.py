"""PMML: a `TreeModel` or a `MiningModel` of trees, the form in which programs hand models to one another.

Each member of the file is used, known to have no effect, or refused by name (`reference_tree.programs.pmml.members`):

1. Before anything is asked, values are treated: outliers, invalid values, missing ones (`pmml_fields`).
2. A node has a predicate, and a row goes to the first child whose predicate is true (`pmml_predicates`). The children
   are read as questions with branches (`pmml_questions`), or as one with surrogates (`pmml_surrogates`).
3. A number that a tree predicts is rescaled (`pmml_targets`), and several trees answer together (`pmml_models`).

Source:
    [DMG2019]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reference_tree.data.errors import InputError, listed
from reference_tree.data.held import Form
from reference_tree.data.schema import Attribute
from reference_tree.exact.rationals import shortened
from reference_tree.programs.documents import NOTES, Source, document, ensemble, numbered, refuse_many
from reference_tree.programs.indented import text_of
from reference_tree.programs.pmml.fields import OURS, Fields
from reference_tree.programs.pmml.members import MEMBERS
from reference_tree.programs.pmml.models import Combined, combined
from reference_tree.programs.pmml.targets import rescaling_of
from reference_tree.programs.pmml.trees import TreeModel, silent_of
from reference_tree.programs.pmml.xml import Element, parsed
from reference_tree.programs.reader import Names, Reader
from reference_tree.programs.releases import newer
from reference_tree.tree import Program
from reference_tree.tree_document.members import weight_json

_HEAD = re.compile(r"(?s)\A\s*<(?:.*<)?(?:[\w.-]+:)?PMML")

_NAMING = {"Node": "score", "ScoreDistribution": "value", "RegressionTable": "targetCategory"}
"""The elements that name a class, and the attribute with its name."""

SHARES = "its counts are shares of 1: P(Y|X), and not how many rows there were"
"""The remark on a tree whose distributions hold shares in place of counts."""


def documents(value: Any, names: Names) -> list[dict[str, Any]]:
    """The document of the model; PMML states all names, and mostly that of the target.

    Raises:
        InputError: it is no PMML, holds no model of trees or several, or uses a feature that is not read.
    """
    return [_File(parsed(text_of(value), names.ignored), names.target).document()]


READER = Reader("pmml", "a tree model of PMML", documents, _HEAD, inventories=tuple(MEMBERS.values()))


class _File:
    """A file with one model of trees."""

    def __init__(self, root: Element, target: str) -> None:
        models = root.all("TreeModel", "MiningModel")
        if len(models) != 1:
            raise InputError(
                "it holds no model of trees" if not models else "it holds several models; write each alone"
            )
        self.root, self.model = root, models[0]
        application = next(root.fields_of("Header", "Application"), None)
        self.program = "PMML" if application is None else application.attrib["name"]
        self.fields = Fields(root, self.model, ours=self.program == OURS)
        self.goal = self.fields.goal or target
        if self.model.attrib["functionName"] not in ("regression", "classification"):
            raise InputError(f"its function is {self.model.attrib['functionName']}, which no tree has")
        self.is_number = self.model.attrib["functionName"] == "regression"
        self.notes = [*filter(None, [newer("PMML", root.attrib.get("version"))]), *self._outputs()]
        if (
            self.is_number
            and self.goal in self.fields.declared
            and self.fields.declared[self.goal].get("dataType") == "float"
        ):
            self.notes.append("the target is a float, and what is answered is not rounded to one")

    def document(self) -> dict[str, Any]:
        """The document of the tree or the ensemble."""
        classes = () if self.is_number else self._classes()
        if self.model.name == "MiningModel":
            return self._ensemble(combined(self.model, self.fields, classes))
        scored = rescaling_of(self.model).scored
        tree = TreeModel(self.model, self.fields, classes, scored)
        tree.build()
        silent = silent_of([tree])
        if tree.tells_shares:
            self.notes.append(SHARES)
        nodes, attributes = tree.held(silent), self.fields.attributes()
        remarks = [("form", f"PMML {self.root.attrib.get('version')}")]
        if any(one.question is not None and one.question.surrogates for one in nodes.values()):
            remarks.append(("agreement", "not told"))
        goal = Attribute(self.goal, None if self.is_number else tuple(classes))
        return document(self._source(attributes, silent, remarks), goal, self._plain(attributes), nodes, 0)

    def _ensemble(self, model: Combined) -> dict[str, Any]:
        trees = [term.model for term in model.terms]
        if not trees:
            raise InputError("it holds no TreeModel with nodes")
        adds = model.combine in ("sum", "logistic", "softmax")
        for tree in trees:
            tree.build()
        silent = silent_of(trees) | (frozenset({"counts", "errors"}) if adds else frozenset())
        refuse_many(sum(len(tree.found) for tree in trees))
        if model.combine == "mean" and not self.is_number and "counts" in silent:
            raise InputError("the P(Y|X) of trees are averaged, and one tree states none")
        if any(tree.tells_shares for tree in trees) and not adds:
            self.notes.append(SHARES)
        attributes = self.fields.attributes()
        members = [
            ({"weight": weight_json(term.weight), **model.place(term)}, numbered(term.model.held(silent), 0))
            for term in model.terms
        ]
        source = self._source(attributes, silent, [("form", f"PMML {self.root.attrib.get('version')}")])
        if adds:
            source = source._replace(program=source.program._replace(sums="float32" if model.in_floats else "double"))
        goal = Attribute(self.goal, None if self.is_number else tuple(model.classes))
        return ensemble(source, goal, self._plain(attributes), model.combine, model.start, members)

    def _source(
        self, attributes: Sequence[Attribute], silent: frozenset[str], remarks: list[tuple[str, Any]]
    ) -> Source:
        notes = [(NOTES, list(self.notes))] if self.notes else []
        return Source(Program(self.program, None, self._numbers(attributes), silent), remarks=[*remarks, *notes])

    def _numbers(self, attributes: Sequence[Attribute]) -> Form:
        """How the program held the values of all attributes; `exact` if each attribute says it for itself."""
        forms = {one.held for one in attributes if one.values is None}
        if self.program == OURS or len(forms) > 1:
            return "exact"
        return next(iter(forms), "double")

    def _plain(self, attributes: Sequence[Attribute]) -> list[Attribute]:
        """The attributes; if the program holds all numbers in one form, they need not say it."""
        if len({one.held for one in attributes if one.values is None}) > 1:
            return list(attributes)
        return [replace(one, held="written") for one in attributes]

    def _classes(self) -> tuple[str, ...]:
        """The classes: those that the dictionary lists, or those that nodes name.

        Raises:
            InputError: a node names one that is not listed.
        """
        goal = self.fields.declared.get(self.goal)
        listed_ones = [] if goal is None else self.fields.listed(self.goal)
        named: set[str] = set()
        pending = [self.model]
        while pending:
            each = pending.pop()
            key = _NAMING.get(each.name, "")
            named |= {each.attrib[key]} if key in each.attrib else set()
            pending += [one for one in each.inner if one.get("functionName", "classification") == "classification"]
        if strange := sorted(named - set(listed_ones)) if listed_ones else []:
            raise InputError(f"a node predicts {shortened(strange[0])}, which is no Value of {shortened(self.goal)}")
        return tuple(dict.fromkeys(listed_ones or sorted(named)))

    def _outputs(self) -> list[str]:
        """Remarks on outputs that are more than the prediction.

        Raises:
            InputError: there is no target, so that the outputs are the answer.
        """
        made = [each.attrib["name"] for each in self.model.fields_of("Output", "OutputField")
                if each.get("feature", "predictedValue") in ("transformedValue", "decision")
                and each.get("isFinalResult", "true") == "true"]  # fmt: skip
        if not made:
            return []
        if not self.fields.goal:
            raise InputError(f"it has no target, and answers with outputs that are computed from trees: {listed(made)}")
        return [f"outputs that are computed from the prediction are not read: {listed(made)}"]
