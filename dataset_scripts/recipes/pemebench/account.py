"""What a rebuilt PeMeBench counts, for the terminal and the card: blocks, pairs by the way they were made, rules."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.pemebench.blocks import REASONS, UNDERSTOOD
from dataset_scripts.recipes.pemebench.generation import TEMPLATES
from dataset_scripts.recipes.pemebench.pairs import KEPT, REPEATED, UNANSWERED
from dataset_scripts.recipes.pemebench.review import DECISIONS, DROPPED, STAGE, UNSEEN
from dataset_scripts.recipes.pemebench.settings import settings
from dataset_scripts.recipes.pemebench.sifting import DROPS, REVIEWS
from medzh_score.configs.pemebench.words import DEPARTMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipes.pemebench.blocks import Block, Cut
    from dataset_scripts.recipes.pemebench.pairs import Judged

WAYS = ("zero-shot", *TEMPLATES)
FIRST = 3  # places that a note names
PAPER_MADE, PAPER_KEPT = 13_113, 12_068  # section 2.2
# Why a pair is not kept, beside the rules.
OTHERWISE = {
    UNANSWERED: "no readable answer to the question came back, and that was accepted",
    REPEATED: "the same question stands in the department before",
    **dict.fromkeys(DECISIONS.values(), "in the review sheet"),
    UNSEEN: "the row of the review sheet was left blank, and that was accepted",
}


def tables(cut: Cut, judged: Sequence[Judged]) -> tuple[BuildTable, ...]:
    """Count blocks by department and section, text in none, pairs by their way, what dropped them, and rules."""
    found = (_blocks(cut.blocks), _lost(cut), _ways(judged), _fates(judged), _rules(judged))
    return tuple(table for table in found if table.rows)


def notes(cut: Cut, passed_over: int, judged: Sequence[Judged]) -> tuple[str, ...]:
    """Say what the tables do not show; files that are neither Markdown nor plain text were passed over."""
    return tuple(_notes(cut, passed_over, judged))


def _notes(cut: Cut, passed_over: int, judged: Sequence[Judged]) -> Iterator[str]:
    kept = sum(one.fate == KEPT for one in judged)
    yield (
        f"{len(judged):,} pairs were made and {kept:,} kept; the paper made {PAPER_MADE:,} and kept {PAPER_KEPT:,}, "
        "of other books, by another model and other prompts"
    )
    yield (
        "that an answer is supported by its text was tested by pairs of characters and by numbers with their units; "
        "an answer that turns a sentence of the text into its opposite passes this test"
    )
    if passed_over:
        yield f"{passed_over:,} files of the folder are neither .md nor .txt and were passed over"
    for reason, meaning in REASONS.items():
        if places := cut.places(reason):
            more = f" and {len(places) - FIRST:,} more" if len(places) > FIRST else ""
            yield f"dropped: {len(places):,} {meaning}: {', '.join(places[:FIRST])}{more}"
    if cut.dropped["no subject"]:
        yield UNDERSTOOD
    if any(one.fate != KEPT for one in judged):
        yield f"the pairs that were not kept stand with their reasons in {STAGE}/{DROPPED} of the rounds"
    if cut.split:
        yield f"{cut.split:,} sections were longer than a block and were split at ends of paragraphs or sentences"
    absent = [known.name for known in DEPARTMENTS if known.name not in {block.department for block in cut.blocks}]
    if absent:
        yield f"the guidelines have no text of {', '.join(absent)}"


def _blocks(blocks: Sequence[Block]) -> BuildTable:
    sections = [section.name for section in settings().sections]
    counts = Counter((block.department, block.section.name) for block in blocks)
    subjects = {known.name: {b.subject for b in blocks if b.department == known.name} for known in DEPARTMENTS}
    rows: list[tuple[str | int, ...]] = [
        (name, len(found), *(counts[name, section] for section in sections), sum(counts[name, s] for s in sections))
        for name, found in subjects.items()
        if found
    ]
    return BuildTable(
        title="Text blocks by department and kind of section; subjects are diseases, techniques, scales and medicines",
        columns=("department", "subjects", *sections, "all"),
        rows=(*rows, _total(rows)) if rows else (),
    )


def _lost(cut: Cut) -> BuildTable:
    return BuildTable(
        title="Text of the guidelines that is in no block, by file",
        columns=("reason", "file", "blocks"),
        rows=tuple(
            (reason, file, count)
            for reason in REASONS
            for file, count in Counter(drop.file for drop in cut.drops if drop.reason == reason).items()
        ),
    )


def _ways(judged: Sequence[Judged]) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for way in WAYS:
        ours = [one for one in judged if one.pair.way == way]
        by_rule = sum(one.fate in DROPS for one in ours)
        reviewed = sum(one.fate == KEPT and bool(one.findings) for one in ours)
        by_person = sum(one.fate in DECISIONS.values() for one in ours)
        kept = sum(one.fate == KEPT for one in ours)
        repeated = sum(one.fate == REPEATED for one in ours)
        lost = sum(one.fate in {UNANSWERED, UNSEEN} for one in ours)
        rows.append((way, len(ours), by_rule, repeated, lost, reviewed + by_person, by_person, kept))
    return BuildTable(
        title="Pairs by the way they were made: zero-shot, or the few-shot template",
        columns=(
            "way",
            "made",
            "dropped by rule",
            "repeated",
            "answers or review missing",
            "seen by a person",
            "dropped by a person",
            "kept",
        ),
        rows=(*rows, _total(rows)),
    )


def _fates(judged: Sequence[Judged]) -> BuildTable:
    counts = Counter(one.fate for one in judged)
    return BuildTable(
        title="Pairs that were not kept, by reason; of several rules the first counts",
        columns=("reason", "meaning", "pairs"),
        rows=tuple((reason, meaning, counts[reason]) for reason, meaning in _known(DROPS | OTHERWISE, counts)),
    )


def _rules(judged: Sequence[Judged]) -> BuildTable:
    counts = Counter(finding.name for one in judged for finding in one.findings)
    return BuildTable(
        title="Rules that fired, each for all pairs",
        columns=("rule", "meaning", "then", "pairs"),
        rows=tuple(
            (name, meaning, "dropped" if name in DROPS else "a person looks", counts[name])
            for name, meaning in _known(DROPS | REVIEWS, counts)
        ),
    )


def _known(meanings: Mapping[str, str], counts: Counter[str]) -> list[tuple[str, str]]:
    return [(name, meaning) for name, meaning in meanings.items() if counts[name]]


def _total(rows: Sequence[tuple[str | int, ...]]) -> tuple[str | int, ...]:
    return ("all", *(sum(int(row[column]) for row in rows) for column in range(1, len(rows[0]))))
