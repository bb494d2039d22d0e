"""Groups of questions that are answered in one response: by the numbers of the questions, or in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import NEXT_QUESTION
from medzh_score.extraction.letters import MOST, read_prepared
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import expression

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from medzh_score.extraction.normalize import Prepared

NUMBER = expression(
    "number of a question",
    r"(?:(?<![0-9.A-Za-z])|(?=[①-⑩]))[(\[]?(?:第|小题)?[ \t]?[(\[]?[ \t]?(\d{1,3}|[一二三四五六七八九十]|[①-⑩])[ \t]?"
    r"(?:小?题|小?问)?[ \t]?(?:[)\].、:题-]+|(?<=[题问①-⑩])|(?=[A-Z](?![A-Za-z])))(?!\d)",
    matches="2.C",
    misses="12.5mmol",
)
LABEL = expression(
    "label after a number",
    r"[ \t\n:]*[(\[]?(?:(?:正确)?答案|答|应?选)?[)\]]?[应为是选]?[ \t\n:]*[(\[]?[A-Z](?![A-Za-z])",
    matches="[答案] D",
    misses="患者",
)
DENIED = expression("other numbers denied", r"(?:而?非|而?不是)[ \t]?第?\d", matches="1.c 2.a(非1.a", misses="不是脾")
CUE = expression(
    "answers announced", r"(?:答案|答|answers?|选)[^A-Za-z0-9\n]{0,6}", matches="答案依次为:ACB", misses="ACB"
)
NUMBERS = expression(
    "numbers of all questions",
    r"\s*第?[ \t]?[0-9]{1,3}(?:[ \t]?[~至到、,—–-][ \t]?[0-9]{1,3})+[ \t]?题?[ \t]?:?",
    matches="1-3:ACB",
    misses="1.A",
)
IN_ORDER = expression(
    "labels only",
    r"[^A-Za-z\u4e00-\u9fff0-9①-⑩]*(?:[A-Z][^A-Za-z\u4e00-\u9fff0-9①-⑩]*)+\Z",
    matches="A C B",
    misses="A错",
)
CHINESE = {sign: number for signs in ("一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩") for number, sign in enumerate(signs, 1)}


def read_groups(
    text: str,
    options: Sequence[Sequence[str] | None],
    several: bool = False,  # noqa: FBT001, FBT002 - said by name
    wrong: Sequence[bool] | None = None,
) -> tuple[Reading, ...]:
    """Read the letters of a group of questions from one response.

    Parameters
    ----------
    text : str
        The response, as it came.
    options : sequence of sequence of str or None
        For each question the texts of its options in their order; None where they are not known.
    several : bool
        Whether several options may be asked for.
    wrong : sequence of bool, optional
        Whether each question asks for what does not hold; none does when not given.

    Returns
    -------
    tuple of Reading
        One a question; a question that is not answered where others are is ``not given``.

    Examples
    --------
    >>> [reading.value for reading in read_groups("1.B 2.D", [["肝", "脾"], ["寒", "热", "虚", "实"]])]
    ['B', 'D']
    """
    prepared = prepare(text)
    if prepared.lacks:
        return (Reading(None, prepared.lacks),) * len(options)
    if ended := DENIED.pattern.search(prepared.folded):
        prepared = prepared.part(0, ended.start())
    if asked := NEXT_QUESTION.pattern.search(prepared.folded):
        own = prepared.part(0, asked.start())
        if len(_sections(own, 0, len(options), _first_number(own, len(options)))) == len(options):
            prepared = own
    first = _first_number(prepared, len(options))
    cue = max((match.end() for match in CUE.pattern.finditer(prepared.folded)), default=0)
    for start in {cue: None, 0: None}:
        if in_order := _in_order(prepared, start, options):
            return in_order
        sections = _sections(prepared, start, len(options), first)
        if len(sections) == len(options) or not start:
            break
    if not sections:
        from medzh_score.extraction.whole_text import is_refusal

        return (Reading(None, "refusal" if is_refusal(text) else "nothing"),) * len(options)
    return tuple(
        read_prepared(prepared.part(*sections[number]), texts, several=several, wrong=asks)
        if number in sections
        else Reading(None, "not given")
        for number, (texts, asks) in enumerate(zip(options, wrong or [False] * len(options), strict=True), first)
    )


def _in_order(prepared: Prepared, start: int, options: Sequence[Sequence[str] | None]) -> tuple[Reading, ...] | None:
    """Take as many labels as there are questions, where nothing else is said from a place on."""
    if numbers := NUMBERS.pattern.match(prepared.text, start):
        start = numbers.end()
    if not IN_ORDER.pattern.match(prepared.text, start):
        return None
    places = [at for at in range(start, len(prepared.text)) if "A" <= prepared.text[at] <= "Z"]
    counts = [MOST if texts is None else len(texts) for texts in options]
    if len(places) != len(options) or len(options) == 1:
        return None
    letters = [prepared.text[at] for at in places]
    if any(ord(letter) - 64 > count for letter, count in zip(letters, counts, strict=True)):
        return None
    return tuple(
        Reading(letter, "in order", (prepared.span(at, at + 1),), unambiguous=True)
        for letter, at in zip(letters, places, strict=True)
    )


def _sections(prepared: Prepared, start: int, count: int, first: int) -> dict[int, tuple[int, int]]:
    """Divide a text at the numbers of the questions: of several rows the last, a part of a row if it is alone."""
    numbers = range(first, first + count)
    found = _marks(prepared.text, start)
    marks = [match for match in found if _number(match[1]) in numbers]
    at_lines = [match for match in marks if _begins_line(prepared.text, match)]
    labeled = [match for match in at_lines if LABEL.pattern.match(prepared.text, match.end())]
    if start and not any(LABEL.pattern.match(prepared.text, match.end()) for match in marks):
        return {}  # a list behind the last answer
    marks = next((some for some in (labeled, at_lines) if {_number(match[1]) for match in some} >= set(numbers)), marks)
    sections: dict[int, tuple[int, int]] = {}
    end = len(prepared.text)
    any_order = len(marks) == count == len({_number(match[1]) for match in marks})
    for match in reversed(marks):
        number = _number(match[1])
        if not sections or any_order or number < min(sections):
            sections[number] = (match.end(), end)
            end = match.start()
    firm = [_number(match[1]) for match in found if _firm(prepared.text, match)]
    mixed = len(firm) > len(set(firm)) or not set(firm) <= set(numbers)
    return {} if mixed and len(sections) < count else sections


def _first_number(prepared: Prepared, count: int) -> int:
    """Return the number of the first question: as many numbers in a row as there are questions may begin anywhere."""
    marks = _marks(prepared.text, 0)
    firm = {_number(match[1]) for match in marks if _firm(prepared.text, match)}
    labeled = {_number(match[1]) for match in marks if LABEL.pattern.match(prepared.text, match.end())}
    for numbers in (labeled, firm):
        first = min(numbers, default=1)
        if numbers == set(range(first, first + count)) and (first > count or firm <= numbers):
            return first
    return 1


def _marks(text: str, start: int) -> list[re.Match[str]]:
    return [match for match in NUMBER.pattern.finditer(text, start) if not _quoted(text, match.start())]


def _firm(text: str, mark: re.Match[str]) -> bool:
    """Tell whether a number begins an answer: at the start of a line, or before a label."""
    return _begins_line(text, mark) or LABEL.pattern.match(text, mark.end()) is not None


def _begins_line(text: str, mark: re.Match[str]) -> bool:
    return not text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip(" \t(")


def _quoted(text: str, at: int) -> bool:
    return text.rfind("“", 0, at) > text.rfind("”", 0, at)


def _number(written: str) -> int:
    return CHINESE.get(written) or int(written)
