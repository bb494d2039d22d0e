"""PeMeBench rebuilt from guidelines by the command, from the first prompt to the build that stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from places import CASE_FILES
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipes.pemebench.seeds import seeds
from medzh_score.data.records import load_records

PNEUMONIA, SUGAR = "支气管肺炎", "新生儿低血糖症"
# Two books, what a model makes of them, and the question, kind and task of what is kept whatever a person decides. The
# kind of a few-shot question is its template's; that of a zero-shot one its wording's, which here asks for a cause.
SAID = json.loads((CASE_FILES / "pemebench_guidelines.json").read_text(encoding="utf-8"))
PNEUMONIA_BOOK, SUGAR_BOOK = SAID["books"]
BOOKS = {
    "03 儿科呼吸系统疾病/支气管肺炎.md": PNEUMONIA_BOOK.encode("utf-8"),
    "新生儿疾病.txt": SUGAR_BOOK.encode("gb18030"),
}
PAIRS = {(subject, section): pairs for subject, section, pairs in SAID["pairs"]}
QUESTIONS = {(subject, section, kind): questions for subject, section, kind, questions in SAID["questions"]}
ANSWERS = dict(SAID["answers"])
IN_DOUBT = QUESTIONS[PNEUMONIA, "治疗", "询问解决方案类"][0]
ALWAYS_KEPT = set(map(tuple, SAID["always kept"]))


def answer(stage, prompt):
    """Answer a prompt as a model would."""
    subject = re.search(r"【主题】(.*)", prompt)[1]
    section = re.search(r"【章节】.*> (.*)", prompt)[1]
    if stage == "few-shot-answers":
        return f"<think>查找原文。</think>{ANSWERS[re.search(r'【问题】(.*)', prompt)[1]]}"
    if stage == "few-shot-questions":
        kind = re.search(r"编写(\w+)的问题", prompt)[1]
        return json.dumps(QUESTIONS[subject, section, kind], ensure_ascii=False)
    pairs = [{"问题": question, "答案": said} for question, said in PAIRS[subject, section]]
    return f"```json\n{json.dumps(pairs, ensure_ascii=False)}\n```"


class Work:
    """A working folder with guidelines, in which the command is run and its stages are answered."""

    def __init__(self, place):
        self.place = place
        self.guidelines, self.rounds, self.out = place / "books", place / "rounds", place / "build" / "medzh"
        for name, content in BOOKS.items():
            (self.guidelines / name).parent.mkdir(parents=True, exist_ok=True)
            (self.guidelines / name).write_bytes(content)

    def words(self, *more):
        source = f"guidelines={self.guidelines}"
        return [
            *("build", "pemebench", "--recipe", "rebuilt", "--source", source),
            *("--rounds", str(self.rounds), "--out", str(self.out), *more),
        ]

    def build(self, *more):
        return main(self.words(*more))

    def stage(self, name):
        return self.rounds / "pemebench" / name

    def prompts(self, stage):
        """Give what is to be answered in a stage, by id."""
        path = self.stage(stage) / "prompts.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        return {line["id"]: line["messages"][0]["content"] for line in lines}

    def bring(self, stage, name, lines):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (self.stage(stage) / name).write_text(text, encoding="utf-8")

    def answer(self, stage, name="answers-01.jsonl", model="glm-4"):
        """Answer all prompts of a stage."""
        lines = [
            {"id": identifier, "prediction": answer(stage, prompt), "model": model}
            for identifier, prompt in self.prompts(stage).items()
        ]
        self.bring(stage, name, lines)

    def sheet(self):
        return sheet_rows((self.stage("review") / "sheet.csv").read_text(encoding="utf-8"))

    def fill(self, name="filled-01.csv", **said):
        rows = [{**row, "pediatric": "yes", "clear": "yes", "supported": "yes", **said} for row in self.sheet()]
        save_sheet(self.stage("review") / name, rows)

    def finish(self):
        """Answer whatever is asked until the build stands."""
        assert self.build() == 3
        self.answer("zero-shot")
        self.answer("few-shot-questions")
        assert self.build() == 3
        self.answer("few-shot-answers")
        assert self.build() == 3
        self.fill(rater="Li")
        assert self.build() == 0

    def table(self, head):
        return next(table for table in self.manifest()["tables"] if table["columns"][0] == head)

    def fates(self):
        return {row[0]: row[2] for row in self.table("reason")["rows"]}

    def records(self):
        return load_records(self.out, "pemebench").rows

    def manifest(self):
        return json.loads((self.out / "manifest.json").read_text(encoding="utf-8"))["configs"]["pemebench"]


@pytest.fixture
def work(tmp_path):
    return Work(tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Give a folder in which the build stands, to be looked at."""
    done = Work(tmp_path_factory.mktemp("finished"))
    done.finish()
    return done


@pytest.fixture
def further(finished, tmp_path):
    """Give a copy of it, to go on in."""
    return Work(shutil.copytree(finished.place, tmp_path / "further", symlinks=True))


def kept(work):
    return {(record["question"], record["kind"], record["task"]) for record in work.records()}


def test_the_first_call_asks_both_ways_at_once_and_ends_with_status_3(work):
    done = subprocess.run(
        [sys.executable, "-m", "dataset_scripts", *work.words()], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (3, "")
    counts = re.findall(r"^(\S+): (\d+) of \2 prompts to be answered: ([\d,]+) characters$", done.stdout, re.MULTILINE)
    assert [(stage, number) for stage, number, _ in counts] == [("zero-shot", "4"), ("few-shot-questions", "6")]
    for stage, _, characters in counts:
        assert int(characters.replace(",", "")) == sum(map(len, work.prompts(stage).values()))
        assert f"waiting for {stage}: send {work.stage(stage) / 'prompts.jsonl'} to a model" in done.stdout
    assert not work.out.exists()


def test_prompts_hold_the_text_and_three_examples_of_their_kind(work):
    work.build()
    for stage, shots in (("zero-shot", 0), ("few-shot-questions", 3)):
        sent = (work.stage(stage) / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["shots"] for line in sent} == {shots}
    assert all("来自这段文字" in prompt for prompt in work.prompts("zero-shot").values())
    assert any(
        f"【主题】{SUGAR}\n【章节】{SUGAR} > 预防\n【文字】\n低血糖的高危儿" in prompt
        for prompt in work.prompts("zero-shot").values()
    )
    names = {"考察定义类": "definition", "询问解决方案类": "solution", "询问原因类": "reason"}
    for prompt in work.prompts("few-shot-questions").values():
        shown = set(re.search(r"【示例】\n(.*?)\n\n", prompt, re.DOTALL)[1].splitlines())
        assert len(shown) == 3
        assert shown <= set(seeds()[names[re.search(r"编写(\w+)的问题", prompt)[1]]])


def test_the_whole_way(work, capfd):
    assert work.build() == 3
    prompts = work.prompts("zero-shot")
    first, second, *rest = prompts
    lines = [{"id": name, "prediction": answer("zero-shot", prompts[name]), "model": "glm-4"} for name in rest]
    work.bring("zero-shot", "answers-01.jsonl", [{"id": first, "prediction": "问题：见下。", "model": "glm-4"}, *lines])
    work.answer("few-shot-questions", model="glm-4-air")
    capfd.readouterr()
    assert work.build() == 3
    assert "zero-shot: 2 of 4 prompts to be answered" in (printed := capfd.readouterr().out)
    assert "1 of them again: what came back was unreadable" in printed
    assert set(work.prompts("zero-shot")) == {first, second}
    sent = "".join(work.prompts("few-shot-answers").values())
    assert len(work.prompts("few-shot-answers")) == 5
    assert "上述疾病的定义" not in sent  # dropped before it costs a call
    work.answer("zero-shot", "answers-02.jsonl")
    work.answer("few-shot-answers")
    assert work.build() == 3
    (row,) = work.sheet()
    assert (row["question"], row["department"], row["subject"]) == (IN_DOUBT, "儿科呼吸系统疾病", PNEUMONIA)
    assert row["doubt"].startswith("partly supported: ")
    assert "首选青霉素或阿莫西林" in row["text"]
    work.fill(rater="Li")
    capfd.readouterr()
    assert work.build() == 0
    assert kept(work) == {*ALWAYS_KEPT, (IN_DOUBT, "solution", "治疗方案")}
    assert check(work.out).problems == []
    assert "pemebench rebuilt: test 6 records" in capfd.readouterr().out


def test_records_say_where_they_come_from(finished):
    by_question = {record["question"]: record for record in finished.records()}
    record = by_question[f"什么是{SUGAR}？"]
    assert (record["department"], record["source"], record["recipe"]) == ("新生儿疾病", "guidelines", "rebuilt")
    assert record["answer"] == "全血血糖低于2.2mmol/L，不论胎龄和日龄。"
    assert record["upstream_key"].startswith(f"新生儿疾病.txt/{SUGAR}/概述/")
    assert record["entities"] is None
    # Of two equal questions the zero-shot one stays, with its own answer.
    assert by_question[f"{PNEUMONIA}常见的细菌病原是什么？"]["answer"] == "肺炎链球菌。"


def test_what_a_person_turns_down_is_dropped(further):
    (further.stage("review") / "filled-01.csv").unlink()
    assert further.build() == 3
    further.fill(rater="Li", supported="no")
    assert further.build() == 0
    assert kept(further) == ALWAYS_KEPT
    assert ["a person: not supported by the text", "in the review sheet", 1] in further.table("reason")["rows"]


def test_every_pair_is_accounted_for(finished):
    table = finished.table("way")
    ways = {row[0]: dict(zip(table["columns"][1:], row[1:], strict=True)) for row in table["rows"]}
    # Made: 5 zero-shot pairs, and 3, 2 and 1 questions; counted by hand from the tables above.
    assert {way: counts["made"] for way, counts in ways.items()} == {
        "zero-shot": 5,
        "definition": 3,
        "solution": 2,
        "reason": 1,
        "all": 11,
    }
    fates = finished.fates()
    assert fates == {"nothing before": 1, "points outside": 1, "no answer": 1, "unknown number": 1, "repeated": 1}
    assert ways["all"]["made"] == ways["all"]["kept"] + sum(fates.values())
    assert {row[0]: row[3] for row in finished.table("rule")["rows"]}["partly supported"] >= 1
    blocks = finished.table("department")
    assert [row[:2] for row in blocks["rows"]] == [["新生儿疾病", 1], ["儿科呼吸系统疾病", 1], ["all", 2]]
    assert [row[-1] for row in blocks["rows"]] == [2, 2, 4]


def test_the_card_says_who_answered_by_which_prompts_and_what_the_paper_counted(finished):
    entry = finished.manifest()
    assert any(
        "11 pairs were made and 6 kept; the paper made 13,113 and kept 12,068" in note for note in entry["notes"]
    )
    assert "stage zero-shot: 4 prompts (medzh-zh-1), 4 answered by glm-4" in entry["notes"]
    assert "stage review: 1 rows, 1 answered by Li" in entry["notes"]
    names = [source["name"] for source in entry["sources"]]
    stages = ("zero-shot", "few-shot-questions", "few-shot-answers")
    assert names == [
        "guidelines",
        *(f"rounds/{stage}/answers-01.jsonl" for stage in stages),
        "rounds/review/filled-01.csv",
    ]
    assert not any(source["redistributable"] for source in entry["sources"])
    card = (finished.out / "README.md").read_text(encoding="utf-8")
    assert "NOT the official benchmark" in card
    assert "stage few-shot-answers: 5 prompts (medzh-zh-1), 5 answered by glm-4" in card


def test_a_seed_draws_other_examples_and_asks_nothing_else_anew(work):
    work.build()
    before = {stage: work.prompts(stage) for stage in ("zero-shot", "few-shot-questions")}
    work.build("--seed", "1")
    assert work.prompts("zero-shot") == before["zero-shot"]
    assert work.prompts("few-shot-questions").keys().isdisjoint(before["few-shot-questions"])


@pytest.mark.parametrize("name", ["外科/阑尾炎.md", "外科.txt"])
def test_a_name_that_is_no_department_is_one_line_and_status_2(work, capfd, name):
    (work.guidelines / name).parent.mkdir(exist_ok=True)
    (work.guidelines / name).write_text("# 阑尾炎", encoding="utf-8")
    assert work.build() == 2
    printed = capfd.readouterr()
    assert "is in no department; expected a folder or a file named" in printed.err
    assert printed.err.count("\n") == 1


def test_hostile_folders_are_one_line_and_status_2(work, capfd):
    (work.guidelines / "新生儿疾病.txt").write_bytes(b"\x00\x01\x02\n" * 5)
    assert work.build() == 2
    assert "新生儿疾病.txt:1: is no text" in capfd.readouterr().err
    (work.guidelines / "新生儿疾病.txt").write_text("短。", encoding="utf-8")
    (work.guidelines / "03 儿科呼吸系统疾病" / "支气管肺炎.md").write_text("", encoding="utf-8")
    assert work.build() == 2
    assert "no text block can be used" in capfd.readouterr().err
    work.guidelines = work.guidelines / "none"
    assert work.build() == 2
    assert "there is no such folder" in capfd.readouterr().err


def test_missing_and_unreadable_answers_and_blank_rows_are_accepted_on_demand(work):
    work.build()
    work.answer("few-shot-questions")
    assert work.build("--accept-missing") == 3  # nothing came back for zero-shot
    first, *rest = work.prompts("zero-shot")
    work.bring("zero-shot", "answers-01.jsonl", [{"id": first, "prediction": "?"}, {"id": rest[0], "prediction": "[]"}])
    work.answer("few-shot-answers")
    lines = (work.stage("few-shot-answers") / "answers-01.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (work.stage("few-shot-answers") / "answers-01.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    assert work.build("--accept-missing") == 3
    work.fill(pediatric="", clear="", supported="")
    assert work.build("--accept-missing") == 0
    notes = [note for note in work.manifest()["notes"] if note.startswith("stage ")]
    assert "2 left out because no answer came back; 1 left out because what came back was unreadable" in notes[0]
    assert "1 left out because no answer came back" in notes[3]
    fates = work.fates()
    assert (fates["not answered"], fates["not looked at"]) == (1, 1)
    assert work.build() == 3


def test_an_answer_to_a_text_that_has_changed_is_asked_for_anew(further):
    before = further.records()
    book = further.guidelines / "新生儿疾病.txt"
    book.write_text(SUGAR_BOOK.replace("不论胎龄和日龄", "与胎龄和日龄无关"), encoding="utf-8")
    assert further.build() == 3
    assert len(further.prompts("zero-shot")) == 1
    assert further.records() == before  # the build that stands stays
    further.answer("zero-shot", "answers-02.jsonl")
    further.answer("few-shot-questions", "answers-02.jsonl")
    assert further.build() == 0
    assert "1 answers to what is no longer asked passed over" in str(further.manifest()["notes"])


@pytest.mark.parametrize("spread", [1, 2])
def test_equal_answers_give_an_equal_build_however_they_came_back(finished, work, spread):
    assert work.build() == 3
    for stage in ("zero-shot", "few-shot-questions", "few-shot-answers"):
        lines = (finished.stage(stage) / "answers-01.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[::-1]
        for number in range(spread):
            path = work.stage(stage) / f"answers-{number}.jsonl"
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(lines[number::spread]), encoding="utf-8")
    assert work.build() == 3
    work.fill(rater="Li")
    assert work.build() == 0
    assert work.manifest()["fingerprint"] == finished.manifest()["fingerprint"]
    assert work.records() == finished.records()


def test_foreign_answers_and_wrong_values_are_one_line_and_status_2(work, capfd):
    work.build()
    work.bring("zero-shot", "answers-01.jsonl", [{"id": "zero-shot-0000000000000000", "prediction": "[]"}])
    assert work.build() == 3
    assert "1 answers to what is no longer asked were passed over" in capfd.readouterr().out
    (work.stage("zero-shot") / "answers-01.jsonl").unlink()
    work.answer("zero-shot")
    work.answer("few-shot-questions")
    work.build()
    work.answer("few-shot-answers")
    work.build()
    work.fill(clear="maybe")
    assert work.build() == 2
    assert "filled-01.csv:3: field clear: not a value of this column" in capfd.readouterr().err


def test_rounds_stand_neither_in_the_build_nor_in_the_guidelines(work, capfd):
    for place in (work.out / "rounds", work.guidelines / "rounds"):
        work.rounds = place
        assert work.build() == 2
        assert "field --rounds: stands in" in capfd.readouterr().err
        assert not place.exists()


def test_a_batch_needs_its_model(work, capfd):
    assert work.build("--to", "openai-batch") == 2
    assert "field --model: is needed for openai-batch" in capfd.readouterr().err
    assert work.build("--to", "openai-batch", "--model", "glm-4") == 3
    lines = (work.stage("zero-shot") / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["body"]["model"] for line in lines} == {"glm-4"}
