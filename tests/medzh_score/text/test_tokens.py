"""Tokens: those of jieba itself, made without its cache, its messages and its warnings."""

from __future__ import annotations

import json
import logging
import marshal
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from zlib import crc32

import pytest
from amounts import at_least, one_in
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES

from medzh_score.benchmark.columns import pick
from medzh_score.text import tokens
from medzh_score.text.tokens import TOKENS, characters, cut_by, engine, joined_characters, segmented, words
from medzh_score.ui.errors import MedzhError

SAMPLE = SAMPLES / "tcmd" / "TCMD.jsonl"
CODE = "from medzh_score.text.tokens import words; print(words('麻黄汤主治风寒表实证'))"


def test_the_list_is_closed_and_signed_with_versions():
    assert [tokens.name for tokens in TOKENS] == ["jieba", "characters"]
    assert [str(tokens) for tokens in TOKENS] == [f"jieba {version('jieba')}", "characters"]
    with pytest.raises(MedzhError, match="jieba, characters"):
        pick("--shot-tokenizer", TOKENS, "words")


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


CASES = [
    # Joiners between letters and digits.
    "IL-6升高，B7-H1阳性，版本3.5.6，kPa_x",
    "37.5%；CA19-9 37U/ml；HbA1c≥6.5%；1+1=2；a&b；#1；_；--；a..b；%5",
    "1.注意休息\n2.多饮水\r\n3、复查",
    # Words of the dictionary that hold one, and what looks like them.
    "VC++与C#课程，AT&T公司，c++",
    "C+#；AT&；维生素C+",
    # Letters and digits inside words of the dictionary, and beside them.
    "做B超、X光线检查，查IP地址，TCP-IP地址，阿Q，卡拉OK-1",
    "qq号QQ号q-q，Qq_q",
    # What ends a text, and nothing.
    "",
    " \u3000\t\r\n\r\r\n",
    "\0发热\x01咳嗽\x02",
    # Characters that jieba does not know for Chinese, and rjieba does.
    "𠀀龘㐀鿖豈〓𪚥高血压",
    "\ud83d发热\udc00",
    # Equally probable cuts, decided by the last bit of a sum.
    tokens.PROBE,
    "八八八放尽",
    "装装装肺炎",
    # A run whose two best joinings differ by 1.5e-7.
    "常在做血常规检查时偶然发现",
    # A word that is less probable than its characters, alone and beside letters.
    "八八八，八八八a，a八八八",
    # Dots, widths, combining characters.
    "......好…………吧。。。。。。",
    "ＡＢＯ血型　Ｒｈ（－）é́发热",
]


@cache
def reference():
    """Load jieba from its own dictionary file, without its cache."""
    segmented(["先载入"])
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    tokenizer = jieba.Tokenizer()
    with jieba.get_dict_file() as stream:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(stream)
    tokenizer.initialized = True
    return tokenizer


def model_of_jieba(run):
    """Join characters by jieba's own model."""
    reference()
    from jieba import finalseg

    return list(finalseg.cut(run))


def test_rjieba_was_not_found_to_differ():
    assert segmented(CASES) == [reference().lcut(text) for text in CASES]
    assert engine() == "rjieba"


@pytest.mark.parametrize("text", CASES, ids=range(len(CASES)))
def test_cases_alone_and_among_others(text):
    expected = reference().lcut(text)
    assert cut_by("rjieba", [text]) == [expected]
    assert cut_by("rjieba", ["发热", text, "", text, "q-6"])[1::2] == [expected, expected]
    assert cut_by("jieba", [text]) == [expected]
    assert "".join(expected) == text


JOINERS = st.text("+#&._%-qQaBc0159 ，中C超型。\n", max_size=30)
CHINESE = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=30)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WIDE = st.text(
    st.one_of(
        st.characters(min_codepoint=0xFF00, max_codepoint=0xFFEF),
        st.characters(min_codepoint=0x300, max_codepoint=0x36F),
        st.characters(min_codepoint=0x3400, max_codepoint=0x4E10),
        st.characters(min_codepoint=0x20000, max_codepoint=0x3FFFF, exclude_categories=["Cs"]),
        st.sampled_from("aé1①Ⅳ〓\u3000\x85\u2028"),
    ),
    max_size=30,
)


@at_least(300)
@given(st.lists(st.lists(st.one_of(JOINERS, CHINESE, ANY, WIDE), max_size=4).map("".join), max_size=5))
def test_random_unicode(texts):
    assert cut_by("rjieba", texts) == [reference().lcut(text) for text in texts]


@at_least(300)
@given(st.data())
def test_words_of_the_dictionary_in_a_row(data):
    """Where many cuts are nearly equally probable."""
    words = _words()
    part = st.one_of(st.integers(0, len(words) - 1).map(words.__getitem__), st.sampled_from("的八装个了心-a5，"))
    text = "".join(data.draw(st.lists(part, max_size=60)))
    assert cut_by("rjieba", [text]) == [reference().lcut(text)]


@cache
def _words():
    return [word for word, frequency in reference().FREQ.items() if frequency]


@at_least(300)
@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5), min_size=1, max_size=40))
def test_single_characters_are_joined_as_by_the_model(run):
    assert joined_characters(run) == model_of_jieba(run)


def test_runs_that_the_model_has_never_seen_are_joined_alike():
    """Sums of its zero probabilities lose all else, so that ties decide; some of these begin inside a word."""
    for run in ("醐蚌荭轈圿覭", "鏰闍莱犇淣笶嵶", "祺嬿读顬踖榾", "龥龥龥", "囧囧"):
        assert joined_characters(run) == model_of_jieba(run)


@pytest.fixture
def _untaught(monkeypatch):
    monkeypatch.setattr(tokens._State, "compared", 0)
    monkeypatch.setattr(tokens._State, "differs", False)


@pytest.mark.usefixtures("_untaught")
def test_when_a_text_differs_jieba_cuts_everything_from_then_on(monkeypatch):
    def wrong(text):
        return list(text)

    monkeypatch.setattr(tokens, "_dictionary_words", wrong)
    texts = ["麻黄汤主治风寒表实证", "高血压患者IL-6升高"]
    expected = [reference().lcut(text) for text in texts]
    assert cut_by("rjieba", texts) != expected
    assert engine() == "rjieba"
    assert segmented(texts) == expected
    assert engine() == "jieba"
    assert segmented(["糖尿病"]) == [["糖尿病"]]


@pytest.mark.usefixtures("_untaught")
def test_where_equal_cuts_are_decided_otherwise_jieba_cuts(monkeypatch):
    """As with a dictionary whose frequencies do not add up to jieba's."""
    monkeypatch.setattr(tokens, "_rjieba", lambda: None)
    assert cut_by("rjieba", ["八八八放尽"]) == [reference().lcut("八八八放尽")]
    assert segmented(["发热"]) == [["发热"]]
    assert engine() == "jieba"


@pytest.mark.usefixtures("_untaught")
def test_the_first_texts_are_compared_then_those_drawn_by_hash(monkeypatch):
    monkeypatch.setattr(tokens, "ONE_IN", 8)
    texts = [f"第{number}例" for number in range(400)]
    drawn = tokens._sample(texts)
    assert drawn[:16] == texts[:16]
    assert 20 <= len(drawn) - 16 <= 80
    assert tokens._sample(texts[16:]) == drawn[16:]
    assert {len(text) for text in tokens._sample([text * 300 for text in texts])} == {500}


def test_many_texts_are_cut_in_batches(monkeypatch):
    monkeypatch.setattr(tokens, "BATCH", 10)
    texts = [text for text in CASES for _ in range(2)]
    assert segmented(texts) == [reference().lcut(text) for text in texts]


ONE_IN = one_in(15, 3)  # of all lines, which take half a minute


def lines_of(file):
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig").splitlines(keepends=True)
    except UnicodeDecodeError:
        return content.decode("gb18030", "replace").splitlines(keepends=True)


def test_every_upstream_line_is_cut_as_jieba_cuts_it(upstream_root):
    files = sorted(file for file in upstream_root.rglob("*") if file.is_file() and file.suffix != ".xlsx")
    texts = dict.fromkeys(line for file in files for line in lines_of(file))
    drawn = [text for text in texts if crc32(text.encode("utf-8", "surrogatepass")) % ONE_IN == 0]
    assert len(drawn) > 100_000 / ONE_IN
    jieba = tokens._jieba()
    assert [text for text, words in zip(drawn, cut_by("rjieba", drawn), strict=True) if words != jieba.lcut(text)] == []
