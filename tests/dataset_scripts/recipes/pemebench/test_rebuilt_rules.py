"""The paper's three rules as far as they are computed, how responses are read, and the seed questions."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter, defaultdict

import pytest
from amounts import one_in
from hypothesis import given
from hypothesis import strategies as st
from sheet_files import save_sheet, sheet_rows
from tables import case_tables, holds

from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.pemebench.blocks import Block
from dataset_scripts.recipes.pemebench.generation import (
    ask_questions,
    read_pairs,
    read_questions,
    read_written_answer,
)
from dataset_scripts.recipes.pemebench.numbers import quantities
from dataset_scripts.recipes.pemebench.pairs import IN_DOUBT, KEPT, REPEATED, Judged, once
from dataset_scripts.recipes.pemebench.rebuilt import rebuild
from dataset_scripts.recipes.pemebench.review import review
from dataset_scripts.recipes.pemebench.seeds import TABLE, draw_seeds, seeds
from dataset_scripts.recipes.pemebench.settings import section_named, settings
from dataset_scripts.recipes.pemebench.sifting import DROPS, Finding, Pair, sift, sift_question
from dataset_scripts.recipes.pemebench.support import share, unknown_numbers
from dataset_scripts.recipes.pemebench.wording import kind_of
from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.configs.pemebench.words import DEPARTMENTS
from medzh_score.messages.errors import MedzhError

CASES = case_tables("pemebench_cases")
PENICILLIN = "化脓性脑膜炎由肺炎链球菌引起时，首选青霉素静脉滴注。"
QUESTION = "化脓性脑膜炎首选什么药物？"
TEXT = "布洛芬口服每次5～10mg/kg，需要时每6～8小时可重复使用，24小时内不超过4次。6月龄以下婴儿不推荐使用。"
ESSAYS = "ACMISLab/PediaBench/a8ac50aeab30f7fd898b696a35a2cd336b83c602/data/EssayShort Answer.xlsx"


def block(text=TEXT, subject="急性喉炎（急性感染性喉炎）"):
    return Block(
        "0" * 10, "儿科呼吸系统疾病", subject, section_named("treatment"), "治疗", (subject, "治疗"), text, "f.md"
    )


def test_questions_are_about_pediatrics_and_understood_by_themselves():
    text = f"{TEXT}犬吠样咳嗽提示急性喉炎；喉梗阻患儿烦躁时避免使用抑制呼吸的药物。小儿中暑应移至阴凉处。"
    rows = CASES["questions_by_themselves"]
    holds(rows, lambda question: [finding.name for finding in sift_question(question, block(text))])


def test_answers_are_supported_by_their_text():
    holds(CASES["answers_with_a_text"], fired)


def fired(answer):
    return [finding.name for finding in sift(Pair(block(subject="布洛芬"), "solution", "布洛芬如何使用？", answer))]


def fired_of_question(question, subject="某病", text=None):
    return [finding.name for finding in sift_question(question, block(text or question, subject))]


def fired_of_pair(question, answer="首选青霉素静脉滴注。"):
    pair = Pair(block(PENICILLIN, "化脓性脑膜炎"), "zero-shot", question, answer)
    return [finding.name for finding in sift(pair)]


def test_references_out_of_the_question_fire_and_medical_words_that_hold_a_forbidden_one_pass():
    holds(CASES["questions_by_their_words"], fired_of_question)


def test_a_subject_of_one_character_is_a_name():
    rows = CASES["subjects_of_one_character"]
    holds(rows, lambda question, subject: fired_of_question(question, subject, "疖和痈都是化脓性感染。"))


def test_a_question_speaks_of_its_text():
    holds(CASES["questions_of_a_text"], fired_of_pair)


def test_answers_stand_by_themselves_and_say_something():
    holds(CASES["answers_by_themselves"], lambda answer: fired_of_pair(QUESTION, answer)[:1])


def test_no_seed_question_trips_a_rule_of_the_prompts_that_show_it():
    shown = [question for kind in seeds().values() for question in kind]
    assert [question for question in shown if sift_question(question, block(question, "某病"))] == []
    assert all(question.count("？") == 1 and "，" not in question for question in shown)


def test_the_table_of_rules_and_the_card_agree_on_what_is_dropped():
    assert 0 < settings().few < settings().drop < settings().keep < 1
    assert {"unrelated", "unknown number", "unsupported"} <= set(DROPS)


def test_numbers_are_read_with_their_units():
    holds(CASES["numbers"], found)


def found(text):
    return [[f"{quantity.value:f}", " ".join(quantity.unit)] for quantity in quantities(text)]


def test_a_sign_is_none_in_ranges_and_names():
    holds(CASES["signs"], lambda text: quantities(text)[-1].sign)


def test_a_number_that_is_not_the_texts_is_never_kept():
    """What a wrong answer says is false on purpose."""
    holds(CASES["fates"], fate)


def fate(answer, text):
    absent, doubtful = unknown_numbers(answer, "如何处理？", text)
    return "dropped" if absent else "reviewed" if doubtful else "kept"


def test_a_number_may_repeat_the_question():
    assert unknown_numbers("3岁以上可用。", "3岁以上可以用吗？", "可用。") == ([], [])


def test_an_opposite_passes_and_the_card_says_so():
    opposite = Pair(block(subject="布洛芬"), "solution", "6月龄以下婴儿能用布洛芬吗？", "6月龄以下婴儿推荐使用。")
    assert sift(opposite) == []  # false on purpose; see the notes of the build


@given(st.text("布洛芬口服每次需要时可重复使用，。", min_size=2, max_size=40), st.integers(0, 30), st.integers(2, 30))
def test_what_is_copied_is_wholly_supported_and_a_text_shares_nothing_with_others(text, start, length):
    copied = text[start : start + length]
    assert share(copied, "", text) in {None, 1.0}
    assert share(copied, "", "呼吸道合胞病毒感染") in {None, 0.0}


def test_the_share_is_that_of_neighbouring_characters():
    # Of 青霉 霉素 素口 口服 the text has the first two and the last: 3 of 4, counted by hand; 。 parts pairs.
    assert share("青霉素口服", "", "青霉素静滴。口服也可") == pytest.approx(0.75)
    assert share("青霉素口服", "口服青霉素口吗？", "青霉素静滴。口服也可") == pytest.approx(1)  # 素口 is the question's
    assert share("好", "", "好") is None


@pytest.fixture(scope="module")
def essays(upstream_file):
    return [row for row in first_sheet(upstream_file(ESSAYS))[1:] if all(row)]


def test_real_answers_to_other_questions_are_never_kept(essays):
    """Of the essay questions of a disease group, no answer to one passes with the text of one that begins otherwise."""
    groups = defaultdict(list)
    for group, question, answer in essays:
        groups[group].append((question, answer))
    draw = random.Random(0)  # noqa: S311 - a test
    shares = []
    for group, question, text in draw.sample(essays, 400):
        other, answer = draw.choice(groups[group])
        if other[:2] != question[:2]:
            shares.append(share(answer[:150], other, f"{question}\n{text}"))
    assert len(shares) > 300
    assert max(shares) < settings().keep
    assert sum(found < settings().drop for found in shares) / len(shares) > 0.97


def test_real_questions_and_answers_pass_with_their_own_text(essays):
    """The authors wrote them by hand: no question is dropped, and no answer is doubted with itself as the text.

    The question stands above its answer as a heading does. Some answers do point to tables and to what stood before.
    """
    assert len(essays) > 1500
    fired = Counter()
    for place, (_, question, text) in enumerate(essays):
        with_it = block(f"{question}\n{text}", subject="")
        whole = place % one_in(3) == 0  # an answer takes long
        found = sift(Pair(with_it, "solution", question, text)) if whole else sift_question(question, with_it)
        fired.update(finding.name for finding in found)
    assert set(fired) <= {"unclear pronoun", "answer points outside"}
    assert fired["unclear pronoun"] <= 5
    assert fired["answer points outside"] <= (8 if one_in(3) == 1 else 3)


def test_pairs_are_read_strictly():
    holds(CASES["pairs"], lambda text: listed(read_pairs(text), lambda made: [made.question, made.answer]))


def test_questions_are_read_strictly():
    holds([*CASES["questions"], ("[" * 9999, None)], lambda text: listed(read_questions(text), str))


def listed(found, of):
    return None if found is None else list(map(of, found))


def test_answers_are_read():
    holds(CASES["answers"], read_written_answer)


def test_there_are_seed_questions_of_each_kind_for_every_department():
    listed = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    names = [department.name for department in DEPARTMENTS]
    for kind, questions in seeds().items():
        assert [seed["department"] for seed in listed[kind]] == names
        assert len(set(questions)) == len(names)
        # The published patterns, written apart from these, see the same kind in all but those that ask for causes,
        # which the paper gives to the template for definitions.
        assert all(kind_of(question) == kind or re.search("引起|病因", question) for question in questions)


def test_a_draw_depends_on_seed_and_block_alone():
    drawn = {(seed, name): tuple(draw_seeds("reason", 3, seed, name)) for seed in (0, 1) for name in ("a", "b")}
    assert len(set(drawn.values())) == 4
    assert all(len(set(questions)) == 3 for questions in drawn.values())
    assert drawn[0, "a"] == tuple(draw_seeds("reason", 3, 0, "a"))
    prompt = ask_questions(block(), "reason", 0).text
    assert all(question in prompt for question in draw_seeds("reason", 3, 0, "0" * 10))


def judged(question, fate, answer="x"):
    return Judged(Pair(block(), "solution", question, answer), (Finding("adults", ""),), fate)


@pytest.mark.parametrize(
    ("given_fates", "expected"),
    [
        (
            [("甲 ?", IN_DOUBT), ("甲？", KEPT), ("甲？", KEPT), ("乙？", IN_DOUBT)],
            [REPEATED, KEPT, REPEATED, IN_DOUBT],
        ),
        # Both in doubt, with other answers: a person may turn down the first.
        ([("甲？", IN_DOUBT, "x"), ("甲？", IN_DOUBT, "y")], [IN_DOUBT, IN_DOUBT]),
        ([("甲？", IN_DOUBT, "x"), ("甲？", IN_DOUBT, "x")], [IN_DOUBT, REPEATED]),
        ([("甲？", "unsupported"), ("甲？", IN_DOUBT)], ["unsupported", IN_DOUBT]),
    ],
)
def test_of_equal_questions_one_that_passes_goes_before_those_in_doubt(given_fates, expected):
    assert [one.fate for one in once([judged(*given) for given in given_fates])] == expected


@pytest.mark.parametrize(
    ("said", "fates"),
    [
        (("no", "yes"), ["a person: not supported by the text", KEPT]),
        (("yes", "yes"), [KEPT, REPEATED]),
    ],
)
def test_the_second_of_equal_questions_in_doubt_is_kept_where_the_first_is_turned_down(tmp_path, said, fates):
    pairs = [judged("急性喉炎如何治疗？", IN_DOUBT, answer) for answer in ("休息。", "吸氧。")]
    rounds = Rounds(tmp_path)
    with pytest.raises(AnswersPending):
        review(pairs, rounds)
    rows = sheet_rows((tmp_path / "review" / "sheet.csv").read_text(encoding="utf-8"))
    done = [{**row, "pediatric": "yes", "clear": "yes", "supported": one} for row, one in zip(rows, said, strict=True)]
    save_sheet(tmp_path / "review" / "filled-01.csv", done)
    assert [one.fate for one in review(pairs, rounds)] == fates


def test_what_is_dropped_stands_in_a_list_with_its_reason(tmp_path):
    """Before the sheet is filled in what the rules drop; the same each time, and no list where nothing is dropped."""
    pairs = [judged("甲？", IN_DOUBT), judged("乙？", "unsupported"), judged("丙？", KEPT)]
    path = tmp_path / "review" / "dropped.csv"
    written = []
    for _ in range(2):
        with pytest.raises(AnswersPending):
            review(pairs, Rounds(tmp_path))
        written.append(path.read_bytes())
    assert written[0] == written[1]
    (row,) = sheet_rows(written[0].decode("utf-8"))
    assert (row["file"], row["way"], row["reason"], row["question"]) == ("f.md", "solution", "unsupported", "乙？")
    assert review([pairs[2]], Rounds(tmp_path)) == [pairs[2]]
    assert not path.exists()


def test_guidelines_of_which_no_pair_is_left_make_no_build(tmp_path):
    (tmp_path / "books").mkdir()
    book = "第一节 麻疹\n【预后】\n无并发症的麻疹患儿预后良好，病后多可获得持久的免疫力。\n"
    (tmp_path / "books" / "儿科感染性疾病.txt").write_text(book, encoding="utf-8")
    files = {"guidelines": SourceFile("guidelines", tmp_path / "books", "0" * 64, pinned=False)}
    with pytest.raises(AnswersPending) as caught:
        rebuild(files, 0, Rounds(tmp_path / "rounds"))
    (due,) = caught.value.stages  # of a section that the paper gives no template, zero-shot only
    assert due.stage == "zero-shot"
    (prompt,) = (json.loads(line) for line in due.files[0].read_text(encoding="utf-8").splitlines())
    due.back.write_text(json.dumps({"id": prompt["id"], "prediction": "[]"}), encoding="utf-8")
    with pytest.raises(MedzhError, match="no pair of question and answer can be used"):
        rebuild(files, 0, Rounds(tmp_path / "rounds"))
