"""Reading documents: no malformed one is taken for a tree, and the message names the part and the fault."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_tree.data.errors import InputError
from reference_tree.data.questions import Threshold
from reference_tree.exact.rounding import nearest_single
from reference_tree.tree import Grower
from reference_tree.tree_document import from_json, predictor_from_json, read_tree, to_json
from reference_tree.tree_document.form import BYTES_A_NODE, BYTES_A_PART, LARGEST
from tests.every import of_every
from tests.tree_document.documents import assert_valid, changed, document, hushed, regression


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b'{"a": 1}\n}', "line 2, column 1: is not JSON"),
        (b"\xff\xfe", "is not UTF-8 at byte 0"),
        (b"[]", "its format is not reference-tree/tree/1"),
        (b"null", "its format is not"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"format": NaN}', "NaN is not a number of JSON"),
        (b'{"format": ' + b"1" * 5000 + b"}", "is not a tree document"),
        (b'{"format": "reference-tree/tree/2"}', "its format is not"),
        (
            b'{"format": "reference-tree/ensemble/1"}',
            "holds an ensemble; read_predictor or predictor_from_json reads it",
        ),
        (b'{"format": "reference-tree/tree/1"}', "in the document: 'target' is absent"),
    ],
)
def test_what_is_no_document(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "tree.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_tree(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match=r"cannot be read|is a directory; name a file in it"):
            read_tree(path)


# Malformed documents.


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a document."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in steps:
        yield (*way, key)
        yield from places(inner, (*way, key))


OTHERS: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10**30, 1.5, "", "0", "-1", "1/0", "1e999", "nan", "x", "no", "\ud800",
    [], ["x"], [[]], ["x", "x"], [1, 2],
    {}, {"is": "x"}, {"le": "1"}, {"le": 1}, {"kind": "threshold"}, {"name": "q", "kind": "continuous"},
]  # fmt: skip
WHOLE = {"classes": document(), "means": regression(), "medians": regression(median=True)}
PLACES = [
    (name, way)
    for name, whole in WHOLE.items()
    for way in places(whole)
    if name != "medians" or way[-1] in ("n", "median", "sad")  # the rest is as with means
]


def assert_refused_or_sound(whole: Any) -> None:
    """An error in one line, or a tree that can be asked, written and read again."""
    try:
        tree = from_json(json.dumps(whole))
    except InputError as error:
        assert re.fullmatch("is not a tree document: .+", str(error))  # noqa: PT017  (it may be raised or not)
        return
    text = to_json(tree)
    text.encode()
    assert from_json(text) == tree
    assert_valid(json.loads(text))
    list(tree.rules())
    for number in range(len(tree.nodes)):
        assert tree.find(tree.path(number)) == number
    rows: list[dict[str, Any]] = [{"a": "x"}, {"a": "y", "n": 1}, {"a": "z", "b": "u"}, {}]
    for row in rows:
        try:
            assert tree.predict(row, "majority") in tree.target.domain
            assert sum(tree.distribution(row, "majority").values()) == 1
        except InputError:
            pass


@pytest.mark.one_in(16, 48)
@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param(
            name,
            way,
            id=f"{name}-{'/'.join(map(str, way))}",
            marks=pytest.mark.slow if "options" in way else (),  # what stands there is for the learner to read
        )
        for name, way in PLACES
    ],
)
def test_a_document_with_one_other_value_is_refused_or_sound(name: str, way: tuple[Any, ...]) -> None:
    assert_refused_or_sound(changed(WHOLE[name], way))
    for other in OTHERS[:: 3 if "options" in way else 1]:
        assert_refused_or_sound(changed(WHOLE[name], way, deepcopy(other)))


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.one_of(st.none(), st.sampled_from(PLACES))), min_size=2, max_size=4)
)
def test_a_document_with_parts_in_the_wrong_places_is_refused_or_sound(moves: list[tuple[Any, Any]]) -> None:
    whole = deepcopy(WHOLE[moves[0][0][0]])
    for (_, way), other in moves:
        source = None if other is None else other[1]
        try:
            value = whole
            for key in source or ():
                value = value[key]
            inner = whole
            for key in way[:-1]:
                inner = inner[key]
            inner[way[-1]] = deepcopy(value) if source else None
        except (KeyError, IndexError, TypeError):
            pass
    assert_refused_or_sound(whole)


FAULTS: list[tuple[tuple[Any, ...], Any, str]] = [
    (("target", "classes"), [], "a list is empty"),
    (("target", "classes"), "no", "'no' is no list"),
    (("target", "classes"), ["no", "no"], "the same text twice"),
    (("target", "kind"), "continuous", "'y' is continuous, and has classes"),
    (("target", "kind"), "ordinal", "'y' is of no known kind"),
    (("attributes", 1, "name"), "a", "occurs twice"),
    (("attributes", 1, "kind"), "ordinal", "of no known kind"),
    (("nodes",), [], "a list is empty"),
    (("attributes", 2, "floats"), "single", "'n' has no numbers that are held like this"),
    (("attributes", 2, "floats"), "written", "'n' has no numbers that are held like this"),
    (("attributes", 0, "floats"), "double", "'a' has no numbers that are held like this"),
    (("attributes", 2, "kind"), "categorical", "'n' is categorical, and has no values"),
    (("nodes", 0, "id"), 1, "in node 0: the id is '1'"),
    (("nodes", 0, "id"), 0.0, "in node 0: the id is '0.0'"),
    (("nodes", 0, "id"), False, "in node 0: the id is 'False'"),
    (("nodes", 0, "priro"), True, "in node 0: there is no key 'priro' here; there are id, "),
    (("nodes", 0, "mean"), "1", "in node 0: there is no key 'mean' here; there are label, counts, tied|counts, label"),
    (("nodes", 0, "missing"), {"rule": "fractions"}, "the rule fractions for missing values has no shares"),
    (("nodes", 0, "missing"), {"rule": "branch"}, "the rule branch for missing values has no branch to go to"),
    (("nodes", 0, "missing"), {"rule": "stay", "to": 1}, "the rule stay for missing values has a branch to go to"),
    (("nodes", 0, "missing"), {"rule": "branch", "to": 3}, "no branch leads to '3'"),
    (("nodes", 0, "missing"), {"rule": "branch", "to": True}, "no branch leads to 'True'"),
    (("nodes", 0, "missing"), {"rule": "guess"}, "there is no rule 'guess' for missing values"),
    (("nodes", 0, "surrogates"), [], "the rule error for missing values has no surrogates"),
    (("nodes", 2, "missing"), {"rule": "stay"}, "the rule stay for missing values has shares of the branches"),
    (("nodes", 0, "counts", "no"), "-1", "in node 0: a weight is negative"),
    (("nodes", 0, "counts", "no"), [3], r"in node 0: '\[3\]' is no text"),
    (("nodes", 0, "counts", "maybe"), "3", "in node 0: y has no value 'maybe'"),
    (("nodes", 0, "label"), "maybe", "in node 0: y has no value 'maybe'"),
    (("nodes", 1, "tied"), ["no"], "in node 1: the label yes is no part of a tie"),
    (("nodes", 1, "stop"), "tired", "in node 1: there is no reason 'tired'"),
    (("nodes", 6, "prior"), "yes", "in node 6: 'yes' is neither true nor false"),
    (("nodes", 0, "stop"), "pure", "in node 0: an inner node has no reason to stop"),
    (("nodes", 3, "branches"), [], "in node 3: there is no key 'branches' here"),
    (("nodes", 0, "prior"), True, "in node 0: an inner node has no reason to stop"),
    (("nodes", 0, "branches"), [], "in node 0: a list is empty"),
    (("nodes", 0, "branches", 0, "to"), 0, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), 99, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), True, "in node 0: a branch leads to no node behind this one"),
    (("nodes", 0, "branches", 0, "to"), 2, "node 2 is out of preorder"),
    (("nodes", 0, "branches", 0, "share"), "1", "in node 0: 'share' is absent"),
    (("nodes", 2, "branches", 0, "share"), "1/2", "in node 2: the sum of the shares of the branches is off 1 by 0.167"),
    (("nodes", 2, "branches", 0, "share"), "-1", "in node 2: a weight is negative"),
    (("nodes", 0, "branches", 0, "when"), {"is": "w"}, "in node 0: a has no value 'w'"),
    (("nodes", 0, "branches", 0, "when"), {"is": "y"}, "in node 0: .* the same text twice"),
    (("nodes", 0, "branches", 0, "when"), {"le": "1"}, "in node 0"),
    (("nodes", 0, "branches", 0, "when"), {}, "is no condition"),
    (("nodes", 0, "branches", 0, "when"), {"is": "x", "in": ["x"]}, "is no condition"),
    (("nodes", 0, "test", "kind"), "oracle", "there is no test of the kind 'oracle'"),
    (("nodes", 0, "test", "kind"), "linear", "in node 0: 'weights' is absent"),
    (("nodes", 0, "test", "values"), ["x"], "there is no key 'values' here; there are kind, attribute"),
    (("nodes", 0, "branches", 0, "whne"), {}, "there is no key 'whne' here; there are when, to, share"),
    (("nodes", 0, "test", "attribute"), "q", "there is no attribute 'q'"),
    (("nodes", 0, "test", "attribute"), "n", "the continuous attribute n cannot have a multiway test"),
    (("nodes", 2, "test", "attribute"), "a", "the categorical attribute a cannot have a threshold test"),
    (("nodes", 2, "test", "threshold"), "0.75", "the conditions on the branches are not those of the test"),
    (("nodes", 2, "test", "interval"), ["1", "2"], "the threshold lies outside its interval"),
    (("nodes", 2, "test", "interval"), ["0", "0.5"], "the threshold lies outside its interval"),
    (("nodes", 2, "test", "interval"), ["0"], "in node 2"),
    (("learner", "options"), [], "in the learner: the options are no object"),
    (("learner", "name"), None, "in the learner: 'None' is no text"),
    (("learner", "source"), {"program": "one"}, "in the learner: there is no key 'source' here"),
    (("comment",), "hello", "in the document: there is no key 'comment' here"),
]
NUMERIC_FAULTS: list[tuple[tuple[Any, ...], Any, str]] = [
    (("nodes", 0, "label"), "no", "there is no key 'label' here; there are n, mean, sse"),
    (("nodes", 0, "median"), "3", "in node 0: there is no key 'mean' here; there are median|'sad' is absent"),
    (("nodes", 0, "sse"), "-1", "in node 0: a weight is negative"),
    (("nodes", 4, "sse"), "1", "in node 4: sse is 1, although nothing reaches the node"),
    (("nodes", 0, "mean"), "three", "in node 0: 'three' is no number of this kind"),
    (("nodes", 0, "value"), "3", "in node 0: there is no key 'value' here"),
    (("nodes", 0, "surrogates", 0, "agreement"), "4/3", "in node 0: an agreement is more than 1"),
    (("nodes", 0, "surrogates", 0, "branches", 0, "to"), 3, "in node 0: no branch leads to '3'"),
    (("nodes", 0, "surrogates", 0, "test", "attribute"), "q", "in node 0: there is no attribute 'q'"),
    (("nodes", 0, "surrogates"), [], "in node 0: a list is empty"),
    (("nodes", 0, "surrogates", 0, "unseen"), ["x"], "in node 0: only a subset test leaves values unseen"),
    (("nodes", 0, "surrogates", 1, "unseen"), ["x"], "in node 0: a has no value 'x'"),
    (("nodes", 0, "surrogates", 1, "unseen"), [], "in node 0: a list is empty"),
    (("nodes", 0, "missing", "rule"), "branch", "in node 0: the rule branch for missing values has no surrogates"),
    (("target", "classes"), ["no"], "'y' is continuous, and has classes"),
    (("learner", "source"), {}, "in the learner: 'program' is absent"),
    (("learner", "source", "author"), "A", "in the learner: there is no key 'author' here"),
]


@of_every(FAULTS)
def test_the_message_names_the_part_and_the_fault(way: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_json(json.dumps(changed(document(), way, value)))


@of_every(NUMERIC_FAULTS)
def test_the_message_names_the_fault_of_a_regression_tree(way: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_json(json.dumps(changed(regression(), way, value)))


def test_means_and_medians_do_not_mix() -> None:
    whole = regression()
    whole["nodes"][3] = regression(median=True)["nodes"][3]
    with pytest.raises(InputError, match="in node 3: a tree predicts means or medians, not with both"):
        from_json(json.dumps(whole))


@of_every(
    [('"id": 0,', '"id": 0, "id": 0,'), ('"no": "3"', '"no": "3", "no": "4"'), ('"format"', '"format": "", "format"')]
)
def test_a_key_that_stands_twice_is_refused(here: str, there: str) -> None:
    text = json.dumps(document())
    assert from_json(text)
    with pytest.raises(InputError, match=r"the key '(id|no|format)' occurs twice in an object"):
        from_json(text.replace(here, there, 1))


def test_a_node_that_nothing_leads_to() -> None:
    whole = document()
    whole["nodes"].append({**whole["nodes"][7], "id": 8})
    with pytest.raises(InputError, match="no branch leads to node 8"):
        from_json(json.dumps(whole))


def test_what_a_document_may_leave_out() -> None:
    """A foreign tree without counts; classes without rows; ties."""
    whole = document()
    whole["learner"] = {"name": "unknown", "source": {"program": "rpart", "version": "4.1"}}
    for node in whole["nodes"]:
        del node["counts"]
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert tree.grower == Grower(source={"program": "rpart", "version": "4.1"})
    assert tree.nodes[0].counts == (0, 0)
    assert tree.predict({"a": "x"}) == "yes"
    whole = document()
    whole["nodes"][3]["counts"] = {"no": "2"}
    assert from_json(json.dumps(whole)).nodes[3].counts == (2, 0)
    whole = regression()
    for node in whole["nodes"]:
        del node["n"], node["sse"]
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert [(node.counts, node.label) for node in tree.nodes[:2]] == [((0, 0, 0), 3), ((0, 0, 0), Fraction(3, 2))]


@of_every(["counts", "options", "profile"])
def test_what_a_tree_of_our_own_may_not_leave_out(absent: str) -> None:
    whole = document()
    del (whole["nodes"][0] if absent == "counts" else whole["learner"])[absent]
    with pytest.raises(InputError, match=f"{absent!r} is absent"):
        from_json(json.dumps(whole))


@of_every(["1/10", "0.1", "1e-1"])
def test_a_number_may_be_written_as_a_fraction_or_a_decimal(written: str) -> None:
    whole = changed(regression(), ("nodes", 0, "mean"), written)
    assert from_json(json.dumps(whole)).nodes[0].counts == (3, Fraction(3, 10), 14 + Fraction(3, 100))


def in_floats(numbers: str | None) -> Any:
    """The document of a program that writes numbers of JSON."""
    whole = hushed(document())
    shares = (0.14285714285714285, 0.8571428571428571)  # they add up to a little less than 1
    whole["nodes"][2] |= {
        "counts": {"no": 2, "yes": 4 / 3},
        "test": {"kind": "threshold", "attribute": "n", "threshold": 0.1, "interval": [0, 0.5]},
        "branches": [
            {"when": {relation: 0.1}, "to": to, "share": share}
            for relation, to, share in zip(("le", "gt"), (3, 4), shares, strict=True)
        ],
    }
    program = {} if numbers is None else {"program": {"name": "a program", "numbers": numbers}}
    return {**{key: value for key, value in whole.items() if key != "program"}, **program}


@of_every(
    [
        ("exact", Fraction("0.1")),
        ("double", Fraction(0.1)),
        ("float32", Fraction(nearest_single(0.1))),
        (None, Fraction(0.1)),
    ]
)
def test_a_number_of_json_is_what_its_program_held(numbers: str | None, threshold: Fraction) -> None:
    whole = in_floats(numbers)
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert from_json(to_json(tree)) == tree
    assert tree.program is not None
    assert (tree.program.numbers, tree.nodes[2].test) == (
        numbers or "double",
        Threshold("n", threshold, (0, Fraction(1, 2))),
    )
    assert tree.nodes[2].counts == (2, Fraction(4 / 3))
    assert sum(tree.nodes[2].missing.shares) == 1


@of_every(["exact", "double", "float32"])
def test_the_form_in_which_numbers_are_held_is_kept(form: str) -> None:
    whole = changed(document(), ("attributes", 2, "floats"), form)
    assert_valid(whole)
    tree = from_json(json.dumps(whole))
    assert [one.held for one in tree.attributes] == ["written", "written", form]
    assert from_json(to_json(tree)).attributes[2].held == form
    by_program = in_floats(form)  # which says how its trees hold numbers, so that no attribute does
    tree = from_json(json.dumps(by_program))
    assert tree.attributes[2].held == ("written" if form == "exact" else form)
    assert "floats" not in to_json(tree)


def test_shares_that_are_written_exactly_add_up_exactly() -> None:
    whole = in_floats("exact")
    for branch, share in zip(whole["nodes"][2]["branches"], ("0.142857", "6/7"), strict=True):
        branch["share"] = share
    with pytest.raises(InputError, match=r"in node 2: the sum of the shares of the branches is off 1 by -0\.00000014"):
        from_json(json.dumps(whole))


def test_the_midpoint_of_two_float32_is_a_double() -> None:
    whole = in_floats("float32")
    between = (nearest_single(0.1) + nearest_single(0.3)) / 2
    for branch, relation in zip(whole["nodes"][2]["branches"], ("le", "gt"), strict=True):
        branch["when"] = {relation: between}
    whole["nodes"][2]["test"] |= {"threshold": between}
    assert from_json(json.dumps(whole)).cuts["n"] == [Fraction(between)]


def test_surrogates_without_a_way_out_keep_the_row_at_the_node() -> None:
    whole = changed(regression(), ("nodes", 0, "missing", "to"))
    missing = from_json(json.dumps(whole)).nodes[0].missing
    assert (missing.rule, missing.to, missing.stays, len(missing.surrogates)) == ("surrogates", None, True, 2)


def chain(nodes: int) -> str:
    """The document of a tree whose nodes ask one below the other; so many, an odd number."""
    leaf = {"counts": {"no": "1"}, "label": "no", "stop": "pure"}
    listed = []
    for place in range(0, nodes - 1, 2):
        branches = [{"when": {"le": "1"}, "to": place + 1}, {"when": {"gt": "1"}, "to": place + 2}]
        test = {"kind": "threshold", "attribute": "x", "threshold": "1"}
        answer = {"counts": {"no": "1", "yes": "1"}, "label": "no"}
        listed += [{"id": place, **answer, "test": test, "branches": branches}, {"id": place + 1, **leaf}]
    whole = {
        "format": "reference-tree/tree/1",
        "target": {"name": "y", "kind": "categorical", "classes": ["no", "yes"]},
        "attributes": [{"name": "x", "kind": "continuous"}],
        "learner": {"name": "unknown"},
        "nodes": [*listed, {"id": nodes - 1, **leaf}],
    }
    return json.dumps(whole, separators=(",", ":"))


def test_what_is_too_large_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    content = chain(101)
    parts = content.count("{") + content.count("[")
    message = (
        rf"^has {parts} objects and lists, of which no more than {parts - 1} are read; a larger number for --largest"
    )
    with pytest.raises(InputError, match=message):
        from_json(content, largest=BYTES_A_PART * parts - 1)
    with pytest.raises(InputError, match=r"^has 101 nodes, of which no more than 100 are read; a larger number"):
        from_json(content, largest=BYTES_A_NODE * 101 - 1)
    assert len(predictor_from_json(content, largest=BYTES_A_NODE * 101).nodes) == 101  # type: ignore[union-attr]
    (tmp_path / "tree.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"tree\.json: has more than {len(content) - 1} bytes; a larger number"):
        read_tree(tmp_path / "tree.json", largest=len(content) - 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["chain", "objects", "lists", "long"])
def test_a_hostile_document_takes_neither_long_nor_much_memory(tmp_path: Path, kind: str) -> None:
    """A chain of half a million nodes in 62 MB, twenty million values of three bytes, and an endless file."""
    path = tmp_path / "hostile.json"
    if kind == "chain":
        path.write_text(chain(500_001), encoding="utf-8")
    elif kind == "long":
        with path.open("wb") as file:
            file.truncate(8 << 30)
    else:
        path.write_text("[" + {"objects": "{},", "lists": "[],"}[kind] * 20_000_000 + "0]", encoding="utf-8")
    assert (path.stat().st_size <= LARGEST) == (kind != "long")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
        "import reference_tree as rt\n"
        "try: rt.read_predictor(sys.argv[1])\n"
        "except rt.InputError as error: print(error)\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime)\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=120)
    message, seconds = run.stdout.splitlines()
    assert message.startswith(str(path))
    assert "a larger number for --largest" in message
    assert float(seconds) < 10
