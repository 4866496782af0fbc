"""What stands on the page of the playground before anything is changed, and what its script says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final
from urllib.parse import urlencode

from docs.assets.playground.playground import State
from docs.assets.playground.workbench import ENSEMBLE_NAMES, PRUNINGS, TREES, view
from reference_tree.data.textbook import describe, names
from reference_tree.learners.registry import LEARNERS
from reference_tree.views.derivation.explain import LEARNERS as TITLES

MODULES: Final = "remarks,rows,playground,six_trees,workbench"

SAID: Final[Mapping[str, str]] = {
    "starting": "Python is starting: about 8 MB, once …",
    "working": "Working …",
    "failed": "Python could not be loaded.",
    "kept": "What you see is as it was before.",
    "copied": "The link is copied.",
    "unheld": "The link cannot hold the table: it is too long. Send the file.",
    "stopped": "Stopped. Change something, and Python starts anew.",
    "writing": "Writing …",
}
"""What the script says, by its name in the data of the page."""

SEVEN: Final = (
    "wind,sky,play\nno,clear,no\nyes,grey,no\nyes,grey,no\nyes,grey,no\nyes,clear,yes\nyes,clear,yes\nyes,grey,yes\n"
)

PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "three attributes tie": {"table": "watermelon-2.0", "node": "/纹理=清晰"},
    "a tie that floats break": {"table": "seven.csv", "csv": SEVEN},
    "ask for humidity first": {"table": "play-tennis", "asks": "/@humidity"},
    "golf as J48 has it": {"table": "golf", "learner": "c45/weka-j48"},
    "a tree of numbers": {"table": "cats-regression"},
    "pruned against rows held out": {"table": "iris", "learner": "cart", "held": "0.3", "prune": "reduced-error"},
    "C4.5 beside CART": {"table": "play-tennis", "learner": "c45", "beside": "cart"},
    "AdaBoost": {"table": "golf", "learner": "cart", "ensemble": "adaboost"},
}
"""What can be tried, by its state."""


def options(pairs: Iterable[tuple[str, str]], chosen: str = "") -> str:
    """The options of a list, one of them chosen."""
    return "".join(
        f'<option value="{escape(value)}"{" selected" * (value == chosen)}>{escape(text)}</option>'
        for value, text in pairs
    )


def learners(chosen: str = "") -> str:
    """All learners with their dialects."""
    return "".join(
        f'<optgroup label="{TITLES[name]}">'
        + options(
            [(name, TITLES[name]), *((f"{name}/{one}", f"{TITLES[name]}: {one}") for one in kind.profiles)], chosen
        )
        + "</optgroup>"
        for name, kind in LEARNERS.items()
    )


def page(wheel: str) -> str:
    """What stands on the page.

    Args:
        wheel: the name of the package's wheel, beside the scripts.
    """
    first = view(State())
    shown = first["html"]
    tables = options([("", "your own"), *((name, describe(name).title) for name in names())], State().table)
    targets = options([(name, name) for name in first["targets"]], first["target"])
    prunings = options([("", "not at all"), *PRUNINGS.items()])
    beside = options([("", "nothing")]) + learners()
    ensembles = options([("", "none"), *ENSEMBLE_NAMES.items()])
    links = ", ".join(f'<a href="#{escape(urlencode(state))}">{name}</a>' for name, state in PLACES.items())
    said = " ".join(f'data-{name}="{escape(text)}"' for name, text in SAID.items())
    return f"""
<div class="playground" data-wheel="{wheel}" data-modules="{MODULES}"
data-table="{State().table}" {said}>
<link rel="stylesheet" href="../assets/playground/playground.css">
<script type="module" src="../assets/playground/playground.js"></script>
<form autocomplete="off" data-search-exclude>
<label>Table <select name="table">{tables}</select></label>
<label>Predict <select name="target">{targets}</select></label>
<label>Learner and dialect <select name="learner">{learners(first["learner"])}</select></label>
<label>Maximum depth <input data-option="max_depth" size="4" inputmode="numeric"></label>
<label>Rows in a branch, at least <input data-option="min_samples_leaf" size="4" inputmode="decimal"></label>
<label>Leave out <input name="without" size="12" placeholder="day, id"></label>
<label>Hold out a share of the rows <input name="held" size="6" inputmode="decimal" placeholder="0.3"></label>
<label>Other options <input name="others" size="18" placeholder="epsilon=0.1"></label>
<label>Size of the tree <select name="zoom"><option value="">as drawn</option><option value="fit">fits</option>
<option value="0.6">60 %</option><option value="1.5">150 %</option></select></label>
<details class="further"><summary>Prune it, set another tree beside it, grow an ensemble</summary><div>
<label>Prune <select name="prune">{prunings}</select></label>
<label>α, the price of a leaf <input name="alpha" size="6" placeholder="0.01"></label>
<label>Beside it <select name="beside">{beside}</select></label>
<label>An ensemble <select name="ensemble">{ensembles}</select></label>
<label>Trees <input name="trees" size="4" inputmode="numeric" placeholder="{TREES}"></label>
</div></details>
</form>
<details class="paste"><summary>A table of your own: paste it here, choose a file, or drop one anywhere</summary>
<textarea class="text" rows="6" aria-label="CSV" spellcheck="false"
placeholder="wind,play&#10;weak,yes&#10;strong,no"></textarea>
<button type="button" class="use">Use it</button> <input type="file" accept=".csv,.tsv,.txt,.arff" aria-label="a file">
</details>
<p class="try">Try: {links}.</p>
<div class="bar"><p class="status" role="status" aria-live="polite"></p>
<button type="button" class="stop" hidden>Stop</button>
<button type="button" class="undo" disabled>Undo</button> <button type="button" class="redo" disabled>Redo</button>
<button type="button" class="link">Copy the link</button></div>
<p class="error" role="alert"></p>
<p class="short" hidden>This table is too long for an address.
This tab keeps it; a link to this page will not hold it.</p>
<p class="lost" hidden>This table is too long for an address,
and this browser has no room to keep it: save it before you leave the page.</p>
<noscript><p>Without JavaScript this page shows how ID3 grows the tree of play tennis, and stays so.</p></noscript>
<div data-shows="remarks">{shown["remarks"]}</div>
<section class="sides" data-search-exclude>
<div data-shows="table" role="region" aria-label="The table" tabindex="0">{shown["table"]}</div>
<div class="grown"><div data-shows="tree" role="region" aria-label="The tree" tabindex="0">{shown["tree"]}</div>
<div data-shows="quality">{shown["quality"]}</div>
<div data-shows="row">{shown["row"]}</div></div>
</section>
<div data-shows="node">{shown["node"]}</div>
<div class="more" data-shows="pruned"></div>
<div class="more" data-shows="beside"></div>
<div class="more" data-shows="ensemble"></div>
<div class="downloads">
<button type="button" data-take="html">Worksheet (HTML)</button>
<button type="button" data-take="svg">Drawing (SVG)</button>
<button type="button" data-take="json">Golden (JSON)</button>
<button type="button" data-take="csv">Table (CSV)</button>
<button type="button" class="anew">Start over</button>
</div>
<section data-search-exclude><div data-shows="derivation">{shown["derivation"]}</div></section>
</div>
"""
