"""The corpora that a user brings for CARE-MI's evidence: what is read, what is left out, what is refused."""

from __future__ import annotations

import gzip

import pytest

from dataset_scripts.recipes.care_mi.corpora import DAMAGED, LONG, MOST, REPEATED, SHORT, corpus_notes, read_corpus
from medzh_score.messages.errors import MedzhError

FIRST = "胎盘早剥是指胎儿娩出前胎盘从子宫壁部分或全部剥离。"
SECOND = "维生素K缺乏可使新生儿出血，出生后常规注射可以预防。"
TEN, ELEVEN = "母乳是婴儿最好的食物", "母乳是婴儿最好的食物。"


def corpus(tmp_path, content, name="paragraphs.txt"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return read_corpus(path)


@pytest.mark.parametrize(
    "content",
    [
        f"{FIRST}\n{SECOND}\n",
        f"{FIRST}\n{SECOND}",
        f"\ufeff{FIRST}\r\n\r\n  {SECOND}\u3000\r\n",
        f"{FIRST}\r{SECOND}\r",
        f"{FIRST}\n{SECOND}\n".encode("gb18030"),
        gzip.compress(f"\ufeff{FIRST}\n{SECOND}\n".encode()),
        gzip.compress(f"{FIRST}\n{SECOND}\n".encode("gb18030")),
    ],
    ids=["plain", "no last line end", "BOM and CRLF", "CR", "gb18030", "gzip", "gzip of gb18030"],
)
def test_forms_of_one_corpus(tmp_path, content):
    assert corpus(tmp_path, content).paragraphs == (FIRST, SECOND)


def test_what_is_left_out_is_counted(tmp_path):
    texts = [
        TEN,
        ELEVEN,
        FIRST,
        f" {FIRST}",
        "长" * MOST,
        "长" * (MOST + 1),
        SECOND[:-1] + "\ufffd",
        "子宫\x07收缩" * 9,
    ]
    read = corpus(tmp_path, "\n".join(texts))
    assert read.paragraphs == (ELEVEN, FIRST, "长" * MOST)
    assert read.left_out == {SHORT: 1, REPEATED: 1, LONG: 1, DAMAGED: 2}
    (note,) = corpus_notes({"textbooks": read})
    assert note.startswith(
        "corpus textbooks: 3 paragraphs; left out: 1 of 10 characters or less, 1 of more than 32,767 "
    )
    assert note.endswith("32,767 characters, 1 that stood before, 2 with characters that were lost")


def test_a_note_names_another_encoding(tmp_path):
    read = corpus(tmp_path, FIRST.encode("gb18030"))
    assert corpus_notes({"wikipedia": read}) == ("corpus wikipedia: 1 paragraphs, read as gb18030",)


def test_a_line_of_ten_megabytes_is_no_paragraph(tmp_path):
    read = corpus(tmp_path, f"{FIRST}\n{'胎' * 3_500_000}\n{SECOND}\n")
    assert read.paragraphs == (FIRST, SECOND)
    assert read.left_out == {LONG: 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "holds no paragraph to search in; expected at least one paragraph of 11 to 32,767 characters, one a line"),
        ("\n \n", "found 'no lines'"),
        (f"{TEN}\n{TEN}\n", "found '2 of 10 characters or less'"),
        (f"{FIRST}\n\0\0\n", "paragraphs.txt:2: is no text"),
        (FIRST.encode("utf-16"), "is UTF-16"),
        (b"PK\x03\x04\x14\x00\xff\xff", "is neither UTF-8 nor gb18030"),
        (f"{FIRST}\n".encode() + FIRST.encode("gb18030"), "paragraphs.txt:2: is UTF-8 with a fault"),
        (gzip.compress(FIRST.encode() * 99)[:-9], "cannot be read"),
    ],
    ids=["empty", "blank", "short", "NUL", "UTF-16", "ZIP", "two encodings", "broken gzip"],
)
def test_what_is_refused(tmp_path, content, words):
    with pytest.raises(MedzhError) as caught:
        corpus(tmp_path, content)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(MedzhError, match="is a folder"):
        read_corpus(tmp_path)
    with pytest.raises(MedzhError, match="there is no such file"):
        read_corpus(tmp_path / "paragraphs.txt")
