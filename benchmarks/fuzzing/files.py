"""Builds, suites, sheets and what users bring to a build: damaged, and read by the commands that read them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from fuzzing.answers import NUMBERS, PLAIN
from fuzzing.targets import copied, files_below
from scored_minis import SAMPLES
from simulated import as_native, prompts_in

from medzh_score.data.records import load_records
from medzh_score.io.sheets import Sheet, as_workbook
from medzh_score.io.workbooks import as_csv

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzzing.targets import Target, Work

MAPPING = """encoding = "utf-8"
[fields]
type = "kind"
subject = "about"
question = "text"
answer = "right"
[options]
field = "choices"
separator = "|"
[split]
all = "test"
"""


def of_builds(work: Work) -> Iterator[Target]:
    """Damage a build, and a bundle of one."""
    folder = work.place("build")
    work.make(f"medzh-build build sdak --recipe mini --output {folder}/medzh", folder)
    work.make(f"medzh-build bundle --data {folder}/medzh --output {folder}/medzh.zip", folder)
    read = [f"medzh/{name}" for name in files_below(folder / "medzh", ".parquet", "manifest.json")]
    score = f"score sdak {SAMPLES / 'sdak' / 'predictions.jsonl'} --bootstrap 0 --to json --data"
    held = {"numbers": True, "sealed": True}
    yield work.target("score a build", f"{score} {{}}/medzh", folder, *read, **held)
    yield work.target("score a bundle", f"{score} {{}}/medzh.zip", folder, "medzh.zip", **held)
    yield work.target("score a build resealed", f"{score} {{}}/medzh", folder, *read, resealed=True)
    yield work.target("prompts of a build", "prompts sdak --data {}/medzh", folder, *read)
    yield work.target("cite a build", "cite sdak --data {}/medzh", folder, *read)
    for tool in ("evalscope", "opencompass", "inspect", "lm-eval"):
        line = f"harness {tool} sdak --data {{}}/medzh -o {{}}/task"
        yield work.target(f"harness of {tool}", line, folder, *read)
    yield work.target("conform", "medzh-build check-config sdak --data {}/medzh", folder, *read)
    yield work.target("conform resealed", "medzh-build check-config sdak --data {}/medzh", folder, *read, resealed=True)
    yield work.target("diff", "medzh-build diff {}/medzh {minis}", folder, *read)
    yield work.target("diff resealed", "medzh-build diff {}/medzh {minis}", folder, *read, resealed=True)


def of_suites(work: Work) -> Iterator[Target]:
    """Damage any file of a suite that was asked, answered, judged in part, and scored."""
    folder = work.place("suites")
    suite = folder / "suite"
    judges = "--judge correctness=judge --judge interpretability=judge"
    work.make(f"suite plan {suite} --models glm qwen --configs sdak care_mi {judges} --data {work.minis}", folder)
    for model in ("glm", "qwen"):
        for path in sorted((suite / "prompts").glob("*/answer.jsonl")):
            answers = as_native(prompts_in(path), model, folder / path.parent.name / model)
            work.make(f"suite add {suite} {answers}", folder)
    work.make(f"suite prompts {suite}", folder)
    for path in sorted((suite / "outbox" / "judge").glob("*.jsonl"))[:1]:
        work.make(f"suite add {suite} {as_native(prompts_in(path), 'judge', folder / path.stem)}", folder)
    work.make(f"suite score {suite}", folder)
    files = [f"suite/{name}" for name in files_below(suite) if not name.startswith("outbox")]
    often = [*files, *["suite/plan.toml"] * len(files), *(name for name in files if "/results/" not in name)]
    lines = ("suite status {}/suite", "suite prompts {}/suite", "suite score {}/suite", "summary {}/suite")
    lines += ("suite status {}/suite --to markdown",)
    for line in lines:
        yield work.target(line.replace("{}/", ""), line, folder, *often)
    answers = "sdak/qwen/native.jsonl"
    line = f"suite add {{}}/suite {{}}/{answers} --overwrite"
    yield work.target("suite add", line, folder, *[answers] * len(files), *often)


def of_sheets(work: Work) -> Iterator[Target]:
    """Damage sheets, as CSV and as workbooks, and what people write by hand beside predictions."""
    folder = work.place("sheets")
    copied(folder, SAMPLES / "cmhe_dd" / "predictions.jsonl")
    for ending in ("csv", "xlsx"):
        audit, answers = (f"{name}.{ending}" for name in ("audit", "answers"))
        asked = f"prompts cmhe_dd --stage audit --sample 5 --predictions {folder}/predictions.jsonl --to csv"
        work.make(f"{asked} --output {folder}/{audit} --data {work.minis}", folder)
        line = f"score cmhe_dd {{}}/predictions.jsonl --stage=audit={{}}/{audit} --rule medzh-1 {NUMBERS}"
        yield work.target(audit, line, folder, audit, numbers=True)
        work.make(f"prompts sdak --to csv --data {work.minis} --output {folder}/{answers}", folder)
        _fill(folder / answers, "prediction", "正确")
        yield work.target(answers, f"score sdak {{}}/{answers} {NUMBERS}", folder, answers, numbers=True)
    (folder / "names.tsv").write_text("code\tname\nJ18.9\t肺炎\nJ45.9\t支气管哮喘\n", encoding="utf-8")
    line = f"score cmhe_dd {{}}/predictions.jsonl --dictionary {{}}/names.tsv {PLAIN}"
    yield work.target("dictionary", line, folder, "names.tsv")
    work.make(f"prompts cmhe_dd --data {work.minis} --output {folder}/prompts.jsonl", folder)
    line = f"score cmhe_dd {{}}/predictions.jsonl --prompts {{}}/prompts.jsonl {NUMBERS}"
    yield work.target("prompts sent", line, folder, "prompts.jsonl", numbers=True)
    (folder / "labels.csv").write_text("label,name\none,甲\ntwo,乙\n", encoding="utf-8")
    both = f"{work.folder}/results/one {work.folder}/results/two"
    line = f"compare {both} --bootstrap 0 --permutations 50 --display-names {{}}/labels.csv"
    yield work.target("labels", line, folder, "labels.csv")


def _fill(sheet: Path, column: str, text: str) -> None:
    """Fill a column of a sheet, as a person does."""
    is_workbook, content = sheet.suffix == ".xlsx", sheet.read_bytes()
    whole = as_csv(io.BytesIO(content), sheet) if is_workbook else content
    rows = list(csv.reader(io.StringIO(whole.decode("utf-8-sig"), newline="")))
    for row in rows[1:]:
        row[rows[0].index(column)] = text
    if is_workbook:
        filled = Sheet(tuple(rows[0]), [dict(zip(rows[0], row, strict=True)) for row in rows[1:]])
        sheet.write_bytes(as_workbook(filled, sheet.name))
        return
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    sheet.write_bytes(stream.getvalue().encode())


def of_own_files(work: Work) -> Iterator[Target]:
    """Damage what users bring to a build: a file in the interchange form, and a table with its mapping."""
    folder = work.place("own")
    fields = ("type", "subject", "question", "options", "answer")
    made = [one for one in load_records(work.minis, "tcmd").rows[:9] if one["type"] in {"A1", "A2"}]
    rows = [{"split": "test", **{name: one[name] for name in fields}} for one in made]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "own.jsonl").write_text(lines, encoding="utf-8")
    table = io.StringIO(newline="")
    csv.writer(table).writerow(("kind", "about", "text", "choices", "right"))
    csv.writer(table).writerows(
        (row["type"], row["subject"], row["question"], "|".join(row["options"]), row["answer"]) for row in rows
    )
    (folder / "rows.csv").write_text(table.getvalue(), encoding="utf-8", newline="")
    (folder / "mapping.toml").write_text(MAPPING, encoding="utf-8")
    line = "medzh-build build tcmd --recipe official --output {}/built --source {}"
    yield work.target("build of own lines", f"{line}/own.jsonl", folder, "own.jsonl")
    mapped = f"{line}/rows.csv --mapping {{}}/mapping.toml"
    yield work.target("build by a mapping", mapped, folder, "rows.csv", "mapping.toml", "mapping.toml")
