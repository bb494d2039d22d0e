"""Whole texts: the answers to open questions, as they came or without what is not said to the reader, and refusals."""

from __future__ import annotations

from itertools import chain, starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.benchmark.prompts import LETTERS
from medzh_score.extraction.engine import scan
from medzh_score.extraction.normalize import normalize_chars, prepare
from medzh_score.extraction.thinking import answer_pieces, may_hold_marks
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.benchmark.rules import Rule
    from medzh_score.extraction.thinking import Pieces


EMPTY = Reading(None, "empty")
UNFINISHED = Reading(None, "unfinished thinking")
WHOLE, OWN = "whole text", "own text"
# What a base model goes on with: the head of another question, or of one of our own prompts.
NEXT_PROMPT = expression(
    "next prompt",
    r"\n[^\S\n]*(?:\[?(?:题目|问题|试题|例题|用户|[Qq]uestion|User|Human)\]?[^\S\n]*:|假设你是一位能力出众的儿科医生"
    r"|场景:[^\n]*\n请结合这一场景)",
    matches="多饮水。\n问题:如何退热?",
    misses="问题:如何退热?\n多饮水。",
)


def raw(text: str, _side: object) -> Reading:
    """Take the whole text as it came, thinking and all: the paper says nothing else.

    Examples
    --------
    >>> raw("多饮水。", None).value, raw(" ", None).reason
    ('多饮水。', 'empty')
    """
    return EMPTY if not text or text.isspace() else Reading(text, WHOLE, (Span(0, len(text)),))


def own(text: str, side: object) -> Reading:
    r"""Take of a text what is the answer, markup and all: not the thinking before it, not what others say after it.

    Examples
    --------
    >>> own("<think>发热……</think>\n多饮水。", None)
    Reading(value='多饮水。', reason='own text', spans=(Span(start=20, end=24),), unambiguous=False, note=None)
    """
    answer = answer_in(text)
    if answer is None:
        return UNFINISHED
    said = answer.text
    before = len(said) - len(said.lstrip())
    if found := NEXT_PROMPT.pattern.search(normalize_chars(said), before):
        said = said[: found.start()]
    if said == text:
        return raw(text, side)
    said = said.strip()
    return Reading(said, OWN, tuple(answer.places(before, before + len(said)))) if said else EMPTY


class AnswerIn(NamedTuple):
    """The answer in a text, and the pieces of the text that make it up, of which the first ``before`` are left out."""

    text: str
    pieces: Pieces
    before: int = 0

    def places(self, first: int, last: int) -> Iterator[Span]:
        """Find where characters of the answer stand in the text."""
        first, last = first + self.before, last + self.before
        for start, end in self.pieces:
            if first < last and first < end - start:
                yield Span(start + first, min(end, start + last))
            first, last = max(0, first - end + start), last - end + start


def answer_in(text: str) -> AnswerIn | None:
    """Find the answer in a text, all of it where it holds no reasoning and no tokens; None where reasoning never ends.

    Examples
    --------
    >>> answer_in("<think>A or B?</think> **C**<|im_end|>").text, answer_in("<think>A or B?")
    ('**C**', None)
    """
    whole = [(0, len(text))]
    pieces = answer_pieces(normalize_chars(text)) if may_hold_marks(text) else whole  # one character for one
    if pieces is None:
        return None
    if pieces == whole:
        return AnswerIn(text, pieces)
    said = "".join(text[start:end] for start, end in pieces)
    return AnswerIn(said.strip(), pieces, len(said) - len(said.lstrip()))


def answer_text(text: str) -> str:
    """Give the answer in a text, blank where there is none: as all rules read it, unless reasoning is kept."""
    answer = answer_in(text)
    return "" if answer is None else answer.text


AROUND = " \t\r\n\u3000()（）[]【】<>＜＞《》「」{}.。．"
BARE = expression("bare letters", r"[A-ZＡ-Ｚ](?:[ ,，、]*[A-ZＡ-Ｚ])*", matches="A、C", misses="选")
_WIDE = {code: chr(code - 0xFEE0) for code in range(ord("Ａ"), ord("Ｚ") + 1)}


def read(text: str, options: Sequence[str]) -> Reading:
    """Read a text that is letters of options and nothing else, brackets and a full stop aside.

    Examples
    --------
    >>> [read(text, ("钙", "铁", "锌")).value for text in ("C", "（A、C）。", "答案：A", "D", "A，A")]
    ['C', 'AC', None, None, None]
    """
    said = text.strip(AROUND)
    if not said:
        return Reading(None, "empty" if not text or text.isspace() else "nothing")
    if not BARE.pattern.fullmatch(said):
        return Reading(None, "nothing")
    letters = [sign for sign in said.translate(_WIDE) if sign in LETTERS]
    if len(set(letters)) < len(letters) or max(letters) > LETTERS[len(options) - 1]:
        return Reading(None, "no such option")
    start = text.index(said)
    return Reading("".join(sorted(letters)), "letters", (Span(start, start + len(said)),), unambiguous=True)


LONGEST = 100_000  # characters of an answer: more than models write today, and fewer than overlap can take
SIGNED = f"{LONGEST} characters"
CUT = "cut text"  # why there is an answer where the beginning of a text stands for the whole
TOO_LONG = Reading(None, "too long")


def beginning(text: str) -> str:
    """Give as much of a text as is read: nearly always all of it."""
    return text[:LONGEST]


def is_overlong(text: str) -> bool:
    """Say whether a text is longer than what is read."""
    return len(text) > LONGEST


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, whoever made it; of one that runs on no rule reads an answer."""
    if not is_overlong(text):
        return rule.read(text, side, variant)
    if not rule.whole:
        return [TOO_LONG for _ in rule.read("", side, variant)]
    found = rule.read(beginning(text), side, variant)
    return [TOO_LONG if one.value is None else one._replace(reason=CUT, note=None) for one in found]


def read_in(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read the answer in a prediction by a rule; the places are those in the whole text."""
    answer = answer_in(text) or AnswerIn("", [])
    found = read_by(rule, answer.text, side, variant)
    return [one._replace(spans=tuple(chain.from_iterable(starmap(answer.places, one.spans)))) for one in found]


SILENT = "aocdD:"  # signs that say nothing
PART = over_signs("part of a refusal", r"[^SnQV]+", "_V", "SV")
CLAUSE = over_signs("clause of a refusal", r"[^D:]+", "_D", "D:")
# The model speaks of itself, or of the answer that it does not give: 病因尚不清楚 is medicine.
DECLINES = over_signs("declines", r"[ZB]|I[^I]{0,8}?[AK]|A[^A]{0,8}?G|\A[ay]*K[aeoc]*\Z", "I_A_", "_K")


def is_refusal(text: str) -> bool:
    """Say whether a response declines, and says nothing else: it is no answer, whatever words it names in passing.

    Each part of it must decline, apologise, say who speaks, or send the reader to a doctor or for more details, and one
    of them must decline. What answers or explains anything in any part is not refused; nor is a text that says of
    medicine that nothing is known, nor an empty one, which is counted apart.

    Examples
    --------
    >>> is_refusal("抱歉，我无法判断这个说法正确还是错误。请咨询医生。"), is_refusal("病因尚不清楚。")
    (True, False)
    >>> is_refusal("我不确定，但应该是正确的。"), is_refusal("正确。我无法替代医生。")
    (False, False)
    """
    signs = scan(prepare(text), lexicon_of("refusals")).signs
    if set("ZBAK").isdisjoint(signs):
        return False
    kinds = [_kind(part) for part in PART.pattern.findall(signs) if part.strip(SILENT)]
    return "declines" in kinds and "says" not in kinds


def _kind(part: str) -> str:
    clauses = CLAUSE.pattern.findall(part)
    declining = [clause for clause in clauses if DECLINES.pattern.search(clause)]
    if any("e" in clause for clause in clauses if clause not in declining):
        return "says"
    if declining:
        return "declines"
    return "aside" if "r" in part or not part.strip(SILENT + "Iy") else "says"
