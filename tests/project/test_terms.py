"""The table of terms: one word per concept in messages, reports and the Chinese docs."""

from __future__ import annotations

import re
import tomllib

import pytest
from messages import GAP, entries
from pages import CHINESE, MANUAL, prose_of
from places import ROOT

TABLE = tomllib.loads((ROOT / "docs" / "terms.toml").read_text(encoding="utf-8"))
TERMS = [term for part in TABLE["parts"] for term in part["terms"]]
HELD = [term for term in TERMS if "pattern" in term]
# Not words of ours: options, what is in brackets or quotes, paths, commands.
LITERALS = re.compile(r"--[\w-]+|\[[^\]]*\]|\"\w+\"|`[^`]*`|medzh-(?:score|build)(?: suite)?(?: [a-z-]+)?|\w+/\w+")
CONTEXTS = {None, "titles"}  # of sentences and titles; the others are of cells
SENTENCES = {
    english: (GAP.sub("{}", LITERALS.sub("", english)), chinese)
    for context, english, chinese in entries()
    if context in CONTEXTS
}


@pytest.mark.parametrize("term", HELD, ids=[term["english"] for term in HELD])
def test_a_term_has_one_word_in_chinese(term):
    pattern = re.compile(f"(?:{term['pattern']})")
    found = {english: chinese for english, (plain, chinese) in SENTENCES.items() if pattern.search(plain)}
    assert found, "the pattern matches nothing, so it tests nothing"
    assert {english: chinese for english, chinese in found.items() if term["chinese"] not in chinese} == {}


@pytest.mark.parametrize("one", TABLE["never"], ids=[one["word"] for one in TABLE["never"]])
def test_a_chinese_word_is_not_used(one):
    texts = {(context, english): GAP.sub("", chinese) for context, english, chinese in entries()}
    texts |= {page: prose_of(page) for page in (*(f"docs/zh/{page}" for page in MANUAL), CHINESE)}
    allowed = re.compile(one.get("unless", "(?!)"))
    assert [name for name, text in texts.items() if one["word"] in allowed.sub("", text)] == []


@pytest.mark.parametrize("one", TABLE["never_english"], ids=[one["word"] for one in TABLE["never_english"]])
def test_an_english_word_is_not_used(one):
    word = re.compile(rf"\b(?:{one['word']})\b", re.IGNORECASE)
    assert [english for english, (plain, _chinese) in SENTENCES.items() if word.search(plain)] == []


def test_each_term_has_all_that_the_manual_prints():
    for part in TABLE["parts"]:
        assert part["title"].keys() == {"en", "zh"}
    for term in TERMS:
        assert term.keys() - {"pattern"} == {"english", "chinese", "means"}
        assert term["means"].keys() == {"en", "zh"}
    assert len({term["english"] for term in TERMS}) == len({term["chinese"] for term in TERMS}) == len(TERMS)
