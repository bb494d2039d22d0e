"""Rows of examination banks: which of them are sound questions, and why the others are dropped."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.groups import SubQuestion
from medzh_score.configs.tcmd.exam import LETTERS

if TYPE_CHECKING:
    from dataset_scripts.recipes.banks.options import Lettered
    from dataset_scripts.recipes.tcmd.groups import Group

# Why a row is no question; the columns of the report, in order.
REASONS = {
    "no text": "nothing is asked",
    "image": "it asks about a picture or a table that the source has not",
    "stem lost": "it belongs to a case or a prescription that the source lost",
    "no options": "the source has none, or lost them",
    "lettering": "the letters of the options do not run from A without a gap, or there are not two to five options",
    "empty option": "an option has no text",
    "equal options": "two options are the same",
    "no answer": "the source has none, or a sentence in its place",
    "several answers": "more than one letter is right, or the option that says so of the others",
    "answer without option": "the right letter is none of the options",
    "damaged": "cut off at its beginning, or spoilt by a scan: numbers, signs, characters that no font has",
}
FEWEST_OPTIONS = 2

# Marks of a shared stem, and the number of a question in its paper: 1-, 3), 2)．; that of 5-羟色胺 is none.
MARK = re.compile(r"^\s*[(（]?\s*(?:\d+\s*[~～—-]\s*\d+\s*题?)?\s*共用(?:题干|备选答案)\s*[)）]?\s*")
NUMBER = re.compile(
    r"^\s*\d{1,3}\s*(?:[)）]\s*[.．、]?|-(?=[\u4e00-\u9fff《“])(?![甲乙丙丁羟氨脱去氧磷酮酰硝酸苯羰巯氟氯溴碘硫环]))\s*"
)
PICTURE = re.compile(r"^图示|如图|下图|附图|图中|图所示|图示[）)]?$|暂无图|见图|如下表|下表[：:中]")
# A measurement with its mark or a closing mark at the beginning: the row lost what stood before it. A question may
# begin with a measurement that goes on (5%葡萄糖), and a case with its patient (患者。男，70岁).
CUT = re.compile(
    r"(?:po|iv|im|qd|bid|tid)[\s。，,.]|[，。、；：,;:)）\]】%％/]|(?!某?患[者儿]|病人)[\u4e00-\u9fff]{1,3}。"
    r"|\d[\d.,～~×x*⁰-⁹+/-]*\s*(?:[a-zμ]*(?:g|mol|L|l|Hg|Pa|IU|U|HP)(?:/[A-Za-z]+)?|qd|bid|%|％|次/分)\s*[，。,.；;（(]"
)
# What scans make of raised digits, X, 0, °, γ and V, and of rare characters and words: 8.5×109/L, ×线, O.5寸, 7-GT,
# 《素问?》, 听官; what typists make of 不易咳出 and 辨证; and what a page left of its pictures.
SPOILT = re.compile(
    r"[×xX*]\s?10(?:9|12)\s?[/／]|×线|(?<![A-Za-z])[oO][.．]\d|《[\u4e00-\u9fff]+[?？]|[（(][\u4e00-\u9fff]虫[)）]虫"
    r"|査|[上次中下][谬髂](?!骨)|隐血实验|血摄|逐淤"
    r"|不宜[咯咳]出|雍(?!正)|辩证(?=[是为属])|7-GT|LPH|Ⅴ\d|</?[a-z]+[ />]"
    r"|%FEV|听官|斩官汤|[\u4e00-\u9fff]冉[\u4e00-\u9fff]|Ⅲ房室"
)
UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
# A question about a case that is not there: it has no other words than these, or begins with what it does not name.
CASELESS = re.compile(
    r"(?:根据|结合|其|该|此时|此|本|目前|患者|患儿|病人|症状|病证|病|中医|西医|治疗|治法|治则|诊断|鉴别|证候|证型|病机|病因|病位"
    r"|辨证|辩证|分型|方剂|方药|汤剂|主方|处方|方|代表|药物|药|检查|处理|措施|原则|方法|针灸|取穴|主穴|配穴|应当|应该|应|宜|可|首先"
    r"|首选|选用|选|采用|用|考虑|可能|最佳|最|进一步|确诊|有助于|属于|属|是|为|的|下列|哪一项|哪项|哪种|什么|[：:？?。，,（）()\s])+"
    r"|(?:该|此|本)(?:患|病[人例，]|病[^，。]{0,6}方剂|例|[孕产]妇|妇女|男|女|[^，。]{0,3}医[生师]).*"
    r"|(?:若|如果|假如)(?!干)(?:该|此|患|病人|辨证|[^，]{2,6}(?:而见|，?兼)).*"
)
# Of things that stood above it.
ABOVE = re.compile(r"(?:上述|以上)(?:各项|哪|内容|案例|病例|情况|患者)")
# The option that says of all others that they are right, too; that none is right may be the one right answer.
ALL = re.compile(r"(?:以上|上述)(?![^，]*[非不无])[^，]{1,6}")
LETTER = re.compile(r"[A-Z]")
PUNCTUATED = re.compile(r"(?<=\d)\.(?=\d)|[-+%~<>=]")
ABSENT = frozenset({"nan", "无", "略", "none"})


class _Unpunctuated(dict[int, int | None]):
    """What takes punctuation and spaces off a text; each character is looked up once."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.category(chr(code))[0] in "PZ" else code
        return self[code]


_UNPUNCTUATED = _Unpunctuated()


@dataclass(frozen=True)
class Raw:
    """A question as a source has it, before it is looked at."""

    question: str
    options: Lettered  # letter and text
    answer: str  # the right letters, in any form; empty where the source has none, as are the fields below
    explanation: str = ""
    key: str = ""
    stem: str = ""


@dataclass(frozen=True)
class Row:
    """A sound question of a source."""

    part: SubQuestion
    kind: str | None = None  # A1, A2, A3 or B1; None where the source does not say
    stem: str | None = None  # the shared one, where the source has it apart
    group: str | None = None  # neighbours with the same text here are one group
    labels: tuple[str, ...] = ()  # what the source says of its subject, as "field: value"


@dataclass
class Reading:
    """What a reader found."""

    rows: list[Row] = field(default_factory=list)  # in the order of the file
    dropped: Counter[str] = field(default_factory=Counter)  # not sound, by a reason of REASONS
    # keys of sound questions whose explanation, which speaks of others of the paper, was left out
    unexplained: set[str] = field(default_factory=set)

    def add(
        self, raw: Raw, kind: str | None = None, group: str | None = None, labels: tuple[str, ...] = ()
    ) -> SubQuestion | None:
        """Take a row, or count why not."""
        part = settle(raw)
        if isinstance(part, str):
            self.dropped[part] += 1
            return None
        stem = tidy(raw.stem) if raw.stem else None
        self.rows.append(Row(part, kind, stem, group, labels))
        return part


@dataclass(frozen=True)
class Candidate:
    """A group whose subject is still open."""

    group: Group  # its subject is empty
    labels: tuple[str, ...]  # what the source says of its subject, as "field: value"


def settle(raw: Raw) -> SubQuestion | str:
    """Make a sound question of a row, or give the reason of ``REASONS`` for which it is none.

    Nothing is mended but spaces, marks of shared stems and the number before a question.

    >>> settle(Raw("心开窍于", (("A", "舌"), ("B", "目")), "A")).answer
    'A'
    >>> settle(Raw("心开窍于", (("A", "舌"), ("C", "目")), "A"))
    'lettering'
    """
    question = tidy(raw.question)
    options = tuple(_spaces(text) for _, text in raw.options)
    reason = _of_question(question, raw.stem) or _of_options(raw.options, options)
    if reason:
        return reason
    # An answer is letters and marks between them; a sentence that happens to have a letter is none.
    letters = LETTER.findall(raw.answer) if not re.search(r"[^A-Z,，、;；\s]", raw.answer) else []
    if len(letters) != 1:
        return "several answers" if letters else "no answer"
    if letters[0] not in LETTERS[: len(options)]:
        return "answer without option"
    if ALL.fullmatch(options[LETTERS.index(letters[0])]):
        return "several answers"
    if any(map(_damaged, (question, *options))):
        return "damaged"
    explanation = raw.explanation.strip()
    absent = not explanation or explanation.casefold() in ABSENT
    return SubQuestion(question, options, letters[0], None if absent else explanation, raw.key)


def _of_question(question: str, stem: str) -> str | None:
    if not plain(question):
        return "no text"
    if PICTURE.search(question) or PICTURE.search(stem):
        return "image"
    if not stem and (CASELESS.fullmatch(question) or ABOVE.match(question)):
        return "stem lost"
    return "damaged" if CUT.match(question) else None


def _of_options(lettered: Lettered, options: tuple[str, ...]) -> str | None:
    if not options:
        return "no options"
    letters = "".join(letter for letter, _ in lettered)
    if len(options) < FEWEST_OPTIONS or not LETTERS.startswith(letters) or len(letters) != len(options):
        return "lettering"
    if not all(options):
        return "empty option"
    return "equal options" if len(set(map(plain, options))) < len(options) else None


def tidy(text: str) -> str:
    """Take the marks of a paper off a text: spaces around it, the mark of a shared stem, the number of a question.

    >>> tidy(" 2)．其治法是 ")
    '其治法是'
    """
    return _spaces(NUMBER.sub("", MARK.sub("", text)))


def _spaces(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", text).strip()


def _damaged(text: str) -> bool:
    # A closing bracket before any opening one: the beginning was cut off.
    depth = 0
    for character in text:
        depth += (character in "(（") - (character in ")）")
        if depth < 0 and not re.match(r"[（(]?[\d①-⑩一二三四五六七八九]+[)）]", text):
            return True
    return bool(UNREADABLE.search(text) or SPOILT.search(text))


def plain(text: str) -> str:
    """Bring texts that say the same to one form.

    Compatibility characters, case, spaces and punctuation do not count; a point between digits and the signs
    ``+ - % ~ < > =`` do. This finds the questions that two banks have; `fold`, for which punctuation and
    case count too, makes ids. So what differs here differs there.

    >>> plain("舌淡红，苔薄白（  ）。") == plain("舌淡红苔薄白")
    True
    >>> plain("HBsAg(+)") == plain("HBsAg(-)")
    False
    """
    folded = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    parts, start = [], 0
    for found in PUNCTUATED.finditer(folded):
        parts += [folded[start : found.start()].translate(_UNPUNCTUATED), found.group()]
        start = found.end()
    return "".join([*parts, folded[start:].translate(_UNPUNCTUATED)])
