"""The page of a result in a real browser: what people do with it, and that it asks for nothing and says nothing."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from browser import opened
from commands import called

from medzh_score.results.result import Result
from medzh_score.scoring.explain import ANSWERS
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import printable

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`&amp;\u202e\u2067\x1b[31m\x00{{ 7*7 }}"
PATTERN = re.compile("[\x00-\x08\x0b-\x1f\u202e\u2067]")


@pytest.fixture(scope="module")
def result(tmp_path_factory, sdak_rows, sdak_sample, write_build):
    """Give a result of the sample whose model, a type of claims and a text mean harm, with all texts."""
    folder = tmp_path_factory.mktemp("page")
    kinds = sorted({row["type"] for row in sdak_rows})
    rows = [row | {"type": HOSTILE if row["type"] == kinds[0] else row["type"]} for row in sdak_rows]
    lines = [json.loads(line) for line in (sdak_sample / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    lines[0]["prediction"] = f"正确。{HOSTILE}\n第二行"
    (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    data = write_build(folder / "medzh", rows)
    score("sdak", [folder / "answers.jsonl"], data, model=HOSTILE, save=folder / "result", texts="full", bootstrap=50)
    return folder / "result"


@pytest.fixture(scope="module")
def file(result):
    """Give the page, with all texts."""
    called("show", result, "--to", "html", "--texts", "full", "-o", result.parent / "page.html")
    return result.parent / "page.html"


@pytest.fixture
def one(browser, file):
    """Give the page, opened and with its predictions there."""
    with opened(browser, file) as found:
        found.page.locator("#items tbody tr").first.wait_for()
        yield found


def rows_of(page):
    """Give the cells of the rows that are shown."""
    return page.eval_on_selector_all(
        "#items tbody tr:not(.detail)", "rows => rows.map(row => Array.from(row.cells, cell => cell.innerText))"
    )


def found(page):
    return int(page.locator("#items [data-number=found]").first.inner_text().replace(",", ""))


def column(page, head):
    return page.locator("#items thead th").all_inner_texts().index(head)


def test_search_finds_ids_and_texts(one, result):
    page, table = one.page, Result.load(result).items().to_pylist()
    chosen = [row for row in table if row["rule"] == Result.load(result).report.rule]
    for query in ("metric_effect-0002", "糖化血红蛋白", "HOSTILE nowhere"):
        page.fill("#items input[type=search]", query)
        fits = [row for row in chosen if query in row["id"] or query in row["text"] or query in row["item"]]
        assert found(page) == len(fits)
    page.click("#items .reset")
    assert found(page) == len(chosen)


def test_filters_by_group_verdict_and_what_decided(one, result):
    page, loaded = one.page, Result.load(result)
    chosen = [row for row in loaded.items().to_pylist() if row["rule"] == loaded.report.rule]
    decided = Counter(row["found_by"] for row in chosen)
    page.locator("#items").get_by_label("decided by").select_option(label="nothing")
    assert found(page) == decided["nothing"] > 0
    assert {row[column(page, "decided by")] for row in rows_of(page)} == {"nothing"}
    page.click("#items .reset")
    page.locator("#items").get_by_label("type").select_option(label="FoodEffect")
    types = dict(zip(loaded.layout.items, loaded.layout.groups["type"], strict=True))
    assert found(page) == sum(types[row["item"]] == "FoodEffect" for row in chosen) > 0
    page.locator("#items").get_by_label(re.compile("^verdict")).select_option(label="right")
    assert {row[column(page, "verdict")] for row in rows_of(page)} <= {"right"}


def test_a_click_on_a_head_sorts_and_a_second_one_turns(one):
    page = one.page
    page.fill("#items input[type=search]", "food")
    for direction in ("ascending", "descending"):
        page.click("#items thead th >> nth=1 >> button")
        ids = [row[1] for row in rows_of(page)]
        assert ids == sorted(ids, reverse=direction == "descending")
        assert page.get_attribute("#items thead th >> nth=1", "aria-sort") == direction
    table = page.locator("#metrics ~ figure.table").first
    table.locator("thead button").nth(2).click()
    values = [text for text in table.locator("tbody td:nth-child(3)").all_inner_texts() if text != "-"]
    assert values == sorted(values, key=lambda text: float(text.rstrip("%")))


def test_pages_of_predictions(one):
    page = one.page
    total = found(page)
    assert [len(rows_of(page)), total] == [50, 204]
    page.locator("#items .pager [data-to=last]").first.click()
    assert len(rows_of(page)) == total % 50
    assert page.locator("#items .pager [data-to=next]").first.is_disabled()


def test_an_item_opens_with_what_was_read_marked(one):
    page = one.page
    page.fill("#items input[type=search]", "第二行")
    page.locator("#items tbody th button").first.click()
    assert page.locator("#items .detail mark").all_inner_texts() == ["正确"]
    text = page.locator("#items .detail .text").inner_text()
    assert text == "\n".join(map(printable, f"正确。{HOSTILE}\n第二行".split("\n")))
    page.locator("#items tbody th button").first.click()
    assert page.locator("#items .detail").count() == 0


def test_what_means_harm_is_shown_as_text(one):
    page = one.page
    body = page.inner_text("body")
    assert printable(HOSTILE) in page.inner_text("h1")
    assert body.count(printable(HOSTILE)) > 3
    assert not PATTERN.search(body)
    assert page.locator("img").count() == 0
    assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 2


def test_the_language_changes_all_words_at_once(one):
    page = one.page
    english = page.inner_text("main")
    page.click("text=中文")
    chinese = page.inner_text("main")
    assert page.evaluate("document.documentElement.lang") == "zh"
    assert "指标" in chinese
    assert "指标" not in english
    assert page.locator("#items thead th").all_inner_texts()[2] == "判定"
    wordings = "|".join(sorted(ANSWERS, key=len, reverse=True))  # names, which stay
    chinese = re.sub(wordings, "", chinese)
    for word in ("Metrics", "Coverage", "Search", "Next", "verdict", "95% interval", "read clearly"):
        assert word not in chinese
    page.reload()
    one.asked.pop()
    assert page.evaluate("document.documentElement.lang") == "zh"


def test_the_keyboard_alone_reaches_and_does_everything(one):
    page = one.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#items input[type=search]")
    page.keyboard.type("food_effect-0001-f")
    assert found(page) == 1
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.hasAttribute('aria-expanded')"):
            break
    page.keyboard.press("Enter")
    assert page.locator("#items .detail").count() == 1
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"


def test_nothing_serious_stands_in_the_way_of_anybody(one):
    one.page.click("text=中文")
    one.page.locator("#items tbody th button").first.click()
    assert one.serious() == {}


def test_it_prints(one):
    page = one.page
    page.emulate_media(media="print")
    assert not page.locator("#items .controls").is_visible()
    assert page.inner_text(".printed") == "Rows on paper: 1–50 / 204 (of all: 204)"
    assert page.locator("#items tbody tr").count() == 50
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_leaves_the_screen_at_the_side(one, width):
    one.page.set_viewport_size({"width": width, "height": 800})
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_cannot_ask_for_anything(browser, file, tmp_path):
    """The policy is what forbids it: a script of the page's own that tries is stopped, and an image never loads."""
    copy = tmp_path / "copy.html"
    copy.write_bytes(file.read_bytes().replace(b"</main>", b"<img src='https://example.org/a.png'></main>"))
    context = browser.new_context()
    page, asked, said = context.new_page(), [], []
    page.on("requestfinished", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(copy.as_uri())
    assert page.evaluate("fetch('https://example.org').then(() => 'went', () => 'stopped')") == "stopped"
    assert asked == [copy.as_uri()]
    assert sum("Content Security Policy" in text for text in said) >= 2
    context.close()
