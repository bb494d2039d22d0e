"""What each question of PeMeBench contributes beside overlap, and S_total (section 2.4, equations (2) and (3))."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Metric, of_open, ratio, share
from medzh_score.configs.pemebench.reading import Entities, entities_in, entities_of, names, normalised
from medzh_score.stats import overlap_metrics
from medzh_score.stats.overlap_metrics import REFERENCE, OverlapColumns, overlap_statistics, texts_of
from medzh_score.ui.i18n import _, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Changed, Ends
    from medzh_score.benchmark.stages import Annotations
    from medzh_score.stats.overlap_metrics import Profile


ENTITIES = "entities"  # the texts of the layout, and the round
EXTRACTED = "extracted"  # the fact of the layout: whether somebody has extracted the entities of the record
HALLUCINATION = "hallucination"


class PemeColumns(OverlapColumns):
    """What is counted of a question beside overlap."""

    with_entities: int
    share: int
    found: int
    listed: int
    from_round: int
    verdicts: int
    judged: int
    opposed: int
    opposed_strict: int


C = PemeColumns


RECALL = Metric(
    "Recall_entity",
    _(
        "Of the distinct key entities of a reference answer, the share named in the answer, averaged over "
        "questions with key entities (macro)"
    ),
    ratio(C.share, C.with_entities, 100.0),
    C.with_entities,
    _("no question has key entities that occur in its reference answer (column entities or stage entities)"),
    ends=of_open({}, {C.share: C.with_entities}),
)
RECALL_MICRO = Metric(
    "Recall_entity-micro",
    _("Of the key entities of all reference answers, the share named in the answers"),
    ratio(C.found, C.listed, 100.0),
    C.with_entities,
    RECALL.undefined_reason,
    ends=of_open({}, {C.found: C.listed}),
)


def _unjudged(column: int) -> Ends:
    """Make the ends of a share of what is opposed: nothing that lacks a verdict is, or all of it."""

    def ends(rows: NDArray[np.float64], _left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
        most = rows[..., C.opposed_strict]
        return {column: most - rows[..., C.judged] + rows[..., C.verdicts]}, {column: most}

    return ends


HALL = Metric(
    "Hall_sentence",
    _(
        "Equation (2): of the answers to be annotated, the share judged to contradict the reference answer; an "
        "empty answer does not count as a contradiction"
    ),
    share(C.opposed, C.judged, 100.0),
    C.judged,
    _("no answer was annotated (stage hallucination)"),
    direction="lower",
    ends=_unjudged(C.opposed),
)
HALL_STRICT = Metric(
    "Hall_sentence-strict",
    _(
        "Same as Hall_sentence, but an empty answer counts as a contradiction, so that empty answers do not improve "
        "the score"
    ),
    share(C.opposed_strict, C.judged, 100.0),
    C.judged,
    HALL.undefined_reason,
    direction="lower",
    ends=_unjudged(C.opposed_strict),
)
EMPTY_RATE = Metric(
    "Empty rate",
    _("Share of questions with an empty answer; not a score"),
    share(C.empty, C.items, 100.0),
    C.items,
    _("no question was counted"),
    direction=None,
)


def _total(name: str, profile: Profile, hall: Metric) -> Metric:
    parts = [pick("metric", overlap_metrics.METRICS, part) for part in profile.parts]
    return Metric(
        name,
        _(profile.total, parts=joined(profile.parts), recall=RECALL.name, hall=hall.name),
        _equation_3([part.formula for part in parts], hall),
        C.judged,
        _(  # whole: a saved report has it in English, and it is looked up again when it is shown
            "requires Recall_entity and Hall_sentence: no question has key entities that occur in its reference answer "
            "(column entities or stage entities), or no answer was annotated (stage hallucination)"
        ),
        of_answers=any(part.of_answers for part in parts),
        ends=_ends_of_total([*parts, RECALL], hall),
    )


def _ends_of_total(parts: Sequence[Metric], hall: Metric) -> Ends:
    """Put the ends of what is added together, and turn those of what is subtracted."""

    def ends(rows: NDArray[np.float64], left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
        low, high = (dict(columns) for columns in _ends(hall, rows, left_open)[::-1])
        for part in parts:
            least, most = _ends(part, rows, left_open)
            low |= least
            high |= most
        return low, high

    return ends


def _ends(metric: Metric, rows: NDArray[np.float64], left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
    return ({}, {}) if metric.ends is None else metric.ends(rows, left_open)


def _equation_3(
    parts: Sequence[Callable[[NDArray[np.float64]], NDArray[np.float64]]], hall: Metric
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        similarity = sum(part(sums) for part in parts) / len(parts)
        value: NDArray[np.float64] = (similarity + RECALL.formula(sums) + 100.0 - hall.formula(sums)) / 3
        return value

    return formula


NEAREST, *OTHER_PROFILES = overlap_metrics.PROFILES
PRIMARY = "S_total"


def total_of(profile: Profile) -> str:
    """Name S_total as the paper reads it, with a profile's similarity: an empty answer opposes nothing."""
    return f"{PRIMARY}-{'paper' if profile is NEAREST else profile.name}"


METRICS = (
    _total(PRIMARY, NEAREST, HALL_STRICT),
    *(_total(total_of(profile), profile, HALL) for profile in overlap_metrics.PROFILES),
    *overlap_metrics.METRICS,
    RECALL,
    RECALL_MICRO,
    HALL,
    HALL_STRICT,
    *(_total(f"{total_of(profile)}-strict-empty", profile, HALL_STRICT) for profile in OTHER_PROFILES),
    EMPTY_RATE,
)
STAND_INS = (RECALL.name,)
SUMMARY = (PRIMARY, *map(total_of, overlap_metrics.PROFILES), *overlap_metrics.SUMMARY, HALL.name, RECALL.name)
ITEM_METRICS = (*overlap_metrics.ITEM_METRICS, RECALL.name, HALL.name)


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, what the metrics sum (PeMeBench, section 2.4).

    The stage ``entities`` overrides the entities of the records. All that was expected in the stage ``hallucination``
    is in the denominator of ``Hall_sentence``: an empty answer, which is not asked about, as not opposed; one that did
    not come or lacks a readable verdict as opposed.
    """
    counts = overlap_statistics(layout, answers, C.width)
    _count_entities(counts, layout, answers, judged)
    if HALLUCINATION in judged:
        _count_verdicts(counts, layout, answers, judged[HALLUCINATION])
    return counts


def entities_of_items(layout: ItemIndex, judged: Mapping[str, Annotations]) -> Sequence[Entities]:
    """Find the entities that each question's answer should name."""
    listed = judged[ENTITIES].values if ENTITIES in judged else {}
    found = [entities_of(listed[item, 0][ENTITIES]) if (item, 0) in listed else None for item in layout.items]
    return _kept(
        tuple(reference for (reference,) in layout.item_texts[REFERENCE]),
        tuple(
            written if mine is None else mine for written, mine in zip(layout.item_texts[ENTITIES], found, strict=True)
        ),
        tuple(mine is not None for mine in found),
    )


@lru_cache(maxsize=1)  # every rule and its tables ask about the same
def _kept(
    references: tuple[str, ...], listed: tuple[tuple[str, ...], ...], judged: tuple[bool, ...]
) -> tuple[Entities, ...]:
    return tuple(
        entities_in(reference, entities, judged=from_round)
        for reference, entities, from_round in zip(references, listed, judged, strict=True)
    )


def _count_entities(
    counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]
) -> None:
    for place, (entities, said) in enumerate(
        zip(entities_of_items(layout, judged), texts_of(layout, answers), strict=True)
    ):
        counts[place, 0, C.from_round] = entities.judged  # once, though it serves all runs
        if not entities.kept:
            continue
        texts = [normalised(text or "") for text in said]
        found = np.array([sum(names(text, entity) for entity in entities.kept) for text in texts])
        counts[place, :, C.with_entities] = 1
        counts[place, :, C.listed] = len(entities.kept)
        counts[place, :, C.found] = found
        counts[place, :, C.share] = found / len(entities.kept)


def _count_verdicts(counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable, judged: Annotations) -> None:
    expected = judged.expected_in(*counts.shape[:2])
    said = [[judged.values.get((item, run), {}).get("opposed") for run in answers.runs] for item in layout.items]
    answered, empty = counts[..., C.answered] == 1, counts[..., C.empty] == 1
    read = expected & answered & np.array([[verdict is not None for verdict in row] for row in said], bool)
    opposed = expected & ~empty & ~(read & np.array([[verdict == "no" for verdict in row] for row in said], bool))
    counts[..., C.judged], counts[..., C.verdicts] = expected, read
    counts[..., C.opposed], counts[..., C.opposed_strict] = opposed, opposed | expected & empty


def listed_entities(layout: ItemIndex, judged: Mapping[str, Annotations]) -> Sequence[Sequence[str]]:
    """Give the entities that each question's answer should name, as they count."""
    return [entities.kept for entities in entities_of_items(layout, judged)]
