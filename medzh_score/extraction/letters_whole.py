"""Responses, or their first lines, that are nothing but labels, or nothing but options of the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.letters_listed import listed_at
from medzh_score.extraction.letters_said import EXPLICIT, Said
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_lines import COMPACT, COMPACT_PAIR, SEPARATORS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Choice, Question

# Nothing but labels.
LABELS = re.compile(rf"[<>]?{SEPARATORS}(?:(?:选项)?[A-H](?:选?项)?(?![A-Za-z0-9]){SEPARATORS}>?)++")
RUN = re.compile(rf"{SEPARATORS}[A-H]{{2,}}{SEPARATORS}")
LOWER = re.compile(
    r"[（(]?[a-h](?:[^\S\n]*[、,，][^\S\n]*[a-h])*+[)）]?[.。]?|(?=[a-h]{3})a?b?c?d?e?f?g?h?[.。]?"  # abce, not bead
)
LABELS_BEGIN = frozenset("ABCDEFGH<>（(【[“\"'「『《- \t选")
TERSE = re.compile(
    r"(?:第[1一]题|[（(]1[)）]|答案1|题1)?[：:]?"
    r"(?:[Cc]hoice|[Pp]robably|[Mm]aybe|[Dd]efinitely|[Ss]o,?|答|[就应]?该?[是为]|可能是|即|那就|[我就]?选)?[:： ]{0,2}"
    r"([A-H])(?:选?项)?[吧呀啊哦啦了]{0,2}[。.！!~]{0,3}"
)
TERSE_MOST = 16  # characters of such a text
TRUE_OR_FALSE_PAIR = re.compile(r'"([A-H])"\s?:\s?(true|false)')
TRUE_OR_FALSE = re.compile(rf"{{?\s*(?:{TRUE_OR_FALSE_PAIR.pattern}\s*,?\s*){{2,}}}}?")
# The same, of options that are objects: "option": "A", "correct": true.
EACH_OBJECT_PAIR = re.compile(
    r'"(?:option|label|choice|letter|id|选项)"\W{1,5}([A-H])\W{1,6}'
    r'"(?:is_?)?(?:correct|selected|chosen|answer|正确|是否正确|是否选择|选择)"\W{1,5}(true|false)',
    re.IGNORECASE,
)
EACH_OBJECT = re.compile(rf'\W*(?:"\w+"\W{{1,8}})?(?:{EACH_OBJECT_PAIR.pattern}\W*){{2,}}', re.IGNORECASE)
MARKED_PAIR = re.compile(r"([A-H])(?:选?项)?[.、:： ]{0,3}([√×])")
MARKED = re.compile(rf"(?:{MARKED_PAIR.pattern}[\s,，;；、.。]*){{2,}}")  # A√ B×
ORNAMENTS = frozenset("＊★☆◆◇■□→⇒=~—<>")
ORNAMENT = re.compile(r"[＊★☆◆◇■□→⇒=~—<>\s【】《》「」]+")
ORNATE_MOST = 48  # characters of such a text
LETTER = re.compile("[A-H]")
EITHER = re.compile(r"[或/|]|\bor\b|还是")
SPANS = re.compile(r"[A-H]\s*[-–—~～→至到>]\s*[A-H]")
ALL = re.compile(
    r"(?:答案[是为：:]*|故?应?选)?(?:以上|上述|这些)?(?:所有|各个?|[三四五]个?)?(?:选项|答案|说法|各项)?"
    r"(?:全选|全部都?(?:正确|对|选|是)|[都均皆](?:正确|对|选|是))"
    r"(?:[：:，,]?[（(]?(?P<shown>[A-H](?:[、,，和 ]*[A-H])+)[)）]?)?[。.！!]?"
    r"|[Aa]ll (?:(?:of )?(?:the above|them|these|the options)|options)(?: options| statements)? (?:are|is) (?:all )?"
    r"(?:correct|right|true)(?:[：:,]? ?\(?(?P<listed>[A-H](?:,? (?:and )?[A-H])+)\)?)?[.!]?"
)
HEADED = re.compile(r"【?(?:正确|最终|参考|标准|本题)?答案】?[：:]?[^\S\n]*\n\s*")
FEW = 2  # numbered labels
ALL_MOST = 64  # characters of such a text
SAYS_ALL = re.compile(r"(?:以上|上述)(?:各项|选项|所有)?[全都均皆]部?[都均]?(?:是|对|正确|包括|可以?|有)")


def whole(text: str, question: Question, *, several: bool) -> Said | None:
    """Read a response that is nothing but labels, or nothing but options of the question.

    Parameters
    ----------
    text : str
        The prepared response, not empty.
    question : Question
        What was asked.
    several : bool
        Whether several options may be right.
    """
    option = question.texts.whole(text)
    if option is not None and (len(text) > 1 or text not in LETTERS):
        return chosen(question.told(option, "text"), 0, len(text))
    if len(text) < ALL_MOST and (said := ALL.fullmatch(text)):
        return _all(text, question, several=several, shown=said["shown"] or said["listed"] or "")
    return (
        _true_or_false(text)
        or ("√" in text and _marked(text, question))
        or terse(text)
        or _bare(text)
        or _numbered(text)
        or (text[0] in ORNAMENTS and _ornate(text))
        or _options(text, question)
    )


def _true_or_false(text: str) -> Said | None:
    """Read an object of JSON that calls each label true or false."""
    if not text.endswith(("e", "}", "]")):
        return None
    if TRUE_OR_FALSE.fullmatch(text):
        return _taken(text, TRUE_OR_FALSE_PAIR.findall(text))
    return _taken(text, EACH_OBJECT_PAIR.findall(text)) if EACH_OBJECT.fullmatch(text) else None


def _marked(text: str, question: Question) -> Said | None:
    """Read nothing but ticks and crosses, one for each label."""
    if text[0] not in LETTERS or not MARKED.fullmatch(text):
        return None
    pairs = MARKED_PAIR.findall(text)
    every = {letter for letter, _ in pairs} == set(LETTERS[: len(question.order)])
    return _taken(text, pairs) if every or "×" not in text else None


def _ornate(text: str) -> Said | None:
    """Read few words between signs that are nothing but ornaments."""
    if len(text) > ORNATE_MOST:
        return None
    said = terse(ORNAMENT.sub("", text))
    return said._replace(start=0, end=len(text)) if said else None


def _taken(text: str, pairs: list[tuple[str, str]]) -> Said:
    """Take what is marked, where each label is marked once."""
    letters = "".join(sorted({letter for letter, value in pairs if value in {"true", "√"}}))
    if len({letter for letter, _ in pairs}) != len(pairs) or not letters:
        return Said("", "several", 0, len(text), EXPLICIT)
    return Said(letters, "labels" if len(letters) > 1 else "label", 0, len(text), EXPLICIT)


def terse(text: str) -> Said | None:
    """Read a text of few words with one label: 是B, 答B, 选B吧.

    Parameters
    ----------
    text : str
        A prepared response, or its first line.
    """
    found = TERSE.fullmatch(text) if len(text) < TERSE_MOST else None
    return Said(found[1], "label", found.start(1), found.end(1), EXPLICIT) if found else None


def _bare(text: str) -> Said | None:
    if LOWER.fullmatch(text):
        return _labels(text.upper(), text)
    if text[0] in LABELS_BEGIN and (LABELS.fullmatch(text) or RUN.fullmatch(text)):
        return _labels(text, text)
    return None


def _labels(text: str, between: str) -> Said:
    """Judge labels by what joins them; a run of letters that is no alphabet may be a word: CEA."""
    found = "".join(letter for letter in text if letter in LETTERS)
    letters = "".join(sorted(set(found)))
    why = ""
    if len(letters) > 1:
        if EITHER.search(between):
            why = "either"
        elif SPANS.search(between):
            why = "range"
        elif found in between and found != letters:
            why = "several"
    return Said("" if why else letters, why or ("labels" if len(letters) > 1 else "label"), 0, len(text), EXPLICIT)


def _numbered(text: str) -> Said | None:
    """Read nothing but numbers and labels, where all labels are one."""
    if not text[0].isdigit() or not COMPACT.fullmatch(text) or len(pairs := COMPACT_PAIR.findall(text)) < FEW:
        return None
    letters = {letter.upper() for _, letter in pairs}
    return (
        Said(letters.pop(), "label", 0, len(text), EXPLICIT)
        if len(letters) == 1
        else Said("", "several", 0, len(text), EXPLICIT)
    )


def _options(text: str, question: Question) -> Said | None:
    headed = HEADED.match(text)  # then all of them are no echo of the question
    listed = listed_at(text, headed.end() if headed else 0, question)
    if listed is None or text[listed[1] :].strip(" \n。."):
        return None
    if headed and len(set(listed[0])) == len(question.order):
        return Said("".join(sorted(set(listed[0]))), "label and text", 0, listed[1], EXPLICIT)
    said = said_of_list(listed[0], listed[1], question)
    return said if said.letters or "\n" not in text else None


def _all(text: str, question: Question, *, several: bool, shown: str) -> Said:
    """Take the option that says that all are right; where there is none, and several may be, all of them."""
    if shown and set(LETTER.findall(shown)) != set(LETTERS[: len(question.order)]):
        return Said("", "contradiction", 0, len(text), EXPLICIT)
    named = [place for place, option in enumerate(question.order) if SAYS_ALL.fullmatch(question.texts.plain[option])]
    if len(named) > 1 or not (named or several):
        return Said("", "several", 0, len(text), EXPLICIT)
    return Said(LETTERS[named[0]] if named else LETTERS[: len(question.order)], "all", 0, len(text), EXPLICIT)


def said_of_list(letters: str, end: int, question: Question) -> Said:
    """Take options that are listed from the beginning on, but not all of them: that repeats the question.

    Parameters
    ----------
    letters : str
        The labels of those that are listed.
    end : int
        Where the list ends.
    question : Question
        What was asked.
    """
    if len(set(letters)) == len(question.order):
        return Said("", "several", 0, end, 0)
    return Said("".join(sorted(set(letters))), "label and text", 0, end, EXPLICIT)


def chosen(choice: Choice, start: int, end: int, weight: int = EXPLICIT) -> Said:
    """Say where a choice stands.

    Parameters
    ----------
    choice : Choice
        The choice.
    start, end : int
        In the prepared text.
    weight : int
        How much it counts.
    """
    return Said("" if choice.shown is None else LETTERS[choice.shown], choice.rule, start, end, weight)
