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
    ("1. D\n1. C\n1. A", 3, (None,) * 3),  # numbers that restart are none
    ("1. D，理由略\n1. C，理由略\n1. A，理由略", 3, (None,) * 3),
    ("①D ①C ①A", 3, (None,) * 3),
    ("第1题：D\n第2题：C\n第1题：A", 3, (None,) * 3),
    ("（一）\n1. A\n2. B\n（二）\n1. C", 3, (None,) * 3),
    ("4. B\n5. C", 4, (None,) * 4),
    ("10. D\n12. C\n13. A", 3, (None,) * 3),
    ("0.D 1.C 2.A", 3, ("D", "C", "A")),  # as many numbers in a row as questions begin anywhere
    ('{"0": "D", "1": "C", "2": "A"}', 3, ("D", "C", "A")),
    ("3. A\n4. D\n5. C\n6. B", 4, ("A", "D", "C", "B")),
    ("6. 选D。解析：\n1. 甲\n2. 乙\n7. 选C。", 2, ("D", "C")),
    ("3.A 2.B 1.C", 3, ("C", "B", "A")),
    ("2. B\n3. C", 3, (None, "B", "C")),
    ("1. 选A。\n2. 选B。\n3. 甲\n4. 乙", 2, ("A", "B")),
    ("1. D\n1) 甲\n2) 乙\n2. C\n1) 甲\n2) 乙", 2, ("D", "C")),
    ("【小题1】B 【小题2】A", 2, ("B", "A")),
    ("**第一题**\n答案：A\n\n**第二题**\n答案：B\n\n小结：1. 心主血 2. 肝藏血", 2, ("A", "B")),
    ("21．C。A项于文无据\n22．B。C项“作者对此失望”不合", 2, ("C", "B")),
    ("抱歉，我无法回答。", 2, (None, None)),
]


@dataclass(frozen=True)
class Asked:
    """A response, and what is asked of its reading beside the value: the keys of ``SAID`` that its line has."""

    row: Row
    said: dict[str, Any]


SAID = ("reason", "unambiguous", "read_from")


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
