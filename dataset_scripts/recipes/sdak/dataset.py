"""SDAK: what can be built of it, and how."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipe import CardMetadata, Dataset, Recipe, ReviewForm
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, open_set
from dataset_scripts.recipes.sdak.official import ANSWERS, LABELS, TYPES, read_released
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.io.paths import package_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record

MINI = Path(__file__).parents[2] / "mini" / "sdak" / "SDAK.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=lambda item: f"{item['type']}/{item['label_id']}",
    asked=("claim",),
    label=lambda item: ANSWERS["factual" if item["label"] == LABELS["factual"] else "counterfactual"],
    answers=tuple(ANSWERS.values()),
    topic=itemgetter("type"),
)
LONGEST_ID = 40
POLARITIES = ("factual", "counterfactual")
SHARED = ("type", "type_zh", "subject", "object", "slot_names", "slot_values")
PLACES = {kind.name: place for place, kind in enumerate(TYPES)}


def order(record: Record) -> tuple[Any, ...]:
    """Return the sort key of a record in its split: by type as in Table 3, by pair, the factual claim first.

    Unknown types are last, by name; pairs without a number are sorted by their digits.
    """
    number = record["pair_id"].rpartition("-")[2]
    return (
        PLACES.get(record["type"], len(PLACES)),
        record["type"],
        len(number),
        number,
        record["pair_id"],
        POLARITIES.index(record["polarity"]),
    )


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the pairs that are not two claims of one fact."""
    pairs = defaultdict(list)
    problems = []
    for record in (record for records in splits.values() for record in records):
        pairs[record["pair_id"]].append(record)
        if record["id"] != f"{record['pair_id']}-{record['polarity'][0]}":
            problems.append(f"record {record['id']}: expected the id of {record['polarity']} in {record['pair_id']}")
        if len(record["id"]) > LONGEST_ID:
            problems.append(f"record {record['id']}: its id has more than {LONGEST_ID} characters")
        if len(record["slot_names"]) != len(record["slot_values"]):
            problems.append(f"record {record['id']}: expected as many slot_names as slot_values")
    for pair, claims in pairs.items():
        found = sorted(claim["polarity"] for claim in claims)
        if found != sorted(POLARITIES):
            problems.append(f"pair {pair}: expected one factual and one counterfactual claim, found {', '.join(found)}")
        elif differing := [field for field in SHARED if claims[0][field] != claims[1][field]]:
            problems.append(f"pair {pair}: its claims differ in {', '.join(differing)}")
    return problems


DATASET = Dataset(
    config="sdak",
    schema=package_file("medzh_score", "schemas/sdak.schema.json"),
    card=package_file("dataset_scripts", "cards/sdak.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from the file that the authors of SDAK released",
            sources=("sdak",),
            make=reads(read_released, "official"),
            annotated=("machine-generated",),
            worded=("machine-generated",),
        ),
        open_set(
            "sdak",
            "SDAK",
            ITEMS,
            FORM,
            reads(read_released, OPEN),
            (
                "As in the paper, claims are made from templates, and every negated claim is false. A model that "
                "denies all negations is therefore always correct. A model that agrees with everything judges half of "
                "the claims correctly and no pair (FactAcc 0). The wording 异常参考区间 is that of the paper. Each "
                "reviewer saw one claim of a pair."
            ),
        ),
        mini("the format of SDAK", "sdak-mini", MINI, reads(read_released, "mini")),
    ),
    order=order,
    check=check,
    breakdown="type",
    metadata=CardMetadata(
        availability="released",
        summary_zh=(
            "SDAK 检验模型是否掌握自诊场景中的单条医学知识。每条知识写成一真一假两条断言，模型将前者判为正确、"
            "后者判为错误，该断言对才算正确。"
        ),
        task_categories=("question-answering", "text-classification"),
        task_ids=("fact-checking", "closed-domain-qa"),
    ),
)
