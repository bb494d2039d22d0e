"""TCMD: what can be built of it, and how."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipe import BuildTable, Built, CardMetadata, Dataset, Recipe, with_table
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.tcmd.records import (
    NAMES_OF,
    Group,
    SubQuestion,
    content_id,
    folded,
    group_id,
    member_id,
    records_of,
    whole_text,
)
from dataset_scripts.recipes.tcmd.user_file import SOURCES as BROUGHT
from dataset_scripts.recipes.tcmd.user_file import read_own, table_1
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.tcmd.exam import REALMS, TYPES
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.tcmd.records import Folded

    Member = tuple[str, Record, Folded]  # with its split


SHARED = ("type", "realm", "subject", "stem")


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect."""
    of_records: list[str] = []
    groups: dict[str, list[Member]] = {}
    across = _Across()
    for split, record in ((split, record) for split, records in splits.items() for record in records):
        says = folded(record["stem"], record["question"], record["options"])
        of_records += _of_one(record, says)
        across.add(record, says, split)
        groups.setdefault(record["group_id"], []).append((split, record, says))
    of_groups = [problem for name, members in groups.items() for problem in _of_group(name, members)]
    return [*of_records, *of_groups, *across.questions_twice, *across.cases_twice]


def _of_one(record: Record, says: Folded) -> Iterator[str]:
    for name, value in NAMES_OF[record["subject"]].items():
        if record[name] != value:
            yield f"record {record['id']}: /{name}: expected {shown(value)}, found {shown(record[name])}"
    if len(set(says.options)) < len(record["options"]):
        yield f"record {record['id']}: /options: two options are equal: found {shown(record['options'])}"


def _of_group(identifier: str, members: Sequence[Member]) -> Iterator[str]:
    stands = sorted({split for split, *_unused in members})
    if len(stands) > 1:
        yield f"group {identifier}: stands in {' and '.join(stands)}"
        return
    members = sorted(members, key=lambda member: member[1]["position"])
    records = [record for _split, record, _says in members]
    first = records[0]
    positions = [record["position"] for record in records]
    if positions != list(range(1, len(records) + 1)):
        yield f"group {identifier}: expected the positions 1 to {len(records)}, found {', '.join(map(str, positions))}"
    for record in records:
        if record["id"] != member_id(identifier, len(records), record["position"]):
            yield f"record {record['id']}: its id is not that of place {record['position']} in {identifier}"
    shared = (*SHARED, "options") if first["type"] == "B1" else SHARED
    differing = [name for name in shared if any(record[name] != first[name] for record in records)]
    if differing:
        yield f"group {identifier}: its members differ in {', '.join(differing)}"
        return
    expected = content_id(first["type"], [says for *_unused, says in members])
    if identifier != expected:
        yield f"group {identifier}: expected the id of its content, {expected}"


class _Across:
    """The texts and cases that are in two splits."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[str, Record]] = {}
        self._cases: dict[str, tuple[str, Record]] = {}
        self.questions_twice: list[str] = []
        self.cases_twice: list[str] = []

    def add(self, record: Record, says: Folded, split: str) -> None:
        """Look for the text and the case of a record in the splits before its own."""
        text = whole_text(record["type"], says, record["answer"])
        if first := _elsewhere(self._texts, text, record, split):
            question = shown(record["question"])
            self.questions_twice.append(
                f"record {record['id']}: the text of its question stands in {split} and {first}: {question}"
            )
        if says.stem is not None and (first := _elsewhere(self._cases, says.stem, record, split)):
            self.cases_twice.append(f"record {record['id']}: its case stands in {split} and {first}")


def _elsewhere(places: dict[str, tuple[str, Record]], text: str, record: Record, split: str) -> str | None:
    """Return split and id of the first record with a text, if it is in another split and group."""
    first_split, first = places.setdefault(text, (split, record))
    if first_split == split or first["group_id"] == record["group_id"]:
        return None
    return f"{first_split} ({first['id']})"


RECIPE = "open"
SOURCE = "mtcmb"
RECORDS = Path(__file__).with_name("open") / "records.jsonl"
LICENCES = "Apache-2.0 AND CC-BY-4.0"  # of its repository, and on Zenodo; both are observed
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
        "It is an open counterpart of TCMD, not TCMD: no question is known to be a question of TCMD, and its "
        "difficulty was not compared. Do not compare scores with those of the paper."
    ),
    (
        "Subjects and groups were assigned by rules, not by experts. A language model reviewed 150 questions of a "
        "larger set made by the same rules: 4% had a wrong or doubtful subject, and 3% a wrong or doubtful answer."
    ),
    (
        "It has no A3 questions, because MTCMB does not contain their shared cases. Other types replace them in the "
        "test split, which has the number of questions per realm of the paper. A table below compares both by subject "
        "and type."
    ),
    "The questions are in the repository of MTCMB, and models may have been trained on them.",
)


def read_open(files: Mapping[str, SourceFile], _seed: int) -> Built:
    """Read the included questions; a group whose texts do not match its id is rejected."""
    path = files[SOURCE].path
    rows = list(read_objects(path))
    splits: dict[str, list[Record]] = {"test": [], "train": []}
    counts: Counter[tuple[str, str]] = Counter()
    for (split, name), members in groupby(rows, key=lambda row: (row[1]["split"], row[1]["group_id"])):
        numbered = list(members)
        group = _group([row for _unused, row in numbered])
        computed = group_id(group)
        if computed != name:
            problem = _("the id does not match the content of the question group")
            advice = _("restore the line, or change the id of the question group to the new id")
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
    """Note the realms whose number of test questions differs from the manual of the examination."""
    here = Counter(record["realm"] for record in test)
    return tuple(
        _(
            "the test split has {here} of {expected} questions of {realm}",
            here=here[realm.name],
            expected=realm.test,
            realm=realm.name,
        )
        for realm in REALMS
        if here[realm.name] != realm.test
    )


def _by_source(counts: Mapping[tuple[str, str], int]) -> BuildTable:
    rows = tuple((source, split, count) for (split, source), count in sorted(counts.items(), key=lambda one: one[0]))
    return BuildTable("Questions by upstream file", ("file", "split", "questions"), rows)


MINI = Path(__file__).parents[2] / "mini" / "tcmd" / "TCMD.jsonl"
BRING = _("use `--source FILE` to provide your file, with the columns of the schema; TCMD has not been released")
SUBJECTS = [subject.name for realm in REALMS for subject in realm.subjects]


def order(record: Record) -> tuple[Any, ...]:
    """Return the sort key of a record in its split: by subject and type as in Table 1, by group, by position."""
    return SUBJECTS.index(record["subject"]), TYPES.index(record["type"]), record["group_id"], record["position"]


DATASET = Dataset(
    config="tcmd",
    schema=package_file("medzh_score", "schemas/tcmd.schema.json"),
    card=package_file("dataset_scripts", "cards/tcmd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user provided, because the authors have not released TCMD",
            sources=BROUGHT,
            make=with_table(table_1, reads(read_own, "official")),
            own=BROUGHT,
            bring=BRING,
            requires_all=False,
            limits=(
                (
                    "This data was converted from a file that a user provided. Nothing shows that the file is TCMD, "
                    "because the authors released no file for comparison. If the counts differ from Table 1, the file "
                    "is not the data of the paper."
                ),
            ),
            annotated=("found",),
            worded=("found",),
        ),
        Recipe(
            name="open",
            summary="an open counterpart of TCMD, not TCMD, made from questions of MTCMB",
            sources=(SOURCE,),
            make=with_table(table_1, read_open),
            embedded={SOURCE: RECORDS},
            embedded_licence=LICENCES,
            embedded_citation=CITATION,
            parameters=PARAMETERS,
            limits=LIMITS,
            annotated=("found",),
            worded=("found",),
        ),
        mini("the form of TCMD", "tcmd-mini", MINI, with_table(table_1, reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="realm",
    metadata=CardMetadata(
        availability="not released",
        summary_zh="TCMD 收录中医执业医师资格考试题，每题二至五个选项，只有一个正确答案，分属五个领域的 18 个科目。",
        task_categories=("question-answering", "multiple-choice"),
        task_ids=("multiple-choice-qa",),
    ),
)
