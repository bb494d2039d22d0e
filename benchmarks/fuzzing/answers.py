"""Answers of models in every form, and what is made of them: damaged, and read by the commands that read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answer_forms import FORMS, asked_and_answered, native, writing_in
from fuzzing.targets import copied, files_below
from scored_minis import LATER, SAMPLES
from simulated import as_inspect, as_lm_eval

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.data.records import load_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzzing.targets import Target, Work

PLAIN = "--bootstrap 0 --data {minis}"
NUMBERS = f"{PLAIN} --to json"


def of_answers(work: Work) -> Iterator[Target]:
    """Damage native lines of every config, and what came back in its later rounds."""
    for config in config_names():
        later = LATER.get(config, {})
        folder = work.place(f"answers-{config}")
        sources = ["predictions.jsonl", *(file for files in later.values() for file in files)]
        names = copied(folder, *(SAMPLES / config / name for name in sources))
        stages = " ".join(f"--stage={name}={{}}/{file}" for name, files in later.items() for file in files)
        line = f"score {config} {{}}/{names[0]} {stages}"
        yield work.target(f"score {config}", f"{line} {NUMBERS}", folder, *names, numbers=True)
        yield work.target(f"show {config}", f"{line} {PLAIN} --items {{}}/items", folder, *names)
        yield work.target(f"check {config}", f"check {config} {{}}/{names[0]} --data {{minis}}", folder, names[0])
        said = f"explain {config} {{}}/{names[0]} --unparsed 9 --data {{minis}}"
        yield work.target(f"explain {config}", said, folder, names[0])
        for name, files in later.items():
            of_records = pick("stage", find_config(config).every_stage, name).about == "records"
            after = "" if of_records else f"--predictions {{}}/{names[0]}"
            asking = f"prompts {config} --stage {name} {after} --data {{minis}}"
            yield work.target(f"{name} of {config}", asking, folder, names[0])
            again = f"{asking} --skip-answered {{}}/{files[0]}"
            yield work.target(f"{name} of {config} again", again, folder, names[0], files[0])


def of_forms(work: Work) -> Iterator[Target]:
    """Damage every form that ``--from`` reads."""
    for config in ("sdak", "tcmd"):
        asked = asked_and_answered(find_config(config), load_records(work.minis, config).rows)
        for name, with_ids, make in FORMS_MADE:
            folder = work.place(f"form-{config}-{name}")
            files = [path.relative_to(folder).as_posix() for path in make(asked, folder)]
            line = f"{config} {' '.join(f'{{}}/{file}' for file in files)}"
            scoring = f"score {line} --missing wrong {NUMBERS}"
            yield work.target(f"score {config} {name}", scoring, folder, *files, numbers=True)
            yield work.target(f"check {config} {name}", f"check {line} --data {{minis}}", folder, *files)
            if with_ids:
                said = f"explain {line} --unparsed 9 --data {{minis}}"
                yield work.target(f"explain {config} {name}", said, folder, *files)


def _made(form):  # noqa: ANN001, ANN202 - as the tests write them
    return lambda asked, folder: form(asked, writing_in(folder), folder)[0]


FORMS_MADE = (
    *(
        (form.__name__, "without" not in form.__name__ and "opencompass" not in form.__name__, _made(form))
        for form in (native, *FORMS)
    ),
    ("lm_eval", True, lambda asked, folder: [as_lm_eval([line for line, _ in asked], "glm", folder)]),
    ("inspect", True, lambda asked, folder: [as_inspect([line for line, _ in asked], "glm", folder)]),
)


def of_results(work: Work) -> Iterator[Target]:
    """Damage a result folder, which is shown, compared, drawn, verified and packed, and a report."""
    folder = work.place("results")
    for label, config in (("one", "sdak"), ("two", "sdak"), ("three", "care_mi")):
        content = (SAMPLES / config / "predictions.jsonl").read_bytes()
        answers = folder / f"{label}.jsonl"
        answers.write_bytes(content.replace("正确".encode(), "错误".encode(), 9) if label == "two" else content)
        saved = f"--include-text full --model {label} --save {folder / label}"
        work.make(f"score {config} {answers} {saved} {PLAIN}", folder)
    (folder / "report.json").write_bytes((folder / "one" / "report.json").read_bytes())
    inside = [f"one/{name}" for name in files_below(folder / "one")]
    quick = "compare {}/one {}/two --bootstrap 20 --permutations 50"
    for form in ("text", "json", "markdown", "latex", "csv"):
        for resealed in (False, True):
            of = f"{form} resealed" if resealed else form
            yield work.target(f"show as {of}", f"show {{}}/one --to {form}", folder, *inside, resealed=resealed)
            line = f"{quick} --items {{}}/items --to {form}"
            yield work.target(f"compare as {of}", line, folder, *inside, resealed=resealed)
        line = f"summary {{}}/one {{}}/two {{}}/three --baseline two --to {form}"
        yield work.target(f"summary as {form}", line, folder, *inside)
    tables = [name for name in inside if name.endswith(".parquet")]
    yield work.target("compare", f"{quick} --to json", folder, *tables, numbers=True, sealed=True)
    verify = "verify {}/one {}/one.jsonl --data {minis}"
    yield work.target("verify", verify, folder, *inside, "one.jsonl")
    yield work.target("verify resealed", verify, folder, *inside, resealed=True)
    yield work.target("verify a report", verify.replace("/one ", "/report.json "), folder, "report.json")
    yield work.target("show a report", "show {}/report.json", folder, "report.json")
    yield work.target("cite a report", "cite sdak --data {minis} --report {}/report.json", folder, "report.json")
    yield work.target("bundle", "bundle {}/one {}/one.jsonl --output {}/b.zip", folder, *inside, "one.jsonl")
    line = "plot sdak {}/one {}/two --figure forest --output {}/f.svg"
    yield work.target("plot", line, folder, *inside)
