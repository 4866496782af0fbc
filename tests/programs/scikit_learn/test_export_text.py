"""What scikit-learn's `export_text` prints (version 1.9)."""

from __future__ import annotations

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import audit
from reference_tree.data.errors import InputError
from reference_tree.learners.cart import CART
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of

pytestmark = pytest.mark.filterwarnings("ignore:.*thresholds are rounded")

IRIS = """\
|--- feature_3 <= 0.80
|   |--- weights: [50.00, 0.00, 0.00] class: setosa
|--- feature_3 >  0.80
|   |--- feature_3 <= 1.75
|   |   |--- weights: [0.00, 49.00, 5.00] class: versicolor
|   |--- feature_3 >  1.75
|   |   |--- weights: [0.00, 1.00, 45.00] class: virginica
"""
"""`export_text(DecisionTreeClassifier(random_state=0, max_depth=2).fit(X, y), show_weights=True)`."""
MEANS = """\
|- sepal length <= 5.550
| |- value: [0.441]
|- sepal length >  5.550
| |- value: [1.691]
"""
"""`export_text(..., spacing=1, decimals=3)` of the width of petals."""
TABLE = rt.textbook("iris")


def test_a_printed_tree_is_that_of_the_learner() -> None:
    (document,) = read_foreign(IRIS, target="species", attributes=TABLE.schema.attributes)
    tree, own = tree_of(document), CART.like("scikit-learn", max_depth=2).grow(TABLE)
    assert [tree.predict(row) for row in TABLE.rows()] == [own.predict(row) for row in TABLE.rows()]
    assert document["program"]["name"] == "scikit-learn"
    assert audit(tree, TABLE, CART.like("scikit-learn", max_depth=2)).is_right


def test_the_name_of_a_place_is_that_of_a_column_only_if_no_column_has_it() -> None:
    assert [one["name"] for one in read_foreign(IRIS)[0]["attributes"]] == ["feature_3"]
    columns = ["feature_3", "b", "c", "d"]
    assert {
        node["test"]["attribute"] for node in read_foreign(IRIS, attributes=columns)[0]["nodes"] if "test" in node
    } == {"feature_3"}


def test_weights_of_two_classes_are_counts() -> None:
    two = """\
|--- petal width <= 1.75
|   |--- weights: [49.00, 5.00] class: versicolor
|--- petal width >  1.75
|   |--- weights: [1.00, 45.00] class: virginica
"""
    _, *leaves = read_foreign(two)[0]["nodes"]
    assert [leaf["counts"] for leaf in leaves] == [
        {"versicolor": "49", "virginica": "5"}, {"versicolor": "1", "virginica": "45"}
    ]  # fmt: skip
    three = [node.get("counts") for node in read_foreign(IRIS)[0]["nodes"] if "test" not in node]
    assert three == [{"setosa": "50"}, {"versicolor": "49", "virginica": "5"}, {"versicolor": "1", "virginica": "45"}]
    swapped = IRIS.replace("setosa", "virginica", 1).replace("versicolor", "virginica", 1)  # no class is largest there
    assert all("counts" not in node for node in read_foreign(swapped)[0]["nodes"])


def test_a_mean_is_right_in_the_digits_that_are_printed() -> None:
    rows = [{"sepal length": row["sepal length"], "petal width": row["petal width"]} for row in TABLE.rows()]
    table = rt.Table.from_rows(rows, target="petal width")
    for text, wrong in ((MEANS, []), (MEANS.replace("0.441", "0.443"), [1])):
        tree = tree_of(read_foreign(text, target="petal width")[0])
        found = audit(tree, table, CART.like("scikit-learn", max_depth=1))
        assert [one.number for one in found.wrong] == wrong


def test_a_tree_may_be_one_leaf() -> None:
    (node,) = read_foreign("|--- class: yes\n")[0]["nodes"]
    assert node["label"] == "yes"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("weights: [50.00, 0.00, 0.00] class: setosa", "truncated branch of depth 2", "line 2: .*larger max_depth"),
        ("|--- feature_3 >  0.80", "|--- feature_3 >  0.90", "line 1: .*two branches, below and above it"),
        ("|   |   |--- weights: [0.00, 1.00, 45.00] class: virginica\n", "", "line 6: .*ends before it says"),
        ("|   |--- feature_3 <= 1.75", "|   feature_3 <= 1.75", "line 4: .*is no line of export_text"),
        ("|   |   |--- weights: [0.00, 49", "|--- weights: [0.00, 49", "line 5: .*stands below no branch"),
        ("|--- feature_3 >  0.80\n", "", "line 3: .*below a leaf, or a level is passed over"),
        ("[50.00,", "[fifty,", "fifty"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_tree_is_refused(old: str, new: str, said: str) -> None:
    assert old in IRIS
    with pytest.raises(InputError, match=said):
        read_foreign(IRIS.replace(old, new))
