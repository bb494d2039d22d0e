"""TCMD's `open` recipe: questions of MTCMB, frozen with the subject, the group and the split of each."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.records import group_id, records_of
from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "open"
SOURCE = "mtcmb"
RECORDS = Path(__file__).with_name("open") / "records.jsonl"
LICENCES = "Apache-2.0 AND CC-BY-4.0"  # of its repository, and on Zenodo; both are kept to
CITATION = (
    "Kong et al., MTCMB: A Multi-Task Benchmark Framework for Evaluating LLMs on Knowledge, Reasoning, and Safety in "
    "Traditional Chinese Medicine, 2025, arXiv:2506.01252; github.com/Wayyuanyuan/MTCMB (Apache-2.0) and "
    "doi:10.5281/zenodo.20465629 (CC-BY-4.0)"
)
PARAMETERS: dict[str, int | str] = {
    "upstream files": "TCM-ED-A.jsonl and TCM-ED-B.jsonl of Wayyuanyuan/MTCMB at faffd813c67f",
    "what was changed": "numbers of questions and letters of options taken off, runs of spaces folded; nothing else",
}
LIMITS = (
    (
        "It is an open counterpart of TCMD, not TCMD: none of its questions is known to be one of TCMD's, and its "
        "difficulty was compared with nothing. Do not set scores on it beside the paper's."
    ),
    (
        "Subjects and groups were assigned by rules, not by experts. Of 150 questions that a language model read in a "
        "larger set made by the same rules, 4 % had a wrong or doubtful subject, and 3 % a wrong or doubtful answer."
    ),
    (
        "It has no A3 questions, for MTCMB lost the cases that they share. Other types take their places in the test "
        "split, which has the paper's number of questions by realm; a table below has both by subject and type."
    ),
    "The questions stand in MTCMB's repository, and models may have been trained on them.",
)


def read_open(files: Mapping[str, SourceFile], _seed: int) -> Built:
    """Read the frozen questions; a group whose texts are not those of its id is refused."""
    path = files[SOURCE].path
    rows = list(read_objects(path))
    splits: dict[str, list[Record]] = {"test": [], "train": []}
    counts: Counter[tuple[str, str]] = Counter()
    for (split, name), members in groupby(rows, key=lambda row: (row[1]["split"], row[1]["group_id"])):
        numbered = list(members)
        group = _group([row for _, row in numbered])
        computed = group_id(group)
        if computed != name:
            problem, advice = "is not the id of what its group says", "restore the line, or give its group the new id"
            raise MedzhError(
                problem,
                file=path,
                line=numbered[0][0],
                field="group_id",
                expected=computed,
                found=name,
                advice=advice,
            )
        splits[split] += records_of(group, RECIPE, name)
        counts[split, group.source] += len(group.parts)
    return Built(splits, notes=_notes(splits["test"]), tables=(_by_source(counts),))


def _group(rows: Sequence[Mapping[str, Any]]) -> Group:
    parts = tuple(
        SubQuestion(row["question"], tuple(row["options"]), row["answer"], None, str(row["line"] - 1)) for row in rows
    )
    return Group(rows[0]["type"], None, parts, rows[0]["subject"], rows[0]["source"])


def _notes(test: Sequence[Record]) -> tuple[str, ...]:
    """Say where the test split has another number of questions of a realm than the examination's manual gives it."""
    here = Counter(record["realm"] for record in test)
    return tuple(
        f"the test split has {here[realm.name]} of {realm.test} questions of {realm.name}"
        for realm in REALMS
        if here[realm.name] != realm.test
    )


def _by_source(counts: Mapping[tuple[str, str], int]) -> BuildTable:
    rows = tuple((source, split, count) for (split, source), count in sorted(counts.items(), key=lambda one: one[0]))
    return BuildTable("Questions by upstream file", ("file", "split", "questions"), rows)
