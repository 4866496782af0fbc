"""What the pages say of other programs is so in the releases that they name, and the words stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.every import of_every
from tests.programs import seen

ROOT = Path(__file__).parents[2]


@of_every(seen.CLAIMS)
def test_the_words_of_a_claim_stand_on_its_page(claim: seen.Claim) -> None:
    text = (ROOT / "docs" / f"{claim.page}.md").read_text(encoding="utf-8")
    assert claim.words in re.sub(r"\s+", " ", text)


def test_each_program_has_releases_in_which_it_was_seen() -> None:
    assert set(seen.recorded()) == {claim.program for claim in seen.CLAIMS}


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("claim", seen.CLAIMS, ids=lambda claim: f"{claim.program} {claim.holds.__name__}")
def test_a_claim_holds_in_the_release_that_is_installed(claim: seen.Claim) -> None:
    if seen.release(claim.program) is None:
        pytest.skip(f"{claim.program} is not installed")
    assert claim.holds(), f"{claim.page} says {claim.words!r}, and {seen.release(claim.program)} does not do so"


def test_a_claim_that_no_longer_holds_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    false = seen.Claim("XGBoost", "decisions", "it sorts", lambda: False)
    monkeypatch.setattr(seen, "CLAIMS", [false])
    monkeypatch.setattr(seen, "release", lambda program: "99")
    assert list(seen.no_longer()) == [false]
