"""Open sets: items written for this project, each read by two who did not see its label, and what they said.

A folder ``open`` beside the recipe of a config has ``records.jsonl``, the items in the form of the benchmark, and
``reviews.jsonl``, one line a reading. Whoever changes an item has it read again:

    python -m dataset_scripts.recipes.open_sets form CONFIG FOLDER
    python -m dataset_scripts.recipes.open_sets take CONFIG FOLDER --reader NAME --role again

The first writes what a reader sees of the items, or of those in ``--items FILE``, in an order that tells nothing:
``asked.jsonl`` to be answered, and ``shown.jsonl``, which a reader opens when all answers are fixed. An answer is a
line with the number ``n``, ``answer``, ``flags`` (of `FLAGS`) and ``note``, in ``answers.jsonl``; what is said of what
was shown stands in ``checks.jsonl``, for a phrase with ``agrees``: whether it names what the label names. The second
adds all that to the reviews.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipe import BuildTable, Recipe, ReviewForm, dataset
from medzh_score.io.atomic import write_bytes
from medzh_score.stats.intervals import LEVEL, wilson
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.process import as_process, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dataset_scripts.recipe import Built, Make, SourceFile

Item = dict[str, Any]

OPEN = "open"
RECORDS, REVIEWS = "records.jsonl", "reviews.jsonl"
BESIDE = ("topic", "difficulty", "note", "misleads")  # what a line says beside its record
DIFFICULTIES = ("nurse", "resident", "specialist")
READERS = 2
FLAGS = ("ill-formed", "off-topic", "ambiguous", "false", "doubtful", "evidence", "incomplete")
BLIND, AGAIN, SAMPLE = "blind", "again", "sample"  # before an item was mended, after it, and of those that were kept
DIGITS = 16
READ_BY = (
    "two language models per item, without its label; no physician / 每条由两个语言模型在看不到标签的情况下审读，无医师"
)


@dataclass(frozen=True)
class Review:
    """What a reader said of an item.

    Attributes
    ----------
    key : str
        The item, also after it was mended.
    item : str
        `item_digest` of what was read.
    role : str
        ``blind``, ``again`` after it was mended, or ``sample`` of the items that were kept.
    reader : str
        Who read; nobody reads an item that is his own.
    answer : str
        The answer, given without the label.
    agrees : bool
        Whether it is the label; where that is a phrase, whether the reader, who then sees it, says that his names the
        same.
    flags : list of str
        Of `FLAGS`.
    note : str
        Why.
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
    """Declare the recipe ``open``: the items in `records` that two readers agree on, made into records by `make`."""
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
    """Name the columns of a file that are no part of its records."""
    return BESIDE if recipe == OPEN else ()


def item_digest(item: Mapping[str, Any]) -> str:
    """Give 16 hex digits of the record in a line: a change of it asks for new readings, one of its topic does not.

    >>> item_digest({"a": 1, "b": 2}) == item_digest({"b": 2, "a": 1, "topic": "x"}) != item_digest({"a": 1, "b": 3})
    True
    """
    record = {name: value for name, value in item.items() if name not in BESIDE}
    written = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8")).hexdigest()[:DIGITS]


def read_items(path: Path, form: ReviewForm | None = None) -> dict[int, Item]:
    """Read the items by line, each with what a reader of `form` sees and what stands beside its record."""
    items = dict(read_objects(path))
    for line, item in items.items():
        for name in ("topic", "difficulty", "note", *((*form.asked, *form.shown) if form else ())):
            if name not in item:
                raise MedzhError(_("the value is missing"), file=path, line=line, field=name)
        found, expected = item["difficulty"], ", ".join(DIFFICULTIES)
        if found not in DIFFICULTIES:
            raise MedzhError(_("unknown difficulty"), file=path, line=line, expected=expected, found=found)
    return items


def read_reviews(path: Path) -> list[Review]:
    """Read the reviews, in the order in which they were made."""
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
    """Refuse an item that two readers do not agree on as it stands."""
    of_item = defaultdict(list)
    for review in reviews:
        of_item[review.item].append(review)
    for line, item in items.items():
        said = of_item[item_digest(item)]
        readers = {one.reader for one in said if one.role != SAMPLE}
        against = [one for one in said if one.flags or not _right(one, item, form)]
        if against or len(readers) < READERS:
            raise MedzhError(
                _("a reviewer does not agree with the item") if against else _("the item has fewer than two reviewers"),
                file=path,
                line=line,
                field=form.key(item),
                expected=_(
                    "in {reviews}, for the current content of the line ({item_digest}): {readers} reviewers who agree",
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
    """Count what became of the items that were read, and how far readers agreed before any was mended."""
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
        ("items that two models answered without the label", len(pairs)),
        ("kept unchanged", sound),
        ("corrected and reviewed again by two others", len(pairs) - sound - len(gone)),
        ("dropped because of an objection", sum(not fine[key] for key in gone)),
        ("excluded for balance or similarity", sum(fine[key] for key in gone)),
        ("both answers equal the label, before corrections", _share(right, len(pairs))),
        ("no objection, before corrections", _share(sum(fine.values()), len(pairs))),
        *((("agreement of both reviewers, and kappa, before corrections", agreement(closed)),) if closed else ()),
    ]
    sampled = [review for review in reviews if review.role == SAMPLE]
    if sampled:
        rows.append(("kept items, sampled by seed, for a third reviewer", len(sampled)))
        rows.append(("third reviewer: other answer", sum(not one.agrees for one in sampled)))
        rows += [(f"third reviewer: {flag}", sum(flag in one.flags for one in sampled)) for flag in FLAGS]
    return BuildTable("Item reviews", ("reading", "number"), tuple(rows))


def agreement(pairs: Sequence[tuple[str, str]]) -> str:
    """Say how often two answers are equal, and Cohen's kappa with an interval.

    The interval of kappa is Wilson's of the share of equal answers, corrected by the same agreement by chance.

    >>> agreement([("yes", "yes")] * 45 + [("no", "no")] * 45 + [("yes", "no")] * 10)
    '90.0%, 0.80 [0.65, 0.89]'
    """
    number = len(pairs)
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    by_chance = sum(first[answer] * second[answer] for answer in first) / number**2
    share = sum(one == other for one, other in pairs) / number
    low, high = wilson(share, number, LEVEL)
    if by_chance == 1:
        return f"{100 * share:.1f}%"
    kappa, least, most = ((one - by_chance) / (1 - by_chance) for one in (share, low, high))
    return f"{100 * share:.1f}%, {kappa:.2f} [{least:.2f}, {most:.2f}]"


def _share(part: int, whole: int) -> str:
    low, high = wilson(part / whole, whole, LEVEL) if whole else (0.0, 0.0)
    return f"{part}/{whole} [{100 * low:.1f}, {100 * high:.1f} %]"


def half_of(pair: str, first: bool) -> int:  # noqa: FBT001 - which of the two
    """Say which half of the readers sees one of the two items of a pair; the other half sees the other."""
    return (hashlib.sha256(pair.encode("utf-8")).digest()[0] + first) % 2


def forms(
    items: Iterable[Item], form: ReviewForm, half: int | None = None
) -> tuple[list[Item], list[Item], list[Item]]:
    """Make what a reader sees: of each item what is asked, and what is shown later; and the items in that order.

    The order follows from the digests, so that it tells nothing.
    """
    mine = [item for item in items if form.half is None or half is None or form.half(item) == half]
    mine.sort(key=item_digest)
    asked = [{"n": n, **{name: item[name] for name in form.asked}} for n, item in enumerate(mine, 1)]
    shown = [{"n": n, **{name: item[name] for name in form.shown}} for n, item in enumerate(mine, 1)]
    return asked, shown if form.shown else [], mine


def taken(
    mine: Sequence[Item],
    answers: Mapping[int, Mapping[str, Any]],
    form: ReviewForm,
    *,
    reader: str,
    role: str,
) -> list[Review]:
    """Make reviews of answers by number; of a phrase, the answer's ``agrees`` says whether it is the label."""
    found = []
    for number, item in enumerate(mine, 1):
        said, label = answers[number], form.label(item)
        right = said["agrees"] if label is None else form.same(label, said["answer"])
        flags, note = list(said.get("flags", ())), said.get("note", "")
        found.append(Review(form.key(item), item_digest(item), role, reader, said["answer"], right, flags, note))
    return found


def read_answers(folder: Path, asked: Sequence[Item], phrases: Iterable[int]) -> dict[int, Item]:
    """Read a reader's answers, and what was said of the items when all answers were fixed (``checks.jsonl``).

    Refused are answers to other items, or not to all; of those to `phrases` somebody must say whether they agree.
    """
    form, path, checks = (folder / f"{name}.jsonl" for name in ("asked", "answers", "checks"))
    if [row for _unused, row in read_objects(form)] != list(asked):
        expected, advice = (
            _("the output of `form` for these items"),
            _("use the same CONFIG, `--items` and `--half` as for `form`"),
        )
        raise MedzhError(_("the file belongs to other items"), file=form, expected=expected, advice=advice)
    answers = _by_number(path, len(asked), "answer")
    lacking = sorted({*range(1, len(asked) + 1)} - {*answers})
    if lacking:
        raise MedzhError(_("the value is missing"), file=path, field=f"n {lacking[0]}")
    for number, row in _by_number(checks, len(asked)).items() if checks.is_file() else ():
        said = answers[number]
        flags = sorted({*said.get("flags", ()), *row.get("flags", ())})
        notes = [note for note in (said.get("note", ""), row.get("note", "")) if note]
        answers[number] = {**said, **row, "answer": said["answer"], "flags": flags, "note": "；".join(notes)}
    for number in phrases:
        if "agrees" not in answers[number]:
            raise MedzhError(
                _("the value is missing"), file=checks, field=f"n {number}: agrees", expected=_("true or false")
            )
    return answers


def _by_number(path: Path, whole: int, *needed: str) -> dict[int, Item]:
    kinds = {"answer": (str, _("a string")), "note": (str, _("a string")), "agrees": (bool, _("true or false"))}
    found: dict[int, Item] = {}
    for line, row in read_objects(path):
        number, flags = row.get("n"), row.get("flags", [])
        if type(number) is not int or not 1 <= number <= whole:
            raise MedzhError(
                _("invalid item number"),
                file=path,
                line=line,
                field="n",
                expected=_("1 to {n_letters}", n_letters=whole),
            )
        if number in found:
            raise MedzhError(_("the value occurs twice"), file=path, line=line, field="n", found=number)
        for name, (kind, expected) in kinds.items():
            if (name in row or name in needed) and not isinstance(row.get(name), kind):
                problem = _("the value is missing") if name not in row else _("wrong type")
                raise MedzhError(problem, file=path, line=line, field=name, expected=expected)
        unknown = [flag for flag in flags if flag not in FLAGS] if isinstance(flags, list) else [flags]
        if unknown:
            expected = ", ".join(FLAGS)
            raise MedzhError(
                _("unknown review flag"), file=path, line=line, field="flags", expected=expected, found=unknown[0]
            )
        found[number] = row
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write forms for readers, or take their answers."""
    parser = argparse.ArgumentParser(prog="python -m dataset_scripts.recipes.open_sets", description=__doc__)
    parser.add_argument("what", choices=("form", "take"))
    parser.add_argument("config")
    parser.add_argument("folder", type=Path, help=_("folder with asked.jsonl, shown.jsonl and answers.jsonl"))
    parser.add_argument("--items", type=Path, help=_("file of items to use instead of the items of the config"))
    parser.add_argument(
        "--half", type=int, choices=(0, 1), help=_("half to review, if no reviewer may see both items of a pair")
    )
    parser.add_argument("--reader", help=_("name of the reviewer"))
    parser.add_argument("--role", default=BLIND, choices=(BLIND, AGAIN, SAMPLE))
    parser.set_defaults(run=_run)
    return run(parser, arguments)


def _run(chosen: argparse.Namespace) -> int:
    recipe = dataset(chosen.config).recipe(OPEN)
    form = recipe.review_form
    if form is None:
        raise MedzhError(
            _("the open data of {config} was not written for medzh and is not reviewed", config=chosen.config)
        )
    records, reviews = list(recipe.embedded.values())
    asked, shown, mine = forms(read_items(chosen.items or records, form).values(), form, chosen.half)
    if chosen.what == "form":
        answered = chosen.folder / "answers.jsonl"
        if answered.exists():
            raise MedzhError(_("the path already exists"), file=answered, advice=_("choose another folder"))
        chosen.folder.mkdir(parents=True, exist_ok=True)
        for name, rows in (("asked", asked), ("shown", shown)):
            write_lines(chosen.folder / f"{name}.jsonl", rows)
        return 0
    if not chosen.reader:
        raise MedzhError(_("this option is required"), field="--reader")
    phrases = [n for n, item in enumerate(mine, 1) if form.label(item) is None]
    answers = read_answers(chosen.folder, asked, phrases)
    made = taken(mine, answers, form, reader=chosen.reader, role=chosen.role)
    before = read_reviews(reviews)
    again = {(one.item, one.reader) for one in before} & {(one.item, one.reader) for one in made}
    if again:
        advice = _("choose another reviewer; nobody reviews an item twice")
        raise MedzhError(
            _("the reviewer has already reviewed these items"),
            file=reviews,
            field="--reader",
            found=len(again),
            advice=advice,
        )
    write_lines(reviews, [*map(asdict, before), *map(asdict, made)])
    return 0


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of one JSON object a line."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_bytes(path, text.encode("utf-8"))


if __name__ == "__main__":
    as_process(main)
