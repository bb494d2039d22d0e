"""Responses whose reading was asked for one by one, each by the public function of its kind; written for this."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import labels
from labels import Row

# Which drug is given first in anaphylaxis?
DRUGS = ("地塞米松", "肾上腺素", "异丙嗪", "多巴胺", "葡萄糖酸钙")
FILE = Path(__file__).parent / "readings.jsonl"
NEVER_ENDED = (
    "<think>\n要求的格式是“答案：A”。题目问首选药物，肾上腺素起效最快，所以答案是B",
    "<think>答案：B",
    "<think>\n参考答案：B。\n下面逐项分析",
)
GROUPS = [
    ("1. 【答案】D <eoa>\n2. 【答案】B <eoa>\n3. 【答案】A <eoa>", 3, ("D", "B", "A")),
    ("（1）【答案】 C <eoa>\n（2）【答案】 D <eoa>", 2, ("C", "D")),
    ("1.A 2.C 3.B", 3, ("A", "C", "B")),
    ("【答案】F A E C G <eoa>", 5, ("F", "A", "E", "C", "G")),
    ("<think>\n1. 答案：A\n2. 答案：B", 2, (None, None)),
    ("抱歉，我无法回答。", 2, (None, None)),
]


@dataclass(frozen=True)
class Asked:
    """A response, and what is asked of its reading beside the value: the keys of ``SAID`` that its line has."""

    row: Row
    said: dict[str, Any]


SAID = ("why", "clear", "read_from")


def asked():
    """Give all responses that are read one by one, numbered by kind."""
    lines = [json.loads(text) for text in FILE.read_text(encoding="utf-8").splitlines()]
    lines += [
        {"kind": kind, "text": text, "label": None, "spoken": True} for text in NEVER_ENDED for kind in labels.KINDS
    ]
    return [
        Asked(_row(line, number), {key: line[key] for key in SAID if key in line}) for number, line in enumerate(lines)
    ]


def rows():
    """Give the responses alone."""
    return [one.row for one in asked()]


def _row(line, number):
    options, label = line.get("options", DRUGS), line["label"]
    return Row(
        id=f"row-{number:03d}",
        kind=line["kind"],
        text=line["text"],
        label=tuple(label) if isinstance(label, list) else label,
        question=line.get("question", ""),
        options=tuple(options) if options else None,
        several=line.get("several", False),
        spoken=line.get("spoken", False),
        scale=tuple(line.get("scale", labels.WIDEST_SCALE)),
        form=line.get("of", ""),
    )
