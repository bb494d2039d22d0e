"""What is sent of a config, what came back, and how each tool writes that: by hand, after the tools' own sources."""

from __future__ import annotations

import json
import random

import pyarrow as pa
from places import SAMPLES
from pyarrow import parquet

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.prompting.write import prompt_lines

RUNS = 2


def asked_and_answered(config, rows):
    """Give what is sent in the default order, and two texts that came back for each."""
    lines = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {one["id"]: one["prediction"] for one in map(json.loads, lines) if one["prediction"].strip()}
    # A blank cell of a table is no answer that came; everywhere else it is an empty one.
    others = sorted(set(texts.values()))
    asking = PromptSettings(config.prompts[0])
    draw = random.Random(1)  # noqa: S311
    return [
        (line, [texts.get(line["id"], "不知道。"), draw.choice(others)])
        for line in prompt_lines(config.asker(rows, asking), asking, config.decoding)
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
    *(batch, evalscope, evalscope_without_ids, opencompass, opencompass_in_parts, lighteval, lighteval_without_ids),
    *(comma_separated, tab_separated),
)
