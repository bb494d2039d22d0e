"""What each question of PeMeBench contributes beside overlap, and S_total (section 2.4, equations (2) and (3))."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.config import Metric, pick
from medzh_score.extraction.pemebench_judgements import entities_of
from medzh_score.metrics import overlap
from medzh_score.metrics.overlap_counts import ANSWERED, EMPTY, REFERENCE, overlap_statistics, texts_of
from medzh_score.metrics.overlap_counts import WIDTH as FIRST
from medzh_score.metrics.pemebench_entities import Entities, entities_in, names, normalised
from medzh_score.metrics.ratio import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.answers import AnswerTable
    from medzh_score.config import Layout
    from medzh_score.metrics.overlap import Profile
    from medzh_score.sheets import Judgements

ENTITIES = "entities"  # the texts of the layout, and the round
HALLUCINATION = "hallucination"

# The columns of the statistics, after those of overlap.
WITH_ENTITIES, SHARE, FOUND, LISTED, FROM_ROUND, VERDICTS, JUDGED, OPPOSED = range(FIRST, FIRST + 8)
WIDTH = FIRST + 8

RECALL = Metric(
    "Recall_entity",
    "share of a reference's distinct key entities that the answer names, mean over questions with entities (macro)",
    ratio(SHARE, WITH_ENTITIES, 100.0),
    WITH_ENTITIES,
    "no question has key entities that stand in its reference (column entities, or round entities)",
)
RECALL_MICRO = Metric(
    "Recall_entity-micro",
    "key entities that the answers name, of all key entities of the references",
    ratio(FOUND, LISTED, 100.0),
    WITH_ENTITIES,
    RECALL.undefined,
)
HALL = Metric(
    "Hall_sentence",
    "eq. (2): answers judged to hold what is opposed to the reference, of those judged; an empty one opposes nothing",
    ratio(OPPOSED, JUDGED, 100.0),
    JUDGED,
    "no answer was judged (round hallucination)",
    share=JUDGED,
    direction="lower",
)


def _total(profile: Profile) -> Metric:
    parts = [pick("metric", overlap.METRICS, name) for name in profile.parts]
    return Metric(
        f"S_total-{profile.name}",
        f"eq. (3), {profile.summary}: mean of {', '.join(profile.parts)}, with {RECALL.name} and 100 - {HALL.name}",
        _equation_3([part.formula for part in parts]),
        JUDGED,
        f"it needs {RECALL.name} and {HALL.name}: {RECALL.undefined}, or {HALL.undefined}",
        of_answers=any(part.of_answers for part in parts),
    )


def _equation_3(
    parts: Sequence[Callable[[NDArray[np.float64]], NDArray[np.float64]]],
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        similarity = sum(part(sums) for part in parts) / len(parts)
        value: NDArray[np.float64] = (similarity + RECALL.formula(sums) + 100.0 - HALL.formula(sums)) / 3
        return value

    return formula


METRICS = (*map(_total, overlap.PROFILES), *overlap.METRICS, RECALL, RECALL_MICRO, HALL)
HEADLINE = f"S_total-{overlap.PROFILES[0].name}"
SHOWN = (*(f"S_total-{profile.name}" for profile in overlap.PROFILES), *overlap.SHOWN, HALL.name, RECALL.name)
ITEM_METRICS = (*overlap.ITEM_METRICS, RECALL.name, HALL.name)


def statistics(layout: Layout, answers: AnswerTable, judged: Mapping[str, Judgements]) -> NDArray[np.float64]:
    """Count, for each question and run, what the metrics sum.

    Parameters
    ----------
    layout : Layout
        Questions, with their references and entities as texts.
    answers : AnswerTable
        Of one rule: texts.
    judged : mapping of str to Judgements
        Of the rounds ``entities``, which overrides the entities of the records, and ``hallucination``. An answer
        without a readable verdict is in no denominator of ``Hall_sentence``. An empty one is not asked about and says
        nothing opposed: it counts as not opposed where all other answers of its run have a verdict, and
        stays outside where only some were asked about, for it was not drawn with them.

    Returns
    -------
    array of float, shape (questions, runs, k)

    References
    ----------
    PeMeBench, section 2.4.
    """
    counts = overlap_statistics(layout, answers, WIDTH)
    _count_entities(counts, layout, answers, judged)
    if HALLUCINATION in judged:
        _count_verdicts(counts, layout, answers, judged[HALLUCINATION])
    return counts


def entities_of_items(layout: Layout, judged: Mapping[str, Judgements]) -> Sequence[Entities]:
    """Find the entities that each question's answer should name.

    Parameters
    ----------
    layout : Layout
        Questions, with their references and entities as texts.
    judged : mapping of str to Judgements
        Of the later rounds.
    """
    listed = judged[ENTITIES].values if ENTITIES in judged else {}
    found = [entities_of(listed[item, 0][ENTITIES]) if (item, 0) in listed else None for item in layout.items]
    return _kept(
        tuple(reference for (reference,) in layout.texts[REFERENCE]),
        tuple(written if mine is None else mine for written, mine in zip(layout.texts[ENTITIES], found, strict=True)),
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
    counts: NDArray[np.float64], layout: Layout, answers: AnswerTable, judged: Mapping[str, Judgements]
) -> None:
    for place, (entities, said) in enumerate(
        zip(entities_of_items(layout, judged), texts_of(layout, answers), strict=True)
    ):
        counts[place, 0, FROM_ROUND] = entities.judged  # once, though it serves all runs
        if not entities.kept:
            continue
        texts = [normalised(text or "") for text in said]
        found = np.array([sum(names(text, entity) for entity in entities.kept) for text in texts])
        counts[place, :, WITH_ENTITIES] = 1
        counts[place, :, LISTED] = len(entities.kept)
        counts[place, :, FOUND] = found
        counts[place, :, SHARE] = found / len(entities.kept)


def _count_verdicts(counts: NDArray[np.float64], layout: Layout, answers: AnswerTable, judged: Judgements) -> None:
    for place, run in enumerate(answers.runs):
        verdicts = [judged.values.get((item, run), {}).get("opposed") for item in layout.items]
        answered, empty = counts[:, place, ANSWERED] == 1, counts[:, place, EMPTY] == 1
        read = answered & np.array([verdict is not None for verdict in verdicts])
        counts[:, place, VERDICTS] = read
        counts[:, place, OPPOSED] = read & np.array([verdict == "yes" for verdict in verdicts])
        # Nothing said is nothing opposed; but beside a sample, or verdicts that lack, it would dilute the share.
        counts[:, place, JUDGED] = read | empty & read[answered].all()
