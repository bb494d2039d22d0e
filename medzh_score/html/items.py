"""The items of a result page: each prediction as the rule of the report extracted it, with its question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answers import FALLBACK
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.comparison.comparability import recipe_signed
from medzh_score.data.hub import SHIPPED, place_of
from medzh_score.data.records import load_records, read_manifest
from medzh_score.extraction.thinking import answer_pieces
from medzh_score.html.page import in_both
from medzh_score.render.predictions import parted
from medzh_score.render.tables import HEADS, translated_label
from medzh_score.results.tables import MISSING, WHOLE_TEXTS
from medzh_score.scoring.build_report import item_scores
from medzh_score.scoring.explain import meaning, takes_whole_texts
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, in_chinese, joined, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.items import Record
    from medzh_score.results.result import Result
    from medzh_score.results.tables import Texts

    Pair = tuple[str, str]
    Row = dict[str, Any]
    Questions = Mapping[str, tuple[str, list[str], str]]


ORDER: tuple[Texts, ...] = ("none", "spans", "full")  # each contains what the one before contains
EXTRACTION = "column extraction"
UNAMBIGUOUS, PARSED = pgettext(EXTRACTION, "unambiguous"), pgettext(EXTRACTION, "parsed")
BY_FALLBACK = pgettext(EXTRACTION, "by fallback extraction")
UNPARSED, EMPTY, ABSENT = (
    pgettext(EXTRACTION, "unparsed"),
    pgettext(EXTRACTION, "empty"),
    pgettext(EXTRACTION, "missing"),
)
ASKED = ("stem", "question", "claim", "description", "response")  # fields of a record that a page shows as its question
NO_MARK, RIGHT, WRONG, UNKNOWN = range(4)
# Verdicts that are neither right nor wrong, and those on items without an answer.
NEITHER = frozenset({"block", "category", "mixed", "skipped", "answered", "not rated", "no choice"})
NO_ANSWER = frozenset({"no answer", "empty"})


@dataclass(frozen=True)
class Items:
    """The data of the items section: columns by prediction, and texts, reasoning and marks in the same order.

    ``verdict_marks`` are in the order of the names of the verdict column. ``several``: an item has several predictions
    in a run, such as those on both claims of a pair.
    ``questions`` maps ids of records to question, options and gold answer.
    """

    columns: tuple[dict[str, Any], ...]
    verdict_marks: tuple[int, ...]
    several: bool
    texts: tuple[tuple[str | None, ...] | None, ...] | None
    reasoning: tuple[str | None, ...] | None
    marks: tuple[int, ...]
    questions: Questions


def items_of(result: Result, texts: Texts, questions: Questions | None = None) -> Items:
    """Return the predictions as the rule of the report extracted them, in the order of the result."""
    refuse_texts(result, texts)
    questions = questions or {}
    rows = _rows(result)
    columns = tuple(_columns(result, rows))
    several = len(rows) > len(result.layout.items) * len(result.runs)
    verdicts = next(one for one in columns if one["head"][0] == "verdict")
    whole = takes_whole_texts(result.report.results[result.report.rule].matches)
    of_verdicts = [NO_MARK if whole else _verdict_mark(name) for name in verdicts["names"]]
    marks = [
        _mark(row, None if several else of_verdicts[at], questions.get(row["id"]))
        for row, at in zip(rows, verdicts["at"], strict=True)
    ]
    shown = [(None, None)] * len(rows) if texts == "none" else [_pieces(row, result.texts, texts) for row in rows]
    return Items(
        columns,
        tuple(of_verdicts),
        several,
        None if texts == "none" else tuple(pieces for pieces, _reasoning in shown),
        None if texts == "none" else tuple(reasoning for _pieces, reasoning in shown),
        tuple(marks),
        questions,
    )


def refuse_texts(result: Result, texts: Texts) -> None:
    """Refuse more text than the result contains."""
    if ORDER.index(texts) > ORDER.index(result.texts):
        raise MedzhError(
            _("the result does not contain these texts"),
            file=result.folder,
            field="--include-text",
            expected=joined(map(repr, ORDER[: ORDER.index(result.texts) + 1]), " or "),
            found=texts,
            advice=_("save the result with its texts: medzh-score score … --include-text {texts}", texts=texts),
        )


def questions_of(result: Result, data: str | None) -> Questions | None:
    """Return question, options and gold answer by record id; None if the page must not contain them.

    Without ``data`` these are the open data or the mini sample of the package, if the result was scored on them.
    """
    report = result.report
    signed = report.signature["data"]
    chosen = data or recipe_signed(report.signature)
    if report.private or (data is None and chosen not in SHIPPED):
        return None
    records = load_records(chosen, report.config)
    if str(records.origin) != signed:
        if data is None:
            return None  # another version of the package
        problem = _("the data differ from the data of the result")
        raise MedzhError(problem, file=data, field="--data", expected=signed, found=str(records.origin))
    place = place_of(chosen, report.config)
    sources = read_manifest(place.folder, place.again)["configs"][report.config]["sources"]
    if not all(source["redistributable"] for source in sources):
        return None
    return {record["id"]: _question(record) for record in records}


def _question(record: Record) -> tuple[str, list[str], str]:
    parts = [record[name] for name in ASKED if record.get(name)]
    text = "\n".join(parts) or record.get("prompt", "")
    return _lines(text), [*map(printable, record.get("options") or [])], _lines(str(record.get("answer") or ""))


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
    yield _named("id", [row["id"] for row in rows])
    if len(result.runs) > 1:
        yield _numbers("run", [row["run"] + 1 for row in rows])
    if any(row["variant"] for row in rows):
        yield _numbers("option order", [row["variant"] for row in rows])
    verdicts = [
        [config.reporting.verdict(counts[at, run]) for run in range(len(result.runs))]
        for at in range(len(layout.items))
    ]
    of_rows = [verdicts[item][run] for item, run in zip(items.tolist(), runs.tolist(), strict=True)]
    yield _named(pgettext("items", "verdict"), of_rows, partial(translated_label, "verdict"), chosen=True)
    yield _named("extraction", map(_extraction, rows), partial(translated, context=EXTRACTION), chosen=True)
    yield _named("answer", [_answer(row) for row in rows], partial(translated, context="answers"))
    chosen = rule_of(config, rule)
    meanings = {row["found_by"]: meaning(chosen, row["found_by"], answered=not _is_unparsed(row)) for row in rows}
    patterns = [row["found_by"] for row in rows]
    meanings[MISSING.reason] = pgettext(EXTRACTION, ABSENT)
    yield _named("pattern", patterns, lambda name: translated(meanings[name] or name), chosen=True)
    for breakdown, labels in layout.groups.items():
        of_items = [labels[item] for item in items.tolist()]
        yield _named(breakdown, of_items, partial(translated_label, breakdown), chosen=True)
    scores = np.asarray(item_scores(config, counts), float)
    for at, metric in enumerate(config.reporting.item_metrics):
        values = scores[items, runs, at]
        if not np.isnan(values).all():
            yield _numbers(metric, [None if np.isnan(one) else one for one in values.tolist()])


def _is_unparsed(row: Row) -> bool:
    return row["answer"] is None and row["found_by"] not in WHOLE_TEXTS


def _extraction(row: Row) -> str:
    if row["found_by"] == MISSING.reason:
        return ABSENT
    if _is_unparsed(row):
        return UNPARSED
    if row["found_by"] == FALLBACK:
        return BY_FALLBACK
    return UNAMBIGUOUS if row["unambiguous"] else PARSED


def _answer(row: Row) -> str:
    """Return a short answer; an answer that is the whole text is shown as text."""
    return "" if row["answer"] is None or row["found_by"] in WHOLE_TEXTS else str(row["answer"])


def _verdict_mark(name: str | Pair) -> int:
    verdict = name if isinstance(name, str) else name[0]
    if verdict == "right":
        return RIGHT
    return NO_MARK if verdict in NEITHER else UNKNOWN if verdict in NO_ANSWER else WRONG


def _mark(row: Row, of_verdict: int | None, question: tuple[str, list[str], str] | None) -> int:
    """Mark a prediction: by the verdict on its item, or against the gold answer if an item has several predictions."""
    if _is_unparsed(row):
        return UNKNOWN
    if of_verdict is not None or row["found_by"] in WHOLE_TEXTS or question is None:
        return of_verdict or NO_MARK
    return RIGHT if question[2] in {row["answer"], in_chinese(row["answer"], "answers")} else WRONG


def _named(
    head: str, values: Iterable[str], word: Callable[[str], str] = str, *, chosen: bool = False
) -> dict[str, Any]:
    """Make a column of words, each different word once; ``chosen`` columns are filters of the page."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(value, len(numbers)) for value in values]
    english, chinese = in_both(lambda: [printable(word(value)) for value in numbers])
    names = [one if one == other else (one, other) for one, other in zip(english, chinese, strict=True)]
    return {"head": (head, in_chinese(head, HEADS)), "names": names, "at": places, "chosen": chosen}


def _numbers(head: str, values: Sequence[float | None]) -> dict[str, Any]:
    return {"head": (head, in_chinese(head, HEADS)), "numbers": values, "chosen": False}


def _pieces(row: Row, kept: Texts, wanted: Texts) -> tuple[tuple[str | None, ...] | None, str | None]:
    """Split a text at the matched spans, outside and inside by turns; None is text that is not shown.

    Reasoning in front of the answer is separate if the whole text is shown.
    """
    text, spans = row["text"], row["spans"] or []
    if text is None:
        return None, None
    if kept == "full":
        start = _answer_start(text, spans) if wanted == "full" else 0
        answer = parted(text[start:], [(one - start, end - start) for one, end in spans])
        pieces: list[str | None] = [*map(_lines, answer)]
        if wanted == "spans":
            pieces[::2] = [None if piece else "" for piece in pieces[::2]]
        return tuple(pieces) if wanted == "full" or spans else (), _lines(text[:start]) if start else None
    pieces, last = [], 0
    for start, end in spans:
        pieces += [None, _lines(text[last : last + end - start])]
        last += end - start
    return tuple(pieces), None


def _answer_start(text: str, spans: Sequence[Sequence[int]]) -> int:
    """Return where the answer begins behind the reasoning; 0 if there is no reasoning or a span is in it."""
    answer = answer_pieces(text)
    start = answer[0][0] if answer else 0
    start += len(text[start:]) - len(text[start:].lstrip()) if start else 0
    return start if all(one >= start for one, _end in spans) else 0


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
