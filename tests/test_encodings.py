"""The encoding of a user's text: told by its bytes alone, and refused where it would be a guess."""

from __future__ import annotations

import pytest

from dataset_scripts.files.encodings import encoding_of
from medzh_score.messages.errors import MedzhError

CHINESE = "妊娠期高血压疾病是产科常见的并发症，应定期产前检查。"
TRADITIONAL = "妊娠期高血壓疾病為產科常見之併發症，應定期產前檢查與監測。"


def told(content: bytes) -> str:
    lines = content.split(b"\n")
    return encoding_of(lambda: enumerate(lines, 1), "corpus.txt")


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"", "utf-8"),
        (b"plain ASCII\nof two lines", "utf-8"),
        (CHINESE.encode("utf-8"), "utf-8"),
        (CHINESE.encode("gb18030"), "gb18030"),
        (b"Apgar\n" + CHINESE.encode("gb18030"), "gb18030"),
        (CHINESE.encode("gb18030") + "\n㐀𠀀".encode("gb18030"), "gb18030"),
    ],
)
def test_what_is_told(content, encoding):
    assert told(content) == encoding


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (CHINESE.encode("utf-8") + b"\n\n" + b"\xe5\xa6", "corpus.txt:3: is UTF-8 with a fault"),
        (CHINESE.encode("utf-8") + b"\n" + CHINESE.encode("gb18030"), "corpus.txt:2: is UTF-8 with a fault"),
        (CHINESE.encode("gb18030") + b"\n\xff\xfe", "corpus.txt:2: is neither UTF-8 nor gb18030"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\xff", "corpus.txt:3: is neither UTF-8 nor gb18030"),
        (TRADITIONAL.encode("big5"), "corpus.txt:1: is not UTF-8, and read as gb18030 it is no simplified Chinese"),
    ],
)
def test_what_is_refused(content, words):
    with pytest.raises(MedzhError) as caught:
        told(content)
    assert words in str(caught.value)
    assert "expected UTF-8, or else gb18030" in str(caught.value)
