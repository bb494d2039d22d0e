"""What CMHE-DD's rebuilt recipe asks a model for, and how its responses are read (paper, section 3.2)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import msgspec

from dataset_scripts.recipes.asking import decoded
from medzh_score.benchmark.prompts import Prompt
from medzh_score.extraction.whole_text import answer_text
from medzh_score.terminology.disease_names import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.cmhe_dd.cases import Case

UNPRINTED = "nowhere: section 3.2 says what was asked of people and of a model, and prints no wording; this one is ours"
EXAM = Prompt(
    name="medzh-zh-1",
    text="下面是一道医学考试题的题干。请把它改写成一段对患者情况的描述。\n\n"
    "要求：\n"
    "1. 保留题干中患者的全部信息，数值和单位照抄；不补充题干没有的内容。\n"
    "2. 去掉题号和提问的话，不写诊断，不作分析。\n"
    "3. 只输出描述本身，写成连贯的一段话。\n\n【题干】\n{text}",
    printed_in=UNPRINTED,
)
FIELDS = ("年龄", "性别", "症状", "检查", "病史", "主诉")
EXTRACTION = Prompt(
    name="medzh-zh-1",
    text="下面是一段患者和医生的对话。请从对话中提取关键信息：患者的年龄、性别、症状、检查、病史、主诉，"
    "以及医生作出的疾病诊断。\n\n"
    "要求：\n"
    "1. 只写对话里说到的内容，没有说到的写空字符串；与疾病无关、但患者说到的情况写进病史。\n"
    "2. 诊断写成列表，每项一个疾病名称；医生没有作出诊断就写空列表。\n"
    '3. 只输出一个 JSON 对象，形如 {"年龄": "", "性别": "", "症状": "", "检查": "", "病史": "", "主诉": "", '
    '"诊断": []}，除此之外什么都不要写。\n\n【对话】\n{text}',
    printed_in=UNPRINTED,
)
DESCRIPTION = Prompt(
    name="medzh-zh-1",
    text="下面是从一段医患对话中提取的患者信息。请用患者自己说话的口气，把它写成一段自然、连贯的叙述，像是在向医生描述病情。\n\n"
    "要求：\n"
    "1. 写进全部信息，数值和单位照抄；不补充信息以外的内容。\n"
    "2. 不写诊断，也不写疾病的名称。\n"
    "3. 只输出叙述本身。\n\n{information}",
    printed_in=UNPRINTED,
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SHORTEST = 10  # characters of a description


class Extracted(msgspec.Struct, frozen=True):
    """What a dialogue says, field by field, as a response lists it."""

    age: str = msgspec.field(name="年龄")
    sex: str = msgspec.field(name="性别")
    symptoms: str = msgspec.field(name="症状")
    examination: str = msgspec.field(name="检查")
    history: str = msgspec.field(name="病史")
    complaint: str = msgspec.field(name="主诉")
    diagnosis: tuple[str, ...] = msgspec.field(name="诊断")

    @property
    def information(self) -> str:
        """All but the diagnosis, a line a field that says something."""
        values = (self.age, self.sex, self.symptoms, self.examination, self.history, self.complaint)
        return "\n".join(
            f"{name}：{value.strip()}" for name, value in zip(FIELDS, values, strict=True) if value.strip()
        )


_EXTRACTED = msgspec.json.Decoder(Extracted)


def read_exam(text: str, case: Case) -> str | None:
    """Read a description made of a stem.

    None where it is too short, says the answer though the stem does not, or has a number that the stem has not.
    """
    return _description(text, case.text, case.names)


def read_extraction(text: str, _case: object) -> Extracted | None:
    """Read what was extracted from a dialogue: one JSON object that says more than a diagnosis, else None."""
    found = decoded(_EXTRACTED, text)
    return found if found and found.information else None


def read_description(text: str, information: str, names: Sequence[str]) -> str | None:
    """Read a description made of extracted information.

    None where it is too short, names a disease that the information does not, or has a number that is not there.
    """
    return _description(text, information, names)


def _description(text: str, source: str, names: Sequence[str]) -> str | None:
    reply = " ".join((answer_text(text) or "").split())
    if len(reply) < SHORTEST:
        return None
    form, known = folded(reply), folded(source)
    if any(folded(name) in form and folded(name) not in known for name in names if name):
        return None
    return reply if _numbers(reply) <= _numbers(source) else None


def _numbers(text: str) -> set[str]:
    return set(NUMBER.findall(unicodedata.normalize("NFKC", text)))
