"""Open data that was written for the project: items, and the reviews of each by two who did not see its label.

A folder ``open`` next to the recipe of a config has ``records.jsonl``, the items in the format of the benchmark, and
``reviews.jsonl``, one line per review (see `Review`). A changed item is not built before two have reviewed it again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipe import BuildTable, Recipe, ReviewForm
from medzh_score.stats.intervals import CONFIDENCE, wilson
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Built, Make, SourceFile

Item = dict[str, Any]

OPEN = "open"
RECORDS, REVIEWS = "records.jsonl", "reviews.jsonl"
BESIDE = ("topic", "difficulty", "note", "misleads")  # fields of a line that are not part of its record
DIFFICULTIES = ("nurse", "resident", "specialist")
READERS = 2
FLAGS = ("ill-formed", "off-topic", "ambiguous", "false", "doubtful", "evidence", "incomplete")
BLIND, AGAIN, SAMPLE = "blind", "again", "sample"  # before and after a correction, and of the kept items
DIGITS = 16
READ_BY = (
    "two language models per item, without its label; no physician / 每条由两个语言模型在看不到标签的情况下审核，无医师"
)


@dataclass(frozen=True)
class Review:
    """A review of an item.

    Attributes
    ----------
    key : str
        The item, also after a correction.
    item : str
        The `item_digest` of the reviewed content.
    role : str
        ``blind``, ``again`` after a correction, or ``sample`` of the kept items.
    reader : str
        The reviewer, who did not write the item.
    answer : str
        The answer, given without the label.
    agrees : bool
        Whether the answer equals the label; for a phrase, whether it names the same, as the reviewer judges later.
    flags : list of str
        Objections, of `FLAGS`.
    note : str
        The reasons.
    """

    key: str
    item: str
    role: str
    reader: str
    answer: str
    agrees: bool
    flags: list[str] = field(default_factory=list)
    note: str = ""


def open_set(  # noqa: PLR0913 - what a config declares
    config: str, benchmark: str, records: Path, form: ReviewForm, make: Make, *limits: str, biases: tuple[str, ...] = ()
) -> Recipe:
    """Declare the recipe ``open`` of reviewed items, which `make` converts to records."""
    source, reviews = f"{config.replace('_', '-')}-open", records.with_name(REVIEWS)

    def checked(files: Mapping[str, SourceFile], seed: int) -> Built:
        items = read_items(files[source].path, form)
        said = read_reviews(files[f"{source}-reviews"].path)
        check_reviews(items, said, form, files[source].path)
        built = make({source: files[source]}, seed)
        own = (difficulty_table(items.values(), form), review_table(items.values(), said, form))
        return replace(built, tables=(*built.tables, *own))

    return Recipe(
        name=OPEN,
        summary=(
            f"an open counterpart of {benchmark}, not {benchmark}, written and reviewed by language models for medzh"
        ),
        sources=(source, f"{source}-reviews"),
        make=checked,
        embedded={source: records, f"{source}-reviews": reviews},
        review_form=form,
        embedded_licence="Apache-2.0",
        embedded_citation="the authors of medzh",
        limits=(
            (
                f"It is an open counterpart of {benchmark}, not {benchmark}. Language models wrote and reviewed it for "
                "medzh, and no physician has reviewed it. Do not compare scores with those of the paper. Report errors "
                "in items to the authors of medzh."
            ),
            *limits,
        ),
        biases=(
            (
                "Items on which the reviewing models disagreed were corrected or dropped. Strong models are therefore "
                "near the ceiling, and the set is easier than the benchmark."
            ),
            *biases,
        ),
        read_by=READ_BY,
        annotated=("machine-generated",),
        worded=("machine-generated",),
    )


def beside(recipe: str) -> tuple[str, ...]:
    """Return the columns of a file that are not part of its records."""
    return BESIDE if recipe == OPEN else ()


def item_digest(item: Mapping[str, Any]) -> str:
    """Return 16 hex digits of the record in a line, which change with the record and not with its topic.

    >>> item_digest({"a": 1, "b": 2}) == item_digest({"b": 2, "a": 1, "topic": "x"}) != item_digest({"a": 1, "b": 3})
    True
    """
    record = {name: value for name, value in item.items() if name not in BESIDE}
    written = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8")).hexdigest()[:DIGITS]


def read_items(path: Path, form: ReviewForm | None = None) -> dict[int, Item]:
    """Read the items by line."""
    items = dict(read_objects(path))
    for line, item in items.items():
        for name in ("topic", "difficulty", "note", *(form.asked if form else ())):
            if name not in item:
                raise MedzhError(_("the value is missing"), file=path, line=line, field=name)
        found, expected = item["difficulty"], ", ".join(DIFFICULTIES)
        if found not in DIFFICULTIES:
            raise MedzhError(_("unknown difficulty"), file=path, line=line, expected=expected, found=found)
    return items


def read_reviews(path: Path) -> list[Review]:
    """Read the reviews in order."""
    found = []
    for line, row in read_objects(path):
        try:
            found.append(Review(**row))
        except TypeError as error:
            expected = ", ".join(Review.__annotations__)
            raise MedzhError(
                _("the line is not a review"), file=path, line=line, expected=expected, found=sorted(row)
            ) from error
    return found


def check_reviews(items: Mapping[int, Item], reviews: Sequence[Review], form: ReviewForm, path: Path) -> None:
    """Reject an item without two reviewers who agree with its current content."""
    of_item = defaultdict(list)
    for review in reviews:
        of_item[review.item].append(review)
    for line, item in items.items():
        said = of_item[item_digest(item)]
        readers = {one.reader for one in said if one.role != SAMPLE}
        against = [one for one in said if one.flags or not _right(one, item, form)]
        if against or len(readers) < READERS:
            raise MedzhError(
                _("a reviewer disagrees with the item") if against else _("the item has fewer than two reviewers"),
                file=path,
                line=line,
                field=form.key(item),
                expected=_(
                    ("{readers} reviewers in {reviews} who agree with the current content of the line ({item_digest})"),
                    reviews=REVIEWS,
                    item_digest=item_digest(item),
                    readers=READERS,
                ),
                found=f"{against[0].reader}: {against[0].note or against[0].answer}" if against else len(readers),
                advice=_("have the item reviewed by two reviewers who do not see its label, or delete the item"),
            )


def _right(review: Review, item: Item, form: ReviewForm) -> bool:
    label = form.label(item)
    return review.agrees and (label is None or form.same(label, review.answer))


def difficulty_table(items: Iterable[Item], form: ReviewForm) -> BuildTable:
    """Count the items by topic and difficulty."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * len(DIFFICULTIES))
    for item in items:
        found[form.topic(item)][DIFFICULTIES.index(item["difficulty"])] += 1
    total = [sum(column) for column in zip(*found.values(), strict=True)]
    counted = [*sorted(found.items()), ("all", total)]
    rows = tuple((topic, *counts, sum(counts)) for topic, counts in counted)
    return BuildTable(
        "Items by topic and difficulty (who should know the answer)", ("topic", *DIFFICULTIES, "all"), rows
    )


def review_table(items: Iterable[Item], reviews: Sequence[Review], form: ReviewForm) -> BuildTable:
    """Count the outcomes of the reviews, and measure the agreement of the reviewers before corrections."""
    kept = {form.key(item): item_digest(item) for item in items}
    blind: dict[tuple[str, str], list[Review]] = defaultdict(list)
    for review in reviews:
        if review.role == BLIND:
            blind[review.key, review.item].append(review)
    pairs = {key: (said[0], said[1]) for (key, _unused), said in blind.items() if len(said) >= READERS}
    fine = {key: not (one.flags or other.flags) and one.agrees and other.agrees for key, (one, other) in pairs.items()}
    sound = sum(key in kept and one.item == kept[key] for key, (one, _unused) in pairs.items())
    gone = [key for key in pairs if key not in kept]
    right = sum(one.agrees and other.agrees for one, other in pairs.values())
    both = [(one.answer, other.answer) for one, other in pairs.values()]
    closed = [answers for answers in both if set(answers) <= set(form.answers)]
    rows: list[tuple[str | int, ...]] = [
        ("items that two models answered without seeing the label", len(pairs)),
        ("kept unchanged", sound),
        ("corrected and reviewed again by two others", len(pairs) - sound - len(gone)),
        ("dropped because of an objection", sum(not fine[key] for key in gone)),
        ("excluded for balance or similarity", sum(fine[key] for key in gone)),
        ("both answers equal the label, before corrections", _share(right, len(pairs))),
        ("no objection, before corrections", _share(sum(fine.values()), len(pairs))),
        *(
            (("agreement between the two reviewers, and kappa, before corrections", agreement(closed)),)
            if closed
            else ()
        ),
    ]
    sampled = [review for review in reviews if review.role == SAMPLE]
    if sampled:
        rows.append(("kept items, sampled with a seed, for a third reviewer", len(sampled)))
        rows.append(("third reviewer: other answer", sum(not one.agrees for one in sampled)))
        rows += [(f"third reviewer: {flag}", sum(flag in one.flags for one in sampled)) for flag in FLAGS]
    return BuildTable("Item reviews", ("reading", "number"), tuple(rows))


def agreement(pairs: Sequence[tuple[str, str]]) -> str:
    """Format the share of equal answers, and Cohen's kappa with an interval.

    The interval is that of Wilson for the share, corrected by the agreement by chance.

    >>> agreement([("yes", "yes")] * 45 + [("no", "no")] * 45 + [("yes", "no")] * 10)
    '90.0%, 0.80 [0.65, 0.89]'
    """
    number = len(pairs)
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    by_chance = sum(first[answer] * second[answer] for answer in first) / number**2
    share = sum(one == other for one, other in pairs) / number
    low, high = wilson(share, number, CONFIDENCE)
    if by_chance == 1:
        return f"{100 * share:.1f}%"
    kappa, least, most = ((one - by_chance) / (1 - by_chance) for one in (share, low, high))
    return f"{100 * share:.1f}%, {kappa:.2f} [{least:.2f}, {most:.2f}]"


def _share(part: int, whole: int) -> str:
    low, high = wilson(part / whole, whole, CONFIDENCE) if whole else (0.0, 0.0)
    return f"{part}/{whole} [{100 * low:.1f}, {100 * high:.1f} %]"
