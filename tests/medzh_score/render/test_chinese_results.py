"""What people read is Chinese where it was asked for: nothing in it is an English sentence, or half of one."""

from __future__ import annotations

import json
import re

import messages
import pytest
from english_left import english_left
from outputs import all_written
from pages import NUMBER
from places import SAMPLES

from medzh_score.benchmark.registry import config_names
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.i18n import current

OURS = (
    "sample judge",
    "first",
    "second",
    "arbiter",
    "one",
    "two",
)  # what the commands of `outputs` and the samples call models
DRAWN = re.compile(r"<text[^>]*>([^<]*)</text>")
OF_OTHERS = re.compile(
    r"^  提示词：.*\n(?:    (?!\| ).*\n)*|^    \| .*\n|^\[\d\] .*\n", re.MULTILINE
)  # asked, answered, and references
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def written(minis, tmp_path_factory):
    before = current.get()
    yield all_written("zh", minis, tmp_path_factory.mktemp("chinese"))
    current.set(before)


def answers(config):
    """Give the English answers of a sample, as tables show them."""
    lines = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line).get("prediction") or "" for line in lines]
    return tuple(text for text in texts if text.isascii() and " " in text)


@pytest.mark.parametrize("config", [*config_names(), "summary", "suite", "configs"])
def test_no_english_is_left_in_what_a_command_writes(written, config):
    names = OURS + (answers(config) if config in config_names() else ())
    wrong = {}
    for name, one in written.items():
        if name.split(" ", 1)[0] == config:
            out = "\n".join(DRAWN.findall(one.out)) if " figure " in name else OF_OTHERS.sub("", one.out)
            assert CHINESE.search(out + one.err) or not (out + one.err).strip(), name
            if left := english_left(f"{out}\n{one.err}", names):
                wrong[name] = left
    assert wrong == {}


def test_every_command_was_called(written):
    for config in config_names():
        called = {name.removeprefix(f"{config} ") for name in written if name.startswith(f"{config} ")}
        assert called >= {"show latex", "check markdown", "explain", "published text", "compare paper latex", "cite"}
        assert any(name.startswith("figure ") for name in called)
    assert [name for name, one in written.items() if one.status == 2 and not name.endswith("score error")] == []


def test_no_translation_holds_english():
    assert {chinese: left for _, _, chinese in messages.entries() if (left := english_left(chinese))} == {}


@pytest.mark.parametrize("config", config_names())
def test_the_texts_on_a_paper_are_translated(config):
    paper = load_paper(config)
    findings = {one.finding for one in paper.errata}
    others = {paper.reference.remark, *(one.shown_by for one in paper.errata), *(table.title for table in paper.tables)}
    for text in findings | others:
        assert CHINESE.search(text.in_chinese())
        assert not english_left(text.in_chinese())
    for text in findings:
        assert sorted(NUMBER.findall(text)) == sorted(NUMBER.findall(text.in_chinese()))
