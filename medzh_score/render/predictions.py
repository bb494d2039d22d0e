"""Explained predictions for people and as JSON: the answer by each rule, with the matched text marked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len

from medzh_score.io.jsonl import visible
from medzh_score.prompting.ids import AnswerKey, key_text
from medzh_score.render.lines import DEFAULT_WIDTH
from medzh_score.render.tables import BENEATH, UNLIMITED, in_lines
from medzh_score.scoring.check import shortened
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.answers import Span
    from medzh_score.scoring.explain import ExplainedPrediction, ExplainedRecord, RuleReading


def parted(text: str, spans: Iterable[Sequence[int]]) -> list[str]:
    """Part a text at its spans: beside them and inside them in turns, beginning beside; spans that overlap are one."""
    pieces, last = [], 0
    for start, end in _merged(spans):
        pieces += [text[last:start], text[start:end]]
        last = end
    return [*pieces, text[last:]]


def _merged(spans: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for start, end in spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


INDENT = "    | "
RELABELLED = _(
    "the gold answer and the extracted answers use the option letters of the record; the text uses "
    "those of this option order"
)
SHOWN, SHOWN_SHORT = (120, 120), (24, 72)  # characters of the beginning and the end of the prompt
CONTEXT = 120  # characters before and after a match, shared by the excerpts of a prediction
NEWLINE = " ↵ "


class Marks(NamedTuple):
    """What stands around a span, or around each line of one."""

    opening: str
    closing: str
    each_line: bool


PLAIN = Marks("⟦", "⟧", each_line=False)
TERMINAL = Marks("\x1b[7m", "\x1b[27m", each_line=True)  # reverse video
_OWN = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "⟦⟧"})


def as_plain_text(
    explained: Sequence[ExplainedPrediction], marks: Marks = PLAIN, width: int = UNLIMITED, *, full: bool = False
) -> str:
    """Show explained predictions; long texts are shortened to the matched text and its context unless ``full``."""
    wide = UNLIMITED if full else DEFAULT_WIDTH if width == UNLIMITED else width
    return "\n".join("".join(_blocks(one, marks, wide, full=full)) for one in explained)


def _blocks(one: ExplainedPrediction, marks: Marks, width: int, *, full: bool) -> list[str]:
    key = AnswerKey(printable(one.place.id), one.place.run, one.place.variant)
    head = f"{translated(key_text(key))} {printable(one.place.file)}:{one.place.line}\n"
    blocks = [head, *_indented(_("prompt: {text}", text=_short(one.asked, full=full)), width)]
    blocks += _indented(RELABELLED, width) if one.place.variant else []
    blocks += [] if one.failed is None else _indented(_("request failed: {reason}", reason=one.failed), width)
    for part in one.parts:
        blocks += [f"  {printable(part.id)}\n"] if part.id != one.place.id else []
        blocks += _indented(_("gold answer: {gold}", gold=shortened(part.gold)), width)
        blocks += _extractions(part, one.text, marks, width, full=full)
    return blocks


def _indented(text: str, width: int) -> list[str]:
    return [f"  {line}\n" for line in in_lines(translated(text), width - 2).split("\n")]


def _short(text: str, *, full: bool) -> str:
    line = printable(" ".join(text.split()))
    head, tail = SHOWN if full else SHOWN_SHORT
    return line if len(line) <= head + tail else f"{line[:head]} … {line[-tail:]}"


def _extractions(part: ExplainedRecord, text: str, marks: Marks, width: int, *, full: bool) -> list[str]:
    blocks: list[str] = []
    context = CONTEXT // len({one.spans for one in part.told}) if part.told else CONTEXT
    for place, told in enumerate(part.told):
        blocks += _indented(_line(told), width)
        following = part.told[place + 1 : place + 2]
        if not following or following[0].spans != told.spans:
            spans = told.spans or ()
            blocks.append(with_marks(text, spans, marks) if full else _excerpt(text, spans, marks, context, width))
    return blocks


def _line(told: RuleReading) -> str:
    values = {
        "rule": told.rule,
        "answer": pgettext("answers", shortened(told.value)) if told.value is not None else "",
        "pattern": printable(told.wording),
        "reason": told.reason or printable(told.wording),
    }
    if told.value is None:
        return _("{rule}: unparsed, {pattern}: {reason}", **values)
    if told.spans is None:
        return _("{rule}: {answer}, pattern {pattern} (the rule returns no position): {reason}", **values)
    if told.unambiguous:
        return _("{rule}: {answer} (unambiguous), pattern {pattern}: {reason}", **values)
    return _("{rule}: {answer}, pattern {pattern}: {reason}", **values)


def _excerpt(text: str, spans: Sequence[Span], marks: Marks, context: int, width: int) -> str:
    """Show spans with their context in one paragraph, folded at the width; without spans the beginning and the end."""
    places = [(start - context, end + context) for start, end in spans] or [
        (0, context),
        (len(text) - context, len(text)),
    ]
    kept = _merged((max(0, start), min(len(text), end)) for start, end in places)
    pieces: list[str] = []
    for start, end in kept:
        inside = [(low - start, high - start) for low, high in spans if start <= low and high <= end]
        pieces += ["…"] if start and not pieces else []
        pieces.append(_marked(text[start:end], inside, PLAIN).replace("\n", NEWLINE))
        pieces += [" … "] if end < len(text) else []
    lines, opened = [], False
    for line in in_lines("".join(pieces).strip(), width - cell_len(INDENT)).split(f"\n{BENEATH}"):
        shown = line.replace(PLAIN.opening, marks.opening).replace(PLAIN.closing, marks.closing)
        begins, opened = (
            opened and marks.each_line,
            line.rfind(PLAIN.opening) > line.rfind(PLAIN.closing) or (opened and PLAIN.closing not in line),
        )
        shown = (marks.opening if begins else "") + shown + (marks.closing if opened and marks.each_line else "")
        lines.append(f"{INDENT}{shown}\n")
    return "".join(lines)


def with_marks(text: str, spans: Sequence[Span], marks: Marks) -> str:
    """Mark spans of a text, line by line."""
    return "".join(f"{INDENT}{line}\n" for line in _marked(text, spans, marks).split("\n"))


def _marked(text: str, spans: Sequence[Sequence[int]], marks: Marks) -> str:
    pieces = ["\n".join(map(printable, piece.split("\n"))) for piece in parted(text, spans)]
    if marks.opening == PLAIN.opening:
        pieces = [piece.translate(_OWN) for piece in pieces]
    for place in range(1, len(pieces), 2):
        parts = pieces[place].split("\n") if marks.each_line else [pieces[place]]
        pieces[place] = "\n".join(f"{marks.opening}{part}{marks.closing}" for part in parts)
    return "".join(pieces)


def as_json(config: str, explained: Sequence[ExplainedPrediction]) -> str:
    """Write explained predictions as JSON."""
    plain = {"config": config, "predictions": [_plain(one) for one in explained]}
    return visible(json.dumps(plain, ensure_ascii=False, indent=2) + "\n")


def _plain(one: ExplainedPrediction) -> dict[str, Any]:
    place = one.place
    return {
        "id": place.id,
        "run": place.run,
        "variant": place.variant,
        "file": place.file,
        "line": place.line,
        "asked": one.asked,
        "text": one.text,
        "failed": one.failed,
        "parts": [
            {
                "id": part.id,
                "gold": part.gold,
                "rules": {
                    told.rule: {
                        "answer": told.value,
                        "found_by": told.wording,
                        "reason": told.reason,
                        "unambiguous": told.unambiguous,
                        "spans": None if told.spans is None else [list(span) for span in told.spans],
                    }
                    for told in part.told
                },
            }
            for part in one.parts
        ],
    }
