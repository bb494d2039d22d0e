"""CMHE-DD's `rebuilt` recipe: examination questions and dialogues to cases, as in the paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.cmhe_dd import asking
from dataset_scripts.recipes.cmhe_dd.cases import DIALOGUES, EXAMS, gather
from dataset_scripts.recipes.cmhe_dd.coding import code_names
from dataset_scripts.recipes.cmhe_dd.records import record_of
from dataset_scripts.rounds.pending import both
from dataset_scripts.terminology.disease_names import read_names
from medzh_score.messages.errors import MedzhError
from medzh_score.terminology.disease_names import dictionary_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.cmhe_dd.asking import Extracted
    from dataset_scripts.recipes.cmhe_dd.cases import Case, Gathered
    from dataset_scripts.recipes.cmhe_dd.coding import Coded
    from dataset_scripts.rounds.rounds import Rounds
    from medzh_score.terminology.disease_names import Dictionary

RECIPE = "rebuilt"
YES, NO = "yes", "no"
CHECKED = {"complete": (YES, NO), "diagnosis": (YES, NO)}

Made = list[tuple["Record | None", str]]  # a record or none, and what became of the case


def rebuild(files: Mapping[str, SourceFile], _seed: int, rounds: Rounds) -> Built:
    """Rebuild CMHE-DD from examination questions and dialogues (paper, section 3.2).

    Nothing is drawn: all that qualifies is taken.
    """
    gathered = gather(files)
    dictionary = dictionary_of(read_names(files), "rebuilt")
    exam, chat = ([case for case in gathered.cases if case.part == part] for part in ("exam", "chat"))
    made = both(partial(_exam, exam, dictionary, rounds), partial(_chat, chat, dictionary, rounds))
    records: dict[str, Record] = {}
    fates: dict[str, Counter[str]] = {"exam": Counter(), "chat": Counter()}
    for fate, results in zip(fates.values(), made, strict=True):
        for record, what in results:
            twice = record is not None and record["id"] in records
            fate["an equal description" if twice else what] += 1
            if record is not None:
                records.setdefault(record["id"], record)
    if not records:
        names = ", ".join(name for name in files if name in (*EXAMS, *DIALOGUES))
        raise MedzhError("no case can be made", field="--source", found=names or "tables of names only")
    return Built({"test": list(records.values())}, tables=(_taken(gathered), _became(fates)))


def _exam(cases: Sequence[Case], dictionary: Dictionary, rounds: Rounds) -> Made:
    """Code the answers and turn the stems into descriptions; neither needs the other."""
    names = [(case.names[0], case.text) for case in cases]
    questions = {case: ask(asking.EXAM, text=case.text) for case in cases}
    coded, described = both(
        lambda: code_names("exam-codes", names, dictionary, rounds),
        lambda: rounds.ask("exam-descriptions", questions, prompt=asking.EXAM.name, read=asking.read_exam),
    )
    return [_made(case, case.names, described.get(case), coded) for case in cases]


def _chat(cases: Sequence[Case], dictionary: Dictionary, rounds: Rounds) -> Made:
    questions = {case: ask(asking.EXTRACTION, text=case.text) for case in cases}
    found = rounds.ask("chat-extraction", questions, prompt=asking.EXTRACTION.name, read=asking.read_extraction)
    named = {case: case.names or _distinct(found[case].diagnosis) for case in cases if case in found}
    diagnosed = [case for case in named if named[case]]
    coded, described = both(
        lambda: code_names(
            "chat-codes", [(name, case.text) for case in diagnosed for name in named[case]], dictionary, rounds
        ),
        lambda: _described(diagnosed, named, found, rounds),
    )
    rows = {case: _row(case, named[case], found[case], described[case]) for case in diagnosed if case in described}
    checked = rounds.sheet("chat-check", rows, CHECKED)
    made: Made = []
    for case in cases:
        fate = _unfit(case, named, checked)
        made.append((None, fate) if fate else _made(case, named[case], described.get(case), coded))
    return made


def _described(
    diagnosed: Sequence[Case], named: Mapping[Case, Sequence[str]], found: Mapping[Case, Extracted], rounds: Rounds
) -> dict[Case, str]:
    def read(text: str, case: Case) -> str | None:
        return asking.read_description(text, found[case].information, named[case])

    questions = {case: ask(asking.DESCRIPTION, information=found[case].information) for case in diagnosed}
    return rounds.ask("chat-descriptions", questions, prompt=asking.DESCRIPTION.name, read=read)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def _row(case: Case, names: Sequence[str], found: Extracted, description: str) -> dict[str, str]:
    extracted = _distinct(found.diagnosis)
    doubt = "" if not case.names or set(extracted) & set(names) else f"the model read {'；'.join(extracted) or '无'}"
    return {"dialogue": case.text, "description": description, "diseases": "；".join(names), "doubt": doubt}


def _unfit(case: Case, named: Mapping[Case, Sequence[str]], checked: Mapping[Case, Mapping[str, str]]) -> str:
    """Say why a dialogue gives no case, as far as people and extraction say it."""
    if case not in named:
        return "nothing extracted"
    if not named[case]:
        return "no diagnosis found"
    if case not in checked:
        return "not checked"
    return next((f"a person: {column} no" for column in CHECKED if checked[case][column] == NO), "")


def _made(case: Case, names: Sequence[str], description: str | None, coded: Coded) -> tuple[Record | None, str]:
    if any(name not in coded.codes for name in names):
        return None, "not coded"
    pairs = [(name, code) for name in names for code in coded.codes[name]]
    if not pairs:
        return None, "a person: no disease"
    if description is None:
        return None, "not described"
    record = record_of(
        description=description,
        codes=[code for _, code in pairs],
        diseases=[name for name, _ in pairs],
        part=case.part,
        source=case.source,
        recipe=RECIPE,
        upstream_key=case.key,
    )
    return record, "kept"


def _taken(gathered: Gathered) -> BuildTable:
    rows = tuple(
        (source, reason, count)
        for source, counts in gathered.counts.items()
        for reason, count in sorted(counts.items())
    )
    return BuildTable("Questions and dialogues of the sources", ("source", "what became of them", "number"), rows)


def _became(fates: Mapping[str, Mapping[str, int]]) -> BuildTable:
    rows = tuple((part, fate, count) for part, counts in fates.items() for fate, count in sorted(counts.items()))
    return BuildTable("Cases that were taken", ("part", "what became of them", "number"), rows)
