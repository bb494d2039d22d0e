"""Judgements without the codes of what they judge: with them, those of a sample are refused beside other answers."""

from __future__ import annotations

import csv
import io
import json

from medzh_score.io.tables import sheet_bytes
from medzh_score.prompting.ids import CODE, MARK


def answer_in(text):
    """Give what stands behind the reasoning in a text of the samples: nothing where it is never closed."""
    return text.rpartition("</think>")[2].strip() if "</think>" in text else "" if "<think>" in text else text


def item_of(named):
    """Give what the id of a prompt or a judgement names, without the code."""
    return named.partition(MARK)[0]


def uncoded(path, folder):
    """Write a copy of a judgements file, JSON lines or a sheet, without codes.

    Parameters
    ----------
    path : Path
        The file.
    folder : Path
        Where the copy is written, under the same name.

    Returns
    -------
    Path
        The copy.
    """
    copy = folder / path.name
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".csv":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        columns = [name for name in rows.fieldnames or () if name != CODE]
        copy.write_bytes(sheet_bytes(columns, [{name: row[name] for name in columns} for row in rows]))
    else:
        lines = [{**line, "id": item_of(line["id"])} for line in map(json.loads, text.splitlines())]
        copy.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return copy
