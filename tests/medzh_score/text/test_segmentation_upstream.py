"""Segmentation of real texts: all cells, strings and lines of every upstream file, a part of them by hash."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from zlib import crc32

import openpyxl
from amounts import one_in

from medzh_score.text import segmentation
from medzh_score.text.segmentation import cut_by

# All 313,416 texts (10.95 million characters) take half a minute: one third where many examples are asked for.
ONE_IN = one_in(15, 3)


def strings(value):
    """Give the strings inside a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def decoded(content):
    """Decode a file in whichever of the two encodings it is."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("gb18030", "replace")


def lines(text):
    """Give the lines of a text, and the strings of those that are JSON."""
    for line in text.splitlines(keepends=True):
        yield line
        try:
            yield from strings(json.loads(line))
        except ValueError:
            continue


def texts_of(file):
    """Give the texts of a file: cells of tables, strings of JSON, else lines."""
    if file.suffix == ".xlsx":
        with closing(openpyxl.load_workbook(file, read_only=True)) as book:
            rows = (row for sheet in book for row in sheet.iter_rows(values_only=True))
            yield from (cell for row in rows for cell in row if isinstance(cell, str))
        return
    text = decoded(file.read_bytes())
    if file.suffix in {".csv", ".tsv"}:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if file.suffix == ".tsv" else ",")
        yield from (cell for row in rows for cell in row)
    elif file.suffix == ".json":
        try:
            yield from strings(json.loads(text))
        except ValueError:
            yield from lines(text)
    else:
        yield from lines(text)


def test_every_upstream_text_is_cut_as_jieba_cuts_it(upstream_root):
    files = sorted(file for file in upstream_root.rglob("*") if file.is_file())
    texts = dict.fromkeys(text for file in files for text in texts_of(file))
    drawn = [text for text in texts if crc32(text.encode("utf-8", "surrogatepass")) % ONE_IN == 0]
    assert len(drawn) > 150_000 / ONE_IN
    jieba = segmentation._jieba()
    assert [text for text, words in zip(drawn, cut_by("rjieba", drawn), strict=True) if words != jieba.lcut(text)] == []
