"""TCMD's prompts: texts written out by hand, every variant read back, and which examples stand before a question."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from rank_bm25 import BM25Okapi

from medzh_score.benchmark.prompts import PromptSettings, PromptTemplate
from medzh_score.benchmark.variants import Variants
from medzh_score.configs.tcmd.prompts import MEDZH_ZH_1, MEDZH_ZH_1_COT, builder
from medzh_score.text.tokens import characters, words
from medzh_score.ui.errors import MedzhError

ORGANS = ["肝", "心", "脾", "肺", "肾"]
CASE = "女，28岁。月经提前十天，量多，色深红，质稠，心烦，面红，舌红苔黄，脉数。"
INTRO = "以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项。\n\n"
ONE = "\n\n请只回答正确选项的字母，不要解释。"


def group(name, kind, *parts, stem=None):
    """Make a group's records: a part is a question, its options, the right letter and perhaps an explanation."""
    return [
        {
            "id": f"{name}-{place}" if kind in {"A3", "B1"} else name,
            "group_id": name,
            "position": place,
            "type": kind,
            "stem": stem,
            "question": part[0],
            "options": part[1],
            "answer": part[2],
            "explanation": part[3] if len(part) > 3 else None,
        }
        for place, part in enumerate(parts, start=1)
    ]


HERB = group("q-herb", "A1", ("具有发汗解表、利水消肿功效的药物是", ["桂枝", "麻黄", "紫苏", "防风"], "B"))
MOODS = group("q-moods", "B1", ("在志为喜的脏是", ORGANS, "B"), ("在志为思的脏是", ORGANS, "C"))
MENSES = group(
    "q-menses",
    "A3",
    ("其证候是", ["阳盛血热", "肝郁血热", "气虚"], "A"),
    ("治疗应首选的方剂是", ["补中益气汤", "清经散", "固阴煎"], "B"),
    stem=CASE,
)
MIXED = group(
    "q-mixed",
    "A3",
    ("其证候是", ["阳盛血热", "肝郁血热"], "A"),
    ("治疗应首选的方剂是", ["补中益气汤", "清经散", "固阴煎"], "B"),
    ("其治法是", ["清热凉血调经", "疏肝清热", "补气摄血", "养血固冲", "温经散寒"], "A"),
    stem=CASE,
)
ASKED = [*HERB, *MOODS, *MENSES]
TRAIN = [
    *group("t-1", "A1", ("具有发汗解肌功效的药物是", ["麻黄", "桂枝", "荆芥"], "B", "桂枝发汗解肌，温通经脉。")),
    *group("t-2", "A1", ("具有利水消肿功效的药物是", ["茯苓", "黄芩"], "A")),
    *group("t-3", "B1", ("在志为怒的脏是", ORGANS, "A", "肝在志为怒。"), ("在志为恐的脏是", ORGANS, "E", " ")),
    *group("t-4", "A2", ("患者月经提前，量多，色淡，神疲。其证候是", ["气虚", "血热"], "A", "气虚不摄。\n故先期。")),
    *group(
        "t-5",
        "A3",
        ("其证候是", ["肾虚", "气虚"], "A", "腰酸属肾虚。"),
        ("其治法是", ["补肾", "补气"], "A", "虚则补之。"),
        stem="女，45岁。月经后期，量少，腰酸，脉沉。",
    ),
]


def asked(records=ASKED, prompt=MEDZH_ZH_1, shots=0, shot_selection="paper", tokens="characters", train=TRAIN):
    return builder(
        records, PromptSettings(prompt, shots, shot_selection, tokens, train) if shots else PromptSettings(prompt)
    )


# What is sent, written out by hand.

SINGLE = "具有发汗解表、利水消肿功效的药物是\nA. 桂枝\nB. 麻黄\nC. 紫苏\nD. 防风"
SHARED_OPTIONS = "（1～2题共用备选答案）\nA. 肝\nB. 心\nC. 脾\nD. 肺\nE. 肾\n1. 在志为喜的脏是\n2. 在志为思的脏是"
SHARED_STEM = (
    f"（1～2题共用题干）\n{CASE}\n1. 其证候是\nA. 阳盛血热\nB. 肝郁血热\nC. 气虚\n"
    "2. 治疗应首选的方剂是\nA. 补中益气汤\nB. 清经散\nC. 固阴煎"
)
PAIR = "\n\n请按“1.A 2.C”的格式依次回答各小题，只写题号和字母，不要解释。"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("q-herb", INTRO + SINGLE + ONE),
        ("q-moods", INTRO + SHARED_OPTIONS + PAIR),
        ("q-menses", INTRO + SHARED_STEM + PAIR),
        ("q-menses-2", f"{INTRO}{CASE}\n治疗应首选的方剂是\nA. 补中益气汤\nB. 清经散\nC. 固阴煎{ONE}"),
        ("q-moods-1", f"{INTRO}在志为喜的脏是\nA. 肝\nB. 心\nC. 脾\nD. 肺\nE. 肾{ONE}"),
    ],
)
def test_what_is_asked_without_examples(name, expected):
    assert asked().ask(name, 0).turns == (expected,)


def test_examples_are_earlier_turns():
    """For the herbs both 发汗解 and 利水消肿 stand in a train question: t-2 shares more, then t-1."""
    ours = asked(shots=2)
    assert ours.ask("q-herb", 0).turns == (
        f"{INTRO}具有利水消肿功效的药物是\nA. 茯苓\nB. 黄芩{ONE}",
        "A",
        f"{INTRO}具有发汗解肌功效的药物是\nA. 麻黄\nB. 桂枝\nC. 荆芥{ONE}",
        "B",
        INTRO + SINGLE + ONE,
    )
    moods = ours.ask("q-moods", 0).turns
    assert moods[0] == INTRO + SHARED_OPTIONS.replace("喜", "怒").replace("思", "恐") + PAIR
    assert moods[1] == "1.A 2.E"


def test_examples_with_an_analysis_show_what_train_explains_and_then_the_line():
    ours = asked(prompt=MEDZH_ZH_1_COT, shots=5)
    turns = ours.ask("q-herb", 0).turns
    said = {turns[place].partition("\n\n")[2].partition("\n")[0]: turns[place + 1] for place in range(0, 10, 2)}
    assert said == {
        "具有发汗解肌功效的药物是": "桂枝发汗解肌，温通经脉。\n答案：B",
        "具有利水消肿功效的药物是": "答案：A",
        "（1～2题共用备选答案）": "1. 肝在志为怒。\n答案：1.A 2.E",
        "患者月经提前，量多，色淡，神疲。其证候是": "气虚不摄。\n故先期。\n答案：A",
        "（1～2题共用题干）": "1. 腰酸属肾虚。\n2. 虚则补之。\n答案：1.A 2.A",
    }
    # Only t-2 has none at all; it stands before each of the three questions.
    assert ours.notes == ("3 of 15 examples have no explanation and show only the answer",)
    assert asked(shots=5).notes == ()


def test_plain_text_for_base_models():
    head = (
        "以下是中医执业医师资格考试的单项选择题，每题只有一个正确选项；"
        "有几个小题的，按“1.A 2.C 3.B”的格式依次写出答案。\n\n"
    )
    assert asked().ask("q-herb", 0).text == f"{head}题目：{SINGLE}\n答案："
    assert asked(shots=2).ask("q-herb", 0).text == (
        f"{head}题目：具有利水消肿功效的药物是\nA. 茯苓\nB. 黄芩\n答案：A\n\n"
        "题目：具有发汗解肌功效的药物是\nA. 麻黄\nB. 桂枝\nC. 荆芥\n答案：B\n\n"
        f"题目：{SINGLE}\n答案："
    )


# Variants.


def read_back(text):
    """Read the lettered options of each question from what is shown."""
    shown = []
    for line in text.split("\n"):
        match = re.fullmatch(r"([A-E])\. (.+)", line)
        if match and match[1] == "A":
            shown.append({})
        if match:
            shown[-1][match[1]] = match[2]
    return shown


@pytest.mark.parametrize(
    ("records", "name", "lists"),
    [(HERB, "q-herb", 1), (MOODS, "q-moods", 1), (MENSES, "q-menses", 2), (MENSES, "q-menses-2", 1)],
)
def test_each_variant_shows_the_permutation_of_its_number(records, name, lists):
    """Shared options are permuted once, those of a case each alike; nothing else of the prompt changes."""
    ours = asked(records)
    of_id = [record for record in records if name in {record["id"], record["group_id"]}][:lists]
    orders = list(permutations(range(len(of_id[0]["options"]))))
    assert {**ours.variants, **ours.alone}[name] == Variants(len(orders[0]))
    plain = re.sub(r"([A-E]\.) .+", r"\1", ours.ask(name, 0).turns[0])
    texts = set()
    for number, order in enumerate(orders):
        question = ours.ask(name, number)
        texts.add(question.text)
        assert re.sub(r"([A-E]\.) .+", r"\1", question.turns[0]) == plain
        for text in (question.turns[0], question.text):
            shown = read_back(text)
            assert len(shown) == lists
            for record, letters in zip(of_id, shown, strict=True):
                originals = [record["options"].index(option) for option in letters.values()]
                assert "".join(letters) == "ABCDE"[: len(originals)]
                assert tuple(originals) == order
    assert len(texts) == len(orders)


def test_questions_with_different_numbers_of_options_are_shifted_together():
    ours = asked(MIXED)
    assert ours.variants == {"q-mixed": Variants(5, shifts_only=True)}
    assert ours.alone == dict.fromkeys(["q-mixed-1", "q-mixed-2", "q-mixed-3"], Variants(5, shifts_only=True))
    for shift, number in enumerate(ours.variants["q-mixed"].numbers):
        shown = read_back(ours.ask("q-mixed", number).turns[0])
        for record, letters in zip(MIXED, shown, strict=True):
            options = record["options"]
            start = shift % len(options)
            assert list(letters.values()) == options[start:] + options[:start]
            assert read_back(ours.ask(record["id"], number).turns[0]) == [letters]


# Which examples.


def shown_examples(ours, name):
    """Name the examples before a question by the first line that only they have."""
    turns = ours.ask(name, 0).turns[:-1:2]
    keys = {"发汗解肌": "t-1", "功效的药物是\nA. 茯苓": "t-2", "在志为怒": "t-3", "神疲": "t-4", "45岁": "t-5"}
    return [next(name for key, name in keys.items() if key in turn) for turn in turns]


def by_reference(records, cut):
    """Order the train groups by rank-bm25's scores for stem and questions; ties by id."""
    texts = {}
    for record in [*TRAIN, *records]:
        texts.setdefault(record["group_id"], [record["stem"]] if record["stem"] else []).append(record["question"])
    names = sorted({record["group_id"] for record in TRAIN})
    reference = BM25Okapi([cut("\n".join(texts[name])) for name in names])
    scores = reference.get_scores(cut("\n".join(texts[records[0]["group_id"]])))
    return [name for _, name in sorted(zip(-scores, names, strict=True))]


@pytest.mark.parametrize(("tokens", "cut"), [("jieba", words), ("characters", characters)])
@pytest.mark.parametrize("records", [HERB, MOODS, MENSES], ids=["A1", "B1", "A3"])
def test_the_papers_examples_are_the_best_of_all_train_the_best_first(records, tokens, cut):
    ours = asked(records, shots=5, tokens=tokens)
    assert shown_examples(ours, records[0]["group_id"]) == by_reference(records, cut)
    three = asked(records, shots=3, tokens=tokens)
    assert shown_examples(three, records[0]["group_id"]) == by_reference(records, cut)[:3]


@pytest.mark.parametrize(("tokens", "cut"), [("jieba", words), ("characters", characters)])
@pytest.mark.parametrize("records", [HERB, MOODS, MENSES], ids=["A1", "B1", "A3"])
def test_the_same_type_comes_first_and_the_most_similar_stands_last(records, tokens, cut):
    kinds = {record["group_id"]: record["type"] for record in TRAIN}
    for shots in (1, 3, 5):
        best = sorted(by_reference(records, cut), key=lambda name: kinds[name] != records[0]["type"])[:shots]
        ours = asked(records, shots=shots, shot_selection="same-type", tokens=tokens)
        assert shown_examples(ours, records[0]["group_id"]) == best[::-1]


@pytest.mark.parametrize(
    "copy",
    [
        group("t-0", "A1", ("具有发汗解表、利水消肿功效的药物是", ["麻黄", "石膏"], "A")),
        group("t-0", "A2", ("具有发汗解表、 利水消肿\n功效的药物是", ["麻黄", "石膏"], "A")),
        group("t-0", "B1", ("具有清热功效的药物是", ORGANS, "A"), (HERB[0]["question"], ORGANS, "B")),
    ],
    ids=["equal", "white space", "are single questions, but this question is in a question group"],
)
def test_the_question_itself_is_never_an_example(copy):
    ours = asked(HERB, shots=5, train=[*copy, *TRAIN])
    assert sorted(shown_examples(ours, "q-herb")) == ["t-1", "t-2", "t-3", "t-4", "t-5"]
    with pytest.raises(MedzhError, match="too few other questions: expected at most 5, found 6"):
        asked(HERB, shots=6, train=[*copy, *TRAIN])


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"shot_selection": "random"}, "paper, same-type"),
        ({"tokens": "words"}, "jieba, characters"),
        ({"train": []}, "the texts to search contain no tokens"),
        ({"prompt": PromptTemplate("paper-1", "{shown}", "nowhere")}, "medzh-zh-1, medzh-zh-1-cot"),
    ],
)
def test_wrong_wishes(wish, message):
    with pytest.raises(MedzhError, match=message):
        asked(**{"shots": 2, **wish})
