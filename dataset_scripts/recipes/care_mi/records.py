"""CARE-MI's records: made of their parts, with an id from the content, and checked against each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.record_checks import check_records
from medzh_score.messages.errors import shown
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.care_mi.samples import Sample

SOURCES = ("BIOS", "CPubMed", "MEDQA", "MLEC-QA", "CMExam", "written")
TYPES = ("tf", "open")
TRUE = "true"  # the statement that is asked about unless another is named
STOP = "。"
STOPS = "。．.；;，,、 \t\u3000"
# What the paper's Table 3 counts before the experts look; it does not say how many of each are left after them.
TABLE_3 = {
    ("BIOS", "tf"): 79,
    ("CPubMed", "tf"): 497,
    ("MEDQA", "tf"): 1_617,
    ("MEDQA", "open"): 1_346,
    ("MLEC-QA", "tf"): 1_333,
    ("MLEC-QA", "open"): 907,
}


def record_of(
    sample: Sample, *, evidence: Sequence[tuple[str, int, str]] = (), recipe: str, upstream_key: str = ""
) -> Record:
    """Make a record.

    Of evidence: corpus, rank and text of each paragraph; corpus "" and rank 0 where nobody says. Without an upstream
    key the id stands for it.
    """
    identifier = content_id(sample.question, sample.true_statement)
    return {
        "id": identifier,
        "question": sample.question,
        "type": sample.type,
        "asked": sample.asked,
        "source": sample.source,
        "context": sample.context,
        "true_statement": sample.true_statement,
        "false_statement": sample.false_statement,
        "false_method": sample.false_method,
        "evidence": [text for _, _, text in evidence],
        "evidence_corpus": [corpus for corpus, _, _ in evidence],
        "evidence_rank": [rank for _, rank, _ in evidence],
        "rules": list(sample.rules),
        "prompt": sample.question,  # the paper asks the question alone (section 4)
        "answer": sample.true_statement,
        "recipe": recipe,
        "upstream_key": upstream_key or sample.upstream_key or identifier,
    }


def content_id(question: str, true_statement: str) -> str:
    """Give the id of a question from its text and right answer, never from its position or its wrong answer.

    >>> content_id("会早产吗？", "会早产。") == content_id("会早产吗?", "会早产。")
    True
    """
    return f"caremi-{content_digest([fold(question), fold(true_statement)])}"


def stopped(statement: str) -> tuple[str, bool]:
    """Give a statement one full stop, by which none gives itself away, and say whether that changed it.

    >>> stopped("产后出血可由子宫收缩乏力导致"), stopped("产后出血可由子宫收缩乏力导致。")
    (('产后出血可由子宫收缩乏力导致。', True), ('产后出血可由子宫收缩乏力导致。', False))
    """
    ended = statement.strip().rstrip(STOPS) + STOP
    return ended, ended != statement


def order(record: Record) -> tuple[int, int]:
    """Say where a record stands in its split: by source and type, in the order of the paper's Table 3."""
    return SOURCES.index(record["source"]), TYPES.index(record["type"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Look for what no schema can see."""
    return check_records(
        splits,
        lambda record: content_id(record["question"], record["true_statement"]),
        _of_one,
        lambda record, first: f"the question stands twice ({first}): {shown(record['question'])}",
    )


def _of_one(record: Record) -> Iterator[str]:
    if record["prompt"] != record["question"]:
        yield "/prompt: is not the question"
    if record["answer"] != record["true_statement"]:
        yield "/answer: is not the true statement"
    if (record["asked"] is None) != (record["type"] == "open"):
        yield f"/asked: is null where type is open, and nowhere else; found {shown(record['asked'])}"
    true, false = (fold(stopped(record[field])[0]) for field in ("true_statement", "false_statement"))
    if true == false:
        yield f"/false_statement: says what the true one says; found {shown(record['false_statement'])}"
    for field in ("true_statement", "false_statement"):
        if stopped(record[field])[1]:
            yield f"/{field}: does not end with one full stop; found {shown(record[field])}"
    if not record["question"].startswith(record["context"]):
        yield f"/context: is not what the question begins with; found {shown(record['context'])}"
    lengths = [len(record[field]) for field in ("evidence", "evidence_corpus", "evidence_rank")]
    if len(set(lengths)) > 1:
        yield f"/evidence: its lists are {lengths[0]}, {lengths[1]} and {lengths[2]} long"


def table_3(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the questions by source and type, beside what the paper's Table 3 prints."""
    found = Counter((record["source"], record["type"]) for records in splits.values() for record in records)
    cells = [(source, kind) for source in SOURCES for kind in TYPES if (source, kind) in TABLE_3 or found[source, kind]]
    rows: list[tuple[str | int, ...]] = [
        (source, kind, TABLE_3.get((source, kind), "-"), found[source, kind]) for source, kind in cells
    ]
    rows += [
        ("all", kind, sum(n for (_, one), n in TABLE_3.items() if one == kind), sum(found[s, kind] for s in SOURCES))
        for kind in TYPES
    ]
    return BuildTable(
        title="Questions by source and type: of the paper's Table 3, before its experts looked, and of this build",
        columns=("source", "type", "paper", "here"),
        rows=(*rows, ("all", "all", sum(TABLE_3.values()), found.total())),
    )
