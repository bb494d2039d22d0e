"""The reader of medical.json (QASystemOnMedicalKG): one disease a line, as a JSON object in UTF-8."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.sdak.content import Content, Value, split_list
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Field, type, and whether the source affirms it; the spelling is upstream's.
LISTS = (
    ("cure_department", "Disease-Department", True),
    ("cure_way", "Disease-Method", True),
    ("symptom", "Disease-Symptom", True),
    ("acompany", "Diseases-Complication", True),
    ("common_drug", "Disease-Medicine", True),
    ("recommand_drug", "Disease-Medicine", True),
    ("check", "Disease-Examination", True),
    ("do_eat", "Disease-Food", True),
    ("recommand_eat", "Disease-Food", True),
    ("not_eat", "Disease-Food", False),
)
INFECTIVITY = ("get_way", "Disease-Infectivity")
PROSE = (("cause", "Disease-Cause"), ("prevent", "Disease-Prevention"))

LONGEST_ENUMERATION = 60
LONGEST_PHRASE = 10
# A phrase with one of these is part of a sentence: it denies, hedges, refers back or has a verb of its own.
SENTENCE = re.compile(
    r"不|未|无|尚|非|是|为|由|使|其|该|此|本病|等|以及|可|能够|因为|所致|引起|导致|造成|有关|相关|多见|常见|主要|要|"
    r"应当|应该|应注意|如|若|患者|病人|者|的时候",
)


def read_medical_json(file: Path, source: str) -> Content:
    """Read medical.json: a value for each member of each field, one without text for an empty field.

    Every field but ``name`` may be missing, and a list may be written as one text.
    """
    content = Content()
    for line, disease in _diseases(file):
        _check(disease, file, line)
        name = disease["name"].strip()
        for field, kind, holds in LISTS:
            content.values += _values(kind, name, _members(disease.get(field), kind), source, holds=holds)
        field, kind = INFECTIVITY
        content.values += _values(kind, name, [_text(disease.get(field))], source)
        for field, kind in PROSE:
            prose = _text(disease.get(field))
            phrases = enumerated(prose)
            content.values += _values(kind, name, phrases or [prose], source, dropped=None if phrases else "prose")
    return content


def enumerated(prose: str) -> list[str]:
    """Take a text of ``cause`` or ``prevent`` apart that is nothing but an enumeration of short phrases.

    All or nothing: a text of at most 60 characters, every phrase of which has 2 to 10 characters and none of the words
    of ``SENTENCE``. Anything else is prose, and prose gives no value.

    >>> enumerated("1、病毒感染；2、细菌感染。")
    ['病毒感染', '细菌感染']
    >>> enumerated("本病病因尚不明确，可能与遗传因素有关。")
    []
    """
    if len(prose) > LONGEST_ENUMERATION:
        return []
    phrases = split_list(re.sub(r"(?<!\d)\d{1,2}[、.．)）]|[①-⑳。]", " ", prose))
    short = all(1 < len(phrase) <= LONGEST_PHRASE and not SENTENCE.search(phrase) for phrase in phrases)
    return phrases if short else []


def _diseases(file: Path) -> Iterator[tuple[int, Any]]:
    with file.open("rb") as stream:
        for line, raw in enumerate(stream, start=1):
            if not raw.strip():
                continue
            try:
                yield line, json.loads(raw.decode("utf-8-sig" if line == 1 else "utf-8"))
            except ValueError as error:  # not UTF-8, or not JSON
                raise MedzhError(
                    f"not JSON in UTF-8: {error}", file=file, line=line, expected="one JSON object a line"
                ) from error


def _check(disease: object, file: Path, line: int) -> None:
    if not isinstance(disease, dict):
        raise MedzhError("not a disease", file=file, line=line, expected="a JSON object", found=disease)
    name = disease.get("name")
    if not isinstance(name, str) or not name.strip():
        raise MedzhError("a disease has no name", file=file, line=line, field="name", expected="a text", found=name)
    fields = [field for field, *_ in LISTS] + [INFECTIVITY[0]] + [field for field, _ in PROSE]
    for field in fields:
        value = disease.get(field)
        parts = value if isinstance(value, list) else [value]
        if any(not isinstance(part, str | None) for part in parts):
            raise MedzhError(
                "neither text nor list of texts", file=file, line=line, field=field, expected="texts", found=value
            )


def _text(value: str | list[str | None] | None) -> str:
    if isinstance(value, list):
        return "、".join(part for part in value if part)
    return (value or "").strip()


def _members(value: str | list[str | None] | None, kind: str) -> list[str]:
    if isinstance(value, list) and kind != "Disease-Method":
        return [part.strip() for part in value if part and part.strip()]
    return split_list(_text(value))  # a treatment may hold several even as a member of a list


def _values(  # noqa: PLR0913 - one per part of a value
    kind: str, name: str, texts: list[str], source: str, *, holds: bool = True, dropped: str | None = None
) -> list[Value]:
    return [
        Value(kind, name, text, source, holds=holds, dropped=dropped if text else "no value") for text in texts or [""]
    ]
