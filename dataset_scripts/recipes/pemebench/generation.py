"""What PeMeBench's rebuilt recipe asks a model for, and how its responses are read (paper, section 2.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from dataset_scripts.recipes.asking import ask, decoded
from dataset_scripts.recipes.pemebench.seeds import draw_seeds
from dataset_scripts.recipes.pemebench.settings import settings
from medzh_score.benchmark.prompts import Prompt
from medzh_score.extraction.whole_text import answer_text

if TYPE_CHECKING:
    from dataset_scripts.recipes.pemebench.blocks import Block
    from medzh_score.benchmark.asking import Question

UNPRINTED = "nowhere as text: Figures 1 and 2 are images, and this wording is ours"
MATERIAL = "【科室】{department}\n【主题】{subject}\n【章节】{section}\n【文字】\n{text}"
SELF_CONTAINED = "每个问题单独看也能看懂：写明疾病、技术、量表或药物的全名，不用“该病”“本病”“上述”“文中”这类说法。"
ZERO_SHOT = Prompt(
    name="medzh-zh-1",
    text="下面是儿科诊疗资料中的一段文字。请根据这段文字编写若干组问题和答案，用来考查儿科医学知识。\n\n"
    "要求：\n"
    "1. 问题和答案的全部内容都必须来自这段文字，不补充文字以外的知识。\n"
    f"2. {SELF_CONTAINED}\n"
    "3. 问题互不重复，一个问题只问一件事，最多 {most} 组；文字中没有可问的内容就输出 []。\n"
    "4. 答案完整、准确，尽量用原文的说法，数值和单位照抄原文。\n"
    '5. 只输出一个 JSON 数组，形如 [{"问题": "……", "答案": "……"}]，除此之外什么都不要写。\n\n' + MATERIAL,
    printed_in=UNPRINTED,
)
FEW_SHOT = Prompt(
    name="medzh-zh-1",
    text="下面是儿科诊疗资料中的一段文字。请仿照示例的提问方式，根据这段文字编写{kind}的问题：{aim}\n\n"
    "要求：\n"
    "1. 问题的全部内容都必须来自这段文字，并且只凭这段文字就能完整回答。\n"
    f"2. {SELF_CONTAINED}\n"
    "3. 问题互不重复，一个问题只问一件事，不照抄示例，最多 {most} 个；文字中没有可问的内容就输出 []。\n"
    '4. 只输出一个 JSON 数组，形如 ["……？", "……？"]，除此之外什么都不要写。\n\n'
    "【示例】\n{examples}\n\n" + MATERIAL,
    printed_in=UNPRINTED,
)
NO_ANSWER = "无法回答"
ANSWER = Prompt(
    name="medzh-zh-1",
    text="请根据下面这段儿科诊疗资料中的文字回答问题。\n\n"
    "要求：\n"
    "1. 答案的全部内容都必须来自这段文字，不补充文字以外的知识；尽量用原文的说法，数值和单位照抄原文。\n"
    "2. 只写答案本身，写成连贯的一段话，不重复问题，不加说明和标记。\n"
    f"3. 文字中没有答案时，只写“{NO_ANSWER}”。\n\n"
    "【问题】{question}\n" + MATERIAL,
    printed_in=UNPRINTED,
)
# The names of the paper for the kinds of question, and what each asks for (section 2.2.2).
TEMPLATES = {
    "definition": ("考察定义类", "考查定义、概念、分类、病因等基础知识和专业术语。"),
    "solution": ("询问解决方案类", "询问遇到某种情况时怎样诊断、治疗、处理或预防。"),
    "reason": ("询问原因类", "询问为什么，也就是某种表现、判断或做法的原因、机制或依据。"),
}
EXAMPLES = 3  # section 2.1, step 2

# Of what was damaged on its way: control characters, and characters that could not be read.
DAMAGED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd-\uffff]")
SEEN = re.compile(r"\w")
LABEL = re.compile(r"(?:【答案】|答案[：:])\s*")


class Made(msgspec.Struct, frozen=True):
    """A question with its answer, as a zero-shot response lists it."""

    question: str = msgspec.field(name="问题")
    answer: str = msgspec.field(name="答案")


_PAIRS = msgspec.json.Decoder(list[Made])
_TEXTS = msgspec.json.Decoder(list[str])


def ask_pairs(block: Block) -> Question:
    """Ask for questions and answers at once (zero-shot)."""
    return ask(ZERO_SHOT, **_material(block), most=settings().pairs)


def ask_questions(block: Block, kind: str, seed: int) -> Question:
    """Ask for questions of a kind, after three examples (few-shot)."""
    named, aim = TEMPLATES[kind]
    examples = "\n".join(draw_seeds(kind, EXAMPLES, seed, block.id))
    return ask(FEW_SHOT, **_material(block), kind=named, aim=aim, examples=examples, most=settings().questions)


def ask_answer(block: Block, question: str) -> Question:
    """Ask a question together with the text that holds the answer."""
    return ask(ANSWER, **_material(block), question=question)


def read_pairs(text: str) -> tuple[Made, ...] | None:
    r"""Read the response to a zero-shot prompt: one JSON array of objects with 问题 and 答案, neither blank.

    A closed thinking block and a fence are passed over. None, and asked again, where it is anything else, or damaged by
    control characters or U+FFFD.

    >>> read_pairs('```json\n[{"问题": "什么是贫血？", "答案": "血红蛋白低于正常。"}]\n```')
    (Made(question='什么是贫血？', answer='血红蛋白低于正常。'),)
    >>> read_pairs("问题：什么是贫血？") is None
    True
    """
    listed = decoded(_PAIRS, text)
    if listed is None or not all(_sound(pair.question) and _sound(pair.answer) for pair in listed):
        return None
    return tuple(Made(pair.question.strip(), pair.answer.strip()) for pair in listed)


def read_questions(text: str) -> tuple[str, ...] | None:
    """Read the response to a few-shot prompt: one JSON array of texts, as in `read_pairs`, each given once.

    >>> read_questions('["什么是贫血？"]'), read_questions('[""]') is None
    (('什么是贫血？',), True)
    """
    listed = decoded(_TEXTS, text)
    if listed is None or not all(_sound(question) for question in listed):
        return None
    return tuple(dict.fromkeys(question.strip() for question in listed))


def read_written_answer(text: str) -> str | None:
    """Read the response to a question with its text: the answer, or exactly 无法回答; None where nothing is said.

    >>> read_written_answer("答案：**注射青霉素**。"), read_written_answer("“无法回答”。")
    ('注射青霉素。', '无法回答')
    """
    reply = (answer_text(text) or "").replace("**", "").strip()
    reply = LABEL.sub("", reply, count=1) if LABEL.match(reply) else reply
    if not _sound(reply):
        return None
    return NO_ANSWER if reply.strip("“”\"'。.！! ") == NO_ANSWER else reply


def _sound(text: str) -> bool:
    return bool(SEEN.search(text)) and not DAMAGED.search(text)


def _material(block: Block) -> dict[str, str]:
    section = " > ".join(block.path) or block.subject
    return {"department": block.department, "subject": block.subject, "section": section, "text": block.text}
