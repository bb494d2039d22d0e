"""What a predictions file contains, for people: the verdict first, then counts and the next command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.jsonl import visible
from medzh_score.prompting.ids import AnswerKey, key_text
from medzh_score.render.lines import LINES, Line, command_lines, cut, drawn, folded, screen_width
from medzh_score.render.report import form_tables
from medzh_score.render.tables import UNLIMITED, document
from medzh_score.scoring.check import MISSING, UNPARSED, VALUELESS, Problem, shortened
from medzh_score.scoring.explain import takes_whole_texts, tells_clear
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, _n, joined, pgettext, translated
from medzh_score.ui.numbers import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from medzh_score.readers.align import Coverage, PredictionPlace
    from medzh_score.scoring.check import Checked
    from medzh_score.scoring.inspection import FirstPlaces


REPEATED, UNKNOWN, TOO_LONG = "repeated lines", "lines with an unknown id", "longer than the extraction limit"
Row = tuple[str, int, float | None, str]
REASONS = 5  # for which requests failed, or texts could not be read, are written out
EXAMPLES = 3  # unparsed predictions on the screen
PATTERNS = "patterns"  # the context of their names in the catalog


def rendered_check(
    checked: Checked, form: str, width: int = UNLIMITED, *, full: bool = False, colored: bool = False
) -> str:
    """Show the result of a check; as text in at most 25 lines unless ``full``, which adds all tables."""
    if form == "json":
        return visible(json.dumps(checked.as_dict(), ensure_ascii=False, indent=2) + "\n")
    heading = _("{config}: content of the predictions, rule {rule}", config=checked.config, rule=checked.rule)
    if form != "text":
        return document(form, heading, _tables(checked), (LANGUAGES_BY_SCRIPT,), width=width)
    short = drawn(_screen(checked, screen_width(width)), colored=colored)
    return (
        short + "\n" + document(form, heading, _tables(checked), (LANGUAGES_BY_SCRIPT,), width=width) if full else short
    )


def _screen(checked: Checked, width: int) -> list[Line]:
    verdict, *reasons = check_sentences(checked)
    style = "bold green" if checked.sound else "bold red"
    head = [*folded([verdict], width, style, indent=""), *folded(reasons, width)]
    last = []
    for sentence, command in checked.next_steps:
        last += folded([_("Next: {step}", step=sentence)], width) if sentence else []
        last += [Line(f"   {one}") for one in command_lines(command, width - 3)] if command else []
    counts = [line for text in _counts_lines(checked) for line in folded([text], width)]
    room = LINES - len(head) - len(counts) - len(last) - 3
    parts = [part for part in (head, counts, _examples(checked, width, room), last) if part]
    return [line for part in parts for line in (Line(""), *part)][1:]


def check_sentences(checked: Checked) -> tuple[str, ...]:
    """State whether the predictions are ready to score, why not, and what else should be known."""
    reasons = [_reason(why, checked.rule, checked.asked) for why in checked.why_not if why.what != VALUELESS]
    if checked.valueless is not None:
        unavailable = _("the primary metric {metric} is not available yet.", metric=checked.valueless.metric)
        reasons += [unavailable, checked.valueless.reason]
    said = [_verdict(checked, reasons), *reasons[1:]]
    seen = checked.seen
    if takes_whole_texts(checked.matches):
        whole = _(
            "Rule {rule} uses the complete text as the answer. Only empty predictions and predictions with "
            "unfinished reasoning are unparsed. Refusals count as answers ({declined} here).",
            rule=checked.rule,
            declined=seen.declined,
        )
        said.append(whole)
    if count := seen.too_long.count:
        said.append(
            _n(
                "{n} prediction is longer than the extraction limit.",
                "{n} predictions are longer than the extraction limit.",
                count,
            )
        )
    if seen.constant:
        same = _(
            "{constant:,} of {texts:,} predictions have the same text. Check whether the model gives this response to "
            "every prompt.",
            constant=seen.constant,
            texts=seen.texts,
        )
        said.append(same)
    return tuple(said)


def _verdict(checked: Checked, reasons: Sequence[str]) -> str:
    if checked.error is not None or checked.coverage is None:
        return _("Scoring is not possible.")
    return _("Not ready to score: {reason}", reason=reasons[0]) if reasons else _("Ready to score.")


def _reason(why: Problem, rule: str, asked: str) -> str:
    values = {"why_count": f"{why.count:,}", "of": f"{why.of:,}", "most": why.most, "rule": rule}
    if why.what == MISSING:
        return _("{why_count} of {of} predictions are missing; all are required.", **values)
    if why.what == UNPARSED and asked:
        return _(
            "rule {rule} extracts no answer for {why_count} of {of} questions; at most {most:.0%} is allowed.",
            **values,
        )
    if why.what == UNPARSED:
        return _(
            "rule {rule} extracts no answer from {why_count} of {of} predictions; at most {most:.0%} is allowed.",
            **values,
        )
    return _("{why_count} of {of} predictions are truncated; at most {most:.0%} is allowed.", **values)


def _counts_lines(checked: Checked) -> Iterator[str]:
    seen, coverage = checked.seen, checked.coverage
    if coverage is not None:
        share = share_text(coverage.read, coverage.expected)
        received = {"received": coverage.read, "expected": coverage.expected, "share": share}
        if checked.asked:  # a prediction may answer several questions
            yield _("Received: {received:,} of {expected:,} answers ({share}%)", **received)
        else:
            yield _("Received: {received:,} of {expected:,} predictions ({share}%)", **received)
        yield from _runs(checked)
        if coverage.missing:
            yield _("Missing: {n:,}, such as {ids}", n=coverage.missing, ids=joined(map(key_text, checked.missing[:2])))
        parsed = coverage.read - coverage.unparsed
        yield _(
            "Parsed by {rule}: {n:,} ({share}%)", rule=checked.rule, n=parsed, share=share_text(parsed, coverage.read)
        )
        none = [one for one in checked.matches if not one.answered][:REASONS]
        if none:
            names = joined(f"{translated(shortened(one.wording), PATTERNS)} {one.answers:,}" for one in none)
            yield _("Unparsed: {n:,} ({reasons})", n=coverage.unparsed, reasons=names)
        for count, template in (
            (coverage.truncated, _("Truncated: {n:,}", n=coverage.truncated)),
            (seen.declined_or_filtered, _("Refusals: {n:,}", n=seen.declined_or_filtered)),
            (seen.unclosed, _("Unfinished reasoning: {n:,}", n=seen.unclosed)),
        ):
            if count:
                yield template
        languages = [(pgettext("languages", name), count) for name, count in seen.languages.items() if count]
        yield _(
            "Languages: {languages}", languages=joined(_("{name} ({n:,})", name=name, n=n) for name, n in languages)
        )
    if checked.failed:
        failed = {"n": sum(checked.failed.values()), "reasons": _listed(checked.failed.items())}
        yield _("Failed requests: {n:,} ({reasons})", **failed)
    for found, template in (
        (
            seen.duplicates,
            _("Repeated lines: {n:,}, such as {place}", n=seen.duplicates.count, place=_place(seen.duplicates)),
        ),
        (seen.unknown, _("Unknown ids: {n:,}, such as {place}", n=seen.unknown.count, place=_place(seen.unknown))),
    ):
        if found.count:
            yield template


def _runs(checked: Checked) -> Iterator[str]:
    if len(checked.runs) > 1:
        yield _("Runs: {n}", n=len(checked.runs))
    if len(checked.variants) > 1:
        yield _("Option orders: {n}", n=len(checked.variants))


def _listed(counted: Iterable[tuple[str, int]]) -> str:
    return joined(f"{shortened(what)} {count:,}" for what, count in list(counted)[:REASONS])


def _examples(checked: Checked, width: int, room: int) -> list[Line]:
    shown = checked.seen.unparsed[: max(0, min(EXAMPLES, room - 1))]  # below their heading
    texts = [
        translated(
            _(
                "{id} {reason}: {text}",
                id=_named(one.place),
                reason=translated(one.reason, PATTERNS),
                text=shortened(one.text),
            )
        )
        for one in shown
    ]
    head = Line(" " + translated(_("First {n} unparsed predictions", n=len(shown))))
    return [head, *(Line(f"   {cut(text, width - 3)}") for text in texts)] if texts else []


def _place(found: FirstPlaces) -> str:
    return next(map(_place_text, found.first), "")


def _place_text(one: PredictionPlace) -> str:
    return f"{_named(one)} {printable(one.file)}:{one.line}"


def _named(one: PredictionPlace) -> str:
    return translated(key_text(AnswerKey(shortened(one.id), one.run, one.variant)))


def _tables(checked: Checked) -> Iterable[Table]:
    yield Table("Predictions", ("what", "count", "%", "which"), tuple(row for row in _rows(checked) if row[1]))
    yield from form_tables(checked.rule, checked.forms, checked.matches)
    if first := tuple(_first(checked)):
        yield Table("First cases", ("what", "which"), first)
    if checked.seen.unparsed:
        examples = [
            (
                one.place.id,
                one.place.run + 1,
                one.reason,
                f"{printable(one.place.file)}:{one.place.line}",
                shortened(one.text),
            )
            for one in checked.seen.unparsed
        ]
        yield Table("First unparsed predictions", ("id", "run", "reason", "where", "text"), tuple(examples))


def _rows(checked: Checked) -> Iterable[Row]:
    seen, coverage = checked.seen, checked.coverage
    yield "files", sum(checked.readers.values()), None, _counts(checked.readers.items())
    yield "runs", len(checked.runs), None, _numbers([run + 1 for run in checked.runs])
    yield "variants", len(checked.variants), None, _numbers(checked.variants)
    if coverage is not None:
        yield "expected", coverage.expected, None, ""
        yield "received", coverage.read, _percent(coverage.read, coverage.expected), ""
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
    none = [(one.wording, one.answers) for one in checked.matches if not one.answered]
    same = shortened(seen.frequent) if seen.constant else ""
    unambiguous = (
        [(pgettext("column what", "parsed unambiguously by {rule}", rule=checked.rule), coverage.unambiguous, "")]
        if tells_clear(checked.rule, checked.matches)
        else []
    )
    counted = (
        ("empty", coverage.empty, ""),
        (TOO_LONG, coverage.too_long, ""),
        ("truncated", coverage.truncated, ""),
        ("refusals stated in the file", checked.filtered, ""),
        ("refusals recognized in the text", seen.declined, ""),
        ("unfinished reasoning", seen.unclosed, ""),
        (pgettext("column what", "parsed by {rule}", rule=checked.rule), coverage.read - coverage.unparsed, ""),
        *unambiguous,
        (pgettext("column what", "unparsed by {rule}", rule=checked.rule), coverage.unparsed, _counts(none)),
        ("identical text", seen.constant, same),
    )
    for what, count, which in counted:
        yield what, count, _percent(count, read), which


def _percent(count: int, of: int) -> float | None:
    return 100 * count / of if of else None


def _numbers(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, numbers[:REASONS]))
    return f"{listed}, …" if len(numbers) > REASONS else listed


def _counts(counted: Iterable[tuple[str, int]]) -> str:
    listed = [f"{shortened(what)} {count}" for what, count in counted]
    return "; ".join(listed[:REASONS]) + ("; …" if len(listed) > REASONS else "")


def _first(checked: Checked) -> Iterable[tuple[str, str]]:
    seen = checked.seen
    yield from (("missing", translated(key_text(key))) for key in checked.missing)
    for what, found in ((REPEATED, seen.duplicates), (UNKNOWN, seen.unknown), (TOO_LONG, seen.too_long)):
        yield from ((what, _place_text(one)) for one in found.first)


LANGUAGES_BY_SCRIPT = _(
    "The language of a text is determined by its script if at least three quarters are Chinese "
    "characters, Latin words or other letters; otherwise it is mixed. A single letter, such as an "
    "option letter, has no language."
)
