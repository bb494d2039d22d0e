"""Labels that stand together: ACD, A、C和D, A（肺炎）、C（脑炎）; and those that are joined by 或, or span others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.option_labels import label_at
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

GLOSS = r"(?:[^\S\n]*[（(][^（）()\n]{1,60}[)）])"
CLOSE = r"(?:以及|还有|[、/&＆+＋和与及或者]|and\b|or\b|vs\.?)"
ITEM = rf"(?:选项[^\S\n]?)?[“”\"（(【\[]*[A-H](?![A-Za-z0-9])[”\"）)】\]]*(?:[^\S\n]?选?项)?{GLOSS}?"
# Labels that belong to the one before them: by a word or sign that ties them, or loosely, where the sentence ends then.
TIED = rf"[^\S\n]*(?:{CLOSE}[^\S\n]*)+{ITEM}"
ALSO = rf"[^\S\n]*[,，]?(?:也可能|也可以?|或许|还是)[是为选]?[^\S\n]*{ITEM}"
SPANNED = rf"[^\S\n]*(?:[-–—~～→]|至|到)[^\S\n]*{ITEM}"
LOOSE = (
    rf"[^\S\n]*[，,；;][^\S\n]*(?:{CLOSE}[^\S\n]*)?{ITEM}|[^\S\n]+{ITEM}"
    rf"|[.．](?=[A-H](?![A-Za-z0-9]|[.．]?\s*[\u4e00-\u9fff])){ITEM}"
)
FURTHER_TIED = re.compile(f"(?:{TIED}|{ALSO}|{SPANNED})++")
FURTHER = re.compile(f"(?:{TIED}|{ALSO}|{SPANNED}|{LOOSE})++")
COUNTED = re.compile(r"[”\"’'」』）)】\]]*(?:这)?(?:[两二三四五]个?(?:选?项|答案|者)|选项)")
BROKEN = re.compile(r"\n([A-H]+)\s*\Z")
FIRST_ENDS = re.compile(rf"[”\"’'」』）)】\]]*(?:[^\S\n]?选?项)?{GLOSS}?")
INSIDE = re.compile(r"[（(]([^（）()\n]{1,60})[)）]")
GLOSSES = re.compile(r"[（(](?!\s*[A-H]\s*[)）])[^（）()\n]{1,60}[)）]")  # not (A), (B)
LETTER = re.compile(r"[A-H](?![A-Za-z0-9])")
EITHER = re.compile(r"或|/|\bor\b|可能|也可|还是|vs")
SPANS = re.compile(r"[-–—~～→至到]")
LIST_ENDS = re.compile(
    r"[\s“”\"'‘’」』》)）】\]]*+(?:[两三四五]?[个者]?选?项)?(?:都|均|皆)?(?:\Z|[。．！!；;<\n]|\.(?!\s?[\u4e00-\u9fff]))"
    r"|[”\"」』）)】\]]*(?:选?项)?[^\S\n]*\n"
)


class Run(NamedTuple):
    """Labels that stand together.

    Attributes
    ----------
    letters : str
        In order, each once.
    rule : str
        Empty, or why they are no answer: ``either``, ``range``, ``contradiction``.
    end : int
        Where the last of them ends.
    """

    letters: str
    rule: str
    end: int


def run_at(text: str, start: int, question: Question) -> Run | None:
    """Read the label at a place and those that are joined to it, each maybe with its text in brackets.

    Parameters
    ----------
    text : str
        A prepared response.
    start : int
        The place.
    question : Question
        What was asked.

    Returns
    -------
    Run or None
        None where no label stands there.
    """
    first = label_at(text, start)
    if not first:
        return None
    end = start + len(first)
    ordered = in_order(first)
    if len(first) > 1 and first != ordered and len(ordered) > 1:  # CA is AC; what repeats a letter is a word
        return Run(ordered, "", end) if len(ordered) == len(first) else Run("", "no labels", end)
    closing = FIRST_ENDS.match(text, end)
    gloss = INSIDE.match(closing[0].lstrip()) if closing else None
    if gloss and len(gloss[1]) == 1 and gloss[1] in LETTERS.replace(first.upper(), ""):
        return Run("", "contradiction", closing.end() if closing else end)  # B（A）
    more = _further(text, closing.end() if closing else end)
    letters, rule = first.upper(), ""
    if more:
        between = GLOSSES.sub("", more[0])
        rule = "either" if EITHER.search(between) else "range" if SPANS.search(between) else ""
        letters += "".join(LETTER.findall(between))
        if not _glosses_fit(text, start, more.end(), question):
            rule = "contradiction"
        end = more.end()
    letters = in_order(letters)
    if len(letters) > 1 and (counted := COUNTED.match(text, end)):
        end = counted.end()
    elif len(first) > 1 and (broken := BROKEN.match(text, end)) and broken[1] == in_order(broken[1]) > letters[-1]:
        letters, end = letters + broken[1], broken.end()
    return Run(letters, rule if len(letters) > 1 else "", end)


def _further(text: str, end: int) -> re.Match[str] | None:
    """Find the labels that belong to the one that ends at a place: the longest run that is no new statement."""
    more = FURTHER.match(text, end)
    return more if more and LIST_ENDS.match(text, more.end()) else FURTHER_TIED.match(text, end)


def in_order(letters: str) -> str:
    """Bring labels into their order, each once.

    Parameters
    ----------
    letters : str
        Labels.
    """
    return (
        letters.upper()
        if len(letters) == 1
        else "".join(sorted({letter for letter in letters.upper() if letter in LETTERS}))
    )


def _glosses_fit(text: str, start: int, end: int, question: Question) -> bool:
    """Say whether no label has another option's text in brackets behind it."""
    for gloss in INSIDE.finditer(text, start, end):
        option = question.texts.whole(gloss[1])
        label = LETTER.search(text, max(start, gloss.start() - 4), gloss.start())
        own = question.own(label[0]) if label else None
        if option is not None and own is not None and not question.texts.same(own, option):
            return False
    return True
