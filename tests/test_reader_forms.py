"""Every form of predictions says the same: the same texts give the same report, for every config.

Source: native lines of the same texts. The forms are written here by hand from what the tools' own sources write.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pyarrow as pa
import pytest
from opened_files import openings
from pyarrow import parquet
from read_files import reader_of

from medzh_score.benchmark.asking import Asking
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.writing import prompt_lines
from medzh_score.report.check import check
from medzh_score.report.scoring import score

SAMPLES = Path(__file__).parent.parent / "dataset_scripts" / "mini"
RUNS = 2


@pytest.fixture(scope="module")
def data(config, minis):
    return load_records(minis, config.name)


@pytest.fixture(scope="module")
def asked(config, data):
    """Give what is sent in the default order, and two texts that came back for each."""
    lines = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {one["id"]: one["prediction"] for one in map(json.loads, lines) if one["prediction"].strip()}
    # A blank cell of a table is no answer that came; everywhere else it is an empty one.
    others = sorted(set(texts.values()))
    asking = Asking(config.prompts[0])
    draw = random.Random(1)  # noqa: S311
    return [
        (line, [texts.get(line["id"], "不知道。"), draw.choice(others)])
        for line in prompt_lines(config.asker(data.rows, asking), asking, config.decoding)
    ]


@pytest.fixture
def file(tmp_path):
    def write(name, *lines):
        path = tmp_path / name
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        return path

    return write


def contents(line):
    return [message["content"] for message in line["messages"]]


def native(asked, file, _folder):
    lines = [
        {"id": line["id"], "run": run, "prediction": text} for line, texts in asked for run, text in enumerate(texts)
    ]
    return [file("native.jsonl", *lines)], "native"


def batch(asked, file, _folder):
    lines = [
        {
            "id": f"batch_req_{number}",
            "custom_id": line["id"],
            "response": {
                "status_code": 200,
                "body": {
                    "choices": [
                        {"index": run, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
                        for run, text in enumerate(texts)
                    ]
                },
            },
            "error": None,
        }
        for number, (line, texts) in enumerate(asked)
    ]
    return [file("batch.jsonl", *reversed(lines))], "batch"


def evalscope_line(line, text, index, metadata):
    answer = {"role": "assistant", "content": text}
    return {
        "index": index,
        "model": "",
        "model_output": {"model": "", "choices": [{"message": answer, "stop_reason": "stop"}], "error": None},
        "messages": [*line["messages"], answer],
        "agent_trace": None,
        "metadata": metadata,
    }


def evalscope(asked, file, _folder, *, named=True):
    """Repeats follow one another, and lines come as the answers do."""
    lines = [
        evalscope_line(line, text, RUNS * number + run, {"id": line["id"] if named else "unknown"})
        for number, (line, texts) in enumerate(asked)
        for run, text in enumerate(texts)
    ]
    random.Random(2).shuffle(lines)  # noqa: S311
    return [file("evalscope.jsonl", *lines)], "evalscope"


def evalscope_without_ids(asked, file, folder):
    return evalscope(asked, file, folder, named=False)


def opencompass_entry(line, said):
    roles = {"user": "HUMAN", "assistant": "BOT"}
    messages = [{"role": roles[one["role"]], "prompt": one["content"] + " \n"} for one in line["messages"]]
    return {"origin_prompt": [{"role": "SYSTEM", "prompt": "你是医生。"}, *messages], "prediction": said, "gold": "x"}


def dumped(entries, path):
    path.write_text(json.dumps(entries, indent=4, ensure_ascii=False), encoding="utf-8")
    return path


def opencompass(asked, _file, folder):
    """Samples of a position are its runs."""
    entries = {str(at): opencompass_entry(line, texts) for at, (line, texts) in enumerate(asked)}
    return [dumped(entries, folder / "set.json")], "opencompass"


def opencompass_in_parts(asked, _file, folder):
    """The whole set twice, one after the other, split into three files; what was asked is one text with marks in it."""
    whole = []
    for run in range(RUNS):
        for line, texts in asked:
            marked = "".join(f"<|im_start|>{one['role']}\n{one['content']}<|im_end|>\n" for one in line["messages"])
            whole.append({"origin_prompt": marked + "<|im_start|>assistant\n", "prediction": texts[run]})
    step = -(-len(whole) // 3)
    parts = [whole[start : start + step] for start in range(0, len(whole), step)]
    paths = [
        dumped({str(at): entry for at, entry in enumerate(part)}, folder / f"set_{number}.json")
        for number, part in enumerate(parts)
    ]
    return paths, "opencompass"


def lighteval(asked, _file, folder, *, named=True, columns="{}"):
    rows = [
        {
            columns.format("doc"): {
                "query": "\n".join(contents(line)),
                "choices": [],
                "specific": {"id": line["id"], "answer": None} if named else None,
            },
            columns.format("metric"): {"em": 1.0},
            columns.format("model_response"): {"input": None, "text": texts, "text_post_processed": None},
        }
        for line, texts in asked
    ]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "details.parquet")
    return [folder / "details.parquet"], "lighteval"


def lighteval_without_ids(asked, file, folder):
    return lighteval(asked, file, folder, named=False, columns="__{}__")


def cells(texts, separator):
    return separator.join('"' + text.replace('"', '""') + '"' for text in texts) + "\n"


def table(asked, folder, name, separator, mark=""):
    rows = [
        ("prediction", "run", "id"),
        *((text, str(run), line["id"]) for line, texts in asked for run, text in enumerate(texts)),
    ]
    path = folder / name
    path.write_text(mark + "".join(cells(row, separator) for row in rows), encoding="utf-8", newline="")
    return [path], "sheet"


def comma_separated(asked, _file, folder):
    return table(asked, folder, "p.csv", ",", "\ufeff")


def tab_separated(asked, _file, folder):
    return table(asked, folder, "p.tsv", "\t")


FORMS = (
    batch,
    evalscope,
    evalscope_without_ids,
    opencompass,
    opencompass_in_parts,
    lighteval,
    lighteval_without_ids,
    comma_separated,
    tab_separated,
)


def said(report):
    return {key: value for key, value in json.loads(report.as_json()).items() if key != "inputs"}


def test_every_form_gives_the_same_report(config, data, asked, file, tmp_path):
    paths, _ = native(asked, file, tmp_path)
    # Later rounds of the same model have not come back.
    options = {"bootstrap": 0, "missing": "wrong"}
    expected = said(score(config.name, paths, data, **options))
    for form in FORMS:
        folder = tmp_path / form.__name__
        folder.mkdir()
        paths, reader = form(asked, file, folder)
        assert {reader_of(path).name for path in paths} == {reader}, form.__name__
        with openings() as opened:
            report = score(config.name, paths, data, **options)
        assert said(report) == expected, form.__name__
        hashes = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]
        assert [(one.name, one.sha256) for one in report.inputs] == hashes, form.__name__
        if form is not opencompass_in_parts:  # a part is looked at for where the next one begins
            assert {opened[str(path)] for path in paths} == {1}, form.__name__


def test_what_is_placed_by_a_prompts_file(config, data, asked, file, tmp_path):
    """Of prompts that were sent in another order, only the file tells the places."""
    shuffled = random.Random(3).sample(asked, len(asked))  # noqa: S311
    sent = file("prompts.jsonl", *(line for line, _ in shuffled))
    native_paths, _ = native(asked, file, tmp_path)
    for form in (opencompass, evalscope_without_ids, lighteval_without_ids):
        paths, _ = form(shuffled, file, tmp_path)
        expected = check(config.name, native_paths, data)
        assert check(config.name, paths, data, prompts=[sent]).coverage == expected.coverage
        if len({contents(line)[-1] for line, _ in asked}) > 1:
            with pytest.raises(MedzhError, match=r"names no ids, and at [\d,]+ of [\d,]+ positions"):
                score(config.name, paths, data, bootstrap=0)
            assert check(config.name, paths, data).status == 2
