"""Names of diseases with their codes: read from a table, brought into one form, found in texts."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zlib
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from medzh_score.io.limits import whole
from medzh_score.io.open_input import InputFile
from medzh_score.io.paths import package_file
from medzh_score.io.tables import csv_reader
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import category_of, is_asterisk, normal_code
from medzh_score.text.fold import fold_disease_name
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

OURS = "terminology/disease_names.tsv"
CODE_HEADS = ("code", "疾病诊断编码", "诊断编码", "编码")
NAME_HEADS = ("name", "disease", "疾病诊断名称", "诊断名称", "名称")
LONGEST = 1_000  # characters of a cell
SHORTEST = 2  # characters: 疣, 反 and the like stand inside other words
BRACKETS = re.compile(r"\[([^\[\]]*)\]")
UNSPECIFIED = re.compile(r",(?:病原体)?未特指(?:的|者)?$|,不可归类在他处者$")


@dataclass(frozen=True)
class Mention:
    """A code whose name stands in a folded text, and where."""

    start: int
    end: int
    code: str


@dataclass(frozen=True)
class Dictionary:
    """Names that can be found in texts.

    The finder is an automaton over the folded names; for each of these ``meanings`` has the names as they are written,
    with their codes. ``left_out`` counts the rows that can name nothing, by reason.
    """

    label: str
    forms: tuple[str, ...]
    meanings: tuple[Mapping[str, str], ...]
    left_out: Mapping[str, int]
    finder: Any

    def mentions(self, text: str, form: str) -> Iterator[Mention]:
        """Find names, the longest at each place, from left to right.

        Of a name that is written in several ways with codes of different categories, the way decides that stands in the
        text; where that does not decide either, the name says nothing.
        """
        for index, start, end in self.finder.find_matches_as_indexes(form):
            if _is_part_of_a_word(form, start, end):
                continue
            code = self._code(index, text)
            if code is not None:
                yield Mention(start, end, code)

    def code_of(self, name: str, text: str) -> str | None:
        """Give the code of a folded name that stands in a text, None where there is none."""
        index = bisect_left(self.forms, name)
        return self._code(index, text) if index < len(self.forms) and self.forms[index] == name else None

    def _code(self, index: int, text: str) -> str | None:
        meanings = self.meanings[index]
        if len(meanings) == 1 or len({category_of(code) for code in meanings.values()}) == 1:
            return next(iter(meanings.values()))
        exact = {code for name, code in meanings.items() if name in text}
        return exact.pop() if len(exact) == 1 else None


def _is_part_of_a_word(form: str, start: int, end: int) -> bool:
    return (_is_latin(form[start]) and start > 0 and _is_latin(form[start - 1])) or (
        _is_latin(form[end - 1]) and end < len(form) and _is_latin(form[end])
    )


def _is_latin(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


def dictionary_of(rows: Sequence[tuple[str, str]], label: str) -> Dictionary:
    """Make a dictionary of names with codes."""
    from ahocorasick_rs import AhoCorasick, MatchKind

    left_out = dict.fromkeys(("not an ICD-10 category", "a single character", "several categories"), 0)
    codes: dict[str, dict[str, bool]] = {}
    for written, name in rows:
        normal = normal_code(written)
        if normal is None or icd10().place(normal) is None:
            left_out["not an ICD-10 category"] += 1
            continue
        for way in _ways(name):
            codes.setdefault(way, {}).setdefault(normal, is_asterisk(written))
    forms: dict[str, dict[str, str]] = {}
    for name, named in codes.items():
        form = fold_disease_name(name)
        own = [code for code, asterisk in named.items() if not asterisk] or list(named)
        if len(form) < SHORTEST:
            left_out["a single character"] += 1
        elif len({category_of(code) for code in own}) > 1:
            left_out["several categories"] += 1
        else:
            forms.setdefault(form, {})[name] = own[0]
    ordered = tuple(sorted(forms))
    finder = AhoCorasick(ordered, matchkind=MatchKind.LeftmostLongest)
    return Dictionary(label, ordered, tuple(forms[form] for form in ordered), left_out, finder)


def _ways(name: str) -> Iterator[str]:
    """Give the ways in which a table's entry may stand in a text, the whole entry first."""
    whole = name.replace("\\", "").translate({ord("，"): ",", ord("［"): "[", ord("］"): "]"}).strip()
    plain = BRACKETS.sub("", whole).strip()
    ways = [name.strip(), whole, plain, UNSPECIFIED.sub("", plain)]
    ways.append(plain.replace("病性", "病"))  # 糖尿病性肾病, 糖尿病肾病
    if whole.endswith("]"):
        ways += [found.strip() for found in BRACKETS.findall(whole)]
    yield from filter(None, dict.fromkeys(ways))


@cache
def our_dictionary() -> Dictionary:
    """Give the names that ship with the package: common diseases, written down by hand for this project."""
    path = package_file("medzh_score", OURS)
    return read_dictionary(path, "medzh-names-1")


def read_dictionary(path: Path, label: str = "own") -> Dictionary:
    """Read a table of names."""
    content = _content(path)
    made = dictionary_of(_rows(content, path), "")
    if not made.forms:
        raise MedzhError(_("the table contains no name with an ICD-10 code"), file=path, advice=_("check the columns"))
    digest = hashlib.sha256(content).hexdigest()[:8]
    return replace(made, label=f"{label} {len(made.forms)} names {digest}")


def read_rows(path: Path) -> list[tuple[str, str]]:
    """Read the codes and names of a table, as `read_dictionary` does."""
    return _rows(_content(path), path)


def _content(path: Path) -> bytes:
    with InputFile(path) as file:
        try:
            return whole(file.text(), path)
        except (OSError, EOFError, zlib.error) as error:
            raise MedzhError(
                _("cannot read the complete file: {error}", error=error),
                file=path,
                advice=_("copy or download it again"),
            ) from error


def _rows(content: bytes, path: Path) -> list[tuple[str, str]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MedzhError(_("invalid UTF-8"), file=path, expected="UTF-8", advice=_("save the file as UTF-8")) from error
    head = text.partition("\n")[0]
    separator = "\t" if "\t" in head else ","
    rows = csv_reader(io.StringIO(text, newline=""), separator=separator)
    advice = _("check for a quotation mark that is not closed")
    found = []
    try:
        places = _columns(next(rows, []), path)
        for row in filter(None, rows):
            code, name = (row[place] if place < len(row) else "" for place in places)
            if max(len(code), len(name)) > LONGEST:
                problem = _("a cell is too long for a name")
                expected = _("at most {longest:,} characters", longest=LONGEST)
                raise MedzhError(problem, file=path, line=rows.line_num, expected=expected, advice=advice)
            found.append((code, name))
    except csv.Error as error:
        raise MedzhError(
            _("invalid table: {error}", error=error), file=path, line=rows.line_num, advice=advice
        ) from error
    return found


def _columns(head: Sequence[str], path: Path) -> list[int]:
    heads, places = [name.strip() for name in head], []
    for names in (CODE_HEADS, NAME_HEADS):
        column = next((name for name in names if name in heads), None)
        if column is None:
            expected, found = " or ".join(names), ", ".join(heads)
            raise MedzhError(_("a column is missing"), file=path, line=1, field="head", expected=expected, found=found)
        places.append(heads.index(column))
    return places
