"""A board in a real browser: what people do with it, and that it asks for nothing and says nothing."""

from __future__ import annotations

import re

import numpy as np
import pytest
from browser import opened
from commands import called
from saved_results import saved

from medzh_score.html.site import model_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202e\x1b[31m{{ 7*7 }}"
PAGES = ("index.html", "configs/sdak.html", "reading.html", model_page("glm-4"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Write a board of five results in one table, one of another prompt, and one of mini data."""
    folder = tmp_path_factory.mktemp("board")
    draw = np.random.default_rng(4)
    for place, (label, share) in enumerate({"glm-4": 0.9, "qwen": 0.7, "甲模型": 0.5, "Yi": 0.3, HOSTILE: 0.1}.items()):
        saved(folder / f"r{place}", label, draw.random(60) < share)
    saved(folder / "r5", "glm-4", draw.random(60) < 0.8, prompt="paper-2", shots="3")
    saved(folder / "r6", "small", draw.random(60) < 0.5, data="0.0.0/mini/01234567")
    called("leaderboard", *sorted(folder.glob("r?")), "-o", folder / "site", "--bootstrap", 100, "--permutations", 100)
    return folder / "site"


@pytest.fixture
def overview(browser, site):
    with opened(browser, site / "index.html") as found:
        yield found


def names(page):
    """Give the models of the rows that are shown."""
    rows = page.locator(".board tbody tr:not([hidden])").all()
    return [row.locator("th bdi").inner_text() for row in rows]


def test_the_first_click_sorts_the_best_first(overview):
    page = overview.page
    head = page.locator(".board thead button").nth(2)
    head.click()
    assert names(page)[:4] == ["glm-4", "qwen", "甲模型", "Yi"]
    head.click()
    assert names(page)[1:5] == ["Yi", "甲模型", "qwen", "glm-4"]
    assert names(page)[-1] == "small"  # a cell without a value is last in both orders


def test_models_are_found_by_name(overview):
    page = overview.page
    page.fill("#search", "GLM")
    assert names(page) == ["glm-4"]
    assert page.inner_text("#shown") == "1"
    page.fill("#search", "nobody")
    assert names(page) == []


def test_cells_switch_between_value_interval_and_rank(overview):
    page = overview.page
    cell = page.locator(".board tbody tr", has_text="glm-4").locator("td").nth(1)
    shown = []
    for name in ("95% CI", "rank", "value"):
        page.get_by_role("button", name=name, exact=True).click()
        shown.append(cell.inner_text())
    assert shown[0].startswith("[")
    assert re.fullmatch(r"1 \(\d–\d\)", shown[1])
    assert re.fullmatch(r"\d+\.\d", shown[2])


def test_the_language_switches_all_words(overview):
    page = overview.page
    page.click("text=中文")
    assert page.inner_text("h1") == "榜单"
    assert "mini 样例" in page.inner_text("main")
    page.click("text=English")
    assert page.inner_text("h1") == "Leaderboard"


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


def test_a_phone_shows_cards(overview):
    page = overview.page
    page.set_viewport_size({"width": 390, "height": 800})
    assert not page.locator(".board thead").is_visible()
    row = page.locator(".board tbody tr", has_text="glm-4")
    assert row.bounding_box()["width"] < 390


@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_stands_in_the_way_of_anybody(browser, site, name):
    for language, scheme in (("English", "light"), ("中文", "dark")):
        with opened(browser, site / name) as found:
            found.page.emulate_media(color_scheme=scheme)
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
