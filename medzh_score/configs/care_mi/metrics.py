"""What each question of CARE-MI contributes: scores of two aspects, agreement with claims, and a proxy (section 4)."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Columns, Metric, block, share
from medzh_score.configs.care_mi.ratings import ASPECTS, CORRECTNESS, INTERPRETABILITY, SAME, rated_in
from medzh_score.configs.care_mi.reading import AGREE, REFUSE
from medzh_score.stats.formulas import Moments, squared_correlation
from medzh_score.stats.overlap_metrics import texts_of
from medzh_score.text.fold import without_radicals
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations


STATEMENTS = "statements"  # of the layout's item texts: the true one and the false one
IS_TF, ASKS_FALSE = "is tf", "asks false"  # of the item values: the second, that a false statement is asked about

OF = {"people": "person", "all people": "person", "judges": "model"}  # the kind of a source
KINDS = tuple(OF)


class RatingColumns(Columns):
    """What is counted of a question.

    Of each aspect and kind of score there are three: how many, their sum and the sum of their squares. Of yes-or-no
    questions: how many, and whether the answer says what is true (yes to a true claim, no to a false one).
    """

    items: int
    answered: int
    closer: int
    farther: int
    margin: int
    tf: int
    true_said: int
    false_said: int
    scores: slice = block(3 * len(ASPECTS) * len(KINDS))
    rated: slice = block(len(ASPECTS))  # by anybody
    joint: slice = block(6)  # how many have both aspects, sums, squares, and the products
    unparsed_tf: int  # answers to yes-or-no questions in which neither yes nor no was read
    false_asked: int  # yes-or-no questions that ask about a false statement


C = RatingColumns


SCORES = {
    key: Moments(first) for key, first in zip(product(ASPECTS, KINDS), range(C.width)[C.scores][::3], strict=True)
}
RATED = dict(zip(ASPECTS, range(C.width)[C.rated], strict=True))


# Whole sentences: a saved report has them in English, and they are looked up again when it is shown.
UNRATED = {
    ("correctness", "people"): _(
        "no person rated an answer, or only one answer was rated, which is too few for a standard deviation "
        "(stage correctness); the metrics of the paper are ratings by people"
    ),
    ("interpretability", "people"): _(
        "no person rated an answer, or only one answer was rated, which is too few for a standard deviation "
        "(stage interpretability); the metrics of the paper are ratings by people"
    ),
    ("correctness", "judges"): _(
        "no judge model rated an answer, or only one answer was rated, which is too few for a standard deviation "
        "(stage correctness); the metrics of the paper are ratings by people"
    ),
    ("interpretability", "judges"): _(
        "no judge model rated an answer, or only one answer was rated, which is too few for a standard deviation "
        "(stage interpretability); the metrics of the paper are ratings by people"
    ),
}


def _first(aspect: str) -> tuple[Metric, ...]:
    """Make the metrics of an aspect that the paper prints."""
    people, reason = SCORES[aspect, "people"], UNRATED[aspect, "people"]
    return (
        Metric(
            aspect,
            _(
                "Mean rating by people: mean over the annotators of a question (the adjudicator's rating if they "
                "disagree), then over questions"
            ),
            people.mean,
            people.count,
            reason,
            ends=people.ends,
        ),
        Metric(
            f"{aspect}-std",
            _("Standard deviation of {metric} over questions (ddof 1), which the paper prints after ±", metric=aspect),
            people.std,
            people.count,
            reason,
            direction=None,
        ),
    )


def _beside(aspect: str) -> tuple[Metric, ...]:
    """Make those that stand beside them: without arbitration, and by judge models."""
    everybody, judges = SCORES[aspect, "all people"], SCORES[aspect, "judges"]
    reason = UNRATED[aspect, "judges"]
    return (
        Metric(
            f"{aspect}-mean",
            _(
                "Mean rating without adjudication: mean over all people who rated a question, including the "
                "adjudicator, then over questions"
            ),
            everybody.mean,
            everybody.count,
            UNRATED[aspect, "people"],
            ends=everybody.ends,
        ),
        Metric(
            f"{aspect}-judge",
            _(
                "Mean rating by judge models: mean over the judge models that rated a question, then over "
                "questions; ratings by people are not included"
            ),
            judges.mean,
            judges.count,
            reason,
            ends=judges.ends,
        ),
        Metric(
            f"{aspect}-judge-std",
            _("Standard deviation of {metric} over questions (ddof 1)", metric=f"{aspect}-judge"),
            judges.std,
            judges.count,
            reason,
            direction=None,
        ),
    )


METRICS = (
    *_first(CORRECTNESS),
    *_first(INTERPRETABILITY),
    Metric(
        "item_r2",
        _(
            "Squared Pearson correlation of the two aspects over questions; the R² of the paper is computed over "
            "models (figure r2)"
        ),
        squared_correlation(C.joint.start),
        C.joint.start,
        _("in each of the two aspects, the human ratings of at least two questions must differ from each other"),
        direction=None,
    ),
    *_beside(CORRECTNESS),
    *_beside(INTERPRETABILITY),
    Metric(
        "TF-agree",
        _(
            "Share of yes-or-no questions whose answer (extracted with rule medzh-1) agrees with the facts: "
            "yes to a true claim, no to a false claim; an unparsed answer does not agree"
        ),
        share(C.true_said, C.tf, unparsed=C.unparsed_tf),
        C.tf,
        _("there are no yes-or-no questions"),
    ),
    Metric(
        "proxy-chrF",
        _(
            "Share of answers that are closer by chrF to the true statement than to the false statement; a "
            "lexical proxy that is not in the paper"
        ),
        share(C.closer, C.items),
        C.items,
        _("no question was counted"),
    ),
)
PRIMARY = CORRECTNESS
STAND_INS = (f"{CORRECTNESS}-judge", "TF-agree")
SUMMARY = (*ASPECTS, "TF-agree", "proxy-chrF")
ITEM_METRICS = (*ASPECTS, *(f"{aspect}-judge" for aspect in ASPECTS), "TF-agree", "proxy-chrF")


def warnings(counts: NDArray[np.float64]) -> tuple[str, ...]:
    """Say where a constant answer does well."""
    if not counts[..., C.tf].any() or counts[..., C.false_asked].any():
        return ()
    return (_("TF-agree: a constant yes scores 100.0%, because all claims are true."),)


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, what the metrics sum (CARE-MI, section 4.1 and Appendix A.2).

    Of what was expected in the stages ``correctness`` and ``interpretability`` an answer without text, one that did not
    come and one that lacks a score are worth 0 to each kind of rater that scored any answer.
    """
    texts = texts_of(layout, answers)
    counts = C.zeros(layout, answers)
    counts[..., C.items] = 1
    counts[..., C.answered] = [[bool(text) for text in row] for row in texts]
    _count_claims(counts, layout, answers)
    _count_likeness(counts, layout, texts)
    for aspect in ASPECTS:
        if aspect in judged:
            _count_scores(counts, layout, answers, judged[aspect], aspect)
    _count_pairs(counts)
    return counts


def _count_claims(counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable) -> None:
    asked, false = layout.item_values[IS_TF] == 1, layout.item_values[ASKS_FALSE] == 1
    counts[asked, :, C.tf] = 1
    counts[false, :, C.false_asked] = 1
    for place, run in enumerate(answers.runs):
        column = answers.columns[run, 0]
        for item, member in enumerate(layout.members[:, 0].tolist()):
            if asked[item] and (answer := column[member]) is not None:
                said = [C.false_said, C.true_said]
                yes, no = said if false[item] else said[::-1]
                counts[item, place, {AGREE: yes, REFUSE: no}.get(answer.note or "", C.unparsed_tf)] = 1


def _count_likeness(counts: NDArray[np.float64], layout: ItemIndex, texts: list[list[str | None]]) -> None:
    for item, ((true, false), said) in enumerate(zip(layout.item_texts[STATEMENTS], texts, strict=True)):
        texts_of_runs = [without_radicals(text or "") for text in said]
        margins = np.array([_margin(text, without_radicals(true), without_radicals(false)) for text in texts_of_runs])
        counts[item, :, C.margin] = margins
        counts[item, :, C.closer] = margins > SAME
        counts[item, :, C.farther] = margins < -SAME


@lru_cache(maxsize=1 << 16)  # the second rule mostly has the same texts as the first
def _margin(text: str, true: str, false: str) -> float:
    """Tell how much nearer by chrF an answer is to the true than to the false statement, from -1 to 1."""
    return chrf(text, true) - chrf(text, false)


def _count_scores(
    counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable, judged: Annotations, aspect: str
) -> None:
    scores = np.full((len(KINDS), *counts.shape[:2]), np.nan)
    expected = judged.expected_in(*counts.shape[:2])
    for place, kind in enumerate(KINDS):
        if OF[kind] in judged.kinds:
            scores[place, expected] = 0.0
    items = {item: index for index, item in enumerate(layout.items)}
    runs = {run: index for index, run in enumerate(answers.runs)}
    for (item, run), rated in rated_in(judged, aspect).items():
        cell = items[item], runs[run]
        if expected[cell] and counts[(*cell, C.answered)]:
            counts[(*cell, RATED[aspect])] = 1
            for place, score in enumerate((rated.by_people, rated.by_all_people, rated.by_judges)):
                if score is not None:
                    scores[(place, *cell)] = float(score)
    for kind, mine in zip(KINDS, scores, strict=True):
        SCORES[aspect, kind].fill(counts, mine)


def _count_pairs(counts: NDArray[np.float64]) -> None:
    """Take the scores of people in both aspects together."""
    one, two = (SCORES[aspect, "people"].count for aspect in ASPECTS)
    both = counts[..., one] * counts[..., two]
    sums, squares = [one + 1, two + 1], [one + 2, two + 2]
    counts[..., C.joint.start] = both
    counts[..., C.joint][..., 1:5] = both[..., np.newaxis] * counts[..., sums + squares]
    counts[..., C.joint.stop - 1] = both * (counts[..., one + 1] * counts[..., two + 1])


verdict = first_counted(
    C.items,
    (*(("rated", column) for column in RATED.values()), ("not rated", C.answered)),
    "nothing said",
)


ORDER, BETA = 6, 2


def chrf(hypothesis: str, reference: str) -> float:
    """Compare two texts by their character n-grams of 1 to 6 characters, recall twice as important as precision.

    Popović 2015, chrF: character n-gram F-score for automatic MT evaluation.

    Examples
    --------
    >>> chrf("妊娠剧吐可致脱水", "妊娠剧吐可致脱水"), chrf("麻疹", "脱水")
    (1.0, 0.0)
    """
    said, meant = ("".join(text.split()) for text in (hypothesis, reference))
    if not said or not meant:
        return 0.0
    # Only where all characters are the reference's can an n-gram be one of its own: long answers are mostly others.
    shared = re.findall(f"[{re.escape(''.join(sorted(set(meant))))}]+", said)
    orders = range(1, min(ORDER, len(said), len(meant)) + 1)
    matched = [sum((_grams(shared, order) & _grams([meant], order)).values()) for order in orders]
    precision = sum(count / (len(said) - order + 1) for order, count in zip(orders, matched, strict=True)) / len(orders)
    recall = sum(count / (len(meant) - order + 1) for order, count in zip(orders, matched, strict=True)) / len(orders)
    if not precision + recall:
        return 0.0
    factor = BETA**2
    return (1 + factor) * precision * recall / (factor * precision + recall)


def _grams(texts: Iterable[str], order: int) -> Counter[str]:
    return Counter(text[start : start + order] for text in texts for start in range(len(text) - order + 1))
