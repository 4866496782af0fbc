"""Words of other programs: each is one of our options, or answered with a sentence."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import reference_tree as rt
from reference_tree.auditing.audit import Audit
from reference_tree.cli import main
from reference_tree.programs.cart_options import ProgramCART
from reference_tree.programs.words import OF_AN_AUDIT, WORDS, ours, page_table, refusal, with_words
from tests.auditing.test_hypotheses import HEAVIER
from tests.every import of_every


@of_every(sorted(WORDS))
def test_every_word_is_an_option_or_has_a_sentence(name: str) -> None:
    word = WORDS[name]
    if not word.ours:
        assert word.says
        with pytest.raises(rt.InputError, match="is a word of"):
            ours(name)
    else:
        assert word.ours in OF_AN_AUDIT or word.ours in ProgramCART.options()
    assert f"`{name}`" in page_table()


def test_words_are_taken_in_python() -> None:
    iris = rt.textbook("iris")
    tree = rt.CART(max_depth=2).grow(iris)
    assert rt.audit(tree, iris, rt.CART(), maxdepth=2).is_right
    capped = rt.audit(tree, iris, rt.CART(), max_leaf_nodes=3)
    assert isinstance(capped, Audit)
    assert capped.max_leaves == 3
    with pytest.raises(rt.InputError, match="no word of another program"):
        rt.audit(tree, iris, rt.CART(), depth_at_most=2)
    assert with_words(rt.CART(), {"cp": 0}) == (rt.CART(), {"pruned": False})


def test_words_are_taken_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow", "iris", "--learner", "cart", "--option", "maxdepth", "1"]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    assert main(["grow", "iris", "--learner", "cart", "--option", "ccp_alpha", "0.1"]) == 2
    assert "prune --method cost-complexity" in capsys.readouterr().err


def test_own_options_are_no_words() -> None:
    assert refusal("max_depth") == ""
    assert ours("max_depth") == "max_depth"


@of_every(
    [
        (["--assume", "odd"], "reference-tree: --assume odd: there is no hypothesis 'odd'"),
        (["--option", "splitter", "random"], "reference-tree: --option splitter: splitter is a word of scikit-learn"),
        (["--option", "class_weight", "odd"], "reference-tree: --option class_weight odd: it is balanced or"),
        (["--option", "class_weight", "balanced"], "reference-tree: --option class_weight: id3 has no class_weight"),
        (["--option", "class_weight", "yes: 2, no"], "a weight for each class, as in 'p: 1, q: 2'"),
        (["--option", "min_weight_fraction_leaf", "0.1"], "id3 has no min_weight_fraction_leaf; say min_samples_leaf"),
    ]
)
def test_what_an_audit_is_told_is_refused_by_its_name(options: list[str], says: str) -> None:
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()) as told:
        tree = Path(folder, "tree.json")
        rt.ID3().grow(rt.textbook("play-tennis")).save(tree)
        assert main(["audit", str(tree), "play-tennis", *options]) == 2
    assert says in told.getvalue()


def test_weights_are_told_on_the_command_line(tmp_path: Path) -> None:
    """Weights of classes as an audit says them, and a share of the weight: two of 150 rows."""
    text = tmp_path / "print.txt"
    text.write_text(HEAVIER, encoding="utf-8")
    asked = ["audit", str(text), "iris", "--assume", "none", "--option", "max_depth", "3"]
    weighed = [*asked, "--option", "class_weight", "setosa: 1, versicolor: 2, virginica: 1"]
    assert [main(asked), main(weighed)] == [1, 0]
    shares = ["0.01", "0.02", "x"]
    assert [main([*weighed, "--option", "min_weight_fraction_leaf", share]) for share in shares] == [0, 1, 2]


def test_options_that_are_none_are_refused_under_the_name_of_the_tree() -> None:
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()) as told:
        tree = Path(folder, "tree.json")
        text = rt.to_json(rt.ID3().grow(rt.textbook("play-tennis")))
        tree.write_text(text.replace('"epsilon": "0"', '"epsilon": "many"'), encoding="utf-8")
        assert main(["audit", str(tree), "play-tennis"]) == 2
    says = f"reference-tree: {tree}: these are not the options of id3: epsilon: 'many' is not a number"
    assert says in told.getvalue()
