"""CMHE-HD from a user's own file."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.user_file import SPLIT, Reader
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import BuildTable, CardMetadata, Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.common import check_records, mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, beside, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.cmhe_hd.prompts import (
    ANSWERS,
    BY_RULE,
    PAPER_1,
    PARTITIONS,
    answer_named,
    gold,
    partition_named,
)
from medzh_score.io.paths import package_file
from medzh_score.scoring.paper import load_paper
from medzh_score.text.fold import fold
from medzh_score.ui.errors import shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Row
    from dataset_scripts.recipe import Built, Record, SourceFile


WHOLE = "cmhe_hd"
MINI_SOURCE = "cmhe_hd-mini"
DERIVED = ("prompt", "answer", "edits", "rule")
NAMES = {"partition": partition_named, "answer": answer_named}


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read dialogues from a user's own file.

    Partitions and answers may have the paper's other names or Chinese ones; the answer follows from the partition.
    """
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_hd.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), NAMES, beside=beside(recipe))
    return Reader(form, _faults_of, _identity, _repeated, record_of, _edit_notes).read(recipe, files)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    edits = fields.get("edits", ())
    expected = gold(fields["partition"])
    if fields.get("answer", expected) != expected:
        words = _("{expected}, because the partition is {fields}", expected=expected, fields=fields["partition"])
        yield Fault("answer", _("the answer does not match the partition"), words, fields["answer"])
    if edits and fields["partition"] not in ("tampered", BY_RULE):
        yield Fault("edits", _('only tampered responses can have the field "edits"'), "none", edits)


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["question"], fields["response"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = _("each dialogue only once (first: {seen_from})", seen_from=first.seen_from(row))
    if row.fields["partition"] != first.fields["partition"]:
        problem = _("the same dialogue is in another partition")
        return Fault("partition", problem, expected, row.fields["partition"])
    return Fault("response", _("the row repeats another row"), expected, row.fields["response"])


def _edit_notes(records: Sequence[Record]) -> tuple[str, ...]:
    without = sum(record["partition"] == "tampered" and not record["edits"] for record in records)
    return (
        (_('the changes to {without:,} tampered responses are unknown (field "edits" is empty)', without=without),)
        if without
        else ()
    )


def record_of(fields: Mapping[str, Any], *, source: str, recipe: str) -> Record:
    """Make a record; the right answer follows from the partition.

    >>> fields = {"question": "感冒要用抗生素吗？", "response": "一般不需要。", "partition": "correct"}
    >>> record_of(fields, source="own", recipe="official")["answer"]
    'No'
    """
    identifier = content_id(fields["question"], fields["response"])
    return {
        "id": identifier,
        "question": fields["question"],
        "response": fields["response"],
        "answer": gold(fields["partition"]),
        "partition": fields["partition"],
        "edits": list(fields.get("edits", ())),
        "rule": fields.get("rule"),
        "prompt": PAPER_1.fill(question=fields["question"], response=fields["response"]),
        "source": source,
        "recipe": recipe,
        "upstream_key": fields.get("upstream_key") or identifier,
    }


def content_id(question: str, response: str) -> str:
    """Return the id of a dialogue from its two texts, never from its position or partition.

    >>> content_id("发热怎么办？", "多饮水。") == content_id("发热 怎么办?", "多饮水。")
    True
    """
    return f"cmhehd-{content_digest([fold(question), fold(response)])}"


def order(record: Record) -> int:
    """Return the sort key of a record in its split: by partition, in the order of the paper's Table 2."""
    return (*PARTITIONS, BY_RULE).index(record["partition"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect."""
    return _mixed(splits) + check_records(
        splits,
        lambda record: content_id(record["question"], record["response"]),
        _of_one,
        lambda record, first: f"the dialogue occurs twice ({first}): {shown(record['question'])}",
    )


def _mixed(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Reject a mixture of the partitions of the paper with those of rules."""
    found = {record["partition"] for records in splits.values() for record in records}
    beside = sorted(found & {"generated", "tampered"})
    return [f"/partition: {BY_RULE} stands beside {', '.join(beside)}"] if BY_RULE in found and beside else []


def _of_one(record: Record) -> Iterator[str]:
    if record["answer"] != gold(record["partition"]):
        yield f"/answer: {record['partition']} responses are {gold(record['partition'])}"
    if record["edits"] and record["partition"] not in ("tampered", BY_RULE):
        yield f"/edits: only tampered responses have edits: found {shown(record['edits'])}"
    if (record["rule"] is not None) != (record["partition"] == BY_RULE):
        yield f"/rule: responses that a rule tampered with have one, and no others: found {shown(record['rule'])}"
    if record["partition"] == BY_RULE and len(record["edits"]) != 1:
        yield f"/edits: a rule makes one change: found {len(record['edits'])}"


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the dialogues of each partition, with those of Table 1 of the paper."""
    (row,) = (row for table in load_paper("cmhe_hd").tables if table.number == 1 for row in table.rows)
    found = [record["partition"] for records in splits.values() for record in records]
    rows: list[tuple[str | int, ...]] = [(name, int(row[name] or 0), found.count(name)) for name in PARTITIONS]
    rows += [(BY_RULE, "-", found.count(BY_RULE))] if BY_RULE in found else []
    return BuildTable(
        title="Dialogues by partition: Table 1 of the paper and this build",
        columns=("partition", "paper", "here"),
        rows=(*rows, ("all", int(row["total"] or 0), len(found))),
    )


MINI = Path(__file__).parents[2] / "mini" / "cmhe_hd" / "CMHE-HD.jsonl"
BY_FORM = "48.0% of 400 answers"  # computed anew by a test
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("question", "response"),
    label=lambda item: gold(item["partition"]),
    answers=ANSWERS,
)
BRING = _(
    "use `--source FILE` to provide your file, with the columns of the schema; the format of the "
    "released files is not documented"
)


DATASET = Dataset(
    config="cmhe_hd",
    schema=package_file("medzh_score", "schemas/cmhe_hd.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_hd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user provided, because the format of the release is not documented",
            sources=(WHOLE,),
            make=with_table(table_1, reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
            annotated=("machine-generated", "expert-generated"),
            worded=("found", "machine-generated"),
        ),
        open_set(
            "cmhe_hd",
            "CMHE-HD",
            ITEMS,
            FORM,
            with_table(table_1, reads(read_own, OPEN)),
            (
                "Half of the answers are correct, and half were changed in one place. The choice was made at random "
                "after all were written, so a model that always says Yes has accuracy 50%. The partition generated of "
                "the paper has no counterpart."
            ),
            biases=(
                f"A linear classifier on character n-grams, trained on other topics, predicts {BY_FORM} correctly.",
            ),
        ),
        mini("the form of CMHE-HD", MINI_SOURCE, MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="partition",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-HD 给出一个患者的问题和一个医生的回答，要求判断回答是否含有不实或误导信息，`Yes` 表示有。",
        task_categories=("question-answering", "text-classification"),
        task_ids=("fact-checking",),
    ),
)
