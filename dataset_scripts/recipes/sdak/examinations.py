"""What examination questions and their explanations say: lists of effects, and sentences that tie two names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.choice_questions import read_apollo
from dataset_scripts.recipes.banks.cmexam_rows import ABSENT, SEPARATOR, csv_rows, sheet_rows
from dataset_scripts.recipes.sdak.content import Content, Value, fold
from dataset_scripts.recipes.sdak.medicines import is_western
from dataset_scripts.recipes.sdak.words import alternatives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

APOLLO = "apollo-zh-test"
APOLLO_BANKS = ("medqa-mcmle", "cmexam")
# What explanations put behind what they speak of: （A错）, （人卫八版内科学P24）.
MARK = re.compile(r"[（(](?:[A-E]+[对错]?[，、]?(?:为本题正确答案)?|[^（()）]{0,16}[Pp]\d+)[)）]")
SENTENCE = re.compile(r"[。；;\n]")
# A question that asks for what does not hold.
DENYING = re.compile("不|错误|有误|除|无关|禁|非|没有|无需|例外")
HERB = r"(?:^|[。；;：:\s、，,）)])([一-鿿]{2,5}?)"
EFFECTS = (
    re.compile(HERB + r"[：:，]?【功[效用]】([^。；;【】\n]+)"),
    re.compile(HERB + r"的?(?:主要)?功[效用](?:是|为|：|:|包括)([^。；;【】\n]+)"),
)
NO_HERB = re.compile("[其具的之本该药均可能以与和]|配伍|主要|外用|下列|功[效用]")
EFFECT = re.compile(
    "[清祛补活凉止利温散疏养安化解润理行健益滋消息平开涩固收杀泻通宣降敛和燥渗生明强调舒破攻逐排软回透升发醒宽定潜截除下][一-鿿]{1,4}"
)
NO_EFFECT = re.compile("[错对等者可为是其的]|药|证|方")
REACTIONS = re.compile(
    r"(?:^|[。；;：:\s，,）)])([一-鿿A-Za-z0-9]{2,10}?)的?(?:常见|主要|典型|严重)?的?(?:不良反应|副作用)"
    r"(?:主要|常见)?(?:是|为|有|包括)：?([^。；;【】：:\n]+)"
)
NO_NAME = re.compile(alternatives("before_medicines"))
REACTION = re.compile(f"[一-鿿]{{1,6}}(?:{alternatives('reactions')})")
NO_REACTION = re.compile(alternatives("no_reactions"))


def read_examinations(file: Path, source: str) -> Content:
    """Read a bank: the effects and adverse reactions that it lists, and its sentences."""
    texts = list(_texts(file, source))
    content = Content()
    for text in texts:
        content.values += _effects(text, source)
        content.values += _reactions(text, source)
    content.sentences[source] = {fold(part) for text in texts for part in SENTENCE.split(text) if part.strip()}
    return content


def _texts(file: Path, source: str) -> Iterator[str]:
    if source == APOLLO:
        for bank in APOLLO_BANKS:
            for one in read_apollo(source, file, bank):
                if not isinstance(one, str):
                    right = [
                        text for letter, text in zip("ABCDEFGH", one.options, strict=False) if letter in one.answer
                    ]
                    yield from _answered(one.text, right)
        return
    for cells in (sheet_rows if source.endswith("xlsx") else csv_rows)(file):
        options = {text[:1]: text[1:].strip() for text in SEPARATOR.split(cells["Options"])}
        yield from _answered(cells["Question"], [options.get(letter, "") for letter in cells["Answer"]])
        if cells["Explanation"] != ABSENT:
            yield MARK.sub("", cells["Explanation"])


def _answered(question: str, right: list[str]) -> Iterator[str]:
    """Join a question that asks for what holds with its one right answer."""
    asked = SENTENCE.split(question)[-1].strip()
    if len(right) == 1 and right[0] and not DENYING.search(asked):
        yield f"{asked}{right[0]}"


def _effects(text: str, source: str) -> Iterable[Value]:
    for pattern in EFFECTS:
        for found in pattern.finditer(text):
            parts = [part.strip() for part in re.split("[，,、]", found[2])]
            if NO_HERB.search(found[1]) or not all(EFFECT.fullmatch(part) for part in parts):
                continue
            yield from (
                Value("Chinese Medicine-Effect", found[1], part, source) for part in parts if not NO_EFFECT.search(part)
            )


def _reactions(text: str, source: str) -> Iterable[Value]:
    for found in REACTIONS.finditer(text):
        if is_western(found[1]) and not NO_NAME.search(found[1]):
            for part in re.split("[，,、及和与]", found[2].removesuffix("等")):
                if REACTION.fullmatch(part) and not NO_REACTION.search(part):
                    yield Value("Western Medicine-SideEffect", found[1], part, source)
