"""How the site by Zensical, which is to succeed MkDocs, differs from the one that is published.

    python docs/tools/canary.py settings > canary.yml      # mkdocs.yml without what Zensical cannot run
    zensical build -f canary.yml
    python docs/tools/canary.py compare site other         # says what is missing, and where the words differ

It exits with status 1 if a page is missing. Everything else is for a person to read: a canary is no test.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARTICLE = re.compile(r"<article.*?</article>", re.DOTALL)
MARKUP = {
    "tables in frames": r'<div class="frame"',
    "formulas": r"<tex-math",
    "drawings": r"<svg ",
    "words with their language": r'<(?:span|tspan) lang="(?:zh|en)"',
    "functions": r'class="doc doc-object doc-function"',
    "code that was not run": r'exec="on"',
}
"""What is counted on each page, by its name."""


def settings(text: str) -> str:
    """mkdocs.yml without our templates, which are in Jinja, without other versions, and into another folder."""
    return re.sub(r"\n  (?:custom_dir|- mike): .*", "", text).replace("\nplugins:", "\nsite_dir: other\n\nplugins:", 1)


def article(page: Path) -> str:
    """What stands on a page beside navigation."""
    found = ARTICLE.search(page.read_text(encoding="utf-8"))
    return found[0] if found else ""


def words(html: str) -> Counter[str]:
    """The words of a page, and how often each stands there; of a formula none, for it has ids of its own."""
    text = re.sub(r"<(tex-math|script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    joined = re.sub(r"</?t?span\b[^>]*>", "", text)  # they part no words
    return Counter(unescape(re.sub(r"<[^>]*>", " ", joined)).split())


def compare(site: Path, other: Path) -> int:
    """Print how a site differs from another one."""
    pages = sorted(page.relative_to(site) for page in site.rglob("index.html"))
    there = [page for page in pages if (other / page).exists()]
    for page in sorted(set(pages) - set(there)):
        print(f"missing: {page.parent}")
    said = [(page, article(site / page), article(other / page)) for page in there]
    print(f"{len(there)} of {len(pages)} pages are there")
    for name, pattern in MARKUP.items():
        ours, theirs = (sum(len(re.findall(pattern, pair[side])) for _, *pair in said) for side in (0, 1))
        print(f"{name}: {ours}, by Zensical {theirs}")
    differ = [(page, words(one), words(another)) for page, one, another in said if words(one) != words(another)]
    print(f"the words of {len(differ)} pages differ")
    for page, one, another in differ:
        print(f"  {page.parent}: lacks {_few(one - another)}; has {_few(another - one)}")
    return 1 if len(there) < len(pages) else 0


def _few(found: Counter[str]) -> str:
    return f"{found.total()} words ({' '.join(list(found)[:5])})" if found else "nothing"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["settings"]:
            print(settings((ROOT / "mkdocs.yml").read_text(encoding="utf-8")), end="")
        case ["compare", site, other]:
            sys.exit(compare(Path(site), Path(other)))
        case _:
            sys.exit(__doc__)
