"""A judgement counts for what it judged alone: in every config, round and form another model's file is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES
from sheet_files import save_sheet, sheet_rows

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.stages import Panel, Stage
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.prompting.ids import AnswerKey, code_of, judged_id, split_judged_id
from medzh_score.scoring.pipeline import score
from medzh_score.stages.annotations import annotations_in
from medzh_score.stages.binding import StageItems
from medzh_score.ui.errors import MedzhError

# What a judge says to any prompt, and what a person fills in.
SAID = {
    ("care_mi", "correctness"): ("0.5", {"correctness": "0.5"}),
    ("care_mi", "interpretability"): ("0.5", {"interpretability": "0.5"}),
    ("cmhe_ce", "choose"): ("A", {"choice": "A"}),
    ("cmhe_dd", "codes"): ("1. 肺炎\n2. J18.9", {"codes": "J18.9"}),
    ("pemebench", "hallucination"): ("没有矛盾。\n结论：无", {"opposed": "no"}),
    ("pemebench", "entities"): ('["维生素D"]', {"entities": "维生素D"}),
    ("sdak", "reason"): (None, {"factual_supported": "yes", "counterfactual_supported": "no"}),
    ("sdak", "error"): (None, {"error_type": None}),
}
RULES = {"cmhe_dd": "judge", "pemebench": "raw"}  # by which a value comes of what is judged here
PROMPTED = ("chat", "text", "openai-batch", "evalscope")
TABLE = [
    (config, name, form) for (config, name), (text, _) in SAID.items() for form in ("csv", *(PROMPTED if text else ()))
]
OF_ANSWERS = [one for one in TABLE if one[1] != "entities"]


@dataclass
class Bench:
    """A config's sample, two models' answers to it, and the command."""

    config: str
    data: Path
    folder: Path

    def answers(self, model):
        """Write the answers of a model: those of B end in a remark of its own."""
        path = self.folder / f"{model}.jsonl"
        lines = (SAMPLES / self.config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) for line in lines]
        for line in told:
            line.pop("model", None)
            line["prediction"] += f"\n（以上由{model}回答。）" if model != "A" else ""
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told), encoding="utf-8")
        return path

    def asked(self, name, form, model):
        """Write what a round asks about a model's answers."""
        path = self.folder / f"{name}-{form}-{model}"
        after = () if name == "entities" else ("--predictions", str(self.answers(model)))
        to = {"evalscope": "chat"}.get(form, form)
        batch = ("--model", "j") if form == "openai-batch" else ()
        words = ["prompts", self.config, "--stage", name, *after, "--to", to, *batch, "--output", str(path)]
        assert main([*words, "--data", str(self.data)]) == 0
        return path

    def judged(self, name, form, sent):
        """Write what comes back, and how many rows it has."""
        back = sent.with_name(f"{sent.name}-back")
        text, values = SAID[self.config, name]
        if form == "csv":
            rows = sheet_rows(sent.read_text(encoding="utf-8"))
            types = pick("stage", find_config(self.config).stages, name).values
            filled = {column: value or types[column][0] for column, value in values.items()}
            return save_sheet(back, [{**row, **filled, "annotator": "甲"} for row in rows]), len(rows)
        lines = [json.loads(line) for line in sent.read_text(encoding="utf-8").splitlines()]
        told = [came_back(number, line, text, form) for number, line in enumerate(lines)]
        back.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told), encoding="utf-8")
        return back, len(told)

    def score(self, model, name, back, *prompts, data=None):
        options = {"rule": RULES.get(self.config), "stages": {name: back}, "prompts": list(prompts)}
        return score(self.config, self.answers(model), data or self.data, bootstrap=0, **options)


def came_back(number, line, text, form):
    """Give the line in which a tool answers a prompt."""
    message = {"role": "assistant", "content": text}
    if form == "openai-batch":
        body = {"model": "j", "choices": [{"index": 0, "message": message}]}
        return {"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}
    if form == "evalscope":  # it names no ids
        output = {"choices": [{"message": message, "stop_reason": "stop"}], "model": "j"}
        return {"index": number, "model": "j", "model_output": output, "messages": [*line["messages"], message]}
    return {"id": line["id"], "prediction": text, "model": "j"}


@pytest.fixture
def bench(minis, tmp_path):
    return lambda config: Bench(config, minis, tmp_path)


def refused(call):
    """Give the message of an error that names file and line."""
    with pytest.raises(MedzhError) as failure:
        call()
    assert failure.value.line, failure.value
    return str(failure.value)


@pytest.mark.parametrize(("config", "name", "form"), TABLE)
def test_a_models_own_judgements_give_a_value(bench, config, name, form):
    mine = bench(config)
    sent = mine.asked(name, form, "A")
    back, count = mine.judged(name, form, sent)
    assert count
    prompts = () if form == "csv" else (sent,)
    reports = [mine.score("A", name, back, *prompts)]
    if form != "evalscope":
        reports.append(mine.score("A", name, back))
    for report in reports:
        (note,) = [note for note in report.notes if note.startswith(f"Stage {name}: {count} ")]
        assert "excluded" not in note
        assert not [note for note in report.notes if "unverified" in note or "of other models" in note]


@pytest.mark.parametrize(("config", "name", "form"), OF_ANSWERS)
def test_another_models_judgements_are_refused_with_file_and_line(bench, config, name, form):
    mine = bench(config)
    sent = mine.asked(name, form, "A")
    back, _ = mine.judged(name, form, sent)
    if form != "evalscope":
        said = refused(lambda: mine.score("B", name, back))
        assert back.name in said
        assert "pass the predictions files from which this file was created" in said
    if form == "csv":
        return
    assert sent.name in refused(lambda: mine.score("B", name, back, sent))
    own = mine.asked(name, form, "B")
    said = refused(lambda: mine.score("B", name, back, own))
    # What EvalScope says was asked is not what B's prompts ask there.
    assert ("prompts differ from" if form == "evalscope" else "the predictions files") in said


@pytest.mark.parametrize("form", ["csv", *PROMPTED])
def test_entities_of_another_build_are_refused_with_file_and_line(bench, form):
    mine = bench("pemebench")
    sent = mine.asked("entities", form, "A")
    back, _ = mine.judged("entities", form, sent)
    records = load_records(mine.data, "pemebench")
    other = replace(records, rows=[{**row, "answer": row["answer"] + "以上供参考。"} for row in records.rows])
    if form != "evalscope":
        said = refused(lambda: mine.score("A", "entities", back, data=other))
        assert "the record is from a different build" in said
    if form != "csv":
        refused(lambda: mine.score("A", "entities", back, sent, data=other))


@pytest.mark.parametrize("form", ["csv", *PROMPTED])
def test_of_a_blind_file_about_two_models_those_that_fit_count(bench, form):
    mine = bench("care_mi")
    files = [f"model-{model}={mine.answers(model)}" for model in ("A", "B")]
    sent = mine.folder / "both"
    to = {"evalscope": "chat"}.get(form, form)
    batch = ["--model", "j"] if form == "openai-batch" else []
    words = ["prompts", "care_mi", "--stage", "correctness", "--predictions", *files, "--to", to, *batch]
    assert main([*words, "--output", str(sent), "--data", str(mine.data)]) == 0
    assert "model-" not in sent.read_text(encoding="utf-8-sig")
    assert "#r" not in sent.read_text(encoding="utf-8-sig")
    back, count = mine.judged("correctness", form, sent)
    for model in ("A", "B"):
        report = mine.score(model, "correctness", back, *(() if form == "csv" else (sent,)))
        assert report.notes[-1] == f"Stage correctness: {count // 2} rows annotate answers of other models."
        assert [note for note in report.notes if note.startswith(f"Stage correctness: {count // 2} annotated by ")]


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(sorted({name for _, name in SAID})))
def test_a_code_is_that_of_its_text_and_round_alone(one, other, name):
    key = AnswerKey("care-mi-0123456789", 3)
    written = judged_id(key, code_of(name, [one]))
    assert len(written) <= 59
    assert split_judged_id(written, Path("f"), 1) == (key, code_of(name, [one]))
    assert (code_of(name, [one]) == code_of(name, [other])) == (one == other)
    assert code_of(name, [one, other]) != code_of(name, [one + other])
    assert code_of("audit", [one]) != code_of(name, [one])


TEXT = st.text(st.sampled_from("发热咳嗽皮疹，。 \n"), max_size=6)
ANSWERS = st.dictionaries(st.sampled_from([("measles", 0), ("measles", 1), ("mumps", 0), ("mumps", 1)]), TEXT)
RECORDS = [{"id": "measles"}, {"id": "mumps"}]
LAYOUT = ItemIndex(("measles", "mumps"), np.arange(2)[:, np.newaxis], np.arange(2), {})
PLAIN = Stage(
    name="score",
    summary="how good is the answer?",
    values={"score": ("1", "0")},
    eligible=lambda layout, table: np.ones((len(layout.items), len(table.runs)), bool),
    context=lambda _members, texts: {"answer": "".join(texts)},
    columns=(0,),
)


@given(ANSWERS, ANSWERS, st.booleans())
def test_judgements_of_one_model_never_count_for_a_differing_answer_of_another(tmp_path_factory, one, other, blind):
    later = replace(PLAIN, panel=Panel(blind=True) if blind else None)
    path = tmp_path_factory.getbasetemp() / "judged.csv"
    rows = [f"{item},{run},{code_of('score', [text])},1" for (item, run), text in one.items()]
    path.write_text("\n".join(["id,run,answer_hash,score", *dict.fromkeys(rows)]), encoding="utf-8")
    try:
        found = annotations_in(later, [path], StageItems(RECORDS, LAYOUT, lambda _ids: other))
    except MedzhError:
        # Either something differs, or a blind sheet has two rows about one text.
        assert one != other or blind
        return
    for item, run in found.values:
        texts = {text for (name, _), text in one.items() if name == item} if blind else {one[item, run]}
        assert other[item, run] in texts
    assert found.unverified == 0
