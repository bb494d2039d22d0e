"""Tokens: those of jieba itself, made without its cache, its messages and its warnings."""

from __future__ import annotations

import json
import logging
import marshal
import os
import subprocess
import sys
from importlib.metadata import version

import pytest
from places import SAMPLES

from medzh_score.benchmark.columns import pick
from medzh_score.messages.errors import MedzhError
from medzh_score.text.tokens import TOKENS, characters, words

SAMPLE = SAMPLES / "tcmd" / "TCMD.jsonl"
CODE = "from medzh_score.text.tokens import words; print(words('麻黄汤主治风寒表实证'))"


def test_the_list_is_closed_and_signed_with_versions():
    assert [tokens.name for tokens in TOKENS] == ["jieba", "characters"]
    assert [str(tokens) for tokens in TOKENS] == [f"jieba {version('jieba')}", "characters"]
    with pytest.raises(MedzhError, match="jieba, characters"):
        pick("--tokens", TOKENS, "words")


def test_words_are_those_of_jieba(tmp_path, capfd):
    words("先载入")
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    reference = jieba.Tokenizer()
    reference.tmp_dir = tmp_path
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    texts = [text for row in rows for text in (row["stem"], row["question"], row["explanation"]) if text]
    texts += ["IL-6 升高，CA19-9 37U/ml", "ＡＢＯ血型\u3000Rh（－）", "第一行\n第二行\t终", "", " \u3000\r\n", "𠀀龘"]
    for text in texts:
        assert words(text) == [word for word in reference.lcut(text) if word.strip()]
    assert len(texts) > 200
    assert capfd.readouterr() == ("", "")


def test_no_cache_is_written_or_read_and_nothing_is_said(tmp_path):
    """A cache in the temporary folder may be anybody's; this one knows a single word."""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUTF8": "1"}

    def cut():
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", CODE], env=environment, capture_output=True, check=True
        )

    done = cut()
    assert done.stdout.decode() == "['麻黄汤', '主治', '风寒', '表', '实证']\n"
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "jieba.cache").write_bytes(marshal.dumps(({"麻黄汤主治风寒表实证": 9}, 9)))
    assert cut().stdout == done.stdout


def test_characters_are_all_but_white_space():
    assert characters("IL-6\u3000升高\n。") == ["I", "L", "-", "6", "升", "高", "。"]
    assert characters(" \n") == []


@pytest.mark.parametrize("tokens", TOKENS, ids=str)
def test_the_text_is_taken_as_it_stands(tokens):
    """Neither case nor width is folded: Ｂ is not B, and B is not b."""
    assert len({tuple(tokens.cut(text)) for text in ("B超", "b超", "Ｂ超")}) == 3
