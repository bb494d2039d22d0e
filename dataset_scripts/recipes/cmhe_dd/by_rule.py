"""CMHE-DD's cases without models and people: the case as its source words it, without its diagnosis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.stems import ENDS, asked_clause, begins_with_a_patient, is_examined, is_sound, mended
from dataset_scripts.recipes.cmhe_dd.cases import SHORTEST
from dataset_scripts.recipes.cmhe_dd.telling import tells
from medzh_score.terminology.disease_names import folded
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import category_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.cmhe_dd.cases import Case
    from medzh_score.terminology.disease_names import Dictionary

# Clauses that only lead up to the question, and ones that suppose what the case does not say.
LEADS = re.compile(
    r"[^，,；;。]*(?:根据|结合|综合|依据|由此|为此|此时|目前|现在|上述|以上|如此|据此|考虑|诊断)[^，,；;。]*$"
)
LED_TO = re.compile(r"(?<=。)(?:根据|结合|综合|依据|从|由)[^。]*。?$")
SUPPOSES = re.compile(r"^(?:若|如果?|假如|假设|假定|倘若)")
ASKS_AGAIN = re.compile(
    r"[？?]|的是$|检查是|需要?[作做]的|必须做的|为(?:明确|确定|进一步)诊断|应做|应进行|下列|以下|哪[种个项些]|可能的?诊断|^\W*$"
)
# What is asked of a part of the case only, and a case that is no patient's.
NARROWS = re.compile(r"除|听诊|病因|发现|如何|并发|合并|以外|主诉|状态|原因|[一二]者|进展|继发|死")
SET_ASIDE = re.compile(r"除[^，]{2,}外，")
DEAD = re.compile(r"尸|剖检|解剖|生前|死者|死亡|死后")
NAMED_BEFORE = "names its disease"
SAYS_NO_MORE = "says too little without the question"
GARBLED = "is cut, garbled or about a picture"
SUPPOSED = "asks about what it supposes"
NARROW = "asks about a part of the case"

PATIENT, DOCTOR = "患者：", "医生："
RUN_ON = re.compile(r"[^\W_]{20}")  # typed without a mark, so that nobody knows what belongs to what
LEAST_OF_PATIENT = 40  # characters that the patient says before the diagnosis
MASKED = "[MASK]"  # what DialMed puts in a drug's place
# A doctor's turn that leaves open, denies or only mentions what it names; and what only eyes can judge.
OPEN = re.compile(
    r"[？?吗呢]|也可能|也有可能|是不是|有没有|排除|除外|不像|不是|不考虑|没有|如果|或者?|也许|除非|引起的?$|导致|以前|既往|曾"
)
SEEN = re.compile(
    r"图|\d{1,2}:\d{2}|[胃肠]镜|镜检|照片|相片|拍|看着|看起来|看上去|视频|报告|化验单|检查单|结果发|发过来|发来|\?{2,}"
)
# What may stand between a name and the beginning of its clause; 肠胃炎 is no 胃炎.
BEFORE_A_NAME = r"(?:^|[是虑为个有于点种的断像]|可能|急性|慢性|普通)"
BESIDE = re.compile(r"紊乱|消化不良|反流|返流|痉挛|综合征")  # what is diagnosed, too, and in no dictionary
SKIN = "XII"  # whose diseases a doctor looks at
NOT_DISEASES = frozenset({"XVIII", "XX", "XXI"})
# What says no more than where it is inflamed: who only reads of pain and stools cannot tell it from its neighbours.
VAGUE = frozenset(("胃炎", "肠炎"))
TYPED = re.compile(r"[12ⅠⅡⅠⅡ一二]型糖尿病")
UNTYPED = "E14"  # of diabetes whose type nobody knows
LESS = "its code says less than the case"
NOT_EXAMINED = "nothing is found on the patient: several diseases are as likely"
# A case that belongs to pregnancy and birth has a code of that chapter, or of the child's.
PREGNANT = re.compile(r"(?<![未不])(?:妊娠|怀孕|孕\d|流产|清宫|分娩|产后|引产)")
OF_BIRTH = frozenset("OPQ")
OTHER_CHAPTER = "it belongs to pregnancy, and its code does not"
UNSURE = "the doctor does not say this disease, or says it in doubt"
OTHERS = "another disease is named"
LOOKED_AT = "what was seen is not in the text"
UNTOLD = "it does not say what tells its disease from its neighbours"
OF_AN_INFANT = re.compile(r"^(?=\d+\s*个月(?:零\d+天)?[，,])")  # whose stem lost the word for who that is
FACES = re.compile("[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]")
OR = re.compile(r"(?<=\d)\.(?=\d下)")  # 打3.4下 is three or four
WORDLESS = re.compile(r"^(?:嗯+|哦+|噢|喔|好|好的|在忙吗)?\W*$")


def described_exam(case: Case, codes: Sequence[str]) -> tuple[str | None, str]:
    """Give a stem without its question, or none and why."""
    told, asked = asked_clause(OF_AN_INFANT.sub("患儿，", mended(case.text)))
    sentence = re.split(r"[。；;]", told)[-1] + asked
    told = LED_TO.sub("", told)
    while told and not told.endswith("。") and (lead := LEADS.search(told.rstrip(ENDS))):
        told = told[: lead.start()]
    told = told.rstrip(ENDS)
    fails = {
        SUPPOSED: SUPPOSES.match(sentence),
        NARROW: NARROWS.search(asked) or SET_ASIDE.search(sentence) or DEAD.search(told),
        GARBLED: not is_sound(told) or not begins_with_a_patient(told),
        LESS: TYPED.search(told) and any(code.startswith(UNTYPED) for code in codes),
        OTHER_CHAPTER: PREGNANT.search(told) and not all(code[0] in OF_BIRTH for code in codes),
        SAYS_NO_MORE: len(told) < SHORTEST or ASKS_AGAIN.search(told),
        NAMED_BEFORE: any(folded(name) in folded(told) for name in case.names),
        NOT_EXAMINED: not is_examined(told),
        UNTOLD: not tells(told, codes),
    }
    why = next((reason for reason, found in fails.items() if found), "")
    return (None, why) if why else (f"{told}。", "")


def described_chat(case: Case, codes: Sequence[str], dictionary: Dictionary) -> tuple[str | None, str]:
    """Give a dialogue up to where the doctor names the one disease that the source gives, or none and why.

    Two must agree: the source's label, and the doctor's own words, which name it as it is and nothing of another
    category.
    """
    turns = case.text.split("\n")
    categories = {category_of(code) for code in codes}
    place = next((place for place, turn in enumerate(turns) if _states(turn, case.names)), None)
    if len(case.names) != 1 or place is None:
        return None, UNSURE
    said = {one for turn in turns if turn.startswith(DOCTOR) for one in _categories(turn, dictionary)}
    before = "\n".join(_said(turns[:place]))
    told = sum(len(turn) - len(PATIENT) for turn in turns[:place] if turn.startswith(PATIENT))
    seen = any(SEEN.search(turn) for turn in turns[: place + 1])
    fails = {
        UNSURE: VAGUE.intersection(case.names),
        GARBLED: any(RUN_ON.search(turn.removeprefix(PATIENT)) for turn in turns[:place] if turn.startswith(PATIENT)),
        LOOKED_AT: seen or any(at is not None and at.chapter == SKIN for at in map(icd10().place, codes)),
        OTHERS: said != categories or BESIDE.search(turns[place]) or _categories(before, dictionary),
        NAMED_BEFORE: any(folded(name) in folded(before) for name in case.names),
        SAYS_NO_MORE: told < LEAST_OF_PATIENT,
        UNTOLD: not tells(before, codes),
    }
    why = next((reason for reason, found in fails.items() if found), "")
    return (None, why) if why else (before, "")


def _said(turns: Sequence[str]) -> list[str]:
    """Give what was said in words, up to the last that the patient says: faces and nods are none."""
    bare = [OR.sub("、", FACES.sub("", turn)) for turn in turns]
    kept = [turn for turn in bare if not WORDLESS.match(turn.removeprefix(PATIENT).removeprefix(DOCTOR))]
    while kept and not kept[-1].startswith(PATIENT):
        kept.pop()
    return kept


def _states(turn: str, names: Sequence[str]) -> bool:
    """Tell whether a doctor's turn names a disease, in a clause that leaves nothing open."""
    clauses = re.split(r"[，,。！!；;]", turn)
    return turn.startswith(DOCTOR) and any(
        re.search(BEFORE_A_NAME + re.escape(name), clause) and not OPEN.search(clause) and MASKED not in clause
        for clause in clauses
        for name in names
    )


def _categories(text: str, dictionary: Dictionary) -> set[str]:
    """Give the categories of the diseases that a text names, symptoms and circumstances aside."""
    found = set()
    for mention in dictionary.mentions(text, folded(text)):
        place = icd10().place(mention.code)
        if place is not None and place.chapter not in NOT_DISEASES:
            found.add(category_of(mention.code))
    return found
