"""Finding the option labels that a text commits itself to: 答案：C, 故选C, the answer is C; never one out of prose."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import option_wordings as wordings
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


class Mark(NamedTuple):
    """A marker that was met.

    Attributes
    ----------
    kind : str
        As in `option_wordings.MARKERS`.
    start, word, end : int
        Where it begins, a conclusion after its first word; where its wording ends; and where what it announces would
        begin.
    denied : bool
        Whether it is denied before the label: 答案不是.
    strong : bool
        Whether the label may go on into a sentence.
    """

    kind: str
    start: int
    word: int
    end: int
    denied: bool
    strong: bool


class Labels(NamedTuple):
    """Labels that a marker announces.

    Attributes
    ----------
    letters : str
        In their order; the first stands right after the marker.
    end : int
        Where the first, or the run of letters that it begins, ends.
    why : str
        Why they are no answer: ``negated``, ``supposed``, ``example``; empty where they are one.
    """

    letters: str
    end: int
    why: str


def marks(text: str) -> Iterator[Mark]:
    """Find what announces an answer.

    Parameters
    ----------
    text : str
        A prepared response.

    Yields
    ------
    Mark
        The last first: what it announces counts.
    """
    for found in reversed(list(wordings.MARKER.finditer(text))):
        wording, start, end = found[1], found.start(), found.end()
        kind = wordings.KINDS[wording]
        proper = wordings.PROPER.get(wording)
        if proper and not proper.search(text, max(0, start - wordings.BEFORE), start):
            continue
        between = text[start + len(wording) : end]
        denied = bool(between) and wordings.DENIED_BETWEEN.search(between) is not None
        strong = kind in wordings.STRONG or (bool(between) and wordings.CHOSEN_BETWEEN.search(between) is not None)
        begin = found.end(1) if kind == "conclusion" else start  # 若选A则误汗，故: what was supposed is over
        yield Mark(kind, begin, start + len(wording), end, denied, strong)


def announced(text: str, mark: Mark) -> Labels | None:
    """Read the labels that a marker announces.

    Parameters
    ----------
    text : str
        A prepared response.
    mark : Mark
        The marker.

    Returns
    -------
    Labels or None
        None where no label follows, or the letters belong to a word or an abbreviation.
    """
    letters = label_at(text, mark.end)
    if not letters or (letters.islower() and not mark.strong):
        return None
    end = mark.end + len(letters)
    after = _after(mark) if letters.isupper() else wordings.AFTER_WEAK
    others, last = joined(text, end)
    denied = wordings.DENIED_AFTER.match(text, last) is not None
    if not denied and not after.match(text, last):
        return None
    why = "negated" if denied or mark.denied else taken_back(text, mark.start)
    if not why and wordings.EXAMPLE_AFTER.match(text, last):
        why = "example"
    return Labels(letters.upper() + others, end, why)


def _after(mark: Mark) -> re.Pattern[str]:
    if mark.strong:
        return wordings.AFTER_STRONG
    return wordings.AFTER_CONCLUSION if mark.kind == "conclusion" else wordings.AFTER_WEAK


def qualified(text: str, mark: Mark) -> Labels | None:
    """Read a label that stands before its marker: C是正确答案.

    Parameters
    ----------
    text : str
        A prepared response.
    mark : Mark
        The marker.
    """
    if mark.kind not in wordings.QUALIFIABLE or text[mark.start - 1 : mark.start] not in wordings.QUALIFIER_ENDS:
        return None
    found = wordings.QUALIFIED.search(text, max(0, mark.start - wordings.FAR_BEFORE), mark.start)
    if not found or wordings.ASKED.match(text, mark.end):
        return None
    group = found.lastindex or 0
    return Labels(found[group], mark.end, taken_back(text, found.start(group)))


def outranks(text: str, mark: Mark) -> bool:
    """Say whether a marker's answer counts although an earlier one was marked as the answer.

    A bare 选 in a later clause tells what to choose in another case: 答案：C。表虚者选A。

    Parameters
    ----------
    text : str
        A prepared response.
    mark : Mark
        The marker.
    """
    if mark.kind in wordings.EXPLICIT:
        return not wordings.OTHERS_ANSWER.search(text, max(0, mark.start - wordings.BEFORE), mark.start)
    return wordings.CONCLUDES.search(text, max(0, mark.start - wordings.FAR_BEFORE), mark.start) is not None


def taken_back(text: str, start: int) -> str:
    """Say why what is announced at a place is no answer, as far as what stands before it tells.

    Parameters
    ----------
    text : str
        A prepared response.
    start : int
        Where the marker begins.

    Returns
    -------
    str
        ``negated``, ``supposed``, ``example``, or empty where it is one.
    """
    if not start:
        return ""
    near = text[max(0, start - wordings.BEFORE) : start]
    if wordings.DENIED_BEFORE.search(near):
        return "negated"
    far = text[max(0, start - wordings.FAR_BEFORE) : start]
    if (
        wordings.SUPPOSED_IN_SENTENCE.search(far)
        or wordings.SUPPOSED_IN_CLAUSE.search(far)
        or wordings.MISTAKEN_BEFORE.search(near)
    ):
        return "supposed"
    return "example" if wordings.EXAMPLE_BEFORE.search(near) else ""


def label_at(text: str, start: int) -> str:
    """Read the label or the run of labels at a place.

    Parameters
    ----------
    text : str
        A prepared response.
    start : int
        The place.

    Returns
    -------
    str
        Letters; empty where there is none, or where they belong to a word, a genus or an English sentence.
    """
    found = wordings.LABEL.match(text, start)
    if (
        not found
        or wordings.SPECIES.match(text, found.end())
        or (found[1] in "Aa" and wordings.ARTICLE.match(text, found.end()))
    ):
        return ""
    return found[1]


def joined(text: str, end: int, ends: re.Pattern[str] = wordings.LIST_ENDS) -> tuple[str, int]:
    """Read the labels that are given together with the one that ends at a place, as in A、C or A或B.

    Parameters
    ----------
    text : str
        A prepared response.
    end : int
        The place.
    ends : pattern
        What may follow labels that are joined by no more than a comma or a space.

    Returns
    -------
    str
        The other letters; empty where those that follow begin a new statement: 选C，A、B错.
    int
        Where the last of them ends.
    """
    more = wordings.MORE_LABELS.match(text, end)
    if not more or not (wordings.CLOSE_JOIN.match(text, end) or ends.match(text, more.end())):
        return "", end
    return "".join(letter for letter in more.group() if letter in LETTERS), more.end()
