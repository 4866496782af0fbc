"""What the search of the built site finds first, for the words that readers use: tasks, then lessons, then reference.

Build the site first (see CONTRIBUTING.md). Chromium asks the search of the site itself, since the words of a query pass
through `docs/assets/search.js`, then the stemmers and the boosts of the pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser

TASKS, TASKS_ZH = "howto/tasks/", "zh/howto/tasks/"

QUERIES: dict[str, tuple[str, ...]] = {
    # tasks
    "grow a tree": (TASKS,),
    "draw a tree": (TASKS,),
    "plot a tree": (TASKS,),
    "visualize tree": (TASKS,),
    "prune a tree": (TASKS,),
    "how do I prune a tree": (TASKS,),
    "predict new row": (TASKS,),
    "export to sql": (TASKS,),
    "export to pmml": (TASKS,),
    "convert tree to python code": (TASKS,),
    "regression tree": (TASKS, "measures/variance/"),
    "max depth": (TASKS, "learners/stopping/"),
    "max_depth": (TASKS, "learners/stopping/"),
    "min_samples_leaf": (TASKS, "learners/stopping/"),
    "ccp_alpha": (TASKS, "pruning/cost_complexity/"),
    "worksheet": (TASKS, "howto/sheets/"),
    "exercise sheets": ("howto/sheets/", TASKS),
    "check my tree": ("check/", TASKS),
    "compare two trees": (TASKS, "six_trees/"),
    "confusion matrix": (TASKS,),
    "accuracy": (TASKS,),
    "feature importance": (TASKS, "ensembles/importance/"),
    "scikit-learn": (TASKS,),
    "rpart": (TASKS,),
    "weka": (TASKS,),
    "install": (TASKS, "howto/student/", "playground/"),
    "练习题": (TASKS_ZH, "zh/howto/sheets/"),
    "画决策树": (TASKS_ZH,),
    "预测新样本": (TASKS_ZH,),
    "导出": (TASKS_ZH,),
    "最大深度": (TASKS_ZH, "zh/learners/stopping/"),
    "比较两棵树": (TASKS_ZH, "zh/six_trees/"),
    "准确率": (TASKS_ZH,),
    "检验我的树": ("zh/check/", TASKS_ZH),
    # lessons
    "entropy": ("measures/entropy/",),
    "entorpy": ("measures/entropy/",),
    "information gain": ("measures/information_gain/",),
    "gain ratio": ("measures/gain_ratio/",),
    "gini": ("measures/gini_index/",),
    "C4.5": ("learners/c45/",),
    "CART": ("learners/cart/",),
    "numeric attributes": ("splitting/continuous_bisection/",),
    "missing values": ("splitting/missing_values/",),
    "how to prune": ("pruning/", TASKS),
    "random forest": ("ensembles/random_forest/",),
    "shapley": ("attribution/shapley/",),
    "overfitting": ("selection/overfitting/",),
    "cross validation": ("selection/cross_validation/",),
    "信息增益": ("zh/measures/information_gain/",),
    "基尼指数": ("zh/measures/gini_index/",),
    "回归树": ("zh/learners/cart/", "zh/measures/variance/", TASKS_ZH),
    "剪枝": ("zh/pruning/", TASKS_ZH),
    "后剪枝": ("zh/pruning/", TASKS_ZH),
    "交叉验证": ("zh/selection/cross_validation/",),
    "叶节点": ("zh/",),
    # reference
    "J48": ("dialects/c45_programs/", TASKS),
}
"""What readers type → the beginnings of the addresses of which one is right."""

SECOND = 4
"""So many of them may find it second or third."""


@pytest.fixture(scope="module")
def search(screens: dict[str, BrowserContext], address: str) -> Page:
    """The first page, where one begins to search: the index is fetched and read once for all that is looked for."""
    tab = screens["desk"].new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(address, wait_until="networkidle")
    assert not [url for url in asked if "search_index" in url], "the index is fetched before anybody searches"
    tab.click(".md-search__input")
    return tab


def pages_for(search: Page, words: str) -> list[str]:
    """The first three pages that the search lists, the best first."""
    search.fill(".md-search__input", "")
    search.dispatch_event(".md-search__input", "keyup")
    search.wait_for_function("() => !document.querySelector('.md-search-result__link')")
    search.fill(".md-search__input", words)  # at once: typed one by one, the first letters have results, too
    search.dispatch_event(".md-search__input", "keyup")
    search.wait_for_selector(".md-search-result__link")
    links = search.eval_on_selector_all(
        ".md-search-result__item", "items => items.map(item => item.querySelector('a').getAttribute('href'))"
    )
    return [urlsplit(link).path.removeprefix("/") for link in links[:3]]


def test_the_search_finds_the_task_and_the_lesson_before_the_reference(search: Page) -> None:
    listed = {words: pages_for(search, words) for words in QUERIES}
    absent = {words: pages for words, pages in listed.items() if not any(_is_right(words, page) for page in pages)}
    assert not absent
    second = {words: pages for words, pages in listed.items() if not _is_right(words, pages[0])}
    assert len(second) <= SECOND, second


def _is_right(words: str, page: str) -> bool:
    return page.startswith(QUERIES[words])
