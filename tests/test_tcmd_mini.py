from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import groupby
from pathlib import Path

import pytest

from dataset_scripts.recipes.tcmd.records import content_id
from medzh_score.benchmark.variants import Variants, chosen_variants, order_of
from medzh_score.configs.tcmd.exam import QUESTIONS, REALM_OF, REALMS, SUBJECTS
from medzh_score.text.folding import fold

FOLDER = Path(__file__).parent.parent / "dataset_scripts" / "mini" / "tcmd"
KEYS = ["group_id", "split", "type", "subject", "stem", "question", "options", "answer", "explanation"]
LETTERS = "ABCDE"
SPLITS = ("test", "train")


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


ROWS = lines("TCMD.jsonl")
PREDICTIONS = lines("predictions.jsonl")


def of(split, *kinds):
    return [row for row in ROWS if row["split"] == split and (not kinds or row["type"] in kinds)]


def groups(split, *kinds):
    found = defaultdict(list)
    for row in of(split, *kinds):
        found[row["group_id"]].append(row)
    return found


def identifier(members):
    parts = [(row["question"], row["options"]) for row in members]
    return content_id(members[0]["type"], members[0]["stem"], parts)


def variants(members):
    sizes = {len(row["options"]) for row in members}
    return chosen_variants(Variants(max(sizes), shifts_only=len(sizes) > 1), "cyclic", 0)


def predicted(label):
    members = groups("test")[label]
    found = {row.get("variant", 0): row["prediction"] for row in PREDICTIONS if row["id"] == identifier(members)}
    return members, found


# The questions


def test_every_row_has_the_fields_of_the_interchange_form_in_order():
    assert all(list(row) == KEYS for row in ROWS)


def test_texts_are_trimmed_and_options_have_no_letters():
    for row in ROWS:
        for text in (row["question"], row["explanation"], row["stem"] or "-", *row["options"]):
            assert text == text.strip() != ""
        assert not any(re.match(r"[A-E][.．、:：]", option) for option in row["options"])


def test_only_members_of_a3_groups_have_a_stem():
    assert all((row["stem"] is not None) == (row["type"] == "A3") for row in ROWS)


@pytest.mark.parametrize("split", SPLITS)
def test_members_of_a_group_stand_together_and_agree(split):
    runs = [name for name, _ in groupby(row["group_id"] for row in of(split))]
    assert len(runs) == len(set(runs))
    for members in groups(split).values():
        assert len({(row["type"], row["subject"], row["stem"]) for row in members}) == 1
        if members[0]["type"] == "B1":
            assert all(row["options"] == members[0]["options"] for row in members)
        assert len({row["question"] for row in members}) == len(members)


def test_no_group_is_in_both_splits():
    assert not groups("test").keys() & groups("train").keys()


@pytest.mark.parametrize(
    ("split", "kind", "sizes"),
    [
        ("test", "A1", {1: 20}),
        ("test", "A2", {1: 9}),
        ("test", "A3", {3: 4}),
        ("test", "B1", {2: 6}),
        ("train", "A1", {1: 22}),
        ("train", "A2", {1: 14}),
        ("train", "A3", {3: 3}),
        ("train", "B1", {2: 9, 3: 1}),
    ],
)
def test_each_type_has_so_many_groups_of_so_many_questions(split, kind, sizes):
    assert Counter(len(members) for members in groups(split, kind).values()) == sizes


@pytest.mark.parametrize("split", SPLITS)
def test_every_subject_is_asked_about(split):
    assert {row["subject"] for row in of(split)} == set(SUBJECTS)


@pytest.mark.parametrize("realm", REALMS, ids=lambda realm: realm.short)
def test_shares_of_the_realms_are_about_those_of_the_examination(realm):
    rows = of("test")
    count = sum(REALM_OF[row["subject"]] is realm for row in rows)
    assert count >= 3
    assert count / len(rows) == pytest.approx(realm.test / QUESTIONS, abs=0.05)


def test_there_are_two_to_five_different_options_and_the_answer_is_one_of_them():
    for row in ROWS:
        assert 2 <= len(row["options"]) <= 5
        assert len({fold(option) for option in row["options"]}) == len(row["options"])
        assert row["answer"] in LETTERS[: len(row["options"])]


def test_most_questions_have_five_options_and_some_have_fewer():
    sizes = Counter(len(row["options"]) for row in of("test"))
    assert sizes == {5: 47, 4: 4, 3: 1, 2: 1}
    mixed = [[len(row["options"]) for row in members] for members in groups("test", "A3").values()]
    assert [5, 4, 5] in mixed


@pytest.mark.parametrize("split", SPLITS)
def test_answers_are_spread_over_the_letters(split):
    counts = Counter(row["answer"] for row in of(split))
    assert all(0.15 < counts[letter] / len(of(split)) < 0.25 for letter in LETTERS)


def test_every_explanation_says_more_than_the_answer_in_one_to_three_sentences():
    for row in ROWS:
        sentences = [text for text in re.split(r"[。；]", row["explanation"]) if text]
        assert 1 <= len(sentences) <= 3, row["explanation"]
        right = row["options"][LETTERS.index(row["answer"])]
        assert len(row["explanation"]) >= len(right) + 8, row["explanation"]


def test_no_text_is_asked_twice():
    questions = Counter(fold(row["question"]) for row in ROWS)
    assert [text for text, count in questions.items() if count > 1] == []
    stems = [{fold(members[0]["stem"]) for members in groups(split, "A3").values()} for split in SPLITS]
    assert not stems[0] & stems[1]
    assert len({identifier(members) for split in SPLITS for members in groups(split).values()}) == 39 + 49


def bigrams(text):
    return {text[place : place + 2] for place in range(len(text) - 1)}


def test_for_most_of_test_the_nearest_text_of_train_is_on_the_same_subject():
    pools = [
        (members[0]["subject"], bigrams("".join(row["question"] for row in members)))
        for members in groups("train").values()
    ]
    near = 0
    for members in groups("test").values():
        asked = bigrams("".join(row["question"] for row in members))
        subject, _ = max(pools, key=lambda pool: len(asked & pool[1]))
        near += subject == members[0]["subject"]
    assert near >= 30


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        (r"[\U00010000-\U0010ffff]", "question"),
        (r"[，。；：（）]", "question"),
        (r"[,;:()]", "question"),
        (r"^头颅CT$", "options"),
        (r"^TCD$", "options"),
        (r"^PPD试验$", "options"),
        (r"^维生素D$", "options"),
        (r"^C反应蛋白$", "options"),
    ],
)
def test_there_are_texts_that_are_easily_misread(pattern, where):
    texts = [text for row in ROWS for text in (row["options"] if where == "options" else [row["question"]])]
    assert any(re.search(pattern, text) for text in texts)


def test_a_right_option_begins_with_another_option():
    row = next(row for row in of("test") if row["group_id"] == "a1-siwujiawei")
    right = row["options"][LETTERS.index(row["answer"])]
    assert right.startswith(tuple(option for option in row["options"] if option != right))


# The predictions


def test_predictions_are_native_lines_of_one_run():
    assert all(row.keys() - {"variant"} == {"id", "prediction"} for row in PREDICTIONS)


def test_every_group_of_test_is_answered_in_each_cyclic_variant_once():
    expected = {(identifier(members), number) for members in groups("test").values() for number in variants(members)}
    found = [(row["id"], row.get("variant", 0)) for row in PREDICTIONS]
    assert set(found) == expected
    assert len(found) == len(expected) == 187


@pytest.mark.parametrize(
    ("what", "pattern", "count"),
    [
        ("a bare letter", r"[A-E]\s*", 20),
        ("a letter with a stop or brackets", r"[A-E][.。]|\([A-E]\)", 3),
        ("a half-width marker", r"答案:[A-E]", 1),
        ("a marker and a letter", r"答案：[A-E]", 10),
        ("a sentence of commitment", r"(?:正确答案|正确选项|本题应选|故选|所以答案选|答案)(?:是|为)?[：（]?[A-E].*", 8),
        ("a letter and a text", r"[A-E][.、．：]\s?[\u4e00-\u9fff][^\n]*", 10),
        ("reasons and a last line", r"(?s).{10,}\n+答案：[A-E].*", 15),
        ("a group as asked for", r"1\.[A-E] 2\.[A-E](?: 3\.[A-E])?", 10),
        ("a group in lines", r"1[.：] ?[A-E]\n2[.：] ?[A-E]\n?", 3),
        ("a group in full width", r"１．[Ａ-Ｅ]　２．[Ａ-Ｅ]", 2),
        ("a group in words", r"第[一1][题问].*第[二2][题问].*第[三3][题问].*", 2),
        ("the form of TCMBench", r"(?s).*【解析】.*<eoe>\s*【答案】[A-E]<eoa>.*", 2),
        ("letters in a row", r"[A-E][A-E]", 1),
        ("English", r"(?:Answer:|The answer is) [A-E]\.?", 2),
        ("Markdown or LaTeX", r"(?s).*(?:\*\*|boxed|`).*", 4),
        ("a closed thinking block", r"(?s)<think>.*</think>.+", 4),
        ("an unclosed thinking block", r"(?s)<think>(?!.*</think>).*", 1),
        ("a correction", r"(?s).*(?:更正|再想一想).*答案.*", 2),
        ("a refusal", r".*(?:抱歉|无法提供).*", 2),
        ("several letters", r"[A-E](?:或|、)[A-E]", 2),
        ("a negation alone", r"答案不是[A-E]。", 1),
        ("a negation before the answer", r".*不(?:是|选)[A-E].*(?:而是|答案：)[A-E].*", 2),
        ("a doubt about options", r"[A-E]和[A-E]可能是错误的.*", 1),
        ("prose without commitment", r".*(?:进一步考证|可能有所不同).*", 2),
        ("an end that comes too early", r"(?s).{100,}[^。A-E]", 2),
        ("nothing", "", 1),
        ("a next question that was not asked", r"(?s).*\n\n题目：.*", 1),
        ("fewer answers than questions", r"1\.[A-E]|第一小题的答案是[A-E]，第二小题的答案是[A-E]。", 2),
        ("more answers than questions", r"1\.[A-E] 2\.[A-E] 3\.[A-E] 4\.[A-E]", 1),
        ("a word that is no option", r"CT检查。", 1),
    ],
)
def test_every_manner_of_answering_occurs(what, pattern, count):
    found = [row["prediction"] for row in PREDICTIONS if re.fullmatch(pattern, row["prediction"])]
    assert len(found) >= count, what


def test_some_name_only_the_text_of_an_option():
    named = [
        text
        for label, members in groups("test", "A1", "A2").items()
        for text in predicted(label)[1].values()
        if text.rstrip("。") in members[0]["options"]
    ]
    assert len(named) >= 10
    assert {"四物汤", "四物汤加桃仁、红花", "头颅CT", "维生素B12"} <= set(named)


def originals(label):
    """Map the first letter of each prediction back to the option that it stands for."""
    (member,), found = predicted(label)
    size = len(member["options"])
    shown = {variant: re.search("[A-E]", text).group() for variant, text in found.items()}
    return {variant: LETTERS[order_of(variant, size, size)[LETTERS.index(shown[variant])]] for variant in shown}, shown


@pytest.mark.parametrize("label", ["a1-gancaofan", "a1-chanhousanshen"])
def test_some_follow_the_place_and_are_right_in_one_variant(label):
    mapped, shown = originals(label)
    (member,), _ = predicted(label)
    assert len(set(shown.values())) == 1
    assert sorted(mapped.values()) == list(LETTERS[: len(member["options"])])
    assert list(mapped.values()).count(member["answer"]) == 1


@pytest.mark.parametrize(
    ("label", "believed"), [("a1-zhuangshui", "C"), ("a1-xiongbi", "A")], ids=["which is right", "which is wrong"]
)
def test_some_follow_the_content(label, believed):
    mapped, shown = originals(label)
    assert set(mapped.values()) == {believed}
    assert len(set(shown.values())) == len(shown)


def test_some_are_right_in_part_of_the_variants():
    mapped, _ = originals("a1-chunyang")
    (member,), _ = predicted("a1-chunyang")
    assert 0 < list(mapped.values()).count(member["answer"]) < len(mapped)


def test_letters_with_a_text_name_that_text():
    named = 0
    for members in groups("test", "A1", "A2").values():
        options = members[0]["options"]
        for variant, text in predicted(members[0]["group_id"])[1].items():
            if found := re.fullmatch(r"([A-E])[.、．] ?([^A-E]\S+)", text):
                order = order_of(variant, len(options), len(options))
                assert found.group(2) == options[order[LETTERS.index(found.group(1))]]
                named += 1
    assert named >= 15
