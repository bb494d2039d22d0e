"""CMHE-HD rebuilt by the command: from the first prompts to the build that stands, with small files made here.

The dialogues of cMedQA2 are made up; what the tampered and generated answers say is false on purpose.
"""

from __future__ import annotations

import re

import pytest
from recipe_work import Work, own_file, problems_of

from medzh_score.text.folding import fold

NUMBERS = range(12)
SETTINGS = "correct = 4\nanswers = 6\nquestions = 5\ngenerated = 2\ntampered = 2\nconfirmers = 2\n"
STAGES = ("answers", "tampering")


def tampered(answer):
    """Tamper with a true answer as the prompt asks for."""
    return f"Tamper point:\n#1. [多休息] -> [不休息]\nModified Sentence: {answer.replace('多休息', '不休息')}"


def answer_both(work):
    work.answer("answers", lambda prompt: f"头骨里有头痛虫，共{re.search('第([0-9]+)天', prompt)[1]}条。")
    work.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]))


def rate(work, **said):
    """Fill the sheet of ratings in: of each rater a digit a row."""
    for rater, digits in said.items():
        work.fill("rating", [{"rationality": digit, "rater": rater} for digit in digits], rater)


def confirm(work, **said):
    """Fill the sheet of tampered answers in: of each person a letter a row, y or n."""
    for rater, letters in said.items():
        rows = [{"hallucinated": {"y": "yes", "n": "no"}[letter], "rater": rater} for letter in letters]
        work.fill("confirmation", rows, rater)


def fill_both(work, confirmed=6):
    # Means 1, 2, 3, 4 and 2 in the order of the rows; the two raters call all tampered answers hallucinated.
    rate(work, li="12142", wang="12542")
    confirm(work, li="y" * confirmed, wang="y" * confirmed)


def to_the_sheets(work):
    assert work.build() == 3
    answer_both(work)
    assert work.build() == 3


def finish(work):
    to_the_sheets(work)
    fill_both(work)
    assert work.build() == 0


def steps(work):
    return {tuple(row[:2]): row[2:] for row in work.table("From sources to dialogues")}


@pytest.fixture
def work(tmp_path):
    work = Work("cmhe_hd", tmp_path)
    rows = [f"{number},不舒服第{number}天怎么办？" for number in NUMBERS]
    work.write("question.csv", "question_id,content\n" + "\n".join(rows))
    rows = [f"{number}0,{number},第{number}天要多休息。" for number in NUMBERS]
    work.write("answer.csv", "ans_id,question_id,content\n" + "\n".join(rows))
    rows = [f"内科,标题{number},头痛第{number}天是什么原因？,回答" for number in NUMBERS]
    work.write("cmd.csv", "department,title,ask,answer\n" + "\n".join(rows), "gb18030")
    work.write("settings.toml", SETTINGS)
    work.sources = {
        "cmedqa2-questions": "question.csv",
        "cmedqa2-answers": "answer.csv",
        "cmd-sample": "cmd.csv",
        "settings": "settings.toml",
    }
    return work


def test_the_first_call_asks_for_answers_and_tampering_at_once(work, capfd):
    assert work.build() == 3
    shown = capfd.readouterr().out
    for stage, count in zip(STAGES, (5, 6), strict=True):
        assert f"{stage}: {count} of {count} prompts to be answered" in shown
        assert f"waiting for {stage}: send {work.stage(stage) / 'prompts.jsonl'} to a model" in shown
        assert len(work.prompts(stage)) == count
    assert all("不舒服" not in prompt for prompt in work.prompts("answers").values())
    assert not work.out.exists()


def test_the_whole_way(work, capfd):
    to_the_sheets(work)
    order = [row["question"] for row in work.sheet("rating")]
    fill_both(work)
    assert work.build() == 0
    records = work.records()
    assert [record["partition"] for record in records] == ["generated"] * 2 + ["tampered"] * 2 + ["correct"] * 4
    assert "cmhe_hd rebuilt: test 8 records" in capfd.readouterr().out
    assert problems_of(work.out) == []
    for record in records:
        assert record["answer"] == ("No" if record["partition"] == "correct" else "Yes")
        assert record["edits"] == (["多休息 -> 不休息"] if record["partition"] == "tampered" else [])
        assert ("不休息" in record["response"]) == (record["partition"] == "tampered")
        assert record["source"] == ("cmd-sample" if record["partition"] == "generated" else "cmedqa2-answers")
    keys = [record["upstream_key"] for record in records if record["source"] == "cmedqa2-answers"]
    assert all(re.fullmatch(r"([0-9]+)/(?:\1)0", key) for key in keys)
    # No question is in two partitions.
    assert len({fold(record["question"]) for record in records}) == len(records)
    # Means 1 and 2 are at most 2; of the two of mean 2 the first drawn is kept, for two at most are.
    assert {record["question"] for record in records if record["partition"] == "generated"} == {order[0], order[1]}
    ratings = [row[1:] for row in work.table("Generated answers by their mean rating")]
    assert ratings == [[1, 1], [2, 1], [1, 0], [1, 0], [0, 0], [0, 0], [0, 0]]
    # The paper's counts stand beside the build's.
    assert work.table("Dialogues by partition") == [
        *(["generated", 387, 2], ["tampered", 613, 2], ["correct", 1000, 4], ["all", 2000, 8]),
    ]
    assert steps(work)["generated", "drawn"] == [5000, 5]
    assert steps(work)["tampered", "responses that pass every check"] == ["not stated", 6]
    assert "Nothing was made to fit the paper's counts" in work.card()
    assert "stage rating: 5 rows, 5 answered, each by 2 or more, by li, wang" in work.card()


def test_the_threshold_is_a_parameter(work):
    work.write("settings.toml", SETTINGS.replace("generated = 2", "generated = 5") + "rating = 3\n")
    finish(work)
    assert sum(record["partition"] == "generated" for record in work.records()) == 4
    assert "settings of the user: correct 4 in place of 1,000" in " ".join(work.manifest()["notes"])
    assert "rating 3 in place of 2" in " ".join(work.manifest()["notes"])


def test_one_rater_is_not_enough(work, capfd):
    to_the_sheets(work)
    rate(work, li="11111")
    capfd.readouterr()
    assert work.build() == 3
    assert "rating: 5 of 5 rows to be answered by at least 2 raters each" in capfd.readouterr().out
    assert {row["rated_by"] for row in work.sheet("rating")} == {"li"}


def test_what_one_person_does_not_confirm_is_dropped(work):
    to_the_sheets(work)
    questions = [row["question"] for row in work.sheet("confirmation")]
    fill_both(work)
    confirm(work, li="yyyyyy", wang="nnnynn")
    assert work.build() == 0
    assert [record["question"] for record in work.records() if record["partition"] == "tampered"] == [questions[3]]
    assert steps(work)["tampered", "looked at by enough people"][1] == 6
    assert steps(work)["tampered", "confirmed by all of them"][1] == 1


def test_responses_that_fail_a_check_go_to_nobody_and_are_counted_by_name(work):
    assert work.build() == 3
    answer_both(work)
    asked = work.prompts("tampering")
    said = {name: tampered(prompt.splitlines()[-1]) for name, prompt in asked.items()}
    first, second, third, *_ = asked
    said[first] = f"Tamper point:\nModified Sentence: {asked[first].splitlines()[-1]}"
    said[second] = said[second].replace("[多休息]", "[多吃糖]")
    said[third] = "I will not do that."
    own_file(
        work.stage("tampering") / "answers-01.jsonl",
        [{"id": name, "prediction": one} for name, one in said.items()],
    )
    assert work.build() == 3
    assert list(work.prompts("tampering")) == [third]  # unreadable, so it is asked again
    work.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]), "answers-02.jsonl")
    assert work.build() == 3
    assert len(work.sheet("confirmation")) == 4
    fill_both(work, confirmed=4)
    assert work.build() == 0
    assert {row[0]: row[2] for row in work.table("Checks of tampered answers") if row[2]} == {
        "no point": 1,
        "nothing changed": 1,
        "point not in the original": 1,
        "none of them": 4,
    }


def test_equal_input_gives_equal_builds_and_another_seed_another_draw(work, tmp_path):
    finish(work)
    first = work.manifest()["fingerprint"]
    assert work.build("--out", str(tmp_path / "again" / "medzh")) == 0
    work.out = tmp_path / "again" / "medzh"
    assert work.manifest()["fingerprint"] == first
    before = work.prompts("answers"), work.prompts("tampering")
    assert work.build("--seed", "1") == 3
    assert (work.prompts("answers"), work.prompts("tampering")) != before


def test_a_partition_without_its_source_is_left_out(work):
    sources = work.sources
    work.keep("cmd-sample", "settings")
    assert work.build() == 3
    work.answer("answers", lambda _: "头骨里有头痛虫。")
    assert work.build() == 3
    rate(work, li="11111", wang="22222")
    assert work.build() == 0
    assert {record["partition"] for record in work.records()} == {"generated"}
    assert "there are no correct and no tampered dialogues" in " ".join(work.manifest()["notes"])
    work.sources = {name: file for name, file in sources.items() if name != "cmd-sample"}
    assert work.build() == 3
    work.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]))
    assert work.build() == 3
    confirm(work, li="yyyyyy", wang="yyyyyy")
    assert work.build() == 0
    assert {record["partition"] for record in work.records()} == {"correct", "tampered"}
    assert "there are no generated" in " ".join(work.manifest()["notes"])


def test_answers_that_nobody_finds_irrational_make_no_dialogue(work, capfd):
    work.keep("cmd-sample", "settings")
    work.build()
    work.answer("answers", lambda _: "原因很多，请就医检查。")
    work.build()
    rate(work, li="77777", wang="66666")
    capfd.readouterr()
    assert work.build() == 2
    assert "no dialogue can be made" in capfd.readouterr().err


@pytest.mark.parametrize("alone", [("settings",), ("settings", "cmedqa2-dev")])
def test_settings_and_candidates_alone_make_nothing(work, alone, capfd):
    work.write("dev.csv", "question_id,ans_id,cnt,label\n1,10,0,1")
    work.sources["cmedqa2-dev"] = "dev.csv"
    work.keep(*alone)
    assert work.build() == 2
    assert "needs a source" in capfd.readouterr().err


def test_the_real_sample_goes_out_as_5000_prompts(work, upstream_file):
    path = upstream_file(
        "Toyhom/Chinese-medical-dialogue-data/26724a4357fcd142f0cab81188cacf1a2dd8a827/样例_内科5000-6000.csv"
    )
    (work.place / "cmd.csv").write_bytes(path.read_bytes())
    work.sources = {"cmd-sample": "cmd.csv"}
    assert work.build() == 3
    prompts = list(work.prompts("answers").values())
    assert len(prompts) == len(set(prompts)) == 5_000
    assert all(re.search(r"患者：\S.{3,}", prompt) for prompt in prompts)
