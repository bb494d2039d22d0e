"""Predictions for people and as JSON: what a file of them holds, and single ones with what was read marked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from medzh_score.benchmark.config import Table
from medzh_score.io.jsonl import visible
from medzh_score.render.report import form_tables
from medzh_score.render.tables import UNLIMITED, document
from medzh_score.scoring.check import shortened
from medzh_score.scoring.explain import tells_clear
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.answers import Span
    from medzh_score.readers.align import Coverage
    from medzh_score.scoring.check import Checked
    from medzh_score.scoring.explain import ExplainedPrediction, ExplainedRecord, RuleReading


REPEATED, UNKNOWN, TOO_LONG = "repeated lines", "lines with an unknown id", "longer than is read"
Row = tuple[str, int, float | None, str]
REASONS = 5  # for which requests failed, or texts could not be read, are written out


def rendered_check(checked: Checked, form: str, width: int = UNLIMITED) -> str:
    """Show what predictions hold; as text no wider than that."""
    if form == "json":
        return visible(json.dumps(checked.as_dict(), ensure_ascii=False, indent=2) + "\n")
    heading = _("{config}: what the predictions hold, answers by rule {rule}", config=checked.config, rule=checked.rule)
    return document(form, heading, _tables(checked), (LANGUAGES_BY_SCRIPT,), width=width)


def _tables(checked: Checked) -> Iterable[Table]:
    yield Table("Predictions", ("what", "count", "%", "which"), tuple(_rows(checked)))
    yield from form_tables(checked.rule, checked.forms, checked.fired)
    if first := tuple(_first(checked)):
        yield Table("The first of them", ("what", "which"), first)
    if checked.seen.unread:
        rows = [
            (one.place.id, one.place.run, one.why, f"{printable(one.place.file)}:{one.place.line}", shortened(one.text))
            for one in checked.seen.unread
        ]
        yield Table("The first without an answer", ("id", "run", "why", "where", "text"), tuple(rows))


def _rows(checked: Checked) -> Iterable[Row]:
    seen, coverage = checked.seen, checked.coverage
    yield "files", sum(checked.readers.values()), None, _counts(checked.readers.items())
    yield "runs", len(checked.runs), None, _numbers(checked.runs)
    yield "variants", len(checked.variants), None, _numbers(checked.variants)
    if coverage is not None:
        yield "expected", coverage.expected, None, ""
        yield "came", coverage.read, _percent(coverage.read, coverage.expected), ""
        yield "missing", coverage.missing, _percent(coverage.missing, coverage.expected), ""
    yield "failed requests", sum(checked.failed.values()), None, _counts(checked.failed.items())
    yield REPEATED, seen.duplicates.count, None, ""
    yield UNKNOWN, seen.unknown.count, None, ""
    if coverage is not None:
        yield from _of_texts(checked, coverage)
    for language, count in seen.languages.items():
        yield f"language: {language}", count, _percent(count, seen.texts), ""


def _of_texts(checked: Checked, coverage: Coverage) -> Iterable[Row]:
    seen, read = checked.seen, coverage.read
    none = [(one.wording, one.answers) for one in checked.fired if not one.answered]
    same = shortened(seen.frequent) if seen.constant else ""
    clear = (
        [(pgettext("column what", "clear by {rule}", rule=checked.rule), coverage.clear, "")]
        if tells_clear(checked.rule, checked.fired)
        else []
    )
    counted = (
        ("empty", coverage.empty, ""),
        (TOO_LONG, coverage.too_long, ""),
        ("truncated (by the file)", coverage.truncated, ""),
        ("refused (by the file)", checked.filtered, ""),
        ("declining (by the text)", seen.declined, ""),
        ("thinking never closed", seen.unclosed, ""),
        (pgettext("column what", "read by {rule}", rule=checked.rule), coverage.read - coverage.unread, ""),
        *clear,
        (pgettext("column what", "unread by {rule}", rule=checked.rule), coverage.unread, _counts(none)),
        ("one and the same text", seen.constant, same),
    )
    for what, count, which in counted:
        yield what, count, _percent(count, read), which


def _percent(count: int, of: int) -> float | None:
    return 100 * count / of if of else None


def _numbers(numbers: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, numbers[:REASONS]))
    return f"{listed}, …" if len(numbers) > REASONS else listed


def _counts(counted: Iterable[tuple[str, int]]) -> str:
    listed = [f"{shortened(what)} {count}" for what, count in counted]
    return "; ".join(listed[:REASONS]) + ("; …" if len(listed) > REASONS else "")


def _first(checked: Checked) -> Iterable[tuple[str, str]]:
    seen = checked.seen
    yield from (("missing", named) for named in checked.missing)
    for what, found in ((REPEATED, seen.duplicates), (UNKNOWN, seen.unknown), (TOO_LONG, seen.too_long)):
        for one in found.first:
            variant = f" variant {one.variant}" if one.variant else ""
            yield what, f"{shortened(one.id)} run {one.run}{variant} ({printable(one.file)}:{one.line})"


LANGUAGES_BY_SCRIPT = _(
    "Languages go by scripts: of Chinese characters, Latin words and other letters one makes up three quarters "
    "(Chinese, English, other), or none does (mixed); a single letter, such as an option's label, is of no language."
)


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
    line = printable(" ".join(text.split()))
    return line if len(line) <= SHOWN else f"{line[: SHOWN // 2]} … {line[-SHOWN // 2 :]}"


def _readings(part: ExplainedRecord, text: str, marks: Marks) -> list[str]:
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
    pieces = ["\n".join(map(printable, piece.split("\n"))) for piece in parted(text, spans)]
    if marks == PLAIN:
        pieces = [piece.translate(_OWN) for piece in pieces]
    for place in range(1, len(pieces), 2):
        parts = pieces[place].split("\n") if marks.each_line else [pieces[place]]
        pieces[place] = "\n".join(f"{marks.opening}{part}{marks.closing}" for part in parts)
    return "".join(f"{INDENT}{line}\n" for line in "".join(pieces).split("\n"))


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
