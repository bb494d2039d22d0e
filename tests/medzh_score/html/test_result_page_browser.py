"""The page of a result in a real browser: what people do with it, and that it asks for nothing and says nothing."""

from __future__ import annotations

import json
import re

import pytest
from browser import opened
from commands import called

from medzh_score.results.result import Result
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
    score(
        "sdak",
        [folder / "answers.jsonl"],
        data,
        model=HOSTILE,
        save=folder / "result",
        include_text="full",
        bootstrap=50,
    )
    return folder / "result"


@pytest.fixture(scope="module")
def file(result):
    """Give the page, with all texts."""
    called("show", result, "--to", "html", "--include-text", "full", "-o", result.parent / "page.html")
    return result.parent / "page.html"


@pytest.fixture
def one(browser, file):
    """Give the page, opened and with its predictions there."""
    with opened(browser, file) as found:
        found.page.locator("#items .card").first.wait_for()
        yield found


def cards_of(page):
    """Give the names of the items that are shown."""
    return page.locator("#items .card .name").all_inner_texts()


def found(page):
    return int(page.locator("#items [data-number=found]").first.inner_text().replace(",", ""))


def rows_that_count(result):
    loaded = Result.load(result)
    return [row for row in loaded.items().to_pylist() if row["rule"] == loaded.report.rule]


def test_search_finds_ids_and_texts(one, result):
    page, rows = one.page, rows_that_count(result)
    for query in ("metric_effect-0002", "糖化血红蛋白", "HOSTILE nowhere"):
        page.fill("#items input[type=search]", query)
        fits = {row["item"] for row in rows if query in row["id"] or query in row["text"] or query in row["item"]}
        assert found(page) == len(fits)
    page.click("#items .reset")
    assert found(page) == len({row["item"] for row in rows})


def test_filters_by_group_verdict_and_extraction(one, result):
    page, loaded, rows = one.page, Result.load(result), rows_that_count(result)
    page.locator("#items").get_by_label("extraction").select_option(label="unparsed")
    assert found(page) == len({row["item"] for row in rows if row["answer"] is None}) > 0
    page.click("#items .reset")
    page.locator("#items").get_by_label("type").select_option(label="FoodEffect")
    types = dict(zip(loaded.layout.items, loaded.layout.groups["type"], strict=True))
    assert found(page) == sum(one == "FoodEffect" for one in types.values()) > 0
    page.locator("#items").get_by_label(re.compile("^verdict")).select_option(label="right")
    assert 0 < found(page) <= 6


def test_a_click_on_a_head_sorts_and_a_second_one_reverses(one):
    page = one.page
    table = page.locator("#tables ~ figure.table").nth(1)
    for sign in (1, -1):
        table.locator("thead button").nth(2).click()
        values = [float(text.rstrip("%")) for text in table.locator("tbody td:nth-child(3)").all_inner_texts()]
        assert values == sorted(values, key=lambda value: sign * value)


def test_pages_of_items(one):
    page = one.page
    assert [len(cards_of(page)), found(page)] == [20, 102]
    page.locator("#items .pager [data-to=last]").first.click()
    assert len(cards_of(page)) == 2
    assert page.locator("#items .pager [data-to=next]").first.is_disabled()


def test_both_claims_of_a_pair_are_in_one_card_with_the_matched_text_marked(one):
    page = one.page
    page.fill("#items input[type=search]", "第二行")
    card = page.locator("#items .card")
    assert card.count() == 1
    assert card.locator(".record").count() == 2
    first = card.locator(".answer", has_text="第二行")
    assert first.locator("blockquote mark").all_inner_texts() == ["正确"]
    text = first.locator("blockquote.text").inner_text()
    assert text == "\n".join(map(printable, f"正确。{HOSTILE}\n第二行".split("\n")))
    assert not first.locator("details").is_visible()


def test_a_link_leads_to_an_item(browser, file, result):
    name = Result.load(result).layout.items[57]
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{file.as_uri()}#item={name}")
    page.locator("#items .card.chosen").wait_for()
    assert page.locator("#items .card.chosen .name").inner_text() == name
    context.close()


def test_the_scheme_switches_and_is_remembered(one):
    page = one.page
    back = "getComputedStyle(document.documentElement).backgroundColor"
    before = page.evaluate(back)
    page.click("button.scheme")
    after = page.evaluate(back)
    assert before != after
    page.reload()
    one.asked.pop()
    assert page.evaluate(back) == after


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
    words = ("Items", "Search", "Next", "verdict", "unambiguous", "Gold answer", "extraction", "pattern")
    english = page.inner_text("#items")
    page.click("text=中文")
    chinese = page.inner_text("#items")
    assert page.evaluate("document.documentElement.lang") == "zh"
    assert [word for word in words if word not in english] == ["Gold answer"]  # these records are not the sample's
    assert [word for word in words if word in chinese] == []
    page.reload()
    one.asked.pop()
    assert page.evaluate("document.documentElement.lang") == "zh"


def test_the_keyboard_alone_reaches_everything(one):
    page = one.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#items input[type=search]")
    page.keyboard.type("food_effect-0001-f")
    assert found(page) == 1
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "name":
            break
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash").startswith("#item=")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(one, scheme):
    one.page.emulate_media(color_scheme=scheme)
    one.page.click("text=中文")
    assert one.serious() == {}


def test_it_prints(one):
    page = one.page
    page.emulate_media(media="print")
    assert not page.locator("#items .controls input").is_visible()
    assert page.locator("#items .card").count() == 20
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
