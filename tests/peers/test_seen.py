"""What the pages say of other programs is so in the releases that they name, and nothing is said without a record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.every import of_every
from tests.peers import seen
from tests.peers.seen import record
from tests.peers.seen.sentences import Sentence, said_by, sentences

ROOT = Path(__file__).parents[2]
PAGES = sorted({*(claim.page for claim in seen.CLAIMS), *(f"zh/{page}" for page in record.in_chinese())})


def text_of(page: str) -> str:
    """The text of a page, on one line."""
    return re.sub(r"\s+", " ", (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))


def recorded_of(sentence: Sentence) -> set[str]:
    """The programs of which a sentence is on record; `Weka's Id3` is of Weka."""
    claims = [(claim.program, claim.page, claim.words) for claim in seen.CLAIMS]
    claims += [(one["program"], one["page"], one["words"]) for one in record.read_in_sources()]
    return {
        program.partition("'")[0] for program, page, words in claims if page == sentence.page and words in sentence.text
    }


def is_no_claim(sentence: Sentence) -> bool:
    return any(words in sentence.text for words in record.no_claims().get(sentence.page, ()))


@of_every(seen.CLAIMS)
def test_the_words_of_a_claim_stand_on_its_page(claim: seen.Claim) -> None:
    assert claim.words in text_of(claim.page)


def test_each_program_has_releases_in_which_it_was_seen() -> None:
    assert set(seen.recorded()) == {claim.program for claim in seen.CLAIMS} <= set(record.RELEASES)
    assert all(seen.recorded().values())


def test_what_a_page_says_of_a_program_has_a_run() -> None:
    without = [
        (one.page, program, one.text)
        for one in sentences()
        for program in one.programs - recorded_of(one)
        if not is_no_claim(one)
    ]
    assert without == [], (
        "give each a run in tests/peers/seen, or say in seen.toml that it says nothing about the program"
    )


def test_a_sentence_that_is_said_to_claim_nothing_stands_on_its_page_and_has_no_run() -> None:
    found = list(sentences())
    for page, listed in record.no_claims().items():
        for words in listed:
            assert any(one.page == page and words in one.text and one.programs - recorded_of(one) for one in found), (
                f"{page}: {words}"
            )


def test_what_no_run_sees_names_its_source() -> None:
    for one in record.read_in_sources():
        assert one["words"] in text_of(one["page"])
        assert one["source"].strip()


@of_every(
    [
        ("rpart sorts the levels.", {"rpart"}),
        ("| C4.5, J48 | sort |", {"C4.5", "Weka"}),
        ("Here DuckDB and SQLite sort the rows.", {"DuckDB", "SQLite"}),
        ("XGBoost's `approx` sorts.", {"XGBoost"}),
        ("It is read as in XGBoost.", set()),
        ("C4.5 compares ratios.", set()),
    ]
)
def test_a_sentence_says_something_of_a_program_that_is_its_subject(text: str, programs: set[str]) -> None:
    assert said_by(text) == programs


@of_every(PAGES)
def test_a_page_names_the_releases_in_which_its_claims_were_seen(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [found.group() for found in record.SEEN.finditer(text)] == [record.line(page)], (
        "run python -m tests.peers.seen pages"
    )


def test_no_other_page_names_releases() -> None:
    paths = [path for path in ROOT.glob("docs/**/*.md") if record.SEEN.search(path.read_text(encoding="utf-8"))]
    assert sorted(path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in paths) == sorted(PAGES)


def test_a_page_in_chinese_says_of_programs_what_is_on_record_in_english() -> None:
    for page, programs in record.in_chinese().items():
        english = {claim.program for claim in seen.CLAIMS if claim.page in {page, f"{page}_more"}}
        assert set(programs) <= english, page


@pytest.mark.one_in(4)  # `report` and `thorough` run all
@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "claim", {(one.program, one.run): one for one in seen.CLAIMS}.values(), ids=lambda one: f"{one.program} {one.run}"
)
def test_a_claim_holds_in_the_release_that_is_installed(claim: seen.Claim) -> None:
    if seen.release(claim.program) is None:
        pytest.skip(f"{claim.program} is not installed")
    assert claim.holds(), f"{claim.page} says {claim.words!r}, and {seen.release(claim.program)} does not do so"


def test_a_claim_that_no_longer_holds_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    false = seen.Claim("XGBoost", "decisions", "it sorts", lambda: False, "it_sorts")
    monkeypatch.setattr(record, "CLAIMS", [false])
    monkeypatch.setitem(record.RELEASES, "XGBoost", lambda: "99")
    assert list(seen.no_longer()) == [false]
    lines, all_hold = seen.tried()
    assert lines[-1] == "no longer so of XGBoost: decisions: it sorts (it_sorts)"
    assert not all_hold
