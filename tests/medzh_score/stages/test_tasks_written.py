"""What goes out in later rounds, by a config that is made up here: prompts for a judge, and sheets for people."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
from places import ROOT
from sentences import sentences
from sheet_files import save_sheet, sheet_rows

from medzh_score.benchmark import registry as configs
from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.columns import ID, TEXT
from medzh_score.benchmark.config import Config, Reporting
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.metrics import Metric, ratio
from medzh_score.benchmark.prompts import Prompting, PromptTemplate
from medzh_score.benchmark.rules import Rule, record_alone
from medzh_score.benchmark.stages import JudgeSpec, RecordStage, Sampling, Stage
from medzh_score.prompting import write
from medzh_score.prompting.ids import AnswerKey, code_of, judged_id, split_judged_id

SCHEMA = json.loads((ROOT / "schemas" / "prompt.schema.json").read_text(encoding="utf-8"))
ROWS = [
    {"id": name, "department": department, "question": question, "answer": reference}
    for name, department, question, reference in (
        ("i-measles", "感染", "麻疹的病原体是什么？", "麻疹病毒。"),
        ("i-mumps", "感染", "流行性腮腺炎的病原体是什么？", "腮腺炎病毒。"),
        ("i-pertussis", "感染", "百日咳的病原体是什么？", "百日咳鲍特菌。"),
        ("i-varicella", "感染", "水痘的病原体是什么？", "水痘-带状疱疹病毒。"),
        ("n-jaundice", "新生儿", "新生儿高未结合胆红素血症常用什么物理治疗？", "光照疗法。"),
        ("n-vitamin-k", "新生儿", "新生儿出生后为什么注射维生素K？", "预防维生素K缺乏性出血。"),
        ("b-iron", "血液", "缺铁性贫血缺乏哪种元素？", "铁。"),
    )
]
IDS = [row["id"] for row in ROWS]
DEPARTMENTS = {row["id"]: row["department"] for row in ROWS}
ASKED, JUDGED, OPPOSED, LISTED = range(4)


def layout(records):
    labels = [record["department"] for record in records]
    members = np.arange(len(records))[:, np.newaxis]
    order = {"department": ["血液", "新生儿", "感染"]}
    return ItemIndex(tuple(record["id"] for record in records), members, members[:, 0], {"department": labels}, order)


def statistics(items, answers, judged):
    counts = np.zeros((len(items.items), len(answers.runs), 4))
    counts[..., ASKED] = 1
    for (item, run), values in judged["opposed"].values.items() if "opposed" in judged else ():
        cell = items.items.index(item), answers.runs.index(run)
        counts[cell][JUDGED], counts[cell][OPPOSED] = 1, values["opposed"] == "yes"
    for item, _ in judged["entities"].values if "entities" in judged else ():
        counts[items.items.index(item), :, LISTED] = 1
    return counts


def came(items, table):
    return ~table.missing[items.members[:, 0], :, 0]


def context(members, texts):
    shown = {"question": members[0]["question"], "reference": members[0]["answer"]}
    return {**shown, "response": texts[0]} if texts else shown


def one_word(column, *words):
    return lambda text, _context: {column: text} if text in words or not words else None


OPPOSED_ROUND = Stage(
    name="opposed",
    summary="does the answer oppose the reference?",
    values={"opposed": ("yes", "no")},
    context=context,
    columns=(JUDGED,),
    eligible=came,
    model=JudgeSpec(
        (
            PromptTemplate("judge-1", "问题：{question}\n参考：{reference}\n回答：{response}\n矛盾吗？", "here"),
            PromptTemplate("judge-2", "{reference}|{response}", "here"),
        ),
        one_word("opposed", "yes", "no"),
        {"do_sample": False, "max_new_tokens": 8},
    ),
    sampling=Sampling(strata="department"),
)
ENTITIES_ROUND = RecordStage(
    name="entities",
    summary="which entities does the reference hold?",
    values={"entities": ()},
    context=context,
    columns=(LISTED,),
    model=JudgeSpec((PromptTemplate("list-1", "列出实体：{reference}", "here"),), one_word("entities")),
)
CONFIG = Config(
    name="made_up",
    title="A config that only tests have.",
    unit="percent",
    columns={"id": ID, "department": TEXT, "question": TEXT, "answer": TEXT},
    prompting=Prompting((PromptTemplate("p", "{question}", "here"),)),
    rules=(Rule("text", "the text", record_alone(lambda text, _side: Reading(text, "text"))),),
    layout=layout,
    statistics=statistics,
    metrics=(Metric("opposed", "opposed, of those judged", ratio(OPPOSED, JUDGED, 100.0), JUDGED, "none was judged"),),
    reporting=Reporting(("opposed",), lambda _: "judged"),
    stages=(OPPOSED_ROUND, ENTITIES_ROUND, replace(OPPOSED_ROUND, name="by-hand", model=None, sampling=Sampling(3))),
)
# What two runs answered; the answer on measles in run 1 is wrong on purpose, one answer never came.
TEXTS = {(name, run): f"=  {row['answer']}{run}\n" for run in (0, 1) for name, row in zip(IDS, ROWS, strict=True)}
TEXTS["i-measles", 1] = "麻疹由细菌引起。"
del TEXTS["b-iron", 1]


def judged(name, run):
    """Write the id of a prompt of round ``opposed``."""
    return judged_id(AnswerKey(name, run), code_of("opposed", [TEXTS[name, run]]))


def asked_about(line):
    """Give the item and run that a prompt asks about."""
    key, _ = split_judged_id(line["id"], Path("prompts"), 1)
    return key.id, key.run


@pytest.fixture
def data(tmp_path, write_build, monkeypatch):
    made_up = SimpleNamespace(load=lambda: CONFIG, module="made_up.config", value="made_up.config:CONFIG")
    monkeypatch.setattr(configs, "declared", lambda _: {"made_up": made_up})
    return write_build(tmp_path / "medzh", ROWS, "made_up")


@pytest.fixture
def command(calling, data):
    return lambda *words: calling(*words, "--data", data)


@pytest.fixture
def answers(tmp_path, write_lines):
    lines = [{"id": name, "run": run, "prediction": text} for (name, run), text in TEXTS.items()]
    return write_lines(tmp_path / "answers.jsonl", lines)


@pytest.fixture
def written(command):
    """Give a function that writes what a round asks, and gives its lines and what was said."""

    def call(name, *arguments):
        status, printed, errors = command("prompts", "made_up", "--stage", name, *arguments)
        assert status == 0, errors
        return [json.loads(line) for line in printed.splitlines()], errors.splitlines()

    return call


@pytest.fixture
def rows_of(command):
    """Give a function that writes the sheet of a round, and gives its rows."""

    def call(name, *arguments):
        status, printed, errors = command("prompts", "made_up", "--stage", name, *arguments)
        assert status == 0, errors
        return sheet_rows(printed)

    return call


def test_a_round_about_records_asks_once_about_each(written):
    """Source: the wording, filled in by hand."""
    lines, said = written("entities")
    codes = [code_of("entities", [row["question"], row["answer"]]) for row in ROWS]
    assert [line["id"] for line in lines] == [f"{name}~{code}" for name, code in zip(IDS, codes, strict=True)]
    assert list(lines[0]) == ["id", "stage", "messages", "prompt", "shots", "generation"]
    texts = ["列出实体：" + row["answer"] for row in ROWS]
    assert [line["messages"] for line in lines] == [[{"role": "user", "content": text}] for text in texts]
    assert {(line["stage"], line["prompt"], line["shots"]) for line in lines} == {("entities", "list-1", 0)}
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    cost = f"entities: 7 calls, {sum(map(len, texts))} characters of prompts"
    assert said == [cost, "7 items: which entities does the reference hold?"]


def test_a_round_about_answers_asks_about_each_that_came_in_every_run(written, answers):
    lines, said = written("opposed", "--predictions", answers, "--to", "text", "--prompt", "judge-2")
    assert [line["id"] for line in lines] == [judged(n, run) for run in (0, 1) for n in IDS if (n, run) in TEXTS]
    references = {row["id"]: row["answer"] for row in ROWS}
    for line in lines:
        item, run = asked_about(line)
        assert line["text"] == f"{references[item]}|{TEXTS[item, run]}"
        assert line["generation"] == {"do_sample": False, "max_new_tokens": 8}
        jsonschema.validate(line, SCHEMA)
    assert list(lines[0]) == ["id", "stage", "text", "prompt", "shots", "generation"]
    characters = sum(len(line["text"]) for line in lines)
    assert said[0] == f"opposed: 13 calls, {characters} characters of prompts"
    assert said[1] == "7 items in 2 runs: does the answer oppose the reference?"


def test_a_single_run_is_named_only_where_it_is_not_the_first(written, tmp_path, write_lines):
    for run in (0, 3):
        path = write_lines(tmp_path / f"run{run}", [{"id": IDS[0], "run": run, "prediction": "麻疹病毒。"}])
        (line,), said = written("opposed", "--predictions", path)
        code = code_of("opposed", ["麻疹病毒。"])
        assert line["id"] == (f"{IDS[0]}#r3~{code}" if run else f"{IDS[0]}~{code}")
        assert said[0].startswith("opposed: 1 call, ")


def test_batch_requests_name_id_and_run_and_are_split(written, command, answers, tmp_path, monkeypatch):
    arguments = ("--predictions", answers, "--to", "openai-batch", "--model", "judge-1")
    requests, _ = written("opposed", *arguments)
    expected = [judged(name, run) for run in (0, 1) for name in IDS if (name, run) in TEXTS]
    assert [request["custom_id"] for request in requests] == expected
    chat, _ = written("opposed", "--predictions", answers)
    assert [request["body"]["messages"] for request in requests] == [line["messages"] for line in chat]
    settings = [requests[0]["body"][name] for name in ("model", "temperature", "max_tokens")]
    assert settings == ["judge-1", 0, 8]
    monkeypatch.setattr(write, "BATCH_LINES", 5)
    out = tmp_path / "b" / "judge.jsonl"
    out.parent.mkdir()
    said = written("opposed", *arguments, "--output", out)[1]
    names = [f"judge-{number}-of-3.jsonl" for number in (1, 2, 3)]
    assert sorted(path.name for path in out.parent.iterdir()) == names
    read = f"{answers}: read as native format"
    assert said[-4:] == [*(f"Wrote {out.parent / name}" for name in names), read]
    parts = [
        json.loads(line) for name in names for line in (out.parent / name).read_text(encoding="utf-8").splitlines()
    ]
    assert parts == requests
    status, printed, errors = command("prompts", "made_up", "--stage", "opposed", *arguments)
    assert (status, printed) == (2, "")
    assert "13 requests need several batch files" in errors


def test_sheets_show_the_same_to_a_person(rows_of, answers):
    entities = rows_of("entities", "--to", "csv")
    assert list(entities[0]) == ["id", "answer_hash", "question", "reference", "entities", "annotator"]
    assert [row["reference"] for row in entities] == [row["answer"] for row in ROWS]
    opposed = rows_of("opposed", "--predictions", answers, "--to", "csv")
    assert list(opposed[0]) == ["id", "run", "answer_hash", "question", "reference", "response", "opposed", "annotator"]
    assert {(row["id"], int(row["run"])): row["response"].removeprefix("'") for row in opposed} == TEXTS
    codes = {(row["id"], int(row["run"])): row["answer_hash"] for row in opposed}
    assert codes == {key: code_of("opposed", [text]) for key, text in TEXTS.items()}
    by_hand = rows_of("by-hand", "--predictions", answers)
    assert list(by_hand[0]) == list(opposed[0])
    assert len({row["id"] for row in by_hand}) == 3  # the round's own sample, of items


@pytest.mark.parametrize(
    ("sample", "shares", "said"),
    [
        (3, {"感染": 1, "新生儿": 1, "血液": 1}, "1 items per"),
        (4, {"感染": 1, "新生儿": 2, "血液": 1}, "1 to 2 items per"),
        (6, {"感染": 3, "新生儿": 2, "血液": 1}, "1 to 3 items per"),
        (2, {"新生儿": 1, "血液": 1}, "0 to 1 items per"),
        (99, {"感染": 4, "新生儿": 2, "血液": 1}, "1 to 4 items per"),
    ],
)
def test_a_sample_is_spread_evenly_over_the_groups(written, answers, sample, shares, said):
    """Source: by hand; the groups take turns in their order: 血液, 新生儿, 感染."""
    lines, told = written("opposed", "--predictions", answers, "--sample", sample, "--seed", "5")
    asked = [asked_about(line)[0] for line in lines]
    drawn = list(dict.fromkeys(asked))
    assert Counter(map(DEPARTMENTS.__getitem__, drawn)) == shares
    assert Counter(asked) == Counter(name for name, _ in TEXTS if name in drawn)
    assert told[1].startswith(f"{len(drawn)} items in 2 runs sampled with seed 5: ")
    assert told[2] == f"stratified sample: {said} department"


def test_only_what_has_no_readable_value_is_asked_again(written, answers, tmp_path, write_lines):
    arguments = ("opposed", "--predictions", answers, "--sample", "5")
    sent = written(*arguments)[0]
    every = [asked_about(line) for line in sent]
    lines = [{"id": line["id"], "prediction": "yes", "model": "j"} for line in sent[:4]]
    lines[1]["prediction"], lines[2]["prediction"] = "yes and no", ""
    responses = write_lines(tmp_path / "responses", lines)
    rest, said = written(*arguments, "--skip-answered", responses)
    assert [asked_about(line) for line in rest] == [every[1], every[2], *every[4:]]
    assert said[0].startswith(f"opposed: {len(every) - 2} calls, ")
    assert said[3] == "1 of 10 expected answers are missing or have no content"
    assert said[4] == "the sample is not the default one: score with --stage-sample opposed=5:0"
    assert said[5] == f"2 of {len(every)} are already answered and are skipped"
    sheet = tmp_path / "by-hand.csv"
    by_hand = "".join(f"{item},{run},No,甲\n" for item, run in every[1:])
    sheet.write_text("id,run,opposed,annotator\n" + by_hand, encoding="utf-8")
    assert written(*arguments, "--skip-answered", responses, sheet)[0] == []
    assert written(*arguments, "--skip-answered", responses, sheet)[1][0] == "opposed: 0 calls, 0 characters of prompts"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("entities --predictions ANSWERS", "option --predictions: stage entities uses records, not predictions"),
        ("entities --rule text", "option --rule: stage entities uses records, not predictions"),
        ("entities --from native", "option --from: stage entities uses records, not predictions"),
        ("entities --file-per-run", "option --file-per-run: stage entities uses records, not predictions"),
        ("entities --runs 2", "option --runs: this option cannot be combined with --stage"),
        ("entities --shots 0", "option --shots: this option cannot be combined with --stage"),
        ("entities --model m", "option --model: this option requires --to openai-batch"),
        ("entities --to openai-batch", "option --model: this option is required with --to openai-batch"),
        ("entities --seed 1", "option --seed: this option has no effect because nothing is sampled"),
        ("entities --to csv --prompt list-1", "option --prompt: this option applies only to prompts for a judge model"),
        ("entities --prompt judge-1", "unknown name: expected list-1"),
        ("opposed", "option --predictions: this option is required for stage opposed: expected predictions files"),
        (
            "by-hand --predictions ANSWERS --to chat",
            "option --to: stage by-hand is annotated by a person: expected csv, xlsx",
        ),
        (
            "by-hand --predictions ANSWERS --prompt judge-1",
            "option --prompt: this option cannot be combined with --stage",
        ),
        ("answer --skip-answered ANSWERS", "option --skip-answered: this option requires --stage"),
        ("opposed --predictions ANSWERS --skip-answered OTHERS", "the annotation is for a run without predictions"),
        ("entities --skip-answered OTHERS", 'field "run": stage entities is about records and has no runs'),
    ],
)
def test_what_does_not_apply_is_refused(command, answers, tmp_path, write_lines, wish, message):
    others = write_lines(tmp_path / "others", [{"id": IDS[0], "run": 7, "prediction": "yes"}])
    named = [{"ANSWERS": answers, "OTHERS": others}.get(word, word) for word in wish.split()]
    before = sorted(tmp_path.iterdir())
    status, printed, errors = command("prompts", "made_up", "--output", tmp_path / "out", "--stage", *named)
    assert (status, printed) == (2, "")
    assert message in errors
    assert sorted(tmp_path.iterdir()) == before


def test_prompts_go_out_and_verdicts_come_back(written, rows_of, command, answers, tmp_path, write_lines):
    """Source: counted by hand. The judge fails on four of 13; a person corrects two verdicts and gives a third."""
    sent, _ = written("opposed", "--predictions", answers)
    wrong = ("i-measles", 1)
    said = {asked_about(line): "yes" if asked_about(line) == wrong else "no" for line in sent}
    said |= {(IDS[0], 0): "yes", (IDS[1], 0): "也许", (IDS[2], 0): "yes\nno", (IDS[3], 0): "", (IDS[4], 0): '{"opp'}
    lines = [{"id": judged(*key), "prediction": text, "model": "judge-9"} for key, text in said.items()]
    responses = write_lines(tmp_path / "responses.jsonl", lines)
    entities = [{"id": line["id"], "prediction": "病毒", "model": "judge-9"} for line in written("entities")[0][:6]]
    listed = write_lines(tmp_path / "entities.jsonl", entities)

    rest = rows_of("opposed", "--predictions", answers, "--to", "csv", "--skip-answered", responses)
    assert [(row["id"], row["run"]) for row in rest] == [(name, "0") for name in IDS[1:5]]
    rest[0] |= {"opposed": "no", "annotator": "甲"}
    first, last = ({"id": name, "answer_hash": code_of("opposed", [TEXTS[name, 0]])} for name in (IDS[0], IDS[5]))
    corrected = [{**rest[0], **first, "opposed": "NO"}, {**rest[0], **last, "opposed": "yes"}, *rest]
    sheet = save_sheet(tmp_path / "by-hand.csv", corrected)

    stages = [f"opposed={responses}", f"opposed={sheet}", f"entities={listed}"]
    options = [word for given in stages for word in ("--stage", given)]
    arguments = ("score", "made_up", answers, "--missing", "wrong", "--bootstrap", "0", "--to", "json", *options)
    status, printed, errors = command(*arguments)
    assert status == 0, errors
    report = json.loads(printed)
    # Run 0: four verdicts, one of them yes; run 1: six, one yes. An unreadable one is in no denominator.
    assert report["metrics"]["opposed"]["per_run"] == pytest.approx([100 / 4, 100 / 6])
    who, entities = report["signature"]["annotators"].split("; ")
    assert who == "opposed by judge-9, 甲 (prompt unknown, sample all, verified)"
    assert re.fullmatch("entities [0-9a-f]{8}", entities)
    assert sentences(report)[-3:] == [
        (
            "Stage opposed: 10 annotated, 3 left blank, 2 unreadable (i-pertussis (run 1), n-jaundice (run 1)), 1 "
            "empty or failed (i-varicella (run 1)), 3 missing, 2 replaced by a later file."
        ),
        "Stage entities: 6 of 7 annotated (the others are scored with the values in their records), 0 left blank.",
        "3 annotations of stage opposed are missing and scored with the worst value.",
    ]
    assert [entry["reader"] for entry in report["inputs"][1:]] == ["round opposed", "round opposed", "round entities"]
