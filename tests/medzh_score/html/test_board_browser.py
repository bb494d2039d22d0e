"""A board in a real browser: what people do with it, and that it asks for nothing and says nothing."""

from __future__ import annotations

import numpy as np
import pytest
from browser import opened
from commands import called
from saved_results import saved

from medzh_score.html.site import model_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202e\x1b[31m{{ 7*7 }}"
PAGES = ("index.html", "configs/sdak.html", "reading.html", model_page("glm-4"))
NAMES = "rows => rows.map(row => row.cells[0].innerText)"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Write a board of five results in one table, one of another prompt, and one of mini data."""
    folder = tmp_path_factory.mktemp("board")
    draw = np.random.default_rng(4)
    for place, (label, share) in enumerate({"glm-4": 0.9, "qwen": 0.7, "甲模型": 0.5, "Yi": 0.3, HOSTILE: 0.1}.items()):
        saved(folder / f"r{place}", label, draw.random(60) < share)
    saved(folder / "r5", "glm-4", draw.random(60) < 0.8, prompt="paper-2", shots="3")
    saved(folder / "r6", "small", draw.random(60) < 0.5, data="0.0.0/mini/01234567")
    called("board", *sorted(folder.glob("r?")), "-o", folder / "site", "--bootstrap", 100, "--swaps", 100)
    return folder / "site"


@pytest.fixture
def overview(browser, site):
    with opened(browser, site / "index.html") as found:
        yield found


def names(page):
    """Give the models of the rows that are shown, table by table."""
    return page.eval_on_selector_all("section.board:not([hidden]) tbody tr:not([hidden])", NAMES)


def test_columns_sort(overview):
    page = overview.page
    head = page.locator("section.board thead button").nth(1)
    head.click()
    assert names(page)[1:5] == ["Yi", "甲模型", "qwen", "glm-4"]
    head.click()
    assert names(page)[:4] == ["glm-4", "qwen", "甲模型", "Yi"]


def test_filters_by_name_prompt_and_shots(overview):
    page = overview.page
    page.fill("#search", "GLM")
    assert names(page) == ["glm-4", "glm-4"]
    assert page.inner_text("#shown") == "2"
    page.select_option("#prompt", "paper-2")
    assert names(page) == ["glm-4"]
    assert page.locator("section.board:not([hidden]) h2").count() == 1
    page.fill("#search", "")
    page.select_option("#prompt", "")
    page.select_option("#shots", "0")
    assert len(names(page)) == 6
    page.fill("#search", "nobody")
    assert names(page) == []


def test_the_language_switches_all_words(overview):
    page = overview.page
    page.click("text=中文")
    assert page.inner_text("h1") == "结果板"
    assert "mini 数据，并非基准" in page.inner_text("main")
    assert page.locator("#prompt option").first.inner_text() == "全部"
    page.click("text=English")
    assert page.locator("#prompt option").first.inner_text() == "all"


def test_the_keyboard_is_enough(overview):
    page = overview.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#search")
    page.keyboard.type("qwen")
    assert names(page) == ["qwen"]
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('thead') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.locator("[aria-sort=ascending]").count() == 1


@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_stands_in_the_way_of_anybody(browser, site, name):
    for language in ("English", "中文"):
        with opened(browser, site / name) as found:
            found.page.click(f"text={language}")
            assert found.serious() == {}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_leaves_the_screen_at_the_side(browser, site, name, width):
    with opened(browser, site / name) as found:
        found.page.set_viewport_size({"width": width, "height": 800})
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names_are_text(browser, site):
    with opened(browser, site / "configs/sdak.html") as found:
        assert "</script><script>alert(1)</script>" in found.page.inner_text("main")
        assert found.page.locator("main img").count() == 0
