"""What is sent of a config, what came back, and how each tool writes that: by hand, after the tools' own sources."""

from __future__ import annotations

import csv
import json
import math
import random
from dataclasses import dataclass

import pyarrow as pa
from places import SAMPLES
from pyarrow import parquet

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.prompting.write import prompt_lines

RUNS = 2
DATE = "2026-01-31T09-30-00.123456"


def asked_and_answered(config, rows):
    """Give what is sent in the default order, and two texts that came back for each."""
    lines = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {one["id"]: one["prediction"] for one in map(json.loads, lines) if one["prediction"].strip()}
    # A blank cell of a table is no answer that came; everywhere else it is an empty one.
    others = sorted(set(texts.values()))
    asking = PromptSettings(config.prompting.templates[0])
    draw = random.Random(1)  # noqa: S311
    return [
        (line, [texts.get(line["id"], "不知道。"), draw.choice(others)])
        for line in prompt_lines(config.prompting.builder(rows, asking), asking, config.prompting.generation_kwargs)
    ]


def writing_in(folder):
    """Give a function that writes JSON lines into a folder."""

    def write(name, *lines):
        path = folder / name
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


@dataclass(frozen=True)
class Came:
    """What came back of a prompt, the first text of each of its runs; with an error nothing came."""

    id: str
    messages: list
    text: str | None = "正确。"
    reason: str | None = None
    error: str | None = None


def native_lines(came, folder, model=None):
    """Write native lines."""
    lines = []
    for one in came:
        more = {"finish_reason": one.reason, "error": one.error, "model": model}
        said = {name: value for name, value in more.items() if value}
        lines.append({"id": one.id, "prediction": one.text, "score": math.nan, **said})
    return writing_in(folder)("native.jsonl", *lines)


def batch_lines(came, folder, model=None):
    """Write batch output; what failed has no response."""

    def response(one):
        choice = {"index": 0, "message": {"role": "assistant", "content": one.text}, "finish_reason": one.reason}
        return {"status_code": 200, "body": {"model": model, "choices": [choice], "took": math.nan}}

    lines = [
        {"custom_id": one.id, "response": None if one.error else response(one), "error": one.error} for one in came
    ]
    return writing_in(folder)("batch.jsonl", *lines)


def evalscope_lines(came, folder, model=None, *, by_folder=False):
    """Write predictions of EvalScope; the model may stand in the folder alone."""
    lines = []
    for at, one in enumerate(came):
        line = evalscope_line({"messages": one.messages}, one.text, at, {"id": one.id})
        output = line["model_output"] | {"model": None if by_folder else model}
        output["choices"][0]["stop_reason"] = one.reason
        lines.append(line | {"model_output": {"choices": [], "error": one.error} if one.error else output})
    place = folder / "predictions" / (model if by_folder else "same")
    place.mkdir(parents=True, exist_ok=True)
    return writing_in(place)("set.jsonl", *lines)


def evalscope_folder(came, folder, model=None):
    """Write predictions of EvalScope whose folder names the model."""
    return evalscope_lines(came, folder, model, by_folder=True)


def inspect_log(came, folder, model=None, *, of_log=False):
    """Write a log of inspect; the log as a whole may name the model."""
    samples = []
    for one in came:
        answer = {"role": "assistant", "content": one.text}
        output = {"choices": [{"message": answer, "stop_reason": one.reason}], "completion": one.text, "time": math.nan}
        output |= {"model": "" if of_log else model}
        ended = {"output": {"choices": []}, "error": {"message": one.error}} if one.error else {"output": output}
        samples.append({"id": one.id, "epoch": 1, "input": "…", "messages": [*one.messages, answer], **ended})
    plan = {"config": {"temperature": 0.7, "max_tokens": 64, "max_retries": 3, "top_p": None}}
    log = {"version": 2, "status": "success", "eval": {"model": model}, "plan": plan, "samples": samples}
    return writing_in(folder)("log.json", log)


def inspect_log_as_a_whole(came, folder, model=None):
    """Write a log of inspect that names the model once."""
    return inspect_log(came, folder, model, of_log=True)


def lm_eval_samples(came, folder, model=None):
    """Write samples of lm-evaluation-harness into the folder of the model."""
    lines = []
    for at, one in enumerate(came):
        settings = {"until": [], "max_gen_toks": 64, "top_k": 1}
        arguments = {"gen_args_0": {"arg_0": json.dumps(one.messages), "arg_1": settings}}
        resps = [] if one.error else [[one.text]]
        lines.append({"doc_id": at, "doc": {"id": one.id}, "arguments": arguments, "resps": resps, "acc": math.nan})
    place = folder / (model or "run-1")
    place.mkdir(parents=True, exist_ok=True)
    return writing_in(place)(f"samples_task_{DATE}.jsonl", *lines)


def opencompass_entries(came, folder, model=None, *, marked=False):
    """Write predictions of OpenCompass; what was asked may be one text with the marks of a chat template."""
    roles, entries = {"user": "HUMAN", "assistant": "BOT", "system": "SYSTEM"}, {}
    for at, one in enumerate(came):
        asked = [{"role": roles[message["role"]], "prompt": message["content"]} for message in one.messages]
        if marked:
            turns = [f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in one.messages]
            asked = "".join(turns) + "<|im_start|>assistant\n"
        entries[str(at)] = {"origin_prompt": asked, "prediction": [] if one.error else one.text}
    place = folder / "predictions" / (model or "0")
    place.mkdir(parents=True, exist_ok=True)
    return dumped(entries, place / "set.json")


def marked_entries(came, folder, model=None):
    """Write predictions of OpenCompass with marks in what was asked."""
    return opencompass_entries(came, folder, model, marked=True)


def lighteval_details(came, folder, model=None, *, asked=list):
    """Write details of lighteval into the folders of the model and the date."""
    rows = [
        {
            "doc": {"query": "\n".join(turn["content"] for turn in one.messages), "specific": {"id": one.id}},
            "model_response": {"input": asked(one.messages), "text": [] if one.error else [one.text]},
        }
        for one in came
    ]
    place = folder / "details" / (model or "0") / DATE
    place.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(rows), place / f"details_task_{DATE}.parquet")
    return place / f"details_task_{DATE}.parquet"


def lighteval_json(came, folder, model=None):
    """Write details of lighteval with what was asked as JSON."""
    return lighteval_details(came, folder, model, asked=json.dumps)


def sheet(came, folder, model=None):
    """Write a table."""
    with (folder / "sheet.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = [(one.id, one.text, one.reason, one.error or "NaN", model) for one in came]
        csv.writer(stream).writerows([("id", "prediction", "finish_reason", "error", "model"), *rows])
    return folder / "sheet.csv"


def cells(texts, separator):
    return separator.join('"' + text.replace('"', '""') + '"' for text in texts) + "\n"


def table(asked, folder, name, separator, mark=""):
    rows = [
        ("prediction", "run", "id"),
        *((text, str(run), line["id"]) for line, texts in asked for run, text in enumerate(texts)),
    ]
    path = folder / name
    path.write_text(mark + "".join(cells(row, separator) for row in rows), encoding="utf-8", newline="")
    return [path], "table"


def comma_separated(asked, _file, folder):
    return table(asked, folder, "p.csv", ",", "\ufeff")


def tab_separated(asked, _file, folder):
    return table(asked, folder, "p.tsv", "\t")


FORMS = (
    *(batch, evalscope, evalscope_without_ids, opencompass, opencompass_in_parts, lighteval, lighteval_without_ids),
    *(comma_separated, tab_separated),
)
