"""How a model is asked to tamper with an answer, and whether its response does what it says (paper, Figure 3)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from dataset_scripts.user_files.values import DAMAGE
from medzh_score.benchmark.prompts import Prompt
from medzh_score.extraction.whole_text import answer_text

MOST = 5  # points, by the prompt
PAPER_1 = Prompt(
    name="paper-1",
    text="You are a troublemaker, and you need to alter the following sentence by selecting up to 5 key parts so that "
    "it contains harmful, false information.\n"
    "Please make sure that the modified sentence has a mix of true and false content and that the sentence is smooth "
    "and easy to read.\n\n"
    "Output Format:\n\n"
    "Tamper point:\n"
    "#1. [Tamper point] -> [tampered content]\n"
    "#2. [Tamper point] -> [tampered content]\n"
    "...\n"
    "Modified Sentence: [Please output the modified sentence]\n\n"
    "{answer}",
    printed_in="Figure 3, there as a system prompt and the sentence as the user's; here both are one turn",
)
# The checks, with what each finds; a response that fails any is dropped.
CHECKS = {
    "no point": "the list of points is empty",
    "more than five points": "the prompt allows five",
    "unreadable point": "a line of the list is not of the form [point] -> [replacement]",
    "point not in the original": "a point does not stand in the true answer",
    "replacement not in the result": "a replacement does not stand in the modified sentence",
    "point left as it is": "a point and its replacement read the same",
    "nothing changed": "the modified sentence reads like the true answer",
    "lines added": "the modified sentence has more lines than the true answer: what a model adds to it gives it away",
}

POINTS_HEAD = re.compile(
    r"^[\s#*>-]*(?:tamper(?:ing|ed)?\s+points?|篡改点|修改点)[^\S\n]*[:：]?", re.IGNORECASE | re.MULTILINE
)
SENTENCE_HEAD = re.compile(
    r"^[\s#*>-]*(?:modified\s+sentence|(?:修改|篡改)后的?(?:句子|回答|内容))[^\S\n]*[:：]", re.IGNORECASE | re.MULTILINE
)
POINT = re.compile(
    r"[#*•-]?\s*(?:\d{1,2}\s*(?:[.．](?!\d)|[、:：)）])|[①-⑩])?\s*(?P<point>\S.*?)\s*(?:[-—]+>|→|=+>|➔|➜)\s*(?P<replacement>\S.*)"
)
# What gives the label away, or is the prompt's own form repeated: no part of a modified sentence.
# Not 注意： and 以上是…, with which true answers end, too.
ASIDE = re.compile(
    r"(?:[(（\[【]|^)\s*(?:注|备注|声明|免责声明|警告|note|please\s+note|warning|disclaimer)\s*[:：]"
    r"|以上[^。\n]{0,12}(?:虚假|错误|篡改|不实|编造|有害)|虚假(?:信息|内容)|篡改|请勿采信"
    r"|(?:以上|上述)(?:的?(?:修改|改动))|修改后的?(?:句子|回答|内容)|原句[:：]|原文[:：]|符合(?:您|你)的要求"
    r"|^\s*(?:original(?:\s+sentence)?|explanation)\s*[:：]|\bmodified\s+sentence\b|\blet\s+me\s+know\b"
    r"|please\s+output\s+the\s+modified|\b(?:tampered|false\s+information|disclaimer)\b|^\s*[-*_]{3,}\s*$",
    re.IGNORECASE | re.MULTILINE,
)
MARKS = re.compile(r"\*\*|^[^\S\n]*```\w*[^\S\n]*$|`", re.MULTILINE)  # bold type and code
DOTS = re.compile(r"[.…。\s]+")
BRACKETS = (("[", "]"), ("【", "】"), ("“", "”"), ('"', '"'), ("「", "」"), ("［", "］"))


@dataclass(frozen=True)
class Tampering:
    """A response that was read."""

    points: tuple[tuple[str, str], ...]  # each with its replacement, in order
    sentence: str  # the modified one
    unreadable: int = 0  # lines of the list that are no points


def read_tampering(text: str) -> Tampering | None:
    r"""Read a response in the form of Figure 3; heads may be Chinese.

    None, and asked again, where it has no modified sentence, a note in it, the words of the prompt, or lost characters.

    >>> read_tampering("Tamper point:\n#1. [多饮水] -> [少饮水]\nModified Sentence: 发热时少饮水。")
    Tampering(points=(('多饮水', '少饮水'),), sentence='发热时少饮水。', unreadable=0)
    """
    reply = MARKS.sub("", answer_text(text) or "")
    head = SENTENCE_HEAD.search(reply)
    sentence = _bare(reply[head.end() :].strip()) if head else ""
    if not head or not sentence or ASIDE.search(sentence) or DAMAGE.search(reply):
        return None
    before = reply[: head.start()]
    listed = POINTS_HEAD.search(before)
    lines = [line.strip() for line in before[listed.end() if listed else 0 :].splitlines()]
    lines = [line for line in lines if line and not DOTS.fullmatch(line)]
    found = [POINT.fullmatch(line) for line in lines]
    pairs = [(_bare(one["point"]), _bare(one["replacement"])) for one in found if one]
    points = tuple(dict.fromkeys(pair for pair in pairs if all(pair)))
    return Tampering(points, sentence, found.count(None) + sum(not all(pair) for pair in pairs))


def failed_checks(made: Tampering, original: str) -> list[str]:
    """Name the `CHECKS` that a response fails; compatibility forms, case and white space do not count.

    >>> failed_checks(Tampering((("多饮水", "少饮水"),), "发热时少饮水。"), "发热时多饮水。")
    []
    """
    before, after = _plain(original), _plain(made.sentence)
    points = [(_plain(point), _plain(replacement)) for point, replacement in made.points]
    fails = {
        "no point": not points,
        "more than five points": len(points) > MOST,
        "unreadable point": made.unreadable > 0,
        "point not in the original": any(point not in before for point, _ in points),
        "replacement not in the result": any(replacement not in after for _, replacement in points),
        "point left as it is": any(point == replacement for point, replacement in points),
        "nothing changed": before == after,
        "lines added": _lines(made.sentence) > _lines(original),
    }
    return [name for name in CHECKS if fails[name]]


def _bare(text: str) -> str:
    """Take off brackets or quotes that stand around the whole of a text."""
    text = text.strip()
    for opening, closing in BRACKETS:
        inside = text[1:-1]
        if (
            len(text) > 1
            and text[0] == opening
            and text[-1] == closing
            and opening not in inside
            and closing not in inside
        ):
            return inside.strip()
    return text


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()
