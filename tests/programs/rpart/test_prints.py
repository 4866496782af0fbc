"""What rpart prints of a tree (version 4.1 on R 4)."""

from __future__ import annotations

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import audit
from reference_tree.data.errors import InputError
from reference_tree.learners.cart import CART
from reference_tree.programs.reading import read_foreign
from tests.programs.documents import tree_of

IRIS = """\
n= 150

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 150 100 setosa (0.33333333 0.33333333 0.33333333)
  2) petal length< 2.45 50   0 setosa (1.00000000 0.00000000 0.00000000) *
  3) petal length>=2.45 100  50 versicolor (0.00000000 0.50000000 0.50000000)
    6) petal width< 1.75 54   5 versicolor (0.00000000 0.90740741 0.09259259) *
    7) petal width>=1.75 46   1 virginica (0.00000000 0.02173913 0.97826087) *
"""
CARS = """\
n= 117

node), split, n, deviance, yval
      * denotes terminal node

 1) root 117 7407473000 15743.460
   2) Country=Brazil,France,Japan,Japan/USA,Korea,Mexico,USA 100 4695905000 14251.950
     4) Country=Brazil,Japan/USA,Korea,Mexico 18   89805140  9046.333 *
     5) Country=France,Japan,USA 82 4011256000 15394.650
      10) Mileage>=24.5 15   78103740  9706.600 *
      11) Mileage< 24.5 67 3339193000 16668.090 *
   3) Country=England,Germany,Sweden 17 1180515000 24517.060 *
"""
TABLE = rt.textbook("iris")


def test_a_printed_tree_is_that_of_the_learner() -> None:
    (document,) = read_foreign(IRIS, target="species", attributes=TABLE.schema.attributes)
    tree, own = tree_of(document), CART.like("rpart", max_depth=2).grow(TABLE)
    assert [tree.predict(row) for row in TABLE.rows()] == [own.predict(row) for row in TABLE.rows()]
    assert document["program"]["name"] == "rpart"
    assert audit(tree, TABLE, CART.like("rpart", max_depth=2)).is_right


SIXTEEN = """\
n= 32

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 32 15 p (0.5312500000000000 0.4687500000000000)
  2) b>=0.1 13  1 p (0.9230769230769230 0.0769230769230769) *
  3) b< 0.1 19  5 q (0.2631578947368420 0.7368421052631580) *
"""
"""Of a tree that rpart 4.1.19 printed with 15 digits: R fills the column with zeros."""


def test_probabilities_of_fifteen_digits_are_counts() -> None:
    (document,) = read_foreign(SIXTEEN, target="y")
    assert [node.get("counts") for node in document["nodes"][1:]] == [{"p": "5", "q": "14"}, {"p": "12", "q": "1"}]


def test_the_branch_of_the_smaller_numbers_comes_first() -> None:
    tree = tree_of(read_foreign(CARS, target="Price")[0])
    assert [node.test.name for node in tree.nodes if node.test is not None] == [
        "Country in {Brazil, France, Japan, Japan/USA, Korea, Mexico, USA}",
        "Country in {Brazil, Japan/USA, Korea, Mexico}",
        "Mileage<24.5",
    ]
    assert tree.predict({"Country": "Japan", "Mileage": 20}) == rt.exact.rationals.rational("16668.09")


def test_words_and_numbers_in_names_are_no_weights() -> None:
    text = """\
node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 5 2 yes sir (0.4000000 0.6000000)
  2) outlook=very cold 2 0 no way (1.0000000 0.0000000) *
  3) outlook=hot,warm 3 0 yes sir (0.0000000 1.0000000) *
"""
    tree = tree_of(read_foreign(text)[0])
    assert (tree.predict({"outlook": "very cold"}), tree.predict({"outlook": "warm"})) == ("no way", "yes sir")
    assert [sum(tree.nodes[leaf].counts) for leaf in tree.leaves()] == [2, 3]
    one = "node), split, n, loss, yval, (yprob)\n      * denotes terminal node\n\n1) root 5 2 1 (0.4 0.6) *\n"
    assert read_foreign(one)[0]["nodes"][0]["label"] == "1"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("petal width>=1.75", "petal width>=1.85", "line 9: .*two branches, below and above it"),
        ("    7) petal width", "    7] petal width", "line 10: .*which is not known here"),
        ("46   1 virginica", "virginica", "line 10: .*is no node of rpart"),
        ("    7) petal width", "    6) petal width", "line 10: .*node 6 does not stand below node 3"),
        (
            "  3) petal length>=2.45 100  50 versicolor (0.00000000 0.50000000 0.50000000)\n",
            "",
            "node 6 does not stand below node 3",
        ),
        ("0.97826087) *", "0.97826087)", "line 10: .*ends before it says"),
    ],
)
def test_a_text_that_is_no_tree_is_refused(old: str, new: str, said: str) -> None:
    assert old in IRIS
    with pytest.raises(InputError, match=said):
        read_foreign(IRIS.replace(old, new))


def test_probabilities_of_seventeen_digits_are_doubles() -> None:
    """Three times 0.33333333333333331 is not 1, and neither is the sum of what R held."""
    wide = IRIS.replace("0.33333333", "0.33333333333333331").replace("0.50000000", "0.50000000000000000")
    (document,) = read_foreign(wide, target="species", attributes=TABLE.schema.attributes)
    assert len(document["nodes"]) == 5
