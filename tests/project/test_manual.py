"""The manual as it is built: links, tables from CONFIG, search, and both languages. It takes half a minute."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote, urldefrag

import declared
import pytest
from pages import MANUAL, prose_of, text_of
from places import ROOT
from tool_runs import NEEDS_TOOLS

import medzh_score
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.scoring.paper import load_paper

DOCS = ROOT / "docs"
OUTSIDE = re.compile(r"^(?:https?:)?//")
SENTENCE = re.compile(r"(?:[A-Za-z][a-z'-]+[,;:]? ){5}")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("manual")
    done = subprocess.run(
        [sys.executable, str(DOCS / "build.py"), str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def pages(built):
    from bs4 import BeautifulSoup

    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in built.rglob("*.html")}


@NEEDS_TOOLS
def test_pages_ask_nothing_of_the_network(built, pages):
    for path, page in pages.items():
        for tag in page.find_all(["script", "link", "img", "iframe", "source", "video", "audio"]):
            address = tag.get("src") or tag.get("href") or ""
            assert not OUTSIDE.match(address), (path, address)
    for style in built.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//|@import\s+[\"'](?:https?:)?//", text), style


@NEEDS_TOOLS
def test_links_between_pages_lead_to_a_file_and_a_place(pages):
    checked = 0
    for path, page in pages.items():
        for tag in page.find_all(["a", "link", "script", "img"]):
            address, fragment = urldefrag(tag.get("href") or tag.get("src") or "")
            if re.match(r"[a-z]+:", address):
                continue
            target = (path.parent / unquote(address.partition("?")[0])).resolve() if address else path
            assert target.is_file(), (path, address)
            if fragment and target in pages:
                assert pages[target].find(id=unquote(fragment)), (path, address, fragment)
            checked += 1
    assert checked > 1000


@NEEDS_TOOLS
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("config", config_names())
def test_a_config_has_its_metrics_rules_and_findings_on_its_page(built, pages, config, language):
    page = pages[built / language / "configs" / f"{config}.html"]
    first = {row.td.get_text() for row in page.find_all("tr") if row.td}
    found = find_config(config)
    assert {one.name for one in (*found.metrics, *found.rules, *found.every_stage)} <= first
    assert {one.id for one in load_paper(config).errata} <= first
    code = {block.get_text().strip("\n") for block in page.find_all("pre")}
    assert {prompt.text.strip("\n") for prompt in found.prompting.templates} <= code


@NEEDS_TOOLS
def test_chinese_pages_hold_no_english_sentence(built, pages):
    for path, page in pages.items():
        if path.is_relative_to(built / "zh") and path.name not in {"python.html", "genindex.html", "search.html"}:
            for tag in page.article.find_all(["p", "li", "td", "th", "h1", "h2", "h3"]) if page.article else []:
                for code in tag.find_all(["code", "pre"]):
                    code.extract()
                assert not SENTENCE.search(tag.get_text()), (path.name, tag.get_text())


@NEEDS_TOOLS
def test_words_of_the_theme_are_chinese(built):
    page = (built / "zh" / "predictions.html").read_text(encoding="utf-8")
    shown = re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", "\n", page, flags=re.DOTALL)
    words = set(map(str.strip, shown.splitlines()))
    assert {"上一页", "下一页", "本页内容"} <= words
    assert not {"Next", "Previous", "On this page", "Home", "Made with"} & words


def test_generated_tables_are_current():
    assert [path for path, text in declared.pages() if path.read_text(encoding="utf-8") != text] == [], "make tables"


def test_every_declaration_has_its_table():
    for language in ("en", "zh"):
        for config in config_names():
            has_settings = find_config(config).prompting.generation_kwargs
            expected = {
                f"{config} {subject}" for subject in declared.SUBJECTS if subject != "generation" or has_settings
            }
            if not find_config(config).every_stage:
                expected.remove(f"{config} stages")
            assert expected == {
                found[2] for found in declared.BLOCK.finditer(text_of(f"docs/{language}/configs/{config}.md"))
            }


def index_of(folder):
    text = (folder / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))


def numbers(terms, pair):
    """Give the pages of a term; the index writes a single one without a list."""
    pages = terms.get(pair, [])
    return {pages} if isinstance(pages, int) else set(pages)


def found(index, query):
    """Find the pages that hold all pairs of a Chinese query, as the browser does."""
    pairs = [query[place : place + 2] for place in range(len(query) - 1)]
    sets = [numbers(index["terms"], pair) | numbers(index["titleterms"], pair) for pair in pairs]
    return {index["docnames"][number] for number in set.intersection(*sets)}


@NEEDS_TOOLS
@pytest.mark.parametrize(
    ("query", "page"),
    [("未提取到答案", "prompts"), ("自助法", "statistics"), ("封闭网络", "network"), ("中医执业医师", "configs/tcmd")],
)
def test_chinese_is_found_by_any_part_of_it(built, query, page):
    assert page in found(index_of(built / "zh"), query)


@NEEDS_TOOLS
def test_chinese_that_stands_nowhere_is_not_found(built):
    assert found(index_of(built / "zh"), "量子纠缠") == set()


@NEEDS_TOOLS
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which runs the search of the pages")
def test_the_search_of_the_pages_finds_the_same(built):
    queries = ("未提取到答案", "Wilson 区间", "量子纠缠")
    command = ["node", str(ROOT / "tests" / "tools" / "search.js"), str(built / "zh"), *queries]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    unparsed, wilson, nowhere = done.stdout.splitlines()
    assert set(unparsed.split()) == found(index_of(built / "zh"), queries[0])
    assert "statistics" in wilson.split()
    assert not nowhere


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reference_has_every_public_name(language):
    named = re.findall(r"^\.\. auto\w+:: medzh_score\.(\w+)$", text_of(f"docs/{language}/python.md"), re.MULTILINE)
    assert sorted(named) == sorted(medzh_score.__all__)


@pytest.mark.parametrize("page", MANUAL)
def test_chinese_pages_say_run_and_you_as_agreed(page):
    assert not re.search("轮|你", prose_of(f"docs/zh/{page}"))  # prompts contain both
