"""Lines of a response that are an answer as they stand: a label, a label and its option's text, an option's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_choice import CONTRADICTION, SEVERAL, Choice

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

SEPARATORS = r"[\s“”\"'‘’「」『』《》（(）)【】\[\].。,，、;；:：!！…|/~～→>和或与及者-]*+"
BARE = re.compile(rf"{SEPARATORS}(?:[A-H]{SEPARATORS})++")  # nothing but labels
COMPACT = re.compile(
    r"(?:答案[：:])?(?:\d[.、:：)）]?\s?[A-Ha-h][\s,，;；、.。]*+)++"
)  # nothing but numbers and labels
COMPACT_PAIR = re.compile(r"(\d)[.、:：)）]?\s?([A-Ha-h])")

HEADING = 16  # characters in which a heading's last words stand
LINE = re.compile(
    r"(?:[-•·]\s*+|\d{1,2}[.、)）:：]\s*+)?(?:选项[：:]?|[Oo]ption)?[\s“”\"'「『（(【\[]*+"
    r"([A-H]|[a-h])(?![A-Za-z0-9])[”\"'」』）)】\]]*+(?:选?项)?"
    r"([\s.、:：。,，;；!！（()）—-]*+)"
)
BULLET = re.compile(r"(?:[-•·]|\d{1,2}[.、)）:：](?!\d)|[（(]\d{1,2}[)）])\s*+")
AFFIRMED = re.compile(
    r"(?:选?项)?(?:[是为](?:本题|该题|此题)?的?)?最?(?:正确|对|最佳|合适|恰当|符合题意)(?:的|答案|选项|的答案|的选项)?[。.！!]?"
    r"|最符合[。.]?"
    r"|is (?:correct|right|the (?:correct|right|best) (?:answer|option|choice))[.!]?"
)
JUDGED = re.compile(r"(?:选?项)?[是为]?(?:完全)?(?:正确|对|错|不|误|排除|可排除|符合|非|无关)")
EXPLAINED = re.compile(r"[（(【]?(?:因为|由于|理由|解析|解释|原因|分析[：:】])")
REJECTED = re.compile(
    r"[\s。，,；;（(【：:—-]*(?:选?项)?[是为]?(?:不(?![是选])|非|无关|错|误|×|有误|(?:可以?|应|应该|予以|故)?排除)"
)
WRONG_ONES = re.compile(
    r"(?:错误?|干扰|排除|不选|不正确|不对|不符合?|有误|其[他它余]|易混淆?|[Ww]rong|[Ii]ncorrect|[Oo]ther)(?:的?(?:选?项|答案)|的)?"
    r"(?: options?| answers?| choices?)?[】]?\s*[：:]?\Z"
)
CONCLUDING_LINE = re.compile(r"(?:答案|结论|[Aa]nswer)[】]?\s*(?:[是为]|is)?\s*[：:]?\Z")
STOPS = re.compile(r"[。，,；;!！]")
GOES_ON = re.compile(r"[。！!；;（(【)）】]|[.]\s|[，,]?\s*(?:因为|理由|原因|解析)")
SENTENCE_ENDS = re.compile(r"\s*(?:[。.！!；;”\"」』）)】\]（(]|\Z)")
TEXT_FIRST = re.compile(r"(.{1,60}?)\s*[（(【]\s*([A-H])(?:选?项)?\s*[)）】][。.]?")


def bare_choice(text: str, question: Question) -> Choice | None:
    """Read a response that is nothing but labels, numbered or not.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.

    Returns
    -------
    Choice or None
        None where there is more.
    """
    if BARE.fullmatch(text):
        letters = {letter for letter in text if letter in LETTERS}
    elif COMPACT.fullmatch(text) and len(numbered := COMPACT_PAIR.findall(text)) > 1:
        letters = {letter.upper() for _, letter in numbered}
    else:
        return None
    if len(letters) == 1:
        return question.labelled(letters.pop(), "label")
    option = question.texts.whole(text)
    return SEVERAL if option is None else question.told(option, "text")


def first_line(text: str, question: Question) -> Choice | None:
    """Read the first line, unless it is the first of a list of options.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.

    Returns
    -------
    Choice or None
        None where it is no answer as it stands.
    """
    if "\n" not in text:
        return line_choice(text, question, opens=True)
    line, _, following = text.partition("\n")
    if _listed(line.rstrip(), following.lstrip().partition("\n")[0].rstrip(), question):
        return None
    return line_choice(line.rstrip(), question, opens=True)


def last_line(text: str, question: Question) -> Choice | None:
    """Read the last line of several, unless it is the last of a list.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.

    Returns
    -------
    Choice or None
        None where there is but one line, or it is no answer as it stands.
    """
    before, _, line = text.rpartition("\n")
    if not before or (line[:1].isdigit() and question.texts.whole(line) is None):
        return None
    previous = before.rstrip().rpartition("\n")[2].rstrip()
    if WRONG_ONES.search(previous[-HEADING:]) or _listed(previous, line, question):
        return None
    return line_choice(line.strip(), question)


def set_off(text: str) -> bool:
    """Say whether the last line stands apart, after a blank line or a heading for the answer.

    Parameters
    ----------
    text : str
        The prepared response, of several lines.
    """
    before = text.rpartition("\n")[0]
    previous = before.rpartition("\n")[2]
    return (not previous.strip() and not before.rstrip().endswith(("：", ":"))) or CONCLUDING_LINE.search(
        before.rstrip()[-HEADING:]
    ) is not None


def _listed(line: str, following: str, question: Question) -> bool:
    """Say whether two lines are neighbours in a list of options: B or C after A, or a text after another."""
    one, other = LINE.match(line.strip()), LINE.match(following.strip())
    if one and other:
        return other[1] > one[1] and bool(one[2].strip() and line.strip()[one.end() :])
    options = {question.texts.whole(line), question.texts.whole(following)}
    return None not in options and len(options) > 1


def line_choice(line: str, question: Question, *, opens: bool = False) -> Choice | None:
    """Read a line that is a label, a label with its option's text, or an option's text.

    Parameters
    ----------
    line : str
        Without white space around it.
    question : Question
        What was asked.
    opens : bool
        Whether the response begins with it: then a sentence may follow the label.

    Returns
    -------
    Choice or None
        None where the line is anything else.
    """
    found = LINE.match(line)
    rest = line[found.end() :] if found else ""
    if found and not rest:
        return question.labelled(found[1], "label")
    option = question.texts.whole(line)
    if option is None and (bullet := BULLET.match(line)):
        option = question.texts.whole(line[bullet.end() :])
    if option is not None:
        return question.told(option, "text")
    if not found and (turned := TEXT_FIRST.fullmatch(line)):
        return _turned(turned, question)
    if not found or found[1].islower():
        return None
    choice = _with_text(found, rest, question)
    return choice or (_opening(found, rest, question) if opens else None)


def _with_text(found: re.Match[str], rest: str, question: Question) -> Choice | None:
    """Read a label and then its option's text, or one like it; with another option's text it is a contradiction."""
    own, gap = question.own(found[1]), found[2]
    stop = STOPS.match(gap.strip())
    met = question.texts.leading(rest)
    if met and own is not None and question.texts.same(own, met.option):
        ends = not met.rest.strip() or (GOES_ON.match(met.rest) and not REJECTED.match(met.rest))
        return question.labelled(found[1], "label and text") if ends else None
    if met:
        return CONTRADICTION if gap and not stop and SENTENCE_ENDS.match(met.rest) else None
    alike = own is not None and gap and not stop and question.texts.resembles(rest, own)
    return question.labelled(found[1], "label and text") if alike else None


def _turned(found: re.Match[str], question: Question) -> Choice | None:
    """Read an option's text and then its label: 小青龙汤（C）."""
    option, own = question.texts.whole(found[1]), question.own(found[2])
    if option is None:
        return None
    if own is None or not question.texts.same(own, option):
        return CONTRADICTION
    return question.labelled(found[2], "label and text")


def _opening(found: re.Match[str], rest: str, question: Question) -> Choice | None:
    """Read a label that opens a response and is then explained or affirmed, but not one that is judged: A，错误."""
    stop = STOPS.match(found[2].strip())
    ends = stop is not None and (stop.group() in "。！!" or not JUDGED.match(rest))
    if ends or EXPLAINED.match(rest) or AFFIRMED.fullmatch(rest):
        return question.labelled(found[1], "label")
    return None
