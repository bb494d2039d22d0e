"""CMHE-HD rebuilt by the command: from the first prompts to the build that stands, with small files made here.

The dialogues of cMedQA2 are made up; what the tampered and generated answers say is false on purpose.
"""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from medzh_score.data.records import load_records
from medzh_score.text.folding import fold

NUMBERS = range(12)
SETTINGS = "correct = 4\nanswers = 6\nquestions = 5\ngenerated = 2\ntampered = 2\nconfirmers = 2\n"
STAGES = ("answers", "tampering")


def tampered(answer):
    """Tamper with a true answer as the prompt asks for."""
    return f"Tamper point:\n#1. [多休息] -> [不休息]\nModified Sentence: {answer.replace('多休息', '不休息')}"


class Work:
    """A working folder with sources, in which the command is run and its stages are answered."""

    def __init__(self, place):
        self.place, self.rounds, self.out = place, place / "rounds", place / "build" / "medzh"
        rows = [f"{number},不舒服第{number}天怎么办？" for number in NUMBERS]
        self.write("question.csv", "question_id,content\n" + "\n".join(rows))
        rows = [f"{number}0,{number},第{number}天要多休息。" for number in NUMBERS]
        self.write("answer.csv", "ans_id,question_id,content\n" + "\n".join(rows))
        rows = [f"内科,标题{number},头痛第{number}天是什么原因？,回答" for number in NUMBERS]
        self.write("cmd.csv", "department,title,ask,answer\n" + "\n".join(rows), "gb18030")
        self.write("settings.toml", SETTINGS)
        self.sources = {
            "cmedqa2-questions": "question.csv",
            "cmedqa2-answers": "answer.csv",
            "cmd-sample": "cmd.csv",
            "settings": "settings.toml",
        }

    def write(self, name, text, encoding="utf-8"):
        (self.place / name).write_text(text + "\n", encoding=encoding)

    def build(self, *more):
        given = [f"{name}={self.place / file}" for name, file in self.sources.items()]
        words = ["build", "cmhe_hd", "--recipe", "rebuilt", "--source", *given]
        return main([*words, "--rounds", str(self.rounds), "--out", str(self.out), *more])

    def stage(self, name):
        return self.rounds / "cmhe_hd" / name

    def prompts(self, stage):
        path = self.stage(stage) / "prompts.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        return {line["id"]: line["messages"][0]["content"] for line in lines}

    def answer(self, stage, say, name="answers-01.jsonl"):
        lines = [
            {"id": identifier, "prediction": say(prompt), "model": "some model"}
            for identifier, prompt in self.prompts(stage).items()
        ]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (self.stage(stage) / name).write_text(text, encoding="utf-8")

    def answer_both(self):
        self.answer("answers", lambda prompt: f"头骨里有头痛虫，共{re.search('第([0-9]+)天', prompt)[1]}条。")
        self.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]))

    def sheet(self, stage):
        text = (self.stage(stage) / "sheet.csv").read_text(encoding="utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def fill(self, stage, column, said):
        """Fill a sheet in as one rater after the other: from the place of a row to what it is given."""
        for rater, say in said.items():
            rows = [{**row, column: say(place), "rater": rater} for place, row in enumerate(self.sheet(stage))]
            text = io.StringIO(newline="")
            writer = csv.DictWriter(text, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
            (self.stage(stage) / f"filled-{rater}.csv").write_text(text.getvalue(), encoding="utf-8-sig")

    def fill_both(self):
        # Means 1, 2, 3, 4 and 2 in the order of the rows; the two raters call all tampered answers hallucinated.
        self.fill("rating", "rationality", {"li": lambda place: "12142"[place], "wang": lambda place: "12542"[place]})
        self.fill("confirmation", "hallucinated", {"li": lambda _: "yes", "wang": lambda _: "yes"})

    def finish(self):
        assert self.build() == 3
        self.answer_both()
        assert self.build() == 3
        self.fill_both()
        assert self.build() == 0

    def records(self):
        return load_records(self.out, "cmhe_hd").rows

    def manifest(self):
        return json.loads((self.out / "manifest.json").read_text(encoding="utf-8"))["configs"]["cmhe_hd"]

    def table(self, title):
        return next(table["rows"] for table in self.manifest()["tables"] if table["title"].startswith(title))


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    return Work(tmp_path)


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
    work.finish()
    records = work.records()
    assert [record["partition"] for record in records] == ["generated"] * 2 + ["tampered"] * 2 + ["correct"] * 4
    assert "cmhe_hd rebuilt: test 8 records" in capfd.readouterr().out
    assert check(work.out).problems == []
    for record in records:
        assert record["answer"] == ("No" if record["partition"] == "correct" else "Yes")
        assert (
            ("不休息" in record["response"])
            is (record["edits"] == ["多休息 -> 不休息"])
            is (record["partition"] == "tampered")
        )
        assert record["source"] == ("cmd-sample" if record["partition"] == "generated" else "cmedqa2-answers")
    keys = [record["upstream_key"] for record in records if record["source"] == "cmedqa2-answers"]
    assert all(re.fullmatch(r"([0-9]+)/(?:\1)0", key) for key in keys)
    # No question is in two partitions.
    assert len({fold(record["question"]) for record in records}) == len(records)


def test_the_lowest_ratings_are_kept_lowest_first(work):
    assert work.build() == 3
    work.answer_both()
    assert work.build() == 3
    order = [row["question"] for row in work.sheet("rating")]
    work.fill_both()
    assert work.build() == 0
    kept = {record["question"] for record in work.records() if record["partition"] == "generated"}
    # Means 1 and 2 are at most 2; of the two of mean 2 the first drawn is kept, for two at most are.
    assert kept == {order[0], order[1]}
    assert [row[1:] for row in work.table("Generated answers by their mean rating")] == [
        *([1, 1], [2, 1], [1, 0], [1, 0]),
        *([0, 0], [0, 0], [0, 0]),
    ]


def test_the_threshold_is_a_parameter(work):
    work.write("settings.toml", SETTINGS.replace("generated = 2", "generated = 5") + "rating = 3\n")
    work.finish()
    assert sum(record["partition"] == "generated" for record in work.records()) == 4
    assert "settings of the user: correct 4 in place of 1,000" in " ".join(work.manifest()["notes"])
    assert "rating 3 in place of 2" in " ".join(work.manifest()["notes"])


def test_one_rater_is_not_enough(work, capfd):
    assert work.build() == 3
    work.answer_both()
    assert work.build() == 3
    work.fill("rating", "rationality", {"li": lambda _: "1"})
    capfd.readouterr()
    assert work.build() == 3
    assert "rating: 5 of 5 rows to be answered by at least 2 raters each" in capfd.readouterr().out
    assert {row["rated_by"] for row in work.sheet("rating")} == {"li"}


def test_what_one_person_does_not_confirm_is_dropped(work):
    assert work.build() == 3
    work.answer_both()
    assert work.build() == 3
    questions = [row["question"] for row in work.sheet("confirmation")]
    work.fill_both()
    said = {"li": lambda _: "yes", "wang": lambda place: "no" if place != 3 else "yes"}
    work.fill("confirmation", "hallucinated", said)
    assert work.build() == 0
    assert [record["question"] for record in work.records() if record["partition"] == "tampered"] == [questions[3]]
    steps = {tuple(row[:2]): row[3] for row in work.table("From sources to dialogues")}
    assert steps["tampered", "looked at by enough people"] == 6
    assert steps["tampered", "confirmed by all of them"] == 1


def test_responses_that_fail_a_check_go_to_nobody_and_are_counted_by_name(work):
    assert work.build() == 3
    work.answer_both()
    first, second, third, *_ = prompts = list(work.prompts("tampering"))
    sentences = [work.prompts("tampering")[name].splitlines()[-1] for name in prompts]
    bad = {
        first: f"Tamper point:\nModified Sentence: {sentences[0]}",
        second: tampered(sentences[1]).replace("[多休息]", "[多吃糖]"),
        third: "I will not do that.",
    }
    said = {**dict(zip(prompts, map(tampered, sentences), strict=True)), **bad}
    text = "".join(json.dumps({"id": name, "prediction": one}) + "\n" for name, one in said.items())
    (work.stage("tampering") / "answers-01.jsonl").write_text(text, encoding="utf-8")
    assert work.build() == 3
    assert list(work.prompts("tampering")) == [third]  # unreadable, so it is asked again
    work.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]), "answers-02.jsonl")
    assert work.build() == 3
    assert len(work.sheet("confirmation")) == 4
    work.fill_both()
    assert work.build() == 0
    counts = {row[0]: row[2] for row in work.table("Checks of tampered answers")}
    assert {name: count for name, count in counts.items() if count} == {
        "no point": 1,
        "nothing changed": 1,
        "point not in the original": 1,
        "none of them": 4,
    }


def test_the_papers_counts_stand_beside_the_builds(work):
    work.finish()
    assert work.table("Dialogues by partition") == [
        *(["generated", 387, 2], ["tampered", 613, 2], ["correct", 1000, 4], ["all", 2000, 8]),
    ]
    steps = {tuple(row[:2]): row[2:] for row in work.table("From sources to dialogues")}
    assert steps["generated", "drawn"] == [5000, 5]
    assert steps["tampered", "responses that pass every check"] == ["not stated", 6]
    card = (work.out / "README.md").read_text(encoding="utf-8")
    assert "Nothing was made to fit the paper's counts" in card
    assert "stage rating: 5 rows, 5 answered, each by 2 or more, by li, wang" in card


def test_equal_input_gives_equal_builds_and_another_seed_another_draw(work, tmp_path):
    work.finish()
    first = work.manifest()["fingerprint"]
    assert work.build("--out", str(tmp_path / "again" / "medzh")) == 0
    work.out = tmp_path / "again" / "medzh"
    assert work.manifest()["fingerprint"] == first
    before = work.prompts("answers"), work.prompts("tampering")
    assert work.build("--seed", "1") == 3
    assert (work.prompts("answers"), work.prompts("tampering")) != before


@pytest.mark.parametrize(
    ("left", "partitions", "note"),
    [
        (("cmd-sample", "settings"), {"generated"}, "there are no correct and no tampered dialogues"),
        (("cmedqa2-questions", "cmedqa2-answers", "settings"), {"correct", "tampered"}, "there are no generated"),
    ],
)
def test_a_partition_without_its_source_is_left_out(work, left, partitions, note):
    work.sources = {name: work.sources[name] for name in left}
    assert work.build() == 3
    if "generated" in partitions:
        work.answer("answers", lambda _: "头骨里有头痛虫。")
        assert work.build() == 3
        work.fill("rating", "rationality", {"li": lambda _: "1", "wang": lambda _: "2"})
    else:
        work.answer("tampering", lambda prompt: tampered(prompt.splitlines()[-1]))
        assert work.build() == 3
        work.fill("confirmation", "hallucinated", {"li": lambda _: "yes", "wang": lambda _: "yes"})
    assert work.build() == 0
    assert {record["partition"] for record in work.records()} == partitions
    assert note in " ".join(work.manifest()["notes"])


def test_answers_that_nobody_finds_irrational_make_no_dialogue(work, capfd):
    work.sources = {name: work.sources[name] for name in ("cmd-sample", "settings")}
    work.build()
    work.answer("answers", lambda _: "原因很多，请就医检查。")
    work.build()
    work.fill("rating", "rationality", {"li": lambda _: "7", "wang": lambda _: "6"})
    capfd.readouterr()
    assert work.build() == 2
    assert "no dialogue can be made" in capfd.readouterr().err


@pytest.mark.parametrize("alone", [("settings",), ("settings", "cmedqa2-dev")])
def test_settings_and_candidates_alone_make_nothing(work, alone, capfd):
    work.write("dev.csv", "question_id,ans_id,cnt,label\n1,10,0,1")
    files = work.sources | {"cmedqa2-dev": "dev.csv"}
    work.sources = {name: files[name] for name in alone}
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
