from __future__ import annotations

import json
import re
from collections import Counter, defaultdict

import pytest
from places import SAMPLES
from tables import case_tables

from dataset_scripts.recipes.tcmd.records import content_id, folded
from medzh_score.benchmark.variants import Variants, chosen_variants, order_of
from medzh_score.configs.tcmd.exam import QUESTIONS, REALM_OF, REALMS, SUBJECTS, TYPES
from medzh_score.text.folding import fold

FOLDER = SAMPLES / "tcmd"
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
    return content_id(members[0]["type"], [folded(row["stem"], row["question"], row["options"]) for row in members])


def variants(members):
    sizes = {len(row["options"]) for row in members}
    return chosen_variants(Variants(max(sizes), shifts_only=len(sizes) > 1), "cyclic", 0)


def predicted(label):
    members = groups("test")[label]
    found = {row.get("variant", 0): row["prediction"] for row in PREDICTIONS if row["id"] == identifier(members)}
    return members, found


# The questions. That its rows are sound, and its groups agree, is seen when it is built.


def test_every_row_has_the_fields_of_the_interchange_form_in_order_and_trimmed_texts():
    for row in ROWS:
        assert list(row) == KEYS
        for text in (row["question"], row["explanation"], row["stem"] or "-", *row["options"]):
            assert text == text.strip() != ""


def test_each_type_has_so_many_groups_of_so_many_questions():
    sizes = {(split, kind): Counter(map(len, groups(split, kind).values())) for split in SPLITS for kind in TYPES}
    assert sizes == {
        ("test", "A1"): {1: 20},
        ("test", "A2"): {1: 9},
        ("test", "A3"): {3: 4},
        ("test", "B1"): {2: 6},
        ("train", "A1"): {1: 22},
        ("train", "A2"): {1: 14},
        ("train", "A3"): {3: 3},
        ("train", "B1"): {2: 9, 3: 1},
    }


def test_every_subject_is_asked_about_and_answers_are_spread_over_the_letters():
    for split in SPLITS:
        assert {row["subject"] for row in of(split)} == set(SUBJECTS)
        counts = Counter(row["answer"] for row in of(split))
        assert all(0.15 < counts[letter] / len(of(split)) < 0.25 for letter in LETTERS)


def test_shares_of_the_realms_are_about_those_of_the_examination():
    rows = of("test")
    counts = Counter(REALM_OF[row["subject"]] for row in rows)
    assert min(counts.values()) >= 3
    assert {realm.short: counts[realm] / len(rows) for realm in REALMS} == pytest.approx(
        {realm.short: realm.test / QUESTIONS for realm in REALMS}, abs=0.05
    )


def test_most_questions_have_five_options_and_some_have_fewer():
    sizes = Counter(len(row["options"]) for row in of("test"))
    assert sizes == {5: 47, 4: 4, 3: 1, 2: 1}
    mixed = [[len(row["options"]) for row in members] for members in groups("test", "A3").values()]
    assert [5, 4, 5] in mixed


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


def test_there_are_texts_that_are_easily_misread():
    questions = "\n".join(row["question"] for row in ROWS)
    for pattern in (r"[\U00010000-\U0010ffff]", r"[，。；：（）]", r"[,;:()]"):
        assert re.search(pattern, questions)
    options = {option for row in ROWS for option in row["options"]}
    assert {"头颅CT", "TCD", "PPD试验", "维生素D", "C反应蛋白"} <= options


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


def test_every_manner_of_answering_occurs():
    said = [row["prediction"] for row in PREDICTIONS]
    rows = case_tables("tcmd_mini")["manners"]
    counts = {what: sum(bool(re.fullmatch(pattern, text)) for text in said) for what, pattern, _ in rows}
    assert [what for what, _, least in rows if counts[what] < least] == []


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


def test_some_follow_the_content_which_is_right_or_wrong_and_some_in_part_of_the_variants():
    for label, believed in (("a1-zhuangshui", "C"), ("a1-xiongbi", "A")):
        mapped, shown = originals(label)
        assert set(mapped.values()) == {believed}
        assert len(set(shown.values())) == len(shown)
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
