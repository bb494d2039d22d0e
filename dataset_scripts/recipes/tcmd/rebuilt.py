"""TCMD's `rebuilt` recipe: real examination banks to groups of questions, as in the paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.published_tables import signed
from dataset_scripts.recipes.tcmd.agreement import in_doubt
from dataset_scripts.recipes.tcmd.cmb import read_cmb, read_cmb_zip
from dataset_scripts.recipes.tcmd.cmexam import read_cmexam_csv, read_cmexam_xlsx
from dataset_scripts.recipes.tcmd.dedupe import deduplicate
from dataset_scripts.recipes.tcmd.fill import by_type, fill
from dataset_scripts.recipes.tcmd.misspelt import misspelt
from dataset_scripts.recipes.tcmd.mlec import read_mlec
from dataset_scripts.recipes.tcmd.mtcmb import read_mtcmb
from dataset_scripts.recipes.tcmd.near_duplicates import near_duplicates
from dataset_scripts.recipes.tcmd.pharmacist import read_pharmacist
from dataset_scripts.recipes.tcmd.records import group_id, records_of
from dataset_scripts.recipes.tcmd.regroup import regroup
from dataset_scripts.recipes.tcmd.rows import REASONS
from dataset_scripts.recipes.tcmd.subjects import TABLE, decide, published_rules
from dataset_scripts.recipes.tcmd.tcmbench import read_tcmbench
from medzh_score.configs.tcmd.exam import REALM_OF, REALMS, TYPES
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.tcmd.groups import Group
    from dataset_scripts.recipes.tcmd.rows import Candidate, Reading

RECIPE = "rebuilt"
ANSWERS = "cmb-exam-answers"  # no questions of its own: the answers of CMB-Exam's test file
SPLITS = ("train", "dev", "test")
OWN_SOURCES = (
    *(f"mlec-{subset}-{split}" for subset in ("tcm", "cwm") for split in SPLITS),
    *(f"cmb-exam-{split}" for split in ("train", "val", "test")),
)
# In this order the first source wins, and the first fill the test split: questions of the very examination, then those
# that say subject and type, then those that say less, scans last.
SOURCES = (
    "mtcmb-ed-b",
    "mtcmb-ed-a",
    "tcmbench-fku",
    "tcmbench-khc",
    "tcmbench-cvr",
    "tcmbench-v1-a1a2",
    "tcmbench-v1-a3a4",
    "tcmbench-v1-b1",
    *OWN_SOURCES,
    "cmb",
    ANSWERS,
    "tcm-best4sdt-knowledge",
    "tcm-best4sdt-ethics",
    "cmexam-train",
    "cmexam-val",
    "cmexam-test",
    "cmexam-val-xlsx",
    *(f"tcm-pharmacist-{year}-{paper}" for year in (2022, 2023, 2024) for paper in ("1", "2", "practice")),
)
MISSPELT = "misspelt"
UNDIVIDED = "one answer"
DOUBTFUL = "subject in doubt"
# Why a sound question is not used, behind the reasons of the readers.
LATER = {
    MISSPELT: "a word of it is written with a like character everywhere else",
    UNDIVIDED: "all questions of a set of shared options have one right answer, so that one of them may be wrong",
    "duplicate": "the same question stands in a source before, or in a larger group",
    "contradicted": "the sources have different right answers for it",
    "outside": "a rule says that the examination does not ask it",
    "unassigned": "no rule gives it a subject",
    DOUBTFUL: "its words are not much likelier in the subject that a rule gave it than in another, or in any",
}
PARAMETERS: dict[str, int | str] = {
    "test questions": "/".join(str(realm.test) for realm in REALMS) + " by realm",
    "rules for subjects": signed(TABLE),
    "subjects in doubt": "of 600 that were read before the last rules 8 had a wrong subject, and 10 a doubtful one",
}


def rebuild(files: Mapping[str, SourceFile], seed: int) -> Built:
    """Rebuild TCMD from banks of examination questions (paper, sections 3.1 and 3.2).

    Rows that are no sound questions are dropped, never mended; flattened groups are brought together where there is
    no doubt; of equal questions one is kept; the rules of ``subjects.toml`` give each group its subject or leave
    it out; whole groups fill the test split to the manual's shares of the realms, and the rest is train.
    """
    names = [name for name in SOURCES if name in files and name != ANSWERS]
    if not names or not set(SOURCES) >= files.keys():
        raise MedzhError(
            "the recipe cannot be built from these sources",
            field="--source",
            expected="one or more of " + ", ".join(name for name in SOURCES if name != ANSWERS),
            found=", ".join(sorted(files)),
        )
    found: Counter[str] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    candidates: list[Candidate] = []
    unexplained: set[tuple[str, str]] = set()
    for name in names:
        reading = _read(name, files)
        found[name] = len(reading.rows) + reading.dropped.total()
        dropped.update({(name, reason): count for reason, count in reading.dropped.items()})
        unexplained.update((name, key) for key in reading.unexplained)
        candidates += regroup(reading.rows, name)
    candidates = _without(candidates, misspelt([candidate.group for candidate in candidates]), MISSPELT, dropped)
    candidates = _without(candidates, _undivided(candidates), UNDIVIDED, dropped)
    unique, repeated = deduplicate(candidates, names)
    dropped += repeated
    groups, by_rule = _assign(unique, dropped)
    if not groups:
        raise _unusable(dropped)
    test, train = fill(groups, names, seed)
    parts = {split: part for split, part in (("test", test), ("train", train)) if part}
    splits = {
        split: [record for group in part for record in records_of(group, RECIPE, group_id(group))]
        for split, part in parts.items()
    }
    filled = _filled(test, train)
    tables = (filled, _by_source(names, found, dropped, groups), _by_reason(dropped), by_rule)
    notes = (*_of_realms(filled), *_of_splits(test, train), *_left_out(groups, unexplained))
    return Built(splits, notes=notes, tables=tables)


def _unusable(dropped: Counter[tuple[str, str]]) -> MedzhError:
    return MedzhError(
        "no question of these sources can be used",
        field="--source",
        expected="questions of the examination",
        found=", ".join(f"{count:,} {reason}" for _, reason, count in _reasons(dropped)) or "no rows",
    )


def _read(name: str, files: Mapping[str, SourceFile]) -> Reading:
    path = files[name].path
    answers = files[ANSWERS].path if ANSWERS in files else None
    readers: tuple[tuple[str, Callable[[], Reading]], ...] = (
        ("mtcmb-", partial(read_mtcmb, path)),
        ("tcmbench-", partial(read_tcmbench, path)),
        ("mlec-", partial(read_mlec, path)),
        ("cmb-exam-", partial(read_cmb, path, answers)),
        ("cmb", partial(read_cmb_zip, path, answers)),
        ("tcm-best4sdt-", partial(read_cmb, path)),
        ("cmexam-val-xlsx", partial(read_cmexam_xlsx, path)),
        ("cmexam-", partial(read_cmexam_csv, path)),
        ("tcm-pharmacist-", partial(read_pharmacist, path, practice=name.endswith("practice"))),
    )
    return next(read for beginning, read in readers if name.startswith(beginning))()


def _undivided(candidates: Sequence[Candidate]) -> set[int]:
    """Find sets of shared options that do not tell their questions apart; of 13 that were read 3 were doubtful."""
    groups = [candidate.group for candidate in candidates]
    return {
        place
        for place, group in enumerate(groups)
        if group.kind == "B1" and len(group.parts) > 1 and len({part.answer for part in group.parts}) == 1
    }


def _without(
    candidates: Sequence[Candidate], wrong: set[int], reason: str, dropped: Counter[tuple[str, str]]
) -> list[Candidate]:
    """Leave groups out by their places, before a sound twin of theirs could be taken for a duplicate of them."""
    for place in wrong:
        dropped[candidates[place].group.source, reason] += len(candidates[place].group.parts)
    return [candidate for place, candidate in enumerate(candidates) if place not in wrong]


def _assign(candidates: Sequence[Candidate], dropped: Counter[tuple[str, str]]) -> tuple[list[Group], BuildTable]:
    groups = []
    counts: Counter[str] = Counter()
    for candidate in candidates:
        rule, size = decide(candidate), len(candidate.group.parts)
        counts[rule.name if rule else ""] += size
        if rule and rule.subject:
            groups.append(replace(candidate.group, subject=rule.subject))
        else:
            dropped[candidate.group.source, "outside" if rule else "unassigned"] += size
    doubtful = in_doubt(groups)
    for place in doubtful:
        dropped[groups[place].source, DOUBTFUL] += len(groups[place].parts)
    groups = [group for place, group in enumerate(groups) if place not in doubtful]
    rows = [(rule.name, rule.subject or "outside", counts[rule.name]) for rule in published_rules()]
    return groups, BuildTable(
        title="Questions by the rule that decided about them; the first that holds decides",
        columns=("rule", "subject", "questions"),
        rows=(*(row for row in rows if row[2]), ("no rule", "unassigned", counts[""])),
    )


def _by_source(
    names: Sequence[str], found: Mapping[str, int], dropped: Counter[tuple[str, str]], groups: Sequence[Group]
) -> BuildTable:
    kept = Counter(dict.fromkeys(names, 0))
    for group in groups:
        kept[group.source] += len(group.parts)
    rows: list[tuple[str | int, ...]] = []
    for name in names:
        unsound = sum(dropped[name, reason] for reason in REASONS)
        rows.append((name, found[name], unsound, *(dropped[name, reason] for reason in LATER), kept[name]))
    return BuildTable(
        title="Rows of the sources: not sound, dropped later, and kept",
        columns=("source", "found", "not sound", *LATER, "kept"),
        rows=(*rows, _total(rows)),
    )


def _by_reason(dropped: Counter[tuple[str, str]]) -> BuildTable:
    return BuildTable(
        title="Rows that were dropped, by reason; the first that holds counts",
        columns=("reason", "meaning", "rows"),
        rows=tuple((reason, meaning, count) for meaning, reason, count in _reasons(dropped)),
    )


def _reasons(dropped: Counter[tuple[str, str]]) -> list[tuple[str, str, int]]:
    totals: Counter[str] = Counter()
    for (_, reason), count in dropped.items():
        totals[reason] += count
    meanings = REASONS | LATER
    return [(meaning, reason, totals[reason]) for reason, meaning in meanings.items() if totals[reason]]


def _filled(test: Sequence[Group], train: Sequence[Group]) -> BuildTable:
    sizes: Counter[tuple[str, bool]] = Counter()
    for groups, in_test in ((test, True), (train, False)):
        for group in groups:
            sizes[REALM_OF[group.subject].name, in_test] += len(group.parts)
    rows: list[tuple[str | int, ...]] = [
        (realm.name, realm.test, sizes[realm.name, True], sizes[realm.name, False]) for realm in REALMS
    ]
    return BuildTable(
        title="Questions of the test split by realm: what the manual gives it, and what whole groups could fill",
        columns=("realm", "wanted", "filled", "left for train"),
        rows=(*rows, _total(rows)),
    )


def _total(rows: Sequence[tuple[str | int, ...]]) -> tuple[str | int, ...]:
    return ("all", *(sum(int(row[column]) for row in rows) for column in range(1, len(rows[0]))))


def _of_realms(filled: BuildTable) -> Iterator[str]:
    for realm, wanted, got, left in filled.rows[:-1]:
        if got != wanted:
            yield f"the test split has {got} of {wanted} questions of {realm}; {left} of that realm are left for train"


def _of_splits(test: Sequence[Group], train: Sequence[Group]) -> Iterator[str]:
    """Say how the splits differ from the paper's: types, groups kept out of test, a split without questions."""
    counts = Counter(dict.fromkeys(TYPES, 0))
    for group in test:
        counts[group.kind] += len(group.parts)
    for kind, wanted in by_type().items():
        if counts[kind] != wanted:
            yield f"the test split has {counts[kind]} questions of type {kind}, and the paper's has {wanted}"
    likeness = near_duplicates([*test, *train])
    alike = [group for group in train if group_id(group) in likeness]
    if alike:
        size = sum(len(group.parts) for group in alike)
        where = f"{size} questions ({len(alike)} groups)"
        yield f"{where} are in train because another group has nearly the same case, question or options"
    for split, groups in (("test", test), ("train", train)):
        if not groups:
            yield f"there is no {split} split: no question was left for it"


def _left_out(groups: Sequence[Group], unexplained: set[tuple[str, str]]) -> Iterator[str]:
    count = sum((group.source, part.upstream_key) in unexplained for group in groups for part in group.parts)
    if count:
        yield f"{count} explanations were left out, for they give the answers of other questions by their numbers"
