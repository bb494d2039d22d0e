"""CARE-MI: what can be built of it, and how."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, CardMetadata, Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.care_mi.official import EXAMPLES, read_official
from dataset_scripts.recipes.care_mi.records import MINI as SAMPLE
from dataset_scripts.recipes.care_mi.records import STOP, TYPES, WHOLE, check, order, read_own, table_3
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.io.paths import package_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Make, Record

MINI = Path(__file__).parents[2] / "mini" / "care_mi" / "CARE-MI.jsonl"
BY_FORM = "45.0% of 240 questions"  # computed anew by a test
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("question",),
    label=lambda item: {"true": "是", "false": "否", None: None}[item["asked"]],
    answers=("是", "否"),
)


def _with_tables(make: Make) -> Make:
    return with_table(table_3, with_table(cue_table, make))


DENIAL = "不"


def cue_table(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Measure the surface differences of true and false statements.

    A pair without a difference counts half, like a random guess.
    """
    records = [record for rows in splits.values() for record in rows]
    kinds = [*(kind for kind in TYPES if any(one["type"] == kind for one in records)), "all"]
    return BuildTable(
        title="Surface cues: differences between true and false statements other than their truth",
        columns=(
            "type",
            "questions",
            "true with a full stop",
            "false with a full stop",
            "mean length true",
            "mean length false",
            "correct if the longer one is judged false",
            "correct if the one with 不 is judged false",
        ),
        rows=tuple(_row(kind, [one for one in records if kind in {one["type"], "all"}]) for kind in kinds),
    )


def _row(kind: str, records: Sequence[Record]) -> tuple[str | int, ...]:
    pairs = [(one["true_statement"], one["false_statement"]) for one in records]
    sides = list(zip(*pairs, strict=True))
    stops = [_percent(sum(text.endswith(STOP) for text in side), len(side)) for side in sides]
    lengths = [f"{sum(map(len, side)) / len(side):.1f}" for side in sides]
    longer = guessed([(len(true), len(false)) for true, false in pairs])
    denied = guessed([(true.count(DENIAL), false.count(DENIAL)) for true, false in pairs])
    return (kind, len(records), *stops, *lengths, longer, denied)


def guessed(pairs: Sequence[tuple[int, int]]) -> str:
    """Return how often the higher number belongs to the false statement.

    In percent; 50 where nothing gives it away, and below where the lower number does.

    >>> guessed([(1, 2), (2, 1), (1, 1), (3, 4)])
    '62.5%'
    """
    twice = sum(2 * (false > true) + (false == true) for true, false in pairs)
    return _percent(twice, 2 * len(pairs))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"


DATASET = Dataset(
    config="care_mi",
    schema=package_file("medzh_score", "schemas/care_mi.schema.json"),
    card=package_file("dataset_scripts", "cards/care_mi.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from the published examples or a file like them; the 1,612 questions are not public",
            sources=(EXAMPLES, WHOLE),
            make=_with_tables(read_official),
            own=(WHOLE,),
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("found", "machine-generated"),
        ),
        open_set(
            "care_mi",
            "CARE-MI",
            ITEMS,
            FORM,
            _with_tables(reads(read_own, OPEN)),
            (
                "Half of the yes-or-no questions ask about a false statement, so a model that always says yes has "
                "TF-agree 0.5. Topics follow the stages of care, because the paper prints no proportions."
            ),
            biases=(
                f"A linear classifier on character n-grams, trained on other topics, predicts {BY_FORM} correctly.",
            ),
        ),
        mini("the form of CARE-MI", SAMPLE, MINI, _with_tables(reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="source",
    metadata=CardMetadata(
        availability="not released",
        summary_zh=(
            "CARE-MI 包含母婴照护方面的长回答问题，衡量模型回答中的不实信息。每题附有真、假陈述"
            "和检索到的证据，供标注者使用。"
        ),
        task_categories=("question-answering",),
        task_ids=("closed-domain-qa",),
    ),
)
