"""Private configs whose questions, options, answers and responses all carry a mark, and ways to find it again."""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import re
import zipfile
from contextlib import suppress

from installed import install

from dataset_scripts.building.new import start_private

MARK = "標記𠀀"  # of three characters, one of which JSON writes as two halves
ESCAPED = json.dumps(MARK)[1:-1]
FORMS = (
    MARK.encode(),
    MARK.encode("utf-16-le"),
    MARK.encode("utf-16-be"),
    MARK.encode("gb18030"),
    *(form.encode() for form in (ESCAPED, ESCAPED.upper().replace("\\U", "\\u"), repr(MARK.encode())[2:-1])),
    *("".join(form.format(ord(one)) for one in MARK).encode() for form in ("&#{};", "&#x{:x};", "&#x{:X};", "%{:x}")),
    ascii(MARK)[1:-1].encode(),
    base64.b16encode(MARK.encode()).lower(),
)
PACKED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}")
KINDS = ("true-false", "letters", "several", "pairs")
# So many of each: of the last two nothing may be shown alone, and both together are seven.
COUNTS = {"true-false": 12, "letters": 9, "several": 3, "pairs": 4}
WARD = """\
from dataclasses import replace

from medzh_score.authoring import QuestionType, MedzhError, Reading, Span, Table, question_config


def read(text, side):
    if not text.startswith("{mark}"):
        return Reading(None, "no " + text[:8])
    return Reading(text[:8], "begins with " + text[:8], (Span(0, 8),), note=text[:9])


def gold(record):
    if not record["answer"].startswith("{mark}"):
        raise MedzhError("names no place: " + record["question"], field="answer", found=record["answer"])
    return record["answer"]


def tables(layout, table, statistics, judged):
    return {{"own": Table("of {mark}", ("text", "n"), (("{mark}", 1),))}}


PLACE = QuestionType(
    columns=("question",),
    shown=lambda record: record["question"],
    how=lambda record: "请只回答科室。",
    written="科室",
    side=lambda record: None,
    read=read,
    gold=gold,
)
CONFIG = question_config("ward", "ward: the right place", {{"place": PLACE}}, rule="start-1", private=True)
CONFIG = replace(CONFIG, reporting=replace(CONFIG.reporting, tables=tables))
"""


def marked_packages(folder):
    """Install three private configs: of questions read by our rule, of open ones, and of a rule that names texts."""
    made = []
    for name, kinds, lines in (("secret", KINDS, questions()), ("notes", ("open",), open_questions())):
        made.append(folder / name)
        start_private(name, kinds, made[-1])
        _fill(made[-1], name, lines)
    made.append(folder / "ward")
    start_private("ward", ("open",), made[-1])
    _fill(
        made[-1], "ward", [{"question": f"{MARK}问{n:02d}？", "answer": f"{MARK}科室{n:02d}号"[:8]} for n in range(12)]
    )
    (made[-1] / "ward_bench" / "scoring.py").write_text(WARD.format(mark=MARK), encoding="utf-8")
    return [install(one) for one in made]


def _fill(folder, name, lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / f"{name}_bench" / "mini.jsonl").write_text(text, encoding="utf-8")


def questions():
    """Write questions of four kinds."""
    found: list[dict[str, object]] = []
    for kind, count in COUNTS.items():
        for n in range(count):
            question = {
                "kind": kind,
                "question": f"{MARK}{kind}第{n}题",
                "options": [],
                "parts": [],
                "answer": "对错"[n % 2],
            }
            if kind != "true-false":
                question["options"] = [f"{MARK}选项{n}{letter}" for letter in "甲乙丙丁"]
                question["answer"] = {"letters": "ABCD"[n % 4], "several": "AC", "pairs": "1.B 2.A"}[kind]
            if kind == "pairs":
                question["parts"] = [f"{MARK}配对{n}{letter}" for letter in "子丑"]
            found.append(question)
    return found


def open_questions():
    """Write open questions with references."""
    return [{"question": f"{MARK}什么是第{n}号？", "answer": f"{MARK}第{n}号是指人体的一种状态。"} for n in range(6)]


def marked(content):
    """List the forms in which a content holds the mark: as it is, escaped, or inside what is packed in it."""
    return [form for one in unpacked(content) for form in FORMS if form in one]


def unpacked(content):
    """Give a content, and what is packed in it: gzip, zip, parquet, and base64 of any of them; entities read."""
    yield content
    if b"&" in content:
        yield html.unescape(content.decode("utf-8", "replace")).encode()
    if content[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError):
            yield from unpacked(gzip.decompress(content))
    elif content[:4] == b"PK\x03\x04":
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield from unpacked(archive.read(name))
    elif content[:4] == b"PAR1" and content[-4:] == b"PAR1":
        from pyarrow import parquet

        table = parquet.read_table(io.BytesIO(content))
        yield json.dumps(table.to_pylist(), ensure_ascii=False, default=str).encode()
        yield repr(table.schema.metadata).encode()
    for found in PACKED.findall(content):
        letters = found.rstrip(b"=")
        whole = letters[: len(letters) - (len(letters) % 4 == 1)]  # of one letter alone no byte is made
        raw = base64.b64decode(whole + b"=" * (-len(whole) % 4), validate=False)
        if raw[:2] == b"\x1f\x8b":
            yield from unpacked(gzip.decompress(raw))
        else:
            yield raw
