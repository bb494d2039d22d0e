"""The page of one result: what was found, how it came to be, and each prediction as it was read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answers import SECOND_READING
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.html.charts import group_chart
from medzh_score.html.page import in_both, rendered_page, said, view_of
from medzh_score.render.predictions import parted
from medzh_score.render.report import (
    coverage_lines,
    group_tables,
    metrics_table,
    origin_lines,
    own_tables,
    reading_tables,
    title_of,
    value_lines,
)
from medzh_score.render.tables import HEADS, TITLES, translated_label
from medzh_score.results.numbers import DECIMALS, cells_of, rounded
from medzh_score.results.tables import MISSING, WHOLE_TEXTS
from medzh_score.scoring.build_report import item_scores
from medzh_score.scoring.explain import meaning, tells_clear
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, in_chinese, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.html.charts import Chart
    from medzh_score.results.report import Report
    from medzh_score.results.result import Result
    from medzh_score.results.tables import Texts

    Row = dict[str, Any]
    Pair = tuple[str, str]


def result_page(result: Result, texts: Texts = "none") -> bytes:
    """Render the page of a result; equal results give equal bytes."""
    report = result.report
    config, value = find_config(report.config), report.metrics[report.headline]
    decimals = DECIMALS[value.unit]
    items = items_of(result, texts)
    return rendered_page(
        "result.html.jinja",
        title=title_of(report),
        scripts=("items.js",),
        report=report,
        heading=said(title_of(report), TITLES),
        about=said(config.title, "column what"),
        headline=cells_of(value),
        value=value,
        parts=parts_of(report),
        rounded=rounded,
        charts=list(_charts(report, config)),
        metrics=view_of(metrics_table(report), decimals),
        groups=[view_of(one, decimals) for one in group_tables(report)],
        tables=[view_of(one, decimals) for one in own_tables(report)],
        readings=[view_of(one, decimals) for one in reading_tables(report)],
        coverage=list(map(said, coverage_lines(report))),
        values=list(map(said, value_lines(report.metrics))),
        origins=list(map(said, origin_lines(report))),
        notes=list(map(said, report.notes)),
        verify=shlex.join(["medzh-score", "verify", "DIR", *(file.name for file in report.inputs)]),
        items=items,
        anything=_pair_of("any"),
    )


def _charts(report: Report, config: Config) -> Iterator[Chart]:
    """Draw the headline by group; where it has no value, the first metric of a page that has one."""
    drawn = _drawn(report, config)
    if drawn is not None:
        yield from (group_chart(report, breakdown, drawn) for breakdown in report.groups or (None,))


def _drawn(report: Report, config: Config) -> str | None:
    names = [report.headline, *(report.shown or (metric.name for metric in config.metrics))]
    return next((name for name in names if report.metrics[name].value is not None), None)


def parts_of(report: Report) -> dict[str, int]:
    """Part all that was expected; the counts sum to it, and only what a rule tells is called clear."""
    coverage, fired = report.coverage, report.results[report.rule].fired
    answered = coverage.read - coverage.unread
    second = sum(one.answers for one in fired if one.wording == SECOND_READING and one.answered)
    clear = coverage.clear if tells_clear(report.rule, fired) else 0
    parts = {
        "read clearly": clear,
        "read": answered - clear - second,
        "by a second reader": second,
        "unread": coverage.unread - coverage.empty,
        "empty": coverage.empty,
        "missing or failed": coverage.missing,
    }
    return {name: predictions for name, predictions in parts.items() if predictions}


ORDER: tuple[Texts, ...] = ("none", "spans", "full")  # each holds what stands before it
CLEAR, READ, SECOND, UNREAD, LACKING = ("read clearly", "read", "by a second reader", "unread", "missing")


@dataclass(frozen=True)
class Items:
    """What a page knows of the predictions: columns, texts by row, and what the names of what decided mean.

    ``several``: items have several rows in a run, such as the claims of a pair or the variants of a question.
    """

    columns: tuple[dict[str, Any], ...]
    texts: tuple[tuple[str | None, ...] | None, ...] | None
    meanings: dict[str, Pair]
    several: bool


def items_of(result: Result, texts: Texts) -> Items:
    """Take the predictions as the report's rule read them, in the order of the result."""
    refuse_texts(result, texts)
    rows = _rows(result)
    found = dict.fromkeys(
        (row["found_by"], row["answer"] is None and row["found_by"] not in WHOLE_TEXTS) for row in rows
    )
    rule = rule_of(find_config(result.report.config), result.report.rule)
    meanings = {name: _pair_of(meaning(rule, name, answered=not none)) for name, none in found if name != MISSING.why}
    return Items(
        tuple(_columns(result, rows)),
        None if texts == "none" else tuple(_pieces(row, result.texts, texts) for row in rows),
        {name: said for name, said in meanings.items() if said[0]},
        several=len(rows) > len(result.layout.items) * len(result.runs),
    )


def refuse_texts(result: Result, texts: Texts) -> None:
    """Refuse more of the texts than the result holds."""
    if ORDER.index(texts) > ORDER.index(result.texts):
        raise MedzhError(
            _("the result does not hold so much of the texts"),
            file=result.folder,
            field="--texts",
            expected=" or ".join(ORDER[: ORDER.index(result.texts) + 1]),
            found=texts,
            advice=_("save it with them: medzh-score score … --texts {texts}", texts=texts),
        )


def _rows(result: Result) -> list[Row]:
    import pyarrow as pa
    from pyarrow import compute

    table = result.items()
    rows: list[Row] = table.filter(compute.equal(table["rule"].cast(pa.string()), result.report.rule)).to_pylist()
    return rows


def _columns(result: Result, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    config, rule, layout = find_config(result.report.config), result.report.rule, result.layout
    number, place = {item: at for at, item in enumerate(layout.items)}, {run: at for at, run in enumerate(result.runs)}
    counts = result.statistics[rule]
    items = np.array([number[row["item"]] for row in rows], np.int64)
    runs = np.array([place[row["run"]] for row in rows], np.int64)
    yield _named("item", [row["item"] for row in rows])
    if any(row["id"] != row["item"] for row in rows):
        yield _named("id", [row["id"] for row in rows])
    yield from (
        _numbers(key, [row[key] for row in rows]) for key in ("run", "variant") if any(row[key] for row in rows)
    )
    verdicts = [
        [config.reporting.verdict(counts[at, run]) for run in range(len(result.runs))]
        for at in range(len(layout.items))
    ]
    of_rows = [verdicts[item][run] for item, run in zip(items.tolist(), runs.tolist(), strict=True)]
    yield _named("verdict", of_rows, partial(translated_label, "verdict"), chosen=True)
    yield _named("reading", [_reading(row) for row in rows], partial(translated_label, "reading"), chosen=True)
    yield _named("answer", [_answer(row) for row in rows], partial(translated, context="answers"))
    yield _named("decided by", [row["found_by"] for row in rows], chosen=True)
    for breakdown, labels in layout.groups.items():
        of_items = [labels[item] for item in items.tolist()]
        yield _named(breakdown, of_items, partial(translated_label, breakdown), chosen=True)
    scores = np.asarray(item_scores(config, counts), float)
    for at, metric in enumerate(config.reporting.item_metrics):
        values = scores[items, runs, at]
        if not np.isnan(values).all():
            yield _numbers(metric, [None if np.isnan(one) else one for one in values.tolist()])


def _reading(row: Row) -> str:
    if row["found_by"] == MISSING.why:
        return LACKING
    if row["answer"] is None and row["found_by"] not in WHOLE_TEXTS:
        return UNREAD
    if row["found_by"] == SECOND_READING:
        return SECOND
    return CLEAR if row["clear"] else READ


def _answer(row: Row) -> str:
    """Give a short answer; one that is the whole text stands with the texts."""
    return "" if row["answer"] is None or row["found_by"] in WHOLE_TEXTS else str(row["answer"])


def _named(
    head: str, values: Iterable[str], word: Callable[[str], str] = str, *, chosen: bool = False
) -> dict[str, Any]:
    """Make a column of words, each different one once; ``chosen``: readers choose rows by it."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(value, len(numbers)) for value in values]
    english, chinese = in_both(lambda: [printable(word(value)) for value in numbers])
    names = [one if one == other else (one, other) for one, other in zip(english, chinese, strict=True)]
    return {"head": (head, in_chinese(head, HEADS)), "names": names, "at": places, "chosen": chosen}


def _numbers(head: str, values: Sequence[float | None]) -> dict[str, Any]:
    return {"head": (head, in_chinese(head, HEADS)), "numbers": values, "chosen": False}


def _pair_of(text: str) -> Pair:
    return text, in_chinese(text)


def _pieces(row: Row, kept: Texts, wanted: Texts) -> tuple[str | None, ...] | None:
    """Part a text: beside what was read and inside it in turns; None for what is not shown of it."""
    text, spans = row["text"], row["spans"] or []
    if text is None:
        return None
    if kept == "full":
        pieces: list[str | None] = [*map(_lines, parted(text, spans))]
        if wanted == "spans":
            pieces[::2] = [None if piece else "" for piece in pieces[::2]]
        return tuple(pieces) if wanted == "full" or spans else ()
    pieces, last = [], 0
    for start, end in spans:
        pieces += [None, _lines(text[last : last + end - start])]
        last += end - start
    return tuple(pieces)


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
