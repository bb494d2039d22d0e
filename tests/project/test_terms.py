"""The table of terms: one word for one thing in messages, results and the Chinese docs."""

from __future__ import annotations

import re
import tomllib

import pytest
from messages import GAP, entries
from places import ROOT

TABLE = tomllib.loads((ROOT / "docs" / "terms.toml").read_text(encoding="utf-8"))
# No words of ours: options, what stands in brackets or quotes, keys, commands.
LITERALS = re.compile(
    r"--[\w-]+|\[[^\]]*\]|\"\w+\"|`[^`]*`|first rounds?"
    r"|medzh-(?:score|build)(?: suite)?(?: [a-z-]+)?(?: CONFIG records)?|\w+/\w+|second-reading"
)
CONTEXTS = {None, "titles"}
DOCS = [*sorted((ROOT / "docs" / "zh").rglob("*.md")), *(ROOT / "docs").glob("*_zh.toml"), ROOT / "README.zh-CN.md"]


@pytest.mark.parametrize("term", TABLE["terms"], ids=[term["english"] for term in TABLE["terms"]])
def test_a_term_is_one_word_in_chinese(term):
    whole = [(english, chinese) for context, english, chinese in entries() if context in CONTEXTS]
    said = [(GAP.sub("{}", LITERALS.sub("", english)), chinese) for english, chinese in whole]
    meant = [(english, chinese) for english, chinese in said if re.search(rf"(?:{term['pattern']})", english)]
    assert meant, "the pattern matches nothing, so it holds nothing"
    assert [(english, chinese) for english, chinese in meant if term["chinese"] not in chinese] == []


@pytest.mark.parametrize("one", TABLE["never"], ids=[one["word"] for one in TABLE["never"]])
def test_what_is_never_said_stands_nowhere(one):
    texts = {english: GAP.sub("", chinese) for _, english, chinese in entries()}
    texts |= {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in DOCS}
    allowed = re.compile(one.get("unless", "(?!)"))
    assert [name for name, text in texts.items() if one["word"] in allowed.sub("", text)] == []


def test_each_term_has_all_that_the_manual_prints():
    for term in TABLE["terms"]:
        assert term.keys() == {"english", "chinese", "pattern", "means"}
        assert term["means"].keys() == {"en", "zh"}
    assert len({term["chinese"] for term in TABLE["terms"]}) == len(TABLE["terms"])
