"""What predictions hold, for people: a table of counts, examples of what could not be read, and the verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.jsonl import visible
from medzh_score.render.report import form_tables
from medzh_score.render.tables import UNLIMITED, document
from medzh_score.scoring.check import shortened
from medzh_score.scoring.explain import tells_clear
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from medzh_score.readers.align import Coverage
    from medzh_score.scoring.check import Checked, Inspection


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
            (
                one.place.id,
                one.place.run,
                one.why,
                f"{printable(one.place.file)}:{one.place.line}",
                shortened(one.text),
            )
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
    yield from _of_languages(seen)


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


def _of_languages(seen: Inspection) -> Iterable[Row]:
    for language, count in seen.languages.items():
        yield f"language: {language}", count, _percent(count, seen.texts), ""


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
