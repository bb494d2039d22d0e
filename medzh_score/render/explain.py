"""Explained predictions for people, with what was read marked in the text, and as JSON with numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from medzh_score.io.jsonl import visible
from medzh_score.scoring.check import shortened
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, translated

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
RELABELLED = _("gold and answers name options as the record does, the text as this variant showed them")
SHOWN = 240  # characters of what was asked


class Marks(NamedTuple):
    """What stands around a span, or around each line of one."""

    opening: str
    closing: str
    each_line: bool


PLAIN = Marks("⟦", "⟧", each_line=False)
TERMINAL = Marks("\x1b[7m", "\x1b[27m", each_line=True)  # reverse video
_OWN = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "⟦⟧"})


def as_plain_text(explained: Sequence[ExplainedPrediction], marks: Marks = PLAIN) -> str:
    """Show explained predictions."""
    return "\n".join("".join(_blocks(one, marks)) for one in explained)


def _blocks(one: ExplainedPrediction, marks: Marks) -> list[str]:
    file, line, run, variant = printable(one.place.file), one.place.line, one.place.run, one.place.variant
    values = {"prediction": printable(one.place.id), "run": run, "file": file, "line": line}
    head = _("{prediction} run {run} ({file}:{line})", **values)
    if variant:
        head = _("{prediction} run {run} variant {variant} ({file}:{line})", **values, variant=variant)
    blocks = [translated(head) + "\n"]
    blocks.append(f"  {translated(_('asked: '))}{_short(one.asked)}\n")
    blocks += [f"  {translated(RELABELLED)}\n"] if one.place.variant else []
    blocks += [f"  {translated(_('the request failed: '))}{printable(one.failed)}\n"] if one.failed is not None else []
    for part in one.parts:
        blocks += [f"  {printable(part.id)}\n"] if part.id != one.place.id else []
        blocks.append(f"  {translated(_('gold: '))}{shortened(part.gold)}\n")
        blocks += _readings(part, one.text, marks)
    return blocks


def _short(text: str) -> str:
    """Show the beginning of a prompt, which says what is asked for, and its end, where the question mostly stands."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= SHOWN else f"{line[: SHOWN // 2]} … {line[-SHOWN // 2 :]}"


def _readings(part: ExplainedRecord, text: str, marks: Marks) -> list[str]:
    """Show what each rule read; rules that read at the same places share the text."""
    blocks: list[str] = []
    for place, told in enumerate(part.told):
        blocks.append(f"  {_line(told)}\n")
        following = part.told[place + 1 : place + 2]
        if not following or following[0].spans != told.spans:
            blocks.append(with_marks(text, told.spans or (), marks))
    return blocks


def _line(told: RuleReading) -> str:
    answer = translated(_("no answer")) if told.value is None else translated(shortened(told.value), "answers")
    clear = translated(_(" (clear)")) if told.clear else ""
    means = translated(": ") + printable(translated(told.why)) if told.why else ""
    unknown = "" if told.spans is not None else translated(_(" (this rule does not say where)"))
    return f"{told.rule}{translated(': ')}{answer}{clear}{translated(', by ')}{printable(told.wording)}{means}{unknown}"


def with_marks(text: str, spans: Sequence[Span], marks: Marks) -> str:
    """Mark spans of a text."""
    pieces = [_escaped(piece, marks) for piece in parted(text, spans)]
    pieces[1::2] = [_between(piece, marks) for piece in pieces[1::2]]
    return "".join(f"{INDENT}{line}\n" for line in "".join(pieces).split("\n"))


def _escaped(text: str, marks: Marks) -> str:
    lines = "\n".join(map(printable, text.split("\n")))
    return lines.translate(_OWN) if marks == PLAIN else lines


def _between(text: str, marks: Marks) -> str:
    parts = text.split("\n") if marks.each_line else [text]
    return "\n".join(f"{marks.opening}{part}{marks.closing}" for part in parts)


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
                        "why": told.why,
                        "clear": told.clear,
                        "spans": None if told.spans is None else [list(span) for span in told.spans],
                    }
                    for told in part.told
                },
            }
            for part in one.parts
        ],
    }
