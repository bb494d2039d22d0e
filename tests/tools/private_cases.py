"""Every command as it is called on private configs: well, and into errors. Files in ``work`` are to hold texts.

What begins with ! is to be refused or to fail; BAD and EACH stand for files that cannot be read, DAMAGED for builds
that are not well, URL for a server.
"""

from __future__ import annotations

import json

from marked_packages import MARK, questions
from simulated import write_lines

CONFIGS = ("secret", "notes", "ward")
LONG = MARK * 40_000  # more than is read of a prediction
# Written by the user's wish to work on the texts: prompts, sheets, requests, explanations.
TEXTS = ("build", "in", "work", "suite/prompts", "suite/answers", "suite/outbox")

SCORING = {
    "configs": [""],
    "prompts": [
        "! secret",  # to standard output, where no text may go
        "! secret --output -",
        "secret --to csv --output work/prompts.csv",
        "secret --to xlsx --output work/prompts.xlsx",
        "secret --to openai-batch --model m --output work/batch.jsonl",
        "notes --to text --output work/text.jsonl",
        "secret --stage fallback --predictions in/secret.a.jsonl --output work/second.jsonl",
        "! secret --stage fallback --predictions in/secret.a.jsonl",
        "secret --stage fallback --predictions in/secret.a.jsonl --to csv --output work/second.csv",
        "secret --stage audit --predictions in/secret.a.jsonl --to csv --sample 5 --output work/audit.csv",
        "secret --stage audit --predictions BAD --to csv --sample 5 --output work/audit2.csv",
        "secret --stage fallback --predictions in/secret.a.jsonl --skip-answered BAD --output work/second2.jsonl",
    ],
    "harness": ["! inspect secret --output out/task", "! lm-eval notes --output out/task"],
    "check": ["secret in/secret.b.jsonl", "ward in/ward.a.jsonl --to json", "secret EACH"],
    "explain": [
        "! secret in/secret.a.jsonl --unparsed 2",
        "secret in/secret.a.jsonl --unparsed 2 --output work/explained.txt",
        "ward in/ward.a.jsonl --unparsed 2 --to json --output work/explained.json",
        "secret BAD --unparsed 2 --output work/none.txt",
    ],
    "score": [
        "secret in/secret.a.jsonl",
        "ward in/ward.a.jsonl --to markdown --items out/ward.items.jsonl",
        "notes in/notes.b.jsonl --to latex --items out/notes.items.jsonl",
        "secret in/secret.b.jsonl --to csv --items out/secret.items.jsonl",
        "! secret in/secret.a.jsonl --save out/texts --include-text full",
        "! secret in/secret.a.jsonl --save out/texts --include-text spans",
        "! secret in/secret.a.jsonl --save results/secret.b",
        "secret in/secret.a.jsonl --prompts in/secret.prompts.jsonl --output out/sent.json --to json",
        "secret in/secret.a.jsonl --prompts BAD",
        "! secret in/secret.a.jsonl --prompts in/ward.prompts.jsonl",
        "secret in/secret.a.jsonl --stage fallback=work/second.csv --fallback-extractor reader",
        "secret in/secret.a.jsonl --stage audit=BAD",
        "! secret in/ward.a.jsonl",
        "! secret in/secret.a.jsonl --data in/cut.jsonl",
        "secret EACH",
    ],
    "show": [
        *(f"results/secret.a --to {form}" for form in ("text", "markdown", "latex", "csv", "json")),
        *(f"results/{config}.a --to html --output out/{config}.html" for config in CONFIGS),
        "! results/secret.a --to html --include-text full",
        "EACH",
    ],
    "compare": [
        "results/secret.a results/secret.b --by kind",
        "results/notes.a results/notes.b --to latex",
        "results/ward.a results/ward.b --to json --items out/differing.jsonl --output out/compared.json",
        "! results/secret.a results/ward.a",
        "results/secret.a BAD",
    ],
    "summary": ["results/secret.a results/notes.a results/secret.b results/notes.b", "results/secret.a BAD"],
    "leaderboard": [
        "results/secret.a results/secret.b results/ward.a results/notes.a results/notes.b --output out/site",
        "! results/secret.a build --output out/site2",
    ],
    "published": ["! secret"],
    "plot": [
        "secret results/secret.a results/secret.b --output out/groups.svg",
        (
            "secret results/secret.a results/secret.b --figure forest --baseline results/secret.a --by kind"
            " --output out/forest.svg"
        ),
        "secret BAD --output out/none.svg",
    ],
    "suite plan": ["suite --models a b --configs secret ward --judge secret/fallback=judge"],
    "suite prompts": ["suite", "suite --to openai-batch", "suite --to csv"],
    "suite ask": [
        "suite --model a --base-url URL --yes",
        "! suite --model b --base-url URL/broken --yes",
        "! suite --model b --base-url http://127.0.0.1:9/v1 --yes",
    ],
    "suite add": ["suite in/secret.a.jsonl --model b", "suite in/ward.a.jsonl --model b", "suite BAD --model b"],
    "suite status": ["suite", "suite --to json"],
    "suite score": ["suite", "! suite --include-text full", "suite --workers 2"],
    "export": ["! results/secret.a --to model-index", "! results/ward.a --to inspect-scores", "BAD --to eee"],
    "cite": ["! secret"],
    "verify": [
        "results/secret.a in/secret.a.jsonl",
        "! results/ward.a in/ward.b.jsonl",
        "out/sent.json in/secret.a.jsonl in/secret.prompts.jsonl",
        "! results/secret.a in/secret.a.jsonl --item secret-0123456789",
        "BAD",
    ],
    "archive": ["! results/secret.a in/secret.a.jsonl --output out/bundle.zip", "BAD --output out/bundle2.zip"],
}
BUILDING = {
    "build": [
        "ward --recipe mini --output build/medzh",
        "secret --recipe official --source in/rows.jsonl --output build/official",
        "! secret --recipe official --source in/faulty_rows.jsonl --output build/none",
        "secret --recipe official --source EACH --output build/none",
        "ward --recipe official --source BAD --output build/none",
    ],
    "check": ["build/medzh", "DAMAGED"],
    "check-config": ["secret", "ward --data build/medzh", "secret --data DAMAGED"],
    "new": ["other --output work/other"],
    "diff": ["build/medzh build/official", "build/medzh DAMAGED --all", "DAMAGED build/medzh"],
    "publish": [
        "org/one --version 1.0.0 --data build/medzh",
        "org/one --version 1.0.0 --data build/medzh --configs secret",
        "org/one --version 1.0.0 --data DAMAGED --dry-run",
    ],
    "bundle": ["! --data build/medzh --output out/build.zip", "--data DAMAGED --output out/build.zip"],
    "scope-notes": ["! notes --data build/medzh", "ward --data DAMAGED --output work/scope.jsonl"],
    "fetch": ["--list secret", "secret"],
    "pin": [f"one/two@{'0' * 40} rows.jsonl --from in --config secret"],
}
# What is called on no config, nor on data of one.
APART = {"disease-names": "reads tables of names that anybody can fetch"}


def answers(config, prompts, model):
    """Answer what was asked, each with the mark: some empty, some unread, of one model one that is too long."""
    for number, one in enumerate(prompts):
        said = ("对", "A", "AC", "1.B 2.A")[number % 4] if config == "secret" else f"{MARK}科室{number:02d}号"
        text = f"{said}。{MARK}说明{number}"
        if number == 5 and model == "b":
            text = LONG
        yield {"id": one["id"], "prediction": {3: "", 4: f"不知道{MARK}"}.get(number, text)}


def faulty(folder):
    """Write predictions that cannot be read, each in its own way, and name them all, one that is not there, too."""
    first = json.loads((folder / "secret.a.jsonl").read_text(encoding="utf-8").splitlines()[0])
    line = json.dumps(first | {"prediction": f"对{MARK}"}, ensure_ascii=False)
    odd = [first | {"prediction": [MARK]}, first | {"run": MARK}, first | {"model": [MARK]}]
    contents = {
        "cut.jsonl": line[:-4],
        "comma.jsonl": line.replace(", ", f", {MARK}, "),
        "doubled.jsonl": line + "\n" + line.replace("对", "错"),
        "key.jsonl": line[:-1] + f', "prediction": "{MARK}"}}',
        "own_key.jsonl": line[:-1] + f', "{MARK}": 1, "{MARK}": 2}}',
        **{f"odd{n}.jsonl": json.dumps(one, ensure_ascii=False) for n, one in enumerate(odd)},
        "unknown.jsonl": json.dumps({"id": MARK, "prediction": MARK}, ensure_ascii=False),
        "foreign.jsonl": json.dumps({MARK: MARK, "text": MARK}, ensure_ascii=False),
        "failed.jsonl": json.dumps({"id": first["id"], "error": f"the server: {MARK}"}, ensure_ascii=False),
        "report.json": json.dumps({"config": MARK, "schema": 1, "rule": MARK}, ensure_ascii=False),
        "head.csv": f"{MARK},prediction\n{MARK},{MARK}\n",
        "cells.csv": f"id,prediction\n{first['id']},{MARK},{MARK}\n",
        "quotes.csv": f'id,prediction\n{first["id"]},"{MARK}\n',
        "half.jsonl": line.replace(MARK, MARK + "\\ud840"),
        "control.jsonl": line.replace(MARK, MARK + "\x01"),
    }
    for name, content in contents.items():
        (folder / name).write_text(content + "\n", encoding="utf-8")
    magic = {"log.zip": b"PK\x03\x04", "book.xlsx": b"PK\x03\x04", "table.parquet": b"PAR1", "p.jsonl.gz": b"\x1f\x8b"}
    for name, start in magic.items():
        (folder / name).write_bytes(start + MARK.encode() * 20)
    (folder / "gb.jsonl").write_bytes(line.encode("gb18030"))
    return [*contents, *magic, "gb.jsonl", "none.jsonl"]


def write_sources(folder):
    """Write sources for the official recipe: sound rows, and rows of which each has a fault."""
    rows = questions()
    write_lines(folder / "rows.jsonl", rows)
    write_lines(folder / "faulty_rows.jsonl", [rows[0] | {"kind": MARK}, rows[1] | {MARK: MARK}, {"question": MARK}])
