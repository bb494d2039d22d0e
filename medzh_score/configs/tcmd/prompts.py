"""TCMD's questions as they are shown: alone, with a shared stem (A3), or with shared options (B1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.prompts import FilledPrompt, PromptBuilder, PromptTemplate, lettered, numbered
from medzh_score.benchmark.variants import order_of, variants_of
from medzh_score.configs.tcmd.exam import LETTERS
from medzh_score.text.fold import fold
from medzh_score.text.tokens import TOKENS, Tokens
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.prompts import PromptSettings
    from medzh_score.benchmark.variants import Order, Variants
    from medzh_score.text.bm25 import Index


SHARED_OPTIONS = "B1"


@dataclass(frozen=True)
class Group:
    """Records that are asked together, by position, or one of them alone, with the variants of the whole group."""

    members: tuple[Record, ...]
    variants: Variants

    @property
    def kind(self) -> str:
        """The type of its questions."""
        return str(self.members[0]["type"])

    @property
    def stem(self) -> str | None:
        """What its questions share beside their options."""
        return self.members[0]["stem"] or None

    @cached_property
    def text(self) -> str:
        """The text by which similar groups are found: stem and questions, without options."""
        return "\n".join([*([self.stem] if self.stem else []), *(member["question"] for member in self.members)])

    @cached_property
    def questions(self) -> frozenset[str]:
        """Each question with its stem, in one width and without white space: what no example may repeat."""
        return frozenset(fold((self.stem or "") + member["question"]) for member in self.members)

    @property
    def answers(self) -> str:
        """The right letter, or those of all its questions, in the form that is asked for."""
        letters = [member["answer"] for member in self.members]
        return letters[0] if len(letters) == 1 else numbered(letters)

    def alone(self, place: int) -> Group:
        """Take one of its records to be asked alone."""
        return Group((self.members[place],), self.variants)


def grouped(records: Sequence[Record]) -> dict[str, Group]:
    """Join the records of each group."""
    members: dict[str, list[Record]] = {}
    for record in records:
        members.setdefault(record["group_id"], []).append(record)
    return {name: _group(rows) for name, rows in members.items()}


def _group(rows: list[Record]) -> Group:
    variants = variants_of(frozenset(len(row["options"]) for row in rows))
    return Group(tuple(sorted(rows, key=lambda row: int(row["position"]))), variants)


def shown(group: Group, variant: int = 0) -> str:
    """Show what is asked, as an examination prints it."""
    orders = [order_of(variant, len(member["options"]), group.variants.size) for member in group.members]
    if len(group.members) == 1:
        return shown_alone(group.members[0], orders[0])
    if group.kind == SHARED_OPTIONS:
        head = f"（1～{len(orders)}题共用备选答案）\n{lettered(group.members[0]['options'], orders[0])}"
        return "\n".join(
            [head, *(f"{number}. {member['question']}" for number, member in enumerate(group.members, start=1))]
        )
    parts = [
        f"{number}. {member['question']}\n{lettered(member['options'], order)}"
        for number, (member, order) in enumerate(zip(group.members, orders, strict=True), start=1)
    ]
    return "\n".join([f"（1～{len(orders)}题共用题干）\n{group.stem}", *parts])


def shown_alone(record: Mapping[str, Any], order: Order | None = None) -> str:
    """Show one record by itself."""
    stem = f"{record['stem']}\n" if record["stem"] else ""
    return f"{stem}{record['question']}\n{lettered(record['options'], order)}"


OURS = _("Not printed: the paper prints no prompt; this prompt was written for medzh")

MEDZH_ZH_1 = PromptTemplate(
    name="medzh-zh-1",
    text="以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项。\n\n{shown}\n\n{how}",
    printed_in=OURS,
)
MEDZH_ZH_1_COT = PromptTemplate(name="medzh-zh-1-cot", text=MEDZH_ZH_1.text, printed_in=OURS)

# Section 4.1: the models' defaults, but greedy, and at most 128 new tokens, also where an analysis comes first.
GENERATION_KWARGS = {"do_sample": False, "max_new_tokens": 128}

MARK = "答案："
FORM = "ACBED"  # the letters that a form shows: each once, and none that the question lacks


@dataclass(frozen=True)
class Style:
    """What belongs to a wording beside the question; ``{form}`` is where the form of the answer goes.

    ``head`` stands above plain text, whose examples are of both kinds; there an analysis begins with ``reasons``, empty
    where none is asked for.
    """

    name: str
    single: str
    group: str
    head: str
    reasons: str = ""


STYLES = (
    Style(
        MEDZH_ZH_1.name,
        single="请只回答正确选项的字母，不要解释。",
        group="请按“{form}”的格式依次回答各小题，只写题号和字母，不要解释。",
        head="以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项；"
        "有几个小题的，按“1.A 2.C 3.B”的格式依次写出答案。",
    ),
    Style(
        MEDZH_ZH_1_COT.name,
        single="请先简要分析，最后另起一行，按“答案：{form}”的格式写出正确选项的字母。",
        group="请先简要分析各小题，最后另起一行，按“答案：{form}”的格式写出全部小题的答案。",
        head="以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项。先写解析，最后另起一行写答案；"
        "有几个小题的，按“答案：1.A 2.C 3.B”的格式写出全部小题的答案。",
        reasons="解析：",
    ),
)


def alone(record: Mapping[str, Any]) -> str:
    """Write the default prompt for one sub-question by itself, without examples.

    Examples
    --------
    >>> print(alone({"stem": None, "question": "麻黄汤的君药是", "options": ["桂枝", "麻黄"]}))
    以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项。
    <BLANKLINE>
    麻黄汤的君药是
    A. 桂枝
    B. 麻黄
    <BLANKLINE>
    请只回答正确选项的字母，不要解释。
    """
    return MEDZH_ZH_1.fill(shown=shown_alone(record), how=STYLES[0].single)


def builder(records: Sequence[Record], asking: PromptSettings) -> PromptBuilder:
    """Ask each group as a whole; each question of a group may also be asked alone."""
    style = pick("--prompt", STYLES, asking.prompt.name)
    wholes = grouped(records)
    parts = {
        record["id"]: (group.alone(place), name)
        for name, group in wholes.items()
        if len(group.members) > 1
        for place, record in enumerate(group.members)
    }
    examples = _examples(asking, style) if asking.shots else _no_examples

    @cache
    def before(identifier: str) -> Solved:
        asked, name = parts.get(identifier) or (wholes[identifier], identifier)
        return examples(asked, wholes[name])

    def ask(identifier: str, variant: int) -> FilledPrompt:
        group = wholes[identifier] if identifier in wholes else parts[identifier][0]
        solved, question = before(identifier), shown(group, variant)
        turn = asking.prompt.fill(shown=question, how=_how(style, group))
        return FilledPrompt(
            (*solved.turns, turn), f"{style.head}\n\n{solved.text}题目：{question}\n{style.reasons or MARK}"
        )

    # At once, so that a lack of examples is found before the first prompt is written.
    found = [before(identifier) for identifier in wholes]
    return PromptBuilder(
        variants={name: group.variants for name, group in wholes.items()},
        ask=ask,
        alone={identifier: part.variants for identifier, (part, _unused) in parts.items()},
        notes=_notes(found) if style.reasons else (),
    )


@dataclass(frozen=True)
class Solved:
    """Solved examples: as turns of a conversation, as plain text, and how many of them there are with an analysis."""

    turns: tuple[str, ...] = ()
    text: str = ""
    reasoned: int = 0


def _no_examples(_asked: Group, _whole: Group) -> Solved:
    return Solved()


def _examples(asking: PromptSettings, style: Style) -> Callable[[Group, Group], Solved]:
    """Make the function that finds and solves the examples for a question."""
    train = library(asking)
    solved = cache(lambda place: _solved(train.groups[place], asking.prompt, style))

    def find(asked: Group, whole: Group) -> Solved:
        chosen = [solved(place) for place in train.examples(asked, whole)]
        return Solved(
            tuple(turn for example in chosen for turn in example.turns),
            "".join(example.text for example in chosen),
            sum(example.reasoned for example in chosen),
        )

    return find


def _solved(group: Group, prompt: PromptTemplate, style: Style) -> Solved:
    """Ask and answer a group of the train split: the letters, or what is explained of it and then a line of them."""
    question = shown(group)
    reasons = _reasons(group) if style.reasons else ""
    answer = f"{MARK}{group.answers}"
    turn = prompt.fill(shown=question, how=_how(style, group))
    said = (f"{reasons}\n{answer}" if reasons else answer) if style.reasons else group.answers
    written = f"{style.reasons}{reasons}\n{answer}" if reasons else answer
    return Solved((turn, said), f"题目：{question}\n{written}\n\n", bool(reasons))


def _reasons(group: Group) -> str:
    """Join the explanations of a group; those of several questions are numbered as these are."""
    explained = [(member["explanation"] or "").strip() for member in group.members]
    if len(explained) == 1:
        return explained[0]
    return "\n".join(f"{number}. {text}" for number, text in enumerate(explained, start=1) if text)


def _how(style: Style, group: Group) -> str:
    sizes = [len(member["options"]) for member in group.members]
    if len(sizes) == 1:
        return style.single.format(form=_letter(1, sizes[0]))
    return style.group.format(form=numbered([_letter(place, size) for place, size in enumerate(sizes)]))


def _letter(place: int, size: int) -> str:
    """Choose a letter for the form of an answer, such as in 1.A 2.C 3.B."""
    held = [letter for letter in FORM if letter in LETTERS[:size]]
    return held[place % len(held)]


def _notes(examples: Sequence[Solved]) -> tuple[str, ...]:
    count = sum(len(solved.turns) // 2 for solved in examples)
    lacking = count - sum(solved.reasoned for solved in examples)
    return (
        (
            _(
                "{lacking} of {count} examples have no explanation and show only the answer",
                lacking=lacking,
                count=count,
            ),
        )
        if lacking
        else ()
    )


PAPER, SAME_TYPE = "paper", "same-type"
SHOT_SELECTIONS = (PAPER, SAME_TYPE)


@dataclass(frozen=True, eq=False)
class Library:
    """The groups of the train split by id, ready to be searched: of equal scores the lower id comes first.

    ``places`` says which groups ask a question, by its text in one width and without white space. With ``icl``
    ``paper`` the most similar of all come first; with ``same-type`` those of the same type before others, and the most
    similar last, next to the question.
    """

    groups: tuple[Group, ...]
    index: Index
    kinds: NDArray[np.str_]
    places: Mapping[str, Sequence[int]]
    tokens: Tokens
    shots: int
    shot_selection: str

    def examples(self, asked: Group, whole: Group) -> tuple[int, ...]:
        """Find the examples for a question."""
        others = np.ones(len(self.groups), bool)
        others[[place for question in whole.questions for place in self.places.get(question, ())]] = False
        if others.sum() < self.shots:
            raise MedzhError(
                _("the train split has too few other questions"),
                field="--shots",
                expected=_("at most {most}", most=others.sum()),
                found=self.shots,
            )
        from medzh_score.text.bm25 import top

        query = self.tokens.cut(asked.text)
        if self.shot_selection == PAPER:
            return tuple(top(self.index, query, self.shots, others).tolist())
        same = self.kinds == asked.kind
        best = [int(place) for kind in (same, ~same) for place in top(self.index, query, self.shots, others & kind)]
        return tuple(reversed(best[: self.shots]))


def library(asking: PromptSettings) -> Library:
    """Make the train split ready to be searched."""
    if asking.shot_selection not in SHOT_SELECTIONS:
        raise MedzhError(
            _("unknown name"),
            field="--shot-selection",
            expected=", ".join(SHOT_SELECTIONS),
            found=asking.shot_selection,
        )
    from medzh_score.text.bm25 import bm25_index

    tokens = pick("--shot-tokenizer", TOKENS, asking.tokens)
    groups = tuple(group for _unused, group in sorted(grouped(asking.train).items()))
    places: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        for question in group.questions:
            places.setdefault(question, []).append(place)
    index = bm25_index([tokens.cut(group.text) for group in groups])
    kinds = np.array([group.kind for group in groups])
    return Library(groups, index, kinds, places, tokens, asking.shots, asking.shot_selection)
