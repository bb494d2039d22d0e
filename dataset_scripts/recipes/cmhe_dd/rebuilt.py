"""CMHE-DD's `rebuilt` recipe: examination questions and dialogues to cases, as in the paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.banks.choice_questions import APOLLO_BANKS, CMEXAM
from dataset_scripts.recipes.cmhe_dd import asking
from dataset_scripts.recipes.cmhe_dd.cases import DIALOGUES, EXAMS, gather
from dataset_scripts.recipes.cmhe_dd.coding import code_names
from dataset_scripts.recipes.cmhe_dd.made import Made, record_of_case
from dataset_scripts.recipes.cmhe_dd.records import MODEL
from dataset_scripts.recipes.cmhe_dd.rules_only import made_by_rule
from dataset_scripts.recipes.cmhe_dd.settings import Settings, changed
from dataset_scripts.recipes.settings_files import read_switches
from dataset_scripts.rounds.pending import both
from dataset_scripts.terminology.disease_names import read_names
from medzh_score.messages.errors import MedzhError
from medzh_score.terminology.disease_names import dictionary_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.cmhe_dd.asking import Extracted
    from dataset_scripts.recipes.cmhe_dd.cases import Case, Gathered
    from dataset_scripts.rounds.rounds import Rounds
    from medzh_score.terminology.disease_names import Dictionary

SETTINGS = "cmhe_dd-settings"
YES, NO = "yes", "no"
CHECKED = {"complete": (YES, NO), "diagnosis": (YES, NO)}


def rebuild(files: Mapping[str, SourceFile], _seed: int, rounds: Rounds) -> Built:
    """Rebuild CMHE-DD from examination questions and dialogues (paper, section 3.2).

    Nothing is drawn: all that qualifies is taken.
    """
    settings = read_switches(files[SETTINGS].path, Settings()) if SETTINGS in files else Settings()
    gathered = gather(files, (*EXAMS, *CMEXAM), APOLLO_BANKS) if settings.rules_only else gather(files)
    dictionary = dictionary_of(read_names(files), "rebuilt")
    exam, chat = ([case for case in gathered.cases if case.part == part] for part in ("exam", "chat"))
    if settings.rules_only:
        made = made_by_rule(exam, dictionary), made_by_rule(chat, dictionary)
    else:
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
        names = ", ".join(name for name in files if name in (*EXAMS, *CMEXAM, *DIALOGUES))
        raise MedzhError("no case can be made", field="--source", found=names or "tables of names only")
    tables = (_taken(gathered), _became(fates))
    unread = tuple(name for name in CMEXAM if name in files and not settings.rules_only)
    return Built({"test": list(records.values())}, notes=changed(settings), tables=tables, left_out=unread)


def _exam(cases: Sequence[Case], dictionary: Dictionary, rounds: Rounds) -> Made:
    """Code the answers and turn the stems into descriptions; neither needs the other."""
    names = [(case.names[0], case.text) for case in cases]
    questions = {case: ask(asking.EXAM, text=case.text) for case in cases}
    coded, described = both(
        lambda: code_names("exam-codes", names, dictionary, rounds),
        lambda: rounds.ask("exam-descriptions", questions, prompt=asking.EXAM.name, read=asking.read_exam),
    )
    return [record_of_case(case, case.names, described.get(case), coded, MODEL) for case in cases]


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
        kept = (None, fate) if fate else record_of_case(case, named[case], described.get(case), coded, MODEL)
        made.append(kept)
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
