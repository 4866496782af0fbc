"""Check my tree: from a table and the text of a tree to the audit of each of its nodes, as pieces of HTML.

The page calls `view` while the site is built, and shows the audit of a wrong tree; in a reader's browser a worker calls
it again with what is pasted there (`check_audit`). `edit` changes one node of a tree that is built by hand.

`drawn` is the drawing with a mark on each node; `node_html` the finding at one of them: the better question, by how
much, and the sentence of the rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from typing import Any
from urllib.parse import urlencode

from docs.assets.playground.check_audit import State, audited_tree, tree_of, visit_of
from docs.assets.playground.check_edit import edit
from docs.assets.playground.playground import NODES, bars_html, decoded
from docs.assets.playground.rows import ROWS
from reference_tree.auditing.audit import Audit
from reference_tree.auditing.finding import Finding, Findings, Regret, verdict
from reference_tree.auditing.report import path_of
from reference_tree.data.textbook import describe, names
from reference_tree.exact.rationals import decimal_text
from reference_tree.exact.rounding import significant
from reference_tree.learners.growing import Visit
from reference_tree.learners.registry import LEARNERS
from reference_tree.tree import Tree
from reference_tree.views.derivation.explain import LEARNERS as TITLES
from reference_tree.views.trees.svg import to_svg
from reference_tree.views.trees.text import to_text

__all__ = ["EXAMPLES", "State", "decoded", "edit", "page", "view"]

_GROUP = re.compile(
    r'<g data-path="(?P<path>[^"]*)">'
    r'(?P<box>(?:<g [^>]*>)?<rect x="(?P<x>[\d.-]+)" y="(?P<y>[\d.-]+)")(?P<rest>[^>]*/>)'
)
"""A node in a drawing, with the corner of its box."""

_MARKS = {"right": "✓", "tied": "=", "wrong": "✗", "follows": "↓", "excused": "–"}
"""How a node is marked in the drawing, by its kind."""


GOLF = """\
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = false: yes (3.0)
|   windy = true: no (2.0)
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
"""
"""J48 of Weka 3.8 on golf, with its options as they are."""

IRIS = """\
|--- petal width (cm) <= 0.80
|   |--- class: setosa
|--- petal width (cm) >  0.80
|   |--- petal width (cm) <= 1.75
|   |   |--- class: versicolor
|   |--- petal width (cm) >  1.75
|   |   |--- class: virginica
"""
"""`export_text` of a `DecisionTreeClassifier(max_depth=2, random_state=0)` of scikit-learn 1.9."""

RPART = """\
node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 150 100 setosa (0.33333333 0.33333333 0.33333333)
  2) petal length< 2.45 50   0 setosa (1.00000000 0.00000000 0.00000000) *
  3) petal length>=2.45 100  50 versicolor (0.00000000 0.50000000 0.50000000)
    6) petal width< 1.75 54   5 versicolor (0.00000000 0.90740741 0.09259259) *
    7) petal width>=1.75 46   1 virginica (0.00000000 0.02173913 0.97826087) *
"""
"""`print(rpart(species ~ ., iris))` of rpart 4.1, which prunes by `cp`."""

HAND = """\
outlook = sunny
|  humidity = high: no
|  humidity = normal: yes
outlook = overcast: yes
outlook = rainy
|  temperature = hot: yes
|  temperature = mild: yes
|  temperature = cool: no
"""

EXAMPLES = {
    "a wrong tree": State(
        tree=GOLF.replace("humidity <= 75: yes (2.0)", "temperature <= 75: yes (3.0/1.0)").replace(
            "humidity > 75: no (3.0)", "temperature > 75: no (2.0)"
        )
    ),
    "a right tree": State(tree=GOLF),
    "a tied tree": State("iris", tree=IRIS.replace(" (cm)", ""), options="max_depth=2"),
    "a tree that rpart printed": State("iris", tree=RPART, pruned="1"),
    "a tree drawn by hand": State("play-tennis", tree=HAND),
}
"""Trees that programs printed, but for the last; in the first a question was put in the place of another."""


# What is shown.


def view(state: State, rules: str = "{}") -> dict[str, Any]:
    """All that is shown: pieces of HTML by the place where they stand, and the node that is looked at.

    Args:
        state: what a reader gave.
        rules: the sentence of each rule by its id, as JSON.

    Raises:
        InputError: the table or the tree cannot be read.
    """
    checked = audited_tree(state._replace(node="", round=""))
    found = checked.findings
    number, tree = tree_of(state, found)
    here = [one for one in found.findings if one.tree == number]
    first = next((one for one in found.wrong if one.tree == number), here[0])
    seen = next((one for one in here if state.node and tree.path(one.number) == state.node), first)
    visit = visit_of(found, number, seen)
    return {
        "node": tree.path(seen.number),
        "columns": checked.columns,
        "target": tree.target.name,
        "trees": len(found.trees),
        "round": "" if number is None else str(number + 1),
        "html": {
            "remarks": "".join(f"<p class=said>{escape(one)}</p>" for one in checked.remarks),
            "summary": "".join(_summary(found)),
            "tree": _tree_html(tree, found, here, seen),
            "node": "".join(node_html(tree, seen, visit, json.loads(rules))),
            "list": "".join(_list(tree, here)),
        },
    }


def kind_of(finding: Finding) -> str:
    """The kind of a node: `right`, `tied`, `wrong`, `follows` from a wrong one, or `excused`."""
    if finding.excused:
        return "excused"
    if finding.faults:
        return "wrong" if finding.cause is None else "follows"
    return "tied" if finding.verdict == "optimal-tied" else "right"


def _summary(found: Findings) -> Iterator[str]:
    """How many nodes are right, and by whose rules they are judged."""
    kinds = [kind_of(finding) for finding in found.findings]
    counts = {kind: kinds.count(kind) for kind in _MARKS if kind in kinds}
    verdict = "This tree is right." if found.is_right else "This tree is wrong."
    yield f'<p class="verdict {"right" if found.is_right else "wrong"}"><strong>{verdict}</strong> '
    yield ", ".join(f'<span class="{kind}">{_MARKS[kind]} {n} {kind}</span>' for kind, n in counts.items())
    yield "</p>"
    if isinstance(found, Audit):
        grower = found.claims[0].learner.grower()
        how = f"{grower.name}, {grower.profile}" if grower.profile else grower.name
        yield f"<p>Judged by the rules of <code>{escape(how)}</code>.</p>"


def _tree_html(tree: Tree, found: Findings, here: Sequence[Finding], seen: Finding) -> str:
    if len(tree.nodes) > NODES:
        return f"<pre>{escape(to_text(tree))}</pre>"
    rows = found.table if isinstance(found, Audit) and tree.target.values is not None else None
    return drawn(to_svg(tree, rows=rows), tree, here, seen)


def drawn(drawing: str, tree: Tree, here: Sequence[Finding], seen: Finding) -> str:
    """A drawing whose nodes are buttons, each with the mark of its kind."""
    kinds = {tree.path(one.number): kind_of(one) for one in here}
    pressed = tree.path(seen.number)

    def button(group: re.Match[str]) -> str:
        path = unescape(group["path"])
        kind, is_here = kinds.get(path, "right"), str(path == pressed).lower()
        named = f'<g data-path="{group["path"]}" class="{kind}" tabindex="0" role="button" aria-pressed="{is_here}">'
        mark = (
            f'<text class="mark" x="{group["x"]}" y="{group["y"]}" dx="-7" dy="5" stroke="none">{_MARKS[kind]}</text>'
        )
        return f"{named}<title>{kind}</title>{group['box']}{group['rest']}{mark}"

    return _GROUP.sub(button, drawing).replace('role="img"', 'role="group"', 1)


def node_html(tree: Tree, finding: Finding, visit: Visit | None, rules: Mapping[str, str]) -> Iterator[str]:
    """The finding at a node: its faults, the better question and by how much, the sentence of the rule, and bars."""
    asks = "asks" if tree.nodes[finding.number].test is not None else "answers"
    kind = kind_of(finding)
    yield f'<h2>At <code>{escape(path_of(tree, finding))}</code>: <span class="{kind}">{kind}</span></h2>'
    yield f"<p>It {asks} <code>{escape(_said(tree, finding))}</code>; "
    yield f"rows that arrive: {significant(finding.rows, 12)}.</p>"
    if finding.excused:
        yield f"<p class=said>{escape(finding.excused)}</p>"
    for one in finding.faults:
        yield f'<div class="fault"><p><strong>This node {verdict(one.verdict).about}.</strong></p>'
        yield f"<p class=said>{escape(one.message)}</p>"
        yield from _rule(one.rule, rules)
        yield "</div>"
    if finding.regret is not None:
        yield from _regret(finding.regret)
    if finding.cause is not None:
        yield f"<p>It follows from the fault at <code>{escape(tree.path(finding.cause))}</code>.</p>"
    if finding.note:
        yield f"<p class=said>{escape(finding.note)}</p>"
    if visit is not None:
        yield from _decision(tree, finding, visit, rules)


def _said(tree: Tree, finding: Finding) -> str:
    node = tree.nodes[finding.number]
    return finding.said if node.test is not None or isinstance(node.label, str) else decimal_text(node.label)


def _rule(rule: str, rules: Mapping[str, str]) -> Iterator[str]:
    if rule in rules:
        yield f'<p class="rule">The rule: <a href="../decisions/#{escape(rule)}"><code>{escape(rule)}</code></a>. '
        yield f"<span class=sentence>{escape(rules[rule])}</span></p>"


def _regret(regret: Regret) -> Iterator[str]:
    by = f"<span class=measure>{escape(regret.judged_by.replace('_', ' '))}</span>"
    yield f"<p class=better>Better: <code>{escape(regret.best)}</code>, {by} {significant(regret.best_score, 6)}, "
    yield f"in place of {significant(regret.score, 6)}. This loses {significant(regret.per_row, 6)} for each row, "
    yield f"{significant(regret.in_all, 6)} in all"
    if regret.rank is not None and regret.among is not None and regret.rank <= regret.among:
        yield f"; among {regret.among} questions it has rank {regret.rank}"
    yield ".</p>"


def _decision(tree: Tree, finding: Finding, visit: Visit, rules: Mapping[str, str]) -> Iterator[str]:
    """What the learner makes of the node: what ties, and a bar for the best question about each attribute."""
    decision, test = visit.decision, tree.nodes[finding.number].test
    if not decision.winners:
        return
    taken = "" if test is None else test.name
    others = [one.test.name for one in decision.winners if one.test.name != taken]
    if finding.verdict == "optimal-tied" and others:
        yield f"<p class=tie>Exactly as good: {', '.join(f'<code>{escape(one)}</code>' for one in others)}.</p>"
        yield from _rule("ties.split", rules)
    measure = decision.judged_by.replace("_", " ")
    yield f"<p>What each question would be worth here (<span class=measure>{escape(measure)}</span>):</p>"
    yield from bars_html(decision, taken)
    if tree.target.values is not None and len(tree.nodes) <= NODES:
        yield from _editing(tree, finding, visit)


def _editing(tree: Tree, finding: Finding, visit: Visit) -> Iterator[str]:
    """What may stand at the node instead."""
    node = tree.nodes[finding.number]
    names = [one.test.name for one in visit.decision.candidates if one.scores and one.barred != "branching"][:ROWS]
    yield "<p class=edits><label>Ask here <select data-edit=ask><option value=''>…</option>"
    yield from (f"<option>{escape(name)}</option>" for name in names if node.test is None or name != node.test.name)
    yield "</select></label> <label>Answer here <select data-edit=label><option value=''>…</option>"
    yield from (f"<option>{escape(value)}</option>" for value in tree.target.domain)
    yield "</select></label></p>"


def _list(tree: Tree, here: Sequence[Finding]) -> Iterator[str]:
    """Every node with its verdict, each a button."""
    yield "<ul class=nodes>"
    for one in here:
        kind = kind_of(one)
        yield f'<li class="{kind}"><button type=button data-path="{escape(tree.path(one.number))}">'
        yield f'<span class="{kind}">{_MARKS[kind]} {kind}</span> '
        yield f"<code>{escape(path_of(tree, one))}</code></button></li>"
    yield "</ul>"


# The page.


def page(wheel: str, rules: Mapping[str, str]) -> str:
    """What stands on the page: the form, and the audit of the first example.

    Args:
        wheel: the name of the package's wheel, beside the scripts.
        rules: the sentence of each rule by its id.
    """
    first, said = EXAMPLES["a wrong tree"], json.dumps(dict(rules), ensure_ascii=False)
    built = view(first, said)
    html = built["html"]
    examples = ", ".join(f'<a href="#{escape(_address(state))}">{name}</a>' for name, state in EXAMPLES.items())
    tables = _options([("", "a table of your own"), *((name, describe(name).title) for name in names())], first.table)
    learners = [("", "as the program has it"), *((name, TITLES[name]) for name in LEARNERS)]
    learners += [
        (f"{name}/{one}", f"{TITLES[name]}: {one}") for name, kind in LEARNERS.items() for one in kind.profiles
    ]
    targets = _options([(name, name) for name in built["columns"]], built["target"])
    return f"""
<div class="playground check" data-wheel="{wheel}" data-modules="remarks,rows,playground,check_audit,check_edit,check"
data-starting="Python is starting: about 8 MB, once …" data-working="Working …" data-copied="The link is copied."
data-unheld="The link cannot hold the table: it is too long, or not checked yet. Send the file, too."
data-failed="Python could not be loaded." data-kept="What you see is as it was before.">
<link rel="stylesheet" href="../assets/playground/playground.css">
<link rel="stylesheet" href="../assets/playground/check.css">
<script type="module" src="../assets/playground/check.js"></script>
<script type="application/json" class="rules">{said.replace("<", chr(92) + "u003c")}</script>
<p class="try" data-search-exclude>Try: {examples}.</p>
<form autocomplete="off" data-search-exclude>
<fieldset><legend>1. The table that the tree was grown from</legend>
<label>Table <select name="table">{tables}</select></label>
<div class="own" hidden>
<label>Paste it with its line of names <textarea name="csv" rows="8" spellcheck="false"></textarea></label>
<label>or choose a file <input type="file" name="tableFile" accept=".csv,.tsv,.txt,.arff"></label></div>
<label>Column that is predicted <select name="target">{targets}</select></label>
</fieldset>
<fieldset><legend>2. The tree, as a program printed it or as you write it</legend>
<label>The text <textarea name="tree" rows="10" spellcheck="false">{escape(first.tree)}</textarea></label>
<label>or choose a file <input type="file" name="treeFile"></label>
</fieldset>
<fieldset class="how">
<label>Judged by the rules of <select name="learner">{_options(learners, "")}</select></label>
<label class="tick"><input type="checkbox" name="pruned" value="1"> it was pruned, or stopped early</label>
<label>Options <input name="options" size="18" placeholder="max_depth=3"></label>
<label hidden>Tree <input type="number" name="round" min="1" size="4"></label>
<button type="submit" class="primary">Check it</button>
<button type="button" class="begin">Build one by hand</button>
<button type="button" class="link">Copy the link</button>
</fieldset>
</form>
<p class="status" role="status" aria-live="polite"></p>
<p class="error" role="alert"></p>
<div data-shows="remarks">{html["remarks"]}</div>
<div data-shows="summary" aria-live="polite" data-search-exclude>{html["summary"]}</div>
<div class="sides">
<div data-shows="tree" role="region" aria-label="The tree" tabindex="0" data-search-exclude>{html["tree"]}</div>
<div data-shows="node" data-search-exclude>{html["node"]}</div>
</div>
<h2 id="every-node">Every node</h2>
<div data-shows="list" data-search-exclude>{html["list"]}</div>
</div>
"""


def _options(pairs: Sequence[tuple[str, str]], chosen: str) -> str:
    return "".join(
        f'<option value="{escape(value)}"{" selected" * (value == chosen)}>{escape(text)}</option>'
        for value, text in pairs
    )


def _address(state: State) -> str:
    return urlencode({name: value for name, value in state._asdict().items() if value})
