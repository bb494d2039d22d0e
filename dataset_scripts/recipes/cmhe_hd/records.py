"""CMHE-HD's records: made of their parts, with an id from the dialogue, and checked against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.record_checks import check_records
from medzh_score.configs.cmhe_hd.prompts import BY_RULE, PAPER_1, PARTITIONS, gold
from medzh_score.messages.errors import shown
from medzh_score.report.paper import load_paper
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record


def record_of(  # noqa: PLR0913 - one column each
    *,
    question: str,
    response: str,
    partition: str,
    edits: Sequence[str] = (),
    rule: str | None = None,
    source: str,
    recipe: str,
    upstream_key: str = "",
) -> Record:
    """Make a record.

    The right answer follows from the partition. Without an upstream key the id stands for it.

    >>> record_of(
    ...     question="感冒要用抗生素吗？", response="一般不需要。", partition="correct", source="own", recipe="official"
    ... )["answer"]
    'No'
    """
    identifier = content_id(question, response)
    return {
        "id": identifier,
        "question": question,
        "response": response,
        "answer": gold(partition),
        "partition": partition,
        "edits": list(edits),
        "rule": rule,
        "prompt": PAPER_1.fill(question=question, response=response),
        "source": source,
        "recipe": recipe,
        "upstream_key": upstream_key or identifier,
    }


def content_id(question: str, response: str) -> str:
    """Give the id of a dialogue from its two texts, never from its position or partition.

    >>> content_id("发热怎么办？", "多饮水。") == content_id("发热 怎么办?", "多饮水。")
    True
    """
    return f"cmhehd-{content_digest([fold(question), fold(response)])}"


def order(record: Record) -> int:
    """Say where a record stands in its split: by partition, in the order of the paper's Table 2."""
    return (*PARTITIONS, BY_RULE).index(record["partition"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Look for what no schema can see."""
    return _mixed(splits) + check_records(
        splits,
        lambda record: content_id(record["question"], record["response"]),
        _of_one,
        lambda record, first: f"the dialogue stands twice ({first}): {shown(record['question'])}",
    )


def _mixed(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Keep what rules tampered with from being merged with the paper's partitions."""
    found = {record["partition"] for records in splits.values() for record in records}
    beside = sorted(found & {"generated", "tampered"})
    return [f"/partition: {BY_RULE} stands beside {', '.join(beside)}"] if BY_RULE in found and beside else []


def _of_one(record: Record) -> Iterator[str]:
    if record["answer"] != gold(record["partition"]):
        yield f"/answer: {record['partition']} responses are {gold(record['partition'])}"
    if record["edits"] and record["partition"] not in ("tampered", BY_RULE):
        yield f"/edits: only tampered responses have edits; found {shown(record['edits'])}"
    if (record["rule"] is not None) != (record["partition"] == BY_RULE):
        yield f"/rule: responses that a rule tampered with have one, and no others; found {shown(record['rule'])}"
    if record["partition"] == BY_RULE and len(record["edits"]) != 1:
        yield f"/edits: a rule makes one change; found {len(record['edits'])}"


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the dialogues of each partition, beside what the paper's Table 1 prints."""
    (row,) = (row for table in load_paper("cmhe_hd").tables if table.number == 1 for row in table.rows)
    found = [record["partition"] for records in splits.values() for record in records]
    rows: list[tuple[str | int, ...]] = [(name, int(row[name] or 0), found.count(name)) for name in PARTITIONS]
    rows += [(BY_RULE, "-", found.count(BY_RULE))] if BY_RULE in found else []
    return BuildTable(
        title="Dialogues by partition, of the paper's Table 1 and of this build",
        columns=("partition", "paper", "here"),
        rows=(*rows, ("all", int(row["total"] or 0), len(found))),
    )
