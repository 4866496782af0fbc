"""The playground in a real browser: Python answers there, and says what the package says here.

As for the other tests in a browser, the site is built first. `python -m tools.benchmarks.playground` prints how long
the first answer takes, and how many bytes that loads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import pytest

import reference_tree as rt
from docs.assets.playground.playground import State, decoded, grown, take, view
from reference_tree.data.errors import InputError
from reference_tree.data.textbook import names, textbook
from reference_tree.learners.c45 import C45
from reference_tree.learners.cart import CART
from reference_tree.learners.id3 import ID3
from reference_tree.learners.place import Ties
from reference_tree.measures.gain_ratio import gain_ratio
from reference_tree.measures.information_gain import information_gain
from reference_tree.tree_document import to_json
from tests.docs.test_browser import PATIENCE, SCREENS
from tests.every import of_every

if TYPE_CHECKING:
    from playwright.sync_api import Page

TIED = "wind,sky,play\nno,clear,no\nyes,grey,no\nyes,grey,no\nyes,grey,no\nyes,clear,yes\nyes,clear,yes\nyes,grey,yes\n"
"""Both attributes have the same gain, and by the package's formula in floats sky has more."""


def text(html: str) -> str:
    """What can be read of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def node_text(state: State) -> str:
    return text(view(state)["html"]["node"])


# What it says, without a browser.


def test_play_tennis() -> None:
    assert "outlook 0.246750 taken humidity 0.151836" in node_text(State())


@pytest.mark.one_in(5, 15)
@pytest.mark.parametrize("name", names())
def test_every_textbook_table_is_shown_and_can_be_changed(name: str) -> None:
    shown = view(State(name))
    cells = re.findall(r'value="([^"]*)" [^>]*data-cell="1,(\d+)"', shown["html"]["table"])
    columns = [*textbook(name).schema.attributes, textbook(name).schema.target]
    assert len(cells) == len(columns)
    # A change to what stands there already changes nothing, and the table is read as it was.
    edits = tuple(f"1,{column},{unescape(cell)}" for cell, column in cells)
    assert view(State(name, edits=edits))["html"]["tree"] == shown["html"]["tree"]


def gain_of_outlook(rows: Iterable[Sequence[str]]) -> str:
    """What is printed of it; the last cell of a row is its class."""
    rows = list(rows)
    counts = [
        [sum((row[0], row[-1]) == (value, label) for row in rows) for label in ("no", "yes")]
        for value in ("overcast", "rainy", "sunny")
    ]
    return f"outlook {float(information_gain(counts)):.6f}"


def test_rows_are_added_and_deleted() -> None:
    header, *days = take(State(), "csv").splitlines()
    new = "overcast,hot,high,strong,no"
    edits = tuple(f"15,{column},{value}" for column, value in enumerate(new.split(","), 1))
    state = State(edits=edits, added="1", deleted=("3", "7"))
    kept = [row for number, row in enumerate([*days, new], 1) if number not in {3, 7}]
    assert take(state, "csv").splitlines() == [header, *kept]
    table = view(state)["html"]["table"]
    assert re.findall(r"<th scope=row>(\d+)", table) == [str(row) for row in range(1, 16) if row not in {3, 7}]
    assert 'data-next="16"' in table
    assert gain_of_outlook(row.split(",") for row in kept) in node_text(state)


def test_a_changed_cell_counts() -> None:
    rows = [[str(row["outlook"]), str(row["play"])] for row in textbook("play-tennis").rows()]
    rows[2][0] = "sunny"
    assert gain_of_outlook(rows) in node_text(State(edits=("3,1,sunny",)))


def test_another_cut_has_its_price() -> None:
    golf = textbook("golf")
    state = State("golf", learner="c45", asks=("/@temperature<=70.5",))
    counts = [[0, 0], [0, 0]]
    for _, degrees, *_, play in (line.split(",") for line in take(State("golf"), "csv").splitlines()[1:]):
        counts[float(degrees) > 70.5][play == "yes"] += 1
    shown = view(state)["html"]
    assert 'data-path="/temperature&lt;=70.5"' in shown["tree"]
    assert "Your choice. temperature<=70.5 has" in text(shown["node"])
    (chosen,) = re.findall(r'<option value="([^"]*)" selected>([^<]*)</option>', shown["node"])
    assert unescape(chosen[0]) == "temperature<=70.5"
    assert unescape(chosen[1]).endswith(f"{float(gain_ratio(counts)):.6f}")
    tree = grown(C45(), golf, {"/": "temperature<=70.5"})[0]
    assert tree.nodes[0].missing.shares == (Fraction(sum(counts[0]), 14), Fraction(sum(counts[1]), 14))


def test_a_row_without_an_answer_to_another_cut_goes_where_the_learner_sends_it() -> None:
    melons, other = textbook("watermelon-2.0a"), "根蒂 in {硬挺}"
    root = grown(CART(max_depth=1), melons, {"/": other})[0].nodes[0]
    assert root.test is not None
    assert root.test.name == other
    (second,) = root.missing.surrogates  # 沉闷 and 浊响 answer 敲声 exactly where 根蒂 is not 硬挺
    assert (second.test.name, second.agreement) == ("敲声 in {沉闷, 浊响}", 1)


def test_a_node_is_a_button_before_any_script_runs() -> None:
    tree = view(State(node="/outlook=sunny"))["html"]["tree"]
    assert tree.count('tabindex="0" role="button"') == len(ID3().grow(textbook("play-tennis")).nodes)
    assert re.findall(r'data-path="([^"]*)"[^>]*aria-pressed="true"', tree) == ["/outlook=sunny"]
    assert '<div class="wide" tabindex="0">' in view(State())["html"]["derivation"]


def test_a_tie_and_what_floats_make_of_it() -> None:
    clear, grey = [[1.0, 2.0], [3.0, 1.0]]
    by_wind, by_sky = information_gain([[1.0, 0.0], [3.0, 3.0]]), information_gain([clear, grey])
    shown = view(State("seven.csv", TIED))
    assert re.findall(r'<g data-path="([^"]*)"[^>]* class="tie">', shown["html"]["tree"]) == ["/"]
    assert by_wind < by_sky, "this processor rounds otherwise: find another example"
    assert f"Floats would have taken sky: wind {by_wind!r} and sky {by_sky!r}." in text(shown["html"]["node"])
    assert "So they do in floats" in node_text(State("watermelon-2.0", node="/纹理=清晰"))


def test_another_question_has_its_price() -> None:
    regret = float(information_gain([[0, 4], [2, 3], [3, 2]]) - information_gain([[4, 3], [1, 6]]))
    asked = State(asks=("/@humidity",))
    assert f"humidity has {regret:.6f} less gain than outlook" in node_text(asked)
    assert 'data-path="/humidity=high"' in view(asked)["html"]["tree"]
    with pytest.raises(InputError, match="take back your own question at /"):
        take(asked, "json")


def test_a_question_that_ties_is_the_learners_own() -> None:
    asked = State("watermelon-2.0", asks=("/纹理=清晰@脐部",))
    golden = json.loads(take(asked, "json"))
    assert golden["learner"]["options"]["ties"]["at"] == {"/纹理=清晰": {"choose": "脐部"}}
    tree = ID3(ties=Ties({"/纹理=清晰": "脐部"})).grow(textbook("watermelon-2.0"))
    assert golden["expected"]["tree"] == json.loads(to_json(tree))["nodes"]


CODED = "zip,fare,survived\n1001,7,0\n1002,71,1\n1001,8,0\n1003,53,1\n"


def test_what_a_remark_says_to_state_can_be_stated() -> None:
    shown = view(State("titanic.csv", CODED))
    (remark,) = re.findall("<p>(.*?)</p>", shown["html"]["remarks"])
    ((button, column),) = re.findall(r"press (\w+) above the column (\w+) to", unescape(remark))
    assert shown["learner"] == "c45"
    ((kind, to, _),) = re.findall(rf"data-kind='({column})' data-to=(\w+) [^>]*>({button})<", shown["html"]["table"])
    for stated in ({"kinds": (f"{to}@{kind}",)}, {"options": "continuous=['survived']"}):
        found = view(State("titanic.csv", CODED, edits=("1,2,9",), **stated))
        assert (found["learner"], found["html"]["remarks"]) == ("cart", "")
    named = State("titanic.csv", CODED, options="categorical=zip,survived max_depth=1", learner="cart")
    assert "zip=1001 0.5 taken" in node_text(named)
    with pytest.raises(InputError, match="'price'"):
        view(State("titanic.csv", CODED, options="continuous=price"))


def test_a_textbook_table_is_read_as_it_is_stated() -> None:
    assert view(State("golf"))["learner"] == "c45"
    assert view(State("golf", options="categorical=temperature,humidity"))["learner"] == "id3"


@pytest.mark.slow
def test_a_column_is_read_as_another_kind_by_a_click() -> None:
    assert view(State("titanic.csv", CODED, kinds=("continuous@survived",)))["learner"] == "cart"
    assert view(State("golf", kinds=("categorical@temperature", "categorical@humidity")))["learner"] == "id3"
    assert view(State("iris", kinds=("categorical@petal length",)))["learner"] == "c45"  # a name with a space
    heads = re.findall(r"<th scope=col>(.*?)</th>", view(State("golf"))["html"]["table"])
    assert [text(head) for head in heads] == ["outlook", "temperature 123", "humidity 123", "windy", "play"]


def test_a_row_is_predicted_and_its_way_is_lit() -> None:
    shown = view(State(row=("outlook=sunny", "humidity=high")))["html"]
    assert "play: no" in text(shown["row"])
    lit = re.findall(r'<g data-path="([^"]*)"[^>]* class="way">', shown["tree"])
    assert lit == ["/", "/outlook=sunny", "/outlook=sunny/humidity=high"]
    assert "is not a number" in text(view(State("golf", row=("humidity=wet",)))["html"]["row"])
    assert "class=answer" not in view(State())["html"]["row"]


def test_training_and_held_out_rows_are_counted() -> None:
    assert text(view(State())["html"]["quality"]) == "training rows: 14 of 14 right (100 %)."
    split = rt.holdout(textbook("iris"), 0, Fraction(3, 10))
    tree = CART().grow(split.training)
    right = sum(tree.predict(row) == row["species"] for row in split.validation.rows())
    said = text(view(State("iris", learner="cart", held="0.3"))["html"]["quality"])
    assert f"rows held out: {right} of {len(split.validation)} right" in said
    error = CART().grow(textbook("cats-regression")).mean_squared_error(textbook("cats-regression"))
    assert f"mean squared error {float(error):.3f}" in text(view(State("cats-regression"))["html"]["quality"])
    with pytest.raises(InputError, match="rows held out: "):
        view(State(held="2"))


@of_every([("utf-8-sig", ""), ("gbk", "GB18030"), ("utf-16", "")])
def test_a_file_is_decoded_as_the_package_decodes_it(encoding: str, said: str) -> None:
    found = decoded(State("瓜.csv"), "色泽，好瓜\r\n青绿，是\r\n乌黑，否\r\n".encode(encoding))
    assert found["text"] == "色泽，好瓜\n青绿，是\n乌黑，否\n"
    assert said in found["said"]
    assert "(say" not in found["said"]


def test_what_is_taken_away() -> None:
    state = State("loan", learner="c45/li-hang", options="max_depth=1")
    assert json.loads(take(state, "json"))["learner"]["profile"] == "li-hang"
    assert take(state, "svg").startswith("<svg")
    assert take(state, "html").startswith("<!DOCTYPE html>")
    assert len(take(state, "csv").splitlines()) == 16


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State("mine.csv", "wind,play\nweak\n"), "mine.csv, line 2: the row has 1 value for 2 columns"),
        (State("mine.csv", 'wind,play\n"weak,no\n'), "mine.csv, line 2, column 1: the quote that opens here"),
        (State("golf", edits=("3,2,warm",)), "golf.csv, line 4, column temperature: 'warm' is not a number"),
        (State(edits=("99,1,sunny",)), "no row, column and value of this table"),
        (State(edits=("sunny",)), "no row, column and value of this table"),
        (State(added="many"), "the address adds 'many' rows: that is no whole number from 1 to 1000"),
        (State(deleted=("15",)), "the address deletes row '15': that is no whole number from 1 to 14"),
        (State(deleted=tuple(map(str, range(1, 15)))), "play-tennis.csv"),
        (State("golf", learner="id3"), "which ID3 has no rule for"),
        (State(options="depth=2"), "depth is no option of id3; it has epsilon"),
        (State(options="max_depth=x"), "max_depth x: "),
        (State("golfe"), "did you mean golf"),
        (State(learner="id4"), "there is no learner 'id4'"),
        (State(without="day"), "day"),
    ],
    ids=str,
)
def test_a_readable_error(state: State, said: str) -> None:
    with pytest.raises((InputError, ValueError)) as error:
        view(state)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


# In the browser.


class Visitor:
    """A reader before a page: what it asked other hosts for, and what it complained of."""

    def __init__(self, tab: Page, url: str) -> None:
        self.tab, self.url, self.complaints, self.elsewhere = tab, url, list[str](), list[str]()
        tab.on("request", lambda request: self._asked(request.url))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("console", lambda said: self._said(said))

    def _asked(self, url: str) -> None:
        if urlsplit(url).scheme not in {"blob", "data"} and urlsplit(url).hostname != "127.0.0.1":
            self.elsewhere.append(url)

    def _said(self, said: Any) -> None:
        if said.type in {"error", "warning"}:
            self.complaints.append(said.text)

    def open(self, *, fresh: bool = False, **state: Any) -> None:
        """Open a link; unless it is to be fresh, in the page that is there, where Python runs already."""
        there = f"{self.url}{'#' * bool(state)}{urlencode(state, doseq=True)}"
        if fresh or not self.tab.url.startswith(self.url):
            self.tab.goto("about:blank")
            self.tab.goto(there, wait_until="load")
        elif self.tab.url != there:
            self.tab.evaluate(
                "to => new Promise((done) => { addEventListener('popstate', () => setTimeout(done)); location = to; })",
                f"#{urlencode(state, doseq=True)}",
            )
            self.tab.locator(".playground:not([aria-busy])").wait_for(timeout=PATIENCE)

    def shows(self, part: str, said: str) -> None:
        """Wait until a part of the page says something."""
        self.tab.locator(part).filter(has_text=said).first.wait_for(timeout=PATIENCE)


NODE, ERROR, TREE = "[data-shows=node]", ".playground .error", "[data-shows=tree]"


@pytest.mark.browser
def test_it_is_complete_before_python_is_there(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(fresh=True)
    one.shows(NODE, "0.246750")
    one.shows("[data-shows=derivation]", "bits")
    assert one.tab.locator(f"{TREE} [data-path]").count() == len(ID3().grow(textbook("play-tennis")).nodes)
    assert not any(
        "pyodide" in url for url in one.tab.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    )


@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
def test_it_grows_id3_on_play_tennis_and_follows_a_change(visitor: Callable[..., Visitor], screen: str) -> None:
    one = visitor(screen)
    one.open(table="play-tennis", learner="id3", node="/outlook=sunny")
    one.shows(NODE, "At /outlook=sunny: 5 rows")
    one.tab.locator('[data-path="/"]').press("Enter")
    one.shows(NODE, "0.246750")
    assert "node=" not in one.tab.url
    cell = one.tab.locator('[data-cell="3,1"]')
    cell.fill("sunny")
    cell.press("Tab")
    one.shows(NODE, node_text(State(edits=("3,1,sunny",))).split()[4])
    assert "edits=3%2C1%2Csunny" in one.tab.url
    assert one.tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


@pytest.mark.browser
def test_rows_are_copied_and_deleted_by_the_keyboard(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(table="play-tennis", learner="id3")
    one.tab.locator('[data-copy="3"]').press("Enter")
    one.shows(NODE, "At /: 15 rows")
    assert [one.tab.locator(f'[data-cell="15,{column}"]').input_value() for column in range(1, 6)] == [
        one.tab.locator(f'[data-cell="3,{column}"]').input_value() for column in range(1, 6)
    ]
    assert one.tab.evaluate("document.activeElement.dataset.copy") == "3"
    one.tab.locator('[data-delete="3"]').press("Enter")
    one.shows(NODE, "At /: 14 rows")
    assert not one.tab.locator('[data-cell="3,1"]').count()
    assert one.tab.evaluate("document.activeElement.dataset.shows") == "table"
    one.tab.locator('[data-delete="15"]').press("Enter")
    one.shows(NODE, "At /: 13 rows")
    one.shows(NODE, node_text(State(deleted=("3",))).split()[4])


@pytest.mark.browser
def test_another_cut_is_chosen(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(table="golf", learner="c45", asks=["/@temperature"])
    one.shows(NODE, "Your choice. temperature")
    one.tab.locator("[data-ask-one]").select_option("temperature<=70.5")
    one.shows(NODE, "Your choice. temperature<=70.5 has")
    assert one.tab.locator("[data-ask-one]").input_value() == "temperature<=70.5"
    one.tab.get_by_text("Take it back").press("Enter")
    one.shows(NODE, "outlook 0.156428 taken")


@pytest.mark.browser
def test_a_csv_is_pasted_and_a_broken_one_is_told(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open()
    one.tab.locator(".paste summary").click()
    one.tab.locator(".text").fill(TIED)
    one.tab.locator(".use").click()
    one.shows(NODE, "Floats would have taken sky")
    assert one.tab.locator('[data-path="/"]').get_attribute("class") == "tie"
    one.tab.locator(".text").fill("wind,play\nweak\n")
    one.tab.locator(".use").click()
    one.shows(ERROR, "pasted.csv, line 2: the row has 1 value for 2 columns; write ? for a missing value")
    one.shows(NODE, "Floats would have taken sky")  # what was there stays


@pytest.mark.browser
def test_a_file_is_dropped(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open()
    one.tab.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "seven.csv"));
            document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        TIED,
    )
    one.shows(NODE, "Floats would have taken sky")
    assert "table=seven.csv" in one.tab.url


@pytest.mark.browser
def test_a_table_too_long_for_an_address_is_kept_by_its_tab(visitor: Callable[..., Visitor]) -> None:
    one, days = (
        visitor(),
        [f"{day},{'strong' if day % 3 else 'weak'},{'no' if day % 3 else 'yes'}" for day in range(1800)],
    )
    one.open()
    one.tab.locator(".text").evaluate("(area, text) => { area.value = text; }", "\n".join(["day,wind,play", *days]))
    one.tab.locator(".use").evaluate("button => button.click()")
    one.shows(NODE, "At /: 1800 rows")
    one.shows(".short", "This tab keeps it")
    one.tab.locator('[data-delete="1"]').press("Enter")
    one.shows(NODE, "At /: 1799 rows")
    one.tab.go_back()
    one.shows(NODE, "At /: 1800 rows")
    one.tab.go_forward()
    one.shows(NODE, "At /: 1799 rows")
    one.tab.reload()
    one.shows(NODE, "At /: 1799 rows")
    assert one.tab.locator(".text").input_value().splitlines()[1:] == days


@pytest.mark.browser
def test_a_table_that_the_browser_refuses_to_keep_is_not_said_to_be_kept(visitor: Callable[..., Visitor]) -> None:
    one, days = (
        visitor(),
        [f"{day},{'strong' if day % 3 else 'weak'},{'no' if day % 3 else 'yes'}" for day in range(1800)],
    )
    one.open(fresh=True)
    one.tab.evaluate(
        """() => {
            const push = history.pushState.bind(history);
            history.pushState = (held, ...rest) => { if (held?.kept) throw new Error("no room"); push(held, ...rest); };
        }"""
    )
    one.tab.locator(".text").evaluate("(area, text) => { area.value = text; }", "\n".join(["day,wind,play", *days]))
    one.tab.locator(".use").evaluate("button => button.click()")
    one.shows(".lost", "no room to keep it")
    assert one.tab.locator(".short").is_hidden()


@pytest.mark.browser
def test_a_file_of_excel_in_china_is_read(visitor: Callable[..., Visitor]) -> None:
    one, melons = visitor(), "色泽,好瓜\n青绿,是\n乌黑,否\n青绿,是\n"
    one.open(table="golf")
    file: Any = {"name": "瓜.csv", "mimeType": "text/csv", "buffer": melons.encode("gbk")}
    one.tab.locator("[type=file]").set_input_files(file)
    one.shows(NODE, "色泽")
    one.shows(".status", "read as GB18030")
    assert one.tab.locator(".text").input_value() == melons


@pytest.mark.browser
def test_a_link_is_restored(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(fresh=True, table="watermelon-2.0", node="/纹理=清晰", asks=["/纹理=清晰@敲声"], options="max_depth=3")
    one.shows(NODE, "Your choice. 敲声 has 0.127250 less gain than 根蒂")
    assert one.tab.locator("[name=table]").input_value() == "watermelon-2.0"
    assert one.tab.locator("[data-option=max_depth]").input_value() == "3"
    one.tab.get_by_text("Take it back").click()
    one.shows(NODE, "根蒂 0.458106 taken; an exact tie")
    one.tab.go_back()
    one.shows(NODE, "Your choice.")


@pytest.mark.browser
def test_a_change_is_undone_and_redone(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(fresh=True)
    assert one.tab.locator(".undo").is_disabled()
    one.tab.locator('[data-delete="3"]').press("Enter")
    one.shows(NODE, "At /: 13 rows")
    one.tab.locator(".undo").click()
    one.shows(NODE, "At /: 14 rows")
    one.tab.locator("h1").press("Control+Shift+z")
    one.shows(NODE, "At /: 13 rows")
    one.tab.locator("h1").press("Control+z")
    one.shows(NODE, "At /: 14 rows")
    assert one.tab.locator(".redo").is_enabled()


@pytest.mark.browser
def test_a_row_is_typed_and_its_way_is_lit(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(table="golf", learner="c45")
    for name, value in (("outlook", "sunny"), ("humidity", "70")):
        one.tab.locator(f'[data-row="{name}"]').fill(value)
        one.tab.locator(f'[data-row="{name}"]').press("Tab")
    one.shows("[data-shows=row]", "play: yes")
    assert one.tab.locator(f"{TREE} .way").count() == 3
    one.tab.locator('[data-kind="temperature"]').press("Enter")
    one.shows('[data-kind="temperature"]', "abc")
    assert "kinds=categorical%40temperature" in one.tab.url
    one.tab.locator("[name=held]").fill("0.3")
    one.tab.locator("[name=held]").press("Tab")
    one.shows("[data-shows=quality]", "rows held out")
    one.tab.locator("[name=zoom]").select_option("fit")
    drawing = one.tab.locator(f"{TREE} svg").bounding_box()
    assert drawing is not None
    assert drawing["width"] <= (one.tab.locator(TREE).bounding_box() or drawing)["width"]


@pytest.mark.browser
def test_the_tree_is_in_view_after_a_change_on_a_phone(visitor: Callable[..., Visitor]) -> None:
    one = visitor("phone")
    one.open(fresh=True)
    one.tab.locator("[name=learner]").select_option("cart")
    one.shows(NODE, "gini")
    one.tab.wait_for_function(
        """() => {
            const { top, bottom } = document.querySelector("[data-shows=tree]").getBoundingClientRect();
            return bottom > 80 && top < innerHeight - 80;
        }""",
        timeout=PATIENCE,
    )
    tree, table = (one.tab.locator(f"[data-shows={part}]").bounding_box() for part in ("tree", "table"))
    assert tree is not None
    assert table is not None
    assert tree["y"] < table["y"] < tree["y"] + 740  # both are on one screen


@pytest.mark.browser
def test_what_is_downloaded_is_what_the_package_writes(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(table="golf", learner="c45/weka-j48")
    for what in ("json", "svg", "html", "csv"):
        with one.tab.expect_download(timeout=PATIENCE) as found:
            one.tab.locator(f"[data-take={what}]").click()
        assert found.value.suggested_filename == f"golf.{what}"
        with open(found.value.path(), encoding="utf-8") as file:
            assert file.read() == take(State("golf", learner="c45/weka-j48"), what)


@pytest.mark.browser
def test_a_runaway_table_is_stopped(visitor: Callable[..., Visitor]) -> None:
    one = visitor()
    one.open(fresh=True, table="iris", learner="optimal")  # two million questions, and no end before
    one.tab.locator(".stop").click(timeout=PATIENCE)
    one.shows(".status", "Stopped")
    assert not one.tab.locator(".stop").is_visible()
    one.tab.locator("[name=learner]").select_option("cart")
    one.shows(NODE, "petal width<=0.8")
