"""CARE-MI's records: made of their parts, with an id from the content, and checked against each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.user_file import SPLIT, Reader
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.common import check_records
from dataset_scripts.recipes.open_sets import beside
from medzh_score.io.paths import package_file
from medzh_score.text.fold import fold
from medzh_score.ui.errors import shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Row
    from dataset_scripts.recipe import Built, Record, SourceFile


SOURCES = ("BIOS", "CPubMed", "MEDQA", "MLEC-QA", "CMExam", "written")
TYPES = ("tf", "open")
TRUE = "true"  # the statement that is asked about unless another is named
STOP = "。"
STOPS = "。．.；;，,、 \t\u3000"
# Table 3 of the paper, before the expert review; the counts after it are not stated.
TABLE_3 = {
    ("BIOS", "tf"): 79,
    ("CPubMed", "tf"): 497,
    ("MEDQA", "tf"): 1_617,
    ("MEDQA", "open"): 1_346,
    ("MLEC-QA", "tf"): 1_333,
    ("MLEC-QA", "open"): 907,
}


def record_of(fields: Mapping[str, Any], *, source: str = "", recipe: str) -> Record:
    """Make a record; evidence without a corpus has "", and without a rank 0."""
    true, true_changed = stopped(fields["true_statement"])
    false, false_changed = stopped(fields["false_statement"])
    ends = {"final-stop-true": true_changed, "final-stop-false": false_changed}
    evidence, identifier = fields.get("evidence", ()), content_id(fields["question"], true)
    return {
        "id": identifier,
        "question": fields["question"],
        "type": fields["type"],
        "asked": fields.get("asked", TRUE) if fields["type"] == "tf" else None,
        "source": fields.get("source", source),
        "context": fields.get("context", ""),
        "true_statement": true,
        "false_statement": false,
        "false_method": fields["false_method"],
        "evidence": list(evidence),
        "evidence_corpus": fields.get("evidence_corpus") or [""] * len(evidence),
        "evidence_rank": fields.get("evidence_rank") or [0] * len(evidence),
        "rules": [*fields.get("rules", ()), *(rule for rule, matches in ends.items() if matches)],
        "prompt": fields["question"],  # the prompt of the paper is the question only (section 4)
        "answer": true,
        "recipe": recipe,
        "upstream_key": fields.get("upstream_key") or identifier,
    }


def content_id(question: str, true_statement: str) -> str:
    """Return the id of a question from its text and right answer, never from its position or its wrong answer.

    >>> content_id("会早产吗？", "会早产。") == content_id("会早产吗?", "会早产。")
    True
    """
    return f"caremi-{content_digest([fold(question), fold(true_statement)])}"


def stopped(statement: str) -> tuple[str, bool]:
    """End a statement with one full stop, and return whether that changed it.

    >>> stopped("产后出血可由子宫收缩乏力导致"), stopped("产后出血可由子宫收缩乏力导致。")
    (('产后出血可由子宫收缩乏力导致。', True), ('产后出血可由子宫收缩乏力导致。', False))
    """
    ended = statement.strip().rstrip(STOPS) + STOP
    return ended, ended != statement


def order(record: Record) -> tuple[int, int]:
    """Return the sort key of a record in its split: by source and type, in the order of the paper's Table 3."""
    return SOURCES.index(record["source"]), TYPES.index(record["type"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect."""
    return check_records(
        splits,
        lambda record: content_id(record["question"], record["true_statement"]),
        _of_one,
        lambda record, first: f"the question occurs twice ({first}): {shown(record['question'])}",
    )


def _of_one(record: Record) -> Iterator[str]:
    if record["prompt"] != record["question"]:
        yield "/prompt: the prompt is not the question"
    if record["answer"] != record["true_statement"]:
        yield "/answer: the answer is not the true statement"
    if (record["asked"] is None) != (record["type"] == "open"):
        yield f"/asked: expected null for open questions only, found {shown(record['asked'])}"
    true, false = (fold(stopped(record[field])[0]) for field in ("true_statement", "false_statement"))
    if true == false:
        found = shown(record["false_statement"])
        yield f"/false_statement: the false statement is equal to the true statement: found {found}"
    for field in ("true_statement", "false_statement"):
        if stopped(record[field])[1]:
            yield f"/{field}: the statement does not end with one full stop: found {shown(record[field])}"
    if not record["question"].startswith(record["context"]):
        yield f"/context: the question does not start with the context: found {shown(record['context'])}"
    lengths = [len(record[field]) for field in ("evidence", "evidence_corpus", "evidence_rank")]
    if len(set(lengths)) > 1:
        yield f"/evidence: the lists have {lengths[0]}, {lengths[1]} and {lengths[2]} entries"


def table_3(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the questions by source and type, with those of Table 3 of the paper."""
    found = Counter((record["source"], record["type"]) for records in splits.values() for record in records)
    cells = [(source, kind) for source in SOURCES for kind in TYPES if (source, kind) in TABLE_3 or found[source, kind]]
    rows: list[tuple[str | int, ...]] = [
        (source, kind, TABLE_3.get((source, kind), "-"), found[source, kind]) for source, kind in cells
    ]
    rows += [
        (
            "all",
            kind,
            sum(n for (_unused, one), n in TABLE_3.items() if one == kind),
            sum(found[s, kind] for s in SOURCES),
        )
        for kind in TYPES
    ]
    return BuildTable(
        title="Questions by source and type: Table 3 of the paper (before the expert review) and this build",
        columns=("source", "type", "paper", "here"),
        rows=(*rows, ("all", "all", sum(TABLE_3.values()), found.total())),
    )


WHOLE = "care_mi"
MINI = "care_mi-mini"
DERIVED = ("context", "evidence", "evidence_corpus", "evidence_rank", "rules", "prompt", "answer")
_LABELS = {label.casefold().replace("-", ""): label for label in SOURCES}


def source_named(text: str) -> str:
    """Return the name of a source; an unknown text is unchanged.

    >>> source_named("mlec_qa"), source_named("mine")
    ('MLEC-QA', 'mine')
    """
    return _LABELS.get(text.strip().casefold().replace("-", "").replace("_", ""), text)


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a file of the user.

    The source is a property of the question here, and therefore required.
    """
    schema = read_schema(package_file("medzh_score", "schemas/care_mi.schema.json"))
    made = row_schema(schema, derived=DERIVED)
    with_source = {
        **made,
        "required": [*made["required"], "source"],
        "properties": {**made["properties"], "source": schema["properties"]["source"]},
    }
    spellings = {"source": source_named, "asked": str.lower}
    form = Form(with_source, dict.fromkeys(files, SPLIT), spellings, beside=beside(recipe))
    return Reader(form, _faults_of, _identity, _repeated, record_of).read(recipe, files)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    evidence = fields.get("evidence", ())
    true, false = (stopped(fields[name])[0] for name in ("true_statement", "false_statement"))
    if fold(true) == fold(false):
        expected = _('a statement that differs from the field "true_statement"')
        yield Fault(
            "false_statement",
            _("the false statement is equal to the true statement"),
            expected,
            fields["false_statement"],
        )
    if fields.get("answer", fields["true_statement"]) != fields["true_statement"]:
        yield Fault(
            "answer",
            _('the answer differs from the field "true_statement"'),
            fields["true_statement"],
            fields["answer"],
        )
    if not fields["question"].startswith(fields.get("context", "")):
        yield Fault("context", _("the question does not start with the context"), fields["question"], fields["context"])
    if fields["type"] == "open" and "asked" in fields:
        yield Fault("asked", _("the field is not allowed for open questions"), "none", fields["asked"])
    for name in ("evidence_corpus", "evidence_rank"):
        if fields.get(name) and len(fields[name]) != len(evidence):
            expected = _("{n_evidence} values, one per evidence paragraph", n_evidence=len(evidence))
            yield Fault(
                name,
                _("the number of values differs from the number of evidence paragraphs"),
                expected,
                len(fields[name]),
            )


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["question"], stopped(fields["true_statement"])[0])


def _repeated(row: Row, first: Row) -> Fault:
    expected = _("each question only once (first: {seen_from})", seen_from=first.seen_from(row))
    return Fault("question", _("the row repeats another row"), expected, row.fields["question"])
